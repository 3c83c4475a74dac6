//! What a commit does; here, the store and the changes that its cases share.

pub(super) mod answer;
pub(super) mod atomic;
pub(super) mod records;

use precedent_core::Change;

use crate::Harness;
use crate::data::{
    add_alias, at, axis, contradict, decide, entity, erase, event, home, memory, memory_id,
    name_entity, observe, put, put_with, receipt, receipt_id, resolve, retire, rule, rule_change,
    supersede,
};
use crate::store::TestStore;
use crate::view::Viewer;

/// Looks at all of it.
pub(super) fn viewer() -> Viewer {
    Viewer {
        scopes: vec![home()],
        texts: vec!["red", "new"],
        receipts: 9,
    }
}

/// A store that holds one record of each sort.
pub(super) async fn furnished(harness: &dyn Harness) -> TestStore {
    let store = TestStore::open(harness).await;
    store
        .commit(vec![
            put_with(memory(1, "red fox"), Some(axis(0))),
            rule_change(rule(1, memory_id(1))),
            decide(receipt(1)),
        ])
        .await;
    store.observe([event(1, at(0))]).await;
    store
}

/// One of each change, each of which leaves a trace that the viewer sees.
pub(super) fn one_of_each() -> Vec<Change> {
    let mut new = memory(2, "new red fox");
    new.supersedes = Some(memory_id(1));
    let mut closing = event(2, at(9000));
    closing.receipt = Some(receipt_id(1));
    vec![
        put_with(new, Some(axis(1))),
        supersede(memory_id(1), memory_id(2)),
        rule_change(rule(2, memory_id(2))),
        decide(receipt(2)),
        observe(closing),
        put(memory(3, "new")),
        name_entity(entity(1, &["Ann"])),
        add_alias(1, "Annie", true),
        contradict(1, 1, 2),
        contradict(2, 2, 1),
        resolve(2, None),
        retire(memory_id(3)),
        erase(1, "team", &[memory_id(3)]),
    ]
}
