//! Breaking indexes on purpose, for tests of what happens then.

use precedent_core::{Kind, Lane, StoreError, StoreErrorKind};

use crate::lanes::tables;
use crate::store::SqliteStore;

/// How an index is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneBreak {
    /// Its tables are dropped.
    Drop,
    /// Its tables are emptied.
    Empty,
}

impl SqliteStore {
    /// Breaks the index of one kind and lane in the file itself.
    ///
    /// # Errors
    /// [`StoreError`]: `unsupported` on a store that was not opened for tests.
    pub async fn break_lane(
        &self,
        kind: Kind,
        lane: Lane,
        how: LaneBreak,
    ) -> Result<(), StoreError> {
        const OPERATION: &str = "breaking an index";
        if !self.config().testkit {
            let error = StoreError::new(StoreErrorKind::Unsupported, OPERATION);
            return Err(error.advise("open the store for tests"));
        }
        let tables = tables::of(kind);
        let sql = match (lane, how) {
            (Lane::Lexical, LaneBreak::Drop) => tables.drop_lexical,
            (Lane::Lexical, LaneBreak::Empty) => tables.empty_lexical,
            (Lane::Vector, LaneBreak::Drop) => tables.drop_vector,
            (Lane::Vector, LaneBreak::Empty) => tables.empty_vector,
        };
        self.run(OPERATION, move |database| Ok(database.execute_batch(sql)?))
            .await
    }
}
