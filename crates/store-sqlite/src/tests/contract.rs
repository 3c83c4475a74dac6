//! What the contract says of commits, one case after the other.

use std::sync::Arc;

use futures_executor::block_on;
use precedent_core::{
    CertificateQuery, Change, Digest, Durability, EventKey, EventQuery, Expect, Lane, MemoryId,
    Outcome, Recall, RecallCode, RecallQuery, Redactor, Store, StoreErrorKind, analyze,
    fusion::Fusion,
};

use super::fixture::*;
use crate::SqliteStore;

fn head(store: &SqliteStore) -> Option<precedent_core::audit::Head> {
    block_on(store.audit_log(0, 0)).unwrap().head
}

#[test]
fn a_refused_seal_leaves_nothing_behind() {
    let folder = Folder::new();
    let store = folder.open();
    block_on(store.commit(commit(1, vec![put(memory(1, "kept"))]), sink())).unwrap();
    let before = head(&store);
    let refusing = Arc::new(TestSink {
        refuse: true,
        ..TestSink::default()
    });
    let changes = vec![
        put(memory(2, "lost")),
        Change::Receipt(Box::new(receipt(1))),
    ];
    let error = block_on(store.commit(commit(2, changes.clone()), refusing)).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Seal);
    let status = block_on(store.status()).unwrap();
    assert_eq!((status.kinds[1].memories, head(&store)), (1, before));
    assert!(status.faults.is_empty());
    let again = block_on(store.commit(commit(2, changes), sink())).unwrap();
    assert!(!again.replayed);
}

#[test]
fn a_later_change_that_fails_takes_the_earlier_ones_back() {
    let folder = Folder::new();
    let store = folder.open();
    let changes = vec![put(memory(1, "one")), put(memory(1, "one again"))];
    let error = block_on(store.commit(commit(1, changes), sink())).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Conflict);
    assert_eq!(head(&store), None);
    assert_eq!(block_on(store.status()).unwrap().kinds[1].chunks, 0);
}

#[test]
fn many_writers_share_transactions_and_one_chain() {
    let folder = Folder::new();
    let store = folder.open();
    std::thread::scope(|threads| {
        for writer in 0..8u64 {
            let store = store.clone();
            threads.spawn(move || {
                for n in 0..25 {
                    let n = writer * 100 + n;
                    let mut one = commit(n, vec![put(memory(n, "shared words"))]);
                    // Every fifth is refused, in the midst of the others' transaction.
                    if n % 5 == 0 {
                        one.expects.push(Expect::Head(Digest::from_bytes([1; 32])));
                    }
                    let refused = block_on(store.commit(one, sink())).is_err();
                    assert_eq!(refused, n % 5 == 0);
                }
            });
        }
    });
    let page = block_on(store.audit_log(0, 1000)).unwrap();
    let written = 8 * 20;
    assert_eq!(page.head.map(|head| head.size), Some(written + 1));
    assert!(
        page.entries
            .iter()
            .zip(0..)
            .all(|(entry, seq)| entry.seq == seq)
    );
    let status = block_on(store.status()).unwrap();
    assert_eq!(
        (status.kinds[1].memories, status.faults.len()),
        (written, 0)
    );
}

#[test]
fn two_handles_on_one_file_see_each_others_commits() {
    let folder = Folder::new();
    let (one, two) = (folder.open(), folder.open());
    for n in 0..20 {
        let store = if n % 2 == 0 { &one } else { &two };
        let mut next = commit(n, vec![put(memory(n, "turn by turn"))]);
        next.expects
            .extend(head(&two).map(|head| Expect::Head(head.hash)));
        block_on(store.commit(next, sink())).unwrap();
    }
    assert_eq!(head(&one), head(&two));
}

#[test]
fn a_replay_tells_what_was_erased_since() {
    let folder = Folder::new();
    let store = folder.open();
    let first = commit(
        1,
        vec![put(memory(1, "gone soon")), put(memory(2, "stays"))],
    );
    let told = block_on(store.commit(first.clone(), sink())).unwrap();
    let mut other = first.clone();
    other.request = mix(b"other");
    let error = block_on(store.commit(other.clone(), sink())).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::CommitReused);
    let forgotten = block_on(store.commit(commit(2, vec![erase(5, &[1])]), sink())).unwrap();
    let again = block_on(store.commit(first, sink())).unwrap();
    assert!(again.replayed);
    assert_eq!(
        (again.recorded_at, again.head),
        (told.recorded_at, forgotten.head)
    );
    let erased: Vec<bool> = again.facts.iter().map(|fact| fact.erased).collect();
    assert_eq!(erased, [true, false]);
    // The request's digest went with the memory, so that it cannot be told from another.
    assert!(block_on(store.commit(other, sink())).unwrap().replayed);
    let query = CertificateQuery::Memory(MemoryId::from_bytes(bytes(1)));
    let found = block_on(store.certificates(&query)).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(vec![found[0].id], forgotten.certificates);
}

#[test]
fn other_keys_are_refused_for_good() {
    let folder = Folder::new();
    let store = folder.open();
    block_on(store.commit(commit(1, vec![put(memory(1, "x"))]), sink())).unwrap();
    let other = Arc::new(TestSink {
        keys: vec!["other".to_owned()],
        refuse: false,
    });
    drop(store);
    let error = block_on(
        folder
            .open()
            .commit(commit(2, vec![put(memory(2, "y"))]), other),
    )
    .unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::KeyMismatch);
}

