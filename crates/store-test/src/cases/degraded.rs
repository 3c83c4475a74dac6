//! A lane that lost its index says so; what remains answers all the same.

use precedent_core::{
    Backend, Candidates, Kind, Lane, Maintain, MaintainTask, RecallCode, RecallError, StoreStatus,
};

use crate::case::stories;
use crate::data::{axis, certificate_id, digest, home, memory, memory_id, put, put_with, scope};
use crate::store::{TestStore, answer, both_query, errors, hits, ids};
use crate::{Case, Harness, LaneBreak, Need};

const MISSING: Need = Need::Break(LaneBreak::Missing);
const EMPTIED: Need = Need::Break(LaneBreak::Emptied);

pub(super) const CASES: &[Case] = stories!("degraded":
    a_missing_index_fails_its_lane_alone needs MISSING,
    an_emptied_index_fails_its_lane_alone needs EMPTIED,
    a_missing_index_of_an_empty_kind_is_no_fault needs MISSING,
    an_emptied_index_of_an_empty_kind_is_no_fault needs EMPTIED,
    reindexing_repairs_a_missing_index needs MISSING,
    reindexing_repairs_an_emptied_index needs EMPTIED,
    reindexing_changes_no_answer,
    vectors_of_another_space_are_not_compared,
    another_space_is_no_fault_where_no_vectors_are,
);

/// One memory with a vector of each kind.
async fn furnished(harness: &dyn Harness, kinds: &[Kind]) -> TestStore {
    let store = TestStore::open(harness).await;
    let changes = (1..).zip(kinds).map(|(n, &kind)| {
        let mut memory = memory(n, "red fox");
        memory.kind = kind;
        put_with(memory, Some(axis(0)))
    });
    store.commit(changes.collect()).await;
    store
}

async fn ask(backend: &dyn Backend) -> Candidates {
    let query = both_query(&home(), Kind::ALL, "fox", axis(0));
    backend.candidates(&query).await
}

async fn status(store: &TestStore) -> StoreStatus {
    store
        .backend
        .status()
        .await
        .expect("the status can be read")
}

fn code(how: LaneBreak) -> RecallCode {
    match how {
        LaneBreak::Missing => RecallCode::Missing,
        LaneBreak::Emptied => RecallCode::Stale,
    }
}

async fn assert_fails_alone(harness: &dyn Harness, how: LaneBreak) {
    for &lane in Lane::ALL {
        for &kind in Kind::ALL {
            let store = furnished(harness, Kind::ALL).await;
            let whole = ask(store.backend.as_ref()).await;
            harness.break_lane(&store.backend, kind, lane, how).await;
            let degraded = ask(store.backend.as_ref()).await;
            let expected = [RecallError::new(kind, lane, code(how))];
            assert_eq!(errors(&degraded), expected);
            assert_eq!(status(&store).await.faults, expected);
            for &other_kind in Kind::ALL {
                for &other in Lane::ALL {
                    if (other_kind, other) == (kind, lane) {
                        continue;
                    }
                    let found = hits(&degraded, other_kind, other);
                    // BM25 counts may lack those of the lost index, so scores are not compared.
                    assert_eq!(ids(&found), ids(&hits(&whole, other_kind, other)));
                }
            }
            let brought = degraded.memories.len();
            assert_eq!(brought, Kind::ALL.len(), "the other lane still finds it");
        }
    }
}

/// A missing index is an error of its own kind and lane; the status tells of it.
async fn a_missing_index_fails_its_lane_alone(harness: &dyn Harness) {
    assert_fails_alone(harness, LaneBreak::Missing).await;
}

/// An index that lost its content is stale, not an empty answer; the status tells of it.
async fn an_emptied_index_fails_its_lane_alone(harness: &dyn Harness) {
    assert_fails_alone(harness, LaneBreak::Emptied).await;
}

async fn assert_no_fault_where_nothing_is(harness: &dyn Harness, how: LaneBreak) {
    let store = furnished(harness, &[Kind::Episodic]).await;
    for &lane in Lane::ALL {
        harness
            .break_lane(&store.backend, Kind::Semantic, lane, how)
            .await;
    }
    let found = ask(store.backend.as_ref()).await;
    assert_eq!(errors(&found), []);
    assert_eq!(
        ids(&hits(&found, Kind::Episodic, Lane::Lexical)),
        [memory_id(1)]
    );
    // Neither is a kind in use for a reader who sees nothing of it.
    harness
        .break_lane(&store.backend, Kind::Episodic, Lane::Lexical, how)
        .await;
    let stranger = scope("stranger", "a2");
    let query = both_query(&stranger, Kind::ALL, "fox", axis(0));
    assert_eq!(errors(&store.candidates(&query).await), []);
}

