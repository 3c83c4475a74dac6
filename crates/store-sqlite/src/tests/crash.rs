//! Crashes on purpose: of a group of commits, and what a store says and writes after one.
//!
//! The conformance suite lets single commits crash at each of their points.

use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};

use futures_executor::block_on;
use precedent_core::{
    Alias, CertificateId, Change, Commit, Committed, Entity, EntityId, Maintain, MaintainTask,
    Memory, MemoryId, PutMemory, Store, StoreError, StoreErrorKind,
};

use super::fixture::*;
use crate::SqliteStore;

/// Sends commits while the writing thread is held up, so that they share a transaction.
fn send_group(store: &SqliteStore, group: Vec<Commit>) -> Vec<Result<Committed, StoreError>> {
    let (go, held_up) = mpsc::channel::<()>();
    let mut context = Context::from_waker(Waker::noop());
    let holding = store.run("holding up", move |_| {
        // Ends when the other end is dropped.
        let _ = held_up.recv();
        Ok(())
    });
    let mut holding = Box::pin(holding);
    assert!(holding.as_mut().poll(&mut context).is_pending());
    let mut waiting: Vec<Pin<Box<dyn Future<Output = _> + '_>>> = Vec::new();
    for commit in group {
        let mut sent = store.commit(commit, sink());
        assert!(matches!(sent.as_mut().poll(&mut context), Poll::Pending));
        waiting.push(sent);
    }
    drop(go);
    block_on(holding).unwrap();
    waiting.into_iter().map(block_on).collect()
}

/// All that a store holds, table by table.
fn look(store: &SqliteStore) -> Vec<String> {
    let dump = store.snapshot("dumping", |database, _| {
        let mut rows = Vec::new();
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        let mut names = database.prepare(sql)?;
        let names = names.query_map([], |row| row.get::<_, String>(0))?;
        for name in names {
            let mut all = database.prepare(&format!("SELECT '{0}', * FROM {0}", name?))?;
            let columns = all.column_count();
            let mut all = all.query([])?;
            while let Some(row) = all.next()? {
                let cells: Result<Vec<_>, _> = (0..columns).map(|it| row.get_ref(it)).collect();
                rows.push(format!("{:?}", cells?));
            }
        }
        Ok(rows)
    });
    dump.unwrap()
}

/// Lets a group of commits crash at each of its points; all of it is there, with every row that an
/// undisturbed store holds, or nothing of it. Returns which of them are refused.
fn sweep(
    prepared: impl Fn() -> (Folder, SqliteStore),
    group: impl Fn() -> Vec<Commit>,
) -> Vec<bool> {
    let (_folder, twin) = prepared();
    let nothing = look(&twin);
    twin.arm(None).unwrap();
    let refused = send_group(&twin, group())
        .iter()
        .map(Result::is_err)
        .collect();
    let (count, whole) = (twin.passed(), look(&twin));
    let mut seen = [0, 0];
    for point in 1..=count {
        let (folder, store) = prepared();
        store.arm(Some(point)).unwrap();
        let answers = send_group(&store, group());
        assert!(answers.iter().all(Result::is_err), "point {point}");
        drop(store);
        let store = folder.open();
        let left = look(&store);
        assert!(left == nothing || left == whole, "point {point}: a part");
        seen[usize::from(left == whole)] += 1;
        let again = send_group(&store, group());
        let replayed = again.iter().flatten().all(|it| it.replayed);
        assert_eq!(replayed, left == whole, "point {point}");
        assert!(look(&store) == whole, "point {point}: in the end");
    }
    // Only the point after COMMIT leaves all of it.
    assert_eq!(seen, [count - 1, 1]);
    refused
}

fn prepared() -> (Folder, SqliteStore) {
    let folder = Folder::new();
    let store = folder.open();
    block_on(store.commit(commit(1, vec![put(memory(1, "red cat"))]), sink())).unwrap();
    (folder, store)
}

#[test]
fn a_group_that_crashes_is_there_or_not_as_a_whole() {
    let group = || {
        vec![
            commit(2, vec![put(memory(2, "red fox"))]),
            commit(3, vec![put(memory(1, "there already"))]),
            commit(4, vec![put(memory(4, "red hen")), erase(1, &[1])]),
        ]
    };
    assert_eq!(sweep(prepared, group), [false, true, false]);
}

