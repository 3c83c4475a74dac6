//! Everything a [`MemStore`](crate::MemStore) holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analyze::Chunk;
use crate::audit::{Head, SealedCertificate, SealedEntry};
use crate::{
    CertificateId, CommitId, Contradiction, ContradictionId, Digest, Entity, EntityId, EventId,
    Memory, MemoryId, RecallError, Receipt, ReceiptId, Revision, Rule, RuleId, StoreError,
    StoreErrorKind, Timestamp, ToolEvent,
};

/// Refuses a commit.
pub(super) fn refuse(kind: StoreErrorKind) -> StoreError {
    StoreError::new(kind, "committing")
}

/// A memory with its index entries.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) memory: Memory,
    pub(super) vector: Option<Vec<f32>>,
    pub(super) digest: Digest,
    pub(super) echo: Digest,
    /// How it stood before, oldest first.
    pub(super) past: Vec<Revision>,
    /// When its present standing began.
    pub(super) since: Timestamp,
    pub(super) chunks: Vec<Chunk>,
}

/// What is kept of a commit, to answer its replay.
#[derive(Clone, Debug)]
pub(super) struct CommitRow {
    pub(super) request: Option<Digest>,
    pub(super) recorded_at: Timestamp,
    pub(super) first_seq: u64,
    pub(super) count: u64,
}

/// The whole store; values are shared between copies.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) memories: BTreeMap<MemoryId, Arc<Record>>,
    pub(super) tombstones: BTreeMap<MemoryId, CertificateId>,
    pub(super) events: BTreeMap<EventId, Arc<ToolEvent>>,
    pub(super) rules: BTreeMap<RuleId, Arc<Rule>>,
    pub(super) entities: BTreeMap<EntityId, Arc<Entity>>,
    pub(super) contradictions: BTreeMap<ContradictionId, Contradiction>,
    pub(super) receipts: BTreeMap<ReceiptId, Arc<Receipt>>,
    pub(super) certificates: Vec<SealedCertificate>,
    pub(super) commits: BTreeMap<CommitId, CommitRow>,
    pub(super) log: Vec<SealedEntry>,
    pub(super) head: Option<Head>,
    pub(super) key_ids: Option<Vec<String>>,
    pub(super) faults: Vec<RecallError>,
}

impl Record {
    /// Returns the memory's life, the present stretch last.
    pub(super) fn revisions(&self) -> Vec<Revision> {
        let mut revisions = self.past.clone();
        revisions.push(Revision {
            version: self.memory.version,
            since: self.since,
            standing: self.memory.standing(),
        });
        revisions
    }

    /// Returns the memory as it stood at an instant of the store's clock, if it was there.
    pub(super) fn as_known(&self, at: Option<Timestamp>) -> Option<Memory> {
        let mut memory = self.memory.clone();
        let Some(at) = at else {
            return Some(memory);
        };
        let then = *self.revisions().iter().rfind(|past| past.since <= at)?;
        if then.version != memory.version {
            memory.stand(then.standing, then.since);
            memory.version = then.version;
        }
        Some(memory)
    }
}
