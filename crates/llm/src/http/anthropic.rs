//! Anthropic's messages.

use std::fmt;

use async_trait::async_trait;
use hyper::header::{HeaderName, HeaderValue};
use precedent_core::{Answer, AnswerSchema, Completion, LanguageModel, ModelError, Usage};
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{Client, secret_header};
use super::endpoint::Endpoint;
use super::protocol::{Parsed, Protocol, Text, message};
use super::settings::{ApiKey, Settings, SettingsError, Surroundings};

/// The version of the protocol that is spoken (Anthropic API reference, "Versions").
const VERSION: &str = "2023-06-01";

/// A model behind `POST {endpoint}/v1/messages` (Anthropic API reference, "Messages").
///
/// A schema becomes the input of a tool that the model must call, which every version of the
/// protocol knows.
pub struct Anthropic {
    client: Client<Messages>,
}

impl Anthropic {
    /// Prepares a client; nothing is sent. `endpoint` has no version, such as
    /// `https://api.example.com`.
    ///
    /// # Errors
    /// [`SettingsError`] for a limit of zero, an impossible name or missing certificates.
    pub fn new(
        endpoint: &Endpoint,
        key: &ApiKey,
        model: impl Into<String>,
        settings: Settings,
        surroundings: Surroundings,
    ) -> Result<Self, SettingsError> {
        let version = (
            HeaderName::from_static("anthropic-version"),
            HeaderValue::from_static(VERSION),
        );
        let key = secret_header("x-api-key", key.expose()).ok_or(SettingsError::Key)?;
        let target = (endpoint, "/v1/messages");
        let headers = vec![version, key];
        let client = Client::new(
            Messages,
            target,
            headers,
            model.into(),
            settings,
            surroundings,
        )?;
        Ok(Self { client })
    }

    /// Gives up every question and refuses new ones, all with a `cancelled` error.
    pub fn close(&self) {
        self.client.close();
    }
}

impl fmt::Debug for Anthropic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Anthropic({})", self.client.model())
    }
}

#[async_trait]
impl LanguageModel for Anthropic {
    async fn complete(&self, request: &Completion) -> Result<Answer, ModelError> {
        self.client.complete(request).await
    }
}

struct Messages;

#[derive(Deserialize)]
struct Response {
    content: Vec<Block>,
    stop_reason: Option<String>,
    usage: Option<Counted>,
    model: Option<String>,
}

/// A block of any type: only the fields that are read.
#[derive(Deserialize)]
struct Block {
    r#type: String,
    text: Option<String>,
    name: Option<String>,
    input: Option<Value>,
}

#[derive(Deserialize)]
struct Counted {
    input_tokens: u64,
    output_tokens: u64,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
}

impl Counted {
    /// The provider counts cached tokens apart; an account counts them at the full price.
    fn usage(&self) -> Usage {
        let cached = [
            self.cache_creation_input_tokens,
            self.cache_read_input_tokens,
        ];
        Usage {
            input_tokens: cached
                .into_iter()
                .flatten()
                .fold(self.input_tokens, u64::saturating_add),
            output_tokens: self.output_tokens,
        }
    }
}

impl Protocol for Messages {
    fn question(&self, model: &str, request: &Completion, schema: Option<Value>) -> Value {
        let mut body = json!({
            "model": model,
            "max_tokens": request.max_tokens,
            "system": request.system.as_str(),
            "messages": [message("user", &request.prompt)],
        });
        if let (Some(AnswerSchema { name, .. }), Some(schema)) = (request.schema, schema) {
            body["tools"] = json!([{
                "name": name,
                "description": "Takes the answer.",
                "input_schema": schema,
            }]);
            body["tool_choice"] = json!({ "type": "tool", "name": name });
        }
        body
    }

