//! The vocabulary as one table: a word's roles in one look-up, without allocation.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::OnceLock;

use super::vocabulary::{
    CONTAINERS, MEDIUM_LAST, MEDIUM_PAIRS, NEVER_FIRST, NEVER_LAST, NEVER_PAIRS, STRONG,
    STRONG_PAIRS, WEAK_LAST,
};
use crate::lexicon::Bits;

/// What a word says where it stands in a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Roles {
    flags: u8,
    /// Bit `i` is set in the first word of pair `i`, and in the second.
    before: u128,
    after: u128,
}

impl Roles {
    pub(super) const NONE: Self = Self {
        flags: 0,
        before: 0,
        after: 0,
    };
    pub(super) const STRONG: u8 = 1;
    pub(super) const MEDIUM_LAST: u8 = 2;
    pub(super) const WEAK_LAST: u8 = 4;
    pub(super) const NEVER_LAST: u8 = 8;
    pub(super) const NEVER_FIRST: u8 = 16;
    pub(super) const CONTAINER: u8 = 32;
    /// `pass` alone may be a verb; as the last of several words it is a password.
    pub(super) const PASS: u8 = 64;

    pub(super) fn flags(self) -> u8 {
        self.flags
    }

    pub(super) fn has(self, role: u8) -> bool {
        self.flags & role != 0
    }

    /// Tells whether this word and the next form a pair of the vocabulary.
    pub(super) fn is_before(self, next: Self, kind: Pair) -> bool {
        let of_kind = match kind {
            Pair::Strong => STRONG_MASK,
            Pair::Medium => MEDIUM_MASK,
            Pair::Never => !(STRONG_MASK | MEDIUM_MASK),
        };
        self.before & next.after & of_kind != 0
    }

    /// Tells whether a key can be sensitive because of this word alone.
    fn is_trigger(self) -> bool {
        self.has(Self::STRONG | Self::MEDIUM_LAST | Self::WEAK_LAST | Self::PASS)
    }
}

/// What a pair of words says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pair {
    Strong,
    Medium,
    Never,
}

/// Bits of the strong pairs, which come first.
const STRONG_MASK: u128 = (1 << STRONG_PAIRS.len()) - 1;
/// Bits of the pairs of medium strength, which come next.
const MEDIUM_MASK: u128 = ((1 << (STRONG_PAIRS.len() + MEDIUM_PAIRS.len())) - 1) & !STRONG_MASK;
const _: () = assert!(STRONG_PAIRS.len() + MEDIUM_PAIRS.len() + NEVER_PAIRS.len() <= 128);

/// Longest word of the vocabulary, in bytes.
const MAX_WORD: usize = 32;

/// Endings that make a word what the ending alone would be: `dbpassword`, `accesstoken`.
const ENDINGS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "secret",
    "token",
    "apikey",
];

/// Looks a word up, whatever its case and with or without a number at its end.
pub(crate) fn roles(word: &str) -> Roles {
    let Some(folded) = Folded::of(word) else {
        return Roles::NONE;
    };
    if let Some(roles) = find(&folded) {
        return roles;
    }
    let word = folded.as_bytes();
    let digits = word.iter().rev().take_while(|b| b.is_ascii_digit());
    let plain = &word[..word.len() - digits.count()];
    let numbered = plain.len() < word.len();
    numbered
        .then(|| find(&folded.cut(plain.len())))
        .flatten()
        .or_else(|| find(&Folded::of(ending(plain)?)?))
        .unwrap_or(Roles::NONE)
}

/// Looks a word up as it stands, whatever its case.
pub(super) fn exact_roles(word: &str) -> Roles {
    let found = Folded::of(word).and_then(|folded| find(&folded));
    found.unwrap_or(Roles::NONE)
}

fn find(word: &Folded) -> Option<Roles> {
    let table = table();
    if !table.heads.has(word.head()) {
        return None;
    }
    table.words.get(word).map(|(_, roles)| *roles)
}

/// Returns the ending that makes the word what the ending alone would be.
fn ending(word: &[u8]) -> Option<&'static str> {
    let last = word.last_chunk::<2>()?;
    // Two bytes tell most words apart without a look at the rest.
    let is_end = |ending: &&&str| {
        ending.as_bytes().last_chunk() == Some(last) && word.ends_with(ending.as_bytes())
    };
    ENDINGS.iter().chain(&["api"]).find(is_end).copied()
}

/// Tells whether the text ends with an ending that makes a key, and whether any value of such a
/// key is secret.
pub(crate) fn ends_in_key(text: &[u8]) -> Option<bool> {
    // Alone, the ending is a word of its own.
    let ending = ENDINGS.iter().find(|ending| {
        let (head, tail) = text.split_at(text.len().saturating_sub(ending.len()));
        tail.eq_ignore_ascii_case(ending.as_bytes())
            && head.last().is_some_and(u8::is_ascii_alphanumeric)
    })?;
    Some(roles(ending).has(Roles::STRONG))
}

/// A word in small letters, in a form that is hashed and compared at once.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Folded {
    bytes: [u8; MAX_WORD],
    length: usize,
}

