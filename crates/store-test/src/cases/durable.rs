//! What a durable store holds after it was closed and opened again.

use std::sync::Arc;

use precedent_core::{Kind, Lane, Memory, RecallCode, StoreErrorKind};

use crate::case::stories;
use crate::data::{
    ACTOR, HOME, axis, claim, contradict, decide, digest, entity, erase, event, home, memory,
    memory_id, mention, name_entity, observe, put, put_with, readers, receipt, restore, retire,
    rule, rule_change, space,
};
use crate::sink::ChainSink;
use crate::store::{TestStore, answer, assert_refused, both_query, hits, ids};
use crate::view::Viewer;
use crate::{Case, Harness, Need};

pub(super) const CASES: &[Case] = stories!("durable":
    reopening_changes_nothing needs Need::Reopen,
    keys_outlive_reopening needs Need::Reopen,
    another_space_leaves_the_lexical_lane needs Need::Reopen,
);

async fn furnished(harness: &dyn Harness) -> TestStore {
    let store = TestStore::open(harness).await;
    store
        .commit(vec![
            put_with(memory(1, "red fox"), Some(axis(0))),
            put(memory(2, "red cat")),
            rule_change(rule(1, memory_id(1))),
            decide(receipt(1)),
            observe(event(1, crate::data::at(1000))),
        ])
        .await;
    store.commit(vec![erase(1, HOME, &[memory_id(2)])]).await;
    let mentioning = Memory {
        mentions: vec![mention(1, "Ann")],
        readers: readers(&[ACTOR, "u2"]),
        claim: Some(claim("user", "name", "Ann")),
        ..memory(4, "red owl")
    };
    let mut listed = entity(1, &["Ann", "Annie"]);
    listed.readers = readers(&[ACTOR, "u2"]);
    let corrected = vec![
        name_entity(listed),
        put(mentioning),
        contradict(1, 1, 4),
        retire(memory_id(4)),
        restore(memory_id(4)),
    ];
    store.commit(corrected).await;
    store.commit(vec![retire(memory_id(4))]).await;
    store
}

/// All that can be seen before closing can be seen after opening, and nothing else.
async fn reopening_changes_nothing(harness: &dyn Harness) {
    let viewer = Viewer {
        scopes: vec![home()],
        texts: vec!["red", "fox"],
        receipts: 2,
    };
    let store = furnished(harness).await;
    let before = viewer.look(store.backend.as_ref()).await;
    let store = store.reopen(harness).await;
    assert_eq!(viewer.look(store.backend.as_ref()).await, before);
    let next = store.commit(vec![put(memory(3, "next"))]).await;
    assert_eq!(Some(next.facts[0].seq), before.head.map(|head| head.size));
}

/// The keys of the first commit stay the store's keys.
async fn keys_outlive_reopening(harness: &dyn Harness) {
    let store = furnished(harness).await.reopen(harness).await;
    let request = store.request(Vec::new(), vec![put(memory(3, "other keys"))]);
    let stranger = Arc::new(ChainSink::new("stranger"));
    let refused = store.backend.commit(request, stranger).await;
    assert_refused(refused, StoreErrorKind::KeyMismatch);
}

/// A store opened for vectors of another space answers from words and says what became of the
/// vectors.
async fn another_space_leaves_the_lexical_lane(harness: &dyn Harness) {
    let store = furnished(harness).await;
    let mut other = space();
    other.fingerprint = digest("another space");
    let backend = harness.reopen(store.backend, &other).await;
    let mut query = both_query(&home(), &[Kind::Episodic], "fox", axis(0));
    let asked = query.vector.as_mut().expect("the query has a vector");
    asked.space = other.fingerprint;
    let found = backend.candidates(&query).await;
    let by_words = hits(&found, Kind::Episodic, Lane::Lexical);
    assert_eq!(ids(&by_words), [memory_id(1)]);
    let vector = answer(&found, Kind::Episodic, Lane::Vector);
    let code = vector.result.as_ref().err().map(|error| error.code);
    assert_eq!(code, Some(RecallCode::SpaceMismatch));
}
