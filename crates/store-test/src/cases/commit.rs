//! A commit is applied whole or not at all, and its answer tells what was written.

use std::sync::Arc;

use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{
    Change, CommittedFact, Decision, Expect, Kind, Lane, Memory, ReceiptQuery, SealError, State,
    StoreErrorKind,
};

use crate::case::stories;
use crate::data::{
    AGENT, HOME, at, axis, decide, erase, event, event_id, home, memory, memory_id, name,
    namespace, observe, put, put_with, receipt, receipt_id, rule, rule_change,
};
use crate::sink::{ChainSink, FailingSink};
use crate::store::{
    KEY, TestStore, answer, assert_refused, both_query, hits, ids, lexical_query, request,
};
use crate::view::Viewer;
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("commit":
    failed_precondition_leaves_nothing,
    refusing_sink_leaves_nothing,
    late_conflict_leaves_nothing,
    late_erasure_of_nothing_leaves_nothing,
    facts_follow_the_changes,
    notes_change_the_log_alone,
    recorded_time_never_steps_back,
    sequence_has_no_gap,
    empty_commit_is_refused,
    record_ids_are_used_once,
    supersede_retires_and_links,
    supersede_needs_a_live_memory,
    event_closes_its_receipt_once,
    event_closes_only_its_agents_receipt,
    rule_needs_its_memory,
    malformed_vector_leaves_the_memory_to_words,
    other_keys_are_refused,
);

fn viewer() -> Viewer {
    Viewer {
        scopes: vec![home()],
        texts: vec!["red", "new"],
        receipts: 9,
    }
}

