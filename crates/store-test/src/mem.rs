//! The reference store as a backend under test.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use precedent_core::{Backend, EmbeddingSpace, Kind, Lane, MemStore, RecallCode};

use crate::{Harness, LaneBreak, Need};

/// Makes stores in memory; the model that other backends are compared with.
#[derive(Default)]
pub struct MemHarness {
    /// Stores that were opened here, by address, since breaking is not part of the contract.
    opened: Mutex<HashMap<usize, MemStore>>,
}

impl MemHarness {
    fn address(store: &Arc<dyn Backend>) -> usize {
        Arc::as_ptr(store).cast::<()>().addr()
    }
}

#[async_trait]
impl Harness for MemHarness {
    fn backend(&self) -> &'static str {
        "mem"
    }

    fn lacks(&self, need: Need) -> Option<&'static str> {
        match need {
            Need::Reopen => Some("gone with its last handle"),
            Need::Nothing | Need::Break(_) => None,
        }
    }

    async fn open(&self, space: &EmbeddingSpace) -> Arc<dyn Backend> {
        let store = MemStore::new(Some(space.clone()));
        let backend: Arc<dyn Backend> = Arc::new(store.clone());
        self.opened
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(Self::address(&backend), store);
        backend
    }

    async fn reopen(&self, store: Arc<dyn Backend>, _space: &EmbeddingSpace) -> Arc<dyn Backend> {
        store
    }

    async fn break_lane(&self, store: &Arc<dyn Backend>, kind: Kind, lane: Lane, how: LaneBreak) {
        let code = match how {
            LaneBreak::Missing => RecallCode::Missing,
            LaneBreak::Emptied => RecallCode::Stale,
        };
        self.opened
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&Self::address(store))
            .expect("the store was opened by this harness")
            .break_lane(kind, lane, code);
    }
}
