//! Language models: a question of clean text out, an answer that nobody may print back.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use precedent_redact::{CleanText, Redactor};

use crate::clean::mask_json;
use crate::text_enum::text_enum;
use crate::{Cause, Retry};

/// The shape that an answer is to have. Both parts are program text, so that nothing that was
/// read at run time leaves the process through a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerSchema {
    /// The schema's name: at most 64 of `a-z`, `A-Z`, `0-9`, `_` and `-`.
    pub name: &'static str,
    /// JSON Schema text of an object, with every property required and no others.
    pub json: &'static str,
}

/// A question to a language model. Takes redacted text only, since it may leave the machine.
#[derive(Clone, PartialEq, Eq)]
pub struct Completion {
    /// What the answer is for, such as `extract`: named in errors and in the account of costs.
    pub purpose: &'static str,
    /// What the model is told to do.
    pub system: CleanText,
    /// What it is to do it with.
    pub prompt: CleanText,
    /// The shape of the answer, if it is to be JSON.
    pub schema: Option<AnswerSchema>,
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
}

impl fmt::Debug for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Completion")
            .field("purpose", &self.purpose)
            .field("system_bytes", &self.system.len())
            .field("prompt_bytes", &self.prompt.len())
            .field("schema", &self.schema.map(|schema| schema.name))
            .field("max_tokens", &self.max_tokens)
            .finish()
    }
}

/// What a model wrote, as it came. It may repeat or invent secrets, so it is neither printed nor
/// stored: a reader parses it and cleans what it takes.
#[derive(Clone, PartialEq, Eq)]
pub struct RawText(String);

impl RawText {
    /// Wraps text of unknown content.
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text as it came, to be parsed.
    pub fn as_raw(&self) -> &str {
        &self.0
    }

    /// Returns the text redacted, JSON by its structure.
    pub fn clean(&self, redactor: &Redactor) -> CleanText {
        redactor.clean(&mask_json(&self.0, redactor))
    }
}

impl fmt::Debug for RawText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawText({} bytes)", self.0.len())
    }
}

/// The tokens that a provider counted for one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the question.
    pub input_tokens: u64,
    /// Tokens of the answer, those of hidden reasoning included.
    pub output_tokens: u64,
}

/// A whole answer. One that the model did not finish is an error instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What the model wrote.
    pub text: RawText,
    /// The tokens of the request that was answered; `None` if the provider did not say.
    pub usage: Option<Usage>,
    /// What that request cost in millionths of a dollar; `None` without a price or a usage.
    pub micro_dollars: Option<u64>,
    /// The model that answered, as the provider names it.
    pub model: CleanText,
}

/// Answers questions.
#[async_trait]
pub trait LanguageModel: Send + Sync {
    /// Asks once.
    ///
    /// * Bound to no runtime: any executor may poll it.
    /// * Not idempotent: what is asked again is paid for again. An implementation may repeat a
    ///   request that failed, a bounded number of times.
    /// * Dropping the future gives the question up; a request that is on its way may still be
    ///   answered, and paid for.
    ///
    /// # Errors
    /// [`ModelError`], with its kind and whether asking again makes sense.
    async fn complete(&self, request: &Completion) -> Result<Answer, ModelError>;
}

text_enum! {
    /// Why there is no answer.
    pub enum ModelErrorKind as "model error kind" {
        /// No whole answer came in time.
        Timeout = "timeout",
        /// The provider's limit for this key is reached.
        RateLimited = "rate-limited",
        /// The provider has too much to do, or this process asks too much at once.
        Overloaded = "overloaded",
        /// The provider failed, or cannot be reached.
        Unavailable = "unavailable",
        /// The provider does not accept the key, or not for this model.
        Auth = "auth",
        /// The provider refuses this request, or the model declines to answer it.
        Rejected = "rejected",
        /// What came back is not an answer of the agreed shape.
        Malformed = "malformed",
        /// The answer stops before its end.
        CutOff = "cut-off",
        /// Too many failures in a row: the provider is left alone for a while.
        CircuitOpen = "circuit-open",
        /// The model was closed while, or before, it was asked.
        Cancelled = "cancelled",
        /// The question or the answer exceeds a limit.
        TooLarge = "too-large",
    }
}

/// A failure of a language model.
///
/// Neither `Display` nor `Debug` prints what was asked, what was answered, a key or a driver's
/// text; what the system said of a failed connection is the [`source`](Error::source), redacted.
pub struct ModelError {
    /// Why.
    pub kind: ModelErrorKind,
    /// Whether asking again makes sense.
    pub retry: Retry,
    /// What the answer was for: the purpose of the [`Completion`].
    pub operation: &'static str,
    /// What to do next, a fragment in lower case.
    pub next_step: &'static str,
    /// How long to leave the provider alone, where it or the circuit breaker said so.
    pub retry_after: Option<Duration>,
    /// The HTTP status of the provider's refusal.
    pub status: Option<u16>,
    source: Option<Cause>,
}

