//! A reader sees its own path and its own private records, through every method.

use precedent_core::{
    EventKey, EventQuery, Kind, Memory, MemoryId, MemoryQuery, ReceiptQuery, RuleQuery, Scope,
};

use super::settled;
use crate::case::stories;
use crate::data::{
    AGENT, HOME, at, axis, clean, event, home, memory, memory_id, name, namespace, observe, put,
    put_with, receipt_id, rule, rule_change, scope,
};
use crate::store::{TestStore, both_query, ids};
use crate::view::Viewer;
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("isolation":
    memories_are_seen_from_their_namespace_and_below,
    receipts_are_seen_from_below,
    private_records_are_seen_by_their_agent_alone,
    receipts_are_their_agents_alone,
    unseen_records_leave_no_trace_in_any_answer,
    pages_and_depth_count_what_is_seen,
);

/// Which of the numbered records a reader sees, through every method that returns them.
async fn seen(store: &TestStore, scope: &Scope) -> Vec<(&'static str, Vec<u64>)> {
    let backend = store.backend.as_ref();
    let all: Vec<MemoryId> = (1..=10).map(memory_id).collect();
    let number = |bytes: &[u8; 16]| u64::from(bytes[15]);
    let numbers = |memories: Vec<Memory>| -> Vec<u64> {
        memories.iter().map(|m| number(m.id.as_bytes())).collect()
    };
    let by_id = backend.memories(scope, &all).await.expect("memories");
    let found = store.memories(scope).await;
    let query = both_query(scope, &[Kind::Episodic], "red", axis(0));
    let candidates = store.candidates(&query).await;
    let lexical = ids(&store.by_words(scope, "red").await);
    let vector = ids(&store.by_vector(scope, axis(0)).await);
    let rules = RuleQuery {
        scope: scope.clone(),
        keys: Some(vec![clean("program:rm")]),
        limit: 100,
    };
    let rules = backend.rules(&rules).await.expect("rules");
    let mut events = Vec::new();
    for key in [EventKey::Any, EventKey::Lookup(clean("tool:Bash"))] {
        let query = EventQuery {
            scope: scope.clone(),
            key,
            outcomes: Vec::new(),
            since: None,
            limit: 100,
        };
        let mut found: Vec<u64> = backend
            .events(&query)
            .await
            .expect("events")
            .iter()
            .map(|event| number(event.id.as_bytes()))
            .collect();
        found.sort_unstable();
        events.push(found);
    }
    let raw = |ids: Vec<MemoryId>| ids.iter().map(|id| number(id.as_bytes())).collect();
    let mut brought = numbers(candidates.memories);
    brought.sort_unstable();
    vec![
        ("memories", numbers(by_id)),
        ("find_memories", numbers(found)),
        ("lexical lane", raw(lexical)),
        ("vector lane", raw(vector)),
        ("brought along", brought),
        (
            "rules",
            rules
                .iter()
                .map(|rule| number(rule.id.as_bytes()))
                .collect(),
        ),
        ("events", events.remove(0)),
        ("events by key", events.remove(0)),
    ]
}

async fn assert_seen(store: &TestStore, scope: &Scope, expected: &[u64]) {
    for (method, found) in seen(store, scope).await {
        assert_eq!(found, expected, "{method} from {scope:?}");
    }
}

/// Readers at, above, beside and below `team/app` see whole segments of their own path only.
async fn memories_are_seen_from_their_namespace_and_below(harness: &dyn Harness) {
    let store = settled(harness, false, AGENT).await;
    for (path, expected) in [
        ("team", vec![1]),
        ("team/app", vec![1, 2]),
        ("team/app/sub", vec![1, 2, 3]),
        ("team/app/sub/deeper", vec![1, 2, 3]),
        ("team/app2", vec![1, 5]),
        ("team/ap", vec![1, 6]),
        ("team-app", vec![7]),
        ("app", vec![8]),
        ("app/team", vec![8]),
        ("tea", vec![]),
        ("team_app", vec![]),
    ] {
        assert_seen(&store, &scope(path, "a2"), &expected).await;
    }
}

/// Receipts follow the same path rule, by id and by tool use, where one agent reads from several
/// places.
async fn receipts_are_seen_from_below(harness: &dyn Harness) {
    let store = settled(harness, false, AGENT).await;
    for (path, expected) in [
        ("team", vec![1]),
        ("team/app/sub", vec![1, 2, 3]),
        ("team/app2", vec![1, 5]),
        ("tea", vec![]),
    ] {
        let reader = scope(path, AGENT);
        let mut found = Vec::new();
        for n in 1..=10 {
            let by_id = ReceiptQuery::Id(reader.clone(), receipt_id(n));
            let by_use = ReceiptQuery::ToolUse(reader.clone(), clean(&format!("use-{n}")));
            let by_id = store.backend.receipts(&by_id).await.expect("receipts");
            let by_use = store.backend.receipts(&by_use).await.expect("receipts");
            assert_eq!(by_id, by_use);
            found.extend(by_id.iter().map(|_| n));
        }
        assert_eq!(found, expected, "receipts from {path}");
    }
}

