//! What can go wrong below the contract, and how it is told without the driver's words.

use precedent_core::{RecallCode, StoreError, StoreErrorKind};
use rusqlite::ErrorCode;

/// A failure on its way to the caller, before the operation's name is known.
pub(crate) enum Failure {
    /// Already in the contract's terms.
    Store(StoreError),
    /// The engine refused or failed.
    Engine(rusqlite::Error),
    /// What is stored does not mean anything.
    Unreadable,
}

/// What the inner layers return.
pub(crate) type Fallible<T> = Result<T, Failure>;

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Engine(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Failure {
    /// Refuses with a kind, in the name of `operation`.
    pub(crate) fn refuse(kind: StoreErrorKind, operation: &'static str) -> Self {
        Self::Store(StoreError::new(kind, operation))
    }

    /// Tells whether a table, or a row that was opened by its number, is not there.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Engine(error) if is_missing(error))
    }

    /// Tells whether what is stored is damaged or not there, as opposed to out of reach.
    pub(crate) fn is_broken_index(&self) -> bool {
        match self {
            Self::Unreadable => true,
            Self::Engine(error) => kind_of(error) == StoreErrorKind::Corrupt,
            Self::Store(_) => false,
        }
    }

    /// Tells whether others held the database.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Engine(error) if kind_of(error) == StoreErrorKind::Busy)
    }

    /// Gives the contract's error.
    pub(crate) fn into_error(self, operation: &'static str) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Unreadable => StoreError::new(StoreErrorKind::Corrupt, operation),
            Self::Engine(error) => {
                let mut told = StoreError::new(kind_of(&error), operation);
                if is_missing(&error) {
                    told = told.advise("run `precedent maintain reindex`");
                }
                told.caused_by(&error)
            }
        }
    }

    /// Gives the code of a lane that failed this way.
    pub(crate) fn into_code(self) -> RecallCode {
        match self {
            Self::Engine(error) if is_missing(&error) => RecallCode::Missing,
            Self::Engine(error) if kind_of(&error) == StoreErrorKind::Corrupt => {
                RecallCode::Corrupt
            }
            Self::Unreadable => RecallCode::Corrupt,
            Self::Engine(_) | Self::Store(_) => RecallCode::Unavailable,
        }
    }
}

/// SQLite has no code of its own for what is not there, only SQLITE_ERROR and a text.
fn is_missing(error: &rusqlite::Error) -> bool {
    let told = match error {
        rusqlite::Error::SqliteFailure(_, Some(text)) => text.as_str(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.as_str(),
        _ => return false,
    };
    told.starts_with("no such table") || told.starts_with("no such rowid")
}

/// Result codes as <https://www.sqlite.org/rescode.html> explains them.
fn kind_of(error: &rusqlite::Error) -> StoreErrorKind {
    use rusqlite::Error as E;
    match error {
        E::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::OperationInterrupted
            | ErrorCode::FileLockingProtocolFailed => StoreErrorKind::Busy,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreErrorKind::ReadOnly,
            ErrorCode::DiskFull => StoreErrorKind::Full,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreErrorKind::Corrupt,
            ErrorCode::ConstraintViolation => StoreErrorKind::Conflict,
            ErrorCode::TooBig => StoreErrorKind::InvalidInput,
            // A statement that no longer fits the schema: the file is not what it should be.
            ErrorCode::Unknown | ErrorCode::SchemaChanged => StoreErrorKind::Corrupt,
            _ => StoreErrorKind::Io,
        },
        E::SqlInputError { .. }
        | E::FromSqlConversionFailure(..)
        | E::IntegralValueOutOfRange(..)
        | E::InvalidColumnType(..)
        | E::Utf8Error(..)
        | E::QueryReturnedNoRows => StoreErrorKind::Corrupt,
        E::InvalidPath(..) | E::NulError(..) => StoreErrorKind::InvalidInput,
        _ => StoreErrorKind::Io,
    }
}

/// Gives the contract's error for a failure of the file system.
pub(crate) fn file_error(error: std::io::Error, operation: &'static str) -> StoreError {
    use std::io::ErrorKind as E;
    let kind = match error.kind() {
        E::PermissionDenied | E::ReadOnlyFilesystem => StoreErrorKind::ReadOnly,
        E::StorageFull | E::QuotaExceeded => StoreErrorKind::Full,
        E::InvalidInput | E::InvalidFilename => StoreErrorKind::InvalidInput,
        _ => StoreErrorKind::Io,
    };
    StoreError::new(kind, operation).caused_by(&error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drivers_words_stay_in_the_source() {
        let database = rusqlite::Connection::open_in_memory().unwrap();
        let error = database.prepare("SELECT secret FROM nowhere").unwrap_err();
        let failure = Failure::from(error);
        assert!(failure.is_missing());
        let told = failure.into_error("reading");
        assert_eq!(told.kind, StoreErrorKind::Corrupt);
        assert!(!format!("{told} {told:?}").contains("nowhere"));
    }

    #[test]
    fn a_file_that_is_no_database_is_corrupt() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, vec![0xffu8; 8192]).unwrap();
        let database = rusqlite::Connection::open(&path).unwrap();
        let error = database
            .execute_batch("SELECT * FROM sqlite_schema")
            .unwrap_err();
        assert_eq!(Failure::from(error).into_code(), RecallCode::Corrupt);
    }
}
