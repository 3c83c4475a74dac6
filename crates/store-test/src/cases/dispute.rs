//! Contradictions: recorded and resolved once, seen by those who see both sides, gone with either.

use precedent_core::audit::Op;
use precedent_core::{
    Basis, Change, Contradiction, ContradictionId, ContradictionQuery, Resolution, Scope,
    StoreErrorKind, Timestamp, Verdict,
};

use crate::case::stories;
use crate::data::{
    AGENT, HOME, all_contradictions, contradict, contradiction_id, contradiction_ids, erase, home,
    listed, memory, memory_id, name, namespace, readers, resolve, retire, scope,
};
use crate::store::{TestStore, assert_refused};
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("dispute":
    contradictions_come_back_as_they_were_recorded,
    a_resolution_is_kept,
    a_contradiction_is_resolved_once,
    a_contradiction_needs_two_memories,
    only_one_of_the_two_can_be_kept,
    both_sides_have_to_be_seen,
    an_erasure_of_either_ends_it,
    recording_changes_no_memory,
    contradictions_are_narrowed_and_paged,
);

async fn three(harness: &dyn Harness) -> TestStore {
    let store = TestStore::open(harness).await;
    store.put((1..=3).map(|n| memory(n, "red fox"))).await;
    store
}

async fn find(store: &TestStore, query: &ContradictionQuery) -> Vec<Contradiction> {
    let found = store.backend.contradictions(query).await;
    found.expect("contradictions can be read")
}

async fn all(store: &TestStore, scope: &Scope) -> Vec<ContradictionId> {
    let found = find(store, &all_contradictions(scope)).await;
    found.iter().map(|it| it.id).collect()
}

async fn open(store: &TestStore) -> u64 {
    let status = store.backend.status().await;
    status.expect("the status can be read").contradictions
}

/// Every field survives for each basis; the store sets the instant and leaves it open, whatever
/// was asked for. The log tells of the younger memory.
async fn contradictions_come_back_as_they_were_recorded(harness: &dyn Harness) {
    let store = three(harness).await;
    for (n, &basis) in (1..).zip(Basis::ALL) {
        let asked = Contradiction {
            id: contradiction_id(n),
            between: [memory_id(2), memory_id(1)],
            basis,
            opened_at: Timestamp::EPOCH,
            resolution: Some(Resolution {
                kept: None,
                verdict: Verdict::Model,
                at: Timestamp::EPOCH,
            }),
        };
        let done = store.commit(vec![Change::Contradict(asked)]).await;
        let told = (done.facts[0].op, done.facts[0].memory);
        assert_eq!(told, (Op::Dispute, Some(memory_id(1))));
        let expected = Contradiction {
            opened_at: done.recorded_at,
            resolution: None,
            ..asked
        };
        let found = find(&store, &all_contradictions(&home())).await;
        assert_eq!(found.last(), Some(&expected));
    }
    assert_eq!(open(&store).await, 3);
}

/// How a contradiction ended is kept for each verdict, at the instant that the store recorded.
async fn a_resolution_is_kept(harness: &dyn Harness) {
    let store = three(harness).await;
    let kept = [None, Some(memory_id(1)), Some(memory_id(2)), None];
    for ((n, &verdict), kept) in (1..).zip(Verdict::ALL).zip(kept) {
        store.commit(vec![contradict(n, 1, 2)]).await;
        let asked = Resolution {
            kept,
            verdict,
            at: Timestamp::EPOCH,
        };
        let change = Change::Resolve {
            contradiction: contradiction_id(n),
            resolution: asked,
        };
        let done = store.commit(vec![change]).await;
        let told = (done.facts[0].op, done.facts[0].memory);
        assert_eq!(told, (Op::Resolve, Some(memory_id(2))));
        let expected = Resolution {
            at: done.recorded_at,
            ..asked
        };
        let found = find(&store, &all_contradictions(&home())).await;
        let last = found.last().expect("it was recorded");
        assert_eq!(last.resolution, Some(expected));
        assert!(last.opened_at < done.recorded_at);
    }
    assert_eq!(open(&store).await, 0);
}

/// What is resolved, and what was never recorded, cannot be resolved.
async fn a_contradiction_is_resolved_once(harness: &dyn Harness) {
    let store = three(harness).await;
    store.commit(vec![contradict(1, 1, 2)]).await;
    store.commit(vec![resolve(1, Some(2))]).await;
    for change in [resolve(1, Some(1)), resolve(1, None), resolve(9, None)] {
        let refused = store.try_commit(vec![], vec![change]).await;
        assert_refused(refused, StoreErrorKind::Conflict);
    }
    let at_once = vec![contradict(2, 1, 3), resolve(2, None)];
    store.commit(at_once).await;
    assert_eq!(open(&store).await, 0);
}

/// Two different memories that exist, under an id that is free.
async fn a_contradiction_needs_two_memories(harness: &dyn Harness) {
    let store = three(harness).await;
    store.commit(vec![contradict(1, 1, 2)]).await;
    store.commit(vec![erase(1, HOME, &[memory_id(3)])]).await;
    for change in [
        contradict(2, 1, 1),
        contradict(2, 1, 9),
        contradict(2, 9, 1),
        contradict(2, 1, 3),
        contradict(2, 3, 1),
        contradict(1, 2, 1),
    ] {
        let refused = store.try_commit(vec![], vec![change]).await;
        assert_refused(refused, StoreErrorKind::Conflict);
    }
    // Another one between the same two is another contradiction.
    store.commit(vec![contradict(2, 1, 2)]).await;
    assert_eq!(all(&store, &home()).await, contradiction_ids(&[1, 2]));
}