impl ModelError {
    /// Makes an error with the retry advice and next step that its kind usually has.
    pub fn new(kind: ModelErrorKind, operation: &'static str) -> Self {
        let (retry, next_step) = usual_advice(kind);
        Self {
            kind,
            retry,
            operation,
            next_step,
            retry_after: None,
            status: None,
            source: None,
        }
    }

    /// Replaces the retry advice and the next step.
    #[must_use]
    pub fn advise(mut self, retry: Retry, next_step: &'static str) -> Self {
        self.retry = retry;
        self.next_step = next_step;
        self
    }

    /// Says how long to leave the provider alone.
    #[must_use]
    pub fn after(mut self, pause: Option<Duration>) -> Self {
        self.retry_after = pause;
        self
    }

    /// Adds the HTTP status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Attaches what the cause says. Not for errors that quote what was sent or received.
    #[must_use]
    pub fn caused_by(mut self, cause: &(dyn Error + 'static)) -> Self {
        self.source = Some(Cause::of(cause));
        self
    }
}

const fn usual_advice(kind: ModelErrorKind) -> (Retry, &'static str) {
    use ModelErrorKind as K;
    match kind {
        K::Timeout => (Retry::Later, "try again, or allow the model more time"),
        K::RateLimited => (Retry::Later, "wait before asking again, or raise the limit"),
        K::Overloaded => (Retry::Later, "try again when there is less to do"),
        K::Unavailable => (Retry::Later, "check the address and the network"),
        K::Auth => (Retry::Never, "check the key and what it may be used for"),
        K::Rejected => (Retry::Never, "check the model's name and the request"),
        K::Malformed => (
            Retry::Never,
            "check that the address and the model give such answers",
        ),
        K::CutOff => (Retry::Later, "try again, or allow the answer more tokens"),
        K::CircuitOpen => (Retry::Later, "try again when the pause is over"),
        K::Cancelled => (Retry::Never, "open the model again"),
        K::TooLarge => (Retry::Never, "ask about less at once"),
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed ({}", self.operation, self.kind)?;
        if let Some(status) = self.status {
            write!(f, ", status {status}")?;
        }
        if let Some(pause) = self.retry_after {
            write!(f, ", for {} ms", pause.as_millis())?;
        }
        write!(f, "); {}", self.next_step)
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModelError({self})")
    }
}

impl Error for ModelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_question_nor_answer_is_printed() {
        let redactor = Redactor::new();
        let question = Completion {
            purpose: "extract",
            system: redactor.clean("quokkas one"),
            prompt: redactor.clean("quokkas two"),
            schema: None,
            max_tokens: 7,
        };
        let answer = Answer {
            text: RawText::new("quokkas three".to_owned()),
            usage: Some(Usage::default()),
            micro_dollars: None,
            model: redactor.clean("small"),
        };
        let told = format!("{question:?} {answer:?}");
        assert!(!told.contains("quokkas"), "{told}");
        assert!(told.contains("13 bytes"), "{told}");
    }

    #[test]
    fn a_cleaned_answer_loses_its_secrets_by_structure() {
        let text = RawText::new(r#"{"password": ["quokkas"]}"#.to_owned());
        let clean = text.clean(&Redactor::new());
        assert!(!clean.contains("quokkas"), "{clean}");
        assert_eq!(text.as_raw().len(), 25);
    }

    #[test]
    fn an_error_says_why_how_long_and_what_next() {
        let error = ModelError::new(ModelErrorKind::RateLimited, "verify")
            .with_status(429)
            .after(Some(Duration::from_millis(1_500)));
        assert_eq!(
            error.to_string(),
            "verify failed (rate-limited, status 429, for 1500 ms); wait before asking again, or \
             raise the limit"
        );
        assert_eq!(error.retry, Retry::Later);
        let system = std::io::Error::other("token ghp_".to_owned() + &"a1B2".repeat(9));
        let error = ModelError::new(ModelErrorKind::Unavailable, "verify").caused_by(&system);
        let cause = error.source().map(ToString::to_string).unwrap_or_default();
        assert!(
            cause.contains("token") && !cause.contains("a1B2a1B2"),
            "{cause}"
        );
        assert!(!format!("{error:?}").contains("token"));
    }
}
