//! Each precondition holds and fails as the contract says.

use precedent_core::{Expect, StoreErrorKind};

use crate::case::stories;
use crate::data::{
    AGENT, HOME, decide, digest, erase, event, home, memory, memory_id, name, observe, place, put,
    receipt, receipt_id, supersede,
};
use crate::store::{TestStore, assert_refused};
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("expect":
    absent,
    version,
    no_duplicate,
    no_duplicate_ignores_what_is_not_live,
    head,
    receipt_open,
);

/// Checks a precondition with a commit that writes memory `n`.
async fn check(store: &TestStore, n: u64, expect: Expect, holds: bool) {
    let context = format!("{expect:?}");
    let change = vec![put(memory(n, &format!("probe {n}")))];
    let answer = store.try_commit(vec![expect], change).await;
    let refusal = answer.err().map(|error| error.kind);
    let expected = (!holds).then_some(StoreErrorKind::Conflict);
    assert_eq!(refusal, expected, "{context} (left: actual refusal)");
}

/// A memory is absent when there is none of this id, live, superseded or erased.
async fn absent(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(1, "live"), memory(2, "erased")]).await;
    store.commit(vec![erase(1, HOME, &[memory_id(2)])]).await;
    check(&store, 50, Expect::Absent(memory_id(3)), true).await;
    check(&store, 51, Expect::Absent(memory_id(1)), false).await;
    check(&store, 51, Expect::Absent(memory_id(2)), false).await;
}

/// A memory is at version 1 when written, and at the next after each change of its record.
async fn version(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(1, "old"), memory(2, "erased")]).await;
    store.commit(vec![erase(1, HOME, &[memory_id(2)])]).await;
    check(&store, 50, Expect::Version(memory_id(1), 1), true).await;
    for (id, version) in [(1, 0), (1, 2), (2, 1), (3, 0), (3, 1)] {
        check(&store, 51, Expect::Version(memory_id(id), version), false).await;
    }
    let (old, new) = (memory_id(1), memory_id(4));
    store
        .commit(vec![put(memory(4, "new")), supersede(old, new)])
        .await;
    check(&store, 52, Expect::Version(old, 2), true).await;
    check(&store, 53, Expect::Version(old, 1), false).await;
}

fn no_repeat(text: &str, namespace: &str, owner: Option<&str>) -> Expect {
    Expect::NoDuplicate {
        place: place(namespace, owner),
        digest: digest(text),
    }
}

/// A duplicate has the same digest, the same namespace and the same owner, nothing less.
async fn no_duplicate(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut private = memory(2, "mine");
    private.private = true;
    store.put([memory(1, "shared"), private]).await;
    let cases = [
        (no_repeat("shared", HOME, None), false),
        (no_repeat("mine", HOME, Some(AGENT)), false),
        (no_repeat("other", HOME, None), true),
        (no_repeat("shared", "team", None), true),
        (no_repeat("shared", "team/app/sub", None), true),
        (no_repeat("shared", HOME, Some(AGENT)), true),
        (no_repeat("mine", HOME, None), true),
        (no_repeat("mine", HOME, Some("a2")), true),
    ];
    for (n, (expect, holds)) in (50..).zip(cases) {
        check(&store, n, expect, holds).await;
    }
}

/// What was superseded or erased may be written again.
async fn no_duplicate_ignores_what_is_not_live(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(1, "old"), memory(2, "gone")]).await;
    let (old, new) = (memory_id(1), memory_id(3));
    store
        .commit(vec![
            put(memory(3, "new")),
            supersede(old, new),
            erase(1, HOME, &[memory_id(2)]),
        ])
        .await;
    for (n, text) in (50..).zip(["old", "gone"]) {
        check(&store, n, no_repeat(text, HOME, None), true).await;
    }
    let live = no_repeat("new", HOME, None);
    check(&store, 60, live, false).await;
}

/// The head precondition names the hash of the last entry, of no other.
async fn head(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    check(&store, 50, Expect::Head(digest("any")), false).await;
    let first = store.commit(vec![put(memory(1, "one"))]).await;
    check(&store, 51, Expect::Head(first.head.hash), true).await;
    check(&store, 52, Expect::Head(first.head.hash), false).await;
}

/// A receipt is open until an event closed it, and to its own agent only.
async fn receipt_open(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(vec![decide(receipt(1))]).await;
    let open = |n, agent| Expect::ReceiptOpen(receipt_id(n), name(agent));
    check(&store, 50, open(1, AGENT), true).await;
    check(&store, 51, open(1, "a2"), false).await;
    check(&store, 51, open(2, AGENT), false).await;
    let mut closing = event(1, crate::data::at(9000));
    closing.receipt = Some(receipt_id(1));
    let request = store.request(vec![open(1, AGENT)], vec![observe(closing)]);
    store
        .send(request)
        .await
        .expect("an open receipt is closed");
    check(&store, 51, open(1, AGENT), false).await;
    let late = store.try_commit(vec![open(1, AGENT)], vec![decide(receipt(3))]);
    assert_refused(late.await, StoreErrorKind::Conflict);
    assert!(store.memories(&home()).await.len() == 1);
}
