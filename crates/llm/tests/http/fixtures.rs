//! Clients, questions and answers of the tests.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_executor::block_on;
use precedent_core::{
    Answer, Clock, Completion, LanguageModel, ModelError, ModelErrorKind, Timestamp,
};
use precedent_llm::{
    Anthropic, ApiKey, BreakerSettings, CostRow, Endpoint, OpenAi, OpenAiOptions, Price, Retries,
    Settings, Surroundings,
};
use precedent_redact::Redactor;

use crate::server::Server;

/// The key of every client; no catalogue knows its shape.
pub const KEY: &str = "platypus-key-77";

/// A clock that moves when told.
pub struct Hand(pub AtomicI64);

impl Hand {
    pub fn new() -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(1_700_000_000_000)))
    }

    pub fn forward(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst)).expect("a time")
    }
}

/// The account of a test.
pub type Rows = Arc<Mutex<Vec<CostRow>>>;

pub fn surroundings(clock: Arc<Hand>, rows: &Rows) -> Surroundings {
    let rows = Arc::clone(rows);
    Surroundings {
        clock,
        jitter: Arc::new(|| 0),
        costs: Some(Arc::new(move |row| {
            rows.lock().expect("no panic").push(row);
        })),
    }
}

/// Limits that a test reaches quickly, or not at all.
pub fn settings() -> Settings {
    Settings {
        connect_timeout: Duration::from_secs(2),
        attempt_timeout: Duration::from_secs(5),
        total_timeout: Duration::from_secs(10),
        retries: Retries {
            max_attempts: 3,
            first_pause: Duration::from_millis(1),
            max_pause: Duration::from_millis(2),
            max_retry_after: Duration::from_secs(1),
        },
        breaker: BreakerSettings {
            failures: 100,
            pause: Duration::from_secs(60),
        },
        price: Some(Price {
            input_micro_dollars: 2_000_000,
            output_micro_dollars: 8_000_000,
        }),
        ..Settings::default()
    }
}

pub fn key() -> ApiKey {
    ApiKey::new(KEY).expect("a key")
}

pub fn openai_with(url: &str, settings: Settings, clock: Arc<Hand>, rows: &Rows) -> OpenAi {
    OpenAi::new(
        &Endpoint::new(url).expect("an address"),
        Some(&key()),
        "m",
        OpenAiOptions::default(),
        settings,
        surroundings(clock, rows),
    )
    .expect("a client")
}

pub fn openai(server: &Server, settings: Settings) -> OpenAi {
    openai_with(&server.url(), settings, Hand::new(), &Rows::default())
}

pub fn anthropic_with(url: &str, settings: Settings, clock: Arc<Hand>, rows: &Rows) -> Anthropic {
    Anthropic::new(
        &Endpoint::new(url).expect("an address"),
        &key(),
        "m",
        settings,
        surroundings(clock, rows),
    )
    .expect("a client")
}

pub fn anthropic(server: &Server, settings: Settings) -> Anthropic {
    anthropic_with(&server.url(), settings, Hand::new(), &Rows::default())
}

/// A question whose content no log may show.
pub fn question() -> Completion {
    let redactor = Redactor::new();
    Completion {
        purpose: "test",
        system: redactor.clean("Answer about the wombats."),
        prompt: redactor.clean("How many wombats?"),
        schema: None,
        max_tokens: 50,
    }
}

pub fn ask(model: &dyn LanguageModel) -> Result<Answer, ModelError> {
    block_on(model.complete(&question()))
}

/// Asks, and expects a failure of a kind.
pub fn fails(model: &dyn LanguageModel, kind: ModelErrorKind) -> ModelError {
    let error = ask(model).expect_err("a failure");
    assert_eq!(error.kind, kind, "{error}");
    assert_eq!(error.operation, "test");
    error
}

/// A response of chat completions.
pub fn chat(content: &str) -> String {
    serde_json::json!({
        "id": "c", "object": "chat.completion", "model": "m-2026",
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    })
    .to_string()
}

/// A response of messages.
pub fn messages(text: &str) -> String {
    serde_json::json!({
        "id": "c", "type": "message", "role": "assistant", "model": "m-2026",
        "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
        "usage": {"input_tokens": 100, "output_tokens": 10},
    })
    .to_string()
}
