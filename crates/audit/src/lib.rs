//! Canonical audit entries, their hash chain, and signed deletion certificates.

pub mod canonical;
pub mod certificate;
pub mod chain;
pub mod hash;
pub mod json;
pub mod key;
pub mod merkle;
pub mod time;
