//! Matches rules that name an activity in words instead of a command.

use precedent_core::ActionPattern;

use crate::identity::{CanonicalAction, is_file_writer, is_shell_tool};
use crate::read_only::read_only;

/// How many words of one text become keys.
const MAX_TOKENS: usize = 256;

/// Tells whether the action is the activity that the pattern's words name.
///
/// The words are looked for in the stated intent and in the names of what
/// runs: sub-commands, scripts and tools. Arguments are data. Two words of
/// three must occur, and all of two or one.
pub(super) fn matches(pattern: &ActionPattern, action: &CanonicalAction) -> bool {
    if read_only(action) || !acts(action) {
        return false;
    }
    let wanted: Vec<String> = pattern.words.iter().map(|w| stem(w)).collect();
    let needed = if wanted.len() < 3 {
        wanted.len()
    } else {
        (wanted.len() * 2).div_ceil(3)
    };
    let found = |words: &[String]| wanted.iter().filter(|w| words.contains(w)).count() >= needed;
    needed > 0 && sources(action).iter().any(|words| found(words))
}

/// Tells whether an action may be such an activity: a command or a foreign
/// tool; a host's own tools edit files, plan and delegate.
fn acts(action: &CanonicalAction) -> bool {
    is_shell_tool(&action.tool)
        || !is_file_writer(&action.tool)
            && !action.tool.to_lowercase().starts_with("todo")
            && !matches!(
                action.tool.as_str(),
                "Task" | "Agent" | "ExitPlanMode" | "AskUserQuestion"
            )
}

/// Returns the stemmed words of each place where an activity is named.
pub(super) fn sources(action: &CanonicalAction) -> Vec<Vec<String>> {
    let mut sources: Vec<Vec<String>> = Vec::new();
    for command in &action.commands {
        let mut names = vec![command.program.clone()];
        names.extend(command.subcommand.iter().cloned());
        if runs_scripts(&command.program) {
            let scripts = command.operands.iter().take(1).map(|o| o.text.clone());
            names.extend(scripts.filter(|text| !text.contains(char::is_whitespace)));
        }
        // The name as a whole counts too: `db:generate`.
        let whole = names.iter().map(|n| stem(n));
        sources.push(whole.chain(names.iter().flat_map(|n| words(n))).collect());
    }
    if action.commands.is_empty() && action.unparsed.is_empty() {
        sources.push(words(&action.tool));
    }
    if !action.intent.is_empty() {
        sources.push(words(&action.intent));
    }
    sources
}

/// Tells whether a program's first operand names what it does: interpreters,
/// task runners and a project's own scripts.
fn runs_scripts(program: &str) -> bool {
    const RUNNERS: &str = "node python python3 ruby perl php bash sh zsh deno bun tsx ts-node npx bunx cap fab \
        ansible-playbook invoke inv grunt gulp nx turbo task just doit dagger source .";
    program.contains('/') || RUNNERS.split_whitespace().any(|name| name == program)
}

/// Splits a name or sentence into stemmed words.
pub(super) fn words(text: &str) -> Vec<String> {
    let parts = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty());
    parts.take(MAX_TOKENS).map(stem).collect()
}

/// Strips the commonest English endings, so that `deleting` finds `delete`.
pub(crate) fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    let cut = ["ions", "ion", "ing", "ed", "es", "s", "e"]
        .iter()
        .find_map(|ending| {
            word.strip_suffix(ending)
                .filter(|root| root.chars().count() >= 3)
        });
    let Some(root) = cut else {
        return word;
    };
    // `committing` doubles the last letter of `commit`.
    let mut letters = root.chars().rev();
    let doubled = letters.next() == letters.next() && root.ends_with(['t', 'g', 'n', 'p']);
    if doubled {
        root[..root.len() - 1].to_owned()
    } else {
        root.to_owned()
    }
}
