//! Every score of the lexical lane equals tantivy's, and the order follows from the scores.

use std::collections::BTreeMap;

use precedent_core::{Kind, Lane, Memory, MemoryId, RecallQuery};
use precedent_store_test::data::{clean, home, memory, memory_id};
use precedent_store_test::store::{TestStore, hits, lexical_query};
use proptest::prelude::*;

use crate::corpus::{documents, laws, pages, questions, with_exact_lengths};
use crate::index::Oracle;
use crate::stores::each;

/// How far scores may be apart, as a share: tantivy computes in 32 bits (a rounding of 6e-8), about
/// ten steps a term, and adds up to 64 terms.
pub const ROUNDING: f64 = 1e-5;

/// Asserts that the lanes of a query hold what the oracle finds among `memories`, with its scores,
/// best first, and that a smaller depth cuts that list.
///
/// The memories have to be those that the reader sees of the query's kinds; of them, the lanes
/// return those that the filter admits.
pub async fn compare(
    store: &TestStore,
    oracle: &Oracle,
    memories: &[Memory],
    query: &RecallQuery,
) -> usize {
    let expected = oracle.scores(&query.terms);
    let found = store.candidates(query).await;
    let mut compared = 0;
    for &kind in &query.kinds {
        let expected: BTreeMap<MemoryId, f32> = memories
            .iter()
            .filter(|memory| memory.kind == kind && query.filter.admits(memory))
            .filter_map(|memory| Some((memory.id, *expected.get(&memory.id)?)))
            .collect();
        let lane = hits(&found, kind, Lane::Lexical);
        assert_lane(&lane, &expected);
        compared += lane.len();
        let few = RecallQuery {
            depth: 3,
            ..query.clone()
        };
        let cut = hits(&store.candidates(&few).await, kind, Lane::Lexical);
        assert_eq!(cut, lane[..lane.len().min(3)], "the lane at depth 3");
    }
    compared
}

fn assert_lane(lane: &[(MemoryId, f64)], expected: &BTreeMap<MemoryId, f32>) {
    let found: BTreeMap<MemoryId, f64> = lane.iter().copied().collect();
    assert_eq!(lane.len(), found.len(), "no memory shows twice");
    assert!(
        found.keys().eq(expected.keys()),
        "found {:?}, oracle {:?}",
        found.keys(),
        expected.keys()
    );
    for (id, score) in lane {
        let theirs = f64::from(expected[id]);
        let apart = (score - theirs).abs() / theirs;
        assert!(apart < ROUNDING, "{id}: {score}, oracle {theirs}");
    }
    for pair in lane.windows(2) {
        let [(first, better), (second, worse)] = [pair[0], pair[1]];
        assert!(better >= worse, "{first} before {second}");
        assert!(better > worse || first < second, "equal scores go by id");
        let theirs = f64::from(expected[&first]) / f64::from(expected[&second]);
        assert!(
            theirs > 1.0 - 2.0 * ROUNDING,
            "the oracle ranks {second} before {first}"
        );
    }
}

/// Asks with a depth that cuts nothing.
pub fn ask(kinds: &[Kind], text: &str) -> RecallQuery {
    RecallQuery {
        depth: 10_000,
        ..lexical_query(&home(), kinds, text)
    }
}

/// Makes one episodic memory of each text.
fn memories<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Memory> {
    (1..)
        .zip(texts)
        .map(|(n, text)| with_exact_lengths(memory(n, text)))
        .collect()
}

async fn check(store: &TestStore, memories: &[Memory], texts: &[String]) -> usize {
    for part in memories.chunks(7) {
        store.put(part.iter().cloned()).await;
    }
    let oracle = Oracle::new(memories);
    let mut compared = 0;
    for text in texts {
        compared += compare(store, &oracle, memories, &ask(&[Kind::Episodic], text)).await;
    }
    compared
}

proptest! {
    #![proptest_config(laws(96))]

    /// Random documents, of one chunk and of several.
    #[test]
    fn scores_and_order_equal_those_of_tantivy(
        texts in prop::collection::vec(documents(), 1..24),
        questions in questions(16),
    ) {
        let memories = memories(texts.iter().map(String::as_str));
        each(async |store| {
            check(store, &memories, &questions).await;
        });
    }
}

/// The lines of the project's own pages, each asked for the words of others.
#[test]
fn scores_on_real_text_equal_those_of_tantivy() {
    let lines: Vec<&str> = pages().collect();
    let memories = memories(lines.iter().copied());
    let questions: Vec<String> = lines
        .iter()
        .step_by(9)
        .map(|line| (*line).to_owned())
        .collect();
    each(async |store| {
        let compared = check(store, &memories, &questions).await;
        assert!(compared > 5_000, "only {compared} scores were compared");
    });
}

/// A memory of many chunks has the score of the best one, whichever it is.
#[test]
fn a_long_document_counts_by_its_best_chunk() {
    let filler = "filler words about nothing ".repeat(40);
    let texts = [
        format!("deploying kettles {filler}"),
        format!("{filler} deploying kettles {filler}"),
        format!("{filler} deploy deploy deploy kettle"),
        filler,
    ];
    let memories = memories(texts.iter().map(String::as_str));
    let questions = ["deploying", "kettle", "deploying kettles", "nothing"].map(str::to_owned);
    each(async |store| {
        assert_eq!(check(store, &memories, &questions).await, 3 + 3 + 3 + 4);
    });
}

/// An empty question finds nothing, and so does a word that is nowhere.
#[test]
fn nothing_is_found_where_tantivy_finds_nothing() {
    let memories = memories(["deploy the server", "\u{6570}\u{636e}\u{5e93}"]);
    let questions = ["", "the", "absent", "\u{5e93}\u{6570}"].map(str::to_owned);
    each(async |store| assert_eq!(check(store, &memories, &questions).await, 0));
}

/// Tags, the actor and the day are words of the document.
#[test]
fn all_parts_of_the_indexed_text_count() {
    let mut tagged = memory(2, "deploy the server");
    tagged.tags = vec![clean("deploys"), clean("HTTPServer")];
    tagged.valid_from = Some(precedent_store_test::data::at(0));
    let memories = [memory(1, "deploy the server"), tagged, memory(3, "nothing")];
    let questions = ["deploys", "http server", "January 2026", "u1"].map(str::to_owned);
    each(async |store| {
        let compared = check(store, &memories, &questions).await;
        assert_eq!(compared, 2 + 2 + 1 + 3);
        let dated = hits(
            &store.candidates(&ask(&[Kind::Episodic], "January")).await,
            Kind::Episodic,
            Lane::Lexical,
        );
        assert_eq!(dated[0].0, memory_id(2));
    });
}
