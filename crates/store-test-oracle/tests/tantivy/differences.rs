//! Where the analyser and the scores differ from tantivy's on purpose, each as a test.

use precedent_core::{Kind, Lane, Memory, MemoryId, analyze};
use precedent_store_test::data::{memory, memory_id};
use precedent_store_test::store::hits;
use tantivy::tokenizer::{AsciiFoldingFilter, RemoveLongFilter, SimpleTokenizer, TextAnalyzer};

use crate::corpus::is_exact;
use crate::index::Oracle;
use crate::reference::{is_stemmed_alike, simple, stemmed};
use crate::scores::{ROUNDING, ask};
use crate::stores::each;

/// The analyser's stems, without inflected forms.
fn stems(text: &str) -> Vec<String> {
    let chunks = analyze::document(text);
    let terms = chunks.into_iter().flat_map(|chunk| chunk.terms);
    terms
        .map(|(term, _)| term)
        .filter(|term| !term.starts_with('='))
        .collect()
}

/// Words of three letters are often names and commands: `its`, but also `ops`, `aws` and `tls`.
#[test]
fn words_of_three_letters_are_not_stemmed() {
    assert_eq!(stemmed("its aws"), ["it", "aw"]);
    assert_eq!(stems("its aws"), ["aws", "its"]);
}

/// A word with a digit or a letter beyond ASCII is no English word.
#[test]
fn only_words_of_ascii_letters_are_stemmed() {
    assert_eq!(stemmed("caf\u{e9}s sha256sums"), ["caf\u{e9}", "sha256sum"]);
    assert_eq!(stems("caf\u{e9}s sha256sums"), ["caf\u{e9}s", "sha256sums"]);
}

/// The stemmer is Snowball's English of version 2; tantivy's is of version 3, which keeps more
/// words apart (`universe`, `international`) and brings some together (`add` and `adding`).
#[test]
fn the_stemmer_is_that_of_snowball_2() {
    for (word, ours, theirs) in [
        ("adding", "ad", "add"),
        ("added", "ad", "add"),
        ("egged", "eg", "egg"),
        ("erring", "er", "err"),
        ("evening", "even", "evening"),
        ("vying", "vy", "vie"),
        ("biologists", "biologist", "biolog"),
        ("emergency", "emerg", "emergenc"),
        ("international", "intern", "internat"),
        ("lateral", "later", "lateral"),
        ("organization", "organ", "organiz"),
        ("paste", "past", "paste"),
        ("universal", "univers", "universal"),
    ] {
        assert!(!is_stemmed_alike(word), "{word}");
        assert_eq!(
            (stems(word), stemmed(word)),
            (vec![ours.into()], vec![theirs.into()])
        );
    }
}

/// An identifier is found by its parts as well.
#[test]
fn identifiers_have_parts() {
    assert_eq!(simple("HTTPServer"), ["httpserver"]);
    assert_eq!(stems("HTTPServer"), ["http", "httpserver", "server"]);
}

/// Chinese, Japanese and Korean are written without spaces: tantivy's word is a whole sentence.
#[test]
fn cjk_has_bigrams() {
    let sentence = "\u{6570}\u{636e}\u{5e93}";
    assert_eq!(simple(sentence), [sentence]);
    assert_eq!(stems(sentence), ["\u{636e}\u{5e93}", "\u{6570}\u{636e}"]);
}

/// Compatibility forms are what they stand for: full width, ligatures, half-width kana.
#[test]
fn compatibility_forms_are_resolved() {
    let text = "\u{ff21}\u{ff30}\u{ff29} \u{fb01}le";
    assert_eq!(simple(text), ["\u{ff41}\u{ff50}\u{ff49}", "\u{fb01}le"]);
    assert_eq!(stems(text), ["api", "file"]);
    assert_eq!(stems("\u{ff76}\u{ff9e}"), ["\u{30ac}"]);
}

/// A combining mark belongs to its letter; tantivy ends the word there.
#[test]
fn combining_marks_belong_to_their_letters() {
    let hindi = "\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}";
    assert!(simple(hindi).len() > 1);
    assert_eq!(stems(hindi), [hindi]);
    assert_eq!(simple("cafe\u{301}s"), ["cafe", "s"]);
    assert_eq!(stems("cafe\u{301}s"), ["caf\u{e9}s"]);
}