/// A store that holds one record of each sort.
async fn furnished(harness: &dyn Harness) -> TestStore {
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
fn one_of_each() -> Vec<Change> {
    let mut new = memory(2, "new red fox");
    new.supersedes = Some(memory_id(1));
    let mut closing = event(2, at(9000));
    closing.receipt = Some(receipt_id(1));
    vec![
        put_with(new, Some(axis(1))),
        Change::Supersede {
            old: memory_id(1),
            new: memory_id(2),
        },
        rule_change(rule(2, memory_id(2))),
        decide(receipt(2)),
        observe(closing),
        put(memory(3, "new")),
        erase(1, "team", &[memory_id(3)]),
    ]
}

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

/// The answer has one line for each change, in their order, with consecutive sequence numbers
/// from 1, since the log's own opening entry is number 0.
async fn facts_follow_the_changes(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let (mut allow, mut block) = (receipt(2), receipt(3));
    allow.decision = Decision::Allow;
    block.decision = Decision::Block;
    let done = store
        .commit(vec![
            put(memory(2, "second id first")),
            put(memory(1, "first id second")),
            rule_change(rule(1, memory_id(1))),
            decide(receipt(1)),
            decide(allow),
            decide(block),
            observe(event(1, at(1000))),
        ])
        .await;
    let expected = [
        (Op::Write, Some(memory_id(2))),
        (Op::Write, Some(memory_id(1))),
        (Op::Rule, Some(memory_id(1))),
        (Op::GuardWarn, None),
        (Op::GuardAllow, None),
        (Op::GuardBlock, None),
        (Op::Observe, None),
    ];
    let expected: Vec<CommittedFact> = (1..)
        .zip(expected)
        .map(|(seq, (op, memory))| CommittedFact {
            seq,
            op,
            result: FactResult::Ok,
            memory,
            erased: false,
        })
        .collect();
    assert_eq!(done.facts, expected);
    assert_eq!(done.head.size, 8);
    assert!(!done.replayed);
}

/// A note enters the log and changes nothing else.
async fn notes_change_the_log_alone(harness: &dyn Harness) {
    let store = furnished(harness).await;
    let before = viewer().look_from(store.backend.as_ref(), &home()).await;
    let note = Fact {
        op: Op::Deduplicate,
        result: FactResult::Ok,
        namespace: namespace(HOME),
        memory: Some(memory_id(1)),
        detail: Detail::Reason(Reason::ExactRepeat, Some(memory_id(1))),
    };
    let done = store.commit(vec![Change::Note(note)]).await;
    assert_eq!(done.facts.len(), 1);
    assert_eq!(done.facts[0].op, Op::Deduplicate);
    assert_eq!(done.facts[0].memory, Some(memory_id(1)));
    let after = viewer().look_from(store.backend.as_ref(), &home()).await;
    assert_eq!(after, before);
}

/// A clock that steps back does not take the log with it: the later of the commit's and the
/// head's instant is recorded, on the answer, the records and the log alike.
async fn recorded_time_never_steps_back(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.set_clock_ms(100_000);
    let first = store.commit(vec![put(memory(1, "first"))]).await;
    assert_eq!(first.recorded_at, at(101_000));
    store.set_clock_ms(5000);
    let header = store.header();
    let changes = vec![
        put(memory(2, "second")),
        decide(receipt(1)),
        observe(event(1, header.at)),
    ];
    let request = request(header, Vec::new(), changes);
    let second = store.send(request).await.expect("a late clock is no error");
    assert_eq!(second.recorded_at, first.recorded_at);
    assert_eq!(second.head.at, first.recorded_at);
    let written = store.memory(&home(), memory_id(2)).await;
    assert_eq!(
        written.map(|memory| memory.recorded_at),
        Some(first.recorded_at)
    );
    let view = viewer().look(store.backend.as_ref()).await;
    assert_eq!(view.scopes[0].events[0].at, first.recorded_at);
    assert_eq!(view.scopes[0].receipts[0].at, first.recorded_at);
    assert!(view.log.iter().all(|entry| entry.at == first.recorded_at));
    store.set_clock_ms(200_000);
    let third = store.commit(vec![put(memory(3, "third"))]).await;
    assert_eq!(third.recorded_at, at(201_000));
}

/// Sequence numbers count up from 0 over commits, refused ones included in between, and the head
/// is the last entry's.
async fn sequence_has_no_gap(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    for n in 1..=5 {
        store
            .commit(vec![put(memory(2 * n, "a")), put(memory(2 * n + 1, "b"))])
            .await;
        let again = store.try_commit(vec![], vec![put(memory(2 * n, "a"))]);
        assert_refused(again.await, StoreErrorKind::Conflict);
    }
    let view = viewer().look(store.backend.as_ref()).await;
    let sequence: Vec<u64> = view.log.iter().map(|entry| entry.seq).collect();
    assert_eq!(sequence, (0..=10).collect::<Vec<u64>>());
    let head = view.head.expect("the log has begun");
    assert_eq!(head.size, 11);
    assert_eq!(Some(head.hash), view.log.last().map(|entry| entry.leaf));
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

/// A superseded memory keeps its content, names its successor and leaves default recall.
async fn supersede_retires_and_links(harness: &dyn Harness) {
    let store = furnished(harness).await;
    let done = store.commit(one_of_each()).await;
    assert_eq!(done.facts[1].op, Op::Supersede);
    assert_eq!(done.facts[1].memory, Some(memory_id(1)));

    let old = store.memory(&home(), memory_id(1)).await;
    let old = old.expect("a superseded memory can be read");
    let expected = Memory {
        state: State::Superseded,
        superseded_by: Some(memory_id(2)),
        retired_at: Some(done.recorded_at),
        version: 2,
        recorded_at: old.recorded_at,
        ..memory(1, "red fox")
    };
    assert_eq!(old, expected);
    let new = store.memory(&home(), memory_id(2)).await;
    let new = new.expect("the successor can be read");
    assert_eq!((new.supersedes, new.version), (Some(memory_id(1)), 1));

    let mut query = both_query(&home(), &[Kind::Episodic], "red fox", axis(0));
    let found = store.candidates(&query).await;
    for lane in [Lane::Lexical, Lane::Vector] {
        assert_eq!(ids(&hits(&found, Kind::Episodic, lane)), [memory_id(2)]);
    }
    query.filter.states = vec![State::Superseded];
    let found = store.candidates(&query).await;
    for lane in [Lane::Lexical, Lane::Vector] {
        assert_eq!(ids(&hits(&found, Kind::Episodic, lane)), [memory_id(1)]);
    }
}

/// Only a memory that is there and in force can be superseded.
async fn supersede_needs_a_live_memory(harness: &dyn Harness) {
    let store = furnished(harness).await;
    store.commit(one_of_each()).await;
    for old in [memory_id(1), memory_id(3), memory_id(99)] {
        let changes = vec![
            put(memory(7, "later")),
            Change::Supersede {
                old,
                new: memory_id(7),
            },
        ];
        let refused = store.try_commit(Vec::new(), changes).await;
        assert_refused(refused, StoreErrorKind::Conflict);
    }
}

/// The event that answers a receipt closes it; a second one is refused.
async fn event_closes_its_receipt_once(harness: &dyn Harness) {
    let store = furnished(harness).await;
    let closing = |n| {
        let mut event = event(n, at(9000));
        event.receipt = Some(receipt_id(1));
        observe(event)
    };
    store.commit(vec![closing(2)]).await;
    let query = ReceiptQuery::Id(home(), receipt_id(1));
    let found = store.backend.receipts(&query).await;
    let found = found.expect("receipts can be read");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].closed_by, Some(event_id(2)));
    let second = store.try_commit(Vec::new(), vec![closing(3)]).await;
    assert_refused(second, StoreErrorKind::Conflict);
}

