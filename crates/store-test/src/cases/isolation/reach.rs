//! An erasure reaches its namespace and what is below, and tells nothing of the rest.

use precedent_core::{MemoryId, StoreErrorKind};

use super::{AROUND, settled};
use crate::case::stories;
use crate::data::{AGENT, HOME, erase, memory_id, scope};
use crate::store::assert_refused;
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("isolation":
    an_erasure_reaches_down_and_nowhere_else,
    an_erasure_elsewhere_looks_like_one_of_nothing,
);

/// An erasure within `team/app` takes what is there and below; ancestors, siblings and look-alikes
/// stay, although they were named.
async fn an_erasure_reaches_down_and_nowhere_else(harness: &dyn Harness) {
    let store = settled(harness, false, AGENT).await;
    let named: Vec<MemoryId> = (1..=10).map(memory_id).collect();
    let done = store.commit(vec![erase(1, "team/app", &named)]).await;
    assert_eq!(done.facts.len(), 1);
    for (n, path) in (1..).zip(AROUND) {
        let found = store.memory(&scope(path, AGENT), memory_id(n)).await;
        let erased = [2, 3].contains(&n);
        assert_eq!(found.is_none(), erased, "{path}");
    }
    let status = store.backend.status().await.expect("the status");
    assert_eq!(status.tombstones, 2);
}

/// A memory outside the requester's subtree, one that never was and one that is gone are refused
/// alike, so that nothing tells them apart.
async fn an_erasure_elsewhere_looks_like_one_of_nothing(harness: &dyn Harness) {
    let store = settled(harness, false, AGENT).await;
    store.commit(vec![erase(1, HOME, &[memory_id(2)])]).await;
    let mut refusals = Vec::new();
    for n in [1, 4, 5, 99, 2] {
        let refused = store.try_commit(vec![], vec![erase(2, HOME, &[memory_id(n)])]);
        let refused = refused.await.expect_err("nothing there is to be erased");
        refusals.push((refused.kind, refused.retry, refused.to_string()));
    }
    assert_eq!(refusals[0].0, StoreErrorKind::NotFound);
    assert!(
        refusals.iter().all(|refusal| *refusal == refusals[0]),
        "{refusals:?}"
    );
    let empty = store.try_commit(vec![], vec![erase(2, HOME, &[])]).await;
    assert_refused(empty, StoreErrorKind::NotFound);
}
