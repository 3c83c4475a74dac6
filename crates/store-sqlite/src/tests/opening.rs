//! Opening: what is no store of ours is told apart and left as it is.

use std::path::Path;

use futures_executor::block_on;
use precedent_core::{Store, StoreErrorKind, StoreId};

use super::fixture::*;
use crate::{SqliteConfig, SqliteStore};

fn refusal(path: &Path) -> StoreErrorKind {
    let config = SqliteConfig::new(path, StoreId::from_bytes([1; 16]));
    let error = SqliteStore::open(config).unwrap_err();
    assert!(
        !error.to_string().contains("file is not a database"),
        "{error}"
    );
    error.kind
}

#[test]
fn files_that_are_no_store_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let garbage = folder.path().join("garbage");
    std::fs::write(&garbage, vec![0; 10_000]).unwrap();
    let text = folder.path().join("text");
    std::fs::write(
        &text,
        "notes, and longer than a header of one hundred bytes".repeat(9),
    )
    .unwrap();
    let foreign = folder.path().join("foreign.db");
    rusqlite::Connection::open(&foreign)
        .unwrap()
        .execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
        .unwrap();
    for path in [garbage, text, foreign] {
        let before = std::fs::read(&path).unwrap();
        assert_eq!(refusal(&path), StoreErrorKind::Corrupt, "{path:?}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn a_newer_store_is_told_apart() {
    let folder = Folder::new();
    drop(folder.open());
    let path = folder.config().path;
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.pragma_update(None, "user_version", 99).unwrap();
    drop(raw);
    assert_eq!(refusal(&path), StoreErrorKind::NewerSchema);
}

#[test]
fn places_that_cannot_hold_a_file_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    assert_eq!(refusal(&file.join("store.db")), StoreErrorKind::Io);
    assert_eq!(
        refusal(&folder.path().join("no/store.db")),
        StoreErrorKind::Io
    );
    assert_eq!(refusal(folder.path()), StoreErrorKind::Io);
    assert_eq!(
        refusal(Path::new("nul\0byte")),
        StoreErrorKind::InvalidInput
    );
    let mut config = SqliteConfig::new(folder.path().join("new.db"), StoreId::from_bytes([1; 16]));
    config.create = false;
    assert_eq!(
        SqliteStore::open(config).unwrap_err().kind,
        StoreErrorKind::NotFound
    );
}

#[test]
fn creating_at_once_makes_one_store() {
    for _ in 0..5 {
        let folder = Folder::new();
        let ids: Vec<_> = std::thread::scope(|threads| {
            let open = |n: u8| {
                let mut config = folder.config();
                config.store_id = StoreId::from_bytes([n; 16]);
                threads.spawn(move || {
                    let store = SqliteStore::open(config).unwrap();
                    block_on(
                        store.commit(commit(n.into(), vec![put(memory(n.into(), "x"))]), sink()),
                    )
                    .unwrap();
                    block_on(store.status()).unwrap().backend.store_id
                })
            };
            let opened: Vec<_> = (1..=6).map(open).collect();
            opened
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(ids.iter().all(|id| *id == ids[0]));
        assert_eq!(
            block_on(folder.open().status()).unwrap().kinds[1].memories,
            6
        );
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let store = folder.open();
    block_on(store.commit(commit(1, vec![put(memory(1, "x"))]), sink())).unwrap();
    let files: Vec<_> = std::fs::read_dir(folder.folder.path()).unwrap().collect();
    assert_eq!(files.len(), 3, "the database, its log and the log's index");
    for file in files {
        assert_eq!(
            file.unwrap().metadata().unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
}
