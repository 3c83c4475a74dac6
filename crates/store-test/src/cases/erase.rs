//! What was erased is gone from every answer, and left only what tells that it is gone.

use precedent_core::audit::{Op, Stage};
use precedent_core::{
    CertificateQuery, Change, Erasure, Expect, Kind, Memory, MemoryId, State, StoreErrorKind,
};

use crate::case::stories;
use crate::data::{
    AGENT, HOME, at, axis, certificate_id, decide, event, home, memory, memory_id, namespace,
    observe, put, put_with, receipt, rule, rule_change, scope, slanted, supersede,
};
use crate::store::{TestStore, assert_refused};
use crate::view::{ScopeView, Viewer};
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("erase":
    the_erased_leaves_every_read,
    a_certificate_and_tombstones_remain,
    a_twin_that_never_saw_it_answers_alike,
    statistics_forget_a_whole_crowd,
    a_successor_gone_leaves_the_superseded_as_it_was,
    a_predecessor_gone_leaves_the_successor_unlinked,
    private_memories_are_erased_too,
    superseded_memories_are_erased_too,
    an_id_is_never_used_again,
    repeated_and_unsorted_ids_are_erased_once,
    what_was_erased_in_its_own_commit_was_never_there,
);

fn viewer() -> Viewer {
    Viewer {
        scopes: vec![home()],
        texts: vec!["red", "red fox", "cat owl", "zz"],
        receipts: 3,
    }
}

async fn view(store: &TestStore) -> ScopeView {
    viewer().look_from(store.backend.as_ref(), &home()).await
}

/// An erasure without a ground.
fn erase(n: u64, memories: &[u64]) -> Change {
    Change::Erase(Erasure {
        certificate: certificate_id(n),
        memories: memories.iter().copied().map(memory_id).collect(),
        within: namespace(HOME),
        reason: None,
    })
}

/// What both twins hold: memories with and without vectors, a rule, an event, a receipt.
fn kept() -> Vec<Change> {
    vec![
        put_with(memory(1, "red fox"), Some(axis(0))),
        put(memory(2, "red red cat")),
        put_with(memory(3, "dog owl hen emu"), Some(slanted(1, 2))),
        rule_change(rule(1, memory_id(1))),
        decide(receipt(1)),
        observe(event(1, at(1000))),
    ]
}

/// What only one of them has held: each kind, long and short, with vector and rule.
fn passing() -> Vec<Change> {
    let mut changes = Vec::new();
    for (n, &kind) in (10..).zip(Kind::ALL) {
        let long = format!("red {} fox", "zz ".repeat(170));
        for (n, text) in [(n, "red fox owl"), (n + 10, long.as_str())] {
            let passing = Memory {
                kind,
                ..memory(n, text)
            };
            changes.push(put_with(passing, Some(axis(0))));
            changes.push(rule_change(rule(n, memory_id(n))));
        }
    }
    changes
}

/// No read returns the erased, under its id, by its words, by its vector or by its rule.
async fn the_erased_leaves_every_read(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(kept()).await;
    store.commit(vec![erase(1, &[1])]).await;
    assert_eq!(store.memory(&home(), memory_id(1)).await, None);
    let left = view(&store).await;
    let ids: Vec<_> = left.memories.iter().map(|memory| memory.id).collect();
    assert_eq!(ids, [2, 3].map(memory_id));
    assert!(left.rules.is_empty());
    assert_eq!((left.events.len(), left.receipts.len()), (1, 1));
    for (answers, memories) in left.recalls {
        assert!(memories.iter().all(|memory| memory.id != memory_id(1)));
        for answer in answers {
            let hits = answer.result.expect("no lane failed");
            assert!(hits.iter().all(|hit| hit.id != memory_id(1)));
        }
    }
    let mut by_state = crate::store::lexical_query(&home(), Kind::ALL, "fox");
    by_state.filter.states = State::ALL.to_vec();
    let found = store.candidates(&by_state).await;
    assert!(
        found
            .answers
            .iter()
            .all(|answer| answer.result.as_deref() == Ok(&[]))
    );
}

/// The log and the certificate tell of an erasure; a tombstone is kept for each memory.
async fn a_certificate_and_tombstones_remain(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(kept()).await;
    let done = store.commit(vec![erase(7, &[1, 2])]).await;
    assert_eq!(done.certificates, [certificate_id(7)]);
    assert_eq!(done.facts.len(), 1);
    assert_eq!((done.facts[0].op, done.facts[0].memory), (Op::Forget, None));
    let query = CertificateQuery::Memory(memory_id(2));
    let found = store.backend.certificates(&query).await;
    let found = found.expect("certificates");
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].stage, found[0].seq),
        (Stage::Logical, done.facts[0].seq)
    );
    let status = store.backend.status().await.expect("the status");
    assert_eq!((status.tombstones, status.rules), (2, 0));
    let single = store.commit(vec![erase(8, &[3])]).await;
    assert_eq!(single.facts[0].memory, Some(memory_id(3)));
}

/// All answers equal, to the bit, those of a store that never saw the erased.
async fn a_twin_that_never_saw_it_answers_alike(harness: &dyn Harness) {
    let (store, twin) = (
        TestStore::open(harness).await,
        TestStore::open(harness).await,
    );
    store.commit(kept()).await;
    twin.commit(kept()).await;
    let before = view(&store).await;
    store.commit(passing()).await;
    assert_ne!(
        view(&store).await,
        before,
        "the passing can be seen while there"
    );
    let ids: Vec<u64> = (10..13).chain(20..23).collect();
    store.commit(vec![erase(1, &ids)]).await;
    assert_eq!(view(&store).await, view(&twin).await);
    let kinds = |store: &TestStore| {
        let backend = std::sync::Arc::clone(&store.backend);
        async move { backend.status().await.expect("the status").kinds }
    };
    assert_eq!(kinds(&store).await, kinds(&twin).await);
    // What comes later is scored alike as well.
    for store in [&store, &twin] {
        store.set_clock_ms(50_000);
        store.put([memory(4, "red fox owl")]).await;
    }
    assert_eq!(view(&store).await, view(&twin).await);
}

