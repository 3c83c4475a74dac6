//! Folds text that looks the same into text that is the same.

use unicode_normalization::UnicodeNormalization;

/// Cyrillic and Greek letters and the Latin ones they are drawn like, from the
/// single-letter rows of Unicode's confusables table (UTS #39).
const LOOKALIKES: &[(char, char)] = &[
    ('а', 'a'),
    ('в', 'b'),
    ('с', 'c'),
    ('ԁ', 'd'),
    ('е', 'e'),
    ('һ', 'h'),
    ('і', 'i'),
    ('ј', 'j'),
    ('к', 'k'),
    ('ӏ', 'l'),
    ('м', 'm'),
    ('о', 'o'),
    ('р', 'p'),
    ('ԛ', 'q'),
    ('ѕ', 's'),
    ('т', 't'),
    ('ѵ', 'v'),
    ('ԝ', 'w'),
    ('х', 'x'),
    ('у', 'y'),
    ('ɡ', 'g'),
    ('А', 'A'),
    ('В', 'B'),
    ('С', 'C'),
    ('Е', 'E'),
    ('Н', 'H'),
    ('І', 'I'),
    ('Ј', 'J'),
    ('К', 'K'),
    ('М', 'M'),
    ('О', 'O'),
    ('Р', 'P'),
    ('Ѕ', 'S'),
    ('Т', 'T'),
    ('Х', 'X'),
    ('Υ', 'Y'),
    ('Ζ', 'Z'),
    ('ο', 'o'),
    ('ν', 'v'),
    ('α', 'a'),
    ('ρ', 'p'),
    ('ι', 'i'),
    ('Α', 'A'),
    ('Β', 'B'),
    ('Ε', 'E'),
    ('Η', 'H'),
    ('Ι', 'I'),
    ('Κ', 'K'),
    ('Μ', 'M'),
    ('Ν', 'N'),
    ('Ο', 'O'),
    ('Ρ', 'P'),
    ('Τ', 'T'),
    ('Χ', 'X'),
];

/// Brings text to NFC (UAX #15) and replaces look-alike letters in words that
/// mix them with Latin ones or consist of them alone.
///
/// A word with any other letter of its script is that script's own word and
/// stays: a Russian commit message keeps its text.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.nfc().filter(|c| !is_invisible(*c)) {
        if c.is_alphanumeric() {
            word.push(c);
        } else {
            out.push_str(&fold_word(&word));
            word.clear();
            out.push(c);
        }
    }
    out.push_str(&fold_word(&word));
    out
}

/// Tells whether folding changed more than the normalisation form.
#[must_use]
pub fn has_lookalikes(text: &str) -> bool {
    !text.is_ascii() && fold(text) != text.nfc().collect::<String>()
}

fn fold_word(word: &str) -> String {
    let folded: String = word.chars().map(latin).collect();
    if folded.is_ascii() {
        folded
    } else {
        word.to_owned()
    }
}

fn latin(c: char) -> char {
    LOOKALIKES
        .iter()
        .find(|(from, _)| *from == c)
        .map_or(c, |(_, to)| *to)
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{00ad}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disguised_words_become_latin() {
        assert_eq!(fold("dерlоу"), "deploy");
        assert!(has_lookalikes("npm run dерlоу"));
    }

    #[test]
    fn words_of_another_script_stay() {
        assert_eq!(
            fold("git commit -m 'исправить'"),
            "git commit -m 'исправить'"
        );
        assert!(!has_lookalikes("исправить"));
    }

    #[test]
    fn composed_and_decomposed_agree() {
        assert_eq!(fold("cafe\u{301}"), "caf\u{e9}");
        assert!(!has_lookalikes("cafe\u{301}"));
    }
}
