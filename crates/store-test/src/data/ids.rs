//! Ids by number: alike on every run, and in the order of their numbers.

use precedent_core::{
    CertificateId, CommitId, ContradictionId, EntityId, EventId, MemoryId, ReceiptId, RuleId,
};

use super::START_MS;

/// Sixteen bytes that are alike for the same numbers; ids of one family sort by `n`.
fn bytes(family: u8, n: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    // A ULID of the suite's start: its first 48 bits are milliseconds.
    bytes[..6].copy_from_slice(&START_MS.to_be_bytes()[2..]);
    bytes[6] = family;
    bytes[8..].copy_from_slice(&n.to_be_bytes());
    bytes
}

/// The memory id number `n`.
pub fn memory_id(n: u64) -> MemoryId {
    MemoryId::from_bytes(bytes(1, n))
}

/// The event id number `n`.
pub fn event_id(n: u64) -> EventId {
    EventId::from_bytes(bytes(2, n))
}

/// The rule id number `n`.
pub fn rule_id(n: u64) -> RuleId {
    RuleId::from_bytes(bytes(3, n))
}

/// The receipt id number `n`.
pub fn receipt_id(n: u64) -> ReceiptId {
    ReceiptId::from_bytes(bytes(4, n))
}

/// The commit id number `n`.
pub fn commit_id(n: u64) -> CommitId {
    CommitId::from_bytes(bytes(5, n))
}

/// The certificate id number `n`.
pub fn certificate_id(n: u64) -> CertificateId {
    CertificateId::from_bytes(bytes(6, n))
}

/// The entity id number `n`.
pub fn entity_id(n: u64) -> EntityId {
    EntityId::from_bytes(bytes(7, n))
}

/// The contradiction id number `n`.
pub fn contradiction_id(n: u64) -> ContradictionId {
    ContradictionId::from_bytes(bytes(8, n))
}
