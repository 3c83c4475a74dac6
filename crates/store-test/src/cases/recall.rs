//! Both lanes find, score and order as the contract says, after filtering.

use precedent_core::{Filter, Kind, Lane, Memory, MemoryId, RecallRequest, Source, State, Trust};

use crate::case::stories;
use crate::data::{at, axis, clean, home, memory, memory_id, put, put_with, slanted};
use crate::store::{TestStore, answer, both_query, hits, ids, lexical_query, vector_query};
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("recall":
    both_lanes_find,
    bm25_matches_numbers_by_hand,
    bm25_counts_the_kinds_that_are_searched,
    bm25_counts_what_the_filter_leaves_out,
    cosine_matches_numbers_by_hand,
    ties_go_by_id,
    depth_cuts_after_filtering,
    each_filter_field_is_applied,
    long_documents_count_by_their_best_chunk,
    answers_bring_the_memories_of_the_best,
    pending_memories_are_counted,
    weak_evidence_is_left_out,
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

/// Three documents with the actor's name in front, of 3, 4 and 5 terms.
fn corpus() -> [Memory; 3] {
    [
        memory(1, "red fox"),
        memory(2, "red red cat"),
        memory(3, "dog owl hen emu"),
    ]
}

#[track_caller]
fn assert_scores(found: &[(MemoryId, f64)], expected: &[(u64, f64)]) {
    assert_eq!(
        ids(found),
        expected
            .iter()
            .map(|hit| memory_id(hit.0))
            .collect::<Vec<_>>()
    );
    for (hit, expected) in found.iter().zip(expected) {
        assert!(
            (hit.1 - expected.1).abs() < 1e-12,
            "{hit:?}, by hand {expected:?}"
        );
    }
}

/// BM25 with k1 = 1.2 and b = 0.75 over 3 documents of 4 terms on average.
///
/// `red` is in two of them: idf = ln(1 + 1.5 / 2.5) = ln 1.6. Number 2 has it twice in 4 terms:
/// ln 1.6 * 2 * 2.2 / (2 + 1.2) = ln 1.6 * 1.375; number 1 once in 3 terms:
/// ln 1.6 * 2.2 / (1 + 1.2 * 0.8125) = ln 1.6 * 2.2 / 1.975. `fox` is in one:
/// idf = ln(1 + 2.5 / 1.5) = ln(8 / 3).
async fn bm25_matches_numbers_by_hand(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put(corpus()).await;
    let red = store.by_words(&home(), "red").await;
    assert_scores(
        &red,
        &[(2, 0.646_254_990_212_886_5), (1, 0.523_548_346_501_579)],
    );
    let fox = store.by_words(&home(), "fox").await;
    assert_scores(&fox, &[(1, 1.092_569_294_494_074_8)]);
    let both = store.by_words(&home(), "red fox").await;
    assert_scores(
        &both,
        &[(1, 1.616_117_640_995_654), (2, 0.646_254_990_212_886_5)],
    );
    let absent = store.by_words(&home(), "yak").await;
    assert_scores(&absent, &[]);
}

/// Counts are summed over the kinds that the query names, no others.
async fn bm25_counts_the_kinds_that_are_searched(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let [first, mut second, mut third] = corpus();
    second.kind = Kind::Semantic;
    third.kind = Kind::Procedural;
    store.put([first, second, third]).await;
    let query = lexical_query(&home(), Kind::ALL, "red");
    let found = store.candidates(&query).await;
    let episodic = hits(&found, Kind::Episodic, Lane::Lexical);
    assert_scores(&episodic, &[(1, 0.523_548_346_501_579)]);
    let semantic = hits(&found, Kind::Semantic, Lane::Lexical);
    assert_scores(&semantic, &[(2, 0.646_254_990_212_886_5)]);
    // Alone, number 1 is one document of one: idf = ln(1 + 0.5 / 1.5) = ln(4 / 3), and it is as
    // long as the average: ln(4 / 3) * 2.2 / 2.2.
    let alone = store.by_words(&home(), "red").await;
    assert_scores(&alone, &[(1, (4.0_f64 / 3.0).ln())]);
}

/// A document in any state counts while it is not erased, also where the filter hides it.
async fn bm25_counts_what_the_filter_leaves_out(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let [first, mut second, mut third] = corpus();
    second.state = State::Dormant;
    third.state = State::Quarantined;
    store.put([first, second, third]).await;
    let red = store.by_words(&home(), "red").await;
    assert_scores(&red, &[(1, 0.523_548_346_501_579)]);
}

/// Cosines of (0.6, 0.8) with two axes, and of two axes with each other.
async fn cosine_matches_numbers_by_hand(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store
        .commit(vec![
            put_with(memory(1, "one"), Some(slanted(0, 1))),
            put_with(memory(2, "two"), Some(axis(0))),
            put_with(memory(3, "three"), Some(axis(1))),
            put(memory(4, "none")),
        ])
        .await;
    for (asked, expected) in [
        (axis(0), [(2, 1.0), (1, 0.6), (3, 0.0)]),
        (axis(1), [(3, 1.0), (1, 0.8), (2, 0.0)]),
        (slanted(0, 1), [(1, 1.0), (3, 0.8), (2, 0.6)]),
    ] {
        let found = store.by_vector(&home(), asked).await;
        assert_eq!(ids(&found), expected.map(|hit| memory_id(hit.0)));
        for (hit, expected) in found.iter().zip(expected) {
            // A component is an f32: 24 bits.
            assert!(
                (hit.1 - expected.1).abs() < 1e-6,
                "{hit:?}, by hand {expected:?}"
            );
        }
    }
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

/// A long document counts by its best chunk and shows once: 79 words of filler and the actor
/// fill the first chunk, so the words that matter stand in the second.
async fn long_documents_count_by_their_best_chunk(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let filler = "zz ".repeat(79);
    store
        .put([
            memory(1, &format!("{filler}red fox")),
            memory(2, &format!("{filler}fox {filler} cow red fox fox")),
        ])
        .await;
    // Chunks and their lengths: number 1 has 80 and 2; number 2 has 80 (actor and filler), then
    // fox and 79 fillers, then 4. N = 5, total = 80 + 2 + 80 + 80 + 4 = 246, average 49.2.
    let score = |n: f64, tf: f64, length: f64| {
        let idf = (1.0 + (5.0 - n + 0.5) / (n + 0.5)).ln();
        idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / 49.2))
    };
    let fox = store.by_words(&home(), "fox").await;
    assert_scores(
        &fox,
        &[(2, score(3.0, 2.0, 4.0)), (1, score(3.0, 1.0, 2.0))],
    );
    let red = store.by_words(&home(), "red").await;
    assert_scores(
        &red,
        &[(1, score(2.0, 1.0, 2.0)), (2, score(2.0, 1.0, 4.0))],
    );
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

/// Recall leaves out what has too little evidence and says how much that was.
async fn weak_evidence_is_left_out(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put(corpus()).await;
    let mut request = RecallRequest::new(home(), clean("red"));
    // Between the scores that `bm25_matches_numbers_by_hand` derives for the two.
    request.bm25_floor = 0.6;
    let recalled = precedent_core::recall(store.backend.as_ref(), None, &request).await;
    let found: Vec<MemoryId> = recalled.hits.iter().map(|hit| hit.memory.id).collect();
    assert_eq!(found, [memory_id(2)]);
    assert_eq!((recalled.below_floor, recalled.errors.len()), (1, 0));
}