impl Folded {
    /// Lowers a word, unless it is longer than any of the vocabulary.
    fn of(word: &str) -> Option<Self> {
        let mut bytes = [0; MAX_WORD];
        if word.is_ascii() {
            bytes
                .get_mut(..word.len())?
                .copy_from_slice(word.as_bytes());
            bytes.make_ascii_lowercase();
            let length = word.len();
            return Some(Self { bytes, length });
        }
        let mut length = 0;
        for c in word.chars().flat_map(char::to_lowercase) {
            let place = bytes.get_mut(length..length + c.len_utf8())?;
            length += c.encode_utf8(place).len();
        }
        Some(Self { bytes, length })
    }

    /// Mixes the first eight bytes.
    fn head(&self) -> u32 {
        let [low, high, ..] = self.bytes.as_chunks::<4>().0 else {
            return 0;
        };
        u32::from_le_bytes(*low) ^ u32::from_le_bytes(*high).rotate_left(5)
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Returns the first bytes of the word.
    fn cut(&self, length: usize) -> Self {
        let mut bytes = self.bytes;
        bytes[length..].fill(0);
        Self { bytes, length }
    }
}

impl Hash for Folded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for word in self.bytes.as_chunks::<8>().0 {
            state.write_u64(u64::from_le_bytes(*word));
        }
    }
}

/// Lists every word because of which a key can be sensitive, each with whether any value of such
/// a key is secret.
pub(crate) fn triggers() -> impl Iterator<Item = (&'static str, bool)> {
    let words = table()
        .words
        .values()
        .filter(|(_, roles)| roles.is_trigger());
    words.map(|(word, roles)| {
        let any_value = roles.has(Roles::STRONG | Roles::PASS) || super::PINS.contains(word);
        (*word, any_value)
    })
}

/// Lists what keys contain beside the words: the pairs that only together make a key sensitive, as
/// keys spell them, and the words of two letters with what follows them.
pub(crate) fn joined() -> impl Iterator<Item = &'static str> {
    static JOINED: OnceLock<Vec<String>> = OnceLock::new();
    let joined = JOINED.get_or_init(|| {
        let pairs = STRONG_PAIRS
            .iter()
            .chain(MEDIUM_PAIRS)
            .filter(|(_, second)| !roles(second).is_trigger())
            .flat_map(|(first, second)| {
                ["_", "-", ".", " ", ""].map(|joint| format!("{first}{joint}{second}"))
            });
        let short = triggers()
            .filter(|(word, _)| word.len() < 3)
            .flat_map(|(word, _)| {
                let signs = [
                    "=", ":", " ", "\"", "'", "\\", "_", "-", ".", "\t", ",", "\n",
                ];
                signs.map(|sign| format!("{word}{sign}"))
            });
        pairs.chain(short).collect()
    });
    joined.iter().map(String::as_str)
}

/// The words as they are written, with their roles.
#[derive(Default)]
struct Table {
    /// What words begin with: most words that are none of these are told by it.
    heads: Bits,
    words: HashMap<Folded, (&'static str, Roles), BuildHasherDefault<Mix>>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(build)
}

fn build() -> Table {
    let mut table = Table::default();
    let mut edit = |word: &'static str, change: &mut dyn FnMut(&mut Roles)| {
        let folded = Folded::of(word).expect("no word of the vocabulary is that long");
        table.heads.set(folded.head());
        let entry = table.words.entry(folded);
        change(&mut entry.or_insert((word, Roles::NONE)).1);
    };
    let lists = [
        (STRONG, Roles::STRONG),
        (MEDIUM_LAST, Roles::MEDIUM_LAST),
        (WEAK_LAST, Roles::WEAK_LAST),
        (NEVER_LAST, Roles::NEVER_LAST),
        (NEVER_FIRST, Roles::NEVER_FIRST),
        (CONTAINERS, Roles::CONTAINER),
        (&["pass", "pw", "clave"], Roles::PASS),
    ];
    for (words, role) in lists {
        for word in words {
            edit(word, &mut |roles| roles.flags |= role);
        }
    }
    for (at, (first, second)) in STRONG_PAIRS
        .iter()
        .chain(MEDIUM_PAIRS)
        .chain(NEVER_PAIRS)
        .enumerate()
    {
        edit(first, &mut |roles| roles.before |= 1 << at);
        edit(second, &mut |roles| roles.after |= 1 << at);
    }
    table
}

/// Multiplicative hashing of eight bytes a step (Knuth, The Art of Computer Programming, volume 3,
/// section 6.4); the table is fixed, so no input can choose its keys.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64(u64::from(*b)));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_case_and_with_numbers() {
        assert!(roles("PASSWORD").has(Roles::STRONG));
        assert!(roles("password2").has(Roles::STRONG));
        assert!(roles("dbpassword").has(Roles::STRONG));
        assert!(roles("Пароль").has(Roles::STRONG));
        assert!(roles("mytoken").has(Roles::MEDIUM_LAST));
        assert!(roles("pass").has(Roles::PASS));
        assert_eq!(roles("monkey"), Roles::NONE);
        assert_eq!(roles(&"x".repeat(40)), Roles::NONE);
    }

    #[test]
    fn pairs_are_ordered() {
        assert!(roles("client").is_before(roles("secret"), Pair::Strong));
        assert!(!roles("secret").is_before(roles("client"), Pair::Strong));
        assert!(roles("api").is_before(roles("key"), Pair::Medium));
        assert!(!roles("api").is_before(roles("key"), Pair::Strong));
    }
}
