//! A memory for software agents that rules on the next action.
#![doc = include_str!("../../../README.md")]
#![forbid(unsafe_code)]

mod address;
mod builder;
mod clock;
mod error;
mod guarding;
mod memory;
mod opened;
mod reading;
mod reasoning;
mod rules;
#[cfg(feature = "testkit")]
mod testkit;
mod transfer;
mod verify;
mod workspace;
mod writing;

pub use address::Address;
pub use builder::Builder;
pub use clock::{SystemClock, UlidSource};
pub use error::{Error, ErrorKind};
pub use guarding::Observed;
pub use memory::Memory;
pub use precedent_core::{
    CertificateId, CertificateQuery, Claim, Classification, CleanText, Contradiction,
    ContradictionId, ContradictionQuery, Decision, Entity, EntityId, EntityKey, EntityQuery,
    EventId, EventKey, EventQuery, Grant, Grants, Hit, Kind, Lane, MaintainReport, MaintainTask,
    MemoryId, MemoryQuery, NamespaceCount, Outcome, Principal, RecallOutcome, RecallRequest,
    ReceiptId, Redactor, Retry, Revision, Salience, Source, Standing, State, StoreErrorKind,
    StoreStatus, Timestamp, Trust,
};
pub use precedent_engine::{
    ClaimDraft, Clearance, Correction, Destination, Extracted, Forgotten, Limits,
    Outcome as WriteOutcome, ReasonError, Reasoner, Record, Rejected, Remember, RememberItem,
    Ruling, Similar, Stage, StageHook, WriteLane, WritePolicy, WriteResult,
};
pub use precedent_guard::{Action, Capsule, Ending, Policy, Verdict};
pub use reading::Lived;
#[cfg(feature = "testkit")]
pub use testkit::LaneBreak;
pub use transfer::{LineFault, parse_line};
pub use workspace::LocalFiles;

/// The lower crates, for those who need more than the handle offers.
pub mod crates {
    pub use precedent_audit as audit;
    pub use precedent_core as core;
    pub use precedent_embed as embed;
    pub use precedent_engine as engine;
    pub use precedent_guard as guard;
    pub use precedent_llm as llm;
    pub use precedent_redact as redact;
}

/// Opens the memory at `address` with every default: a folder, `sqlite:PATH` or `mem:`.
///
/// # Errors
/// [`Error`] when the address, the keys or the store cannot be used.
pub fn open(address: &str) -> Result<Memory, Error> {
    Memory::builder(address).open()
}
