//! What both clients do: send, repeat, account, give up.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use precedent_core::{
    Answer, AnswerSchema, Completion, ModelError, ModelErrorKind, RawText, Retry,
};
use precedent_redact::{CleanText, Redactor};
use serde_json::error::Category;

use super::backoff;
use super::breaker::Breaker;
use super::calls::{Calls, Refused};
use super::cost::CostRow;
use super::endpoint::Endpoint;
use super::fault::{Fault, failed, refused};
use super::protocol::{Parsed, Protocol, Text};
use super::settings::{Settings, SettingsError, Surroundings};
use super::transport::{Reply, Transport};

/// The longest name of a model, in bytes; a longer one in a response is not told.
const MODEL_BYTES: usize = 256;

type Outcome = Result<Answer, ModelError>;

/// A client of one model at one address.
pub(crate) struct Client<P> {
    inner: Arc<Inner<P>>,
    calls: Calls<Outcome>,
}

struct Inner<P> {
    protocol: P,
    model: String,
    told_model: CleanText,
    transport: Transport,
    breaker: Breaker,
    settings: Settings,
    surroundings: Surroundings,
    redactor: Redactor,
}

/// A question on its way.
struct Question {
    purpose: &'static str,
    schema: Option<AnswerSchema>,
    body: Bytes,
    began: Instant,
}

impl<P: Protocol> Client<P> {
    pub(crate) fn new(
        protocol: P,
        (endpoint, path): (&Endpoint, &str),
        headers: Vec<(HeaderName, HeaderValue)>,
        model: String,
        settings: Settings,
        surroundings: Surroundings,
    ) -> Result<Self, SettingsError> {
        settings.check()?;
        if model.is_empty() || model.len() > MODEL_BYTES {
            return Err(SettingsError::Model);
        }
        let redactor = Redactor::new();
        let inner = Inner {
            protocol,
            told_model: redactor.clean(&model),
            model,
            transport: Transport::new(endpoint, path, headers, &settings)?,
            breaker: Breaker::new(settings.breaker, Arc::clone(&surroundings.clock)),
            settings,
            surroundings,
            redactor,
        };
        Ok(Self {
            inner: Arc::new(inner),
            calls: Calls::new(),
        })
    }

    /// The model, as it is told in print.
    pub(crate) fn model(&self) -> &CleanText {
        &self.inner.told_model
    }

    pub(crate) async fn complete(&self, request: &Completion) -> Outcome {
        let purpose = request.purpose;
        let question = self.inner.question(request)?;
        let inner = Arc::clone(&self.inner);
        let pending = self
            .calls
            .start(self.inner.settings.max_concurrent, move || async move {
                inner.ask(&question).await
            })
            .map_err(|refused| match refused {
                Refused::Closed => ModelError::new(ModelErrorKind::Cancelled, purpose),
                Refused::Full => ModelError::new(ModelErrorKind::Overloaded, purpose).advise(
                    Retry::Later,
                    "ask fewer questions at a time, or raise the limit",
                ),
            })?;
        pending
            .await
            .unwrap_or_else(|| Err(ModelError::new(ModelErrorKind::Cancelled, purpose)))
    }

    pub(crate) fn close(&self) {
        self.calls.close();
    }
}

impl<P: Protocol> Inner<P> {
    fn question(&self, request: &Completion) -> Result<Question, ModelError> {
        let purpose = request.purpose;
        let rejected = |next_step| {
            ModelError::new(ModelErrorKind::Rejected, purpose).advise(Retry::Never, next_step)
        };
        let schema = match request.schema {
            None => None,
            Some(schema) => Some(
                serde_json::from_str(schema.json)
                    .map_err(|_| rejected("correct the schema; it is not JSON"))?,
            ),
        };
        let body = self
            .protocol
            .question(&self.model, request, schema)
            .to_string();
        if body.len() > self.settings.max_question_bytes {
            return Err(ModelError::new(ModelErrorKind::TooLarge, purpose));
        }
        Ok(Question {
            purpose,
            schema: request.schema,
            body: body.into(),
            began: Instant::now(),
        })
    }

