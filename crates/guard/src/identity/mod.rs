//! Action identity: one canonical form for every way to write an action.
//!
//! Two actions have the same exact key when they differ only in what cannot
//! change the outcome: quoting, blanks, comments, wrappers, the order of
//! flags, where output goes, the order of JSON keys. Environment, user, file
//! scope and secrets are kept beside the key, because an earlier attempt may
//! simply not have named them: see [`CanonicalAction::environment_changed`],
//! [`CanonicalAction::scope_changed`] and [`CanonicalAction::fingerprint`].

mod command;
mod facts;
mod fold;
mod grammar;
mod indirect;
mod input;
mod keys;
mod path;
mod payload;
mod redact;
mod script;
mod status;
mod wrappers;

pub use command::{CanonicalCommand, Flag, Operand};
pub use facts::{Fact, FactKind, same_environment};
pub use fold::{fold, has_lookalikes};
pub use input::{is_file_writer, is_shell_tool, patch_paths};
pub use keys::Keys;
pub use path::{glob_matches, normalise, relative, wildcard};
pub use redact::{AlreadyMasked, Fingerprint, Mask, fingerprint};
use redact::{Fields, Report};

pub(crate) use command::reread;
pub(crate) use facts::stage_name;
pub(crate) use grammar::{clusters, flag_alias, is_cluster, subcommand_depth};
pub(crate) use script::in_directory;

/// An action as a host reports it.
#[derive(Debug, Clone, Copy, Default)]
pub struct ActionInput<'a> {
    /// The tool's name as the host spells it.
    pub tool: &'a str,
    /// A shell command, a patch, or the tool's input as JSON text.
    pub input: &'a str,
    /// What the agent says it is about to do, in words; may be empty.
    pub intent: &'a str,
    /// The working directory, symbolic links resolved by the caller.
    pub directory: Option<&'a str>,
    /// The project's root, symbolic links resolved by the caller.
    pub project: Option<&'a str>,
    /// The branch that is checked out, where the caller knows it.
    pub branch: Option<&'a str>,
    /// The files that the host says the action concerns.
    pub files: &'a [String],
}

/// An action in canonical form; secrets in it are masked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CanonicalAction {
    /// The tool; every host's own shell tool is called `Bash`.
    pub tool: String,
    /// The commands of a shell action; empty for other tools.
    pub commands: Vec<CanonicalCommand>,
    /// The canonical JSON of another tool's meaningful fields, or its text.
    pub input: Option<String>,
    /// Words of another tool's input that name its target, for shape keys.
    pub targets: Vec<String>,
    /// Where the action starts, relative to the project when inside it.
    pub directory: Option<String>,
    /// The files concerned, relative to the project, sorted, without repeats.
    pub files: Vec<String>,
    /// The stated intent, masked; it may trigger a rule, never lift one.
    pub intent: String,
    /// Texts of control structures of a shell action.
    pub control: Vec<String>,
    /// Texts that could not be parsed.
    pub unparsed: Vec<String>,
    /// Whether letters that only look Latin were folded.
    pub lookalikes: bool,
    /// The keyed fingerprint of its secrets, when it has any.
    pub fingerprint: Option<[u8; 32]>,
    /// A readable canonical text.
    pub text: String,
}

/// Brings an action to canonical form.
///
/// `mask` removes secrets before anything else looks at the text; `digest`
/// makes the fingerprint that stands for them.
#[must_use]
pub fn canonicalise(
    action: &ActionInput<'_>,
    mask: &dyn Mask,
    digest: Fingerprint<'_>,
) -> CanonicalAction {
    let report = Report::masked(action, mask);
    let action = &report.of(action);
    let command = input::shell_command(action.tool, action.input);
    let (mut canonical, fingerprint) = match command {
        Some(command) => (
            shell_action(action, &mask.mask(&command)),
            fingerprint(&command, mask, digest),
        ),
        None => {
            let fields = Fields::read(action.input, mask);
            let fingerprint = match &fields {
                Some(fields) => fields.fingerprint(digest),
                None => fingerprint(action.input, mask, digest),
            };
            let canonical = input::tool_action(action, fields, mask);
            (canonical, fingerprint)
        }
    };
    for command in &mut canonical.commands {
        command.branch = action.branch.map(str::to_owned);
    }
    canonical.fingerprint = fingerprint;
    canonical.lookalikes = has_lookalikes(action.input);
    let named = action
        .files
        .iter()
        .map(|f| relative(action.project, action.directory, f));
    canonical.files.extend(named);
    canonical.files.sort();
    canonical.files.dedup();
    canonical.directory = action.directory.map(|d| relative(action.project, None, d));
    canonical.intent = mask.mask(stated(action));
    canonical.text = keys::readable(&canonical);
    canonical
}

/// Brings a shell command to canonical form where no project is known and
/// its secrets are masked already: the form that rule sentences use.
#[must_use]
pub fn canonicalise_command(command: &str) -> CanonicalAction {
    let action = ActionInput {
        tool: input::SHELL,
        input: command,
        ..ActionInput::default()
    };
    canonicalise(&action, &AlreadyMasked, &|_| [0; 32])
}

/// Returns the intent in words: none when a host repeats the input there.
fn stated<'a>(action: &ActionInput<'a>) -> &'a str {
    let intent = action.intent.trim();
    let repeats = intent == action.input.trim()
        || input::shell_command(action.tool, action.input).is_some_and(|c| c.trim() == intent);
    if repeats || intent.starts_with(['{', '[']) {
        ""
    } else {
        intent
    }
}

fn shell_action(action: &ActionInput<'_>, command: &str) -> CanonicalAction {
    let lines = script::read(command, action.directory, action.project);
    CanonicalAction {
        tool: if action.tool.starts_with("mcp__") {
            action.tool.to_owned()
        } else {
            input::SHELL.to_owned()
        },
        commands: lines.commands,
        control: lines.control,
        unparsed: lines.unparsed,
        files: lines.patched,
        ..CanonicalAction::default()
    }
}

impl CanonicalAction {
    /// Tells whether a variable or user that both actions name differs, or
    /// the user was raised in one of them.
    #[must_use]
    pub fn environment_changed(&self, earlier: &Self) -> bool {
        let values = |action: &Self| -> Vec<(String, String)> {
            action
                .commands
                .iter()
                .flat_map(|c| c.environment.clone())
                .collect()
        };
        let before = values(earlier);
        let differs = |(name, value): &(String, String)| {
            before
                .iter()
                .any(|(other, old)| other == name && old != value)
        };
        let users = |action: &Self| -> Vec<Option<String>> {
            action.commands.iter().map(|c| c.user.clone()).collect()
        };
        values(self).iter().any(differs) || users(self) != users(earlier)
    }

    /// Tells whether both actions name files and name different ones.
    #[must_use]
    pub fn scope_changed(&self, earlier: &Self) -> bool {
        !self.files.is_empty() && !earlier.files.is_empty() && self.files != earlier.files
    }

    /// Tells whether the secrets differ while both or either have some.
    #[must_use]
    pub fn credential_changed(&self, earlier: &Self) -> bool {
        self.fingerprint != earlier.fingerprint
    }
}

#[cfg(test)]
mod tests;
