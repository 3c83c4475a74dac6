//! What is held under a topic, for those who read, think and write back.

use precedent_core::{Expect, Memory, MemoryId, MemoryQuery, Place, StoreErrorKind};

use crate::case::stories;
use crate::data::{
    AGENT, HOME, claim, digest, erase, home, memory, memory_id, name, namespace, place, put,
    readers, restore, retire, scope, supersede, topic,
};
use crate::store::TestStore;
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("correct":
    holding_names_what_is_in_force,
    holding_is_of_one_place,
    memories_are_found_by_topic,
    memories_are_found_by_their_origin,
    memories_are_found_by_echo,
);

fn named(n: u64, value: &str) -> Memory {
    Memory {
        claim: Some(claim("user", "name", value)),
        ..memory(n, value)
    }
}

fn holding(place: Place, numbers: &[u64]) -> Expect {
    Expect::Holding {
        place,
        topic: topic("user", "name"),
        memories: numbers.iter().copied().map(memory_id).collect(),
    }
}

/// Checks the precondition with a commit that writes a memory of its own.
async fn check(store: &TestStore, expect: Expect, holds: bool) {
    let context = format!("{expect:?}");
    let header = store.header();
    // One more than the commits so far, which is far above the numbers of these cases.
    let number = 1000 + u64::from(header.id.as_bytes()[15]);
    let changes = vec![put(memory(number, "probe"))];
    let request = crate::store::request(header, vec![expect], changes);
    let refusal = store.send(request).await.err().map(|error| error.kind);
    let expected = (!holds).then_some(StoreErrorKind::Conflict);
    assert_eq!(refusal, expected, "{context} (left: actual refusal)");
}

/// All that is in force under the topic, however it is spelled, is named in order, and nothing
/// else.
async fn holding_names_what_is_in_force(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let here = || place(HOME, None);
    check(&store, holding(here(), &[]), true).await;
    let mut spelled = named(2, "Bea");
    spelled.claim = Some(claim(" USER", "\u{ff2e}ame", "Bea"));
    let mut other = named(3, "Ann");
    other.claim = Some(claim("user", "nick", "Ann"));
    store.put([named(1, "Ann"), spelled, other]).await;
    for (numbers, holds) in [
        (&[1, 2][..], true),
        (&[], false),
        (&[1], false),
        (&[2, 1], false),
        (&[1, 2, 3], false),
        (&[1, 2, 2], false),
        (&[1, 9], false),
    ] {
        check(&store, holding(here(), numbers), holds).await;
    }
    store.commit(vec![retire(memory_id(1))]).await;
    check(&store, holding(here(), &[2]), true).await;
    store.commit(vec![restore(memory_id(1))]).await;
    check(&store, holding(here(), &[1, 2]), true).await;
    let newer = vec![put(named(4, "Cem")), supersede(memory_id(1), memory_id(4))];
    store.commit(newer).await;
    check(&store, holding(here(), &[2, 4]), true).await;
    store.commit(vec![erase(1, HOME, &[memory_id(2)])]).await;
    check(&store, holding(here(), &[4]), true).await;
}

/// What other namespaces, owners and access lists hold is not held here.
async fn holding_is_of_one_place(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let above = Memory {
        namespace: namespace("team"),
        ..named(1, "Ann")
    };
    let private = Memory {
        private: true,
        ..named(2, "Bea")
    };
    let of_another = Memory {
        agent: name("a2"),
        ..private.clone()
    };
    let of_another = Memory {
        id: memory_id(3),
        ..of_another
    };
    let listed = Memory {
        readers: readers(&["u1", "u2"]),
        ..named(4, "Dan")
    };
    store.put([above, private, of_another, listed]).await;
    let with_list = |names: &[&str]| Place {
        readers: readers(names),
        ..place(HOME, None)
    };
    for (place, numbers) in [
        (place("team", None), &[1][..]),
        (place(HOME, None), &[]),
        (place("team/app/sub", None), &[]),
        (place(HOME, Some(AGENT)), &[2]),
        (place(HOME, Some("a2")), &[3]),
        (with_list(&["u1", "u2"]), &[4]),
        (with_list(&["u1"]), &[]),
    ] {
        check(&store, holding(place, numbers), true).await;
    }
}

async fn find(store: &TestStore, query: MemoryQuery) -> Vec<MemoryId> {
    let found = store.backend.find_memories(&query).await;
    found.expect("memories").iter().map(|m| m.id).collect()
}

/// By topic a memory is found in any state, from where it is seen.
async fn memories_are_found_by_topic(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let above = Memory {
        namespace: namespace("team"),
        ..named(3, "Cem")
    };
    store.put([named(1, "Ann"), memory(2, "name"), above]).await;
    store.commit(vec![retire(memory_id(1))]).await;
    let by_topic = |from: &str, subject, key| MemoryQuery {
        topic: Some(topic(subject, key)),
        ..MemoryQuery::all(scope(from, AGENT), 100)
    };
    for (from, subject, key, expected) in [
        (HOME, "User", "name ", &[1, 3][..]),
        ("team", "user", "name", &[3]),
        (HOME, "user", "nick", &[]),
        (HOME, "user name", "", &[]),
    ] {
        let expected: Vec<MemoryId> = expected.iter().copied().map(memory_id).collect();
        assert_eq!(find(&store, by_topic(from, subject, key)).await, expected);
    }
}

/// By what it was made of a memory is found, whether that is still in force or was ever there.
async fn memories_are_found_by_their_origin(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let made = |n, of: &[u64]| Memory {
        derived_from: of.iter().copied().map(memory_id).collect(),
        ..memory(n, "made")
    };
    store
        .put([memory(1, "a"), made(2, &[1]), made(3, &[1, 2, 77])])
        .await;
    store.commit(vec![retire(memory_id(1))]).await;
    let by_origin = |n| MemoryQuery {
        derived_from: Some(memory_id(n)),
        ..MemoryQuery::all(home(), 100)
    };
    for (n, expected) in [(1, &[2, 3][..]), (2, &[3]), (77, &[3]), (3, &[])] {
        let expected: Vec<MemoryId> = expected.iter().copied().map(memory_id).collect();
        assert_eq!(find(&store, by_origin(n)).await, expected, "of {n}");
    }
}

/// By the digest of its text alone a memory is recognised in any state and from below.
async fn memories_are_found_by_echo(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let above = Memory {
        namespace: namespace("team"),
        ..memory(3, "red fox")
    };
    store
        .put([memory(1, "red fox"), memory(2, "cat"), above])
        .await;
    store.commit(vec![retire(memory_id(1))]).await;
    let echo = Some(digest("echo red fox"));
    let by_echo = MemoryQuery {
        echo,
        ..MemoryQuery::all(home(), 100)
    };
    assert_eq!(find(&store, by_echo).await, [1, 3].map(memory_id));
    let both = MemoryQuery {
        echo,
        digest: Some(digest("red fox")),
        ..MemoryQuery::all(home(), 100)
    };
    assert_eq!(
        find(&store, both).await,
        [],
        "what is set must hold, all of it"
    );
}
