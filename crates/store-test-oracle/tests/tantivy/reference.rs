//! The analyser's documented rules, written a second time and otherwise, on tantivy's tokenizers.

use regex::Regex;
use tantivy::tokenizer::{
    Language, LowerCaser, NgramTokenizer, SimpleTokenizer, Stemmer, TextAnalyzer,
};

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

/// tantivy's pairs of neighbouring characters; a lone character stands for itself.
pub fn bigrams(run_of_cjk: &str) -> Vec<String> {
    if run_of_cjk.chars().count() == 1 {
        return vec![run_of_cjk.to_owned()];
    }
    let pairs = NgramTokenizer::all_ngrams(2, 2).expect("two is a legal size");
    run(TextAnalyzer::builder(pairs).build(), run_of_cjk)
}

/// The parts of an ASCII identifier, by the two substitutions of Active Support's `underscore`.
pub fn parts(identifier: &str) -> Vec<String> {
    let expression = |text| Regex::new(text).expect("the expression is well formed");
    let acronyms = expression("([A-Z]+)([A-Z][a-z])").replace_all(identifier, "${1}_${2}");
    let camels = expression("([a-z0-9])([A-Z])").replace_all(&acronyms, "${1}_${2}");
    camels
        .to_lowercase()
        .split('_')
        .map(str::to_owned)
        .collect()
}

fn run(mut tokenizer: TextAnalyzer, text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    tokenizer
        .token_stream(text)
        .process(&mut |token| tokens.push(token.text.clone()));
    tokens
}
