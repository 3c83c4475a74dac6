//! The linear hash chain and its verifier: pure functions over stored rows.
//!
//! An entry's hash is its RFC 6962 leaf, and each entry carries its predecessor's. What a chain
//! with its head row cannot show by itself is a suffix rewritten together with the head, or an
//! older copy of the whole log: that takes a
//! [`Head`](precedent_core::audit::Head) kept elsewhere, given as an anchor.

mod report;
mod scan;
mod verify;

pub use report::{Column, Finding, FindingKind, MAX_FINDINGS, Report};
pub use verify::{Mode, StoredEntry, Verifier, compare_columns, verify};

/// The `op` of entry 0.
pub const GENESIS_OP: &str = "log.genesis";

#[cfg(test)]
mod tests;
