//! Who may see and erase what; here, the store that its cases share.

pub(super) mod lists;
pub(super) mod reach;
pub(super) mod sight;

use precedent_core::Namespace;

use crate::Harness;
use crate::data::{
    at, axis, decide, event, memory, memory_id, name, namespace, observe, put_with, receipt, rule,
    rule_change,
};
use crate::store::TestStore;

/// Namespaces around `team/app`: ancestor, itself, child, sibling, look-alikes by prefix, suffix
/// and pattern, a stranger.
pub(super) const AROUND: [&str; 10] = [
    "team",
    "team/app",
    "team/app/sub",
    "team/other",
    "team/app2",
    "team/ap",
    "team-app",
    "app",
    "teamX",
    "stranger",
];

/// Writes a memory, a rule, an event and a receipt numbered alike into each namespace.
pub(super) async fn settled(harness: &dyn Harness, private: bool, agent: &str) -> TestStore {
    let store = TestStore::open(harness).await;
    for (n, path) in (1..).zip(AROUND) {
        let place = |target: &mut Namespace| *target = namespace(path);
        let mut memory = memory(n, "red fox");
        let mut rule = rule(n, memory_id(n));
        let mut event = event(n, at(0));
        let mut receipt = receipt(n);
        place(&mut memory.namespace);
        place(&mut rule.namespace);
        place(&mut event.namespace);
        place(&mut receipt.namespace);
        (memory.private, rule.private, event.private) = (private, private, private);
        for owner in [
            &mut memory.agent,
            &mut rule.agent,
            &mut event.agent,
            &mut receipt.agent,
        ] {
            *owner = name(agent);
        }
        store
            .commit(vec![
                put_with(memory, Some(axis(0))),
                rule_change(rule),
                observe(event),
                decide(receipt),
            ])
            .await;
    }
    store
}
