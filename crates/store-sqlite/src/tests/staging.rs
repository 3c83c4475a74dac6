//! Staged postings: folding changes no answer, erasing works on either side of it, a loss shows.

use futures_executor::block_on;
use precedent_core::{
    Candidates, CertificateId, Change, Filter, Floor, Kind, Lane, Maintain, MaintainTask, MemStore,
    Recall, RecallCode, RecallQuery, Store, analyze, fusion::Fusion,
};
use rusqlite::Connection;

use super::fixture::*;
use crate::SqliteStore;

const WORDS: [&str; 7] = [
    "kettle", "boils", "kettles", "red", "deploy", "mat", "db:run",
];

fn text(n: u64) -> String {
    let repeats = if n % 5 == 4 { 40 } else { 1 };
    let word = |at: u64| WORDS[usize::try_from((n * 5 + at * at) % 7).unwrap()];
    (0..repeats * (2 + n % 4))
        .map(word)
        .collect::<Vec<_>>()
        .join(" ")
}

fn change(n: u64) -> Change {
    let mut memory = memory(n, &text(n));
    memory.private = n.is_multiple_of(3);
    put(memory)
}

fn open(folder: &Folder, staged: usize) -> SqliteStore {
    let mut config = folder.config();
    config.staged = staged;
    SqliteStore::open(config).unwrap()
}

fn write(store: &dyn Store, n: u64, changes: Vec<Change>) {
    block_on(store.commit(commit(n, changes), sink())).unwrap();
}

fn query() -> RecallQuery {
    RecallQuery {
        scope: scope("a/b", "planner"),
        kinds: vec![Kind::Semantic],
        terms: analyze::query("red kettles deploy absent db:run"),
        vector: None,
        filter: Filter::default(),
        depth: 50,
        limit: 50,
        fusion: Fusion::MEASURED,
        floor: Floor::NONE,
    }
}

fn ask(store: &dyn Recall) -> Candidates {
    block_on(store.candidates(&query()))
}

/// What keeps the lexical lane from answering.
fn code(store: &SqliteStore) -> Option<RecallCode> {
    let fault = ask(store).answers.remove(0).result.err();
    let faults = block_on(store.status()).unwrap().faults;
    let told = faults.iter().find(|fault| fault.lane == Lane::Lexical);
    assert_eq!(told.is_some(), fault.is_some());
    fault.map(|fault| fault.code)
}

fn reindex(store: &SqliteStore) {
    let request = Maintain {
        task: MaintainTask::Reindex,
        header: header(900),
        certificate: CertificateId::from_bytes(bytes(900)),
    };
    block_on(store.maintain(request, sink())).unwrap();
}

fn raw(folder: &Folder) -> Connection {
    Connection::open(folder.config().path).unwrap()
}

/// The lexical index as it is stored: the staged rows, and the terms with their blocks.
fn index(folder: &Folder) -> [Vec<(i64, Vec<u8>)>; 2] {
    let database = raw(folder);
    [
        "SELECT seq, data FROM staged_semantic ORDER BY seq",
        "SELECT key, data FROM posting_semantic ORDER BY key",
    ]
    .map(|sql| {
        let mut statement = database.prepare(sql).unwrap();
        statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect()
    })
}

#[test]
fn folding_changes_no_answer() {
    let model = MemStore::new(Some(space()));
    let folders = [
        (1, Folder::new()),
        (4, Folder::new()),
        (1_000, Folder::new()),
    ];
    let stores = folders
        .each_ref()
        .map(|(limit, folder)| open(folder, *limit));
    for n in 0..30 {
        write(&model, n, vec![change(n)]);
        let expected = ask(&model);
        for store in &stores {
            write(store, n, vec![change(n)]);
            assert_eq!(ask(store), expected);
            assert_eq!(code(store), None);
        }
    }
    let staged = folders.each_ref().map(|(_, folder)| index(folder)[0].len());
    assert_eq!(staged, [0, 2, 30]);
    for (_, folder) in &folders {
        // The next to write has another limit and folds what the last one left.
        let store = open(folder, 2);
        write(&store, 40, vec![change(40)]);
        write(&store, 41, vec![change(41)]);
        assert!(index(folder)[0].len() < 2);
    }
}