/// A private record is seen by its agent, from where any of its records would be seen.
async fn private_records_are_seen_by_their_agent_alone(harness: &dyn Harness) {
    let store = settled(harness, true, AGENT).await;
    assert_seen(&store, &scope("team/app/sub", AGENT), &[1, 2, 3]).await;
    assert_seen(&store, &scope("team/app/sub", "a2"), &[]).await;
    assert_seen(&store, &scope("team/app/sub", "A1"), &[]).await;
    assert_seen(&store, &scope("team", AGENT), &[1]).await;
}

/// A receipt is its agent's, although receipts have no privacy flag.
async fn receipts_are_their_agents_alone(harness: &dyn Harness) {
    let store = settled(harness, false, AGENT).await;
    for (agent, expected) in [(AGENT, 1), ("a2", 0)] {
        for query in [
            ReceiptQuery::Id(scope(HOME, agent), receipt_id(2)),
            ReceiptQuery::ToolUse(scope(HOME, agent), clean("use-2")),
        ] {
            let found = store.backend.receipts(&query).await.expect("receipts");
            assert_eq!(found.len(), expected, "{query:?}");
        }
    }
}

/// A store with records that the reader does not see answers, scores and counts included, like
/// one without them.
async fn unseen_records_leave_no_trace_in_any_answer(harness: &dyn Harness) {
    let (full, twin) = (
        TestStore::open(harness).await,
        TestStore::open(harness).await,
    );
    let seen = vec![
        put_with(memory(1, "red fox"), Some(axis(0))),
        put(memory(2, "red red cat")),
        rule_change(rule(1, memory_id(1))),
        observe(event(1, at(1000))),
    ];
    full.commit(seen.clone()).await;
    twin.commit(seen).await;
    let mut private = memory(3, "red red red fox");
    (private.private, private.agent) = (true, name("a2"));
    let mut private_rule = rule(3, memory_id(3));
    (private_rule.private, private_rule.agent) = (true, name("a2"));
    let mut private_event = event(3, at(1000));
    (private_event.private, private_event.agent) = (true, name("a2"));
    let mut hidden = vec![put_with(private, Some(axis(0))), rule_change(private_rule)];
    for (n, path) in (10..).zip(["team/app/sub", "team/other", "team/app2"]) {
        let mut elsewhere = memory(n, "red fox red fox");
        elsewhere.namespace = namespace(path);
        hidden.push(put_with(elsewhere.clone(), Some(axis(0))));
        elsewhere.id = memory_id(n + 10);
        hidden.push(put(elsewhere));
    }
    hidden.push(observe(private_event));
    full.commit(hidden).await;
    let viewer = Viewer {
        scopes: Vec::new(),
        texts: vec!["red", "red fox", "cat"],
        receipts: 0,
    };
    let with = viewer.look_from(full.backend.as_ref(), &home()).await;
    let without = viewer.look_from(twin.backend.as_ref(), &home()).await;
    assert_eq!(with, without);
}

/// Records that are not seen take no place in a page, a limit or a lane's depth.
async fn pages_and_depth_count_what_is_seen(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let unseen = (1..=60).map(|n| {
        let mut memory = memory(n, "red red red");
        memory.namespace = namespace("team/other");
        put_with(memory, Some(axis(0)))
    });
    let seen = put_with(
        memory(99, "red and more words"),
        Some(crate::data::slanted(0, 1)),
    );
    store.commit(unseen.chain([seen]).collect()).await;
    let later = (61..=90).map(|n| {
        let mut event = event(n, at(3000));
        event.namespace = namespace("team/other");
        observe(event)
    });
    let early = observe(event(1, at(2000)));
    store
        .commit([early].into_iter().chain(later).collect())
        .await;

    assert_eq!(ids(&store.by_words(&home(), "red").await), [memory_id(99)]);
    assert_eq!(
        ids(&store.by_vector(&home(), axis(0)).await),
        [memory_id(99)]
    );
    let page = MemoryQuery::all(home(), 1);
    let page = store.backend.find_memories(&page).await.expect("memories");
    assert_eq!(page.len(), 1);
    let newest = EventQuery {
        scope: home(),
        key: EventKey::Any,
        outcomes: Vec::new(),
        since: None,
        limit: 1,
    };
    let newest = store.backend.events(&newest).await.expect("events");
    assert_eq!(newest.len(), 1);
}
