//! The stores whose ranking is compared.

use std::sync::Arc;

use precedent_core::{Backend, MemStore, StoreId};
use precedent_store_sqlite::{SqliteConfig, SqliteStore};
use precedent_store_test::data::space;
use precedent_store_test::store::TestStore;

/// Runs an asynchronous check on a fresh store of each backend.
pub fn each(check: impl AsyncFn(&TestStore)) {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    for store in [mem(), sqlite(&folder)] {
        futures_executor::block_on(check(&TestStore::over(store)));
    }
}

fn mem() -> Arc<dyn Backend> {
    Arc::new(MemStore::new(Some(space())))
}

fn sqlite(folder: &tempfile::TempDir) -> Arc<dyn Backend> {
    let path = folder.path().join("store.db");
    let mut config = SqliteConfig::new(path, StoreId::from_bytes([7; 16]));
    config.space = Some(space());
    // Low enough for indexes that are staged, folded and both.
    config.staged = 4;
    Arc::new(SqliteStore::open(config).expect("the store opens"))
}
