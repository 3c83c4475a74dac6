//! The reference store as a backend under test.

use std::sync::Arc;

use async_trait::async_trait;
use precedent_core::{Backend, EmbeddingSpace, Kind, Lane, MemStore, RecallCode};

use crate::{Harness, LaneBreak, Need, Opened};

/// Makes stores in memory; the model that other backends are compared with.
#[derive(Default)]
pub struct MemHarness {
    opened: Opened<MemStore>,
}

#[async_trait]
impl Harness for MemHarness {
    fn backend(&self) -> &'static str {
        "mem"
    }

    fn lacks(&self, need: Need) -> Option<&'static str> {
        match need {
            Need::Reopen | Need::FailPoints => Some("gone with its last handle"),
            Need::Nothing | Need::Break(_) => None,
        }
    }

    async fn open(&self, space: &EmbeddingSpace) -> Arc<dyn Backend> {
        let store = MemStore::new(Some(space.clone()));
        let backend: Arc<dyn Backend> = Arc::new(store.clone());
        self.opened.keep(&backend, store);
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
            .find(store)
            .expect("the store was opened by this harness")
            .break_lane(kind, lane, code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    /// Hands the store back on reopening, as a durable one would be found again, so that the
    /// cases which this backend has to ignore run somewhere at least.
    #[derive(Default)]
    struct Kept(MemHarness);

    #[async_trait]
    impl Harness for Kept {
        fn backend(&self) -> &'static str {
            "kept"
        }

        fn lacks(&self, _need: Need) -> Option<&'static str> {
            None
        }

        async fn open(&self, space: &EmbeddingSpace) -> Arc<dyn Backend> {
            self.0.open(space).await
        }

        async fn reopen(&self, store: Arc<dyn Backend>, _: &EmbeddingSpace) -> Arc<dyn Backend> {
            store
        }

        async fn break_lane(
            &self,
            store: &Arc<dyn Backend>,
            kind: Kind,
            lane: Lane,
            how: LaneBreak,
        ) {
            self.0.break_lane(store, kind, lane, how).await;
        }
    }

    #[test]
    fn cases_of_reopening_hold_for_a_store_that_was_kept() {
        let reopening: Vec<_> = cases().filter(|case| case.need == Need::Reopen).collect();
        assert!(!reopening.is_empty());
        for case in reopening {
            case.run(&Kept::default());
        }
    }
}
