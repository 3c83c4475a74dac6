//! One quick pass that finds where a text could concern the rules, so that all else is passed by.
//!
//! The gate lets through too much, never too little: every rule has a literal, a byte or a run
//! that it cannot do without, and the gate looks for those. It decides line by line: what it says
//! about a line does not depend on another.

mod families;
mod filters;
mod follow;
mod masks;
mod places;
mod vocabulary;

pub(crate) use families::Families;
pub(crate) use follow::Follow;
pub(crate) use vocabulary::Entry;

use std::ops::Range;

use masks::{BLOCK, Masks};
use places::{Visitor, block, visit, word_humps, word_starts};

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
