//! The vocabulary as one table: a word's roles in one look-up, without allocation.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use super::vocabulary::{
    CONTAINERS, MEDIUM_LAST, MEDIUM_PAIRS, NEVER_FIRST, NEVER_LAST, NEVER_PAIRS, STRONG,
    STRONG_PAIRS, WEAK_LAST,
};

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
    let mut buffer = [0; MAX_WORD];
    let Some(folded) = fold(word, &mut buffer) else {
        return Roles::NONE;
    };
    let table = table();
    let find = |word: &str| table.get(word).copied();
    let plain = folded.trim_end_matches(|c: char| c.is_ascii_digit());
    find(folded)
        .or_else(|| find(plain))
        .or_else(|| {
            let ending = ENDINGS.iter().find(|ending| plain.ends_with(**ending))?;
            find(ending)
        })
        .or_else(|| plain.ends_with("api").then(|| find("api"))?)
        .unwrap_or(Roles::NONE)
}

/// Looks a word up as it stands, whatever its case.
pub(super) fn exact_roles(word: &str) -> Roles {
    let mut buffer = [0; MAX_WORD];
    let folded = fold(word, &mut buffer);
    let found = folded.and_then(|folded| table().get(folded).copied());
    found.unwrap_or(Roles::NONE)
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

/// Lowers a word into the buffer.
fn fold<'a>(word: &str, buffer: &'a mut [u8; MAX_WORD]) -> Option<&'a str> {
    if word.len() > MAX_WORD {
        return None;
    }
    if word.is_ascii() {
        for (to, from) in buffer.iter_mut().zip(word.bytes()) {
            *to = from.to_ascii_lowercase();
        }
        return std::str::from_utf8(&buffer[..word.len()]).ok();
    }
    let mut length = 0;
    for c in word.chars().flat_map(char::to_lowercase) {
        let place = buffer.get_mut(length..length + c.len_utf8())?;
        length += c.encode_utf8(place).len();
    }
    std::str::from_utf8(&buffer[..length]).ok()
}

/// Lists every word because of which a key can be sensitive, each with whether any value of such
/// a key is secret.
pub(crate) fn triggers() -> impl Iterator<Item = (&'static str, bool)> {
    let words = table().iter().filter(|(_, roles)| roles.is_trigger());
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

type Table = HashMap<&'static str, Roles, BuildHasherDefault<Fnv>>;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(build)
}

fn build() -> Table {
    let mut table = Table::default();
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
            table.entry(word).or_insert(Roles::NONE).flags |= role;
        }
    }
    for (at, (first, second)) in STRONG_PAIRS
        .iter()
        .chain(MEDIUM_PAIRS)
        .chain(NEVER_PAIRS)
        .enumerate()
    {
        table.entry(first).or_insert(Roles::NONE).before |= 1 << at;
        table.entry(second).or_insert(Roles::NONE).after |= 1 << at;
    }
    table
}

/// The FNV-1a hash (IETF draft-eastlake-fnv), quick for short words; the table is fixed, so no
/// input can choose its keys.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
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
