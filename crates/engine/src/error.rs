//! What can go wrong on the write path.

use precedent_core::{NamespaceError, StoreError};

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
    /// The validity ends before it begins.
    #[error("valid-to is not after valid-from; swap them or leave one out")]
    EmptyValidity,
    /// A memory that somebody vouches for would be replaced by one that nobody vouches for.
    #[error("the memory to replace is vouched for; vouch for its replacement too")]
    Unvouched,
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
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
