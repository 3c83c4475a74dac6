//! The SQLite store passes the conformance suite.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use precedent_core::{Backend, EmbeddingSpace, Kind, Lane, StoreId};
use precedent_store_sqlite as sqlite;
use precedent_store_sqlite::{SqliteConfig, SqliteStore};
use precedent_store_test::{FailPoints, Harness, LaneBreak, Need, Opened};
use tempfile::TempDir;

#[derive(Clone)]
struct Known {
    store: SqliteStore,
    path: PathBuf,
}

struct SqliteHarness {
    folder: TempDir,
    opened: Opened<Known>,
    next: AtomicU64,
    /// Folders of the latest relaxed stores.
    relaxed: Mutex<VecDeque<TempDir>>,
}

/// How many relaxed stores may be open at once; a long run makes thousands, one after the other.
const RELAXED: usize = 16;

impl SqliteHarness {
    fn new() -> Self {
        let folder = TempDir::new().expect("there is room for a temporary folder");
        Self {
            folder,
            opened: Opened::default(),
            next: AtomicU64::new(0),
            relaxed: Mutex::default(),
        }
    }

    fn at(&self, path: PathBuf, space: &EmbeddingSpace) -> Arc<dyn Backend> {
        let store = SqliteStore::open(Self::config(path.clone(), space)).expect("the store opens");
        let backend: Arc<dyn Backend> = Arc::new(store.clone());
        self.opened.keep(&backend, Known { store, path });
        backend
    }

    fn config(path: PathBuf, space: &EmbeddingSpace) -> SqliteConfig {
        let mut config = SqliteConfig::new(path, StoreId::from_bytes([7; 16]));
        config.space = Some(space.clone());
        config.testkit = true;
        // Low enough for the suite to meet indexes that are staged, folded and both.
        config.staged = 4;
        config
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

    /// Not [kept](Opened): a long run would hold all of its stores open.
    async fn open_relaxed(&self, space: &EmbeddingSpace) -> Arc<dyn Backend> {
        let folder = TempDir::new_in(self.folder.path()).expect("there is room for another");
        let mut config = Self::config(folder.path().join("store.db"), space);
        config.unsynced = true;
        let mut folders = self.relaxed.lock().unwrap_or_else(PoisonError::into_inner);
        folders.push_back(folder);
        if folders.len() > RELAXED {
            drop(folders.pop_front());
        }
        Arc::new(SqliteStore::open(config).expect("the store opens"))
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

    fn fail_points(&self) -> Option<&dyn FailPoints> {
        Some(self)
    }
}

#[async_trait]
impl FailPoints for SqliteHarness {
    fn arm(&self, store: &Arc<dyn Backend>, at: Option<u64>) {
        let known = self.opened.find(store).expect("it was opened here");
        known.store.arm(at).expect("it was made for tests");
    }

    fn passed(&self, store: &Arc<dyn Backend>) -> u64 {
        let known = self.opened.find(store).expect("it was opened here");
        known.store.passed()
    }

    async fn recover(&self, store: Arc<dyn Backend>, space: &EmbeddingSpace) -> Arc<dyn Backend> {
        // Dropping a store that crashed writes nothing.
        self.reopen(store, space).await
    }
}

precedent_store_test::conformance!(SqliteHarness::new());
