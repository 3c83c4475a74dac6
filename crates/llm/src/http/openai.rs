//! OpenAI's chat completions, and the many services that speak them.

use std::fmt;

use async_trait::async_trait;
use precedent_core::{Answer, AnswerSchema, Completion, LanguageModel, ModelError, Usage};
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{Client, secret_header};
use super::endpoint::Endpoint;
use super::protocol::{Parsed, Protocol, Text, message};
use super::settings::{ApiKey, Settings, SettingsError, Surroundings};

/// How the shape of an answer is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchemaMode {
    /// The service keeps the answer to the schema (`response_format` of type `json_schema`).
    #[default]
    JsonSchema,
    /// The service keeps the answer to JSON (`json_object`).
    JsonObject,
    /// Only the prompt asks for it.
    PromptOnly,
}

/// Under which name the most tokens of an answer are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenLimit {
    /// `max_completion_tokens`, which counts hidden reasoning too.
    #[default]
    MaxCompletionTokens,
    /// `max_tokens`, which it replaces; older services know no other.
    MaxTokens,
}

/// In what services that speak this protocol differ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OpenAiOptions {
    /// How the shape of an answer is asked for.
    pub schema: SchemaMode,
    /// Under which name the most tokens of an answer are given.
    pub token_limit: TokenLimit,
    /// The sampling temperature; `None` leaves it to the service, since some models accept none.
    pub temperature: Option<f64>,
}

/// A model behind `POST {endpoint}/chat/completions` (OpenAI API reference, "Chat").
pub struct OpenAi {
    client: Client<Chat>,
}

impl OpenAi {
    /// Prepares a client; nothing is sent. `endpoint` includes the version, such as
    /// `https://api.example.com/v1`. Services on this machine often ask for no key.
    ///
    /// # Errors
    /// [`SettingsError`] for a limit of zero, an impossible name or missing certificates.
    pub fn new(
        endpoint: &Endpoint,
        key: Option<&ApiKey>,
        model: impl Into<String>,
        options: OpenAiOptions,
        settings: Settings,
        surroundings: Surroundings,
    ) -> Result<Self, SettingsError> {
        let mut headers = Vec::new();
        if let Some(key) = key {
            let value = format!("Bearer {}", key.expose());
            headers.push(secret_header("authorization", &value).ok_or(SettingsError::Key)?);
        }
        let target = (endpoint, "/chat/completions");
        let client = Client::new(
            Chat(options),
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

impl fmt::Debug for OpenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpenAi({})", self.client.model())
    }
}

#[async_trait]
impl LanguageModel for OpenAi {
    async fn complete(&self, request: &Completion) -> Result<Answer, ModelError> {
        self.client.complete(request).await
    }
}

struct Chat(OpenAiOptions);

#[derive(Deserialize)]
struct Response {
    choices: Vec<Choice>,
    usage: Option<Counted>,
    model: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Counted {
    prompt_tokens: u64,
    completion_tokens: u64,
}

impl Protocol for Chat {
    fn question(&self, model: &str, request: &Completion, schema: Option<Value>) -> Value {
        let mut body = json!({
            "model": model,
            "messages": [
                message("system", &request.system),
                message("user", &request.prompt),
            ],
        });
        let limit = match self.0.token_limit {
            TokenLimit::MaxCompletionTokens => "max_completion_tokens",
            TokenLimit::MaxTokens => "max_tokens",
        };
        body[limit] = request.max_tokens.into();
        if let Some(temperature) = self.0.temperature {
            body["temperature"] = temperature.into();
        }
        let format = match (self.0.schema, request.schema, schema) {
            (SchemaMode::JsonSchema, Some(AnswerSchema { name, .. }), Some(schema)) => json!({
                "type": "json_schema",
                "json_schema": { "name": name, "strict": true, "schema": schema },
            }),
            (SchemaMode::JsonObject, Some(_), _) => json!({ "type": "json_object" }),
            _ => return body,
        };
        body["response_format"] = format;
        body
    }

