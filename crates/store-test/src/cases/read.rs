//! Reads answer in the promised order, within the scope, up to the limit.

use precedent_core::{
    CertificateQuery, Change, EventId, EventKey, EventQuery, Kind, MemoryId, MemoryQuery, Outcome,
    ReceiptQuery, RuleId, RuleQuery, Scope, ToolEvent,
};

use crate::case::stories;
use crate::data::{
    AGENT, HOME, at, axis, certificate_id, clean, decide, digest, erase, event, event_id, home,
    keys, memory, memory_id, namespace, observe, put, put_with, receipt, receipt_id, rule,
    rule_change, rule_id, scope,
};
use crate::store::TestStore;
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("read":
    an_empty_store_answers_with_nothing,
    memories_come_in_the_order_of_the_ids,
    memories_come_back_as_they_were_written,
    memories_are_paged_by_id,
    memories_are_found_by_kind,
    memories_are_found_by_digest,
    events_come_back_as_they_were_written,
    events_are_found_by_each_key,
    events_are_newest_first,
    events_are_narrowed_by_outcome_time_and_number,
    rules_come_back_as_they_were_written,
    rules_are_found_by_any_of_their_keys,
    rules_hold_while_their_memory_is_in_force,
    receipts_are_found_by_id_and_tool_use,
    certificates_are_found_by_id_and_memory,
    the_log_is_paged,
    the_status_counts,
);

/// A store without a commit has no records, no head and no faults.
async fn an_empty_store_answers_with_nothing(harness: &dyn Harness) {
    let viewer = crate::view::Viewer {
        scopes: vec![home()],
        texts: vec!["red"],
        receipts: 1,
    };
    let store = TestStore::open(harness).await;
    let view = viewer.look(store.backend.as_ref()).await;
    assert_eq!((view.log.len(), view.head), (0, None));
    assert_eq!((view.certificates.len(), view.counts), (0, [0; 3]));
    let seen = &view.scopes[0];
    assert!(seen.memories.is_empty() && seen.events.is_empty() && seen.rules.is_empty());
    for (answers, memories) in &seen.recalls {
        assert_eq!(answers.len(), 2 * Kind::ALL.len());
        for answer in answers {
            assert_eq!((answer.result.as_deref(), answer.pending), (Ok(&[][..]), 0));
        }
        assert!(memories.is_empty());
    }
    let status = store
        .backend
        .status()
        .await
        .expect("the status can be read");
    assert!(status.faults.is_empty());
    assert_eq!(store.backend.capabilities(), store.backend.capabilities());
}

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
    MemoryQuery {
        scope: scope.clone(),
        digest: None,
        kinds: Vec::new(),
        after: None,
        limit: 100,
    }
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
        .commit(vec![put(memory(4, "new")), Change::Supersede { old, new }])
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

/// Writes each event in a commit of its own, a second apart from the first second on.
async fn observe_each(store: &TestStore, events: impl IntoIterator<Item = ToolEvent>) {
    for event in events {
        store.observe([event]).await;
    }
}

fn events_by(key: EventKey) -> EventQuery {
    EventQuery {
        scope: home(),
        key,
        outcomes: Vec::new(),
        since: None,
        limit: 100,
    }
}

async fn event_ids(store: &TestStore, query: &EventQuery) -> Vec<EventId> {
    let found = store.backend.events(query).await;
    found
        .expect("events")
        .iter()
        .map(|event| event.id)
        .collect()
}

/// Every field of an event survives, set or not.
async fn events_come_back_as_they_were_written(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(vec![decide(receipt(1))]).await;
    let mut full = event(1, at(0));
    full.private = true;
    full.receipt = Some(receipt_id(1));
    full.exit_code = Some(-1);
    let bare = ToolEvent {
        id: event_id(2),
        session: None,
        host: None,
        credential: None,
        lookup: Vec::new(),
        cwd: None,
        project: None,
        files: Vec::new(),
        error: None,
        output: None,
        input_digest: None,
        output_digest: None,
        exit_code: None,
        duration_ms: None,
        outcome: Outcome::Unknown,
        ..event(2, at(0))
    };
    let done = store.observe([full.clone(), bare.clone()]).await;
    let expected = [bare, full].map(|event| ToolEvent {
        at: done.recorded_at,
        ..event
    });
    let found = store.backend.events(&events_by(EventKey::Any)).await;
    assert_eq!(found.expect("events"), expected);
}

/// Events are found by identity, shape, family and lookup key.
async fn events_are_found_by_each_key(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    observe_each(&store, (0..8).map(|n| event(n, at(0)))).await;
    let cases = [
        (EventKey::Exact(keys(3).exact), vec![3]),
        (EventKey::Shape(keys(3).shape), vec![3, 2]),
        (EventKey::Family(keys(3).family), vec![3, 2, 1, 0]),
        (EventKey::Lookup(clean("number:5")), vec![5]),
        (EventKey::Lookup(clean("tool:Bash")), (0..8).rev().collect()),
        (EventKey::Any, (0..8).rev().collect()),
        // A key of one sort is not a key of another, and no key matches by its beginning.
        (EventKey::Exact(keys(3).shape), vec![]),
        (EventKey::Lookup(clean("tool:B")), vec![]),
        (EventKey::Lookup(clean("tool:%")), vec![]),
    ];
    for (key, expected) in cases {
        let expected: Vec<EventId> = expected.into_iter().map(event_id).collect();
        let query = events_by(key);
        assert_eq!(event_ids(&store, &query).await, expected, "{:?}", query.key);
    }
}

