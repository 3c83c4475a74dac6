//! The payload's members. Their JSON names and order-free meaning are the format.

use serde::{Deserialize, Serialize};

use super::ids::{DerivedList, IdList};

/// The member `type` of every payload.
pub const CERTIFICATE_TYPE: &str = "agent-memory/deletion-certificate/v1";

/// The payload of a deletion certificate.
///
/// `type`, `algorithm` and `public_key` are filled in when the certificate is signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Always [`CERTIFICATE_TYPE`].
    #[serde(rename = "type")]
    pub kind: String,
    /// The certificate's own id, random.
    pub certificate_id: String,
    /// How far the erasure had come.
    pub stage: Stage,
    /// SHA-256 of the payload of the stage before, in hexadecimal; absent at the first stage.
    pub previous_certificate_sha256: Option<String>,
    /// The log in which the erasure is recorded.
    pub log_origin: String,
    /// When the erasure was asked for.
    pub requested_at: String,
    /// When it took effect.
    pub erased_at: String,
    /// Who asked: a pseudonym, or a name that the log's keeper may publish.
    pub requester: String,
    /// On what grounds; absent when none were given.
    pub authority: Option<Authority>,
    /// What was asked to be erased.
    pub target: Target,
    /// What was erased.
    pub scope: Scope,
    /// The fences against re-ingestion; absent when none were set.
    pub fence: Option<Fence>,
    /// Where it was erased.
    pub backend: Backend,
    /// How the bytes were removed; absent at the first stage.
    pub sanitisation: Option<Sanitisation>,
    /// What is claimed, one claim of each kind.
    pub claims: Vec<Claim>,
    /// Always `ed25519`.
    pub algorithm: String,
    /// The signer's SPKI DER in base64: to be compared with a key got elsewhere, never trusted.
    pub public_key: String,
}

/// How far an erasure has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Rows and indices no longer hold it.
    Logical,
    /// The store's files no longer hold its bytes.
    Sanitised,
    /// The backups that held it are past their retention.
    BackupsExpired,
}

/// The grounds of an erasure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Authority {
    /// The legal or contractual basis, such as `gdpr.art17.1.b`.
    pub basis: String,
    /// The request's reference with the keeper.
    pub request_ref: Option<String>,
    /// What was kept, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<String>,
}

/// What was asked to be erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The kind of target.
    pub kind: TargetKind,
    /// The id, pseudonym or path that selects it.
    pub value: String,
    /// The namespace from which downwards it was erased.
    pub namespace: String,
}

/// The kinds of erasure targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// Named memories.
    Memory,
    /// All that an actor wrote.
    Actor,
    /// A namespace and its descendants.
    Namespace,
    /// The ids that a query was resolved to before the erasure was confirmed.
    Query,
}

/// What was erased, by id and by count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The memories.
    pub memory_ids: IdList,
    /// What was derived from them.
    pub derived_ids: DerivedList,
    /// Usage events about them.
    pub usage_event_ids: IdList,
    /// Query traces that returned them.
    pub query_trace_ids: IdList,
    /// How many rows of each kind went.
    pub counts: Counts,
}

/// How many rows of each kind an erasure removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Memories.
    pub memories: u64,
    /// Vectors.
    pub vectors: u64,
    /// Rows of lexical indices; postings, where the index is kept by posting.
    pub fts_rows: u64,
    /// Derived records.
    pub derived: u64,
    /// Usage events.
    pub usage_events: u64,
    /// Query traces.
    pub query_traces: u64,
    /// Cache entries.
    pub cache_entries: u64,
}

/// The fences that an erasure set: how many and under which key, never their values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fence {
    /// The key's name.
    pub key_id: String,
    /// The construction, such as `hmac-sha256/agent-memory/fence/v1`.
    pub scheme: String,
    /// How many.
    pub count: u64,
}

/// The store that erased.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backend {
    /// The backend, such as `sqlite`.
    pub kind: String,
    /// The engine's version.
    pub engine_version: String,
    /// The store's own id, where it has one.
    pub store_id: Option<String>,
    /// The schema's version.
    pub schema_version: u64,
}

/// How the bytes were removed and what the check afterwards found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sanitisation {
    /// The procedure and its version, such as `sqlite/v1`.
    pub procedure: String,
    /// Its steps, in order.
    pub steps: Vec<SanitisationStep>,
    /// When it began.
    pub started_at: String,
    /// When it ended.
    pub finished_at: String,
    /// The check afterwards; absent when the store's files cannot be read.
    pub residue_check: Option<ResidueCheck>,
    /// Whether residue of times before this procedure is gone too.
    pub legacy_residue_cleared: bool,
}

/// One step of a procedure: a success flag, or the numbers that the engine returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SanitisationStep {
    /// The step's name.
    pub step: String,
    /// Whether it succeeded, where it only says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<bool>,
    /// What the engine returned, where it returns numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Vec<i64>>,
}

/// A search of the store's files for what was erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResidueCheck {
    /// The method and its version, such as `needle-scan+slack-audit/v1`.
    pub method: String,
    /// Whether a search for needles found those that it must find; without that, finding nothing
    /// proves nothing.
    pub positive_control: bool,
    /// How many needles were searched for; none by a method that looks at the files' structure.
    pub needles: u64,
    /// How many windows of bytes they make.
    pub windows: u64,
    /// How many files were searched.
    pub files_scanned: u64,
    /// How many windows were found.
    pub hits: u64,
    /// Bytes on free pages.
    pub freelist_bytes: u64,
    /// Bytes in the write-ahead log.
    pub wal_bytes: u64,
}

/// One claim and its standing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What is claimed.
    pub claim: ClaimKind,
    /// How far the claim goes.
    pub status: ClaimStatus,
    /// When a pending claim comes true at the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_after: Option<String>,
}

/// The claims that every certificate takes a stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimKind {
    /// No interface returns it.
    NotReturnedByAnyApi,
    /// No file of the store holds its bytes.
    AbsentFromDatabaseFiles,
    /// No backup holds it.
    AbsentFromBackups,
    /// The storage device does not hold it.
    AbsentFromStorageDevice,
}

impl ClaimKind {
    /// Every kind, in the order in which certificates list them.
    pub const ALL: [Self; 4] = [
        Self::NotReturnedByAnyApi,
        Self::AbsentFromDatabaseFiles,
        Self::AbsentFromBackups,
        Self::AbsentFromStorageDevice,
    ];
}

/// How far a claim goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimStatus {
    /// The store checked it and the evidence is in the certificate.
    Verified,
    /// The operator says so.
    Asserted,
    /// It is not yet so.
    Pending,
    /// Nothing is claimed.
    NotClaimed,
}
