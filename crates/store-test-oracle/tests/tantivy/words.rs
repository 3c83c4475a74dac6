//! The analyser's words and terms are tantivy's, put together by the documented rules.

use precedent_core::analyze;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use crate::corpus::{laws, pages};
use crate::reference::{self, Counts, bigrams, is_stemmed_alike, simple, without_stop_words};

fn document(text: &str) -> Vec<Counts> {
    let chunks = analyze::document(text).into_iter();
    chunks
        .map(|chunk| (chunk.terms.into_iter().collect(), chunk.length))
        .collect()
}

fn is_comparable(text: &str) -> bool {
    reference::words(text)
        .iter()
        .all(|word| is_stemmed_alike(word))
}

/// Words with the endings that the stemmer knows, apart by all kinds of separators.
fn prose() -> impl Strategy<Value = String> {
    let word = "[a-z]{1,7}(s|es|ies|ied|ed|ing|edly|ingly|ation|ational|ization|izer|alism|ness)?\
                (ful|fully|ment|ement|ous|ously|ive|ivity|able|ably|ogy|ally|ance|ent|ion|er|y)?";
    let apart = "[ ,.;:/_!?(){}\"'=+*&^%$#@~|<>\\[\\]-]{1,3}";
    prop::collection::vec((word, apart), 0..120).prop_map(joined)
}

/// Identifiers as programs have them.
fn identifiers() -> impl Strategy<Value = String> {
    let word =
        "[A-Za-z0-9]{1,10}|([A-Z]{1,3}[a-z]{0,5}[0-9]?){1,4}|[a-z]{2,6}(_[a-z0-9]{1,6}){0,3}";
    prop::collection::vec((word, "[ .:/-]"), 0..40).prop_map(joined)
}

/// Chinese, Japanese, Korean and Latin, in one run and apart.
fn mixed_scripts() -> impl Strategy<Value = String> {
    let run = "[\u{4e00}-\u{9fa5}]{1,6}|[\u{3041}-\u{3096}\u{30a1}-\u{30fa}\u{30fc}]{1,6}\
               |[\u{ac00}-\u{d7a3}]{1,6}|[a-z]{1,6}|[\u{e0}-\u{f6}\u{f8}-\u{ff}]{1,4}";
    prop::collection::vec((run, "| |\u{3002}|\u{ff0c}"), 0..30).prop_map(joined)
}

fn joined(parts: Vec<(String, String)>) -> String {
    parts.into_iter().flat_map(<[String; 2]>::from).collect()
}

proptest! {
    #![proptest_config(laws(256))]

    #[test]
    fn stems_and_inflected_forms_are_those_of_tantivy(text in prose()) {
        let expected: Vec<String> = simple(&text);
        prop_assume!(expected.iter().all(|word| is_stemmed_alike(word)));
        let terms: Vec<String> = analyze::document(&text)
            .into_iter()
            .flat_map(|chunk| chunk.terms)
            .map(|(term, _)| term)
            .collect();
        for word in expected {
            let stem = reference::stemmed(&word).concat();
            // Words of three letters keep their endings.
            if word.len() >= 4 {
                prop_assert!(terms.contains(&stem), "{} of {}", stem, word);
                prop_assert_eq!(terms.contains(&format!("={word}")), stem != word);
            } else {
                prop_assert!(terms.contains(&word), "{}", word);
            }
        }
    }

    #[test]
    fn prose_is_taken_apart_as_the_rules_say(text in prose()) {
        prop_assume!(is_comparable(&text));
        prop_assert_eq!(document(&text), reference::document(&text));
    }

    #[test]
    fn identifiers_are_taken_apart_as_the_rules_say(text in identifiers()) {
        prop_assume!(is_comparable(&text));
        prop_assert_eq!(document(&text), reference::document(&text));
    }

    #[test]
    fn scripts_are_taken_apart_as_the_rules_say(text in mixed_scripts()) {
        prop_assume!(is_comparable(&text));
        prop_assert_eq!(document(&text), reference::document(&text));
    }

    /// A run of CJK is its bigrams: tantivy's, and those of neighbouring characters.
    #[test]
    fn cjk_is_indexed_as_bigrams(run in "[\u{4e00}-\u{9fa5}]{2,100}") {
        let chars: Vec<char> = run.chars().collect();
        let pairs: Vec<String> = chars.windows(2).map(|pair| pair.iter().collect()).collect();
        prop_assert_eq!(&bigrams(&run), &pairs);
        prop_assert_eq!(document(&run), reference::document(&run));
        let asked = analyze::query(&run);
        prop_assert!(asked.iter().all(|term| pairs.contains(term)));
        prop_assert!(pairs[..pairs.len().min(32)].iter().all(|pair| asked.contains(pair)));
    }

    /// A query has the terms of its first 32 words that say something, each once.
    #[test]
    fn a_query_has_the_terms_of_a_document_without_stop_words(text in prose()) {
        prop_assume!(is_comparable(&text));
        let words = reference::words(&text);
        let says_something = |word: &&String| !analyze::query(word).is_empty();
        let mut expected: Vec<String> = Vec::new();
        for form in words.iter().filter(says_something).take(32).flat_map(|w| reference::forms(w)) {
            if !expected.contains(&form) {
                expected.push(form);
            }
        }
        prop_assert_eq!(analyze::query(&text), expected);
    }

    /// How a letter is composed does not matter.
    #[test]
    fn composed_and_decomposed_letters_are_alike(text in "[a-z\u{c0}-\u{17f}\u{ac00}-\u{d7a3} ]{0,60}") {
        let composed: String = text.nfc().collect();
        let apart: String = text.nfd().collect();
        prop_assert_eq!(document(&composed), document(&apart));
    }
}

/// Each line of the project's own pages, as far as the second analyser goes.
#[test]
fn real_lines_are_taken_apart_as_the_rules_say() {
    let mut compared = 0;
    for line in pages().filter(|line| line.is_ascii() && is_comparable(line)) {
        assert_eq!(document(line), reference::document(line), "{line}");
        compared += 1;
    }
    assert!(compared > 600, "only {compared} lines were compared");
}

/// What tantivy takes for a stop word of English asks for nothing here either, `will` excepted: it
/// is in Lucene's list and not in Snowball's.
#[test]
fn stop_words_include_those_of_tantivy() {
    let text = pages().collect::<Vec<_>>().join("\n");
    let kept = without_stop_words(&text);
    let stopped: Vec<String> = simple(&text)
        .into_iter()
        .filter(|word| !kept.contains(word) && word != "will")
        .collect();
    assert!(stopped.len() > 1_000);
    assert!(stopped.iter().all(|word| analyze::query(word).is_empty()));
    assert_eq!(analyze::query("will"), ["will"]);
    assert!(without_stop_words("will").is_empty());
}
