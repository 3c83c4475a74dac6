//! What a store tells the audit sink, and what the sink gives back: the store needs no crypto.

use precedent_redact::CleanText;
use serde::Serialize;

use crate::text_enum::text_enum;
use crate::{
    CertificateId, ContradictionId, Decision, Digest, EntityId, EventId, Header, Kind, MemoryId,
    Name, Namespace, Outcome, ReceiptId, RuleId, State, StoreId, Timestamp, Verdict,
};

text_enum! {
    /// The operation that an audit entry records.
    pub enum Op as "audit operation" {
        /// The log begins.
        Genesis = "log.genesis",
        /// A memory was written.
        Write = "write",
        /// A memory was replaced.
        Supersede = "supersede",
        /// A candidate repeated a memory that is there already.
        Deduplicate = "dedupe",
        /// A stored candidate says almost the same as a memory that is there already.
        NearDuplicate = "near-duplicate",
        /// A candidate was refused.
        Reject = "reject",
        /// A memory was found to contradict another.
        Dispute = "dispute",
        /// A contradiction was resolved.
        Resolve = "resolve",
        /// A memory was hidden, to be restored when wanted.
        Retire = "retire",
        /// A memory was brought back.
        Restore = "restore",
        /// What holds under a key was put back to an earlier state.
        Revert = "revert",
        /// A memory was held back.
        Quarantine = "quarantine",
        /// Somebody vouched for a memory that was held back.
        Promote = "promote",
        /// An entity, or a name of it, was recorded.
        Entity = "entity",
        /// A tool event was recorded.
        Observe = "observe",
        /// A rule was recorded.
        Rule = "rule",
        /// The guard allowed.
        GuardAllow = "guard.allow",
        /// The guard warned.
        GuardWarn = "guard.warn",
        /// The guard blocked.
        GuardBlock = "guard.block",
        /// Memories were erased.
        Forget = "forget",
        /// The erased was removed from the files as well.
        ForgetSanitised = "forget.sanitised",
        /// Indexes were rebuilt.
        Reindex = "reindex",
    }
}

text_enum! {
    /// How an operation ended.
    pub enum FactResult as "audit result" {
        /// It was done.
        Ok = "ok",
        /// It was refused.
        Denied = "denied",
        /// It failed.
        Error = "error",
    }
}

text_enum! {
    /// Why a candidate was not stored, or not as it was meant.
    pub enum Reason as "reason" {
        /// It repeats a memory word for word.
        ExactRepeat = "exact-repeat",
        /// It states what a memory states already.
        SameClaim = "same-claim",
        /// It says almost the same as a memory.
        NearDuplicate = "near-duplicate",
        /// It is recalled text that came back.
        Echo = "echo",
        /// It says too little.
        LowInformation = "low-information-fact",
        /// There were more candidates than the request admits.
        MaxFactsCap = "max-facts-cap",
        /// The verifier did not confirm it.
        FailedVerification = "failed-verification",
        /// The language model could not be asked.
        LlmUnavailable = "llm-unavailable",
        /// It exceeds a bound on texts, tags or context.
        TooLarge = "too-large",
        /// It cannot be stored as it stands.
        Malformed = "malformed",
        /// It was erased before.
        Erased = "erased",
        /// It names entities that others are changing at the moment.
        EntityConflict = "entity-conflict",
        /// The embedder failed; the memory is stored without a vector.
        EmbedderFailed = "embedder-failed",
    }
}

/// What an entry's `detail` says: a closed set, with no free text and no content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing more.
    None,
    /// The kind of a written memory, where it stands, and whether it waits for a vector.
    Written {
        /// Its kind.
        kind: Kind,
        /// Where it stands.
        state: State,
        /// Whether it has no vector yet.
        pending_vector: bool,
    },
    /// The replacement of a superseded memory.
    SupersededBy(MemoryId),
    /// A change of standing.
    Moved {
        /// Where the memory stood.
        from: State,
        /// Where it stands.
        to: State,
    },
    /// A contradiction, and the verdict that resolved it.
    Contradiction(ContradictionId, Option<Verdict>),
    /// An entity.
    Entity(EntityId),
    /// Why a candidate was not stored, and the memory that it repeats, if it does.
    Reason(Reason, Option<MemoryId>),
    /// A tool event.
    Event {
        /// Its id.
        event: EventId,
        /// How it ended.
        outcome: Outcome,
        /// The receipt that it closed.
        receipt: Option<ReceiptId>,
    },
    /// A rule.
    Rule(RuleId),
    /// A guard decision.
    Guard {
        /// Its receipt.
        receipt: ReceiptId,
        /// The verdict.
        decision: Decision,
        /// Risk in thousandths.
        risk_permille: u16,
    },
    /// An erasure.
    Erased(Box<Erased>),
    /// The second stage of an erasure.
    Sanitised(Box<Sanitised>),
    /// Rebuilt indexes: how many memories they cover.
    Reindexed(u64),
}

