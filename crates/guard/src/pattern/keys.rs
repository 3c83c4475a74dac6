//! Keys under which a store finds the rules that may match an action.

use precedent_core::ActionPattern;

use super::{Kind, READ, command, intent, paths, sql};
use crate::identity::{CanonicalAction, is_shell_tool, stage_name};

/// Returns the keys of a pattern; it matches only actions that have one.
#[must_use]
pub fn pattern_keys(pattern: &ActionPattern) -> Vec<String> {
    let mut keys: Vec<String> = match Kind::of(pattern) {
        Kind::Nothing => Vec::new(),
        Kind::Program => pattern.program.iter().map(|p| program_key(p)).collect(),
        Kind::Sql => pattern
            .words
            .iter()
            .take(1)
            .map(|w| format!("sql:{w}"))
            .collect(),
        Kind::Intent => pattern
            .words
            .iter()
            .map(|w| word_key(&intent::stem(w)))
            .collect(),
        Kind::Tool => pattern.tool.iter().map(|t| tool_key(t)).collect(),
        Kind::Flags => pattern.flags.iter().take(1).map(|f| flag_key(f)).collect(),
        Kind::Paths => pattern.paths.iter().map(|glob| glob_key(glob)).collect(),
        Kind::Places => pattern.environment.iter().map(|e| place_key(e)).collect(),
    };
    keys.extend(nested_key(pattern));
    keys.sort();
    keys.dedup();
    keys
}

/// Returns the keys under which an action looks for rules.
#[must_use]
pub fn lookup_keys(action: &CanonicalAction) -> Vec<String> {
    let mut keys = vec![tool_key(&action.tool)];
    if is_shell_tool(&action.tool) {
        keys.push(tool_key("Bash"));
    }
    for command in &action.commands {
        if command.user.is_some() {
            keys.extend(["sudo", "doas"].map(program_key));
        }
        keys.extend(
            command::views(command)
                .iter()
                .map(|view| program_key(&view.program)),
        );
        for view in command::views(command) {
            keys.extend(view.flags.iter().map(|f| flag_key(&f.name)));
        }
        let written = command
            .words
            .iter()
            .skip(1)
            .filter(|w| w.text.starts_with('-'));
        keys.extend(written.map(|w| flag_key(&w.text)));
    }
    for text in &action.unparsed {
        keys.extend(
            command::tokens(text)
                .filter(|t| is_name(t))
                .map(program_key),
        );
    }
    let verbs = sql::statements(action)
        .into_iter()
        .filter_map(|s| s.into_iter().next());
    keys.extend(verbs.map(|verb| format!("sql:{verb}")));
    keys.extend(
        intent::sources(action)
            .iter()
            .flatten()
            .map(|w| word_key(w)),
    );
    let touched = paths::touches(action);
    for path in touched.iter().map(|t| t.path.as_str()) {
        keys.extend(
            path.split('/')
                .filter(|s| !s.is_empty())
                .map(|s| format!("path:{s}")),
        );
    }
    if touched.iter().any(|t| t.whole) {
        keys.push("path:**".to_owned());
    }
    if !touched.is_empty() {
        keys.push("path:*".to_owned());
    }
    for fact in action.facts() {
        let lower = fact.value.to_lowercase();
        let parts = lower.split(|c: char| !c.is_alphanumeric());
        keys.extend(
            parts
                .chain([lower.as_str()])
                .map(|p| format!("place:{}", stage_name(p))),
        );
        keys.push("place:*".to_owned());
    }
    keys.sort();
    keys.dedup();
    keys
}

fn program_key(program: &str) -> String {
    let name = program.rsplit('/').next().unwrap_or(program);
    let name = match name {
        "python3" => "python",
        "pip3" => "pip",
        other => other,
    };
    format!("program:{name}")
}

/// Tells whether a word of unparsed text may be a program's name.
fn is_name(word: &str) -> bool {
    word.len() <= 128 && word.starts_with(|c: char| c.is_alphanumeric() || "./~_".contains(c))
}

fn tool_key(tool: &str) -> String {
    if is_shell_tool(tool) && !tool.starts_with("mcp__") {
        "tool:bash".to_owned()
    } else {
        format!("tool:{}", tool.to_lowercase())
    }
}

fn flag_key(flag: &str) -> String {
    format!("flag:{}", flag.split('=').next().unwrap_or(flag))
}

fn word_key(word: &str) -> String {
    format!("word:{word}")
}

/// The last segment of a glob that is no wildcard; every path that matches
/// has it, except where a directory above is removed as a whole.
fn glob_key(glob: &str) -> String {
    let clean = glob.trim_start_matches("./");
    let literal = clean
        .split('/')
        .rev()
        .find(|s| !s.is_empty() && !s.contains(['*', '?']));
    literal.map_or_else(|| "path:*".to_owned(), |segment| format!("path:{segment}"))
}

fn place_key(wanted: &str) -> String {
    let name = wanted
        .split_once(':')
        .map_or(wanted, |(_, name)| name)
        .to_lowercase();
    if name.contains(['*', '?']) {
        return "place:*".to_owned();
    }
    format!(
        "place:{}",
        stage_name(name.trim_start_matches("./").trim_end_matches('/'))
    )
}

/// The key of patterns whose paths may vanish with a directory above them.
fn nested_key(pattern: &ActionPattern) -> Option<String> {
    let nested = pattern
        .paths
        .iter()
        .any(|g| g.trim_matches('/').contains('/'));
    let reading = pattern.tool.as_deref().is_none_or(|t| t == READ);
    (nested && reading && Kind::of(pattern) == Kind::Paths).then(|| "path:**".to_owned())
}
