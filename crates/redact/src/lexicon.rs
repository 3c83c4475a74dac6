//! Literals that start at the start of a word, in reach of their first bytes: what an automaton
//! would find there, at the cost of a look-up for a word and of almost none to build.

use std::ops::Range;

use crate::gate;

/// Literals of at least two bytes, each with what it stands for.
pub(crate) struct Lexicon<T> {
    /// Literals of at least four bytes, those of three, and those of two if there are any.
    long: Level<T>,
    short: Level<T>,
    least: Option<Level<T>>,
}

/// Whether the case of ASCII letters matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Case {
    Matters,
    Any,
}

impl<T> Lexicon<T> {
    /// Makes a lexicon.
    pub(crate) fn new(entries: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let [mut long, mut short, mut least] = [const { Vec::new() }; 3];
        for (text, value) in entries {
            match text.len() {
                4.. => long.push((text, value)),
                3 => short.push((text, value)),
                _ => least.push((text, value)),
            }
        }
        Self {
            long: Level::new(long, u32::MAX),
            short: Level::new(short, 0x00ff_ffff),
            least: (!least.is_empty()).then(|| Level::new(least, 0xffff)),
        }
    }

    /// Calls back with each literal that agrees with what stands here in its first eight bytes
    /// and in any case.
    #[inline(always)]
    pub(crate) fn alike<'a>(
        &'a self,
        bytes: &[u8],
        at: usize,
        call: &mut impl FnMut(&'static str, &'a T),
    ) {
        let head = fold(load(bytes, at));
        self.long.alike(head, bytes, at, call);
        self.short.alike(head, bytes, at, call);
        if let Some(least) = &self.least {
            least.alike(head, bytes, at, call);
        }
    }

    /// Tells whether a literal may start with these four bytes.
    #[inline(always)]
    pub(crate) fn may_start(&self, word: u32) -> bool {
        let head = fold(word);
        let least = self.least.as_ref();
        self.long.may_start(head)
            | self.short.may_start(head)
            | least.is_some_and(|least| least.may_start(head))
    }

    /// Returns the longest literal that stands here, with its end.
    #[inline(always)]
    fn longest(&self, bytes: &[u8], at: usize, case: Case) -> Option<(usize, &T)> {
        let mut found: Option<(usize, &T)> = None;
        self.alike(bytes, at, &mut |text, value| {
            let end = at + text.len();
            let here = bytes.get(at..end).is_some_and(|here| match case {
                Case::Matters => here == text.as_bytes(),
                Case::Any => here.eq_ignore_ascii_case(text.as_bytes()),
            });
            if here && found.is_none_or(|(best, _)| best < end) {
                found = Some((end, value));
            }
        });
        found
    }

    /// Finds the longest literals at starts of words; none begins inside another.
    pub(crate) fn find_iter<'a>(
        &'a self,
        text: &'a str,
        case: Case,
    ) -> impl Iterator<Item = (Range<usize>, &'a T)> {
        let mut done = 0;
        gate::starts(text).filter_map(move |at| {
            if at < done {
                return None;
            }
            let (end, value) = self.longest(text.as_bytes(), at, case)?;
            done = end;
            Some((at..end, value))
        })
    }

    /// Lists the literals.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &T)> {
        let levels = [&self.long, &self.short].into_iter().chain(&self.least);
        let all = levels.flat_map(|level| &level.entries);
        all.map(|(text, value)| (*text, value))
    }
}

/// Literals that are told apart by as many first bytes as the mask selects.
struct Level<T> {
    mask: u32,
    heads: Bits,
    /// For each slot, its first literal; the next slot's is the one after its last. There is a
    /// power of two of them, and the end.
    slots: Vec<u16>,
    /// What the literals begin with, slot by slot.
    starts: Vec<Head>,
    /// The literals in the same order.
    entries: Vec<(&'static str, T)>,
}

/// The first eight bytes of a literal, folded, in a form that compares at once.
struct Head {
    bytes: u64,
    mask: u64,
}

impl Head {
    fn of(text: &str) -> Self {
        let mask = u64::MAX >> (64 - 8 * text.len().min(8));
        Self {
            bytes: fold_long(load_long(text.as_bytes())) & mask,
            mask,
        }
    }
}

impl<T> Level<T> {
    fn new(mut entries: Vec<(&'static str, T)>, mask: u32) -> Self {
        let head = |text: &str| fold(load(text.as_bytes(), 0)) & mask;
        let mut heads = Bits::default();
        let last = (entries.len() * 4).next_power_of_two() - 1;
        let mut slots = vec![0; last + 2];
        let slot = |text: &str| hash(head(text)) & last;
        entries.sort_unstable_by_key(|(text, _)| slot(text));
        let starts: Vec<usize> = entries.iter().map(|(text, _)| slot(text)).collect();
        for (start, (text, _)) in starts.iter().zip(&entries) {
            heads.set(head(text));
            slots[start + 1] += 1;
        }
        for slot in 1..slots.len() {
            slots[slot] += slots[slot - 1];
        }
        Self {
            mask,
            heads,
            slots,
            starts: entries.iter().map(|(text, _)| Head::of(text)).collect(),
            entries,
        }
    }

    #[inline(always)]
    fn may_start(&self, head: u32) -> bool {
        self.heads.has(head & self.mask)
    }

    #[inline(always)]
    fn alike<'a>(
        &'a self,
        head: u32,
        bytes: &[u8],
        at: usize,
        call: &mut impl FnMut(&'static str, &'a T),
    ) {
        let head = head & self.mask;
        if self.heads.has(head) {
            self.compare(head, bytes, at, call);
        }
    }

