//! The storage contract: what every backend promises, and all that it has to implement.

use std::sync::Arc;

use async_trait::async_trait;
use precedent_redact::CleanText;
use serde::Serialize;

use crate::audit::{BackendBlock, Head, SealedCertificate, SealedEntry};
use crate::{
    AuditSink, CertificateId, Commit, Committed, Contradiction, ContradictionQuery, Digest,
    EmbeddingSpace, Entity, EntityId, EntityQuery, EventId, Header, Kind, Memory, MemoryId,
    Namespace, Outcome, RecallError, Receipt, ReceiptId, Revision, Rule, Scope, State, StoreError,
    Timestamp, ToolEvent, Topic,
};

/// How much of a commit survives what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DurabilityLevel {
    /// Nothing outlives the process.
    Memory,
    /// A crash of the process.
    ProcessCrash,
    /// A power cut.
    PowerLoss,
}

/// How far an erasure reaches at best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErasureScope {
    /// No interface returns the erased.
    Logical,
    /// The store's files hold nothing of the erased after a purge.
    Files,
}

/// What a backend can do; flat, and true as it stands rather than as it could be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// What a durable commit survives.
    pub durability: DurabilityLevel,
    /// How far an erasure reaches.
    pub erasure: ErasureScope,
    /// Whether several processes may write at once.
    pub multi_process: bool,
    /// Whether the vector lane returns the exact nearest neighbours.
    pub exact_vectors: bool,
    /// The most changes that one commit may have, if there is a limit.
    pub max_changes_per_commit: Option<u32>,
}

/// Asks for memories by attributes, oldest id first. What is set must hold.
#[derive(Clone, Debug)]
pub struct MemoryQuery {
    /// Who asks.
    pub scope: Scope,
    /// Only memories in force, of the scope's own namespace, that have this content digest.
    pub digest: Option<Digest>,
    /// Only memories whose text has this digest, wherever the scope sees them and in any state.
    pub echo: Option<Digest>,
    /// Only memories that state something under this topic.
    pub topic: Option<Topic>,
    /// Only memories that mention this entity.
    pub entity: Option<EntityId>,
    /// Only memories that were made of this one.
    pub derived_from: Option<MemoryId>,
    /// States; empty means all.
    pub states: Vec<State>,
    /// Kinds; empty means all.
    pub kinds: Vec<Kind>,
    /// Only ids above this one, for paging.
    pub after: Option<MemoryId>,
    /// How many at most.
    pub limit: usize,
}

impl MemoryQuery {
    /// More than any store holds.
    pub const NO_LIMIT: usize = usize::MAX >> 1;

    /// Asks for all that a scope sees, `limit` at most.
    pub const fn all(scope: Scope, limit: usize) -> Self {
        Self {
            scope,
            digest: None,
            echo: None,
            topic: None,
            entity: None,
            derived_from: None,
            states: Vec::new(),
            kinds: Vec::new(),
            after: None,
            limit,
        }
    }
}

/// By what events are looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKey {
    /// By the exact identity.
    Exact(Digest),
    /// By the shape.
    Shape(Digest),
    /// By program and sub-command.
    Family(Digest),
    /// By a lookup key, as rules have them.
    Lookup(CleanText),
    /// By nothing: the newest.
    Any,
}

/// Asks for tool events, newest first.
#[derive(Clone, Debug)]
pub struct EventQuery {
    /// Who asks.
    pub scope: Scope,
    /// By what.
    pub key: EventKey,
    /// Outcomes; empty means all.
    pub outcomes: Vec<Outcome>,
    /// Only events at or after this instant.
    pub since: Option<Timestamp>,
    /// How many at most.
    pub limit: usize,
}

/// Asks for rules.
#[derive(Clone, Debug)]
pub struct RuleQuery {
    /// Who asks.
    pub scope: Scope,
    /// Only rules that have one of these keys; none means all rules.
    pub keys: Option<Vec<CleanText>>,
    /// How many at most.
    pub limit: usize,
}

/// Asks for guard decisions, newest first.
#[derive(Clone, Debug)]
pub enum ReceiptQuery {
    /// The one with this id.
    Id(Scope, ReceiptId),
    /// Those of the host's tool use.
    ToolUse(Scope, CleanText),
}

/// Asks for certificates, in the order of their audit entries.
#[derive(Clone, Debug)]
pub enum CertificateQuery {
    /// The one with this id.
    Id(CertificateId),
    /// Those that tell of this memory's erasure.
    Memory(MemoryId),
    /// All of them.
    All,
}

/// A stretch of the audit log.
#[derive(Clone, Debug)]
pub struct AuditPage {
    /// Entries as they are stored, in order.
    pub entries: Vec<SealedEntry>,
    /// The head as it is stored.
    pub head: Option<Head>,
}

/// What one kind holds, over all namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct KindCounts {
    /// The kind.
    pub kind: Kind,
    /// Memories that are not erased.
    pub memories: u64,
    /// Memories with a vector.
    pub vectors: u64,
    /// Chunks in the lexical index.
    pub chunks: u64,
}

/// A namespace and what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamespaceCount {
    /// The namespace.
    pub namespace: Namespace,
    /// Its memories in force.
    pub in_force: u64,
    /// Its memories that are not erased.
    pub memories: u64,
}

