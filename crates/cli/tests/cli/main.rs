//! The binary as its users meet it: every command, every kind of misuse, in temporary folders.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod benchmark;
mod damage;
mod disk;
mod erasure;
mod governing;
mod guarding;
mod hooks;
mod memories;
mod misuse;
mod reading;
mod redacting;
#[path = "../../../precedent/tests/seeds/mod.rs"]
mod seeds;
mod support;
mod ways;
