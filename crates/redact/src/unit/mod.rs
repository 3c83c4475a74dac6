//! Cuts a text into units, each of which is redacted alone.
//!
//! A unit is a line, or several that belong together: a private key, a value below its key, a
//! list of recovery codes, a command that goes on after a backslash, a JSON document. Where a
//! unit ends depends only on the text from its first byte on, and is known as soon as the next
//! line is: so a stream and a whole text are cut alike, wherever the stream's pieces end.

mod cut;
mod document;
mod open;
mod table;

use std::ops::Range;

use crate::gate::{self, Families};
use crate::span::Span;
use open::Open;
pub(crate) use table::Table;

/// Longest unit in bytes, but for one line more.
pub(crate) const MAX_UNIT: usize = 16 * 1024;

/// What goes on from one piece of a line to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GoingOn {
    /// A run that was too long to judge, up to a sign.
    Run,
    /// A masked value, up to a blank or quote.
    Value,
}

impl GoingOn {
    /// Tells whether this character is part of it.
    pub(crate) fn has(self, c: char) -> bool {
        match self {
            Self::Run => cut::is_run(c),
            Self::Value => !c.is_whitespace() && !matches!(c, '"' | '\'' | '`'),
        }
    }
}

/// What one unit leaves to the next.
#[derive(Clone, Default, Debug)]
pub(crate) struct Carry {
    /// A private key began and has not ended.
    pub(crate) in_key: bool,
    /// A finding reached the end of a piece of a line, and goes on.
    pub(crate) going_on: Option<GoingOn>,
    /// The columns of the table whose rows follow.
    pub(crate) table: Option<Table>,
}

impl Carry {
    /// Notes what a unit leaves to the next.
    pub(crate) fn leave(&mut self, text: &str, unit: &Unit, found: &[Span]) {
        let was_value = self.going_on == Some(GoingOn::Value);
        self.in_key = unit.in_key;
        self.going_on = None;
        let last = found.last().filter(|span| span.range.end == text.len());
        if !unit.in_key
            && !text.ends_with('\n')
            && let Some(last) = last
        {
            let run = unit.forced == Some(last.range.start) && !was_value;
            self.going_on = Some(if run { GoingOn::Run } else { GoingOn::Value });
        }
        let plain = !unit.is_json && unit.forced.is_none();
        if plain && self.table.is_none() && unit.families.has(Families::KEY) {
            let line = text.trim_end().rsplit('\n').next().unwrap_or("");
            self.table = Table::heading(line);
        }
    }
}

/// A piece of text with what can concern it.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) range: Range<usize>,
    pub(crate) families: Families,
    /// Whether it is one JSON document.
    pub(crate) is_json: bool,
    /// Where a run begins that was too long to judge; it reaches to the unit's end.
    pub(crate) forced: Option<usize>,
    /// Whether a private key is still open at the end.
    pub(crate) in_key: bool,
}

/// The next thing to do with a text.
#[derive(Debug)]
pub(crate) enum Step {
    /// Nothing before this offset concerns any rule.
    Pass(usize),
    /// This unit has to be searched.
    Search(Unit),
    /// What follows decides; there must be more text.
    Wait,
}

/// How a text is to be cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    /// Whether no text follows. Otherwise the end of the text stays undecided.
    pub(crate) last: bool,
    /// Whether JSON documents are units.
    pub(crate) documents: bool,
}

/// Decides about the text from `at` on, which is where a unit can start.
pub(crate) fn next(text: &str, at: usize, carry: &mut Carry, mode: Mode) -> Step {
    let Some(window) = cut::window(text, at, mode.last) else {
        return Step::Wait;
    };
    if carry.in_key || carry.going_on.is_some() {
        return search(text, at, carry.in_key, mode);
    }
    if carry.table.is_some() {
        let Some(line) = cut::piece(text, at, mode.last) else {
            return Step::Wait;
        };
        if carry
            .table
            .as_ref()
            .is_some_and(|table| table.has_row(&text[at..line.end]))
        {
            let families = gate::families(&text[at..line.end]);
            return Step::Search(Unit::new(at..line.end, families, line.forced));
        }
        carry.table = None;
    }
    let Some(concern) = gate::first(&text[..window], at) else {
        return Step::Pass(window);
    };
    let newline = memchr::memrchr(b'\n', &text.as_bytes()[at..concern]);
    match newline {
        Some(newline) => Step::Pass(at + newline + 1),
        None => search(text, at, false, mode),
    }
}

/// Finds the unit that starts here.
fn search(text: &str, start: usize, in_key: bool, mode: Mode) -> Step {
    if mode.documents && !in_key {
        match document::end(text, start, mode.last) {
            document::End::At(end) => {
                let families = gate::families(&text[start..end]);
                let mut unit = Unit::new(start..end, families, None);
                unit.is_json = true;
                return Step::Search(unit);
            }
            document::End::Undecided => return Step::Wait,
            document::End::None => {}
        }
    }
    let Some(piece) = cut::piece(text, start, mode.last) else {
        return Step::Wait;
    };
    let mut unit = Unit::new(
        start..piece.end,
        gate::families(&text[start..piece.end]),
        piece.forced,
    );
    let mut open = Open::new(in_key);
    let mut line = start;
    while unit.forced.is_none()
        && unit.range.len() < MAX_UNIT
        && open.after(&text[line..unit.range.end], unit.families)
    {
        line = unit.range.end;
        let Some(piece) = cut::piece(text, line, mode.last) else {
            if mode.last {
                break;
            }
            return Step::Wait;
        };
        if !open.takes(&text[line..piece.end]) {
            break;
        }
        unit.range.end = piece.end;
        unit.families |= gate::families(&text[line..piece.end]);
        unit.forced = piece.forced;
    }
    unit.in_key = open.in_key();
    Step::Search(unit)
}

impl Unit {
    fn new(range: Range<usize>, families: Families, forced: Option<usize>) -> Self {
        Self {
            range,
            families,
            is_json: false,
            forced,
            in_key: false,
        }
    }
}
