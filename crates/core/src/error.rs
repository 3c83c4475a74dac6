//! The error of every store: a kind for programs, advice on retrying, words for people.

use std::fmt;

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

/// A failure of a store.
///
/// Neither `Display` nor `Debug` prints memory content or a driver's text; the driver's error is
/// the [`source`](std::error::Error::source), for those who ask.
pub struct StoreError {
    /// Why.
    pub kind: StoreErrorKind,
    /// Whether trying again makes sense.
    pub retry: Retry,
    /// What was being done.
    pub operation: &'static str,
    /// What to do next, a fragment in lower case.
    pub next_step: &'static str,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
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

    /// Attaches the cause.
    #[must_use]
    pub fn caused_by(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.source = Some(source.into());
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

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