/// A store without vectors, which holds a name and, in a namespace of its own, a derived memory.
fn prepared_without_space() -> (Folder, SqliteStore) {
    let folder = Folder::new();
    let mut config = folder.config();
    config.space = None;
    let store = SqliteStore::open(config).unwrap();
    let named = Entity {
        id: EntityId::from_bytes(bytes(1)),
        namespace: namespace("a"),
        agent: name("planner"),
        private: false,
        readers: Vec::new(),
        names: vec![office(false)],
        recorded_at: at(0),
    };
    let derived = Memory {
        namespace: namespace("a/b"),
        derived_from: vec![MemoryId::from_bytes(bytes(1))],
        ..memory(2, "red fox")
    };
    let changes = vec![
        put(memory(1, "red cat")),
        put(derived),
        Change::Entity(Box::new(named)),
    ];
    block_on(store.commit(commit(1, changes), sink())).unwrap();
    drop(store);
    let store = folder.open();
    (folder, store)
}

fn office(registered: bool) -> Alias {
    Alias {
        name: clean("the office"),
        registered,
    }
}

/// The first vector, a name that is there, and the last memory of a partition.
#[test]
fn a_commit_of_rare_steps_that_crashes_is_whole_or_absent() {
    let mut vector = vec![0.0; DIMENSION];
    vector[0] = 1.0;
    let first = PutMemory {
        memory: memory(5, "red hen"),
        digest: mix(b"red hen"),
        echo: mix(b"echo"),
        vector: Some(vector),
    };
    let alias = Change::Alias {
        entity: EntityId::from_bytes(bytes(1)),
        alias: office(true),
    };
    let changes = vec![Change::Put(Box::new(first)), alias, erase(1, &[2])];
    let work = || vec![commit(2, changes.clone())];
    assert_eq!(sweep(prepared_without_space, work), [false]);
}

#[test]
fn a_store_that_crashed_answers_nothing_and_writes_nothing() {
    let (folder, store) = prepared();
    let log = folder.folder.path().join("store.db-wal");
    let files = || {
        (
            std::fs::read(&log).unwrap(),
            std::fs::read(log.with_extension("db")).unwrap(),
        )
    };
    store.arm(Some(1)).unwrap();
    let before = files();
    let crash = block_on(store.commit(commit(2, vec![put(memory(2, "lost"))]), sink()));
    let later = commit(3, vec![put(memory(3, "lost"))]);
    let reindex = Maintain {
        task: MaintainTask::Reindex,
        header: header(4),
        certificate: CertificateId::from_bytes(bytes(4)),
    };
    let errors = [
        crash.unwrap_err(),
        block_on(store.commit(later, sink())).unwrap_err(),
        block_on(store.maintain(reindex, sink())).unwrap_err(),
        block_on(store.audit_log(0, 9)).unwrap_err(),
        store.arm(None).unwrap_err(),
    ];
    let kinds = errors.map(|error| error.kind);
    assert_eq!(kinds, [StoreErrorKind::Io; 5]);
    drop(store);
    assert!(files() == before, "something was written");
}

#[test]
fn only_stores_made_for_it_crash_or_leave_out_syncs() {
    let folder = Folder::new();
    let mut config = folder.config();
    config.testkit = false;
    let store = SqliteStore::open(config.clone()).unwrap();
    let error = store.arm(Some(1)).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unsupported);
    block_on(store.commit(commit(1, vec![put(memory(1, "kept"))]), sink())).unwrap();
    assert_eq!(store.passed(), 0);
    config.unsynced = true;
    for testkit in [false, true] {
        config.testkit = testkit;
        let error = SqliteStore::open(config.clone()).unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Unsupported);
    }
    // Nor is one made.
    let blank = Folder::new();
    let mut config = blank.config();
    (config.testkit, config.unsynced) = (false, true);
    let error = SqliteStore::open(config.clone()).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unsupported);
    config.testkit = true;
    SqliteStore::open(config).unwrap();
}
