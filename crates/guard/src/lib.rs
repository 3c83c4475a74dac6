//! Action identity and rules.

pub mod identity;
pub mod shell;
