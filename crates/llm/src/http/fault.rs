//! What a request without an answer means: for who asked, for the next request, for the breaker.

use std::time::Duration;

use precedent_core::{ModelError, ModelErrorKind, Retry};
use serde::Deserialize;
use serde_json::Value;

use super::transport::Failure;

/// Why a request gave no answer, and what follows for the client.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) error: ModelError,
    /// The same request may do better at once.
    pub(crate) again: bool,
    /// The provider did its part: it understood, and said no.
    pub(crate) healthy: bool,
}

impl Fault {
    /// A failure that may pass.
    pub(crate) fn passing(error: ModelError) -> Self {
        Self {
            error,
            again: true,
            healthy: false,
        }
    }

    /// A failure that stays.
    pub(crate) fn lasting(error: ModelError) -> Self {
        Self {
            error,
            again: false,
            healthy: false,
        }
    }

    /// A refusal.
    pub(crate) fn refusal(error: ModelError) -> Self {
        Self {
            error,
            again: false,
            healthy: true,
        }
    }
}

/// Sorts a status other than 200, by RFC 9110 and the error tables of the OpenAI and Anthropic
/// references; of the body only known names count.
pub(crate) fn refused(
    purpose: &'static str,
    status: u16,
    body: &[u8],
    asked_for: Option<Duration>,
) -> Fault {
    use ModelErrorKind as K;
    let error = |kind| {
        ModelError::new(kind, purpose)
            .with_status(status)
            .after(asked_for)
    };
    let quota = || {
        Fault::refusal(error(K::RateLimited).advise(Retry::Never, "check the plan and its billing"))
    };
    match (status, reason(body)) {
        (402, _) | (400..=499, Some(Reason::Quota)) => quota(),
        (413, _) | (400..=499, Some(Reason::TooLarge)) => Fault::refusal(error(K::TooLarge)),
        (401 | 403, _) => Fault::refusal(error(K::Auth)),
        (408, _) => Fault::passing(error(K::Timeout)),
        (429, _) => Fault::passing(error(K::RateLimited)),
        (503 | 529, _) => Fault::passing(error(K::Overloaded)),
        (500..=599, _) => Fault::passing(error(K::Unavailable)),
        (300..=399, _) => Fault::lasting(error(K::Rejected).advise(
            Retry::Never,
            "give the address that the service moved to; redirects are not followed",
        )),
        (400..=499, _) => Fault::refusal(error(K::Rejected)),
        _ => Fault::lasting(error(K::Malformed)),
    }
}

enum Reason {
    Quota,
    TooLarge,
}

/// Returns the reason that a refusal names, if it is a known one that the status does not tell.
fn reason(body: &[u8]) -> Option<Reason> {
    #[derive(Deserialize)]
    struct Body {
        error: Named,
    }
    #[derive(Deserialize)]
    struct Named {
        code: Option<Value>,
        r#type: Option<Value>,
    }
    let Body { error } = serde_json::from_slice(body).ok()?;
    [error.code, error.r#type]
        .iter()
        .flatten()
        .filter_map(Value::as_str)
        .find_map(|name| match name {
            "insufficient_quota" | "billing_not_active" | "billing_error" => Some(Reason::Quota),
            "context_length_exceeded" | "string_above_max_length" | "request_too_large" => {
                Some(Reason::TooLarge)
            }
            _ => None,
        })
}

/// Tells what a failure of the transport means for a question.
pub(crate) fn failed(purpose: &'static str, failure: &Failure) -> Fault {
    use ModelErrorKind as K;
    let error = |kind| ModelError::new(kind, purpose);
    match failure {
        Failure::Timeout => Fault::passing(error(K::Timeout)),
        Failure::Unreachable(cause) => Fault::passing(error(K::Unavailable).caused_by(cause)),
        Failure::Closed => Fault::passing(error(K::Unavailable)),
        Failure::Tls(cause) => Fault::lasting(
            error(K::Unavailable)
                .advise(
                    Retry::Never,
                    "check the address and the trusted certificates",
                )
                .caused_by(cause),
        ),
        Failure::Cut => Fault::passing(error(K::CutOff)),
        Failure::TooLarge => Fault::lasting(error(K::TooLarge)),
        Failure::NotHttp => Fault::lasting(error(K::Malformed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_has_its_kind() {
        use ModelErrorKind as K;
        let quota = br#"{"error":{"message":"quokkas","code":"insufficient_quota"}}"#.as_slice();
        let long = br#"{"error":{"code":"context_length_exceeded"}}"#.as_slice();
        let billing = br#"{"type":"error","error":{"type":"billing_error"}}"#.as_slice();
        let number = br#"{"error":{"code":429,"type":null}}"#.as_slice();
        for (status, body, kind, again, healthy) in [
            (401, b"".as_slice(), K::Auth, false, true),
            (403, b"", K::Auth, false, true),
            (402, b"", K::RateLimited, false, true),
            (403, billing, K::RateLimited, false, true),
            (408, b"", K::Timeout, true, false),
            (429, b"", K::RateLimited, true, false),
            (429, number, K::RateLimited, true, false),
            (429, quota, K::RateLimited, false, true),
            (400, b"", K::Rejected, false, true),
            (404, b"", K::Rejected, false, true),
            (400, long, K::TooLarge, false, true),
            (413, b"", K::TooLarge, false, true),
            (500, quota, K::Unavailable, true, false),
            (502, b"", K::Unavailable, true, false),
            (503, b"", K::Overloaded, true, false),
            (529, b"", K::Overloaded, true, false),
            (302, b"", K::Rejected, false, false),
            (204, b"", K::Malformed, false, false),
        ] {
            let fault = refused("test", status, body, None);
            let found = (fault.error.kind, fault.again, fault.healthy);
            assert_eq!(found, (kind, again, healthy), "{status}");
            assert_eq!(fault.error.status, Some(status));
            assert!(!format!("{fault:?}").contains("quokkas"));
            if again {
                assert_eq!(fault.error.retry, Retry::Later, "{status}");
            }
        }
    }
}
