//! The analyser's documented rules, written a second time and otherwise, on tantivy's tokenizers.
//!
//! Good for ASCII, for CJK and for letters that are composed and in lower case; what the analyser
//! does beyond that is in `differences`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use tantivy::tokenizer::{
    Language, LowerCaser, NgramTokenizer, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer,
};

/// Words that Snowball's English stemmer treats otherwise since version 3.0, which tantivy has; the
/// analyser's is of version 2. `differences` holds an example of each.
static REVISED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        "^(emerg|inter|later|organ|past|univers)|ogist|^evenings?$|^[^aeiou]yings?$|ceedly\
         |^[aeo](bb|dd|ff|gg|mm|nn|pp|rr|tt)(ed|ing)",
    )
});
/// A run of kana, Han or Hangul, or one of other letters and digits.
static SCRIPTS: LazyLock<Regex> = LazyLock::new(|| expression(&format!("{CJK}+|[^{}+", &CJK[1..])));
const CJK: &str = r"[\u{3040}-\u{30ff}\u{4e00}-\u{9fff}\u{ac00}-\u{d7af}]";

/// A document's terms with their counts, and how many words it has.
pub type Counts = (BTreeMap<String, u32>, u32);

/// tantivy's words: runs of letters and digits in lower case.
pub fn simple(text: &str) -> Vec<String> {
    let tokenizer = TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser);
    run(tokenizer.build(), text)
}

/// tantivy's words, stemmed by its port of Snowball's English stemmer.
pub fn stemmed(text: &str) -> Vec<String> {
    let tokenizer = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(Stemmer::new(Language::English));
    run(tokenizer.build(), text)
}

/// tantivy's words without its English stop words.
pub fn without_stop_words(text: &str) -> Vec<String> {
    let stop_words = StopWordFilter::new(Language::English).expect("English has stop words");
    let tokenizer = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(stop_words);
    run(tokenizer.build(), text)
}

/// tantivy's pairs of neighbouring characters; a lone character stands for itself.
pub fn bigrams(run_of_cjk: &str) -> Vec<String> {
    if run_of_cjk.chars().count() == 1 {
        return vec![run_of_cjk.to_owned()];
    }
    let pairs = NgramTokenizer::all_ngrams(2, 2).expect("two is a legal size");
    run(TextAnalyzer::builder(pairs).build(), run_of_cjk)
}

/// The parts of an identifier, by the two substitutions of Active Support's `underscore`.
pub fn parts(identifier: &str) -> Vec<String> {
    static ACRONYMS: LazyLock<Regex> = LazyLock::new(|| expression("([A-Z]+)([A-Z][a-z])"));
    static CAMELS: LazyLock<Regex> = LazyLock::new(|| expression("([a-z0-9])([A-Z])"));
    let acronyms = ACRONYMS.replace_all(identifier, "${1}_${2}");
    let camels = CAMELS.replace_all(&acronyms, "${1}_${2}");
    camels
        .to_lowercase()
        .split('_')
        .map(str::to_owned)
        .collect()
}

/// Whether both stemmers are of one mind about a word.
pub fn is_stemmed_alike(word: &str) -> bool {
    !REVISED.is_match(word)
}

/// The words of a text in order, each identifier before its parts.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for token in run(TextAnalyzer::from(SimpleTokenizer::default()), text) {
        for part in SCRIPTS.find_iter(&token).map(|part| part.as_str()) {
            if part.chars().next().is_some_and(|first| first >= '\u{3040}') {
                words.extend(bigrams(part));
                continue;
            }
            let parts = parts(part);
            words.push(part.to_lowercase());
            words.extend((parts.len() > 1).then_some(parts).into_iter().flatten());
        }
    }
    words
}

/// The terms of a word: its stem by tantivy, and the word itself, marked, where it differs. Words
/// that are short, or not of ASCII letters alone, are their own stems.
pub fn forms(word: &str) -> Vec<String> {
    let stem = if word.len() >= 4 && word.chars().all(|c| c.is_ascii_alphabetic()) {
        stemmed(word).concat()
    } else {
        word.to_owned()
    };
    let inflected = (stem != word).then(|| format!("={word}"));
    std::iter::once(stem).chain(inflected).collect()
}

/// The chunks of a text: eighty words each, the rest in the last.
pub fn document(text: &str) -> Vec<Counts> {
    let chunk = |words: &[String]| {
        let mut counts = BTreeMap::new();
        for form in words.iter().flat_map(|word| forms(word)) {
            *counts.entry(form).or_default() += 1;
        }
        (
            counts,
            u32::try_from(words.len()).expect("a chunk is small"),
        )
    };
    words(text).chunks(80).map(chunk).collect()
}

fn expression(text: &str) -> Regex {
    Regex::new(text).expect("the expression is well formed")
}

fn run(mut tokenizer: TextAnalyzer, text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    tokenizer
        .token_stream(text)
        .process(&mut |token| tokens.push(token.text.clone()));
    tokens
}