    fn answer(
        &self,
        body: &[u8],
        schema: Option<AnswerSchema>,
    ) -> Result<Parsed, serde_json::Error> {
        let response: Response = serde_json::from_slice(body)?;
        let text = match response.stop_reason.as_deref() {
            Some("max_tokens" | "model_context_window_exceeded") => Text::CutOff,
            Some("refusal") => Text::Declined,
            _ => written(&response.content, schema).map_or(Text::Absent, Text::Whole),
        };
        Ok(Parsed {
            text,
            usage: response.usage.as_ref().map(Counted::usage),
            model: response.model,
        })
    }
}

/// Returns the input of the answer's tool, or all text where none was asked for.
fn written(blocks: &[Block], schema: Option<AnswerSchema>) -> Option<String> {
    match schema {
        Some(AnswerSchema { name, .. }) => blocks
            .iter()
            .filter(|block| block.r#type == "tool_use" && block.name.as_deref() == Some(name))
            .find_map(|block| block.input.as_ref())
            .map(Value::to_string),
        None => {
            let texts = blocks.iter().filter(|block| block.r#type == "text");
            texts
                .map(|block| block.text.as_deref())
                .collect::<Option<_>>()
        }
        .filter(|_: &String| blocks.iter().any(|block| block.r#type == "text")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_redact::Redactor;

    const SCHEMA: AnswerSchema = AnswerSchema {
        name: "count",
        json: r#"{"type":"object"}"#,
    };

    #[test]
    fn questions_are_those_of_the_reference() {
        let redactor = Redactor::new();
        let mut request = Completion {
            purpose: "test",
            system: redactor.clean("be brief"),
            prompt: redactor.clean("how many?"),
            schema: None,
            max_tokens: 50,
        };
        let mut expected = json!({
            "model": "m",
            "max_tokens": 50,
            "system": "be brief",
            "messages": [{"role": "user", "content": "how many?"}],
        });
        assert_eq!(Messages.question("m", &request, None), expected);
        request.schema = Some(SCHEMA);
        expected["tools"] = json!([{"name": "count", "description": "Takes the answer.",
            "input_schema": {"type": "object"}}]);
        expected["tool_choice"] = json!({"type": "tool", "name": "count"});
        let parsed = serde_json::from_str(SCHEMA.json).ok();
        assert_eq!(Messages.question("m", &request, parsed), expected);
    }

    fn read(content: &Value, stop: &str, schema: Option<AnswerSchema>) -> Text {
        let body = json!({"content": content, "stop_reason": stop, "model": "m-1",
            "usage": {"input_tokens": 5, "output_tokens": 3, "cache_read_input_tokens": 2}});
        let parsed = Messages
            .answer(body.to_string().as_bytes(), schema)
            .expect("a response");
        let usage = Usage {
            input_tokens: 7,
            output_tokens: 3,
        };
        assert_eq!(parsed.usage, Some(usage));
        parsed.text
    }

    #[test]
    fn answers_are_text_or_the_input_of_the_tool() {
        let text = json!([{"type": "text", "text": "fo"}, {"type": "text", "text": "ur"}]);
        let tool = json!([{"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "Here:"},
            {"type": "tool_use", "id": "t", "name": "count", "input": {"n": 4}}]);
        let whole = |text: &str| Text::Whole(text.to_owned());
        assert_eq!(read(&text, "end_turn", None), whole("four"));
        assert_eq!(read(&tool, "tool_use", Some(SCHEMA)), whole(r#"{"n":4}"#));
        assert_eq!(read(&text, "end_turn", Some(SCHEMA)), Text::Absent);
        let other = json!([{"type": "tool_use", "id": "t", "name": "other", "input": {"n": 4}}]);
        assert_eq!(read(&other, "tool_use", Some(SCHEMA)), Text::Absent);
        assert_eq!(read(&json!([]), "end_turn", None), Text::Absent);
        assert_eq!(read(&tool, "max_tokens", Some(SCHEMA)), Text::CutOff);
        assert_eq!(read(&text, "refusal", None), Text::Declined);
    }
}
