//! The answer and the log tell what was written, in order and in time.

use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{Change, CommittedFact, Decision, StoreErrorKind};

use super::{furnished, viewer};
use crate::case::stories;
use crate::data::{
    HOME, at, decide, event, home, memory, memory_id, namespace, observe, put, receipt, rule,
    rule_change,
};
use crate::store::{TestStore, assert_refused, request};
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("commit":
    facts_follow_the_changes,
    notes_change_the_log_alone,
    recorded_time_never_steps_back,
    sequence_has_no_gap,
);

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
