//! The error of every store: a kind for programs, advice on retrying, words for people.

use std::error::Error;
use std::fmt;

use precedent_redact::{CleanText, Redactor};

use crate::text_enum::text_enum;

text_enum! {
    /// Why a store refused or failed.
    pub enum StoreErrorKind as "store error kind" {
        /// The record does not exist, or may not be seen; the two look alike.
        NotFound = "not-found",
        /// A precondition of the commit no longer holds.
        Conflict = "conflict",
        /// The commit id was used before, for another request.
        CommitReused = "commit-reused",
        /// The request cannot be stored as it stands.
        InvalidInput = "invalid-input",
        /// Others held the store for too long.
        Busy = "busy",
        /// The store may only be read.
        ReadOnly = "read-only",
        /// There is no room left.
        Full = "full",
        /// What is stored is damaged, or is not a store.
        Corrupt = "corrupt",
        /// A newer version wrote the store.
        NewerSchema = "newer-schema",
        /// The keys at hand are not the store's keys.
        KeyMismatch = "key-mismatch",
        /// The backend cannot do this.
        Unsupported = "unsupported",
        /// The system refused to read or write.
        Io = "io",
        /// The audit sink refused to seal.
        Seal = "seal",
        /// The store was closed, or its writer died.
        Closed = "closed",
    }
}

text_enum! {
    /// What a caller may do about a failure.
    pub enum Retry as "retry advice" {
        /// The same request will fail again.
        Never = "never",
        /// The same request may succeed later.
        Later = "later",
        /// The request must be built again from what the store holds now.
        Rebuild = "rebuild",
    }
}

/// How many causes of causes are kept.
const CAUSES: usize = 8;

/// What a driver or the system said of a failure, redacted: a statement, a path or a value in it
/// may hold what nobody should log.
///
/// ```compile_fail
/// let forged = precedent_core::Cause { said: String::from("raw") };
/// ```
pub struct Cause {
    said: CleanText,
    cause: Option<Box<Self>>,
}

impl Cause {
    /// Keeps what an error and its causes say, but not the errors themselves.
    pub fn of(error: &(dyn Error + 'static)) -> Self {
        Self::chain(error, CAUSES)
    }

    fn chain(error: &(dyn Error + 'static), depth: usize) -> Self {
        let deeper = error.source().filter(|_| depth > 1);
        Self {
            said: Redactor::new().clean(&error.to_string()),
            cause: deeper.map(|cause| Box::new(Self::chain(cause, depth - 1))),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said)
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cause({self})")
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

/// A failure of a store.
///
/// Neither `Display` nor `Debug` prints memory content or a driver's text; what the driver said is
/// the [`source`](std::error::Error::source), redacted, for those who ask.
pub struct StoreError {
    /// Why.
    pub kind: StoreErrorKind,
    /// Whether trying again makes sense.
    pub retry: Retry,
    /// What was being done.
    pub operation: &'static str,
    /// What to do next, a fragment in lower case.
    pub next_step: &'static str,
    source: Option<Cause>,
}

impl StoreError {
    /// Makes an error with the retry advice and next step that its kind usually has.
    pub fn new(kind: StoreErrorKind, operation: &'static str) -> Self {
        let (retry, next_step) = usual_advice(kind);
        Self {
            kind,
            retry,
            operation,
            next_step,
            source: None,
        }
    }

    /// Replaces the next step.
    #[must_use]
    pub fn advise(mut self, next_step: &'static str) -> Self {
        self.next_step = next_step;
        self
    }

    /// Attaches what the cause says.
    #[must_use]
    pub fn caused_by(mut self, cause: &(dyn Error + 'static)) -> Self {
        self.source = Some(Cause::of(cause));
        self
    }
}

const fn usual_advice(kind: StoreErrorKind) -> (Retry, &'static str) {
    use StoreErrorKind as K;
    match kind {
        K::NotFound => (Retry::Never, "check the id and the namespace"),
        K::Conflict => (
            Retry::Rebuild,
            "read the record again and repeat the change",
        ),
        K::CommitReused => (Retry::Never, "use a new idempotency key for a new request"),
        K::InvalidInput => (Retry::Never, "correct the request"),
        K::Busy => (Retry::Later, "try again when the other writers are done"),
        K::ReadOnly => (
            Retry::Never,
            "make the store's folder writable or choose another with --store",
        ),
        K::Full => (Retry::Later, "free some space; nothing was written"),
        K::Corrupt => (
            Retry::Never,
            "run `precedent audit verify`, then restore from a backup",
        ),
        K::NewerSchema => (
            Retry::Never,
            "install the newer precedent that wrote this store",
        ),
        K::KeyMismatch => (
            Retry::Never,
            "bring the key folder that belongs to this store",
        ),
        K::Unsupported => (Retry::Never, "use a backend that has this capability"),
        K::Io => (Retry::Later, "check the path and its permissions"),
        K::Seal => (
            Retry::Never,
            "report this: the audit entry could not be made, nothing was written",
        ),
        K::Closed => (Retry::Never, "open the store again"),
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} failed ({}); {}",
            self.operation, self.kind, self.next_step
        )
    }
}

impl fmt::Debug for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreError({self})")
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("no such row: password=Tr0ub4dor")]
    struct Driver(#[source] std::io::Error);

    #[test]
    fn causes_keep_their_words_and_lose_their_secrets() {
        let system = std::io::Error::other("token ghp_".to_owned() + &"a1B2".repeat(9));
        let error = StoreError::new(StoreErrorKind::Io, "reading").caused_by(&Driver(system));
        let mut told = format!("{error} {error:?}");
        assert!(!told.contains("row"), "{told}");
        let mut cause = error.source();
        while let Some(next) = cause {
            told.push_str(&format!("\n{next} {next:?}"));
            cause = next.source();
        }
        assert!(told.contains("no such row"), "{told}");
        assert_eq!(told.lines().count(), 3);
        assert!(
            !told.contains("Tr0ub4") && !told.contains("a1B2a1B2"),
            "{told}"
        );
    }
}
