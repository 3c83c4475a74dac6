//! Takes the programs apart that only run another one: `env`, `sudo`, `nice`,
//! `timeout`, `bash -c` and their like.

use crate::shell::Word;

/// What wrappers in front of a program say about how it runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Setting {
    /// Variables set for the program.
    pub(super) environment: Vec<(String, String)>,
    /// The user it runs as, when not the session's own.
    pub(super) user: Option<String>,
    /// The directory it runs in, as written.
    pub(super) directory: Option<String>,
}

/// Options of a wrapper that take the next word as their value.
fn value_options(wrapper: &str) -> Option<&'static [&'static str]> {
    Some(match wrapper {
        "env" => &["-u", "--unset", "-C", "--chdir"],
        "sudo" => &[
            "-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U", "-r", "-t", "--user", "--group",
            "--chdir",
        ],
        "doas" => &["-u", "-C"],
        "nice" => &["-n", "--adjustment"],
        "ionice" => &["-c", "-n", "--class", "--classdata"],
        "time" => &["-f", "-o", "--format", "--output"],
        "timeout" | "gtimeout" => &["-s", "-k", "--signal", "--kill-after"],
        "stdbuf" => &["-i", "-o", "-e"],
        "exec" => &["-a"],
        "caffeinate" => &["-t", "-w"],
        "nohup" | "command" | "builtin" | "setsid" | "unbuffer" | "chronic" | "noglob"
        | "coproc" => &[],
        _ => return None,
    })
}

/// Removes every wrapper in front of `words` and returns what they set.
pub(super) fn unwrap(words: &mut Vec<Word>) -> Setting {
    let mut setting = Setting::default();
    // Each round removes at least the wrapper itself, so this ends.
    while let Some(rest) = step(words, &mut setting) {
        words.drain(..rest);
    }
    setting
}

/// Returns how many words the wrapper at the front takes, if it is one.
fn step(words: &[Word], setting: &mut Setting) -> Option<usize> {
    let wrapper = super::command::program_name(&words.first()?.text);
    let options = value_options(&wrapper)?;
    let mut found = Setting::default();
    let mut at = 1;
    if matches!(wrapper.as_str(), "sudo" | "doas") {
        found.user = Some("root".to_owned());
    }
    while let Some(word) = words.get(at).filter(|w| w.text.starts_with('-')) {
        let text = word.text.as_str();
        if wrapper == "command" && text != "-p" || wrapper == "sudo" && is_sudo_mode(text) {
            return None;
        }
        let value = words.get(at + 1).map(|w| w.text.as_str());
        let (name, inline) = text
            .split_once('=')
            .map_or((text, None), |(n, v)| (n, Some(v)));
        let takes_next = inline.is_none() && options.contains(&text);
        note_option(
            &wrapper,
            name,
            inline.or(value.filter(|_| takes_next)),
            &mut found,
        );
        at += if takes_next { 2 } else { 1 };
        if text == "--" {
            break;
        }
    }
    if wrapper == "coproc" {
        // `coproc NAME { …; }`: the grammar does not know the group.
        let text = |at: usize| words.get(at).map(|w| w.text.as_str());
        at += match (text(at), text(at + 1)) {
            (Some("{"), _) => 1,
            (_, Some("{")) => 2,
            _ => 0,
        };
    }
    if matches!(wrapper.as_str(), "timeout" | "gtimeout") {
        at += 1;
    }
    if matches!(wrapper.as_str(), "env" | "sudo" | "doas") {
        while let Some((name, value)) = words.get(at).and_then(|w| assignment(&w.text)) {
            found.environment.push((name.to_owned(), value.to_owned()));
            at += 1;
        }
    }
    words.get(at)?;
    setting.environment.append(&mut found.environment);
    setting.user = found.user.or(setting.user.take());
    setting.directory = found.directory.or(setting.directory.take());
    Some(at)
}

fn note_option(wrapper: &str, name: &str, value: Option<&str>, found: &mut Setting) {
    match (wrapper, name, value) {
        ("sudo" | "doas", "-u" | "--user", Some(user)) => found.user = Some(user.to_owned()),
        ("env", "-C" | "--chdir", Some(dir)) | ("sudo", "-D" | "--chdir", Some(dir)) => {
            found.directory = Some(dir.to_owned());
        }
        _ => {}
    }
}

