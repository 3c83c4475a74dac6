//! One quick pass that finds where a text could concern the rules, so that all else is passed by.
//!
//! The gate lets through too much, never too little: every rule has a literal, a byte or a run
//! that it cannot do without, and the gate looks for those. It decides line by line: what it says
//! about a line does not depend on another.

mod families;
mod filters;
mod follow;
mod masks;
mod vocabulary;

pub(crate) use families::Families;
pub(crate) use follow::Follow;
pub(crate) use vocabulary::Entry;

use std::ops::Range;

use crate::lexicon;
use masks::{BLOCK, Masks};
use vocabulary::Vocabulary;

/// A line with what could concern it. Where it may open a JSON document, which is looked at as a
/// whole, it may end before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) range: Range<usize>,
    pub(crate) families: Families,
}

/// Finds the first line that could concern a rule; `from` starts a line.
pub(crate) fn first(text: &str, from: usize) -> Option<Line> {
    let mut finder = Finder {
        bytes: text.as_bytes(),
        base: from,
        near: [Families::NONE; BLOCK + 1],
        any: false,
        line: None,
    };
    visit(text.as_bytes(), from, &mut finder);
    finder.line
}

/// Looks at the line that starts here.
pub(crate) fn line(text: &str, from: usize) -> Line {
    let range = from..line_end(text.as_bytes(), from);
    let families = families(&text[range.clone()]);
    Line { range, families }
}

/// Tells which rules a piece of text could concern.
pub(crate) fn families(text: &str) -> Families {
    let mut families = Families::NONE;
    visit(text.as_bytes(), 0, &mut families);
    families
}

/// Returns where the line ends, with its newline.
fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |newline| at + newline + 1)
}

/// What is told about places of concern.
trait Visitor {
    /// Notes what a place concerns. Within a block they come in no order.
    fn note(&mut self, at: usize, families: Families);

    /// Returns what need not be told of any place to come.
    fn known(&self) -> Families {
        Families::NONE
    }

    /// Notes that all places before the byte before `end` are told; returns whether to go on.
    fn goes_on(&mut self, _end: usize) -> bool {
        true
    }
}

impl Visitor for Families {
    fn note(&mut self, _at: usize, families: Families) {
        *self |= families;
    }

    fn known(&self) -> Families {
        *self
    }
}

/// Finds the first line of concern, and all that concerns it.
struct Finder<'a> {
    bytes: &'a [u8],
    /// Where the present block starts.
    base: usize,
    /// What the byte before the block and those of the block concern.
    near: [Families; BLOCK + 1],
    any: bool,
    line: Option<Line>,
}

impl Visitor for Finder<'_> {
    fn note(&mut self, at: usize, families: Families) {
        match &mut self.line {
            None => {
                self.any = true;
                self.near[at + 1 - self.base] |= families;
            }
            Some(line) if line.range.contains(&at) => line.families |= families,
            Some(_) => {}
        }
    }

    fn known(&self) -> Families {
        let line = self.line.as_ref();
        line.map_or(Families::NONE, |line| line.families)
    }

    fn goes_on(&mut self, end: usize) -> bool {
        if self.any && self.line.is_none() {
            self.line = self.first_line();
        }
        self.base = end;
        let Some(line) = &mut self.line else {
            return true;
        };
        if line.families.has(Families::JSON) {
            line.range.end = line.range.end.min(end);
        }
        line.range.end > end || line.range.end == self.bytes.len()
    }
}

impl Finder<'_> {
    fn first_line(&self) -> Option<Line> {
        let is_concern = |families: &Families| *families != Families::NONE;
        let first = self.near.iter().position(is_concern)?;
        let place = (self.base + first).saturating_sub(1);
        let start = memchr::memrchr(b'\n', &self.bytes[..place]).map_or(0, |newline| newline + 1);
        let range = start..line_end(self.bytes, place);
        let near = &self.near[first..self.near.len().min(range.end + 1 - self.base)];
        let families = near.iter().fold(Families::NONE, |all, here| all | *here);
        Some(Line { range, families })
    }
}

