//! Seed phrases without a label: words that are all of one list (BIP-39, the English word list).

use std::ops::Range;
use std::sync::OnceLock;

use crate::class::WALLET;
use crate::span::{Span, Stage};

/// The words, one a line, in their order (BIP-39, `english.txt`).
const WORDS: &str = include_str!("bip39_english.txt");
/// Shortest phrase in words.
const MIN_WORDS: usize = 12;
/// Longest phrase in words.
const MAX_WORDS: usize = 24;

/// Masks every phrase.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let of_run = |b: &u8| b.is_ascii_lowercase() || *b == b' ';
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|b| of_run(b)).count();
        let mut from = at;
        while let Some(range) = find_in(bytes, from..at + length) {
            from = range.end;
            spans.push(Span::new(range, WALLET, Stage::KeyValue));
        }
        at += length + 1;
    }
}

/// Finds the first phrase in the run of small letters and blanks that starts here.
pub(crate) fn find_from(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let of_run = |b: &u8| b.is_ascii_lowercase() || *b == b' ';
    let length = bytes[start..]
        .iter()
        .position(|b| !of_run(b))
        .unwrap_or(bytes.len() - start);
    find_in(bytes, start..start + length)
}

/// Looks at every twelfth word first: where that is not of the list, no phrase spans it.
fn find_in(bytes: &[u8], run: Range<usize>) -> Option<Range<usize>> {
    let mut words = Words {
        bytes,
        at: run.start,
        end: run.end,
    };
    let listed = |word: &Range<usize>| is_listed(&bytes[word.clone()]);
    let mut recent: [Range<usize>; MIN_WORDS] = std::array::from_fn(|_| 0..0);
    loop {
        for place in &mut recent {
            *place = words.next()?;
        }
        // The words of the list that end this dozen begin a phrase if enough others follow.
        let before = recent.iter().rev().take_while(|word| listed(word)).count();
        if before == 0 {
            continue;
        }
        let start = recent[MIN_WORDS - before].start;
        let more = words.clone().take_while(listed).take(MAX_WORDS - before);
        let (after, end) = more.fold((0, recent[MIN_WORDS - 1].end), |(count, _), word| {
            (count + 1, word.end)
        });
        if before + after >= MIN_WORDS && is_varied(bytes, start..end) {
            return Some(start..end);
        }
    }
}

/// Tells whether the first dozen words are mostly different, as drawn ones are.
fn is_varied(bytes: &[u8], phrase: Range<usize>) -> bool {
    let words = Words {
        bytes,
        at: phrase.start,
        end: phrase.end,
    };
    let mut seen: [&[u8]; MIN_WORDS] = [&[]; MIN_WORDS];
    let mut distinct = 0;
    for word in words.take(MIN_WORDS).map(|word| &bytes[word]) {
        if !seen.contains(&word) {
            seen[distinct] = word;
            distinct += 1;
        }
    }
    distinct >= MIN_WORDS - 3
}

#[derive(Clone)]
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while self.at < self.end && self.bytes[self.at] == b' ' {
            self.at += 1;
        }
        let start = self.at;
        while self.at < self.end && self.bytes[self.at] != b' ' {
            self.at += 1;
        }
        (self.at > start).then_some(start..self.at)
    }
}

/// Tells whether the word is of the list, which is sorted.
pub(crate) fn is_listed(word: &[u8]) -> bool {
    static LIST: OnceLock<Vec<&'static str>> = OnceLock::new();
    let list = LIST.get_or_init(|| WORDS.lines().collect());
    (3..=8).contains(&word.len())
        && list
            .binary_search_by(|listed| listed.as_bytes().cmp(word))
            .is_ok()
}
