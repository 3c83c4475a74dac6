//! Language models: clients for the two protocols that most of them speak, and the typed questions
//! that a memory asks.
#![forbid(unsafe_code)]

pub mod tasks;
