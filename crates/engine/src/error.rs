//! What can go wrong on the write path.

use precedent_core::{Grant, NamespaceError, State, StoreError, StoreErrorKind};

use crate::{Egress, ReasonError, Stage};

/// A request that cannot be carried out as it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputFault {
    /// There is nothing to remember.
    #[error("the text is empty; say what to remember")]
    EmptyText,
    /// The text is too long.
    #[error("the text has {bytes} bytes, the limit is {limit}; shorten it or raise the limit")]
    TextTooLong {
        /// Its length, in bytes.
        bytes: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// A text has a NUL byte, which no command line and few databases can hold.
    #[error("the {0} has a NUL byte; remove it")]
    NulByte(&'static str),
    /// There are too many of something.
    #[error("there are {count} {what}, the limit is {limit}; leave some out")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// A tag, a context name or a context value is too long.
    #[error("a {what} has {bytes} bytes, the limit is {limit}; shorten it")]
    FieldTooLong {
        /// Which field.
        what: &'static str,
        /// Its length, in bytes.
        bytes: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The validity ends before it begins; without a beginning, it begins at present.
    #[error("valid-to is not after valid-from; say when it began to hold, or swap them")]
    EmptyValidity,
    /// A memory that somebody vouches for would be replaced by one that nobody vouches for.
    #[error("the memory to replace is vouched for; vouch for its replacement too")]
    Unvouched,
    /// Somebody vouches for what is not to be trusted.
    #[error("what is vouched for cannot be untrusted; leave one of the two out")]
    Contrary,
    /// Nothing would change.
    #[error("nothing would change; check the key and the instant")]
    Unchanged,
    /// A claim has no subject or no key.
    #[error("the subject or the key is empty; name both or neither")]
    EmptyClaim,
    /// The access list of a memory leaves out who writes it.
    #[error("the access list leaves out its writer; add the writer or one of its groups")]
    Unlisted,
    /// Nobody is on the access lists of all sources.
    #[error("nobody may see all sources of this memory; name fewer of them")]
    NoReader,
    /// The subject and the key are held by another memory.
    #[error("another memory holds under this subject and key; retire it first")]
    Held,
    /// The memories cannot contradict each other.
    #[error(
        "the memories are for different readers or about different keys; name two that are not"
    )]
    Unrelated,
    /// The memory does not stand where the change would have to find it.
    #[error("the memory is {state}; this change is not for such a memory")]
    WrongState {
        /// Where it stands.
        state: State,
    },
    /// A lane or a standing was asked for that the host did not grant.
    #[error("`{0}` is not granted to this principal; ask the host of the store for it")]
    NotGranted(Grant),
    /// A namespace or a name is malformed.
    #[error(transparent)]
    Name(#[from] NamespaceError),
}

/// Why a request failed; the store is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The request is at fault.
    #[error(transparent)]
    Input(#[from] InputFault),
    /// Content would have gone where it may not.
    #[error(transparent)]
    Egress(#[from] Egress),
    /// A language model could not be asked, and nothing was stored.
    #[error("{stage} failed: {error}")]
    Reason {
        /// The stage that asked.
        stage: Stage,
        /// Why.
        error: ReasonError,
    },
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EngineError {
    /// What does not exist, may not be seen or is not granted; all look alike.
    pub(crate) fn not_found(operation: &'static str) -> Self {
        StoreError::new(StoreErrorKind::NotFound, operation).into()
    }
}