/// What a store says of itself.
#[derive(Clone, Debug)]
pub struct StoreStatus {
    /// Engine, schema, id.
    pub backend: BackendBlock,
    /// Counts a kind.
    pub kinds: Vec<KindCounts>,
    /// Tool events.
    pub events: u64,
    /// Rules.
    pub rules: u64,
    /// Entities.
    pub entities: u64,
    /// Contradictions that are not resolved.
    pub contradictions: u64,
    /// Tombstones of erased memories.
    pub tombstones: u64,
    /// Erasures whose second stage is due.
    pub pending_sanitisation: u64,
    /// The end of the log.
    pub head: Option<Head>,
    /// The embedding space that the vectors are of.
    pub space: Option<EmbeddingSpace>,
    /// Lanes whose index does not hold what the records say.
    pub faults: Vec<RecallError>,
}

/// What maintenance is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaintainTask {
    /// Remove the erased from the files and seal the second stage of each certificate that waits.
    Purge,
    /// Rebuild the lexical and vector indexes from the records.
    Reindex,
}

/// A maintenance request.
#[derive(Clone, Debug)]
pub struct Maintain {
    /// What to do.
    pub task: MaintainTask,
    /// Who, when, what for.
    pub header: Header,
    /// The id of the first certificate that the task may need; further ones count up from it.
    pub certificate: CertificateId,
}

/// A step of maintenance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MaintainStep {
    /// Its name.
    pub name: &'static str,
    /// Whether it did all that it should.
    pub ok: bool,
}

/// What maintenance did.
#[derive(Clone, Debug)]
pub struct MaintainReport {
    /// Its steps, in order.
    pub steps: Vec<MaintainStep>,
    /// Second-stage certificates that it signed.
    pub certificates: Vec<CertificateId>,
    /// Whether something stood in the way and the task has to be run again.
    pub pending: bool,
    /// The log's head afterwards.
    pub head: Option<Head>,
}

/// A store of memories, events, rules, receipts, certificates and the audit log.
///
/// There is no transaction to hold: the unit of work is a [`Commit`]. Reads see whole commits
/// only, never a part of one, before or after a crash.
#[async_trait]
pub trait Store: Send + Sync {
    /// Returns what this backend can do.
    fn capabilities(&self) -> Capabilities;

    /// Applies a commit: all of it or nothing.
    ///
    /// * Preconditions and erasures are resolved inside the atomic section, where `sink` seals the
    ///   facts with the true previous head. Rows, indexes, tombstones, certificates, audit entries
    ///   and head move together.
    /// * Durable when it returns, unless the commit says [`Durability::Deferred`](crate::Durability).
    /// * Idempotent by the commit's id: the same request again answers what it answered before;
    ///   another request under the same id is [`CommitReused`](crate::StoreErrorKind::CommitReused).
    ///
    /// # Errors
    /// [`StoreError`]; the store is then as it was.
    async fn commit(
        &self,
        commit: Commit,
        sink: Arc<dyn AuditSink>,
    ) -> Result<Committed, StoreError>;

    /// Runs a maintenance task; its effects on records are sealed like a commit's.
    ///
    /// # Errors
    /// [`StoreError`]; steps that were done are safe to repeat.
    async fn maintain(
        &self,
        request: Maintain,
        sink: Arc<dyn AuditSink>,
    ) -> Result<MaintainReport, StoreError>;

    /// Returns those of the memories that exist and that the scope sees, in the order of `ids`.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn memories(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError>;

    /// Returns memories by attributes.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn find_memories(&self, query: &MemoryQuery) -> Result<Vec<Memory>, StoreError>;

    /// Returns the life of a memory, oldest stretch first and the present one last; nothing for
    /// what the scope does not see.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn revisions(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Revision>, StoreError>;

    /// Returns entities of the audiences that the scope belongs to, by id.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn entities(&self, query: &EntityQuery) -> Result<Vec<Entity>, StoreError>;

    /// Returns contradictions of which the scope sees both memories, by id.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn contradictions(
        &self,
        query: &ContradictionQuery,
    ) -> Result<Vec<Contradiction>, StoreError>;

    /// Returns the namespaces from `within` downwards that hold memories, by name.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn namespaces(&self, within: &Namespace) -> Result<Vec<NamespaceCount>, StoreError>;

    /// Returns tool events, newest first; equal instants go by id, newest first.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn events(&self, query: &EventQuery) -> Result<Vec<ToolEvent>, StoreError>;

    /// Returns rules whose memory is in force and visible to the reader as well, by id.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn rules(&self, query: &RuleQuery) -> Result<Vec<Rule>, StoreError>;

    /// Returns guard decisions.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn receipts(&self, query: &ReceiptQuery) -> Result<Vec<Receipt>, StoreError>;

    /// Returns certificates.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn certificates(
        &self,
        query: &CertificateQuery,
    ) -> Result<Vec<SealedCertificate>, StoreError>;

    /// Returns at most `limit` audit entries from sequence number `from` on, and the head.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn audit_log(&self, from: u64, limit: usize) -> Result<AuditPage, StoreError>;

    /// Returns what the store says of itself; looks at every index, so it costs a scan.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    async fn status(&self) -> Result<StoreStatus, StoreError>;
}

/// A store that can be searched: what the layers above work with.
pub trait Backend: Store + crate::Recall {}

impl<T: Store + crate::Recall + ?Sized> Backend for T {}

/// An event's place in a newest-first order.
pub(crate) fn newest_first(a: (Timestamp, EventId), b: (Timestamp, EventId)) -> std::cmp::Ordering {
    b.cmp(&a)
}
