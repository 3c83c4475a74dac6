//! Breaking indexes and crashing on purpose, for tests of what happens then.

use precedent_core::{Kind, Lane, StoreError, StoreErrorKind};
use rusqlite::Connection;

use crate::config::SqliteConfig;
use crate::error::Fallible;
use crate::lanes::tables;
use crate::schema::{self, Condition};
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
            Ok(())
        } else {
            Err(not_for_tests(operation))
        }
    }

    /// Counts the fail points that commits pass from 0 again, and lets the store crash at point
    /// `at`, from 1, or at none.
    ///
    /// A fail point lies between two steps of a commit. A store that crashed writes nothing more,
    /// also when it is dropped, and answers with an error; its file is as the end of the process
    /// would have left it.
    ///
    /// # Errors
    /// [`StoreError`]: `unsupported` on a store that was not made for tests, `io` on one that
    /// crashed.
    pub fn arm(&self, at: Option<u64>) -> Result<(), StoreError> {
        self.check_testkit("arming a fail point")?;
        self.points().arm(at);
        Ok(())
    }

    /// Returns how many fail points commits have passed since the store was armed; 0 before.
    pub fn passed(&self) -> u64 {
        self.points().passed()
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

/// Refuses to leave out the syncs of a store that was not made for tests, or would not be.
pub(crate) fn check_unsynced(
    database: &Connection,
    config: &SqliteConfig,
    condition: Condition,
) -> Fallible<()> {
    let made_for_it = !config.unsynced
        || match condition {
            Condition::Blank => config.testkit,
            _ => schema::meta(database, schema::BREAKABLE)?.is_some(),
        };
    if made_for_it {
        Ok(())
    } else {
        Err(not_for_tests("opening a store without syncs").into())
    }
}

fn not_for_tests(operation: &'static str) -> StoreError {
    StoreError::new(StoreErrorKind::Unsupported, operation)
        .advise("make a store for tests; this one may hold what somebody needs")
}