/// Lists where words start, as the gate sees them: after a sign, an escape or a digit, and at a
/// change of case.
pub(crate) fn starts(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let mut previous = Masks::default();
    // Bit `i` speaks of the byte before `from + i`.
    let (mut from, mut next, mut left) = (0, 0, 0_u128);
    std::iter::from_fn(move || {
        while left == 0 {
            if next >= bytes.len() {
                return None;
            }
            let masks = block(bytes, next);
            left = u128::from(word_starts(&masks, &previous)) << 1
                | u128::from(word_humps(&masks, &previous));
            previous = masks;
            (from, next) = (next, next + BLOCK);
        }
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        Some((from + bit).saturating_sub(1))
    })
}

/// Tells part by part which rules a text could concern; it may name too many, never too few.
pub(crate) fn marks(text: &str) -> Marks {
    let mut marks = Marks([Families::NONE; Marks::BLOCKS]);
    visit(text.as_bytes(), 0, &mut marks);
    marks
}

/// Which rules the blocks of a text could concern; in a long text blocks share a place.
pub(crate) struct Marks([Families; Marks::BLOCKS]);

impl Visitor for Marks {
    fn note(&mut self, at: usize, families: Families) {
        self.0[at / BLOCK % Self::BLOCKS] |= families;
    }
}

impl Marks {
    const BLOCKS: usize = 256;

    /// Tells which rules the text could concern.
    pub(crate) fn all(&self) -> Families {
        self.0.iter().fold(Families::NONE, |all, here| all | *here)
    }

    /// Tells which rules this part of the text could concern.
    pub(crate) fn families(&self, range: &Range<usize>) -> Families {
        // A place can be told by one of the first bytes before or after it.
        let (first, last) = (range.start.saturating_sub(1) / BLOCK, range.end / BLOCK);
        (first..=last)
            .take(Self::BLOCKS)
            .fold(Families::NONE, |families, block| {
                families | self.0[block % Self::BLOCKS]
            })
    }
}

/// Tells each place of concern, until the visitor has enough.
fn visit(bytes: &[u8], from: usize, visitor: &mut impl Visitor) {
    let vocabulary = Vocabulary::get();
    let mut previous = Masks::default();
    previous.rare.newline = 1 << 63;
    let mut at = from;
    while at < bytes.len() {
        let masks = block(bytes, at);
        Places::of(&masks, &previous).visit(bytes, at, vocabulary, visitor);
        previous = masks;
        at += BLOCK;
        if !visitor.goes_on(at) {
            return;
        }
    }
    // A word can end with the text, and a capital be its last letter but one.
    if at == bytes.len() {
        Places::of(&Masks::default(), &previous).visit(bytes, at, vocabulary, visitor);
        visitor.goes_on(at);
    }
}

/// Classifies the block that starts here.
#[inline(always)]
fn block(bytes: &[u8], at: usize) -> Masks {
    let rest = &bytes[at..];
    if let Some(block) = rest.first_chunk::<BLOCK>() {
        return Masks::of(block);
    }
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    Masks::of(&block)
}

/// Starts of words.
#[inline(always)]
fn word_starts(now: &Masks, before: &Masks) -> u64 {
    let word = now.word();
    let after_word = back(word, before.word(), 1);
    let low_before = back(now.low(), before.low(), 1);
    let digit_before = back(now.digit, before.digit, 1);
    word & !after_word
        | now.upper & low_before
        | now.letter & digit_before
        | now.lead
        | after_escape(now, before) & word
}

/// The second letters of words that start with a capital after an acronym.
#[inline(always)]
fn word_humps(now: &Masks, before: &Masks) -> u64 {
    let small = now.letter & !now.upper;
    small & back(now.upper, before.upper, 1) & back(now.upper, before.upper, 2)
}

