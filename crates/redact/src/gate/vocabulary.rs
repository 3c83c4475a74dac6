//! The literals that the rules begin with, found by the first three bytes of a word.

use std::sync::OnceLock;

use super::families::Families;
use crate::key;
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
}

impl Entry {
    /// Makes a literal whose case matters and that any text may follow.
    pub(crate) const fn exact(text: &'static str, families: Families) -> Self {
        Self {
            text,
            families,
            exact: true,
            whole: false,
        }
    }

    /// Makes a literal in any case that any text may follow.
    pub(crate) const fn any_case(text: &'static str, families: Families) -> Self {
        Self {
            exact: false,
            ..Self::exact(text, families)
        }
    }

    const fn key(text: &'static str) -> Self {
        Self {
            exact: false,
            whole: true,
            ..Self::exact(text, Families::KEY)
        }
    }

    fn matches(&self, rest: &[u8]) -> bool {
        let text = self.text.as_bytes();
        let Some(head) = rest.get(..text.len()) else {
            return false;
        };
        let same = if self.exact {
            head == text
        } else {
            head.eq_ignore_ascii_case(text) || !text.is_ascii() && same_word(self.text, rest)
        };
        same && (!self.whole || ends_word(head, rest.get(text.len()).copied()))
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

/// Size of the look-up by hash.
const SLOTS: usize = 1 << 14;

/// Endings of words that are keys by themselves, by their last four bytes.
const TAILS: &[&[u8; 4]] = &[
    b"word", b"sswd", b"rase", b"wort", b"cret", b"oken", b"ikey",
];

/// The literals, in reach of a hash of three bytes.
pub(super) struct Vocabulary {
    /// One bit a hash of four bytes: whether any literal has it; three bytes in the next.
    heads: Box<[u64; SLOTS / 64]>,
    short: Box<[u64; SLOTS / 64]>,
    tails: Box<[u64; SLOTS / 64]>,
    /// The last four bytes of literals that end in a sign and count inside a word too.
    glued: Box<[u64; SLOTS / 64]>,
    /// For each hash, the first of its literals plus one.
    first: Box<[u16]>,
    /// The literals, sorted by hash.
    entries: Vec<(u16, Entry)>,
}

impl Vocabulary {
    /// Returns the literals of all rules, built at first need.
    pub(super) fn get() -> &'static Self {
        static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
        VOCABULARY.get_or_init(|| Self::new(key::triggers().map(Entry::key).chain(scan::entries())))
    }

    fn new(entries: impl Iterator<Item = Entry>) -> Self {
        let mut vocabulary = Self {
            heads: Box::new([0; SLOTS / 64]),
            short: Box::new([0; SLOTS / 64]),
            tails: Box::new([0; SLOTS / 64]),
            glued: Box::new([0; SLOTS / 64]),
            first: vec![0; SLOTS].into_boxed_slice(),
            entries: entries
                .filter(|entry| entry.text.len() >= 3)
                .map(|entry| (hash(load(entry.text.as_bytes(), 0)), entry))
                .collect(),
        };
        vocabulary.entries.sort_by_key(|(hash, _)| *hash);
        for (at, (hash, entry)) in vocabulary.entries.iter().enumerate() {
            let head = load(entry.text.as_bytes(), 0);
            if entry.text.len() > 3 {
                set(&mut vocabulary.heads, long_hash(head));
            } else {
                set(&mut vocabulary.short, *hash);
            }
            let first = &mut vocabulary.first[usize::from(*hash)];
            if *first == 0 {
                *first = u16::try_from(at + 1).unwrap_or(u16::MAX);
            }
        }
        for tail in TAILS {
            set(&mut vocabulary.tails, long_hash(u32::from_le_bytes(**tail)));
        }
        for literal in scan::glued() {
            if let Some(tail) = literal.as_bytes().last_chunk::<4>() {
                set(&mut vocabulary.glued, long_hash(u32::from_le_bytes(*tail)));
            }
        }
        vocabulary
    }

    /// Tells whether the sign at this place ends a literal that counts inside a word.
    #[inline(always)]
    pub(super) fn glues(&self, bytes: &[u8], at: usize) -> bool {
        let tail = at.checked_sub(3).map(|start| load(bytes, start));
        tail.is_some_and(|tail| has(&self.glued, long_hash(tail)))
    }

    /// Returns the rules that the word starting here concerns.
    #[inline(always)]
    pub(super) fn at(&self, bytes: &[u8], at: usize) -> Families {
        let head = load(bytes, at);
        if has(&self.heads, long_hash(head)) || has(&self.short, hash(head)) {
            self.matches(hash(head), &bytes[at..])
        } else {
            Families::NONE
        }
    }

    #[inline(never)]
    fn matches(&self, hash: u16, rest: &[u8]) -> Families {
        let first = usize::from(self.first[usize::from(hash)]).saturating_sub(1);
        let mut families = Families::NONE;
        for (_, entry) in self.entries[first..]
            .iter()
            .take_while(|(other, _)| *other == hash)
        {
            if entry.matches(rest) {
                families |= entry.families;
            }
        }
        families
    }

    /// Tells whether the word that ends before this byte ends like a key.
    #[inline(always)]
    pub(super) fn ends_like_key(&self, bytes: &[u8], end: usize) -> bool {
        let Some(tail) = end.checked_sub(4).and_then(|at| bytes.get(at..at + 4)) else {
            return false;
        };
        let tail = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]);
        has(&self.tails, long_hash(tail)) && key::ends_in_key(&bytes[..end])
    }
}

/// Loads up to four bytes, the first in the lowest place.
#[inline(always)]
fn load(bytes: &[u8], at: usize) -> u32 {
    if let Some(four) = bytes.get(at..at + 4) {
        return u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    }
    let rest = bytes.get(at..).unwrap_or(&[]);
    rest.iter()
        .rev()
        .fold(0, |word, b| word << 8 | u32::from(*b))
}

/// Hashes the first three bytes without regard to case (multiplicative hashing, Knuth, The Art of
/// Computer Programming, volume 3, section 6.4).
#[inline(always)]
fn hash(word: u32) -> u16 {
    scatter(word & 0x00ff_ffff | 0x0020_2020)
}

/// Hashes four bytes likewise.
#[inline(always)]
fn long_hash(word: u32) -> u16 {
    scatter(word | 0x2020_2020)
}

#[inline(always)]
fn scatter(word: u32) -> u16 {
    // 14 bits remain, which fit.
    (word.wrapping_mul(0x9E37_79B1) >> 18) as u16
}

#[inline(always)]
fn has(bits: &[u64; SLOTS / 64], hash: u16) -> bool {
    let hash = usize::from(hash) % SLOTS;
    bits[hash / 64] >> (hash % 64) & 1 != 0
}

fn set(bits: &mut [u64; SLOTS / 64], hash: u16) {
    let hash = usize::from(hash) % SLOTS;
    bits[hash / 64] |= 1 << (hash % 64);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Families {
        Vocabulary::get().at(text.as_bytes(), 0)
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
        for (_, entry) in &vocabulary.entries {
            let families = vocabulary.at(entry.text.as_bytes(), 0);
            assert!(families.has(entry.families), "{}", entry.text);
        }
        assert!(vocabulary.entries.len() < usize::from(u16::MAX));
    }
}