    /// Sends requests until one is answered or no other makes sense.
    async fn ask(&self, question: &Question) -> Outcome {
        let retries = &self.settings.retries;
        let mut failed = 0;
        loop {
            let fault = match self.attempt(question).await {
                Ok(answer) => return Ok(answer),
                Err(fault) => fault,
            };
            failed += 1;
            let last = failed >= retries.max_attempts || !self.breaker.is_closed();
            if !fault.again || last {
                return Err(fault.error);
            }
            let asked = fault.error.retry_after.unwrap_or_default();
            let pause = backoff::pause(retries, failed, self.surroundings.jitter.next()).max(asked);
            // To come back earlier than asked, or after the time is over, would only fail again.
            if asked > retries.max_retry_after || pause >= self.left(question) {
                return Err(fault.error);
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Returns what is left of the time for a question.
    fn left(&self, question: &Question) -> Duration {
        self.settings
            .total_timeout
            .saturating_sub(question.began.elapsed())
    }

    /// Sends one request, if the breaker lets it.
    async fn attempt(&self, question: &Question) -> Result<Answer, Fault> {
        let timeout = self.settings.attempt_timeout.min(self.left(question));
        if timeout.is_zero() {
            let error = ModelError::new(ModelErrorKind::Timeout, question.purpose);
            return Err(Fault::lasting(error));
        }
        let permit = self.breaker.admit().map_err(|pause| {
            let error = ModelError::new(ModelErrorKind::CircuitOpen, question.purpose);
            Fault::lasting(error.after(Some(pause)))
        })?;
        let outcome = self
            .transport
            .post(question.body.clone(), timeout)
            .await
            .map_err(|failure| failed(question.purpose, &failure))
            .and_then(|reply| self.read(question, &reply));
        permit.settle(outcome.as_ref().err().is_none_or(|fault| fault.healthy));
        outcome
    }

    fn read(&self, question: &Question, reply: &Reply) -> Result<Answer, Fault> {
        let purpose = question.purpose;
        let error = |kind| ModelError::new(kind, purpose);
        let header = |name| {
            reply
                .headers
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        if reply.status != 200 {
            let now = self.surroundings.clock.now();
            let asked = backoff::asked_for(header("retry-after"), header("retry-after-ms"), now);
            return Err(refused(purpose, reply.status, &reply.body, asked));
        }
        if !header("content-type").is_some_and(is_json) {
            return Err(Fault::lasting(error(ModelErrorKind::Malformed)));
        }
        let parsed = self.protocol.answer(&reply.body, question.schema);
        // What serde says of a failure may quote the answer, so it is not passed on.
        let Parsed { text, usage, model } = parsed.map_err(|fault| match fault.classify() {
            Category::Eof => Fault::passing(error(ModelErrorKind::CutOff)),
            _ => Fault::lasting(error(ModelErrorKind::Malformed)),
        })?;
        let row = CostRow {
            purpose,
            model: self.named(model),
            input_tokens: usage.map(|usage| usage.input_tokens),
            output_tokens: usage.map(|usage| usage.output_tokens),
            micro_dollars: usage.and_then(|usage| Some(self.settings.price?.of(usage))),
            at: self.surroundings.clock.now(),
        };
        let answer = Answer {
            text: RawText::new(String::new()),
            usage,
            micro_dollars: row.micro_dollars,
            model: row.model.clone(),
        };
        if let Some(costs) = &self.surroundings.costs {
            costs.record(row);
        }
        match text {
            Text::Whole(text) => Ok(Answer {
                text: RawText::new(text),
                ..answer
            }),
            Text::CutOff => Err(Fault::refusal(error(ModelErrorKind::CutOff).advise(
                Retry::Never,
                "allow the answer more tokens, or ask for less",
            ))),
            Text::Declined => Err(Fault::refusal(
                error(ModelErrorKind::Rejected)
                    .advise(Retry::Never, "the model declines to answer"),
            )),
            Text::Absent => Err(Fault::lasting(error(ModelErrorKind::Malformed))),
        }
    }

    /// Returns the name that a provider gives its model, or the one that was asked for.
    fn named(&self, model: Option<String>) -> CleanText {
        model
            .filter(|name| !name.is_empty() && name.len() <= MODEL_BYTES)
            .map_or_else(
                || self.told_model.clone(),
                |name| self.redactor.clean(&name),
            )
    }
}

/// True for `application/json` and its kind (RFC 6839, 3.1), whatever its parameters.
fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let essence = essence.to_ascii_lowercase();
    essence == "application/json"
        || essence.starts_with("application/") && essence.ends_with("+json")
}

/// Makes a header whose value no log shows.
pub(crate) fn secret_header(name: &'static str, value: &str) -> Option<(HeaderName, HeaderValue)> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some((HeaderName::from_static(name), value))
}
