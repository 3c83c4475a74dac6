//! The governed write path: what enters a store is redacted, checked, embedded, deduplicated and
//! audited, in one commit; what leaves it is erased under a signed certificate.
//!
//! The engine knows no backend: it works through the traits of `precedent-core`.
#![forbid(unsafe_code)]

mod content;
mod engine;
mod error;
mod forget;
mod record;
mod remember;
mod request;

pub use engine::{Engine, Limits};
pub use error::{EngineError, InputFault};
pub use forget::{Forget, Forgotten};
pub use record::Recorded;
pub use remember::{Stored, WriteResult};
pub use request::{Remember, RememberItem, RuleDraft};
