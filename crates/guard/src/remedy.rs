//! Remedies and files that an error message names.

/// Most remedies or files that are taken from one message.
const MOST: usize = 16;
/// Words after which a command follows.
const CUES: [&str; 6] = ["run ", "run: ", "try ", "try: ", "execute ", "use "];
/// Words at which such a command ends.
const ENDS: [&str; 8] = [
    " first",
    " to ",
    " and try",
    " and then",
    " before ",
    " again",
    ", ",
    "; ",
];

/// Returns the commands that an error names as its remedy: what stands in backticks or quotes, and
/// what follows a cue such as "run" up to the end of the line.
pub(crate) fn remedies(error: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in error.lines() {
        for quote in ['`', '\'', '"'] {
            // Every second piece stands between two quotation marks.
            found.extend(line.split(quote).skip(1).step_by(2).map(str::to_owned));
        }
        let lower = line.to_ascii_lowercase();
        for cue in CUES {
            if let Some(at) = after_cue(&lower, cue) {
                found.push(up_to_end(&line[at..]).to_owned());
            }
        }
    }
    found.retain(|command| command.split_whitespace().count() >= 2 && command.len() <= 200);
    found.truncate(MOST);
    found
}

/// Returns where a cue that stands as a word of its own ends.
fn after_cue(lower: &str, cue: &str) -> Option<usize> {
    let found = lower.match_indices(cue).find(|(at, _)| {
        lower[..*at]
            .chars()
            .next_back()
            .is_none_or(|before| !before.is_alphanumeric())
    });
    found.map(|(at, _)| at + cue.len())
}

/// Cuts a command where the sentence around it goes on.
fn up_to_end(text: &str) -> &str {
    let end = ENDS.iter().filter_map(|end| text.find(end)).min();
    text[..end.unwrap_or(text.len())]
        .trim()
        .trim_end_matches(['.', '!', ')'])
}

/// What errors say when the network, not the action, was at fault: names of errno(3) and the words
/// of common clients.
const TRANSIENT: [&str; 12] = [
    "could not resolve host",
    "temporary failure in name resolution",
    "etimedout",
    "econnreset",
    "eai_again",
    "connection reset by peer",
    "operation timed out",
    "connection timed out",
    "request timed out",
    "too many requests",
    "503 service unavailable",
    "502 bad gateway",
];

/// Tells whether an error speaks of a passing state of the network.
pub(crate) fn is_transient(error: &str) -> bool {
    let lower = error.to_lowercase();
    TRANSIENT.iter().any(|sign| lower.contains(sign))
}

/// Returns an error without its numbers, to tell whether two failures have the same cause.
pub(crate) fn cause(error: &str) -> String {
    error.chars().filter(|c| !c.is_numeric()).collect()
}

/// Returns words that look like paths of files: with a slash or an extension, without the line and
/// column that compilers append.
pub(crate) fn named_files(error: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let separators = |c: char| c.is_whitespace() || "'\"`()[]{}<>,;=".contains(c);
    for word in error.split(separators) {
        let path = strip_position(word.trim_end_matches(['.', ':']));
        if looks_like_path(path) && !found.iter().any(|known| known == path) {
            found.push(path.to_owned());
        }
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// Removes `:12` and `:12:5` from the end of a word.
fn strip_position(word: &str) -> &str {
    let mut path = word;
    while let Some((rest, number)) = path.rsplit_once(':') {
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        path = rest;
    }
    path
}

fn looks_like_path(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let extension = name.rsplit_once('.');
    let has_extension = extension.is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=10).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    let plain = !word.contains("://") && !word.contains(':') && word.len() <= 512;
    plain && !word.is_empty() && (has_extension || (word.contains('/') && name.len() > 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_stand_in_quotes_or_after_a_cue() {
        assert_eq!(
            remedies("missing client, run `npm run db:generate` first")[0],
            "npm run db:generate"
        );
        for text in [
            "Please run npm ci.",
            "run npm ci first",
            "hint: run npm ci to fix this",
            "Please run: npm ci",
            "Try: npm ci",
            "Please run npm ci and try again",
        ] {
            assert_eq!(remedies(text), ["npm ci"], "{text}");
        }
        assert!(remedies("failed while running the prune step").is_empty());
        assert!(remedies("segmentation fault").is_empty());
    }

    #[test]
    fn passing_states_of_the_network_are_told_from_failures() {
        assert!(is_transient("fatal: Could not resolve host: example.org"));
        assert!(is_transient("npm ERR! code ETIMEDOUT"));
        assert!(!is_transient("schema mismatch at column 4"));
        assert_eq!(cause("row 7 of 12"), cause("row 8 of 120"));
    }

    #[test]
    fn files_are_named_with_or_without_positions() {
        assert_eq!(
            named_files("error[E0433] --> src/main.rs:3:5"),
            ["src/main.rs"]
        );
        assert_eq!(
            named_files("cat: config.toml: No such file or directory"),
            ["config.toml"]
        );
        assert_eq!(
            named_files("see https://example.com/x.html, exit 1.5"),
            Vec::<String>::new()
        );
        assert_eq!(named_files("cannot open './data/in'"), ["./data/in"]);
    }
}