/// What an erasure removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erased {
    /// The certificate to sign.
    pub certificate: CertificateId,
    /// The memories that were named, sorted by id bytes.
    pub memories: Vec<MemoryId>,
    /// Rules and other records that went with them, sorted by id bytes.
    pub derived: Vec<RuleId>,
    /// How many vectors went.
    pub vectors: u64,
    /// How many postings of the lexical lane went.
    pub postings: u64,
    /// The ground.
    pub reason: Option<CleanText>,
}

/// What a physical clean-up did, for one first-stage certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sanitised {
    /// The certificate to sign.
    pub certificate: CertificateId,
    /// The envelope of the stage before.
    pub previous: Vec<u8>,
    /// The procedure, such as `sqlite/v1`.
    pub procedure: &'static str,
    /// Its steps, in order, each with whether it succeeded.
    pub steps: Vec<(&'static str, bool)>,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// The check that nothing was left.
    pub residue: Residue,
}

/// The outcome of looking for what an erasure left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residue {
    /// How it was looked for, such as `structure/v1`.
    pub method: &'static str,
    /// How many files were looked at.
    pub files_scanned: u64,
    /// How many traces were found.
    pub hits: u64,
    /// Bytes on free pages.
    pub freelist_bytes: u64,
    /// Bytes in the write-ahead log.
    pub wal_bytes: u64,
}

/// One thing that happened, ready to become one audit entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What was done.
    pub op: Op,
    /// With what result.
    pub result: FactResult,
    /// Where.
    pub namespace: Namespace,
    /// To which memory.
    pub memory: Option<MemoryId>,
    /// What else is to be said.
    pub detail: Detail,
}

/// The end of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Head {
    /// How many entries there are.
    pub size: u64,
    /// The hash of the last entry.
    pub hash: Digest,
    /// The time of the last entry.
    pub at: Timestamp,
}

/// The store that a certificate speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackendBlock {
    /// Its kind, such as `sqlite`.
    pub kind: &'static str,
    /// The version of its engine.
    pub engine_version: CleanText,
    /// Its id.
    pub store_id: Option<StoreId>,
    /// Its schema version.
    pub schema_version: u32,
}

/// What the sink seals, in one call.
#[derive(Clone, Copy, Debug)]
pub struct SealRequest<'a> {
    /// The true head before; none for an empty log.
    pub head: Option<&'a Head>,
    /// Who, when, what for.
    pub header: &'a Header,
    /// What happened, in order.
    pub facts: &'a [Fact],
    /// Where it happened.
    pub backend: &'a BackendBlock,
}

/// One sealed audit entry: the bytes are the authority, the other fields a projection of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedEntry {
    /// Its sequence number, from 0 without a gap.
    pub seq: u64,
    /// Its canonical bytes.
    pub bytes: Vec<u8>,
    /// SHA-256 of a zero byte and the canonical bytes.
    pub leaf: Digest,
    /// The operation.
    pub op: Op,
    /// The result.
    pub result: FactResult,
    /// The memory.
    pub memory: Option<MemoryId>,
    /// The namespace; empty for the log's own entries.
    pub namespace: String,
    /// The actor's pseudonym.
    pub actor: String,
    /// The time.
    pub at: Timestamp,
}

text_enum! {
    /// How far an erasure has come.
    pub enum Stage as "certificate stage" {
        /// The rows are gone and no interface returns them.
        Logical = "logical",
        /// The bytes are gone from the store's files as well.
        Sanitised = "sanitised",
    }
}

/// A signed certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedCertificate {
    /// Its id.
    pub id: CertificateId,
    /// Its stage.
    pub stage: Stage,
    /// SHA-256 of its payload.
    pub payload_sha256: Digest,
    /// The DSSE envelope, as JSON text.
    pub envelope: Vec<u8>,
    /// The sequence number of the audit entry that names it.
    pub seq: u64,
}

/// What the sink made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The entries to append, `log.genesis` first where the log was empty.
    pub entries: Vec<SealedEntry>,
    /// The head after them.
    pub head: Head,
    /// The certificates to keep.
    pub certificates: Vec<SealedCertificate>,
    /// The instant to write as `recorded_at`: the later of the commit's and the head's.
    pub recorded_at: Timestamp,
}

/// Why the sink refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// An entry would exceed the format's limits.
    #[error("an audit entry would exceed {limit} bytes; split the request")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A value has no canonical form.
    #[error("a value has no canonical form: {what}")]
    NotCanonical {
        /// Which value.
        what: &'static str,
    },
    /// The log would pass the last sequence number of the format.
    #[error("the audit log is full")]
    Exhausted,
}

/// Seals facts into audit entries; synchronous and pure, called inside the store's atomic section.
pub trait AuditSink: Send + Sync {
    /// Seals `request.facts` after `request.head`.
    ///
    /// The answer depends on the request and on the sink's keys alone, so that the same commits
    /// give the same head on every backend.
    ///
    /// # Errors
    /// [`SealError`]; the store then writes nothing.
    fn seal(&self, request: &SealRequest<'_>) -> Result<Sealed, SealError>;

    /// Returns the ids of the keys in use; a store refuses writes under other keys than its own.
    fn key_ids(&self) -> Vec<String>;

    /// Returns the actor's name as the log shows it.
    fn pseudonym(&self, actor: &Name) -> String;
}
