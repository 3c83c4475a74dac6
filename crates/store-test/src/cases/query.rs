//! What is asked in words: any text is a legal query, and words mean what the analyser says.

use precedent_core::{Kind, Lane};
use proptest::prelude::*;

use crate::case::{laws, stories};
use crate::data::{axis, home, memory, memory_id, put};
use crate::law::{assert_law, config};
use crate::store::{TestStore, both_query, hits, ids};
use crate::{Case, Harness};

pub(super) const STORIES: &[Case] = stories!("query":
    cjk_is_found_by_bigrams,
    identifiers_are_found_by_their_parts,
    words_are_found_by_other_forms,
    stop_words_do_not_find,
    no_terms_find_nothing,
    syntax_of_query_languages_is_text,
);

pub(super) const LAWS: &[Case] = laws!("query":
    any_text_is_a_legal_query,
    any_text_is_found_by_itself,
);

/// Writes texts under ids from 1 on.
async fn written(harness: &dyn Harness, texts: &[&str]) -> TestStore {
    let store = TestStore::open(harness).await;
    let memories = (1..).zip(texts).map(|(n, text)| memory(n, text));
    store.put(memories).await;
    store
}

/// Asserts which memories a query finds, in any order.
async fn assert_found(store: &TestStore, query: &str, expected: &[u64]) {
    let mut found = ids(&store.by_words(&home(), query).await);
    found.sort_unstable();
    let expected: Vec<_> = expected.iter().copied().map(memory_id).collect();
    assert_eq!(found, expected, "{query}");
}

/// Chinese is found by two adjacent characters, not by either alone.
async fn cjk_is_found_by_bigrams(harness: &dyn Harness) {
    let texts = ["\u{6570}\u{636e}\u{5e93}", "\u{6570}\u{5b66}", "\u{5e93}"];
    let store = written(harness, &texts).await;
    assert_found(&store, "\u{6570}\u{636e}", &[1]).await;
    assert_found(&store, "\u{636e}\u{5e93}", &[1]).await;
    assert_found(&store, "\u{5e93}", &[3]).await;
    assert_found(&store, "\u{6570}", &[]).await;
}

/// An identifier is found whole and by its parts, in any case.
async fn identifiers_are_found_by_their_parts(harness: &dyn Harness) {
    let texts = ["parseURL", "db:generate", "src/parse_url.rs"];
    let store = written(harness, &texts).await;
    assert_found(&store, "PARSEURL", &[1]).await;
    assert_found(&store, "url", &[1, 3]).await;
    assert_found(&store, "generate", &[2]).await;
    assert_found(&store, "db", &[2]).await;
    assert_found(&store, "rs", &[3]).await;
}

/// A word is found by its other forms, and full-width letters are letters.
async fn words_are_found_by_other_forms(harness: &dyn Harness) {
    let store = written(
        harness,
        &["deploying", "deploys", "\u{ff21}\u{ff22}\u{ff23}"],
    )
    .await;
    assert_found(&store, "deploy", &[1, 2]).await;
    assert_found(&store, "deployed", &[1, 2]).await;
    assert_found(&store, "abc", &[3]).await;
}

/// Function words find nothing, neither beside content words nor alone.
async fn stop_words_do_not_find(harness: &dyn Harness) {
    let store = written(harness, &["the fox", "how do i", "to be or not to be"]).await;
    assert_found(&store, "how do i find the fox", &[1]).await;
    assert_found(&store, "to be or not to be", &[]).await;
}

/// A query without a word has no terms, and finds nothing without failing.
async fn no_terms_find_nothing(harness: &dyn Harness) {
    let store = written(harness, &["red fox", ""]).await;
    for query in ["", " ", "...", "\"", "\u{1f98a}", "\u{0}"] {
        assert_found(&store, query, &[]).await;
    }
}

/// What is syntax to a database is text here.
async fn syntax_of_query_languages_is_text(harness: &dyn Harness) {
    let store = written(harness, &["red fox", "near or not", "100 percent"]).await;
    for (query, found) in [
        ("\"red fox", &[1][..]),
        ("red AND fox", &[1]),
        ("fox*", &[1]),
        ("fo*", &[]),
        ("text:fox", &[1]),
        ("fox^2", &[1]),
        ("NEAR(red fox)", &[1, 2]),
        ("-fox", &[1]),
        ("'; drop table memories; --", &[]),
        ("100%", &[3]),
        ("_ox", &[]),
        ("f_x", &[]),
    ] {
        assert_found(&store, query, found).await;
    }
}

/// No text makes a lane fail, and the answer holds to the depth.
fn any_text_is_a_legal_query(harness: &dyn Harness) {
    let mut opened = None;
    harness.block_on(Box::pin(async {
        opened = Some(written(harness, &["red fox", "\u{6570}\u{636e}", "a b c"]).await);
    }));
    let store = opened.expect("the store was opened");
    assert_law(&config(48), &any::<String>(), |text| {
        harness.block_on(Box::pin(async {
            let mut query = both_query(&home(), Kind::ALL, &text, axis(0));
            query.depth = 2;
            let found = store.candidates(&query).await;
            for &kind in Kind::ALL {
                assert!(hits(&found, kind, Lane::Lexical).len() <= 2);
                assert_eq!(hits(&found, kind, Lane::Vector), []);
            }
        }));
    });
}

/// Any text can be stored, comes back as it was, and is found by its own words.
fn any_text_is_found_by_itself(harness: &dyn Harness) {
    let mut opened = None;
    harness.block_on(Box::pin(async {
        opened = Some(TestStore::open(harness).await);
    }));
    let store = opened.expect("the store was opened");
    let next = std::cell::Cell::new(0);
    assert_law(&config(32), &any::<String>(), |text| {
        next.set(next.get() + 1);
        let written = memory(next.get(), &text);
        harness.block_on(Box::pin(async {
            store.commit(vec![put(written.clone())]).await;
            let found = store.memory(&home(), written.id).await;
            assert_eq!(found.map(|memory| memory.text), Some(written.text.clone()));
            let terms = precedent_core::analyze::query(&written.text);
            let hits = store.by_words(&home(), &written.text).await;
            assert_eq!(ids(&hits).contains(&written.id), !terms.is_empty());
        }));
    });
}
