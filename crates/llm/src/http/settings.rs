//! What a client is made of: where, with which key, within which limits. All of it is given by the
//! caller; nothing is read from the environment.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use precedent_core::Clock;

use super::cost::{CostSink, Price};
use super::roots::Roots;

/// Why a client cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The address is none, or holds more than scheme, host, port and path.
    #[error("not an address of a service; write it as https://host/path, without user or query")]
    Address,
    /// The address would send key and content in the clear over a network.
    #[error("http is for this machine only; use https, or accept plain text explicitly")]
    Plaintext,
    /// The key is empty, too long, or holds what no key holds.
    #[error("the key is empty or holds spaces or control characters; give it without a line end")]
    Key,
    /// The model's name is empty or too long.
    #[error("name the model, in at most 256 bytes")]
    Model,
    /// No certificates to trust were found where systems keep them.
    #[error("found no trusted certificates on this system; give them in PEM form")]
    NoRoots,
    /// The certificates are not in PEM form.
    #[error("the trusted certificates are not in PEM form; check the file")]
    BadRoots,
    /// A limit is zero.
    #[error("a limit is zero; give every limit a value above it")]
    ZeroLimit,
}

/// The most bytes of a key; those in use have less than 300.
const KEY_BYTES: usize = 4_096;

/// A key of a provider. Never printed.
#[derive(Clone)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key as the provider gave it.
    ///
    /// # Errors
    /// [`SettingsError::Key`] unless it is 1 to 4,096 visible ASCII characters.
    pub fn new(key: impl Into<String>) -> Result<Self, SettingsError> {
        let key = key.into();
        let fits = !key.is_empty() && key.len() <= KEY_BYTES;
        (fits && key.bytes().all(|byte| byte.is_ascii_graphic()))
            .then_some(Self(key))
            .ok_or(SettingsError::Key)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}

/// How often and how soon a failed request is repeated.
///
/// The pause before the n-th repetition is between one half and the whole of
/// `first_pause * 2^(n-1)`, at most `max_pause` ("equal jitter": Marc Brooker, "Exponential Backoff
/// And Jitter", AWS Architecture Blog, 2015). A provider's `Retry-After` (RFC 9110, 10.2.3) makes it
/// longer, never shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// Requests for one question, the first included.
    pub max_attempts: u32,
    /// The longest pause before the first repetition.
    pub first_pause: Duration,
    /// The longest pause before any repetition.
    pub max_pause: Duration,
    /// The longest `Retry-After` that is waited for; beyond it the question fails at once and the
    /// error tells the pause.
    pub max_retry_after: Duration,
}

/// When a provider that fails is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakerSettings {
    /// Failed requests in a row, over all questions, after which none is sent.
    pub failures: u32,
    /// How long; then a single request goes out, and decides.
    pub pause: Duration,
}

/// The limits of a client.
#[derive(Clone, Debug)]
pub struct Settings {
    /// For one connection: name resolution, TCP and TLS.
    pub connect_timeout: Duration,
    /// For one request, from connecting to the last byte of the answer.
    pub attempt_timeout: Duration,
    /// For one question, all its requests and pauses.
    pub total_timeout: Duration,
    /// Repetitions.
    pub retries: Retries,
    /// The circuit breaker.
    pub breaker: BreakerSettings,
    /// The longest request body, in bytes.
    pub max_question_bytes: usize,
    /// The longest response body, in bytes.
    pub max_answer_bytes: usize,
    /// Requests at one time; each has a thread while it lasts.
    pub max_concurrent: usize,
    /// What tokens cost, if it is to be accounted for.
    pub price: Option<Price>,
    /// Whose certificates are trusted; not read for `http`.
    pub roots: Roots,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            attempt_timeout: Duration::from_secs(60),
            total_timeout: Duration::from_secs(180),
            retries: Retries {
                max_attempts: 3,
                first_pause: Duration::from_millis(500),
                max_pause: Duration::from_secs(8),
                max_retry_after: Duration::from_secs(30),
            },
            breaker: BreakerSettings {
                failures: 5,
                pause: Duration::from_secs(30),
            },
            max_question_bytes: 2 << 20,
            max_answer_bytes: 4 << 20,
            max_concurrent: 8,
            price: None,
            roots: Roots::System,
        }
    }
}

impl Settings {
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let durations = [
            self.connect_timeout,
            self.attempt_timeout,
            self.total_timeout,
        ];
        let zero = durations.iter().any(Duration::is_zero)
            || self.retries.max_attempts == 0
            || self.breaker.failures == 0
            || self.max_question_bytes == 0
            || self.max_answer_bytes == 0
            || self.max_concurrent == 0;
        if zero {
            return Err(SettingsError::ZeroLimit);
        }
        Ok(())
    }
}

/// Where randomness for pauses comes from: injected, so that every test can fix it.
pub trait Jitter: Send + Sync {
    /// Returns 32 bits, each as likely as the others.
    fn next(&self) -> u32;
}

impl<F: Fn() -> u32 + Send + Sync> Jitter for F {
    fn next(&self) -> u32 {
        self()
    }
}

/// What a client needs of the outside.
#[derive(Clone)]
pub struct Surroundings {
    /// Tells when the circuit breaker's pause is over, and when something was paid for.
    pub clock: Arc<dyn Clock>,
    /// Spreads repetitions, so that many clients do not return at once.
    pub jitter: Arc<dyn Jitter>,
    /// Is told of every answer that was paid for.
    pub costs: Option<Arc<dyn CostSink>>,
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Surroundings(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_visible_word_and_never_printed() {
        for bad in ["", "a b", "a\n", "a\r\nx-evil: 1", "schlüssel", "a\0"] {
            assert_eq!(ApiKey::new(bad).err(), Some(SettingsError::Key), "{bad:?}");
        }
        assert!(ApiKey::new("k".repeat(KEY_BYTES + 1)).is_err());
        let key = ApiKey::new("quokkas").expect("a key");
        assert_eq!(
            format!("{key:?} {:?}", Some(&key)),
            "ApiKey(..) Some(ApiKey(..))"
        );
    }

    #[test]
    fn limits_are_above_zero() {
        assert_eq!(Settings::default().check(), Ok(()));
        let zero = Settings {
            max_concurrent: 0,
            ..Settings::default()
        };
        assert_eq!(zero.check(), Err(SettingsError::ZeroLimit));
    }
}
