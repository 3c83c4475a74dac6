//! Language models: clients for the two protocols that most of them speak, and the typed questions
//! that a memory asks.
//!
//! * [`tasks`] is always there: pure prompts and strict readers for extraction, verification and
//!   the tie-break of entities, over any [`LanguageModel`](precedent_core::LanguageModel).
//! * `OpenAi`, with the feature `openai`: any service that speaks OpenAI's chat completions.
//! * `Anthropic`, with the feature `anthropic`: Anthropic's messages.
//!
//! No feature is on by default. A key, an address and a model are arguments; nothing here reads the
//! environment, so that no key that happens to be there makes a program talk to anyone. What goes
//! out is redacted by type; what comes back is printed by nothing.
//!
//! The clients are bound to no runtime: each question runs on a thread of its own while it lasts,
//! and its future may be polled anywhere. Dropping the future breaks the request off.
#![forbid(unsafe_code)]

#[cfg(any(feature = "anthropic", feature = "openai"))]
mod http;
pub mod tasks;

#[cfg(any(feature = "anthropic", feature = "openai"))]
pub use http::*;