/// Options with which sudo runs no program given on its line.
fn is_sudo_mode(option: &str) -> bool {
    matches!(
        option,
        "-l" | "-v" | "-k" | "-K" | "-e" | "-V" | "--list" | "--edit"
    )
}

/// Splits `NAME=value` (POSIX.1-2024, XBD 8.1).
pub(super) fn assignment(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    let mut bytes = name.bytes();
    let first = bytes.next()?;
    let starts = first.is_ascii_alphabetic() || first == b'_';
    (starts && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')).then_some((name, value))
}

/// Tells whether `program` is a shell that reads commands.
pub(super) fn is_shell(program: &str) -> bool {
    matches!(program, "bash" | "sh" | "zsh" | "dash" | "ksh" | "ash")
}

/// Returns the script that a program on this line runs as text: `bash -c`,
/// `eval`, `trap`, `watch`, `su -c`.
pub(super) fn inline_script(words: &[Word]) -> Option<String> {
    let program = super::command::program_name(&words.first()?.text);
    let rest = &words[1..];
    match program.as_str() {
        "eval" => return joined(rest),
        "watch" => return joined(after_options(rest, &["-n", "--interval", "-q"])),
        "trap" if rest.len() > 1 && rest[0].text != "-" => {
            let action = after_options(rest, &[]).first()?;
            return Some(action.text.clone());
        }
        "su" | "runuser" | "script" => {
            let at = rest
                .iter()
                .position(|w| matches!(&*w.text, "-c" | "--command"))?;
            return rest.get(at + 1).map(|w| w.text.clone());
        }
        _ if !is_shell(&program) => return None,
        _ => {}
    }
    let at = rest.iter().position(|w| {
        w.text.starts_with('-') && !w.text.starts_with("--") && w.text[1..].contains('c')
    })?;
    let plain = rest[..at].iter().all(|w| w.text.starts_with('-'));
    rest.get(at + 1).filter(|_| plain).map(|w| w.text.clone())
}

/// Tells whether a program that runs text is none of the shells.
pub(super) fn is_carrier(words: &[Word]) -> bool {
    let program = words.first().map(|w| super::command::program_name(&w.text));
    program.is_some_and(|p| !is_shell(&p))
}

/// Tells whether the status of such a program is that of the text it runs:
/// not where that runs again and again, or later.
pub(super) fn carries_status(words: &[Word]) -> bool {
    !matches!(words.first().map(|w| &*w.text), Some("watch" | "trap"))
}

/// Skips options in front, with the values of those that take one.
fn after_options<'w>(words: &'w [Word], takes: &[&str]) -> &'w [Word] {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|w| w.text.starts_with('-')) {
        at += if takes.contains(&word.text.as_str()) {
            2
        } else {
            1
        };
    }
    words.get(at..).unwrap_or(&[])
}

