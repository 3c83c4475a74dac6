//! Seed phrases: words that are all of one list (BIP-39, the English word list), or that stand
//! under a label in the number that a phrase has.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::label;
use crate::class::WALLET;
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// The words, one a line, in their order (BIP-39, `english.txt`).
const WORDS: &str = include_str!("bip39_english.txt");
/// Shortest phrase in words.
const MIN_WORDS: usize = 12;
/// Longest phrase in words; that of Algorand and Monero has one word more than BIP-39 allows.
const MAX_WORDS: usize = 25;
/// Longest phrase of the list in words.
const MAX_LISTED: usize = 24;
/// How far from its label a phrase starts.
const MAX_DISTANCE: usize = 64;

const BARE: &str = "bip39-seed-phrase";
const LABELLED: &str = "labelled-seed-phrase";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: BARE,
        class: WALLET,
        source: "BIP-39, generating the mnemonic",
    },
    Rule {
        id: LABELLED,
        class: WALLET,
        source: "BIP-39; Electrum and Monero documentation, seed phrases",
    },
];

/// What announces a phrase, with a blank for a blank, `_`, `-` or nothing.
const LABELS: &[&str] = &[
    "mnemonic",
    "seed phrase",
    "seed words",
    "seed word",
    "recovery phrase",
    "recovery words",
    "backup phrase",
    "wallet phrase",
    "wallet words",
    "wallet seed",
    "bip39",
    "bip 39",
    "frase semilla",
    "frase de recuperación",
    "frase de recuperação",
    "frase de recupero",
    "phrase de récupération",
    "phrase mnémonique",
    "wiederherstellungsphrase",
    "seed фраза",
    "сид фраза",
    "мнемоническая фраза",
    "助记词",
    "助記詞",
    "ニーモニック",
    "シードフレーズ",
    "니모닉",
    "시드 문구",
];

fn spellings() -> &'static [String] {
    static SPELLINGS: OnceLock<Vec<String>> = OnceLock::new();
    SPELLINGS.get_or_init(|| label::spelled(LABELS))
}

fn labels() -> &'static AhoCorasick {
    static LABELS: OnceLock<AhoCorasick> = OnceLock::new();
    LABELS.get_or_init(|| label::automaton(spellings()))
}

/// Lists the labels; the lines below one belong to it as they do to recovery codes.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    let families = Families::PHRASE | Families::RECOVERY;
    label::heads(spellings().iter().map(String::as_str))
        .map(move |(head, _)| Entry::any_case(head, families))
}

/// Tells whether a line holds a label of a phrase.
pub(super) fn has_label(line: &str) -> bool {
    labels().is_match(line)
}

/// Masks every phrase.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    bare(text, spans);
    let mut done = 0;
    for hit in labels().find_iter(text) {
        if hit.start() < done {
            continue;
        }
        // A plural's `s` belongs to the label.
        let end = hit.end() + usize::from(text.as_bytes().get(hit.end()) == Some(&b's'));
        if let Some(range) = labelled(text, end) {
            done = range.end;
            spans.push(Span::new(range, WALLET, Stage::KeyValue).by(LABELLED));
        }
    }
}

fn bare(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let of_run = |b: &u8| b.is_ascii_lowercase() || *b == b' ';
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|b| of_run(b)).count();
        let mut from = at + escape_tail(bytes, at).min(length);
        while let Some(range) = find_in(bytes, from..at + length) {
            from = range.end;
            spans.push(Span::new(range, WALLET, Stage::KeyValue).by(BARE));
        }
        at += length + 1;
    }
}

/// Returns how many letters at the start of a run end an escape, as in `\n`.
fn escape_tail(bytes: &[u8], at: usize) -> usize {
    usize::from(
        at.checked_sub(1)
            .is_some_and(|before| bytes[before] == b'\\'),
    )
}

/// Finds the phrase after a label: directly, or after the sign that ends the label's sentence.
fn labelled(text: &str, from: usize) -> Option<Range<usize>> {
    let limit = text.floor_char_boundary(text.len().min(from + MAX_DISTANCE));
    let signs = text[from..limit]
        .char_indices()
        .filter(|(_, c)| matches!(c, ':' | '=' | '"' | '\'' | '`' | '\n' | '(' | '：'));
    let places = std::iter::once(from).chain(signs.map(|(at, c)| from + at + c.len_utf8()));
    places.take(5).find_map(|place| phrase_at(text, place))
}

/// Reads the words that start here: a dozen of the list, or words of any list in the number that a
/// phrase has.
fn phrase_at(text: &str, from: usize) -> Option<Range<usize>> {
    let mut listed: Option<Range<usize>> = None;
    let mut listed_words = 0;
    let mut any: Option<Range<usize>> = None;
    let mut any_words = 0;
    let mut previous = "";
    let mut at = from;
    let mut open = true;
    while let Some(word) = next_word(text, at, any_words > 0) {
        let content = &text[word.clone()];
        let grow = |range: Option<Range<usize>>| {
            Some(range.map_or(word.start, |range| range.start)..word.end)
        };
        let of_list = is_listed_in_any_case(content.as_bytes());
        if of_list && listed_words == any_words && listed_words < MAX_LISTED {
            listed = grow(listed);
            listed_words += 1;
        } else if content == previous || is_of_prose(content) || any_words > MAX_WORDS {
            open = false;
            break;
        }
        any = grow(any);
        any_words += 1;
        previous = content;
        at = word.end;
    }
    if listed_words >= MIN_WORDS {
        return listed;
    }
    let counts = [12, 13, 15, 18, 21, 24, 25];
    any.filter(|_| open && counts.contains(&any_words))
}