/// The memory that holds is one of the two.
async fn only_one_of_the_two_can_be_kept(harness: &dyn Harness) {
    let store = three(harness).await;
    store.commit(vec![contradict(1, 1, 2)]).await;
    for kept in [3, 9] {
        let refused = store.try_commit(vec![], vec![resolve(1, Some(kept))]);
        assert_refused(refused.await, StoreErrorKind::Conflict);
    }
    store.commit(vec![resolve(1, Some(1))]).await;
}

/// Who sees one side only, by namespace, owner or access list, does not see that there is another.
async fn both_sides_have_to_be_seen(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut sides: Vec<_> = (1..=5).map(|n| memory(n, "red fox")).collect();
    sides[1].namespace = namespace("team/app/sub");
    (sides[2].private, sides[2].agent) = (true, name("a2"));
    sides[3].readers = readers(&["g1", "u9"]);
    sides[4].namespace = namespace("team");
    store.put(sides).await;
    let changes = (2..=5).flat_map(|n| [contradict(n, 1, n), contradict(n + 10, n, 1)]);
    store.commit(changes.collect()).await;
    let below = "team/app/sub";
    for (reader, expected) in [
        (home(), &[5, 15][..]),
        (scope(below, AGENT), &[2, 5, 12, 15]),
        (scope(HOME, "a2"), &[3, 5, 13, 15]),
        (listed(&["u1", "g1"]), &[4, 5, 14, 15]),
        (listed(&[]), &[5, 15]),
        (scope("team", AGENT), &[]),
        (scope("stranger", AGENT), &[]),
    ] {
        let found = all(&store, &reader).await;
        assert_eq!(found, contradiction_ids(expected), "{reader:?}");
        for side in 1..=5 {
            let query = ContradictionQuery {
                memory: Some(memory_id(side)),
                ..all_contradictions(&reader)
            };
            let named = find(&store, &query).await;
            assert!(named.iter().all(|it| found.contains(&it.id)));
        }
    }
    assert_eq!(open(&store).await, 8, "the status counts over all readers");
}

/// With either side the contradiction goes, resolved or not; its id may be used again, since
/// nothing of it is left.
async fn an_erasure_of_either_ends_it(harness: &dyn Harness) {
    for erased in [1, 2] {
        let store = three(harness).await;
        let recorded = [
            contradict(1, 1, 2),
            contradict(2, 2, 1),
            contradict(3, 3, 4),
        ];
        store.put([memory(4, "cat")]).await;
        store.commit(recorded.to_vec()).await;
        store.commit(vec![resolve(2, None)]).await;
        let change = erase(1, HOME, &[memory_id(erased)]);
        store.commit(vec![change]).await;
        assert_eq!(all(&store, &home()).await, contradiction_ids(&[3]));
        assert_eq!(open(&store).await, 1);
        let refused = store.try_commit(vec![], vec![resolve(1, None)]).await;
        assert_refused(refused, StoreErrorKind::Conflict);
        store.commit(vec![contradict(1, 3, 4)]).await;
        assert_eq!(all(&store, &home()).await, contradiction_ids(&[1, 3]));
    }
}

/// Recording and resolving leave the memories as they are: what follows of it, other changes say.
async fn recording_changes_no_memory(harness: &dyn Harness) {
    let store = three(harness).await;
    let before = store.memories(&home()).await;
    store.commit(vec![contradict(1, 1, 2)]).await;
    assert_eq!(store.memories(&home()).await, before);
    store.commit(vec![resolve(1, Some(2))]).await;
    assert_eq!(store.memories(&home()).await, before);
    store.commit(vec![retire(memory_id(1))]).await;
    assert_eq!(
        all(&store, &home()).await,
        contradiction_ids(&[1]),
        "a retired side is a side"
    );
}

/// By memory and by being open contradictions are narrowed; pages go by id.
async fn contradictions_are_narrowed_and_paged(harness: &dyn Harness) {
    let store = three(harness).await;
    let recorded = [
        contradict(5, 1, 2),
        contradict(3, 2, 3),
        contradict(1, 1, 3),
        contradict(4, 3, 1),
        contradict(2, 2, 1),
    ];
    store.commit(recorded.to_vec()).await;
    store
        .commit(vec![resolve(4, None), resolve(5, Some(1))])
        .await;
    let narrowed = |memory: Option<u64>, open| ContradictionQuery {
        memory: memory.map(memory_id),
        open,
        ..all_contradictions(&home())
    };
    for (memory, only_open, expected) in [
        (None, false, &[1, 2, 3, 4, 5][..]),
        (None, true, &[1, 2, 3]),
        (Some(1), false, &[1, 2, 4, 5]),
        (Some(1), true, &[1, 2]),
        (Some(9), false, &[]),
    ] {
        let found = find(&store, &narrowed(memory, only_open)).await;
        let found: Vec<_> = found.iter().map(|it| it.id).collect();
        assert_eq!(found, contradiction_ids(expected));
    }
    let mut page = narrowed(Some(1), false);
    page.limit = 3;
    for expected in [&[1, 2, 4][..], &[5], &[]] {
        let found = find(&store, &page).await;
        let found: Vec<_> = found.iter().map(|it| it.id).collect();
        assert_eq!(found, contradiction_ids(expected));
        page.after = found.last().copied().or(page.after);
    }
}