#[test]
fn a_large_commit_folds_at_once_and_long_texts_fold_early() {
    let folder = Folder::new();
    let store = open(&folder, 8);
    write(&store, 100, (0..20).map(change).collect());
    assert_eq!(index(&folder)[0].len(), 0);
    assert_eq!(code(&store), None);

    let folder = Folder::new();
    let store = open(&folder, 1_000);
    let long = |n: u64| {
        let words: Vec<String> = (0..4_000).map(|at| format!("w{n}x{at}")).collect();
        put(memory(n, &words.join(" ")))
    };
    // Some twenty bytes for each of 4,000 terms: the second row passes 128 KiB.
    let staged: Vec<usize> = (0..4)
        .map(|n| {
            write(&store, n, vec![long(n)]);
            index(&folder)[0].len()
        })
        .collect();
    assert_eq!(staged, [1, 0, 1, 0]);
    assert_eq!(code(&store), None);
}

#[test]
fn erasing_leaves_a_twin_that_never_saw_it() {
    for limit in [1, 4, 1_000] {
        let (folder, twin) = (Folder::new(), Folder::new());
        let (store, other) = (open(&folder, limit), open(&twin, limit));
        for n in 0..10 {
            write(&store, n, vec![change(n)]);
            if n != 9 && n != 3 {
                write(&other, n, vec![change(n)]);
            }
        }
        let [staged, blocks] = index(&folder);
        write(&store, 50, vec![erase(7, &[9])]);
        let [left, untouched] = index(&folder);
        if limit > 1 {
            assert_eq!((left.len(), &untouched), (staged.len() - 1, &blocks));
        } else {
            assert_ne!(untouched, blocks);
        }
        write(&store, 51, vec![erase(8, &[3])]);
        assert_eq!(ask(&store), ask(&other));
        assert_eq!(code(&store), None);
        // Written and erased in one commit, and in one that folds.
        let both = vec![
            change(20),
            change(21),
            change(22),
            change(23),
            erase(9, &[21]),
        ];
        write(&store, 52, both);
        write(&other, 52, vec![change(20), change(22), change(23)]);
        assert_eq!(ask(&store), ask(&other));
        assert_eq!(code(&store), None);
    }
}

#[test]
fn a_refused_commit_takes_its_fold_back() {
    let folder = Folder::new();
    let store = open(&folder, 4);
    write(&store, 1, vec![change(1), change(2), change(3)]);
    let (before, answer) = (index(&folder), ask(&store));
    assert_eq!(before[0].len(), 3);
    let refusing = std::sync::Arc::new(TestSink {
        refuse: true,
        ..TestSink::default()
    });
    let full = commit(2, vec![change(4), change(5)]);
    assert!(block_on(store.commit(full.clone(), refusing)).is_err());
    assert_eq!((index(&folder), ask(&store)), (before, answer));
    block_on(store.commit(full, sink())).unwrap();
    assert_eq!(index(&folder)[0].len(), 0);
}

#[test]
fn the_loss_of_either_part_shows_until_the_index_is_rebuilt() {
    for (sql, expected) in [
        ("DELETE FROM staged_semantic", RecallCode::Stale),
        ("DELETE FROM posting_semantic", RecallCode::Stale),
        (
            "DELETE FROM term_semantic; DELETE FROM posting_semantic",
            RecallCode::Stale,
        ),
        ("DROP TABLE staged_semantic", RecallCode::Missing),
        ("DROP TABLE posting_semantic", RecallCode::Missing),
        (
            "UPDATE staged_semantic SET data = x'05'",
            RecallCode::Corrupt,
        ),
        (
            "UPDATE staged_semantic SET documents = 9",
            RecallCode::Stale,
        ),
    ] {
        let folder = Folder::new();
        let store = open(&folder, 4);
        for n in 0..6 {
            write(&store, n, vec![change(n)]);
        }
        let whole = ask(&store);
        raw(&folder).execute_batch(sql).unwrap();
        assert_eq!(code(&store), Some(expected), "{sql}");
        // Writes go on, through a fold of what is damaged, and erasures too.
        for n in 10..17 {
            write(&store, n, vec![change(n)]);
            assert!(code(&store).is_some(), "{sql}");
        }
        let written: Vec<u64> = (10..17).collect();
        write(&store, 60, vec![erase(8, &written)]);
        reindex(&store);
        assert_eq!(code(&store), None, "{sql}");
        assert_eq!(ask(&store), whole, "{sql}");
    }
}

#[test]
fn erasing_reaches_the_blocks_where_the_staging_area_is_lost() {
    let folder = Folder::new();
    let store = open(&folder, 4);
    for n in 0..4 {
        write(&store, n, vec![change(n)]);
    }
    raw(&folder)
        .execute_batch("DROP TABLE staged_semantic")
        .unwrap();
    write(&store, 50, vec![erase(7, &[0, 1, 2, 3])]);
    assert_eq!(
        raw(&folder)
            .query_row("SELECT count(*) FROM posting_semantic", [], |row| row
                .get::<_, i64>(0))
            .unwrap(),
        0
    );
}
