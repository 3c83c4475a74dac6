//! Matches a program pattern with one command.

use precedent_core::ActionPattern;
use precedent_redact::CleanText;

use super::paths;
use crate::identity::{
    CanonicalAction, CanonicalCommand, Fact, FactKind, flag_alias, is_cluster, reread,
    same_environment, subcommand_depth, wildcard,
};

/// Tells whether `command` is one that `pattern` describes.
pub(super) fn matches(
    pattern: &ActionPattern,
    command: &CanonicalCommand,
    action: &CanonicalAction,
) -> bool {
    // `sudo` is taken apart into the user that a command runs as.
    if matches!(pattern.program.as_deref(), Some("sudo" | "doas")) && pattern.words.is_empty() {
        return command.user.is_some();
    }
    views(command).iter().any(|view| {
        !asks_for_help(view)
            && pattern
                .program
                .as_deref()
                .is_some_and(|p| same_program(p, &view.program))
            && words_match(&pattern.words, view)
            && flags_match(pattern, view)
            && environment_matches(pattern, view)
            && (pattern.paths.is_empty() || paths::command_names(pattern, view, action))
    })
}

fn asks_for_help(command: &CanonicalCommand) -> bool {
    command.has_flag(&["--help", "--version"])
}

/// Returns the command and what it runs in its turn, when it is an
/// interpreter with a script or a runner of a project's programs.
pub(super) fn views(command: &CanonicalCommand) -> Vec<CanonicalCommand> {
    let mut views = vec![command.clone()];
    let mut last = command.clone();
    // A runner may start a runner (`npx dotenv jest`), but not for ever.
    for _ in 0..3 {
        let Some(inner) = runs_at(&last).and_then(|at| reread(&last, at)) else {
            break;
        };
        views.push(inner.clone());
        last = inner;
    }
    views
}

fn runs_at(command: &CanonicalCommand) -> Option<usize> {
    let texts: Vec<&str> = command.words.iter().map(|w| w.text.as_str()).collect();
    let skip = match (
        command.program.as_str(),
        texts.get(1).copied().unwrap_or(""),
    ) {
        (
            "bash" | "sh" | "zsh" | "dash" | "ksh" | "source" | "." | "python" | "python3" | "node"
            | "ruby" | "perl" | "npx" | "bunx" | "pnpx" | "dotenv" | "tsx" | "ts-node",
            _,
        ) => 1,
        ("deno" | "bun", "run")
        | ("pnpm" | "npm" | "yarn", "exec" | "dlx")
        | ("bundle", "exec")
        | ("poetry" | "uv" | "pipenv" | "rye" | "pdm" | "doppler" | "hatch", "run")
        | ("mise" | "direnv" | "asdf", "exec") => 2,
        _ => return None,
    };
    let rest = texts.get(skip..)?;
    // The code of `python -c` and `node -e` is data, no program line.
    let at = rest.iter().position(|w| !w.starts_with('-'))?;
    let flags = &rest[..at];
    if flags
        .iter()
        .any(|f| matches!(*f, "-c" | "-e" | "-p" | "-m" | "-n" | "--eval"))
    {
        return None;
    }
    Some(skip + at)
}

/// Compares program names: a bare name with any place, a path from its end.
pub(super) fn same_program(wanted: &str, program: &str) -> bool {
    let wanted = wanted.trim_start_matches("./");
    let program = program.trim_start_matches("./");
    let versioned = |name: &str| match name {
        "python3" => "python".to_owned(),
        "pip3" => "pip".to_owned(),
        other => other.to_owned(),
    };
    wanted == program
        || versioned(wanted) == versioned(program)
        || program
            .strip_suffix(wanted)
            .is_some_and(|head| head.ends_with('/'))
}

fn words_match(wanted: &[CleanText], command: &CanonicalCommand) -> bool {
    let sub = &command.subcommand;
    let fixed = wanted.len().min(sub.len());
    if !wanted[..fixed]
        .iter()
        .zip(sub)
        .all(|(w, s)| same_word(w, s))
    {
        return false;
    }
    let Some((first, rest)) = wanted[fixed..].split_first() else {
        return true;
    };
    let all = command.positional();
    let words = &all[sub.len()..];
    let doubtful = command
        .flags
        .iter()
        .filter(|f| !f.certain && f.value.is_some())
        .count();
    // Where sub-commands are not known, the first word names the operation,
    // so it must stand first, flags' possible values aside.
    let free =
        subcommand_depth(&command.program, &[]) > 0 || crate::identity::clusters(&command.program);
    let reach = if free { words.len() } else { doubtful + 1 };
    let start = words.iter().take(reach).position(|w| same_word(first, w));
    start.is_some_and(|at| is_subsequence(rest, &words[at + 1..]))
}

