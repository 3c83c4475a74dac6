//! A store that is open, of whichever backend its address chose.

use std::sync::Arc;

use precedent_core::{AuditSink, Backend, MemStore, StoreError, StoreErrorKind};

use crate::error::Error;

/// A store of one of the compiled backends.
#[derive(Clone)]
pub(crate) enum OpenStore {
    Mem(MemStore),
    #[cfg(feature = "sqlite")]
    Sqlite(precedent_store_sqlite::SqliteStore),
}

impl OpenStore {
    /// Refuses keys that are not the store's: what they sign, nobody could verify, and what they
    /// digest would not compare.
    pub(crate) fn check_keys(&self, sink: &dyn AuditSink) -> Result<(), Error> {
        let bound: Option<Vec<String>> = match self {
            Self::Mem(_) => None,
            #[cfg(feature = "sqlite")]
            Self::Sqlite(store) => store.key_ids()?,
        };
        match bound {
            Some(ids) if ids != sink.key_ids() => {
                Err(StoreError::new(StoreErrorKind::KeyMismatch, "opening the store").into())
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn backend(&self) -> Arc<dyn Backend> {
        match self {
            Self::Mem(store) => Arc::new(store.clone()),
            #[cfg(feature = "sqlite")]
            Self::Sqlite(store) => Arc::new(store.clone()),
        }
    }
}
