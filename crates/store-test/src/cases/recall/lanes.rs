//! Each lane finds its own, after filtering and in order, and brings what was asked for.

use precedent_core::{Filter, Kind, Lane, Memory, MemoryId, Source, State, Trust};

use crate::case::stories;
use crate::data::{at, axis, clean, home, memory, memory_id, put, put_with, slanted};
use crate::store::{TestStore, answer, both_query, hits, ids, lexical_query, vector_query};
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("recall":
    both_lanes_find,
    ties_go_by_id,
    depth_cuts_after_filtering,
    each_filter_field_is_applied,
    answers_bring_the_memories_of_the_best,
    pending_memories_are_counted,
);

fn of_kind(n: u64, kind: Kind, text: &str) -> Memory {
    let mut memory = memory(n, text);
    memory.kind = kind;
    memory
}

/// Each lane finds its own, for each kind apart; a lane without its part of the query is empty.
async fn both_lanes_find(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let changes = (1..).zip(Kind::ALL).flat_map(|(n, &kind)| {
        [
            put(of_kind(n, kind, "red fox")),
            put_with(of_kind(n + 10, kind, "owl"), Some(axis(0))),
        ]
    });
    store.commit(changes.collect()).await;
    let found = store
        .candidates(&both_query(&home(), Kind::ALL, "fox", axis(0)))
        .await;
    assert_eq!(found.answers.len(), 2 * Kind::ALL.len());
    for (n, &kind) in (1..).zip(Kind::ALL) {
        assert_eq!(ids(&hits(&found, kind, Lane::Lexical)), [memory_id(n)]);
        assert_eq!(ids(&hits(&found, kind, Lane::Vector)), [memory_id(n + 10)]);
    }
    let vector_only = vector_query(&home(), &[Kind::Semantic], axis(0));
    let found = store.candidates(&vector_only).await;
    assert_eq!(found.answers.len(), 2, "only the kinds asked for answer");
    assert_eq!(hits(&found, Kind::Semantic, Lane::Lexical), []);
    let words_only = lexical_query(&home(), &[Kind::Semantic], "fox");
    let found = store.candidates(&words_only).await;
    assert_eq!(
        found.answers.len(),
        1,
        "a lane without a query vector is left out"
    );
}

/// Equal scores are ordered by id in both lanes, whatever the order of writing, and the cut at
/// the depth keeps the smallest ids.
async fn ties_go_by_id(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let order = [5, 2, 8, 1, 9, 3, 7, 4, 6];
    let twins = order.map(|n| put_with(memory(n, "red fox"), Some(axis(0))));
    store.commit(twins.into()).await;
    let mut query = both_query(&home(), &[Kind::Episodic], "red fox", axis(0));
    for depth in [9, 4, 1] {
        query.depth = depth;
        let found = store.candidates(&query).await;
        let expected: Vec<MemoryId> = (1..=9).take(depth).map(memory_id).collect();
        for lane in [Lane::Lexical, Lane::Vector] {
            let hits = ids(&hits(&found, Kind::Episodic, lane));
            assert_eq!(hits, expected, "{lane} at depth {depth}");
        }
    }
}

/// Sixty better hits that the filter rejects do not crowd out the one that it admits.
async fn depth_cuts_after_filtering(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let better = (1..=60).map(|n| put_with(memory(n, "red red red"), Some(axis(0))));
    let mut wanted = memory(99, "red and many other words beside it");
    wanted.tags = vec![clean("wanted")];
    let wanted = put_with(wanted, Some(slanted(0, 1)));
    store.commit(better.chain([wanted]).collect()).await;
    let mut query = both_query(&home(), &[Kind::Episodic], "red", axis(0));
    query.depth = 50;
    let found = store.candidates(&query).await;
    for lane in [Lane::Lexical, Lane::Vector] {
        let best = ids(&hits(&found, Kind::Episodic, lane));
        assert_eq!(best, (1..=50).map(memory_id).collect::<Vec<_>>(), "{lane}");
    }
    query.filter.tags = vec![clean("wanted")];
    let found = store.candidates(&query).await;
    for lane in [Lane::Lexical, Lane::Vector] {
        let hits = ids(&hits(&found, Kind::Episodic, lane));
        assert_eq!(hits, [memory_id(99)], "{lane}");
    }
}

/// Eight memories, each of which one filter singles out.
fn variety() -> Vec<Memory> {
    let mut memories: Vec<Memory> = (1..=8).map(|n| memory(n, "red fox")).collect();
    memories[1].state = State::Disputed;
    memories[2].state = State::ContextDependent;
    memories[3].state = State::Dormant;
    memories[4].tags = vec![clean("a"), clean("b")];
    memories[5].tags = vec![clean("ab"), clean("b c")];
    memories[6].source = Source::Inference;
    memories[6].trust = Trust::Unverified;
    memories[7].valid_from = Some(at(1000));
    memories[7].valid_to = Some(at(2000));
    memories
}

