//! The SQLite store passes the conformance suite.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use precedent_core::{Backend, EmbeddingSpace, Kind, Lane, StoreId};
use precedent_store_sqlite as sqlite;
use precedent_store_sqlite::{SqliteConfig, SqliteStore};
use precedent_store_test::{Harness, LaneBreak, Need, Opened};

#[derive(Clone)]
struct Known {
    store: SqliteStore,
    path: PathBuf,
}

struct SqliteHarness {
    folder: tempfile::TempDir,
    opened: Opened<Known>,
    next: AtomicU64,
}

impl SqliteHarness {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        Self {
            folder,
            opened: Opened::default(),
            next: AtomicU64::new(0),
        }
    }

    fn at(&self, path: PathBuf, space: &EmbeddingSpace) -> Arc<dyn Backend> {
        let mut config = SqliteConfig::new(path.clone(), StoreId::from_bytes([7; 16]));
        config.space = Some(space.clone());
        config.testkit = true;
        // Low enough for the suite to meet indexes that are staged, folded and both.
        config.staged = 4;
        let store = SqliteStore::open(config).expect("the store opens");
        let backend: Arc<dyn Backend> = Arc::new(store.clone());
        self.opened.keep(&backend, Known { store, path });
        backend
    }
}

#[async_trait]
impl Harness for SqliteHarness {
    fn backend(&self) -> &'static str {
        "sqlite"
    }

    fn lacks(&self, _need: Need) -> Option<&'static str> {
        None
    }

    async fn open(&self, space: &EmbeddingSpace) -> Arc<dyn Backend> {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        self.at(self.folder.path().join(format!("{n}.db")), space)
    }

    async fn reopen(&self, store: Arc<dyn Backend>, space: &EmbeddingSpace) -> Arc<dyn Backend> {
        let path = self.opened.take(&store).expect("it was opened here").path;
        drop(store);
        self.at(path, space)
    }

    async fn break_lane(&self, store: &Arc<dyn Backend>, kind: Kind, lane: Lane, how: LaneBreak) {
        let how = match how {
            LaneBreak::Missing => sqlite::LaneBreak::Drop,
            LaneBreak::Emptied => sqlite::LaneBreak::Empty,
        };
        let store = self.opened.find(store).expect("it was opened here").store;
        store
            .break_lane(kind, lane, how)
            .await
            .expect("a store made for tests can be broken");
    }
}

precedent_store_test::conformance!(SqliteHarness::new());
