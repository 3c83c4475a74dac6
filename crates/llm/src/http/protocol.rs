//! What the two protocols differ in.

use precedent_core::{AnswerSchema, Completion, Usage};
use serde_json::{Value, json};

/// A way to write questions and to read answers. Pure.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// Returns the body of a request; a schema is given parsed.
    fn question(&self, model: &str, request: &Completion, schema: Option<Value>) -> Value;

    /// Reads the body of a response of status 200.
    fn answer(
        &self,
        body: &[u8],
        schema: Option<AnswerSchema>,
    ) -> Result<Parsed, serde_json::Error>;
}

/// What a response says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub(crate) text: Text,
    pub(crate) usage: Option<Usage>,
    pub(crate) model: Option<String>,
}

/// What the model wrote, as far as it is of use.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Whole(String),
    /// The model ran out of tokens.
    CutOff,
    /// The model, or a filter before it, declines.
    Declined,
    /// There is no text where it should be.
    Absent,
}

/// Returns a message of a conversation.
pub(crate) fn message(role: &str, content: &str) -> Value {
    json!({ "role": role, "content": content })
}
