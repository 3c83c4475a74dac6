//! Broken indexes: the lane says so, the others answer, writes and erasures go on.

use futures_executor::block_on;
use precedent_core::{
    CertificateId, Change, Kind, Lane, Maintain, MaintainTask, QueryVector, Recall, RecallCode,
    RecallQuery, Store, analyze, fusion::Fusion,
};

use super::fixture::*;
use crate::{LaneBreak, SqliteStore};

fn unit(place: u64) -> Vec<f32> {
    (0..DIMENSION as u64)
        .map(|at| f32::from(u8::from(at == place % 7)))
        .collect()
}

fn change(n: u64, kind: Kind) -> Change {
    let mut memory = memory(n, "the kettle boils");
    memory.kind = kind;
    match put(memory) {
        Change::Put(mut put) => {
            put.vector = Some(unit(n));
            Change::Put(put)
        }
        other => other,
    }
}

fn query() -> RecallQuery {
    RecallQuery {
        scope: scope("a", "planner"),
        kinds: vec![Kind::Semantic, Kind::Procedural],
        terms: analyze::query("kettle"),
        vector: Some(QueryVector {
            space: space().fingerprint,
            values: unit(2),
        }),
        filter: precedent_core::Filter::default(),
        depth: 50,
        limit: 50,
        fusion: Fusion::MEASURED,
        floor: precedent_core::Floor::NONE,
    }
}

/// The code of every lane that failed.
fn codes(store: &SqliteStore) -> Vec<(Kind, Lane, RecallCode)> {
    block_on(store.candidates(&query()))
        .answers
        .iter()
        .filter_map(|answer| answer.result.as_ref().err())
        .map(|error| (error.kind, error.lane, error.code))
        .collect()
}

fn reindex(store: &SqliteStore) {
    let request = Maintain {
        task: MaintainTask::Reindex,
        header: header(900),
        certificate: CertificateId::from_bytes(bytes(900)),
    };
    let report = block_on(store.maintain(request, sink())).unwrap();
    assert!(!report.pending);
}

#[test]
fn a_broken_lane_degrades_alone_and_reindexing_repairs_it() {
    for lane in [Lane::Lexical, Lane::Vector] {
        for (how, code) in [
            (LaneBreak::Drop, RecallCode::Missing),
            (LaneBreak::Empty, RecallCode::Stale),
        ] {
            let folder = Folder::new();
            let store = folder.open();
            for n in 0..6 {
                let kind = if n % 2 == 0 {
                    Kind::Semantic
                } else {
                    Kind::Procedural
                };
                block_on(store.commit(commit(n, vec![change(n, kind)]), sink())).unwrap();
            }
            let whole = block_on(store.candidates(&query()));
            assert_eq!(codes(&store), []);
            block_on(store.break_lane(Kind::Semantic, lane, how)).unwrap();
            let broken = (Kind::Semantic, lane, code);
            assert_eq!(codes(&store), [broken]);
            let faults = block_on(store.status()).unwrap().faults;
            assert_eq!(faults.len(), 1);
            assert_eq!((faults[0].kind, faults[0].lane, faults[0].code), broken);

            // What is written or erased meanwhile does not hide the loss.
            let more = commit(
                50,
                vec![change(50, Kind::Semantic), change(52, Kind::Semantic)],
            );
            block_on(store.commit(more, sink())).unwrap();
            assert_eq!(codes(&store), [broken]);
            block_on(store.commit(commit(51, vec![erase(7, &[50])]), sink())).unwrap();
            assert_eq!(codes(&store), [broken]);
            block_on(store.commit(commit(52, vec![erase(8, &[52])]), sink())).unwrap();

            reindex(&store);
            assert_eq!(codes(&store), []);
            assert_eq!(block_on(store.candidates(&query())), whole);
            assert!(block_on(store.status()).unwrap().faults.is_empty());
        }
    }
}

#[test]
fn a_damaged_block_is_corrupt_and_an_old_analyser_is_stale() {
    let folder = Folder::new();
    let mut config = folder.config();
    config.staged = 1;
    let store = SqliteStore::open(config).unwrap();
    block_on(store.commit(commit(1, vec![change(1, Kind::Semantic)]), sink())).unwrap();
    let raw = rusqlite::Connection::open(folder.config().path).unwrap();
    raw.execute_batch(
        "UPDATE posting_semantic SET data = x'010203' WHERE length(data) = 10;
         UPDATE vector_semantic SET data = x'01';",
    )
    .unwrap();
    let damaged = |lane| (Kind::Semantic, lane, RecallCode::Corrupt);
    assert_eq!(
        codes(&store),
        [damaged(Lane::Lexical), damaged(Lane::Vector)]
    );
    reindex(&store);
    assert_eq!(codes(&store), []);
    raw.execute_batch("UPDATE meta SET value = '0' WHERE key = 'analyzer'")
        .unwrap();
    assert_eq!(
        codes(&store),
        [(Kind::Semantic, Lane::Lexical, RecallCode::Stale)]
    );
    reindex(&store);
    assert_eq!(codes(&store), []);
}

#[test]
fn a_store_that_was_not_made_for_it_is_not_broken() {
    let folder = Folder::new();
    let mut config = folder.config();
    config.testkit = false;
    let store = SqliteStore::open(config).unwrap();
    let refused = block_on(store.break_lane(Kind::Semantic, Lane::Vector, LaneBreak::Drop));
    assert_eq!(
        refused.unwrap_err().kind,
        precedent_core::StoreErrorKind::Unsupported
    );
}
