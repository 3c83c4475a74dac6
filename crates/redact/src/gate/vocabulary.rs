//! The literals that the rules begin with, found by the first three bytes of a word.

use std::sync::OnceLock;

use super::families::Families;
use super::follow::{Follow, may_hold_random};
use crate::key;
use crate::lexicon::{Bits, Lexicon, fold};
use crate::scan;

/// A literal that starts at the start of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The literal, at least three bytes.
    pub(crate) text: &'static str,
    /// The rules that it concerns.
    pub(crate) families: Families,
    /// Whether case matters.
    pub(crate) exact: bool,
    /// Whether the word must end with it.
    pub(crate) whole: bool,
    /// What has to follow.
    pub(crate) follow: Follow,
}

impl Entry {
    /// Makes a literal whose case matters and that any text may follow.
    pub(crate) const fn exact(text: &'static str, families: Families) -> Self {
        Self {
            text,
            families,
            exact: true,
            whole: false,
            follow: Follow::Anything,
        }
    }

    /// Makes a literal in any case that any text may follow.
    pub(crate) const fn any_case(text: &'static str, families: Families) -> Self {
        Self {
            exact: false,
            ..Self::exact(text, families)
        }
    }

    /// Makes the first bytes of a label in any case, which may be all of it.
    pub(crate) fn label(head: &'static str, label: &str, families: Families) -> Self {
        Self {
            whole: head.len() == label.len(),
            ..Self::any_case(head, families)
        }
    }

    /// Demands something of what follows.
    pub(crate) const fn with(self, follow: Follow) -> Self {
        Self { follow, ..self }
    }

    const fn key(text: &'static str) -> Self {
        Self {
            exact: false,
            whole: true,
            ..Self::exact(text, Families::KEY)
        }
    }

    fn matches(&self, bytes: &[u8], at: usize) -> bool {
        let text = self.text.as_bytes();
        let end = at + text.len();
        let Some(head) = bytes.get(at..end) else {
            return false;
        };
        let same = if self.exact {
            head == text
        } else {
            head.eq_ignore_ascii_case(text)
                || !text.is_ascii() && same_word(self.text, &bytes[at..])
        };
        same && (!self.whole || ends_word(head, bytes.get(end).copied()))
            && self.follow.is_met(bytes, at, end)
    }
}

/// Compares beyond ASCII, where a capital can have another length.
fn same_word(word: &str, rest: &[u8]) -> bool {
    let rest = &rest[..rest.len().min(64)];
    let rest = match std::str::from_utf8(rest) {
        Ok(rest) => rest,
        Err(cut) => std::str::from_utf8(&rest[..cut.valid_up_to()]).unwrap_or(""),
    };
    let mut lowered = rest.chars().flat_map(char::to_lowercase);
    word.chars().all(|c| lowered.next() == Some(c))
}

/// Tells whether a word ends here: a letter of the same case would continue it.
fn ends_word(head: &[u8], next: Option<u8>) -> bool {
    match (head.last(), next) {
        (Some(last), Some(next)) if last.is_ascii_lowercase() => !next.is_ascii_lowercase(),
        (Some(last), Some(next)) if last.is_ascii_uppercase() => !next.is_ascii_uppercase(),
        _ => true,
    }
}

/// Endings of words that are keys by themselves, by their last four bytes.
const TAILS: &[&[u8; 4]] = &[
    b"word", b"sswd", b"rase", b"wort", b"cret", b"oken", b"ikey",
];

/// The literals, in reach of their first bytes.
pub(super) struct Vocabulary {
    literals: Lexicon<Entry>,
    /// Last four bytes of words that are keys by their ending.
    tails: Bits,
    /// Last four bytes of literals that end in a sign and count inside a word too.
    glued: Bits,
}

impl Vocabulary {
    /// Returns the literals of all rules, built at first need.
    pub(super) fn get() -> &'static Self {
        static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
        VOCABULARY.get_or_init(|| {
            Self::new({
                let keys = key::triggers().map(|(word, any_value)| {
                    let follow = if any_value {
                        Follow::Anything
                    } else {
                        Follow::Random
                    };
                    Entry::key(word).with(follow)
                });
                let keys = keys.chain(key::joined().map(Entry::key));
                keys.chain(scan::entries())
            })
        })
    }

    fn new(entries: impl Iterator<Item = Entry>) -> Self {
        let literals = entries.filter(|entry| entry.text.len() >= 3);
        let glued = scan::glued().filter_map(|literal| literal.as_bytes().last_chunk::<4>());
        Self {
            literals: Lexicon::new(literals.map(|entry| (entry.text, entry))),
            tails: set(TAILS.iter().copied()),
            glued: set(glued),
        }
    }

    /// Tells whether a literal may start with these four bytes.
    #[inline(always)]
    pub(super) fn may_start(&self, word: u32) -> bool {
        self.literals.may_start(word)
    }

    /// Tells whether a word that ends like a key may end with these four bytes.
    #[inline(always)]
    pub(super) fn may_end(&self, word: u32) -> bool {
        self.tails.has(fold(word))
    }

    /// Tells whether a literal that counts inside a word ends with these four bytes.
    #[inline(always)]
    pub(super) fn glues(&self, word: u32) -> bool {
        self.glued.has(fold(word))
    }

    /// Returns the rules that the word starting here concerns, with those that are known to be.
    #[inline(always)]
    pub(super) fn at(&self, bytes: &[u8], at: usize, known: Families) -> Families {
        let mut families = known;
        self.literals.alike(bytes, at, &mut |_, entry| {
            if !families.has_all(entry.families) && entry.matches(bytes, at) {
                families |= entry.families;
            }
        });
        families
    }

    /// Tells whether the word that ends before this byte ends like a key.
    pub(super) fn ends_like_key(&self, bytes: &[u8], end: usize) -> bool {
        let any_value = key::ends_in_key(&bytes[..end]);
        any_value.is_some_and(|any_value| any_value || may_hold_random(&bytes[end..]))
    }
}

fn set<'a>(words: impl Iterator<Item = &'a [u8; 4]>) -> Bits {
    let mut bits = Bits::default();
    words.for_each(|word| bits.set(fold(u32::from_le_bytes(*word))));
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Families {
        Vocabulary::get().at(text.as_bytes(), 0, Families::NONE)
    }

    #[test]
    fn whole_words_and_prefixes_are_told_apart() {
        assert!(at("PASSWORD=x").has(Families::KEY));
        assert!(at("passwordHash").has(Families::KEY));
        assert!(at("Пароль: x").has(Families::KEY));
        assert!(at("пароль: x").has(Families::KEY));
        assert_eq!(at("keyboard"), Families::NONE);
        assert!(at("ghp_x").has(Families::VENDOR));
        assert_eq!(at("GHP_x"), Families::NONE);
        assert_eq!(at("ke"), Families::NONE);
        assert_eq!(at(""), Families::NONE);
    }

    #[test]
    fn endings_tell_joined_words() {
        let ends = |text: &str| Vocabulary::get().ends_like_key(text.as_bytes(), text.len());
        assert!(ends("mypassword") && ends("MYTOKEN") && !ends("tok") && !ends("monkeys"));
    }

    #[test]
    fn every_literal_is_found_again() {
        let vocabulary = Vocabulary::get();
        for (_, entry) in vocabulary.literals.iter() {
            // At the end of a text, what follows is not known.
            let families = vocabulary.at(entry.text.as_bytes(), 0, Families::NONE);
            assert!(families.has_all(entry.families), "{}", entry.text);
        }
    }
}
