//! The store as processes share it: many at once, killed at any moment, and looked at byte by byte
//! after an erasure.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod concurrent;
mod erased_bytes;
mod killed;
mod support;
mod worker;