fn joined(words: &[Word]) -> Option<String> {
    let texts: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Tells whether a shell on this line reads its commands from standard input.
pub(super) fn reads_stdin(words: &[Word]) -> bool {
    let shell = words
        .first()
        .is_some_and(|w| is_shell(&super::command::program_name(&w.text)));
    shell
        && words
            .iter()
            .skip(1)
            .all(|w| w.text.starts_with('-') && !w.text.contains('c'))
}

/// Returns the program line that `xargs` or `find -exec` runs, if any.
pub(super) fn delegated(words: &[Word]) -> Vec<Vec<Word>> {
    match words
        .first()
        .map(|w| super::command::program_name(&w.text))
        .as_deref()
    {
        Some("xargs") => xargs(words).into_iter().collect(),
        Some("parallel") => parallel(words).into_iter().collect(),
        Some("flock") => flock(words).into_iter().collect(),
        Some("find" | "fd") => find_exec(words),
        Some("docker" | "podman" | "docker-compose") => in_container(words).into_iter().collect(),
        Some("kubectl" | "oc") => after_dashes(words).into_iter().collect(),
        Some("ssh") => on_host(words).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Tells whether what a delegating program runs is done here and decides its
/// status: a container's program is, another host's or one of many is not.
pub(super) fn passes_status(words: &[Word]) -> bool {
    let program = words.first().map(|w| super::command::program_name(&w.text));
    matches!(
        program.as_deref(),
        Some("docker" | "podman" | "docker-compose")
    )
}

fn xargs(words: &[Word]) -> Option<Vec<Word>> {
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|w| w.text.starts_with('-')) {
        let takes = matches!(
            word.text.as_str(),
            "-n" | "-I" | "-P" | "-L" | "-d" | "-a" | "-s"
        );
        at += if takes { 2 } else { 1 };
    }
    words
        .get(at..)
        .filter(|rest| !rest.is_empty())
        .map(<[Word]>::to_vec)
}

/// Returns the line that GNU parallel runs for each argument; a quoted line is
/// a script.
fn parallel(words: &[Word]) -> Option<Vec<Word>> {
    const VALUES: [&str; 10] = [
        "-j",
        "--jobs",
        "-a",
        "--arg-file",
        "-I",
        "-n",
        "-N",
        "--joblog",
        "--delay",
        "--timeout",
    ];
    let rest = after_options(&words[1..], &VALUES);
    let end = rest.iter().position(|w| w.text.starts_with(":::"));
    let line = &rest[..end.unwrap_or(rest.len())];
    joined(line).map(as_script)
}

/// Returns the line that `flock file …` runs, as words or with `-c`.
fn flock(words: &[Word]) -> Option<Vec<Word>> {
    let rest = after_options(&words[1..], &["-w", "--timeout", "-E"]);
    match rest.get(1)?.text.as_str() {
        "-c" | "--command" => rest.get(2).map(|w| as_script(w.text.clone())),
        _ => Some(rest[1..].to_vec()),
    }
}

fn as_script(text: String) -> Vec<Word> {
    let word = |text: String| Word {
        text,
        dynamic: false,
        quoted: true,
    };
    vec![word("sh".to_owned()), word("-c".to_owned()), word(text)]
}

/// Returns the program line of `docker exec`, also through compose.
///
/// `docker run` names an image whose entry point is not known, so only exec
/// and compose's run are read.
fn in_container(words: &[Word]) -> Option<Vec<Word>> {
    const VALUES: [&str; 10] = [
        "-u",
        "-w",
        "-e",
        "--user",
        "--workdir",
        "--env",
        "-f",
        "--file",
        "-p",
        "--index",
    ];
    let mut names = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        at += 1;
        if word.text.starts_with('-') {
            at += usize::from(VALUES.contains(&word.text.as_str()));
            continue;
        }
        names.push(word.text.as_str());
        let composed = words[0].text.ends_with("docker-compose");
        let wanted = match names.as_slice() {
            ["exec", _] => true,
            ["compose", "exec" | "run", _] => true,
            ["run", _] => composed,
            _ => false,
        };
        if wanted {
            return words
                .get(at..)
                .filter(|rest| !rest.is_empty())
                .map(<[Word]>::to_vec);
        }
        if names.len() > 3 {
            return None;
        }
    }
    None
}

fn after_dashes(words: &[Word]) -> Option<Vec<Word>> {
    words
        .get(1..)?
        .iter()
        .find(|w| !w.text.starts_with('-'))
        .filter(|w| w.text == "exec")?;
    let at = words.iter().position(|w| w.text == "--")?;
    words
        .get(at + 1..)
        .filter(|rest| !rest.is_empty())
        .map(<[Word]>::to_vec)
}

/// Returns the remote command of `ssh host …` as a shell would run it there.
fn on_host(words: &[Word]) -> Option<Vec<Word>> {
    const VALUES: [&str; 10] = ["-i", "-p", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-b"];
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|w| w.text.starts_with('-')) {
        at += if VALUES.contains(&word.text.as_str()) {
            2
        } else {
            1
        };
    }
    let rest = words.get(at + 1..).filter(|rest| !rest.is_empty())?;
    joined(rest).map(as_script)
}

fn find_exec(words: &[Word]) -> Vec<Vec<Word>> {
    let opens = |w: &Word| {
        matches!(
            w.text.as_str(),
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec"
        )
    };
    let mut found = Vec::new();
    let mut rest = words;
    while let Some(at) = rest.iter().position(opens) {
        rest = &rest[at + 1..];
        let end = rest
            .iter()
            .position(|w| matches!(w.text.as_str(), ";" | "+"));
        let line = &rest[..end.unwrap_or(rest.len())];
        if !line.is_empty() {
            found.push(line.to_vec());
        }
    }
    found
}
