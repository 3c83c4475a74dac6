//! The store as processes share it: many at once, killed at any moment, and looked at byte by byte
//! after an erasure.

mod concurrent;
mod erased_bytes;
mod killed;
mod support;
mod worker;
