//! The governed write path: what enters a store is redacted, classified, taken apart, verified,
//! resolved, embedded, compared and audited, in one commit; what was wrong is corrected without
//! being overwritten; what leaves is erased under a signed certificate.
//!
//! The engine knows no backend, no embedder and no language model: it works through the traits of
//! `precedent-core` and its own [`Reasoner`].
#![forbid(unsafe_code)]

mod correct;
mod engine;
mod error;
mod extract;
mod forget;
mod policy;
mod reason;
mod record;
mod request;
mod stage;
mod stated;
mod write;

pub use correct::{Correction, Ruling};
pub use engine::{Engine, Limits, Parts};
pub use error::{EngineError, InputFault};
pub use extract::{Extracted, facts, is_low_information, sentences};
pub use forget::{Forget, Forgotten};
pub use policy::{Clearance, Destination, Egress, WritePolicy};
pub use reason::{ReasonError, Reasoner};
pub use record::Recorded;
pub use request::{ClaimDraft, Record, Remember, RememberItem, RuleDraft, WriteLane};
pub use stage::{Stage, StageHook};
pub use stated::claim;
pub use write::{Outcome, Rejected, Similar, Stored, WriteResult};
