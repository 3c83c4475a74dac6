//! Contradictions: two memories that cannot both hold, and what became of it.

use serde::Serialize;

use crate::text_enum::text_enum;
use crate::{ContradictionId, MemoryId, Scope, Timestamp};

text_enum! {
    /// What a contradiction was seen by.
    pub enum Basis as "basis" {
        /// Two values under one subject and key.
        Claim = "claim",
        /// Two rules about the same action.
        Rule = "rule",
        /// Somebody said so.
        Told = "told",
    }
}

text_enum! {
    /// How a contradiction was resolved.
    pub enum Verdict as "verdict" {
        /// A person decided.
        Person = "person",
        /// The newer of two sources of equal or higher trust holds.
        NewerTrusted = "newer-trusted",
        /// A configured model decided.
        Model = "model",
        /// Both hold, each under its own conditions.
        ContextDependent = "context-dependent",
    }
}

/// How a contradiction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Resolution {
    /// The memory that holds; none where both do.
    pub kept: Option<MemoryId>,
    /// Who or what decided.
    pub verdict: Verdict,
    /// When; the store sets this.
    pub at: Timestamp,
}

/// Two memories that contradict each other; seen by those who see both, erased with either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The id.
    pub id: ContradictionId,
    /// The memories, the older first.
    pub between: [MemoryId; 2],
    /// What it was seen by.
    pub basis: Basis,
    /// When it was recorded; the store sets this.
    pub opened_at: Timestamp,
    /// How it ended.
    pub resolution: Option<Resolution>,
}

/// Asks for contradictions, by id.
#[derive(Clone, Debug)]
pub struct ContradictionQuery {
    /// Who asks.
    pub scope: Scope,
    /// Only those that this memory is part of.
    pub memory: Option<MemoryId>,
    /// Only those that are not resolved.
    pub open: bool,
    /// Only ids above this one, for paging.
    pub after: Option<ContradictionId>,
    /// How many at most.
    pub limit: usize,
}
