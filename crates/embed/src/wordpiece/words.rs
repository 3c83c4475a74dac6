//! Normalises text and splits it into words, a character at a time.

use unicode_normalization::UnicodeNormalization as _;

use super::classes::{is_control, is_ideograph, is_mark, is_punctuation};
use crate::table::MAX_WORD_CHARS;

/// Calls the visitor with each normalised word; a word longer than the vocabulary's limit is
/// left out, since it is unknown by definition.
pub(super) fn for_each_word(text: &str, visit: &mut dyn FnMut(&str)) {
    let mut words = Words {
        word: String::new(),
        chars: 0,
        visit,
    };
    let clean = text.chars().filter(|&c| !is_control(c));
    if text.is_ascii() {
        clean.for_each(|c| words.push(c.to_ascii_lowercase()));
    } else {
        // Accents go before case, one character at a time, so no context rule (as the Greek
        // final sigma) applies; the reference does the same.
        let spaced = clean.flat_map(spaced).flatten();
        let bare = spaced.nfd().filter(|&c| !is_mark(c));
        bare.flat_map(char::to_lowercase)
            .for_each(|c| words.push(c));
    }
    words.flush();
}

/// Sets an ideograph apart with spaces.
fn spaced(c: char) -> [Option<char>; 3] {
    let space = is_ideograph(c).then_some(' ');
    [space, Some(c), space]
}

/// Gathers characters until a word ends.
struct Words<'a> {
    word: String,
    /// Characters of the word, those beyond the limit included.
    chars: usize,
    visit: &'a mut dyn FnMut(&str),
}

impl Words<'_> {
    /// Takes one normalised character.
    fn push(&mut self, c: char) {
        if c.is_whitespace() {
            self.flush();
        } else if is_punctuation(c) {
            self.flush();
            self.add(c);
            self.flush();
        } else {
            self.add(c);
        }
    }

    /// Adds a character to the word; beyond the limit it only counts.
    fn add(&mut self, c: char) {
        self.chars += 1;
        if self.chars <= MAX_WORD_CHARS {
            self.word.push(c);
        }
    }

    /// Ends the word.
    fn flush(&mut self) {
        if (1..=MAX_WORD_CHARS).contains(&self.chars) {
            (self.visit)(&self.word);
        }
        self.word.clear();
        self.chars = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        for_each_word(text, &mut |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn splits_at_space_punctuation_and_ideographs() {
        assert_eq!(
            words("run db:generate!"),
            ["run", "db", ":", "generate", "!"]
        );
        assert_eq!(words("a\u{3000}b\tc\u{a0}d"), ["a", "b", "c", "d"]);
        assert_eq!(words("部署x失败"), ["部", "署", "x", "失", "败"]);
        assert_eq!(words(" \r\n"), [""; 0]);
    }

    #[test]
    fn drops_accents_case_and_controls() {
        assert_eq!(
            words("Café E\u{301} İstanbul ΣΑΣ"),
            ["cafe", "e", "istanbul", "σασ"]
        );
        assert_eq!(words("zero\u{200b}width\u{0}nul"), ["zerowidthnul"]);
    }

    #[test]
    fn leaves_out_a_word_over_a_hundred_characters() {
        assert_eq!(words(&"é".repeat(100)), ["e".repeat(100)]);
        assert_eq!(words(&format!("{} b", "a".repeat(101))), ["b"]);
    }
}
