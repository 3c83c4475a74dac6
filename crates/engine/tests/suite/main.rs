//! The engine over the in-memory store: what is stored, what is not, what holds, what the log says.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot set its scene fails"
)]

mod correction;
mod extraction;
mod guarded;
mod keyed;
mod requests;
mod stages;
mod support;
mod write_path;
