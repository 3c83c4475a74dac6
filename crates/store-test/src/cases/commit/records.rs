//! Changes keep the records consistent with each other.

use precedent_core::audit::Op;
use precedent_core::{Kind, Lane, Memory, ReceiptQuery, State, StoreErrorKind};

use super::{furnished, one_of_each};
use crate::case::stories;
use crate::data::{
    AGENT, at, axis, event, event_id, home, memory, memory_id, name, observe, put, put_with,
    receipt_id, rule, rule_change, supersede,
};
use crate::store::{TestStore, answer, assert_refused, both_query, hits, ids, lexical_query};
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("commit":
    supersede_retires_and_links,
    supersede_needs_a_live_memory,
    event_closes_its_receipt_once,
    event_closes_only_its_agents_receipt,
    rule_needs_its_memory,
    malformed_vector_leaves_the_memory_to_words,
);

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
        valid_to: Some(at(0)),
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
        let changes = vec![put(memory(7, "later")), supersede(old, memory_id(7))];
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