    #[inline(never)]
    fn compare<'a>(
        &'a self,
        head: u32,
        bytes: &[u8],
        at: usize,
        call: &mut impl FnMut(&'static str, &'a T),
    ) {
        let slot = hash(head) & (self.slots.len() - 2);
        let slot = usize::from(self.slots[slot])..usize::from(self.slots[slot + 1]);
        let word = fold_long(load_long(&bytes[at..]));
        for (head, (text, value)) in self.starts[slot.clone()].iter().zip(&self.entries[slot]) {
            if word & head.mask == head.bytes {
                call(text, value);
            }
        }
    }
}

/// A set of words of four bytes by their hash: it may hold more, never less.
pub(crate) struct Bits(Box<[u64; Bits::PLACES / 64]>);

impl Default for Bits {
    fn default() -> Self {
        Self(Box::new([0; Self::PLACES / 64]))
    }
}

impl Bits {
    /// Number of hashes: 8 KiB of bits stay in the nearest cache.
    const PLACES: usize = 1 << 16;

    pub(crate) fn set(&mut self, word: u32) {
        let place = hash(word);
        self.0[place / 64] |= 1 << (place % 64);
    }

    #[inline(always)]
    pub(crate) fn has(&self, word: u32) -> bool {
        let place = hash(word);
        self.0[place / 64] >> (place % 64) & 1 != 0
    }
}

/// Multiplicative hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4).
#[inline(always)]
fn hash(word: u32) -> usize {
    (word.wrapping_mul(0x9E37_79B1) >> 16) as usize % Bits::PLACES
}

/// Loads up to eight bytes, the first in the lowest place.
fn load_long(bytes: &[u8]) -> u64 {
    if let Some(eight) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*eight);
    }
    bytes
        .iter()
        .rev()
        .fold(0, |word, b| word << 8 | u64::from(*b))
}

fn fold_long(word: u64) -> u64 {
    word | 0x2020_2020_2020_2020
}

/// Makes letters small; other bytes may become alike too, which costs a look.
#[inline(always)]
pub(crate) fn fold(word: u32) -> u32 {
    word | 0x2020_2020
}

/// Loads up to four bytes, the first in the lowest place.
#[inline(always)]
pub(crate) fn load(bytes: &[u8], at: usize) -> u32 {
    if let Some(four) = bytes.get(at..at + 4) {
        return u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    }
    let rest = bytes.get(at..).unwrap_or(&[]);
    rest.iter()
        .rev()
        .fold(0, |word, b| word << 8 | u32::from(*b))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WORDS: &[&str] = &[
        "ab",
        "abc",
        "Abcd",
        "abcd-ef",
        "git",
        "openssl rand",
        "x.y(",
    ];

    fn found(text: &str, case: Case) -> Vec<&str> {
        let lexicon = Lexicon::new(WORDS.iter().map(|word| (*word, *word)));
        let hits = lexicon.find_iter(text, case);
        hits.map(|(range, word)| {
            assert_eq!(range.len(), word.len());
            &text[range]
        })
        .collect()
    }

    #[test]
    fn the_longest_literal_at_the_start_of_a_word_is_found() {
        assert_eq!(found("abcd-ef abcx Abc", Case::Matters), ["abcd-ef", "abc"]);
        assert_eq!(found("xab gitgit xGit", Case::Any), ["git", "Git"]);
        assert_eq!(
            found("openssl rand x.y(z", Case::Matters),
            ["openssl rand", "x.y("]
        );
        assert_eq!(found("OPENSSL RAND", Case::Matters), Vec::<&str>::new());
    }

    proptest! {
        #[test]
        fn every_literal_is_found_where_it_stands(
            before in "[ -~]{0,70}[ ,;]", at in 0..WORDS.len(), after in "[ -~]{0,70}"
        ) {
            let text = format!("{before}{}{after}", WORDS[at]);
            let lexicon = Lexicon::new(WORDS.iter().map(|word| (*word, *word)));
            let start = before.len();
            let longest = lexicon.longest(text.as_bytes(), start, Case::Matters);
            prop_assert!(longest.is_some_and(|(end, _)| end >= start + WORDS[at].len()));
            prop_assert!(gate::starts(&text).any(|place| place == start));
        }
    }
}