    fn answer(&self, body: &[u8], _: Option<AnswerSchema>) -> Result<Parsed, serde_json::Error> {
        let response: Response = serde_json::from_slice(body)?;
        let text = match response.choices.into_iter().next() {
            None => Text::Absent,
            Some(Choice {
                message,
                finish_reason,
            }) => match finish_reason.as_deref() {
                Some("length") => Text::CutOff,
                Some("content_filter") => Text::Declined,
                _ if message.refusal.is_some_and(|words| !words.is_empty()) => Text::Declined,
                _ => message.content.map_or(Text::Absent, Text::Whole),
            },
        };
        Ok(Parsed {
            text,
            usage: response.usage.map(|counted| Usage {
                input_tokens: counted.prompt_tokens,
                output_tokens: counted.completion_tokens,
            }),
            model: response.model,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_redact::Redactor;

    fn request(schema: Option<AnswerSchema>) -> Completion {
        let redactor = Redactor::new();
        Completion {
            purpose: "test",
            system: redactor.clean("be brief"),
            prompt: redactor.clean("how many?"),
            schema,
            max_tokens: 50,
        }
    }

    const SCHEMA: AnswerSchema = AnswerSchema {
        name: "count",
        json: r#"{"type":"object"}"#,
    };

    #[test]
    fn questions_are_those_of_the_reference() {
        let plain = Chat(OpenAiOptions::default()).question("m", &request(None), None);
        let expected = json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "how many?"},
            ],
            "max_completion_tokens": 50,
        });
        assert_eq!(plain, expected);
        let ask = |schema| {
            let options = OpenAiOptions {
                schema,
                token_limit: TokenLimit::MaxTokens,
                temperature: Some(0.0),
            };
            let parsed = serde_json::from_str(SCHEMA.json).ok();
            Chat(options).question("m", &request(Some(SCHEMA)), parsed)
        };
        let strict = ask(SchemaMode::JsonSchema);
        assert_eq!(
            strict["response_format"],
            json!({
                "type": "json_schema",
                "json_schema": {"name": "count", "strict": true, "schema": {"type": "object"}},
            })
        );
        assert_eq!(strict["max_tokens"], 50);
        assert_eq!(strict["temperature"], 0.0);
        assert_eq!(
            ask(SchemaMode::JsonObject)["response_format"],
            json!({"type": "json_object"})
        );
        assert_eq!(ask(SchemaMode::PromptOnly)["response_format"], Value::Null);
    }

    fn read(body: &Value) -> Option<Parsed> {
        Chat(OpenAiOptions::default())
            .answer(body.to_string().as_bytes(), None)
            .ok()
    }

    #[test]
    fn answers_are_whole_cut_off_declined_or_absent() {
        let body = |content: Value, reason: &str| {
            json!({
                "choices": [{"message": {"role": "assistant", "content": content},
                             "finish_reason": reason}],
                "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
                "model": "m-1",
            })
        };
        let whole = read(&body("four".into(), "stop")).expect("an answer");
        let usage = Usage {
            input_tokens: 7,
            output_tokens: 3,
        };
        assert_eq!(whole.text, Text::Whole("four".to_owned()));
        assert_eq!(
            (whole.usage, whole.model.as_deref()),
            (Some(usage), Some("m-1"))
        );
        let text = |body: &Value| read(body).map(|parsed| parsed.text);
        assert_eq!(text(&body("fo".into(), "length")), Some(Text::CutOff));
        assert_eq!(
            text(&body(Value::Null, "content_filter")),
            Some(Text::Declined)
        );
        assert_eq!(text(&body(Value::Null, "stop")), Some(Text::Absent));
        assert_eq!(text(&json!({"choices": []})), Some(Text::Absent));
        let refusal = json!({"choices": [{"message": {"content": null, "refusal": "no"}}]});
        assert_eq!(text(&refusal), Some(Text::Declined));
        assert_eq!(text(&json!({"error": {"message": "x"}})), None);
    }
}
