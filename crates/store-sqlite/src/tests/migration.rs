//! Stores of older versions: what they hold is read, recalled, corrected and erased as if it had
//! been written today.

use std::path::Path;

use futures_executor::block_on;
use precedent_core::audit::Op;
use precedent_core::{
    ActionPattern, Alias, Candidates, CertificateId, Change, Classification, Control, Entity,
    EntityId, Filter, Floor, Kind, Maintain, MaintainTask, MemStore, Memory, MemoryId, MemoryQuery,
    Outcome, QueryVector, Recall, RecallQuery, Rule, RuleId, RuleQuery, Severity, Standing, State,
    Store, Transition, analyze, fusion::Fusion,
};

use super::fixture::*;
use crate::SqliteStore;

fn id(n: u64) -> MemoryId {
    MemoryId::from_bytes(bytes(n))
}

fn unit(n: u64) -> Vec<f32> {
    let mut vector: Vec<f32> = (0..DIMENSION as u64)
        .map(|at| ((at * 31 + n * 17) % 211) as f32 - 105.25)
        .collect();
    let length = precedent_core::vector::dot(&vector, &vector).sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

/// Writes memory number `n` with a vector, after `change`.
fn full(n: u64, text: &str, change: impl FnOnce(&mut Memory)) -> Change {
    let mut memory = memory(n, text);
    change(&mut memory);
    match put(memory) {
        Change::Put(mut put) => {
            put.vector = Some(unit(n));
            Change::Put(put)
        }
        other => other,
    }
}

fn rule() -> Change {
    let trigger = ActionPattern {
        program: Some(clean("npm")),
        ..ActionPattern::default()
    };
    Change::Rule(Box::new(Rule {
        id: RuleId::from_bytes(bytes(1)),
        memory: id(2),
        namespace: namespace("a"),
        agent: name("planner"),
        private: false,
        project: None,
        severity: Severity::ALL[0],
        control: Control::Prohibits {
            trigger,
            unless: vec![],
        },
        keys: vec![clean("program:npm")],
        recorded_at: at(0),
    }))
}

/// The commits that made the store of version 1, which knew no `ends`: a replaced memory had
/// ceased to hold when it was retired.
fn history() -> Vec<Vec<Change>> {
    let long = "a long note about the kettle and the mat ".repeat(60);
    vec![
        vec![full(1, "the kettle is in the kitchen", |_| {})],
        vec![
            full(2, "never deploy on fridays", |it| {
                it.kind = Kind::Procedural;
            }),
            rule(),
        ],
        vec![full(3, "mine alone is the red kettle", |it| {
            it.private = true;
        })],
        vec![
            full(4, "the kettle moved to the office", |it| {
                it.supersedes = Some(id(1));
            }),
            Change::Supersede {
                old: id(1),
                new: id(4),
                ends: at(4),
            },
        ],
        vec![full(5, "the kettle was blue once", |it| {
            it.namespace = namespace("a/b");
            (it.valid_from, it.valid_to) = (Some(at(1)), Some(at(50)));
            it.kind = Kind::Episodic;
        })],
        vec![put(memory(6, &long))],
        vec![full(7, "held back", |it| {
            (it.state, it.retired_at) = (State::Quarantined, Some(at(3)));
        })],
        vec![full(8, "gone soon is the zebrafinch", |_| {})],
        vec![erase(1, &[8])],
        vec![
            Change::Event(Box::new(event(1, "npm test", Outcome::Failed))),
            Change::Receipt(Box::new(receipt(1))),
        ],
    ]
}

/// Makes the store as version 1 left it.
fn write_version_1(path: &Path) {
    let old = rusqlite::Connection::open(path).unwrap();
    old.execute_batch("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;")
        .unwrap();
    old.execute_batch(include_str!("../../migrations/0001.sql"))
        .unwrap();
    old.execute_batch(&format!(
        "BEGIN; {} COMMIT;",
        include_str!("stores/0001.sql")
    ))
    .unwrap();
    old.execute_batch("PRAGMA user_version = 1; PRAGMA application_id = 0x50726364;")
        .unwrap();
}

/// The migrated store, and the reference store with the same history.
fn both(folder: &Folder) -> (SqliteStore, MemStore) {
    write_version_1(&folder.config().path);
    let model = MemStore::new(Some(space()));
    for (n, changes) in (1..).zip(history()) {
        block_on(model.commit(commit(n, changes), sink())).unwrap();
    }
    (folder.open(), model)
}

fn recall(
    store: &dyn Recall,
    place: &str,
    valid_at: Option<i64>,
    known_at: Option<i64>,
) -> Candidates {
    let query = RecallQuery {
        scope: scope(place, "planner"),
        kinds: Kind::ALL.to_vec(),
        terms: analyze::query("where is the kettle"),
        vector: Some(QueryVector {
            space: space().fingerprint,
            values: unit(1),
        }),
        filter: Filter::default().as_of(valid_at.map(at), known_at.map(at)),
        depth: 20,
        limit: 20,
        fusion: Fusion::MEASURED,
        floor: Floor::NONE,
    };
    block_on(store.candidates(&query))
}

/// Asserts that both answer alike, in every way of reading memories.
fn assert_alike(store: &SqliteStore, model: &MemStore) {
    for place in ["a", "a/b"] {
        for agent in ["planner", "coder"] {
            let scope = scope(place, agent);
            let all = MemoryQuery::all(scope.clone(), 100);
            assert_eq!(
                block_on(store.find_memories(&all)).unwrap(),
                block_on(model.find_memories(&all)).unwrap()
            );
            for n in 0..12 {
                assert_eq!(
                    block_on(store.revisions(&scope, id(n))).unwrap(),
                    block_on(model.revisions(&scope, id(n))).unwrap()
                );
            }
            let rules = RuleQuery {
                scope,
                keys: None,
                limit: 9,
            };
            assert_eq!(
                block_on(store.rules(&rules)).unwrap(),
                block_on(model.rules(&rules)).unwrap()
            );
        }
        for valid_at in [None, Some(2), Some(30), Some(60)] {
            for known_at in [None, Some(0), Some(1), Some(3), Some(4), Some(6), Some(30)] {
                assert_eq!(
                    recall(store, place, valid_at, known_at),
                    recall(model, place, valid_at, known_at)
                );
            }
        }
    }
    assert_eq!(
        block_on(store.namespaces(&namespace("a"))).unwrap(),
        block_on(model.namespaces(&namespace("a"))).unwrap()
    );
    let (ours, theirs) = (
        block_on(store.status()).unwrap(),
        block_on(model.status()).unwrap(),
    );
    assert_eq!((ours.kinds, ours.faults), (theirs.kinds, vec![]));
    // The bytes differ: version 1 told the log less of a written memory.
    let logs = [store.audit_log(0, 99), model.audit_log(0, 99)].map(|log| {
        let entries = block_on(log).unwrap().entries.into_iter();
        let told = entries.map(|it| (it.seq, it.op, it.result, it.memory, it.namespace, it.at));
        told.collect::<Vec<_>>()
    });
    assert_eq!(logs[0], logs[1]);
}

#[test]
fn memories_of_version_1_are_read_and_recalled() {
    let folder = Folder::new();
    let (store, model) = both(&folder);
    assert_alike(&store, &model);
    let read = block_on(store.memories(&scope("a", "planner"), &[id(1)])).unwrap();
    assert_eq!(read[0].classification, Classification::Internal);
    assert!(read[0].readers.is_empty() && read[0].claim.is_none());
    assert_eq!(read[0].valid_to, read[0].retired_at);
    let raw = rusqlite::Connection::open(folder.config().path).unwrap();
    let version: u32 = raw
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    assert_eq!(version, crate::schema::VERSION);
    let sound: String = raw
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(sound, "ok");
    drop(store);
    assert_alike(&folder.open(), &model);
}

#[test]
fn memories_of_version_1_are_corrected_and_erased() {
    let folder = Folder::new();
    let (store, model) = both(&folder);
    let entity = Entity {
        id: EntityId::from_bytes(bytes(1)),
        namespace: namespace("a"),
        agent: name("planner"),
        private: false,
        readers: vec![],
        names: vec![Alias {
            name: clean("the office"),
            registered: true,
        }],
        recorded_at: at(0),
    };
    let steps = [
        vec![
            full(9, "deploy when you like", |it| {
                it.derived_from = vec![id(2), id(4)];
            }),
            Change::Supersede {
                old: id(2),
                new: id(9),
                ends: at(20),
            },
        ],
        vec![Change::Transition(Transition {
            memory: id(1),
            op: Op::Revert,
            to: Standing {
                state: State::Active,
                valid_to: None,
                superseded_by: None,
            },
        })],
        vec![Change::Entity(Box::new(entity))],
        vec![erase(2, &[4, 6])],
        vec![erase(3, &[1])],
    ];
    for (n, changes) in (20..).zip(steps) {
        let ours = block_on(store.commit(commit(n, changes.clone()), sink())).unwrap();
        let theirs = block_on(model.commit(commit(n, changes), sink())).unwrap();
        assert_eq!(
            (ours.facts, ours.recorded_at),
            (theirs.facts, theirs.recorded_at)
        );
        assert_eq!(ours.certificates, theirs.certificates);
        assert_alike(&store, &model);
    }
    let purge = Maintain {
        task: MaintainTask::Purge,
        header: header(40),
        certificate: CertificateId::from_bytes(bytes(40)),
    };
    assert!(!block_on(store.maintain(purge, sink())).unwrap().pending);
    for file in std::fs::read_dir(folder.folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        for needle in [
            "in the kitchen",
            "long note",
            "kitchen",
            "moved to the office",
        ] {
            let found = bytes
                .windows(needle.len())
                .any(|it| it == needle.as_bytes());
            assert!(!found, "{needle}");
        }
    }
}

/// What was not kept is not guessed: no echo of an old memory is found until it is written again.
#[test]
fn old_memories_have_no_echo() {
    let folder = Folder::new();
    let (store, _) = both(&folder);
    let raw = rusqlite::Connection::open(folder.config().path).unwrap();
    let known: i64 = raw
        .query_row("SELECT count(echo) FROM memory", [], |row| row.get(0))
        .unwrap();
    assert_eq!(known, 0);
    let text = "held back";
    block_on(store.commit(commit(30, vec![put(memory(30, text))]), sink())).unwrap();
    let query = MemoryQuery {
        echo: Some(mix(format!("echo {text}").as_bytes())),
        ..MemoryQuery::all(scope("a", "planner"), 9)
    };
    let found = block_on(store.find_memories(&query)).unwrap();
    assert_eq!(found.iter().map(|it| it.id).collect::<Vec<_>>(), [id(30)]);
}
