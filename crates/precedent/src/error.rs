//! The one error of the facade.

use std::fmt;

use precedent_audit::key::KeyFileError;
use precedent_core::{Cause, CleanText, Redactor, Retry, StoreError, StoreErrorKind};
use precedent_engine::EngineError;

/// What kind of failure it is, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is at fault.
    InvalidInput,
    /// The store's address is at fault.
    InvalidAddress,
    /// The store refused or failed.
    Store(StoreErrorKind),
    /// The keys cannot be used.
    Keys,
    /// A language model could not be asked.
    Model,
}

impl ErrorKind {
    /// Returns the kind's one spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid-input",
            Self::InvalidAddress => "invalid-address",
            Self::Store(kind) => kind.as_str(),
            Self::Keys => "keys",
            Self::Model => "model",
        }
    }
}

/// A failure, with what to do about it. Neither `Display` nor `Debug` prints memory content, and
/// what they print has passed the redactor, as have the words of its source.
///
/// ```compile_fail
/// fn forge(error: &mut precedent::Error) {
///     error.next_step = String::from("raw");
/// }
/// ```
pub struct Error {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// Whether trying again makes sense.
    pub retry: Retry,
    /// What was being done.
    pub operation: &'static str,
    /// What to do next, a fragment in lower case.
    pub next_step: CleanText,
    source: Option<Cause>,
}

impl Error {
    pub(crate) fn new(
        kind: ErrorKind,
        operation: &'static str,
        next_step: impl AsRef<str>,
    ) -> Self {
        Self {
            kind,
            retry: Retry::Never,
            operation,
            next_step: Redactor::new().clean(next_step.as_ref()),
            source: None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed: {}", self.operation, self.next_step)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({}: {self})", self.kind.as_str())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let next_step = format!("{}; {}", describe(error.kind), error.next_step);
        Self {
            retry: error.retry,
            source: Some(Cause::of(&error)),
            ..Self::new(ErrorKind::Store(error.kind), error.operation, next_step)
        }
    }
}

/// Says in words what a store's failure means.
const fn describe(kind: StoreErrorKind) -> &'static str {
    use StoreErrorKind as K;
    match kind {
        K::NotFound => "there is no such record here",
        K::Conflict => "the record has changed meanwhile",
        K::CommitReused => "this idempotency key was used for another request",
        K::InvalidInput => "the request cannot be stored as it stands",
        K::Busy => "other processes held the store for too long",
        K::ReadOnly => "the store cannot be written",
        K::Full => "the disk is full",
        K::Corrupt => "the file is damaged or is not a precedent store",
        K::NewerSchema => "a newer version wrote this store",
        K::KeyMismatch => "these are not the keys of this store",
        K::Unsupported => "this store cannot do that",
        K::Io => "the system refused to read or write",
        K::Seal => "the audit entry could not be made",
        K::Closed => "the store is closed",
    }
}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Store(error) => error.into(),
            error @ EngineError::Reason { .. } => Self {
                retry: Retry::Later,
                ..Self::new(ErrorKind::Model, "remembering", error.to_string())
            },
            error => Self::new(
                ErrorKind::InvalidInput,
                "checking the request",
                error.to_string(),
            ),
        }
    }
}

impl From<KeyFileError> for Error {
    fn from(error: KeyFileError) -> Self {
        Self {
            source: Some(Cause::of(&error)),
            ..Self::new(ErrorKind::Keys, "opening the keys", error.to_string())
        }
    }
}
