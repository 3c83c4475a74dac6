//! The places of a text that need a look, found block by block.

use super::families::Families;
use super::filters;
use super::masks::{BLOCK, Masks};
use super::vocabulary::Vocabulary;
use crate::lexicon;

/// What is told about places of concern.
pub(super) trait Visitor {
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

/// Tells each place of concern, until the visitor has enough.
pub(super) fn visit(bytes: &[u8], from: usize, visitor: &mut impl Visitor) {
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
pub(super) fn block(bytes: &[u8], at: usize) -> Masks {
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
pub(super) fn word_starts(now: &Masks, before: &Masks) -> u64 {
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
pub(super) fn word_humps(now: &Masks, before: &Masks) -> u64 {
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
