//! The conformance suite of Precedent's storage contract, for any backend to run.
//!
//! A backend implements [`Harness`] and declares a test binary without the built-in harness:
//!
//! ```toml
//! [[test]]
//! name = "conformance"
//! harness = false
//! ```
//!
//! whose one line is [`conformance!`]; each [`Case`] is then a test of its own. What a backend
//! lacks shows as an ignored test, with the reason.
#![forbid(unsafe_code)]

mod case;
mod cases;
mod crash;
pub mod data;
mod fault;
mod harness;
mod history;
mod law;
mod mem;
mod model;
mod opened;
mod runner;
pub mod sink;
mod soak;
pub mod store;
pub mod view;

pub use case::{Body, Case};
pub use cases::{AREAS, cases};
pub use crash::sweep;
pub use fault::{Call, Fault, FaultStore, Plan};
pub use harness::{CaseFuture, FailPoints, Harness, LaneBreak, Need};
pub use mem::MemHarness;
pub use opened::Opened;
pub use runner::run;
pub use soak::{SOAK_CASES, SOAK_SEED};