fn is_subsequence(wanted: &[CleanText], words: &[&str]) -> bool {
    let mut words = words.iter();
    wanted.iter().all(|w| words.any(|word| same_word(w, word)))
}

/// Compares words; `*` and `?` of the pattern are wildcards, a path may be
/// written with `./` or a trailing slash.
fn same_word(wanted: &str, word: &str) -> bool {
    let clean = |text: &str| {
        text.trim_start_matches("./")
            .trim_end_matches('/')
            .to_owned()
    };
    let (wanted, word) = (clean(wanted), clean(word));
    wanted == word || wanted.contains(['*', '?']) && wildcard(&wanted, &word)
}

/// Tells whether every flag of the pattern is given.
pub(super) fn flags_match(pattern: &ActionPattern, command: &CanonicalCommand) -> bool {
    pattern.flags.iter().all(|wanted| {
        let (name, value) = wanted
            .split_once('=')
            .map_or((&**wanted, None), |(n, v)| (n, Some(v)));
        command.flags.iter().any(|flag| {
            flag.name == name
                && value.is_none_or(|v| flag.value.as_deref().is_some_and(|f| same_word(v, f)))
        }) || value.is_none()
            && command
                .words
                .iter()
                .skip(1)
                .any(|w| !w.quoted && w.text == name)
    })
}

/// Tells whether the command names one of the pattern's places.
pub(super) fn environment_matches(pattern: &ActionPattern, command: &CanonicalCommand) -> bool {
    pattern.environment.is_empty()
        || command.facts().iter().any(|fact| {
            pattern
                .environment
                .iter()
                .any(|wanted| place_matches(wanted, fact))
        })
        || on_branch(pattern, command)
}

/// Tells whether a command other than git's runs where one of the pattern's
/// branches is checked out; git's own say which branch they act on.
pub(super) fn on_branch(pattern: &ActionPattern, command: &CanonicalCommand) -> bool {
    let Some(branch) = command
        .branch
        .as_deref()
        .filter(|_| command.program != "git")
    else {
        return false;
    };
    let names = pattern
        .environment
        .iter()
        .filter_map(|place| place.strip_prefix("branch:"));
    names.into_iter().any(|name| same_word(name, branch))
}

/// Compares a wanted place, `kind:name` or a name of any kind, with a fact.
pub(super) fn place_matches(wanted: &str, fact: &Fact) -> bool {
    match wanted.split_once(':') {
        Some((kind, name)) if kind == fact.kind.name() => match kind {
            "branch" | "directory" => same_word(name, &fact.value),
            _ => same_environment(name, &fact.value),
        },
        Some(_) => false,
        // Where a project happens to lie does not say what it acts on.
        None => {
            !matches!(fact.kind, FactKind::Directory | FactKind::User)
                && same_environment(wanted, &fact.value)
        }
    }
}

/// Splits unparsed text into words that might be programs and arguments.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let breaks = |c: char| c.is_whitespace() || "'\"`;|&(){}<>$\\".contains(c);
    text.split(breaks).filter(|t| !t.is_empty())
}

/// Looks for the pattern's program and words in text that did not parse, so
/// that breaking the syntax or the bounds does not slip past a rule.
///
/// The whole text is searched, line by line and in time linear in its length.
pub(super) fn unparsed_matches(pattern: &ActionPattern, action: &CanonicalAction) -> bool {
    let Some(program) = pattern.program.as_deref() else {
        return false;
    };
    action.unparsed.iter().any(|text| {
        let text = text.replace("\\\n", " ");
        let mut lines = text.split(['\n', ';', '|', '&']);
        lines.any(|line| line_matches(pattern, program, line))
    })
}

fn line_matches(pattern: &ActionPattern, program: &str, line: &str) -> bool {
    let mut words = tokens(line);
    // What the first mention is followed by includes what later ones are.
    if !words.any(|token| same_program(program, token)) {
        return false;
    }
    let rest: Vec<&str> = words.collect();
    let sub = pattern.words.first().map_or("", |w| &**w);
    let given = |wanted: &CleanText| rest.iter().any(|t| token_is_flag(program, sub, wanted, t));
    is_subsequence(&pattern.words, &rest) && pattern.flags.iter().all(given)
}

/// Compares a flag with a token, which may be a cluster or a shorter name.
fn token_is_flag(program: &str, sub: &str, wanted: &str, token: &str) -> bool {
    let same = |name: &str| name == wanted || flag_alias(program, sub, name) == Some(wanted);
    same(token)
        || token.split('=').next() == Some(wanted)
        || is_cluster(token) && token.chars().skip(1).any(|c| same(&format!("-{c}")))
}
