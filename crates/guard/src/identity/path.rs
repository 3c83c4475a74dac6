//! Lexical paths and globs: normalised without asking a file system.

/// Joins `path` to `base` and removes `.` and `..` (POSIX.1-2024, XBD 4.16,
/// without symbolic links: the caller resolves those).
#[must_use]
pub fn normalise(base: Option<&str>, path: &str) -> String {
    let path = path.replace('\\', "/");
    let rooted = is_absolute(&path) || path.starts_with('~') || path.starts_with('$');
    let whole = match base {
        Some(base) if !rooted => format!("{}/{path}", base.replace('\\', "/")),
        _ => path,
    };
    let absolute = whole.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            other => parts.push(other),
        }
    }
    let joined = parts.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    path.starts_with('/') || (bytes.len() > 2 && bytes[1] == b':' && bytes[2] == b'/')
}

/// Names `path` relative to `project` when it lies inside, else absolutely.
#[must_use]
pub fn relative(project: Option<&str>, base: Option<&str>, path: &str) -> String {
    let full = normalise(base.or(project), path);
    let Some(project) = project.map(|p| normalise(None, p)) else {
        return full;
    };
    if full == project {
        return ".".to_owned();
    }
    match full
        .strip_prefix(&project)
        .and_then(|rest| rest.strip_prefix('/'))
    {
        Some(inside) => inside.to_owned(),
        None => full,
    }
}

/// Tells whether `glob` names `path` or a directory above it.
///
/// `*` and `?` stay within a segment, `**` crosses segments; a glob without
/// a slash matches the name at any depth, as in gitignore(5). Segments are
/// compared whole: `lib` does not match `library/x`.
#[must_use]
pub fn glob_matches(glob: &str, path: &str) -> bool {
    let glob = glob.trim_start_matches("./").trim_end_matches('/');
    let path = path.trim_start_matches("./");
    let pattern: Vec<&str> = glob.split('/').filter(|s| !s.is_empty()).collect();
    let segments: Vec<&str> = path
        .split('/')
        .filter(|s| !s.is_empty() && *s != ".")
        .collect();
    if pattern.is_empty() {
        return false;
    }
    if glob.starts_with('/') {
        return path.starts_with('/') && segments_match(&pattern, &segments);
    }
    // A relative glob may start below any directory of an absolute path.
    let starts = if pattern.len() == 1 || path.starts_with('/') {
        segments.len()
    } else {
        1
    };
    (0..starts.max(1)).any(|at| segments_match(&pattern, segments.get(at..).unwrap_or(&[])))
}

fn segments_match(pattern: &[&str], segments: &[&str]) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return true;
    };
    if *first == "**" {
        return (0..=segments.len()).any(|at| segments_match(rest, &segments[at..]));
    }
    match segments.split_first() {
        Some((segment, tail)) => wildcard(first, segment) && segments_match(rest, tail),
        None => false,
    }
}

/// Matches one segment with `*` and `?`, in time linear in the product.
#[must_use]
pub fn wildcard(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match retry {
                Some((after, at)) => {
                    p = after;
                    t = at + 1;
                    retry = Some((after, at + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_vanish() {
        assert_eq!(normalise(Some("/p"), "./sub/../a.ts"), "/p/a.ts");
        assert_eq!(normalise(Some("/p"), "/q//b/."), "/q/b");
        assert_eq!(normalise(None, "../x"), "../x");
        assert_eq!(normalise(None, "/.."), "/");
        assert_eq!(normalise(Some("/p"), "~/x"), "~/x");
        assert_eq!(relative(Some("/p"), Some("/p/s"), "../a.ts"), "a.ts");
        assert_eq!(relative(Some("/p"), None, "/px/a"), "/px/a");
    }

    #[test]
    fn globs_match_whole_segments() {
        let yes = [
            ("third_party/", "third_party/a/b.c"),
            ("*.env", "a/b/.env"),
            (".env", "conf/.env"),
            ("src/**/gen.rs", "src/gen.rs"),
            ("src/**/gen.rs", "src/a/b/gen.rs"),
            ("lib/*.ex", "lib/retry.ex"),
            ("lib/*.ex", "/p/lib/retry.ex"),
            ("/etc", "/etc/passwd"),
        ];
        for (glob, path) in yes {
            assert!(glob_matches(glob, path), "{glob} {path}");
        }
        let no = [
            ("third_party/", "third_party2/a"),
            ("lib/*.ex", "lib/a/b.ex"),
            ("/etc", "etc/passwd"),
            ("assets/brand", "assets"),
            ("", "a"),
            ("a/b", "x/a/b"),
        ];
        for (glob, path) in no {
            assert!(!glob_matches(glob, path), "{glob} {path}");
        }
    }

    #[test]
    fn a_star_backtracks() {
        assert!(wildcard("a*b*c", "axxbyybzc"));
        assert!(!wildcard("a*b?c", "abc"));
    }
}