/// Every field of the filter is applied in both lanes.
async fn each_filter_field_is_applied(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let changes = variety().into_iter().map(|m| put_with(m, Some(axis(0))));
    store.commit(changes.collect()).await;
    let plain = Filter::default;
    let tags = |tags: &[&str]| Filter {
        tags: tags.iter().map(|tag| clean(tag)).collect(),
        ..plain()
    };
    let valid_at = |ms| Filter {
        valid_at: Some(at(ms)),
        ..plain()
    };
    let states = |states: &[State]| Filter {
        states: states.to_vec(),
        ..plain()
    };
    let sources = |sources: &[Source]| Filter {
        sources: sources.to_vec(),
        ..plain()
    };
    let trust = |trust| Filter {
        trust: Some(trust),
        ..plain()
    };
    let cases = [
        (plain(), vec![1, 2, 3, 5, 6, 7, 8]),
        (states(&[State::Dormant]), vec![4]),
        (states(&[State::Dormant, State::Disputed]), vec![2, 4]),
        (states(&[]), vec![]),
        (tags(&["b"]), vec![5]),
        (tags(&["b", "a"]), vec![5]),
        (tags(&["b", "missing"]), vec![]),
        (tags(&["b c"]), vec![6]),
        (sources(&[Source::Inference]), vec![7]),
        (sources(&[Source::Inference, Source::ToolResult]), vec![7]),
        (trust(Trust::Unverified), vec![7]),
        (trust(Trust::User), vec![1, 2, 3, 5, 6, 8]),
        (valid_at(999), vec![1, 2, 3, 5, 6, 7]),
        (valid_at(1000), vec![1, 2, 3, 5, 6, 7, 8]),
        (valid_at(1999), vec![1, 2, 3, 5, 6, 7, 8]),
        (valid_at(2000), vec![1, 2, 3, 5, 6, 7]),
    ];
    for (filter, expected) in cases {
        let mut query = both_query(&home(), &[Kind::Episodic], "red", axis(0));
        query.filter = filter;
        let found = store.candidates(&query).await;
        for lane in [Lane::Lexical, Lane::Vector] {
            let mut hits = ids(&hits(&found, Kind::Episodic, lane));
            hits.sort_unstable();
            let expected: Vec<MemoryId> = expected.iter().copied().map(memory_id).collect();
            assert_eq!(hits, expected, "{lane} {:?}", query.filter);
        }
    }
}

/// The memories of the best fused hits come along, at least as many as were asked for.
async fn answers_bring_the_memories_of_the_best(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let both = put_with(memory(3, "red fox"), Some(axis(0)));
    let others = (4..=20).map(|n| put(memory(n, "red")));
    store
        .commit([both].into_iter().chain(others).collect())
        .await;
    let mut query = both_query(&home(), Kind::ALL, "red fox", axis(0));
    query.limit = 5;
    let found = store.candidates(&query).await;
    let brought: Vec<MemoryId> = found.memories.iter().map(|memory| memory.id).collect();
    let ranked = precedent_core::fusion::fuse(&found.answers, &query.fusion, &query.floor);
    assert_eq!(ranked[0].id, memory_id(3));
    for best in ranked.iter().take(query.limit) {
        assert!(brought.contains(&best.id), "{} is missing", best.id);
    }
    let first = found
        .memories
        .iter()
        .find(|memory| memory.id == memory_id(3));
    assert_eq!(first, store.memory(&home(), memory_id(3)).await.as_ref());
}

/// Memories without a vector are counted as pending, for their kind and for who sees them.
async fn pending_memories_are_counted(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut hidden = memory(5, "red");
    hidden.namespace = crate::data::namespace("elsewhere");
    store
        .commit(vec![
            put_with(memory(1, "red"), Some(axis(0))),
            put(memory(2, "red")),
            put(memory(3, "red")),
            put(of_kind(4, Kind::Semantic, "red")),
            put(hidden),
        ])
        .await;
    let query = both_query(&home(), Kind::ALL, "red", axis(0));
    let found = store.candidates(&query).await;
    for (&kind, pending) in Kind::ALL.iter().zip([2, 1, 0]) {
        assert_eq!(
            answer(&found, kind, Lane::Vector).pending,
            pending,
            "{kind}"
        );
        assert_eq!(answer(&found, kind, Lane::Lexical).pending, 0, "{kind}");
    }
}
