//! After forget and purge, nothing of a memory is in any file of the store.

use std::collections::BTreeMap;
use std::path::Path;

use futures_executor::block_on;
use precedent_core::audit::Op;
use precedent_core::{
    Alias, Change, Claim, Entity, EntityId, Kind, MaintainTask, Memory, Mention, Recall, Standing,
    State, Store, Transition,
};
use precedent_store_test::data::{
    AGENT, DIMENSION, HOME, at, certificate_id, clean, erase, home, memory, memory_id, name,
    namespace, put_with,
};
use precedent_store_test::store::both_query;

use crate::support::{assert_sound, commit, maintain, open, put_number, sink};

/// Found as it is in the text and as the start of its stem in the index.
const MARKERS: [&str; 9] = [
    "zebrafinch",
    "quokkatag",
    "wombatname",
    "numbatvalue",
    "subjectdingo",
    "keyquoll",
    "valuebilby",
    "mentionpotoroo",
    "aliasbettong",
];

/// A unit vector with components that nothing else has.
fn distinctive() -> Vec<f32> {
    let raw: Vec<f32> = [0.137_f32, 0.291, -0.613, 0.419, 0.173, -0.357, 0.233, 0.449].to_vec();
    assert_eq!(raw.len(), DIMENSION);
    let norm = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
    raw.iter().map(|x| x / norm).collect()
}

fn marked(n: u64) -> Memory {
    Memory {
        tags: vec![clean(MARKERS[1])],
        context: BTreeMap::from([(clean(MARKERS[2]), clean(MARKERS[3]))]),
        claim: Some(Claim {
            subject: clean(MARKERS[4]),
            key: clean(MARKERS[5]),
            value: Some(clean(MARKERS[6])),
        }),
        mentions: [MARKERS[7], MARKERS[8]]
            .map(|name| Mention {
                entity: entity_id(n),
                name: clean(name),
            })
            .to_vec(),
        ..memory(n, &format!("the {} sings at dawn", MARKERS[0]))
    }
}

/// Number `n` of the entities.
fn entity_id(n: u64) -> EntityId {
    EntityId::from_bytes(*memory_id(n).as_bytes())
}

/// The entity that the marked memory mentions, under the first of its names.
fn marked_entity(n: u64) -> Change {
    Change::Entity(Box::new(Entity {
        id: entity_id(n),
        namespace: namespace(HOME),
        agent: name(AGENT),
        private: false,
        readers: vec![],
        names: vec![unregistered(MARKERS[7])],
        recorded_at: at(0),
    }))
}

fn unregistered(text: &str) -> Alias {
    Alias {
        name: clean(text),
        registered: false,
    }
}

/// The digests that tell of the marked memory's text.
fn digests(change: &Change) -> Vec<Vec<u8>> {
    match change {
        Change::Put(put) => [put.digest, put.echo]
            .map(|digest| digest.as_bytes().to_vec())
            .to_vec(),
        _ => Vec::new(),
    }
}

/// Counts how often each trace is in the files of a folder: the markers, the digests, then each
/// pair of neighbouring components as they are stored.
fn traces(folder: &Path) -> Vec<usize> {
    let mut needles: Vec<Vec<u8>> = MARKERS.iter().map(|it| it.as_bytes().to_vec()).collect();
    let vector = distinctive();
    let digests = digests(&put_with(marked(900), None));
    assert_eq!(digests.len(), 2);
    needles.extend(digests);
    let pairs = vector.windows(2);
    needles.extend(pairs.map(|pair| [pair[0].to_le_bytes(), pair[1].to_le_bytes()].concat()));
    let files: Vec<Vec<u8>> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect();
    let count = |needle: &[u8], file: &[u8]| {
        file.windows(needle.len())
            .filter(|window| window.eq_ignore_ascii_case(needle))
            .count()
    };
    needles
        .iter()
        .map(|needle| files.iter().map(|file| count(needle, file)).sum())
        .collect()
}

fn moved(n: u64, op: Op, state: State) -> Change {
    Change::Transition(Transition {
        memory: memory_id(n),
        op,
        to: Standing {
            state,
            valid_to: None,
            superseded_by: None,
        },
    })
}

fn retire(n: u64) -> Change {
    moved(n, Op::Retire, State::Dormant)
}

fn restore(n: u64) -> Change {
    moved(n, Op::Restore, State::Active)
}

/// Counts the rows of the tables that tell of memories' lives and names.
fn rows(path: &Path) -> Vec<i64> {
    let raw = rusqlite::Connection::open(path).unwrap();
    let tables = ["revision", "mention", "alias", "entity"];
    tables
        .map(|table| {
            let sql = format!("SELECT count(*) FROM {table}");
            raw.query_row(&sql, [], |row| row.get(0)).unwrap()
        })
        .to_vec()
}

/// The erased stood among others, was read, and survived a checkpoint and a later rewrite of its
/// neighbours: every place that could keep a copy had one.
#[test]
fn no_file_holds_the_erased() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    let others = open(&path);
    let write = |n, change| block_on(store.commit(commit(n, vec![change]), sink())).unwrap();
    for n in 0..300 {
        write(n, put_number(n));
    }
    let (alias, entity) = (unregistered(MARKERS[8]), entity_id(900));
    write(1000, marked_entity(900));
    write(1001, Change::Alias { entity, alias });
    write(900, put_with(marked(900), Some(distinctive())));
    write(1002, retire(900));
    for n in 301..600 {
        write(n, put_number(n));
    }
    write(1003, restore(900));
    let query = both_query(&home(), &[Kind::Episodic], MARKERS[0], distinctive());
    let found = block_on(others.candidates(&query));
    assert_eq!(found.memories[0].id, memory_id(900));
    let before = traces(folder.path());
    assert!(before.iter().all(|count| *count > 0), "{before:?}");
    assert_eq!(rows(&path), [2, 2, 2, 1]);

    write(901, erase(901, "team/app", &[memory_id(900)]));
    let report = maintain(&store, 902, MaintainTask::Purge);
    assert!(!report.pending && report.steps.iter().all(|step| step.ok));
    assert_eq!(report.certificates, [certificate_id(902)]);
    assert_eq!(rows(&path), [0; 4]);
    let after = traces(folder.path());
    assert!(after.iter().all(|count| *count == 0), "{after:?}");
    let found = block_on(others.candidates(&query));
    assert!(found.memories.iter().all(|it| it.id != memory_id(900)));
    assert_sound(&others);
    drop((store, others));
    let closed = traces(folder.path());
    assert!(closed.iter().all(|count| *count == 0), "{closed:?}");
}