/// Events are newest first by time; of the same instant, the greatest id comes first.
async fn events_are_newest_first(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    observe_each(&store, [5, 9, 1].map(|n| event(n, at(0)))).await;
    store.observe([3, 8, 2].map(|n| event(n, at(0)))).await;
    let found = event_ids(&store, &events_by(EventKey::Any)).await;
    assert_eq!(found, [8, 3, 2, 1, 9, 5].map(event_id));
}

/// Outcome, time and number narrow what the key finds; the number counts what passed.
async fn events_are_narrowed_by_outcome_time_and_number(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let events = (1..).zip(Outcome::ALL).map(|(n, outcome)| {
        let mut event = event(n, at(0));
        event.outcome = *outcome;
        event
    });
    observe_each(&store, events).await;
    let any = || events_by(EventKey::Lookup(clean("tool:Bash")));
    let mut by_outcome = any();
    by_outcome.outcomes = vec![Outcome::Failed, Outcome::InFlight];
    assert_eq!(event_ids(&store, &by_outcome).await, [5, 2].map(event_id));
    by_outcome.limit = 1;
    assert_eq!(event_ids(&store, &by_outcome).await, [event_id(5)]);
    let mut since = any();
    since.since = Some(at(5000));
    assert_eq!(event_ids(&store, &since).await, [6, 5].map(event_id));
    since.since = Some(at(5001));
    assert_eq!(event_ids(&store, &since).await, [event_id(6)]);
    let mut oldest_match = any();
    oldest_match.outcomes = vec![Outcome::Succeeded];
    oldest_match.limit = 1;
    assert_eq!(event_ids(&store, &oldest_match).await, [event_id(1)]);
}

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
        .commit(vec![put(memory(50, "new")), Change::Supersede { old, new }])
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

/// A certificate is found by its id, by each memory that it tells of, and among all.
async fn certificates_are_found_by_id_and_memory(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put((1..=4).map(|n| memory(n, "red"))).await;
    let first = store
        .commit(vec![erase(9, HOME, &[memory_id(1), memory_id(3)])])
        .await;
    let second = store.commit(vec![erase(5, HOME, &[memory_id(2)])]).await;
    assert_eq!(first.certificates, [certificate_id(9)]);
    assert_eq!(second.certificates, [certificate_id(5)]);
    let cases = [
        (CertificateQuery::All, vec![9, 5]),
        (CertificateQuery::Id(certificate_id(5)), vec![5]),
        (CertificateQuery::Id(certificate_id(1)), vec![]),
        (CertificateQuery::Memory(memory_id(1)), vec![9]),
        (CertificateQuery::Memory(memory_id(3)), vec![9]),
        (CertificateQuery::Memory(memory_id(2)), vec![5]),
        (CertificateQuery::Memory(memory_id(4)), vec![]),
    ];
    for (query, expected) in cases {
        let found = store.backend.certificates(&query).await;
        let found = found.expect("certificates");
        let ids: Vec<_> = found.iter().map(|certificate| certificate.id).collect();
        let expected: Vec<_> = expected.into_iter().map(certificate_id).collect();
        assert_eq!(ids, expected, "{query:?}");
    }
    let all = store.backend.certificates(&CertificateQuery::All).await;
    let sequence: Vec<u64> = all.expect("certificates").iter().map(|c| c.seq).collect();
    assert_eq!(sequence, [first.facts[0].seq, second.facts[0].seq]);
}

/// The log is read from any entry on, as it was sealed.
async fn the_log_is_paged(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let done = store.commit((1..=4).map(|n| put(memory(n, "red"))).collect());
    let done = done.await;
    let whole = store.backend.audit_log(0, 100).await.expect("the log");
    assert_eq!(whole.entries.len(), 5);
    assert_eq!(whole.head, Some(done.head));
    for (from, limit) in [
        (0, 2),
        (2, 2),
        (4, 2),
        (5, 2),
        (1, 0),
        (u64::from(u32::MAX), 1),
    ] {
        let page = store.backend.audit_log(from, limit).await.expect("a page");
        let start = usize::try_from(from).map_or(5, |from| from.min(5));
        let end = (start + limit).min(5);
        assert_eq!(page.entries, whole.entries[start..end], "{from}, {limit}");
        assert_eq!(page.head, whole.head);
    }
    let first = &whole.entries[0];
    assert_eq!(first.op, precedent_core::audit::Op::Genesis);
    assert!(
        whole.entries[1..]
            .iter()
            .all(|entry| entry.namespace == namespace(HOME).as_str())
    );
}

/// The status counts what is held, over all namespaces and owners.
async fn the_status_counts(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut private = memory(2, "word ".repeat(81).trim());
    private.private = true;
    private.namespace = namespace("elsewhere");
    store
        .commit(vec![
            put_with(memory(1, "red"), Some(axis(0))),
            put(private),
            put(memory(3, "gone")),
            rule_change(rule(1, memory_id(1))),
            rule_change(rule(2, memory_id(3))),
            decide(receipt(1)),
            observe(event(1, at(1000))),
        ])
        .await;
    let done = store.commit(vec![erase(1, HOME, &[memory_id(3)])]).await;
    let status = store.backend.status().await.expect("the status");
    let counts: Vec<_> = status
        .kinds
        .iter()
        .map(|counts| (counts.kind, counts.memories, counts.vectors, counts.chunks))
        .collect();
    // 81 words and the actor's name are 82 words: two chunks.
    let expected = [
        (Kind::Episodic, 2, 1, 3),
        (Kind::Semantic, 0, 0, 0),
        (Kind::Procedural, 0, 0, 0),
    ];
    assert_eq!(counts, expected);
    assert_eq!((status.events, status.rules, status.tombstones), (1, 1, 1));
    assert_eq!(status.head, Some(done.head));
    assert_eq!(status.space, Some(crate::data::space()));
    assert!(status.faults.is_empty());
}
