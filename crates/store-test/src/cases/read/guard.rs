//! Rules are read by key while they are in force; receipts by id and tool use.

use precedent_core::{ReceiptQuery, RuleId, RuleQuery};

use crate::case::stories;
use crate::data::{
    HOME, clean, decide, erase, home, memory, memory_id, put, receipt, receipt_id, rule,
    rule_change, rule_id, supersede,
};
use crate::store::TestStore;
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("read":
    rules_come_back_as_they_were_written,
    rules_are_found_by_any_of_their_keys,
    rules_hold_while_their_memory_is_in_force,
    receipts_are_found_by_id_and_tool_use,
);

async fn rule_ids(store: &TestStore, keys: Option<&[&str]>, limit: usize) -> Vec<RuleId> {
    let query = RuleQuery {
        scope: home(),
        keys: keys.map(|keys| keys.iter().map(|key| clean(key)).collect()),
        limit,
    };
    let found = store.backend.rules(&query).await;
    found.expect("rules").iter().map(|rule| rule.id).collect()
}

/// Every form of control survives.
async fn rules_come_back_as_they_were_written(harness: &dyn Harness) {
    use precedent_core::{ActionPattern, Control, Severity};
    let pattern = |program: &str| ActionPattern {
        tool: Some(clean("Bash")),
        program: Some(clean(program)),
        words: vec![clean("run"), clean("db:migrate")],
        flags: vec![clean("--force")],
        paths: vec![clean("src/**/*.rs")],
        environment: vec![clean("production")],
    };
    let mut rules = [1, 2, 3].map(|n| rule(n, memory_id(1)));
    rules[0].control = Control::Requires {
        trigger: pattern("deploy"),
        prerequisites: vec![pattern("test"), ActionPattern::default()],
    };
    rules[1].control = Control::Prohibits {
        trigger: pattern("rm"),
        unless: vec![pattern("ls")],
    };
    rules[2].control = Control::Prefers {
        avoid: pattern("npm"),
        prefer: pattern("pnpm"),
    };
    rules[1].severity = Severity::Advise;
    rules[2].project = None;
    rules[2].private = true;
    let store = TestStore::open(harness).await;
    let mut changes = vec![put(memory(1, "red"))];
    changes.extend(rules.iter().cloned().map(rule_change));
    let done = store.commit(changes).await;
    let query = RuleQuery {
        scope: home(),
        keys: None,
        limit: 100,
    };
    let expected = rules.map(|mut rule| {
        rule.recorded_at = done.recorded_at;
        rule
    });
    assert_eq!(store.backend.rules(&query).await.expect("rules"), expected);
}

/// A rule is found by any of its keys, once, in the order of ids.
async fn rules_are_found_by_any_of_their_keys(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut changes = vec![put(memory(1, "red"))];
    changes.extend([3, 1, 2].map(|n| rule_change(rule(n, memory_id(1)))));
    store.commit(changes).await;
    let all = [1, 2, 3].map(rule_id);
    assert_eq!(rule_ids(&store, None, 100).await, all);
    let keyed = ["number:3", "program:rm", "number:1"];
    assert_eq!(rule_ids(&store, Some(&keyed), 100).await, all);
    let keyed = ["number:3", "number:1", "number:9"];
    assert_eq!(
        rule_ids(&store, Some(&keyed), 100).await,
        [1, 3].map(rule_id)
    );
    assert_eq!(rule_ids(&store, Some(&keyed), 1).await, [rule_id(1)]);
    assert_eq!(rule_ids(&store, Some(&[]), 100).await, []);
    assert_eq!(rule_ids(&store, Some(&["program:r"]), 100).await, []);
}

/// A rule speaks while its memory is active or disputed, and no longer.
async fn rules_hold_while_their_memory_is_in_force(harness: &dyn Harness) {
    use precedent_core::State;
    let store = TestStore::open(harness).await;
    for (n, state) in (1..).zip(State::ALL) {
        let mut memory = memory(n, "red");
        memory.state = *state;
        store
            .commit(vec![put(memory), rule_change(rule(n, memory_id(n)))])
            .await;
    }
    assert_eq!(rule_ids(&store, None, 100).await, [1, 2].map(rule_id));
    let (old, new) = (memory_id(1), memory_id(50));
    store
        .commit(vec![put(memory(50, "new")), supersede(old, new)])
        .await;
    assert_eq!(rule_ids(&store, None, 100).await, [rule_id(2)]);
    store.commit(vec![erase(1, HOME, &[memory_id(2)])]).await;
    assert_eq!(rule_ids(&store, None, 100).await, []);
}

/// A receipt is found by its id and by the host's tool use, newest first, as it was written.
async fn receipts_are_found_by_id_and_tool_use(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let first = store.commit(vec![decide(receipt(1))]).await;
    let mut again = receipt(2);
    again.tool_use = receipt(1).tool_use;
    let mut anonymous = receipt(3);
    (anonymous.tool_use, anonymous.session) = (None, None);
    store.commit(vec![decide(again), decide(anonymous)]).await;

    let by_id = ReceiptQuery::Id(home(), receipt_id(1));
    let mut expected = receipt(1);
    expected.at = first.recorded_at;
    let found = store.backend.receipts(&by_id).await;
    assert_eq!(found.expect("receipts"), [expected]);
    let by_use = ReceiptQuery::ToolUse(home(), clean("use-1"));
    let found = store.backend.receipts(&by_use).await.expect("receipts");
    let found: Vec<_> = found.iter().map(|receipt| receipt.id).collect();
    assert_eq!(found, [2, 1].map(receipt_id));
    for nothing in [
        ReceiptQuery::Id(home(), receipt_id(9)),
        ReceiptQuery::ToolUse(home(), clean("use")),
    ] {
        let found = store.backend.receipts(&nothing).await;
        assert_eq!(found.expect("receipts"), []);
    }
}
