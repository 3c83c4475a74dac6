//! The unit of work: a value that a store applies whole or not at all.

use precedent_redact::CleanText;
use serde::Serialize;

use crate::audit::{Fact, FactResult, Head, Op};
use crate::{
    Alias, Audience, CertificateId, CommitId, Contradiction, ContradictionId, Digest, Entity,
    EntityId, Memory, MemoryId, Name, Namespace, Receipt, ReceiptId, Resolution, Rule, Timestamp,
    ToolEvent, Topic, Transition,
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
    /// No memory in force of this place has this content digest.
    NoDuplicate {
        /// Where.
        place: Place,
        /// The keyed digest of the normalised content.
        digest: Digest,
    },
    /// The memories in force of this place that state something under this topic are these,
    /// sorted.
    Holding {
        /// Where.
        place: Place,
        /// The subject and the key.
        topic: Topic,
        /// The memories.
        memories: Vec<MemoryId>,
    },
    /// The log's head hash is this.
    Head(Digest),
    /// The receipt exists, is of this agent and is not closed yet.
    ReceiptOpen(ReceiptId, Name),
}

/// Whom records are for, by value: see [`Audience`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The namespace.
    pub namespace: Namespace,
    /// Whose, for private records.
    pub owner: Option<Name>,
    /// The access list, sorted.
    pub readers: Vec<Name>,
}

impl Place {
    /// Returns it by reference.
    pub fn audience(&self) -> Audience<'_> {
        Audience {
            namespace: &self.namespace,
            owner: self.owner.as_ref(),
            readers: &self.readers,
        }
    }
}

impl From<Audience<'_>> for Place {
    fn from(audience: Audience<'_>) -> Self {
        Self {
            namespace: audience.namespace.clone(),
            owner: audience.owner.cloned(),
            readers: audience.readers.to_vec(),
        }
    }
}

/// A memory to be written, with what its indexes need.
#[derive(Clone, Debug, PartialEq)]
pub struct PutMemory {
    /// The memory; the store sets `recorded_at` and `version`.
    pub memory: Memory,
    /// Its unit vector in the store's embedding space; none leaves it lexically recallable only.
    pub vector: Option<Vec<f32>>,
    /// Keyed digest of the normalised content and its standing, for finding exact repeats.
    pub digest: Digest,
    /// Keyed digest of the normalised text alone, for recognising it when it comes back.
    pub echo: Digest,
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
        /// When the old one ceased to hold; an earlier end that it has already stays.
        ends: Timestamp,
    },
    /// Changes where a memory stands.
    Transition(Transition),
    /// Records an entity, none of whose names may be taken in its audience.
    Entity(Box<Entity>),
    /// Adds a name to an entity, or marks it as registered; it must not name another one.
    Alias {
        /// The entity.
        entity: EntityId,
        /// The name.
        alias: Alias,
    },
    /// Records a contradiction between two memories that exist.
    Contradict(Contradiction),
    /// Resolves a contradiction that is open.
    Resolve {
        /// The contradiction.
        contradiction: ContradictionId,
        /// How.
        resolution: Resolution,
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
