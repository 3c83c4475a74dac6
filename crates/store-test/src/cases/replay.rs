//! The same request again gets the same answer, and changes nothing.

use precedent_core::{Committed, Expect, StoreErrorKind};

use crate::case::stories;
use crate::data::{HOME, digest, erase, home, memory, memory_id, put, receipt, rule, rule_change};
use crate::store::{TestStore, assert_refused};
use crate::view::Viewer;
use crate::{Case, Harness, Need};

pub(super) const CASES: &[Case] = stories!("replay":
    same_request_gets_the_first_answer,
    replay_skips_preconditions_that_its_own_first_run_broke,
    other_request_under_the_id_is_refused,
    erased_ids_are_marked,
    first_answer_survives_reopening needs Need::Reopen,
);

fn viewer() -> Viewer {
    Viewer {
        scopes: vec![home()],
        texts: vec!["fox"],
        receipts: 3,
    }
}

fn replayed(first: Committed) -> Committed {
    Committed {
        replayed: true,
        ..first
    }
}

/// A replay answers what the first run answered, head included, after other commits as well.
async fn same_request_gets_the_first_answer(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let changes = vec![
        put(memory(1, "red fox")),
        rule_change(rule(1, memory_id(1))),
        crate::data::decide(receipt(1)),
    ];
    let request = store.request(Vec::new(), changes);
    let first = store.send(request.clone()).await.expect("the first run");
    let at_once = store.send(request.clone()).await.expect("a replay");
    assert_eq!(at_once, replayed(first.clone()));
    store.put([memory(2, "later")]).await;
    let before = viewer().look(store.backend.as_ref()).await;
    let later = store.send(request).await.expect("a later replay");
    assert_eq!(later, replayed(first));
    let after = viewer().look(store.backend.as_ref()).await;
    assert_eq!(after, before, "a replay changed the store");
}

/// Preconditions are of the first run; a replay is answered although they no longer hold.
async fn replay_skips_preconditions_that_its_own_first_run_broke(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let expects = vec![Expect::Absent(memory_id(1))];
    let request = store.request(expects, vec![put(memory(1, "red fox"))]);
    let first = store.send(request.clone()).await.expect("the first run");
    let again = store.send(request).await.expect("a replay");
    assert_eq!(again, replayed(first));
}

/// Another request under a used id is refused and not written.
async fn other_request_under_the_id_is_refused(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let request = store.request(Vec::new(), vec![put(memory(1, "red fox"))]);
    store.send(request.clone()).await.expect("the first run");
    let mut other = request;
    other.request = digest("another request");
    other.changes = vec![put(memory(2, "other"))];
    assert_refused(store.send(other).await, StoreErrorKind::CommitReused);
    assert_eq!(store.memory(&home(), memory_id(2)).await, None);
}

/// After an erasure the replay tells which memories went and brings none of them back.
async fn erased_ids_are_marked(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let changes = vec![put(memory(1, "red fox")), put(memory(2, "cat"))];
    let request = store.request(Vec::new(), changes);
    let first = store.send(request.clone()).await.expect("the first run");
    assert!(first.facts.iter().all(|fact| !fact.erased));
    store.commit(vec![erase(1, HOME, &[memory_id(1)])]).await;

    let again = store.send(request).await.expect("a replay");
    let mut expected = replayed(first);
    expected.facts[0].erased = true;
    assert_eq!(again, expected);
    assert_eq!(store.memory(&home(), memory_id(1)).await, None);
}

/// The first answer is rebuilt from what is durable.
async fn first_answer_survives_reopening(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let request = store.request(Vec::new(), vec![put(memory(1, "red fox"))]);
    let first = store.send(request.clone()).await.expect("the first run");
    store.put([memory(2, "later")]).await;
    let store = store.reopen(harness).await;
    let again = store.send(request.clone()).await.expect("a replay");
    assert_eq!(again, replayed(first));
    let mut other = request;
    other.request = digest("another request");
    assert_refused(store.send(other).await, StoreErrorKind::CommitReused);
}
