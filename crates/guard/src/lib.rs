//! Action identity and rules.

pub mod identity;
pub mod pattern;
mod read_only;
pub mod rule;
pub mod shell;

pub use read_only::{command_reads, is_probe, read_only};
