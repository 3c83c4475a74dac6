//! Tool events: what an agent did and how it ended.

use precedent_redact::CleanText;
use serde::Serialize;

use crate::text_enum::text_enum;
use crate::{Digest, EventId, Name, Namespace, ReceiptId, Timestamp};

text_enum! {
    /// How an action ended.
    pub enum Outcome as "outcome" {
        /// It did what it should.
        Succeeded = "succeeded",
        /// It did not.
        Failed = "failed",
        /// The guard held it back.
        Blocked = "blocked",
        /// It was not run.
        Skipped = "skipped",
        /// It has begun; its end is not known yet.
        InFlight = "in-flight",
        /// It ended, nobody can say how.
        Unknown = "unknown",
    }
}

/// The three identities of an action, from narrow to wide; SHA-256 of canonical forms in which
/// secrets are masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ActionKeys {
    /// Command, directory and file scope.
    pub exact: Digest,
    /// Program, sub-command and targets without volatile operands.
    pub shape: Digest,
    /// Program and sub-command.
    pub family: Digest,
}

/// A file in an action's scope, with its content at that time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileState {
    /// The path, relative to the project where one was found.
    pub path: CleanText,
    /// Keyed digest of the content; none where there was no readable file.
    pub content: Option<Digest>,
    /// Whether the action did not name it but its error did.
    pub named_by_error: bool,
}

/// One use of a tool.
///
/// ```
/// fn fail(event: &mut precedent_core::ToolEvent) {
///     event.error = Some(precedent_core::Redactor::new().clean("raw"));
/// }
/// ```
///
/// ```compile_fail
/// fn fail(event: &mut precedent_core::ToolEvent) {
///     event.error = Some(String::from("raw"));
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolEvent {
    /// The id.
    pub id: EventId,
    /// Where it was observed.
    pub namespace: Namespace,
    /// The agent that acted.
    pub agent: Name,
    /// Whether only `agent` may see it.
    pub private: bool,
    /// The session, as the host names it.
    pub session: Option<CleanText>,
    /// The host, such as `claude-code`.
    pub host: Option<Name>,
    /// The tool, as the host names it.
    pub tool: CleanText,
    /// The identities of the action.
    pub keys: ActionKeys,
    /// Keyed digest of the secrets in the action, if it had any: a new credential is a new attempt.
    pub credential: Option<Digest>,
    /// Keys under which it is found beside its identities, in the manner of rules' keys.
    pub lookup: Vec<CleanText>,
    /// The command or input, redacted.
    pub command: CleanText,
    /// The working directory.
    pub cwd: Option<CleanText>,
    /// The project: nearest ancestor under version control, else the working directory.
    pub project: Option<CleanText>,
    /// Files in scope.
    pub files: Vec<FileState>,
    /// How it ended.
    pub outcome: Outcome,
    /// What it said when it failed.
    pub error: Option<CleanText>,
    /// The end of what it printed.
    pub output: Option<CleanText>,
    /// Keyed digest of the raw input.
    pub input_digest: Option<Digest>,
    /// Keyed digest of the raw output.
    pub output_digest: Option<Digest>,
    /// Exit status, where the tool has one.
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// The guard decision that it answers.
    pub receipt: Option<ReceiptId>,
    /// When it ended; the store may move it forward to keep the log monotone.
    pub at: Timestamp,
}

impl ToolEvent {
    /// Returns the agent whose alone it is, if it is private.
    pub fn owner(&self) -> Option<&Name> {
        self.private.then_some(&self.agent)
    }
}
