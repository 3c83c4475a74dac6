//! Breaking indexes on purpose, for tests of what happens then.

use precedent_core::{Kind, Lane, StoreError, StoreErrorKind};

use crate::lanes::tables;
use crate::schema;
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
    /// Runs SQL on the store's file, as somebody with access to the disk could.
    ///
    /// # Errors
    /// [`StoreError`]: `unsupported` on a store that was not made for tests.
    pub async fn tamper(&self, sql: String) -> Result<(), StoreError> {
        const OPERATION: &str = "tampering with the store";
        self.check_testkit(OPERATION)?;
        self.run(OPERATION, move |database| Ok(database.execute_batch(&sql)?))
            .await
    }

    fn check_testkit(&self, operation: &'static str) -> Result<(), StoreError> {
        let made_for_it = self.snapshot(operation, |database, _| {
            Ok(schema::meta(database, schema::BREAKABLE)?.is_some())
        })?;
        if made_for_it {
            return Ok(());
        }
        let error = StoreError::new(StoreErrorKind::Unsupported, operation);
        Err(error.advise("make a store for tests; this one may hold what somebody needs"))
    }

    /// Breaks the index of one kind and lane in the file itself.
    ///
    /// # Errors
    /// [`StoreError`]: `unsupported` on a store that was not made for tests.
    pub async fn break_lane(
        &self,
        kind: Kind,
        lane: Lane,
        how: LaneBreak,
    ) -> Result<(), StoreError> {
        const OPERATION: &str = "breaking an index";
        self.check_testkit(OPERATION)?;
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
