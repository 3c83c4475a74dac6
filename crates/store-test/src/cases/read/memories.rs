//! Memories are read by id and by attributes.

use precedent_core::{Kind, MemoryId, MemoryQuery, Scope};

use crate::case::stories;
use crate::data::{AGENT, HOME, at, clean, digest, home, memory, memory_id, put, scope, supersede};
use crate::store::TestStore;
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("read":
    memories_come_in_the_order_of_the_ids,
    memories_come_back_as_they_were_written,
    memories_are_paged_by_id,
    memories_are_found_by_kind,
    memories_are_found_by_digest,
);

/// Memories come in the order that was asked for; unknown ids are left out.
async fn memories_come_in_the_order_of_the_ids(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put((1..=3).map(|n| memory(n, "red"))).await;
    let asked = [3, 9, 1, 2].map(memory_id);
    let found = store.backend.memories(&home(), &asked).await;
    let found: Vec<MemoryId> = found.expect("memories").iter().map(|m| m.id).collect();
    assert_eq!(found, [3, 1, 2].map(memory_id));
    let none = store.backend.memories(&home(), &[]).await;
    assert!(none.expect("no ids are no error").is_empty());
}

/// Every field survives; the store sets the time of recording and the version, whatever was
/// asked for.
async fn memories_come_back_as_they_were_written(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut full = memory(1, "red fox \u{1f98a} \u{6570}\u{636e}\nsecond line");
    full.kind = Kind::Procedural;
    full.private = true;
    full.tags = vec![clean("zeta"), clean("alpha"), clean("zeta beta")];
    full.source = precedent_core::Source::ToolResult;
    full.trust = precedent_core::Trust::Unverified;
    full.context = [("k2", "v2"), ("k1", "")]
        .map(|(key, value)| (clean(key), clean(value)))
        .into();
    full.salience = precedent_core::Salience::from_permille(730);
    full.valid_from = Some(at(-5000));
    full.valid_to = Some(at(5000));
    full.state = precedent_core::State::Disputed;
    full.supersedes = Some(memory_id(77));
    full.version = 40;
    full.recorded_at = at(77_000_000);
    let plain = memory(2, "");
    let done = store
        .commit(vec![put(full.clone()), put(plain.clone())])
        .await;
    for mut expected in [full, plain] {
        expected.recorded_at = done.recorded_at;
        expected.version = 1;
        let found = store.memory(&home(), expected.id).await;
        assert_eq!(found, Some(expected));
    }
}

fn any_memory(scope: &Scope) -> MemoryQuery {
    MemoryQuery::all(scope.clone(), 100)
}

async fn find(store: &TestStore, query: &MemoryQuery) -> Vec<MemoryId> {
    let found = store.backend.find_memories(query).await;
    found.expect("memories").iter().map(|m| m.id).collect()
}

/// Pages follow each other by id, without a gap or an overlap, whatever the order of writing.
async fn memories_are_paged_by_id(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([4, 2, 7, 1, 6].map(|n| memory(n, "red"))).await;
    let mut query = any_memory(&home());
    query.limit = 2;
    let pages = [vec![1, 2], vec![4, 6], vec![7], vec![]];
    for page in pages {
        let expected: Vec<MemoryId> = page.into_iter().map(memory_id).collect();
        let found = find(&store, &query).await;
        assert_eq!(found, expected);
        query.after = found.last().copied().or(query.after);
    }
    query.limit = 0;
    query.after = None;
    assert_eq!(find(&store, &query).await, []);
}

/// Kinds narrow; several are a union, none is no restriction.
async fn memories_are_found_by_kind(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let of_each = (1..).zip(Kind::ALL).map(|(n, kind)| {
        let mut memory = memory(n, "red");
        memory.kind = *kind;
        memory
    });
    store.put(of_each).await;
    let mut query = any_memory(&home());
    for (kinds, expected) in [
        (vec![], vec![1, 2, 3]),
        (vec![Kind::Semantic], vec![2]),
        (vec![Kind::Procedural, Kind::Episodic], vec![1, 3]),
    ] {
        query.kinds = kinds;
        let expected: Vec<MemoryId> = expected.into_iter().map(memory_id).collect();
        assert_eq!(find(&store, &query).await, expected, "{:?}", query.kinds);
    }
}

/// By digest, a memory is found where it was written, while it is live, and by who may see it.
async fn memories_are_found_by_digest(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut private = memory(2, "mine");
    private.private = true;
    let texts = ["shared", "old", "new"];
    store
        .put([memory(1, "shared"), private, memory(3, "old")])
        .await;
    let (old, new) = (memory_id(3), memory_id(4));
    store
        .commit(vec![put(memory(4, "new")), supersede(old, new)])
        .await;
    let by_digest = |text: &str, scope: Scope| MemoryQuery {
        digest: Some(digest(text)),
        ..any_memory(&scope)
    };
    let here = home;
    for (text, n) in texts.into_iter().zip([Some(1), None, Some(4)]) {
        let expected: Vec<MemoryId> = n.map(memory_id).into_iter().collect();
        assert_eq!(
            find(&store, &by_digest(text, here())).await,
            expected,
            "{text}"
        );
    }
    let below = scope("team/app/sub", AGENT);
    assert_eq!(find(&store, &by_digest("shared", below)).await, []);
    assert_eq!(
        find(&store, &by_digest("mine", here())).await,
        [memory_id(2)]
    );
    let stranger = scope(HOME, "a2");
    assert_eq!(find(&store, &by_digest("mine", stranger)).await, []);
}
