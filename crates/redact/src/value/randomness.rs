//! Tells random strings from written ones.

use crate::entropy::{Makeup, shannon, transitions};

/// Tells whether a string looks random rather than written: long enough, letters with digits or
/// symbols or many changes of kind, and no words joined by separators.
pub(crate) fn looks_random(text: &str, min: usize) -> bool {
    if text.len() < min || text.bytes().any(|b| b.is_ascii_whitespace()) {
        return false;
    }
    let makeup = Makeup::of(text);
    if makeup.letters() == 0 {
        return makeup.digits >= min.max(12) && makeup.symbols == 0;
    }
    if is_wordy(text) {
        return false;
    }
    if makeup.digits > 0 {
        return makeup.digits >= 2 || transitions(text) >= 3;
    }
    makeup.lower > 0
        && makeup.upper > 0
        && !is_camel(&makeup)
        && (transitions(text) * 4 >= text.len() || shannon(text) > 3.9 && makeup.symbols > 0)
}

/// Tells whether letters alone form capitalised words: random text has a capital in every two
/// letters, words in every three or more.
fn is_camel(makeup: &Makeup) -> bool {
    makeup.symbols == 0 && makeup.letters() * 10 >= makeup.upper * 26
}

/// Tells whether the text is words, with at most short numbers, joined by separators.
fn is_wordy(text: &str) -> bool {
    let separator = |c: char| matches!(c, '-' | '_' | '.' | '/' | ':' | '@' | '+' | ',' | '\\');
    let mut words = 0;
    for part in text.split(separator).filter(|part| !part.is_empty()) {
        let makeup = Makeup::of(part);
        let letters_only = makeup.digits == 0 && makeup.symbols == 0;
        let one_case = makeup.upper == 0
            || makeup.lower == 0
            || is_camel(&makeup)
            || transitions(part) <= 1.max(part.len() / 4);
        let number = makeup.letters() == 0 && makeup.symbols == 0 && makeup.digits <= 4;
        let versioned = makeup.symbols == 0
            && makeup.digits <= 3
            && part.len() <= 8
            && transitions(part) == 1
            && part.starts_with(|c: char| c.is_ascii_alphabetic());
        let one_case = one_case || makeup.lower > 0 && part.len() >= 8 && is_camel(&makeup);
        if !(letters_only && one_case && part.len() <= 24 || number || versioned) {
            return false;
        }
        words += usize::from(letters_only);
    }
    words >= 1
}

/// Tells whether a string of any printable characters, blanks included, is noise, as the salts of
/// WordPress are: all kinds of characters, and no words.
pub(super) fn is_noise(text: &str) -> bool {
    let makeup = Makeup::of(text);
    let letters = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase());
    text.len() >= 32
        && [makeup.lower, makeup.upper, makeup.digits]
            .iter()
            .all(|count| *count >= 3)
        && makeup.symbols >= 6
        && !text.split(' ').any(|part| part.len() >= 3 && letters(part))
        && shannon(text) > 4.3
}

/// Tells whether the value mixes letters with digits, as a password in prose does and a word does
/// not.
pub(crate) fn is_dense(value: &str) -> bool {
    let makeup = Makeup::of(value);
    makeup.letters() > 0 && makeup.digits > 0 && value.len() >= 6
}

/// Tells whether the value is several words joined by one sign, as generators of passphrases
/// write them.
pub(crate) fn is_phrase(value: &str) -> bool {
    let Some(joint) = value.chars().find(|c| matches!(c, '-' | '_' | '.')) else {
        return false;
    };
    let word = |part: &str| part.len() >= 3 && part.bytes().all(|b| b.is_ascii_lowercase());
    let long = |part: &str| part.len() >= 4;
    let count = value.split(joint).count();
    value.split(joint).all(word)
        && (count >= 4 || count == 3 && value.split(joint).all(long))
        && joint != '.'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn randomness_tells_words_from_tokens() {
        for text in [
            "db-prod-main",
            "created_at",
            "kv/data/app/prod",
            "refresher",
            "cl100k",
            "X-API-Key",
            "AccountManagementService",
        ] {
            assert!(!looks_random(text, 8), "{text}");
        }
        for text in [
            "a75350b06c96ce61",
            "PJ0Mnv97wM_SlOSn8c",
            "zYfhdfHZ6ycq+wN0JJ",
        ] {
            assert!(looks_random(text, 8), "{text}");
        }
    }
}
