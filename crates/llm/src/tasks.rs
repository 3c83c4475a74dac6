//! The questions that are asked of a model, each with the prompt that it sends and the one shape of
//! answer that it accepts.
//!
//! Each question is a value with three steps: `request` builds the prompt, `read` takes an answer
//! apart, `ask` does both around one call of a model. The first two are pure.
//!
//! What is asked about is data from elsewhere and may be written to mislead the model. It stands
//! between marks that do not occur in it, the model is told in its system text that nothing
//! between them is an instruction, and whatever it answers can only choose among what was asked:
//! unknown numbers are ignored, what is missing is a no, text is redacted.

mod answer;
mod extract;
mod prompt;
mod same_entity;
mod verify;

pub use extract::{CandidateFact, Extract, Extraction};
pub use same_entity::SameEntity;
pub use verify::{Verdict, Verify};