#[test]
fn deferred_commits_are_seen_at_once_and_by_others() {
    let folder = Folder::new();
    let store = folder.open();
    let mut deferred = commit(1, vec![Change::Receipt(Box::new(receipt(1)))]);
    deferred.durability = Durability::Deferred;
    block_on(store.commit(deferred, sink())).unwrap();
    block_on(store.commit(commit(2, vec![put(memory(2, "full"))]), sink())).unwrap();
    assert_eq!(head(&folder.open()).map(|head| head.size), Some(3));
}

fn query(space: Digest, values: Vec<f32>) -> RecallQuery {
    RecallQuery {
        scope: scope("a", "planner"),
        kinds: vec![precedent_core::Kind::Semantic],
        terms: analyze::query("kettle"),
        vector: Some(precedent_core::QueryVector { space, values }),
        filter: precedent_core::Filter::default(),
        depth: 5,
        limit: 5,
        fusion: Fusion::MEASURED,
        floor: precedent_core::Floor::NONE,
    }
}

#[test]
fn another_embedding_space_opens_and_mixes_nothing() {
    let folder = Folder::new();
    let unit = |place: usize, dimension: usize| -> Vec<f32> {
        (0..dimension)
            .map(|at| f32::from(u8::from(at == place)))
            .collect()
    };
    let with_vector = |n, vector| match put(memory(n, "kettle")) {
        Change::Put(mut put) => {
            put.vector = Some(vector);
            Change::Put(put)
        }
        other => other,
    };
    let changes = vec![with_vector(1, unit(0, DIMENSION))];
    block_on(folder.open().commit(commit(1, changes), sink())).unwrap();
    let mut config = folder.config();
    let mut other = space();
    (other.fingerprint, other.dimension) = (mix(b"other"), 3);
    config.space = Some(other.clone());
    let store = SqliteStore::open(config).unwrap();
    block_on(store.commit(commit(2, vec![with_vector(2, unit(0, 3))]), sink())).unwrap();
    let answers = block_on(store.candidates(&query(other.fingerprint, unit(0, 3)))).answers;
    assert_eq!(answers[0].result.as_ref().map(Vec::len), Ok(2));
    let error = answers[1].result.as_ref().unwrap_err();
    assert_eq!(
        (error.lane, error.code),
        (Lane::Vector, RecallCode::SpaceMismatch)
    );
    assert_eq!(answers[1].pending, 1);
    let status = block_on(store.status()).unwrap();
    assert_eq!(status.space, Some(space()));
}

#[test]
fn a_store_without_a_space_takes_the_first_that_brings_a_vector() {
    let folder = Folder::new();
    let mut config = folder.config();
    config.space = None;
    block_on(
        SqliteStore::open(config)
            .unwrap()
            .commit(commit(1, vec![put(memory(1, "kettle"))]), sink()),
    )
    .unwrap();
    let store = folder.open();
    let mut unit = vec![0.0; DIMENSION];
    unit[3] = 1.0;
    let change = match put(memory(2, "kettle")) {
        Change::Put(mut put) => {
            put.vector = Some(unit.clone());
            Change::Put(put)
        }
        other => other,
    };
    block_on(store.commit(commit(2, vec![change]), sink())).unwrap();
    let answers = block_on(store.candidates(&query(space().fingerprint, unit))).answers;
    assert_eq!(answers[1].result.as_ref().map(Vec::len), Ok(1));
    assert_eq!(answers[1].pending, 1);
}

#[test]
fn events_come_newest_first_and_closed_receipts_stay_closed() {
    let folder = Folder::new();
    let store = folder.open();
    let mut closing = event(1, "npm test", Outcome::Failed);
    closing.receipt = Some(receipt(9).id);
    let changes = vec![
        Change::Receipt(Box::new(receipt(9))),
        Change::Event(Box::new(closing.clone())),
        Change::Event(Box::new(event(2, "npm test", Outcome::Succeeded))),
    ];
    block_on(store.commit(commit(1, changes), sink())).unwrap();
    closing.id = event(3, "", Outcome::Failed).id;
    let again = commit(2, vec![Change::Event(Box::new(closing.clone()))]);
    let error = block_on(store.commit(again, sink())).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Conflict);
    let query = EventQuery {
        scope: scope("a/b", "coder"),
        key: EventKey::Exact(closing.keys.exact),
        outcomes: vec![Outcome::Failed, Outcome::Succeeded],
        since: None,
        limit: 10,
    };
    let found = block_on(store.events(&query)).unwrap();
    let mut expected = event(2, "npm test", Outcome::Succeeded);
    expected.at = at(1);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], expected);
}

#[test]
fn what_is_read_is_cleaned() {
    let folder = Folder::new();
    let store = folder.open();
    block_on(store.commit(commit(1, vec![put(memory(1, "harmless"))]), sink())).unwrap();
    let raw = rusqlite::Connection::open(folder.config().path).unwrap();
    let secret = "DB_PASSWORD=tr0ub4dor and the rest";
    raw.execute("UPDATE memory SET text = ?1", [secret])
        .unwrap();
    let ids = [MemoryId::from_bytes(bytes(1))];
    let read = block_on(store.memories(&scope("a", "planner"), &ids)).unwrap();
    assert_eq!(read[0].text, Redactor::new().clean(secret));
    assert!(!read[0].text.contains("tr0ub4dor"));
}
