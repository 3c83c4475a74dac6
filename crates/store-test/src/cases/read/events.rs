//! Events are read newest first, by one of their keys.

use precedent_core::{EventId, EventKey, EventQuery, Outcome, ToolEvent};

use crate::case::stories;
use crate::data::{at, clean, decide, event, event_id, home, keys, receipt, receipt_id};
use crate::store::TestStore;
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("read":
    events_come_back_as_they_were_written,
    events_are_found_by_each_key,
    events_are_newest_first,
    events_are_narrowed_by_outcome_time_and_number,
);

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
