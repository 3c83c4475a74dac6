//! Action identity and rules.

pub mod identity;
mod read_only;
pub mod shell;

pub use read_only::{command_reads, is_probe, read_only};