/// Moves bits so that each speaks of the byte so many places before.
#[inline(always)]
fn back(now: u64, before: u64, by: u32) -> u64 {
    now << by | before >> (64 - by)
}

/// The places of one block that need a look, by what is looked for.
struct Places {
    /// Starts of words.
    starts: u64,
    /// Capitals, one before, that start a word after an acronym.
    humps: u64,
    /// First bytes after words.
    ends: u64,
    /// Signs after words, with which a literal inside a word may end.
    joints: u64,
    /// Last bytes of the first 23 of a base64 run.
    runs: u64,
    /// Last bytes of the first nine of a run of digits.
    digits: u64,
    /// Last bytes of `://`, of four hyphens, and single bytes that few texts hold.
    addresses: u64,
    dashes: u64,
    rare: u64,
    /// Bytes that escapes begin with.
    escapes: u64,
    /// Brackets that start a line.
    json: u64,
    /// Last bytes of the first 47 of a run of small letters and blanks.
    prose: u64,
    /// Digits after two capitals and a digit.
    ibans: u64,
}

impl Places {
    fn of(now: &Masks, before: &Masks) -> Self {
        let word = now.word();
        let after_word = back(word, before.word(), 1);
        let small = now.letter & !now.upper;
        let digit_before = back(now.digit, before.digit, 1);
        let slash_before = back(now.slash, before.slash, 1);
        Self {
            starts: word_starts(now, before),
            humps: word_humps(now, before),
            ends: !word & after_word,
            joints: (now.dash | now.underscore) & after_word,
            runs: begun(run(now.base64(), before.base64(), 23)),
            digits: begun(run(
                grouped(now, before),
                grouped(before, &Masks::default()),
                9,
            )),
            addresses: now.slash & slash_before & back(now.colon, before.colon, 2),
            dashes: begun(run(now.dash, before.dash, 4)),
            rare: now.rare.dollar
                | now.rare.tilde
                | now.rare.star
                | digit_before & now.colon
                | now.digit & back(now.rare.open, before.rare.open, 1),
            escapes: now.rare.backslash | now.rare.percent | now.rare.ampersand | now.rare.escape,
            json: now.rare.open & back(now.rare.newline, before.rare.newline, 1),
            prose: begun(run(
                small | now.blank,
                before.letter & !before.upper | before.blank,
                47,
            )),
            ibans: now.digit
                & digit_before
                & back(now.upper, before.upper, 2)
                & back(now.upper, before.upper, 3),
        }
    }

    /// Looks at each place.
    fn visit(
        &self,
        bytes: &[u8],
        base: usize,
        vocabulary: &Vocabulary,
        visitor: &mut impl Visitor,
    ) {
        // The tables are asked about all places before any is looked at: nothing is guessed wrong.
        let near = Near::of(bytes, base);
        let starts = select(self.starts, |at| vocabulary.may_start(near.word(at)));
        let humps = select(self.humps, |at| {
            vocabulary.may_start(near.word_before(at, 1))
        });
        let ends = select(self.ends, |at| vocabulary.may_end(near.word_before(at, 4)));
        let joints = select(self.joints, |at| vocabulary.glues(near.word_before(at, 3)));
        for at in bits(starts) {
            let at = base + at;
            tell(visitor, at, vocabulary.at(bytes, at, visitor.known()));
        }
        for at in bits(ends) {
            let end = base + at;
            if !visitor.known().has(Families::KEY) && vocabulary.ends_like_key(bytes, end) {
                visitor.note(end - 1, Families::KEY);
            }
        }
        for at in bits(joints) {
            visitor.note(base + at, Families::VENDOR);
        }
        for at in bits(humps) {
            let at = (base + at).saturating_sub(1);
            tell(visitor, at, vocabulary.at(bytes, at, visitor.known()));
        }
        let common = self.runs | self.digits | self.addresses | self.dashes;
        let rare = self.rare | self.escapes | self.json | self.prose | self.ibans;
        if common | rare != 0 {
            self.visit_rare(bytes, base, visitor);
        }
    }

