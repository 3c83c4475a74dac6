//! Extraction without a model: sentences, and what they state outright.

use precedent_core::analyze::is_cjk;
use precedent_core::{Claim, CleanText, Redactor};

use crate::stated::claim;

/// A fact that was extracted, as it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// The fact, a sentence of its own.
    pub text: CleanText,
    /// What it states, where that is plain.
    pub claim: Option<Claim>,
    /// The names of what it is about.
    pub entities: Vec<CleanText>,
}

/// Fewest words of a sentence that says something; fewer count only with a claim.
const LEAST_WORDS: usize = 3;
/// Fewest characters of a sentence in a script without blanks.
const LEAST_CHARS: usize = 6;

/// Tells whether a text says too little to be worth a memory.
pub fn is_low_information(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphanumeric));
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let wide = text.chars().any(is_cjk);
    if wide {
        letters.count() < LEAST_CHARS
    } else {
        words.count() < LEAST_WORDS
    }
}

/// Cuts a text into sentences: at line ends, and at a full stop, question or exclamation mark
/// (also of Chinese and Japanese) before a blank or the end. Code between backquotes stays whole.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let (mut start, mut quoted) = (0, false);
        let mut characters = line.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            quoted ^= c == '`';
            let next = characters.peek().map(|(_, next)| *next);
            let stops = matches!(c, '。' | '！' | '？')
                || matches!(c, '.' | '!' | '?')
                    && next.is_none_or(char::is_whitespace)
                    && !is_abbreviation(&line[start..at]);
            if stops && !quoted {
                found.push(&line[start..at + c.len_utf8()]);
                start = at + c.len_utf8();
            }
        }
        found.push(&line[start..]);
    }
    let trimmed = found.into_iter().map(|sentence| {
        let sentence = sentence.trim();
        let item = sentence.trim_start_matches(['-', '*', '•']);
        if item.len() < sentence.len() && item.starts_with(' ') {
            item.trim()
        } else {
            sentence
        }
    });
    trimmed
        .filter(|sentence| sentence.contains(char::is_alphanumeric))
        .collect()
}

/// Tells whether a text ends in a short form, after which a full stop ends no sentence.
fn is_abbreviation(before: &str) -> bool {
    const SHORT: [&str; 12] = [
        "e.g", "i.e", "etc", "vs", "mr", "mrs", "ms", "dr", "prof", "st", "no", "approx",
    ];
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    initial || SHORT.iter().any(|short| short.eq_ignore_ascii_case(word))
}

/// Cuts a content into the facts that it states, without a model.
pub fn facts(content: &str, speaker: &str, redactor: &Redactor) -> Vec<Extracted> {
    let fact = |sentence: &str| Extracted {
        text: redactor.clean(sentence),
        claim: claim(sentence, speaker, redactor),
        entities: Vec::new(),
    };
    sentences(content).into_iter().map(fact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_people_end_them() {
        let text = "Ann works at Acme. She likes tea!\n- deploy on Friday, e.g. the 3rd. \
                    Use `a. b` always\n今日は雨です。明日は晴れ";
        assert_eq!(
            sentences(text),
            [
                "Ann works at Acme.",
                "She likes tea!",
                "deploy on Friday, e.g. the 3rd.",
                "Use `a. b` always",
                "今日は雨です。",
                "明日は晴れ"
            ]
        );
        assert_eq!(sentences("v1.2.3 is out. --- "), ["v1.2.3 is out."]);
        assert_eq!(sentences("J. Doe left."), ["J. Doe left."]);
    }

    #[test]
    fn little_is_told_from_enough() {
        for text in ["ok", "thank you", "--- ---", "了解です"] {
            assert!(is_low_information(text), "{text}");
        }
        for text in ["deploy on friday", "今日は雨が降ります"] {
            assert!(!is_low_information(text), "{text}");
        }
    }
}