/// A hundred erased one by one, in another order than they came, leave nothing in the counts.
async fn statistics_forget_a_whole_crowd(harness: &dyn Harness) {
    let (store, twin) = (
        TestStore::open(harness).await,
        TestStore::open(harness).await,
    );
    store.commit(kept()).await;
    twin.commit(kept()).await;
    let crowd = (100..200).map(|n| memory(n, &format!("red crowd number{n} cat")));
    store.put(crowd).await;
    for n in 0..100 {
        // 37 has no divisor in common with 100, so every number comes once.
        let next = 100 + (n * 37) % 100;
        store.commit(vec![erase(n, &[next])]).await;
    }
    assert_eq!(view(&store).await, view(&twin).await);
}

/// Writes a memory and another that replaces it, and returns the ids of both.
async fn one_replaced_by_another(harness: &dyn Harness) -> (TestStore, MemoryId, MemoryId) {
    let store = TestStore::open(harness).await;
    store.put([memory(1, "old")]).await;
    let (old, new) = (memory_id(1), memory_id(2));
    let mut successor = memory(2, "new");
    successor.supersedes = Some(old);
    store
        .commit(vec![put(successor), supersede(old, new)])
        .await;
    (store, old, new)
}

/// Without its successor a superseded memory stays superseded, and names nobody.
async fn a_successor_gone_leaves_the_superseded_as_it_was(harness: &dyn Harness) {
    let (store, old, _) = one_replaced_by_another(harness).await;
    store.commit(vec![erase(1, &[2])]).await;
    let left = store.memory(&home(), old).await.expect("it was not named");
    assert_eq!((left.state, left.superseded_by), (State::Superseded, None));
}

/// Without its predecessor a memory stays in force, and replaces nobody.
async fn a_predecessor_gone_leaves_the_successor_unlinked(harness: &dyn Harness) {
    let (store, _, new) = one_replaced_by_another(harness).await;
    store.commit(vec![erase(1, &[1])]).await;
    let left = store.memory(&home(), new).await.expect("it was not named");
    assert_eq!((left.state, left.supersedes), (State::Active, None));
}

/// Private memories of any agent are within the reach of an erasure in their namespace.
async fn private_memories_are_erased_too(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut private = memory(1, "mine");
    private.private = true;
    private.agent = crate::data::name("a2");
    store.put([private]).await;
    let owner = scope(HOME, "a2");
    assert!(store.memory(&owner, memory_id(1)).await.is_some());
    store.commit(vec![erase(1, &[1])]).await;
    assert_eq!(store.memory(&owner, memory_id(1)).await, None);
    assert_eq!(store.memory(&scope(HOME, AGENT), memory_id(1)).await, None);
}

/// A memory that is no longer in force is erased like any other.
async fn superseded_memories_are_erased_too(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    for (n, &state) in (1..).zip(State::ALL) {
        let mut memory = memory(n, "red");
        memory.state = state;
        store.put([memory]).await;
        store.commit(vec![erase(n, &[n])]).await;
        assert_eq!(store.memory(&home(), memory_id(n)).await, None, "{state}");
    }
}

/// The id of an erased memory is taken for good.
async fn an_id_is_never_used_again(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(1, "red")]).await;
    store.commit(vec![erase(1, &[1])]).await;
    let again = store.try_commit(vec![], vec![put(memory(1, "other"))]);
    assert_refused(again.await, StoreErrorKind::Conflict);
    let absent = vec![Expect::Absent(memory_id(1))];
    let again = store.try_commit(absent, vec![put(memory(2, "other"))]);
    assert_refused(again.await, StoreErrorKind::Conflict);
    let again = store.try_commit(vec![], vec![erase(2, &[1])]).await;
    assert_refused(again, StoreErrorKind::NotFound);
    let rule = vec![rule_change(rule(1, memory_id(1)))];
    let again = store.try_commit(vec![], rule).await;
    assert_refused(again, StoreErrorKind::Conflict);
}

/// The order and repetition of the named ids, and unknown ones among them, make no difference.
async fn repeated_and_unsorted_ids_are_erased_once(harness: &dyn Harness) {
    let mut heads = Vec::new();
    for named in [&[1, 2][..], &[2, 1, 2, 99, 1]] {
        let store = TestStore::open(harness).await;
        store.commit(kept()).await;
        let done = store.commit(vec![erase(1, named)]).await;
        heads.push(done.head);
    }
    assert_eq!(heads[0], heads[1]);
}

/// A memory that its own commit erases is in the log and nowhere else.
async fn what_was_erased_in_its_own_commit_was_never_there(harness: &dyn Harness) {
    let (store, twin) = (
        TestStore::open(harness).await,
        TestStore::open(harness).await,
    );
    store.commit(kept()).await;
    twin.commit(kept()).await;
    let done = store
        .commit(vec![put(memory(9, "red zz")), erase(1, &[9])])
        .await;
    let ops: Vec<_> = done.facts.iter().map(|fact| fact.op).collect();
    assert_eq!(ops, [Op::Write, Op::Forget]);
    assert_eq!(view(&store).await, view(&twin).await);
}