    #[inline(never)]
    fn visit_rare(&self, bytes: &[u8], base: usize, visitor: &mut impl Visitor) {
        let looks: [(u64, filters::Filter); 9] = [
            (self.runs, filters::run),
            (self.digits, filters::number),
            (self.addresses, filters::address),
            (self.dashes, filters::dashes),
            (self.rare, filters::rare),
            (self.escapes, filters::escape),
            (self.json, filters::json),
            (self.prose, filters::phrase),
            (self.ibans, filters::iban),
        ];
        for (places, look) in looks {
            for at in bits(places) {
                tell(visitor, base + at, look(bytes, base + at));
            }
        }
    }
}

#[inline(always)]
fn tell(visitor: &mut impl Visitor, at: usize, families: Families) {
    if families != Families::NONE {
        visitor.note(at, families);
    }
}

/// Bytes after an escape, where a token may start though a letter or digit precedes: `\n`,
/// `\x22`, `\u003d`, `%22` and an ANSI colour's `m`.
fn after_escape(now: &Masks, before: &Masks) -> u64 {
    let (rare, rare_before) = (&now.rare, &before.rare);
    let slash = |by| back(rare.backslash, rare_before.backslash, by);
    // An ANSI colour's parameters precede its letter.
    let parameters = now.digit | rare.open;
    let parameters_before = before.digit | rare_before.open;
    let colour = now.m & back(parameters, parameters_before, 1);
    let colour_before = before.m & parameters_before << 1;
    slash(2)
        | slash(4)
        | slash(6)
        | back(rare.percent, rare_before.percent, 3)
        | back(colour, colour_before, 1)
}

/// Digits, and the single blanks and hyphens directly after one.
fn grouped(now: &Masks, before: &Masks) -> u64 {
    let after_digit = now.digit << 1 | before.digit >> 63;
    now.digit | (now.blank | now.dash) & after_digit
}

/// Returns the bits at which a run has lasted for at least `length` bytes, at most 64.
fn run(now: u64, before: u64, length: u32) -> u128 {
    let mut bits = u128::from(now) << 64 | u128::from(before);
    let mut have = 1;
    while have * 2 <= length {
        bits &= bits << have;
        have *= 2;
    }
    bits & bits << (length - have)
}

/// Returns the first bit of each stretch, in the present block.
fn begun(bits: u128) -> u64 {
    ((bits & !(bits << 1)) >> 64) as u64
}

/// A block with the four bytes before it and eight after; beyond the text are zeros.
struct Near([u8; BLOCK + 12]);

impl Near {
    #[inline(always)]
    fn of(bytes: &[u8], base: usize) -> Self {
        let whole = base
            .checked_sub(4)
            .and_then(|start| bytes.get(start..)?.first_chunk());
        Self(whole.copied().unwrap_or_else(|| {
            let mut near = [0; BLOCK + 12];
            let start = base.saturating_sub(4);
            let rest = bytes.get(start..).unwrap_or(&[]);
            let skipped = 4 - (base - start);
            let length = rest.len().min(near.len() - skipped);
            near[skipped..skipped + length].copy_from_slice(&rest[..length]);
            near
        }))
    }

    /// Loads four bytes of the block from this one on.
    #[inline(always)]
    fn word(&self, at: usize) -> u32 {
        self.word_before(at, 0)
    }

    /// Loads four bytes from as many before this one of the block on, at most four.
    #[inline(always)]
    fn word_before(&self, at: usize, by: usize) -> u32 {
        let start = at % BLOCK + 4 - by;
        lexicon::load(&self.0, start)
    }
}

/// Selects the bits for which this holds.
#[inline(always)]
fn select(mask: u64, holds: impl Fn(usize) -> bool) -> u64 {
    bits(mask).fold(0, |selected, at| selected | u64::from(holds(at)) << at)
}

