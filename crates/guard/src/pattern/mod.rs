//! Matches action patterns by structure and finds them by key.
//!
//! A pattern is compared with programs, sub-commands, flags, paths and places
//! of an action, never with text: words in a commit message, a search pattern
//! or a document are data. Every pattern has keys, every action has lookup
//! keys, and a pattern matches only actions with which it shares one; so a
//! store finds the candidate rules by equality, however many others it holds.

mod command;
mod intent;
mod keys;
mod paths;
mod sql;
mod vouch;

pub(crate) use intent::stem;
pub use keys::{lookup_keys, pattern_keys};
pub(crate) use sql::is_verb as is_sql_verb;
pub use vouch::vouches;

use precedent_core::{ActionPattern, Control};

use crate::identity::{CanonicalAction, is_shell_tool};
use crate::read_only::read_only;
use crate::shell::Connector;

/// The tool name that, with paths, means any access to them, also reading.
pub const READ: &str = "Read";

/// Tells whether an action is one that the pattern describes.
///
/// An empty pattern describes nothing.
#[must_use]
pub fn matches(pattern: &ActionPattern, action: &CanonicalAction) -> bool {
    match Kind::of(pattern) {
        Kind::Nothing => false,
        Kind::Program => {
            let commands = action.commands.iter();
            commands
                .into_iter()
                .any(|c| command::matches(pattern, c, action))
                || command::unparsed_matches(pattern, action)
        }
        Kind::Sql => sql::matches(pattern, action) && places_match(pattern, action),
        Kind::Intent => {
            let here = || {
                action
                    .commands
                    .iter()
                    .any(|c| command::on_branch(pattern, c))
            };
            intent::matches(pattern, action) && (places_match(pattern, action) || here())
        }
        Kind::Flags => action
            .commands
            .iter()
            .any(|c| command::flags_match(pattern, c) && command::environment_matches(pattern, c)),
        Kind::Paths => paths::matches(pattern, action) && places_match(pattern, action),
        Kind::Tool => {
            let tool = pattern.tool.as_deref().unwrap_or("");
            let same = tool.eq_ignore_ascii_case(&action.tool)
                || !tool.starts_with("mcp__") && is_shell_tool(tool) && is_shell_tool(&action.tool);
            same && (pattern.paths.is_empty() || paths::names_any(pattern, action))
                && places_match(pattern, action)
        }
        Kind::Places => !read_only(action) && places_match(pattern, action),
    }
}

/// Tells whether a control speaks about an action, leaving aside whether its
/// prerequisites have succeeded before.
///
/// False for the prerequisite itself, for a line that runs every prerequisite
/// with `&&` in front, for a form of the action that lifts a prohibition and
/// for the preferred action.
#[must_use]
pub fn concerns(control: &Control, action: &CanonicalAction) -> bool {
    if !matches(control.trigger(), action) {
        return false;
    }
    match control {
        Control::Requires {
            trigger,
            prerequisites,
        } => prerequisites.is_empty() || !meets(trigger, prerequisites, action),
        Control::Prohibits { unless, .. } => !unless.iter().any(|u| matches(u, action)),
        Control::Prefers { prefer, .. } => !matches(prefer, action),
    }
}

/// Tells whether the line itself runs every prerequisite before the trigger.
fn meets(trigger: &ActionPattern, wanted: &[ActionPattern], action: &CanonicalAction) -> bool {
    if action.commands.is_empty() {
        return wanted.iter().any(|w| matches(w, action));
    }
    let mut done = vec![false; wanted.len()];
    for command in &action.commands {
        if !matches!(command.connector, Connector::Start | Connector::And) {
            done.fill(false);
        }
        let single = vouch::alone(command, action);
        let is_wanted = wanted.iter().any(|w| matches(w, &single));
        if matches(trigger, &single) && !is_wanted && !done.iter().all(|d| *d) {
            return false;
        }
        for (met, want) in done.iter_mut().zip(wanted) {
            *met |= !command.negated && vouch::performs(want, command, action);
        }
    }
    action.unparsed.is_empty() && done.contains(&true)
}

fn places_match(pattern: &ActionPattern, action: &CanonicalAction) -> bool {
    pattern.environment.is_empty()
        || action.facts().iter().any(|fact| {
            pattern
                .environment
                .iter()
                .any(|wanted| command::place_matches(wanted, fact))
        })
}

/// What a pattern chiefly describes; decides how it is matched and keyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Nothing,
    Program,
    Sql,
    Intent,
    Flags,
    Paths,
    Tool,
    Places,
}

impl Kind {
    pub(crate) fn of(pattern: &ActionPattern) -> Self {
        if pattern.program.is_some() {
            return Self::Program;
        }
        if let Some(word) = pattern.words.first() {
            return if sql::is_verb(word) {
                Self::Sql
            } else {
                Self::Intent
            };
        }
        let reads = pattern.tool.as_deref() == Some(READ) && !pattern.paths.is_empty();
        if pattern.tool.is_some() && !reads {
            return Self::Tool;
        }
        if !pattern.flags.is_empty() {
            return Self::Flags;
        }
        if !pattern.paths.is_empty() {
            return Self::Paths;
        }
        if pattern.environment.is_empty() {
            Self::Nothing
        } else {
            Self::Places
        }
    }
}

#[cfg(test)]
mod tests;
