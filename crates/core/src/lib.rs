//! Types, traits and ranking that every other crate of Precedent is built on.
//!
//! This crate is pure: no runtime, no cryptography, no clock, no environment. What it needs of the
//! outside arrives through the traits [`Store`], [`Recall`], [`Embedder`], [`AuditSink`],
//! [`Clock`] and [`IdSource`].
//!
//! * The data model: [`Memory`], [`ToolEvent`], [`Rule`], [`Receipt`], [`Namespace`].
//! * The storage contract: a [`Commit`] is a value, [`Store::commit`] is the one write path.
//! * Ranking: one analyser ([`analyze`]), one BM25 ([`bm25`]), one fusion ([`fusion`]), so that
//!   every backend ranks alike.
//! * [`MemStore`]: the reference store, always compiled, stricter than the real ones.
#![forbid(unsafe_code)]

pub mod analyze;
pub mod audit;
pub mod bm25;
mod claim;
mod clean;
mod clock;
mod commit;
mod contradiction;
mod embed;
mod entity;
mod error;
mod event;
mod fact;
pub mod fusion;
mod id;
mod mem;
mod memory;
mod model;
mod namespace;
mod near;
mod principal;
mod recall;
mod receipt;
mod rule;
mod standing;
mod store;
mod text;
mod text_enum;
mod time;
pub mod vector;

pub use audit::{AuditSink, SealError, SealRequest, Sealed};
pub use claim::{Claim, Topic};
pub use clean::{clean_pair, mask_json};
pub use clock::{Clock, IdSource};
pub use commit::{
    Change, Commit, Committed, CommittedFact, Durability, Erasure, Expect, Header, Place, PutMemory,
};
pub use contradiction::{Basis, Contradiction, ContradictionQuery, Resolution, Verdict};
pub use embed::{EmbedError, EmbedKind, Embedder, EmbeddingSpace};
pub use entity::{Alias, Entity, EntityKey, EntityQuery, Mention};
pub use error::{Cause, Retry, StoreError, StoreErrorKind};
pub use event::{ActionKeys, FileState, Outcome, ToolEvent};
pub use id::{
    CertificateId, CommitId, ContradictionId, Digest, EntityId, EventId, IdParseError, MemoryId,
    ReceiptId, RuleId, StoreId,
};
pub use mem::MemStore;
pub use memory::{Classification, Kind, Memory, Salience, Source, State, Trust, lexical_text};
pub use model::{
    Answer, AnswerSchema, Completion, LanguageModel, ModelError, ModelErrorKind, RawText, Usage,
};
pub use namespace::{Audience, Name, Namespace, NamespaceError, Scope};
pub use precedent_redact::{CleanText, Redactor};
pub use principal::{Grant, Grants, Principal};
pub use recall::{
    Candidate, Candidates, Filter, Floor, Hit, Lane, LaneAnswer, LaneRank, QueryVector, Recall,
    RecallCode, RecallError, RecallOutcome, RecallQuery, RecallRequest, recall,
};
pub use receipt::{Decision, Receipt};
pub use rule::{ActionPattern, Control, Rule, RuleBodyError, Severity};
pub use standing::{Revision, Standing, Transition};
pub use store::{
    AuditPage, Backend, Capabilities, CertificateQuery, DurabilityLevel, ErasureScope, EventKey,
    EventQuery, KindCounts, Maintain, MaintainReport, MaintainStep, MaintainTask, MemoryQuery,
    NamespaceCount, ReceiptQuery, RuleQuery, Store, StoreStatus,
};
pub use text::normalise;
pub use text_enum::UnknownName;
pub use time::{TimeError, Timestamp};