/// Accents tell words apart; folding them is a filter of tantivy's that is not applied here.
#[test]
fn accents_are_kept() {
    let mut folding = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(AsciiFoldingFilter)
        .build();
    assert_eq!(first(&mut folding, "caf\u{e9}"), Some("cafe".to_owned()));
    assert_eq!(stems("caf\u{e9}"), ["caf\u{e9}"]);
}

/// A word's last sigma is the final one, as Greek is written; tantivy lowers letter by letter.
#[test]
fn lower_case_knows_the_final_sigma() {
    let street = "\u{39f}\u{394}\u{39f}\u{3a3}";
    assert_eq!(simple(street), ["\u{3bf}\u{3b4}\u{3bf}\u{3c3}"]);
    assert_eq!(stems(street), ["\u{3bf}\u{3b4}\u{3bf}\u{3c2}"]);
}

/// A long word, such as a digest, is cut and still found; tantivy's default drops it.
#[test]
fn long_words_are_cut() {
    let word = "a1".repeat(50);
    let mut default = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(40))
        .build();
    assert_eq!(first(&mut default, &word), None);
    assert_eq!(stems(&word), [&word[..64]]);
}

/// A repeated word of a query counts once; a clause of tantivy's each time.
#[test]
fn a_repeated_word_of_a_query_counts_once() {
    let oracle = Oracle::new(&[memory(1, "deploy")]);
    let once = analyze::query("deploy deploy");
    assert_eq!(once, ["deploy"]);
    let twice = [once.clone(), once.clone()].concat();
    let score = |terms: &[String]| oracle.scores(terms)[&memory_id(1)];
    assert!((score(&twice) - 2.0 * score(&once)).abs() < 1e-6);
}

/// The form that was asked for counts a tenth more; with stems alone all forms are equal.
#[test]
fn inflected_forms_decide_between_equal_stems() {
    let memories: Vec<Memory> = (1..)
        .zip(["deployed", "deploying", "deploy"])
        .map(|(n, text)| memory(n, text))
        .collect();
    let oracle = Oracle::new(&memories);
    let asked = analyze::query("deploying");
    assert_eq!(asked, ["deploy", "=deploying"]);
    let bare = oracle.scores(&asked[..1]);
    assert!(bare.values().all(|score| *score == bare[&memory_id(1)]));
    let idf = |n: f64| (1.0 + (3.0 - n + 0.5) / (n + 0.5)).ln();
    each(async |store| {
        store.put(memories.iter().cloned()).await;
        let found = store.candidates(&ask(&[Kind::Episodic], "deploying")).await;
        let lane = hits(&found, Kind::Episodic, Lane::Lexical);
        let ids: Vec<MemoryId> = lane.iter().map(|hit| hit.0).collect();
        assert_eq!(ids, [2, 1, 3].map(memory_id));
        // All documents are of average length, and hold each term once: a term adds its idf.
        assert!((lane[0].1 - idf(3.0) - 0.1 * idf(1.0)).abs() < 1e-12);
        assert!((lane[1].1 - idf(3.0)).abs() < 1e-12);
    });
}

/// Lengths are exact; tantivy keeps 41 as 40, in one byte.
#[test]
fn lengths_are_not_rounded() {
    assert!((0..=40).all(is_exact) && !is_exact(41) && is_exact(80));
    // With the actor 41 words and 3: N = 2, average 22; `kettle` is in the first alone.
    let memories = [
        memory(1, &format!("kettle {}", "zz ".repeat(39))),
        memory(2, "red fox"),
    ];
    let score = |length: f64| {
        let idf = (1.0_f64 + 1.5 / 1.5).ln();
        idf * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * length / 22.0))
    };
    let theirs = Oracle::new(&memories).scores(&["kettl".to_owned()])[&memory_id(1)];
    assert!((f64::from(theirs) / score(40.0) - 1.0).abs() < ROUNDING);
    each(async |store| {
        store.put(memories.iter().cloned()).await;
        let mut query = ask(&[Kind::Episodic], "");
        query.terms = vec!["kettl".to_owned()];
        let found = store.candidates(&query).await;
        let lane = hits(&found, Kind::Episodic, Lane::Lexical);
        assert!((lane[0].1 - score(41.0)).abs() < 1e-12);
    });
}

fn first(tokenizer: &mut TextAnalyzer, text: &str) -> Option<String> {
    let mut tokens = tokenizer.token_stream(text);
    tokens.advance().then(|| tokens.token().text.clone())
}
