//! The linear hash chain and its verifier: pure functions over stored rows.
//!
//! An entry's hash is its RFC 6962 leaf, and each entry carries its predecessor's. What a chain
//! with its head row cannot show by itself is a suffix rewritten together with the head, or an
//! older copy of the whole log: that takes a [`Head`] kept elsewhere, given as an anchor.

mod report;
mod scan;
mod verify;

use crate::hash::Hash;

pub use report::{Column, Finding, FindingKind, MAX_FINDINGS, Report};
pub use verify::{Mode, Projection, StoredEntry, Verifier, compare_projection, verify};

/// The `op` of entry 0.
pub const GENESIS_OP: &str = "log.genesis";

/// The log's length and the hash of its last entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Head {
    /// How many entries the log has; also the next entry's `seq`.
    pub size: u64,
    /// The last entry's hash; absent while the log is empty.
    pub hash: Option<Hash>,
}

#[cfg(test)]
mod tests;
