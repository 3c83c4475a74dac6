//! Action identity and rules.

pub mod shell;
