//! Scores equal numbers that were worked out by hand, and decide what is evidence.

use precedent_core::{Kind, Lane, Memory, MemoryId, RecallRequest, State};

use crate::case::stories;
use crate::data::{axis, clean, home, memory, memory_id, put, put_with, slanted};
use crate::store::{TestStore, hits, ids, lexical_query};
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("recall":
    bm25_matches_numbers_by_hand,
    bm25_counts_the_kinds_that_are_searched,
    bm25_counts_what_the_filter_leaves_out,
    cosine_matches_numbers_by_hand,
    long_documents_count_by_their_best_chunk,
    weak_evidence_is_left_out,
);

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