/// A receipt of another agent, or one that does not exist, cannot be closed.
async fn event_closes_only_its_agents_receipt(harness: &dyn Harness) {
    let store = furnished(harness).await;
    for (agent, receipt) in [("a2", 1), (AGENT, 9)] {
        let mut event = event(2, at(9000));
        event.agent = name(agent);
        event.receipt = Some(receipt_id(receipt));
        let refused = store.try_commit(Vec::new(), vec![observe(event)]).await;
        assert_refused(refused, StoreErrorKind::Conflict);
    }
}

/// A rule without its memory is refused; one whose memory is written just before is not.
async fn rule_needs_its_memory(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let orphan = vec![rule_change(rule(1, memory_id(1)))];
    let refused = store.try_commit(Vec::new(), orphan.clone()).await;
    assert_refused(refused, StoreErrorKind::Conflict);
    let backwards = orphan.into_iter().chain([put(memory(1, "late"))]);
    let refused = store.try_commit(Vec::new(), backwards.collect()).await;
    assert_refused(refused, StoreErrorKind::Conflict);
    store
        .commit(vec![
            put(memory(1, "in time")),
            rule_change(rule(1, memory_id(1))),
        ])
        .await;
}

/// A vector that is no unit vector of the space is refused for its record alone, which stays
/// findable by its words and counts as pending.
async fn malformed_vector_leaves_the_memory_to_words(harness: &dyn Harness) {
    let malformed = [
        vec![0.0; 8],
        vec![f32::NAN; 8],
        vec![f32::INFINITY; 8],
        vec![1.0; 8],
        vec![1.0],
        Vec::new(),
    ];
    let store = TestStore::open(harness).await;
    store
        .commit(vec![put_with(memory(100, "whole"), Some(axis(0)))])
        .await;
    for (n, vector) in (1..).zip(malformed) {
        store
            .commit(vec![put_with(memory(n, "red fox"), Some(vector))])
            .await;
        let query = both_query(&home(), &[Kind::Episodic], "fox", axis(0));
        let found = store.candidates(&query).await;
        let by_words = ids(&hits(&found, Kind::Episodic, Lane::Lexical));
        assert!(by_words.contains(&memory_id(n)));
        let by_vector = ids(&hits(&found, Kind::Episodic, Lane::Vector));
        assert_eq!(by_vector, [memory_id(100)]);
        assert_eq!(answer(&found, Kind::Episodic, Lane::Vector).pending, n);
    }
    let words = lexical_query(&home(), &[Kind::Episodic], "whole");
    let found = store.candidates(&words).await;
    assert_eq!(answer(&found, Kind::Episodic, Lane::Lexical).pending, 0);
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