/// A kind that holds nothing is not in use, so the loss of its index is nobody's loss.
async fn a_missing_index_of_an_empty_kind_is_no_fault(harness: &dyn Harness) {
    assert_no_fault_where_nothing_is(harness, LaneBreak::Missing).await;
}

/// An empty index of a kind that holds nothing holds what it should.
async fn an_emptied_index_of_an_empty_kind_is_no_fault(harness: &dyn Harness) {
    assert_no_fault_where_nothing_is(harness, LaneBreak::Emptied).await;
}

async fn reindex(store: &TestStore) {
    let request = Maintain {
        task: MaintainTask::Reindex,
        header: store.header(),
        certificate: certificate_id(1),
    };
    let report = store
        .backend
        .maintain(request, std::sync::Arc::clone(&store.sink))
        .await
        .expect("indexes can be rebuilt");
    assert!(
        !report.pending && report.steps.iter().all(|step| step.ok),
        "{report:?}"
    );
    assert_eq!(report.certificates, []);
    assert_eq!(report.head, status(store).await.head);
}

async fn assert_repaired(harness: &dyn Harness, how: LaneBreak) {
    let store = furnished(harness, Kind::ALL).await;
    let whole = ask(store.backend.as_ref()).await;
    for &lane in Lane::ALL {
        harness
            .break_lane(&store.backend, Kind::Semantic, lane, how)
            .await;
    }
    assert_eq!(errors(&ask(store.backend.as_ref()).await).len(), 2);
    reindex(&store).await;
    assert_eq!(ask(store.backend.as_ref()).await, whole);
    assert_eq!(status(&store).await.faults, []);
    store.put([memory(9, "red fox")]).await;
    assert_eq!(errors(&ask(store.backend.as_ref()).await), []);
}

/// Rebuilding from the records brings a removed index back, scores included.
async fn reindexing_repairs_a_missing_index(harness: &dyn Harness) {
    assert_repaired(harness, LaneBreak::Missing).await;
}

/// Rebuilding from the records fills an emptied index, scores included.
async fn reindexing_repairs_an_emptied_index(harness: &dyn Harness) {
    assert_repaired(harness, LaneBreak::Emptied).await;
}

/// Rebuilding whole indexes changes no answer; the log tells of it.
async fn reindexing_changes_no_answer(harness: &dyn Harness) {
    let store = furnished(harness, Kind::ALL).await;
    let long = format!("{}red fox", "zz ".repeat(100));
    store.commit(vec![put(memory(20, &long))]).await;
    let before = ask(store.backend.as_ref()).await;
    let size = status(&store).await.head.map(|head| head.size);
    reindex(&store).await;
    assert_eq!(ask(store.backend.as_ref()).await, before);
    let after = status(&store).await.head.map(|head| head.size);
    assert_eq!(
        after,
        size.map(|size| size + 1),
        "the log tells of it, once"
    );
}

/// A query vector of another space fails the vector lanes in use and leaves the lexical ones.
async fn vectors_of_another_space_are_not_compared(harness: &dyn Harness) {
    let store = furnished(harness, &[Kind::Episodic]).await;
    let mut query = both_query(&home(), Kind::ALL, "fox", axis(0));
    let vector = query.vector.as_mut().expect("the query has a vector");
    vector.space = digest("another space");
    let found = store.candidates(&query).await;
    let mismatch = RecallError::new(Kind::Episodic, Lane::Vector, RecallCode::SpaceMismatch);
    assert_eq!(errors(&found), [mismatch]);
    let by_words = hits(&found, Kind::Episodic, Lane::Lexical);
    assert_eq!(ids(&by_words), [memory_id(1)]);
    let brought: Vec<_> = found.memories.iter().map(|memory| memory.id).collect();
    assert_eq!(brought, [memory_id(1)]);
}

/// Where no memory has a vector, there is nothing to compare and nothing to report but that.
async fn another_space_is_no_fault_where_no_vectors_are(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(1, "red fox")]).await;
    let mut query = both_query(&home(), Kind::ALL, "fox", axis(0));
    let vector = query.vector.as_mut().expect("the query has a vector");
    vector.space = digest("another space");
    let found = store.candidates(&query).await;
    assert_eq!(errors(&found), []);
    assert_eq!(answer(&found, Kind::Episodic, Lane::Vector).pending, 1);
}