#[inline(always)]
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = mask.trailing_zeros();
        (at < 64).then(|| {
            mask &= mask - 1;
            at as usize
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;
    use crate::scan;

    /// The same cases in every run.
    const SEED: RngSeed = RngSeed::Fixed(0x5EED);
    /// Pieces that rules begin with, and what they stand beside.
    const PIECES: &[&str] = &[
        " ",
        ".",
        "=",
        ": ",
        "\"",
        "\\n",
        "\\u003d",
        "%22",
        "\u{1b}[32m",
        "password",
        "apiKey",
        "DBToken",
        "mytoken",
        "pass_2",
        "ghp_",
        "xoxb-",
        "AKIA",
        "eyJ",
        "://u:p@h",
        "-----BEGIN ",
        "$2b$",
        "4111 1111 1111 1111",
        "078-05-1120",
        "DE89370400440532013000",
        "mysql -pGr4nite1 ",
        "Bearer ",
        "cookie: ",
        "Q~",
        "123456789:AA",
        ":*:",
        "[12,",
        "recovery codes",
        "\u{5bc6}\u{7801}\u{ff1a}",
        "пароль",
        "Zz91kkQ4Zt8KxW2pLm9RvB3nYs7DcF1gHj6QeA5uTo0IiP",
        "a1b2c3d4e5f6",
        "granite42",
    ];

    fn line() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            6 => prop::sample::select(PIECES).prop_map(str::to_owned),
            1 => "[a-zA-Z0-9]{1,40}",
            1 => any::<char>().prop_filter("one line", |c| *c != '\n').prop_map(String::from),
        ];
        // Rules begin with whole words, so no two words are glued.
        let sign = prop::sample::select(&[" ", ".", "=", "\"", ":", "/", "_", "-", "\\n"][..]);
        prop::collection::vec((piece, sign), 0..12).prop_map(|pieces| {
            pieces
                .into_iter()
                .flat_map(|(a, b)| [a, b.to_owned()])
                .collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, rng_seed: SEED, ..ProptestConfig::default() })]

        #[test]
        fn the_gate_withholds_nothing(text in line()) {
            let all = scan::find(&text, Families::ALL);
            prop_assert_eq!(scan::find(&text, families(&text)), all);
        }

        #[test]
        fn marks_withhold_nothing(before in line(), text in line(), after in line()) {
            let whole = format!("{before}\"{text}\"{after}");
            let range = before.len() + 1..before.len() + 1 + text.len();
            let families = marks(&whole).families(&range);
            prop_assert_eq!(scan::find(&text, families), scan::find(&text, Families::ALL));
        }

        #[test]
        fn the_place_in_a_block_makes_no_difference(text in line(), by in 0..130usize) {
            let padded = format!("{}\n{text}", ".".repeat(by));
            prop_assert_eq!(families(&padded), families(&text));
            let found = first(&padded, 0);
            let alone = families(&text);
            prop_assert_eq!(found.is_some(), alone != Families::NONE);
            let start = by + 1;
            let whole = Line { range: start..padded.len(), families: alone };
            prop_assert!(found.is_none_or(|line| line == whole || alone.has(Families::JSON)));
        }

        #[test]
        fn the_first_line_of_concern_is_told_as_if_alone(
            lines in prop::collection::vec(line(), 1..6)
        ) {
            let text = lines.join("\n");
            let found = first(&text, 0);
            let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
            let expected = starts
                .filter(|start| *start < text.len())
                .map(|start| super::line(&text, start))
                .find(|line| line.families != Families::NONE);
            match (found, expected) {
                (Some(found), Some(line)) if line.families.has(Families::JSON) => {
                    prop_assert_eq!(found.range.start, line.range.start);
                }
                (found, expected) => prop_assert_eq!(found, expected),
            }
        }
    }
}
