//! What is known about an action: the input of the decision, free of I/O.

use precedent_core::{CleanText, EventId, MemoryId, Name, RecallError, RuleId};

/// How an earlier failure of the same action stands today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing relevant has changed.
    Stands,
    /// It is older than the window in which failures count.
    Decayed,
    /// Files of the project were edited since, though none that the failure names.
    EditedSince(EventId),
    /// Its error tells of a passing state of the network.
    Transient,
    /// The same action succeeded later.
    SucceededSince(EventId),
    /// A file in its scope, or named in its error, has other content now.
    FileChanged(CleanText),
    /// The remedy that its error names succeeded since.
    RemedySucceeded(EventId),
    /// The action carries another credential.
    CredentialChanged,
    /// A variable or user that both name differs.
    EnvironmentChanged,
    /// Both name files, and different ones.
    ScopeChanged,
}

impl Standing {
    /// Returns the event that changed how the failure stands, if it was one.
    pub fn event(&self) -> Option<EventId> {
        match self {
            Self::SucceededSince(event)
            | Self::RemedySucceeded(event)
            | Self::EditedSince(event) => Some(*event),
            _ => None,
        }
    }
}

/// An earlier failure of the very same action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The failures, newest first.
    pub failures: Vec<EventId>,
    /// What the newest said.
    pub error: Option<CleanText>,
    /// How it stands.
    pub standing: Standing,
}

/// A failure of a similar action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The failure.
    pub event: EventId,
    /// What was run.
    pub command: CleanText,
    /// What it said.
    pub error: Option<CleanText>,
    /// Whether program, sub-command and targets agree, not only program and sub-command.
    pub same_shape: bool,
    /// The error without its numbers: what tells whether variants fail for the same cause.
    pub cause: CleanText,
}

/// What a rule says of the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleStanding {
    /// The action is forbidden.
    Forbidden,
    /// These prerequisites have not succeeded since the rule was given.
    Missing(Vec<CleanText>),
    /// Every prerequisite has; the events that show it.
    Satisfied(Vec<EventId>),
    /// Another action is wanted.
    Discouraged(CleanText),
}

/// A rule that is about the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFinding {
    /// The rule.
    pub rule: RuleId,
    /// The memory that holds its text.
    pub memory: MemoryId,
    /// Its text.
    pub text: CleanText,
    /// What it says.
    pub standing: RuleStanding,
}

/// Two rules about the action that cannot both be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// One memory.
    pub one: MemoryId,
    /// The other.
    pub other: MemoryId,
}

/// A memory that was recalled for the action and may speak about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevant {
    /// The memory.
    pub memory: MemoryId,
    /// Its text.
    pub text: CleanText,
    /// Who told it.
    pub actor: Name,
}

/// Something that should have been looked at and could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Degraded {
    /// A recall lane.
    Lane(RecallError),
    /// The history, the rules or the memories behind them.
    Store(&'static str),
}

/// Everything that the decision rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Whether the action only reads.
    pub read_only: bool,
    /// Whether the action repairs the memory itself, and so may run when it is degraded.
    pub repairs: bool,
    /// Earlier failures of the very same action.
    pub repeat: Option<Repeat>,
    /// Failures of similar actions that nothing has cleared.
    pub near: Vec<Near>,
    /// Rules about the action.
    pub rules: Vec<RuleFinding>,
    /// Rules about the action that contradict each other.
    pub conflicts: Vec<Conflict>,
    /// Memories that warn of something the action touches.
    pub risks: Vec<Relevant>,
    /// What could not be looked at.
    pub degraded: Vec<Degraded>,
}
