//! Where a memory stands, and how it came there: the part of a record that changes.

use serde::Serialize;

use crate::audit::Op;
use crate::{MemoryId, State, Timestamp};

/// What can change of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Where it stands in its life.
    pub state: State,
    /// When it ceases to hold.
    pub valid_to: Option<Timestamp>,
    /// The memory that replaces it.
    pub superseded_by: Option<MemoryId>,
}

/// One stretch of a memory's life; it ends where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Revision {
    /// The record's version, from 1.
    pub version: u64,
    /// When the store recorded it.
    pub since: Timestamp,
    /// Where the memory stood.
    pub standing: Standing,
}

/// A change of standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Whose.
    pub memory: MemoryId,
    /// As what the log records it.
    pub op: Op,
    /// Where it stands from now on.
    pub to: Standing,
}

impl State {
    /// Tells whether a memory in this state counts for repeats, replacements and recall.
    pub const fn is_in_force(self) -> bool {
        matches!(self, Self::Active | Self::Disputed | Self::ContextDependent)
    }
}
