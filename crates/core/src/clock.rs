//! Where time and new identifiers come from: injected, so that every test can fix them.

use crate::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Returns the present instant.
    fn now(&self) -> Timestamp;
}

/// Makes identifiers that no other source makes.
pub trait IdSource: Send + Sync {
    /// Returns 16 fresh bytes whose first six are `now` in milliseconds, as ULIDs have them, so
    /// that ids sort by time.
    fn next(&self, now: Timestamp) -> [u8; 16];
}
