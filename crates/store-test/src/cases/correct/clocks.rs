//! Recall of the past on both clocks: when something held, and when the store knew it.

use precedent_core::audit::Op;
use precedent_core::{
    Filter, Kind, Lane, Memory, MemoryId, RecallQuery, Standing, State, Timestamp,
};

use crate::case::stories;
use crate::data::{
    HOME, at, axis, erase, home, memory, memory_id, put_with, restore, retire, transition,
};
use crate::store::{TestStore, both_query, hits, ids};
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("correct":
    recall_asks_what_held,
    recall_asks_what_was_known,
    recall_asks_both_clocks_at_once,
    memories_are_returned_as_they_stood,
    the_last_stretch_of_an_instant_counts,
    the_erased_are_gone_from_the_past,
);

fn fox(n: u64) -> Memory {
    memory(n, "red fox")
}

/// What both lanes find as of two instants; they have to agree.
async fn found(
    store: &TestStore,
    valid_at: Option<Timestamp>,
    known_at: Option<Timestamp>,
) -> Vec<MemoryId> {
    let query = RecallQuery {
        filter: Filter::default().as_of(valid_at, known_at),
        ..both_query(&home(), &[Kind::Episodic], "fox", axis(0))
    };
    let found = store.candidates(&query).await;
    let lane = |lane| {
        let mut found = ids(&hits(&found, Kind::Episodic, lane));
        found.sort_unstable();
        found
    };
    let by_words = lane(Lane::Lexical);
    assert_eq!(by_words, lane(Lane::Vector), "the lanes' filters differ");
    let mut brought: Vec<MemoryId> = found.memories.iter().map(|memory| memory.id).collect();
    brought.sort_unstable();
    assert_eq!(brought, by_words);
    by_words
}

/// Writes memory 1 at 1 s, replaces it by memory 2 at 2 s as of 1.5 s, retires that at 3 s and
/// restores it at 4 s.
async fn corrected(harness: &dyn Harness) -> TestStore {
    let store = TestStore::open(harness).await;
    let old = Memory {
        valid_from: Some(at(500)),
        ..fox(1)
    };
    store.commit(vec![put_with(old, Some(axis(0)))]).await;
    let new = Memory {
        valid_from: Some(at(1500)),
        ..fox(2)
    };
    let replace = precedent_core::Change::Supersede {
        old: memory_id(1),
        new: memory_id(2),
        ends: at(1500),
    };
    store
        .commit(vec![put_with(new, Some(axis(0))), replace])
        .await;
    store.commit(vec![retire(memory_id(2))]).await;
    store.commit(vec![restore(memory_id(2))]).await;
    store
}

fn numbers(numbers: &[u64]) -> Vec<MemoryId> {
    numbers.iter().copied().map(memory_id).collect()
}

/// As of an instant of validity: what held then, replaced since or not, each at its own time, the
/// start included and the end not.
async fn recall_asks_what_held(harness: &dyn Harness) {
    let store = corrected(harness).await;
    for (ms, expected) in [
        (499, &[][..]),
        (500, &[1]),
        (1499, &[1]),
        (1500, &[2]),
        (90_000, &[2]),
    ] {
        let found = found(&store, Some(at(ms)), None).await;
        assert_eq!(found, numbers(expected), "valid at {ms}");
    }
    assert_eq!(found(&store, None, None).await, numbers(&[2]));
}

/// As of an instant of the store's clock: what was in force then, the instant of recording
/// included.
async fn recall_asks_what_was_known(harness: &dyn Harness) {
    let store = corrected(harness).await;
    for (ms, expected) in [
        (999, &[][..]),
        (1000, &[1]),
        (1999, &[1]),
        (2000, &[2]),
        (2999, &[2]),
        (3000, &[]),
        (3999, &[]),
        (4000, &[2]),
        (90_000, &[2]),
    ] {
        let found = found(&store, None, Some(at(ms))).await;
        assert_eq!(found, numbers(expected), "known at {ms}");
    }
}

/// Both clocks: what the store believed at one instant to hold at another.
async fn recall_asks_both_clocks_at_once(harness: &dyn Harness) {
    let store = corrected(harness).await;
    for (valid, known, expected) in [
        // Before the correction the old one was thought to hold on.
        (1700, 1999, &[1][..]),
        // After it, the new one.
        (1700, 2000, &[2]),
        (1400, 2000, &[1]),
        // Retired is not superseded: it does not count for the time in which it held.
        (1700, 3000, &[]),
        (1400, 3000, &[1]),
        (400, 4000, &[]),
    ] {
        let found = found(&store, Some(at(valid)), Some(at(known))).await;
        assert_eq!(found, numbers(expected), "valid {valid}, known {known}");
    }
}

/// What recall returns of the past is the memory as it stood then: state, end, replacement,
/// version and time of retirement.
async fn memories_are_returned_as_they_stood(harness: &dyn Harness) {
    let store = corrected(harness).await;
    let ask = async |ms: i64| {
        let mut filter = Filter::default().as_of(None, Some(at(ms)));
        filter.states = State::ALL.to_vec();
        let query = RecallQuery {
            filter,
            ..both_query(&home(), &[Kind::Episodic], "fox", axis(0))
        };
        let mut memories = store.candidates(&query).await.memories;
        memories.sort_by_key(|memory| memory.id);
        memories
    };
    let now = store.memories(&home()).await;
    let old = Memory {
        state: State::Active,
        valid_to: None,
        superseded_by: None,
        retired_at: None,
        version: 1,
        ..now[0].clone()
    };
    assert_eq!(ask(1000).await, [old]);
    let first = Memory {
        version: 1,
        ..now[1].clone()
    };
    assert_eq!(ask(2500).await, [now[0].clone(), first]);
    let retired = Memory {
        state: State::Dormant,
        retired_at: Some(at(3000)),
        version: 2,
        ..now[1].clone()
    };
    assert_eq!(ask(3000).await, [now[0].clone(), retired]);
    assert_eq!(ask(4000).await, now);
}

/// Of several changes in one instant the last one is what was known.
async fn the_last_stretch_of_an_instant_counts(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let quarantined = Memory {
        state: State::Quarantined,
        ..fox(1)
    };
    let to = Standing {
        state: State::Active,
        valid_to: None,
        superseded_by: None,
    };
    let changes = vec![
        put_with(quarantined, Some(axis(0))),
        transition(memory_id(1), Op::Promote, to),
    ];
    let done = store.commit(changes).await;
    let known = found(&store, None, Some(done.recorded_at)).await;
    assert_eq!(known, [memory_id(1)]);
    let earlier = done.recorded_at.minus_millis(1);
    assert_eq!(found(&store, None, Some(earlier)).await, []);
}

/// What was erased is gone from both clocks, also where it was known.
async fn the_erased_are_gone_from_the_past(harness: &dyn Harness) {
    let store = corrected(harness).await;
    store.commit(vec![erase(1, HOME, &[memory_id(1)])]).await;
    assert_eq!(found(&store, None, Some(at(1500))).await, []);
    assert_eq!(found(&store, Some(at(1000)), None).await, []);
    assert_eq!(found(&store, Some(at(1700)), None).await, numbers(&[2]));
}
