//! A commit is applied whole or not at all.

use std::sync::Arc;

use precedent_core::{Change, Expect, SealError, StoreErrorKind};

use super::{furnished, one_of_each, viewer};
use crate::case::stories;
use crate::data::{
    at, decide, erase, event, memory, memory_id, observe, put, receipt, rule, rule_change,
};
use crate::sink::{ChainSink, FailingSink};
use crate::store::{KEY, TestStore, assert_refused, request};
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("commit":
    failed_precondition_leaves_nothing,
    refusing_sink_leaves_nothing,
    late_conflict_leaves_nothing,
    late_erasure_of_nothing_leaves_nothing,
    empty_commit_is_refused,
    record_ids_are_used_once,
    other_keys_are_refused,
);

/// Sends `one_of_each` in a form that has to be refused, and then again in a lawful form under
/// the same id.
async fn assert_leaves_nothing(
    harness: &dyn Harness,
    expects: Vec<Expect>,
    last: Option<Change>,
    kind: StoreErrorKind,
) {
    let store = furnished(harness).await;
    let before = viewer().look(store.backend.as_ref()).await;
    let mut changes = one_of_each();
    changes.extend(last);
    let refused = store.request(expects, changes);
    let header = refused.header.clone();
    assert_refused(store.send(refused).await, kind);
    let after = viewer().look(store.backend.as_ref()).await;
    assert_eq!(after, before, "a refused commit can be seen");

    let lawful = request(header, Vec::new(), one_of_each());
    let done = store.send(lawful).await.expect("the id is still free");
    assert!(!done.replayed);
}

/// A precondition that fails after others held leaves nothing behind.
async fn failed_precondition_leaves_nothing(harness: &dyn Harness) {
    let expects = vec![
        Expect::Absent(memory_id(7)),
        Expect::Version(memory_id(1), 1),
        Expect::Version(memory_id(1), 2),
    ];
    assert_leaves_nothing(harness, expects, None, StoreErrorKind::Conflict).await;
}

/// A sink that refuses after all changes were made leaves nothing behind.
async fn refusing_sink_leaves_nothing(harness: &dyn Harness) {
    let store = furnished(harness).await;
    let before = viewer().look(store.backend.as_ref()).await;
    let request = store.request(Vec::new(), one_of_each());
    let failing = FailingSink::new(
        Arc::clone(&store.sink),
        SealError::NotCanonical { what: "detail" },
    );
    let refused = store
        .backend
        .commit(request.clone(), Arc::new(failing))
        .await;
    assert_refused(refused, StoreErrorKind::Seal);
    let after = viewer().look(store.backend.as_ref()).await;
    assert_eq!(after, before, "a commit that was not sealed can be seen");
    let done = store.send(request).await.expect("the id is still free");
    assert!(!done.replayed);
}

/// A change that conflicts after others were made leaves nothing behind.
async fn late_conflict_leaves_nothing(harness: &dyn Harness) {
    let last = rule_change(rule(3, memory_id(9)));
    assert_leaves_nothing(harness, vec![], Some(last), StoreErrorKind::Conflict).await;
}

/// An erasure that finds nothing after other changes were made leaves nothing behind.
async fn late_erasure_of_nothing_leaves_nothing(harness: &dyn Harness) {
    let last = erase(2, "team", &[memory_id(9)]);
    assert_leaves_nothing(harness, vec![], Some(last), StoreErrorKind::NotFound).await;
}

/// A commit without changes is refused, since it could not be told from none.
async fn empty_commit_is_refused(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let empty = store.try_commit(Vec::new(), Vec::new()).await;
    assert_refused(empty, StoreErrorKind::InvalidInput);
    let view = viewer().look(store.backend.as_ref()).await;
    assert_eq!((view.log.len(), view.head), (0, None));
}

/// A memory, event, rule or receipt under an id that is taken is refused, also within a commit.
async fn record_ids_are_used_once(harness: &dyn Harness) {
    let store = furnished(harness).await;
    let taken = [
        vec![put(memory(1, "other"))],
        vec![observe(event(1, at(9000)))],
        vec![rule_change(rule(1, memory_id(1)))],
        vec![decide(receipt(1))],
        vec![put(memory(5, "one")), put(memory(5, "two"))],
    ];
    for changes in taken {
        let refused = store.try_commit(Vec::new(), changes).await;
        assert_refused(refused, StoreErrorKind::Conflict);
    }
}

/// A store is written under the keys of its first commit, or not at all.
async fn other_keys_are_refused(harness: &dyn Harness) {
    let store = furnished(harness).await;
    let before = viewer().look(store.backend.as_ref()).await;
    let request = store.request(Vec::new(), vec![put(memory(5, "other keys"))]);
    let stranger = Arc::new(ChainSink::new("stranger"));
    let refused = store.backend.commit(request.clone(), stranger).await;
    assert_refused(refused, StoreErrorKind::KeyMismatch);
    let after = viewer().look(store.backend.as_ref()).await;
    assert_eq!(after, before);
    let own = Arc::new(ChainSink::new(KEY));
    let done = store.backend.commit(request, own).await;
    assert_eq!(done.map(|done| done.replayed).ok(), Some(false));
}
