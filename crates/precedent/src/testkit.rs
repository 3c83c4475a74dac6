//! Breaking a store on purpose, to see what is made of it.

use precedent_core::{Kind, Lane, RecallCode};

use crate::error::Error;
use crate::memory::Memory;
use crate::opened::OpenStore;

/// How an index is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneBreak {
    /// The index is gone.
    Drop,
    /// The index is there and holds nothing.
    Empty,
}

impl Memory {
    /// Runs SQL on the store's file, as somebody with access to the disk could.
    ///
    /// # Errors
    /// [`Error`] when the store was not made with [`Builder::testkit`](crate::Builder::testkit).
    #[cfg(feature = "sqlite")]
    pub fn tamper(&self, sql: &str) -> Result<(), Error> {
        match &self.parts.store {
            OpenStore::Mem(_) => Ok(()),
            OpenStore::Sqlite(store) => {
                Ok(futures_executor::block_on(store.tamper(sql.to_owned()))?)
            }
        }
    }

    /// Breaks the index of one lane and kind; only stores made for it let themselves be broken.
    ///
    /// # Errors
    /// [`Error`] when the store was not made with [`Builder::testkit`](crate::Builder::testkit).
    pub fn break_lane(&self, kind: Kind, lane: Lane, how: LaneBreak) -> Result<(), Error> {
        match &self.parts.store {
            OpenStore::Mem(store) => {
                let code = match how {
                    LaneBreak::Drop => RecallCode::Missing,
                    LaneBreak::Empty => RecallCode::Stale,
                };
                store.break_lane(kind, lane, code);
                Ok(())
            }
            #[cfg(feature = "sqlite")]
            OpenStore::Sqlite(store) => {
                let how = match how {
                    LaneBreak::Drop => precedent_store_sqlite::LaneBreak::Drop,
                    LaneBreak::Empty => precedent_store_sqlite::LaneBreak::Empty,
                };
                Ok(futures_executor::block_on(
                    store.break_lane(kind, lane, how),
                )?)
            }
        }
    }
}