/// Words that prose has and no list of seed words.
fn is_of_prose(word: &str) -> bool {
    const PROSE: &[&str] = &[
        "the", "and", "with", "for", "from", "are", "was", "has", "been", "which", "into", "your",
        "to", "of", "in", "is", "a", "an", "it", "or", "be", "by", "must", "should", "when", "not",
    ];
    word.len() <= 6 && PROSE.contains(&word)
        || word.is_ascii()
            && (word.len() > 12 || word.bytes().skip(1).any(|b| b.is_ascii_uppercase()))
}

/// Finds the next word after at most a few signs: blanks, commas, quotes, the number of an item.
fn next_word(text: &str, from: usize, inside: bool) -> Option<Range<usize>> {
    let mut signs = 0;
    let mut start = from;
    for c in text[from..].chars() {
        let gap = c.is_whitespace()
            || matches!(
                c,
                ',' | ';' | ':' | '"' | '\'' | '`' | '[' | ']' | '.' | ')' | '(' | '=' | '|'
            )
            || matches!(c, '-' | '\\' | '、' | '，' | '：' | '>' | '*')
            || c.is_ascii_digit();
        if !gap {
            break;
        }
        signs += 1;
        start += c.len_utf8();
        if signs > 12 || inside && matches!(c, '=' | '(') {
            return None;
        }
    }
    let bytes = text.as_bytes();
    // The letter of an escape belongs to the gap.
    if start > from
        && bytes[start - 1] == b'\\'
        && matches!(bytes.get(start), Some(b'n' | b'r' | b't'))
    {
        start += 1;
    }
    let length: usize = text[start..]
        .chars()
        .take(32)
        .take_while(|c| {
            c.is_ascii_alphabetic()
                || *c >= '\u{c0}' && !matches!(*c, '\u{3000}' | '、' | '，' | '：')
        })
        .map(char::len_utf8)
        .sum();
    (length > 0).then(|| start..start + length)
}

/// Finds the first phrase in the run of small letters and blanks that starts here.
pub(crate) fn find_from(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let of_run = |b: &u8| b.is_ascii_lowercase() || *b == b' ';
    let length = bytes[start..]
        .iter()
        .position(|b| !of_run(b))
        .unwrap_or(bytes.len() - start);
    let tail = escape_tail(bytes, start).min(length);
    find_in(bytes, start + tail..start + length)
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
        let more = words.clone().take_while(listed).take(MAX_LISTED - before);
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

fn is_listed_in_any_case(word: &[u8]) -> bool {
    let mut lower = [0; 8];
    let Some(lower) = lower.get_mut(..word.len()) else {
        return false;
    };
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    is_listed(lower)
}

/// Tells whether the word is of the list, which is sorted.
pub(crate) fn is_listed(word: &[u8]) -> bool {
    static LIST: OnceLock<Vec<u64>> = OnceLock::new();
    let list = LIST.get_or_init(|| {
        let packed = WORDS.lines().filter_map(|word| pack(word.as_bytes()));
        packed.collect()
    });
    pack(word).is_some_and(|word| list.binary_search(&word).is_ok())
}

/// Packs the three to eight letters of a listed word so that numbers sort as the words do.
fn pack(word: &[u8]) -> Option<u64> {
    let mut bytes = [0; 8];
    bytes.get_mut(..word.len())?.copy_from_slice(word);
    (word.len() >= 3).then(|| u64::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::joined_by;

    const WORDS_12: &str =
        "legal winner thank year wave sausage worth useful legal winner thank yellow";

    fn masked(text: &str) -> Vec<&str> {
        joined_by(find, text)
    }

    #[test]
    fn phrases_in_many_spellings() {
        let commas = WORDS_12.replace(' ', ", ");
        let quoted = WORDS_12.replace(' ', "\", \"");
        let capitals = WORDS_12.to_ascii_uppercase();
        let numbered: Vec<String> = WORDS_12
            .split(' ')
            .enumerate()
            .map(|(i, word)| format!("{}. {word}", i + 1))
            .collect();
        let numbered = numbered.join("\n");
        let spanish = "sala cazo nadar pluma olvido bala ronco trampa ficha jabón zorro lunes";
        for (text, phrase) in [
            (format!("mnemonic: {WORDS_12}"), WORDS_12),
            (format!("import {WORDS_12} at once"), WORDS_12),
            (format!("seed words: {commas}"), &commas),
            (format!("MNEMONIC=[\"{quoted}\"]"), &quoted),
            (
                format!("Secret Recovery Phrase for the wallet:\n{capitals}\n"),
                &capitals,
            ),
            (format!("seed phrase:\n{numbered}\n"), &numbered[3..]),
            (format!("frase semilla: {spanish}"), spanish),
        ] {
            assert_eq!(masked(&text), [phrase], "{text}");
        }
    }

    #[test]
    fn prose_stays() {
        for text in [
            "mnemonic: a short hint",
            "the mnemonic is a list of words that the wallet shows when it is made for the user",
            "please update readme then bump version number before release and tell the others",
            "seed phrase must have 12 words",
            "mnemonic mnemonic mnemonic mnemonic mnemonic mnemonic mnemonic mnemonic mnemonic",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
