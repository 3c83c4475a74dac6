//! The unit of work: a value that a store applies whole or not at all.

use precedent_redact::CleanText;
use serde::Serialize;

use crate::audit::{Fact, FactResult, Head, Op};
use crate::{
    CertificateId, CommitId, Digest, Memory, MemoryId, Name, Namespace, Receipt, ReceiptId, Rule,
    Timestamp, ToolEvent,
};

/// Who asks, for what, and when: the part of a commit that every audit entry repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The commit's id; the same id means the same request.
    pub id: CommitId,
    /// When the request was made.
    pub at: Timestamp,
    /// On whose behalf.
    pub actor: Name,
    /// By which agent.
    pub agent: Name,
    /// Where the requester stands.
    pub namespace: Namespace,
    /// What for, such as `assist`.
    pub purpose: Name,
}

/// When a commit may be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// After it survives a power cut.
    #[default]
    Full,
    /// After it is visible; it may be lost by a power cut, never torn. For receipts of plain
    /// allow verdicts only.
    Deferred,
}

/// A precondition, checked inside the atomic section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// No memory has this id, and no tombstone.
    Absent(MemoryId),
    /// The memory is at this version.
    Version(MemoryId, u64),
    /// No live memory of this namespace and owner has this content digest.
    NoDuplicate {
        /// Where.
        namespace: Namespace,
        /// Whose, for private memories.
        owner: Option<Name>,
        /// The keyed digest of the normalised content.
        digest: Digest,
    },
    /// The log's head hash is this.
    Head(Digest),
    /// The receipt exists, is of this agent and is not closed yet.
    ReceiptOpen(ReceiptId, Name),
}

/// A memory to be written, with what its indexes need.
#[derive(Clone, Debug, PartialEq)]
pub struct PutMemory {
    /// The memory; the store sets `recorded_at` and `version`.
    pub memory: Memory,
    /// Its unit vector in the store's embedding space; none leaves it lexically recallable only.
    pub vector: Option<Vec<f32>>,
    /// Keyed digest of the normalised content, for finding exact repeats.
    pub digest: Digest,
}

/// An erasure, resolved inside the atomic section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// The id of the certificate's first stage.
    pub certificate: CertificateId,
    /// The memories to erase; ids outside `within` count as not found.
    pub memories: Vec<MemoryId>,
    /// The requester's subtree: this namespace and its descendants.
    pub within: Namespace,
    /// The legal or other ground, such as `gdpr.art17.1.b`; never content.
    pub reason: Option<CleanText>,
}

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Writes a memory.
    Put(Box<PutMemory>),
    /// Marks `old` as replaced by `new`, which an earlier change of this commit wrote.
    Supersede {
        /// The replaced memory.
        old: MemoryId,
        /// Its replacement.
        new: MemoryId,
    },
    /// Writes a tool event, and closes its receipt if it names one.
    Event(Box<ToolEvent>),
    /// Writes a rule.
    Rule(Box<Rule>),
    /// Writes a guard decision.
    Receipt(Box<Receipt>),
    /// Erases memories, physically in the store's live structures, and leaves tombstones.
    Erase(Erasure),
    /// Changes nothing but tells the log what came of a candidate.
    Note(Fact),
}

/// A unit of work.
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    /// Who, when, what for.
    pub header: Header,
    /// When to answer.
    pub durability: Durability,
    /// Keyed digest of the request, to tell a replay from a reused id.
    pub request: Digest,
    /// What must hold.
    pub expects: Vec<Expect>,
    /// What changes, in order.
    pub changes: Vec<Change>,
}

/// One line of a commit's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommittedFact {
    /// The sequence number of its audit entry.
    pub seq: u64,
    /// What was done.
    pub op: Op,
    /// With what result.
    pub result: FactResult,
    /// To which memory.
    pub memory: Option<MemoryId>,
    /// Whether that memory has been erased since; only a replay can tell.
    pub erased: bool,
}

/// What a store answers after a commit is durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The commit.
    pub id: CommitId,
    /// The instant the store recorded.
    pub recorded_at: Timestamp,
    /// The log's head after it.
    pub head: Head,
    /// One line for each audit entry, in order, `log.genesis` left out.
    pub facts: Vec<CommittedFact>,
    /// Certificates that it signed.
    pub certificates: Vec<CertificateId>,
    /// Whether the answer was rebuilt from an earlier identical request.
    pub replayed: bool,
}
