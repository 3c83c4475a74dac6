//! Cuts a text into units, each of which is redacted alone.
//!
//! A unit is a line, or several that belong together: a private key, a value below its key, a
//! list of recovery codes, a command that goes on after a backslash, a JSON document. Where a
//! unit ends depends only on the text from its first byte on, and is known as soon as the next
//! line is: so a stream and a whole text are cut alike, wherever the stream's pieces end.

mod cut;
mod document;
mod growth;
mod open;
mod table;

use std::ops::Range;

use crate::context::Context;
use crate::gate::{self, Families, Line};
use crate::scan::private_key;
use crate::span::Span;
pub(crate) use growth::Growth;
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
    /// A part of a line where no cut was safe, up to a blank.
    Crowd,
}

impl GoingOn {
    /// Tells whether this character is part of it.
    pub(crate) fn has(self, c: char) -> bool {
        match self {
            Self::Run => cut::is_run(c),
            Self::Value => !c.is_whitespace() && !matches!(c, '"' | '\'' | '`'),
            Self::Crowd => !c.is_whitespace(),
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
    fn leave(&mut self, text: &str, unit: &Unit, found: &[Span], mode: Mode) {
        let before = self.going_on.take();
        self.in_key = unit.in_key;
        let touches = found
            .last()
            .is_some_and(|span| span.range.end == text.len());
        if touches && !unit.in_key && !text.ends_with('\n') {
            let crowded = before == Some(GoingOn::Crowd)
                || unit
                    .forced
                    .is_some_and(|run| run + cut::max_back(mode) > text.len());
            self.going_on = Some(match (unit.forced, before) {
                (Some(_), _) if crowded => GoingOn::Crowd,
                (Some(_), None | Some(GoingOn::Run)) => GoingOn::Run,
                _ => before.unwrap_or(GoingOn::Value),
            });
        }
        let plain = !unit.is_json && unit.forced.is_none();
        if plain && self.table.is_none() && unit.families.has(Families::KEY) {
            let line = text.trim_end().rsplit('\n').next().unwrap_or("");
            self.table = Table::heading(line);
        }
    }
}

/// A piece of text with what can concern it.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) range: Range<usize>,
    /// What can concern it; of a JSON document that is told part by part, when it is read.
    pub(crate) families: Families,
    /// Whether it is one JSON document.
    pub(crate) is_json: bool,
    /// Where, from the unit's start, a run begins that was too long to judge; it reaches to the
    /// unit's end.
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
    /// Longest unit, [`MAX_UNIT`] but in tests.
    pub(crate) max: usize,
    /// Whether no text follows. Otherwise the end of the text stays undecided.
    pub(crate) last: bool,
    /// Whether JSON documents are units.
    pub(crate) documents: bool,
}

/// Cuts a text from its beginning to its end.
#[derive(Clone, Default, Debug)]
pub(crate) struct Cutter {
    carry: Carry,
    /// What was found out about a unit when the text ended before it.
    pending: Option<Pending>,
    /// How long the line is at which the text was passed by, and what concerns it.
    concern: Option<(usize, Families)>,
    /// Whether the line at which the text was passed by is likely to concern a rule, as it
    /// follows a finding: it is looked at alone, for what is seen of later lines would be lost.
    likely: bool,
}

/// A unit whose end is not known yet; offsets count from its start.
#[derive(Clone, Debug)]
enum Pending {
    /// It could be a JSON document; this much of it was looked at.
    Document(usize),
    /// It goes on after its last line, which starts at the offset.
    Lines {
        open: Open,
        line: usize,
        end: usize,
        families: Families,
    },
    /// What follows this unit decides whether its masked form takes more; the text had this
    /// length when that was asked.
    Masked(Unit, usize),
}

impl Cutter {
    /// Returns what the units before leave to the next.
    pub(crate) fn carry(&self) -> &Carry {
        &self.carry
    }

    /// Notes what a unit leaves to the next.
    pub(crate) fn leave(&mut self, text: &str, unit: &Unit, found: &[Span], mode: Mode) {
        self.carry.leave(text, unit, found, mode);
        self.likely = !found.is_empty();
    }

    /// Decides about the text from `at` on, which is where a unit can start.
    ///
    /// After [`Step::Wait`], the next call has the same text from there on, and more.
    pub(crate) fn next(
        &mut self,
        text: &str,
        at: usize,
        mode: Mode,
        context: &Context<'_>,
    ) -> Step {
        if self.pending.is_some() {
            return self.search(text, at, mode, None);
        }
        let Some(window) = cut::window(text, at, mode) else {
            return Step::Wait;
        };
        if self.carry.in_key || self.carry.going_on.is_some() {
            return self.search(text, at, mode, None);
        }
        if let Some(step) = self.row(text, at, mode) {
            return step;
        }
        if let Some((length, families)) = self.concern.take() {
            let range = at..at + length;
            return self.search(text, at, mode, Some(Line { range, families }));
        }
        let seen = &text[..window];
        let line = if std::mem::take(&mut self.likely) {
            let line = gate::line(seen, at);
            if context.passes(line.families) {
                return Step::Pass(line.range.end);
            }
            line
        } else if let Some(line) = context.first(seen, at) {
            line
        } else {
            return Step::Pass(window);
        };
        if line.range.start > at {
            self.concern = Some((line.range.len(), line.families));
            return Step::Pass(line.range.start);
        }
        self.search(text, at, mode, Some(line))
    }

    /// Reads a row while a table is open.
    fn row(&mut self, text: &str, at: usize, mode: Mode) -> Option<Step> {
        let table = self.carry.table.as_ref()?;
        let Some(line) = cut::piece(text, at, mode) else {
            return Some(Step::Wait);
        };
        if !table.has_row(&text[at..line.end]) {
            self.carry.table = None;
            return None;
        }
        let families = gate::families(&text[at..line.end]);
        let forced = line.forced.map(|run| run - at);
        Some(Step::Search(Unit::new(at..line.end, families, forced)))
    }

    /// Finds the unit that starts here, with a line that may be known.
    fn search(&mut self, text: &str, start: usize, mode: Mode, known: Option<Line>) -> Step {
        match self.pending.take() {
            Some(Pending::Lines {
                open,
                line,
                end,
                families,
            }) => {
                let unit = Unit::new(start..start + end, families, None);
                return self.take_lines(text, unit, open, start + line, mode);
            }
            Some(Pending::Document(tried)) if !mode.last && text.len() - start < tried * 2 => {
                self.pending = Some(Pending::Document(tried));
                return Step::Wait;
            }
            Some(Pending::Masked(unit, tried)) => {
                if !mode.last && text.len() - start < tried * 2 {
                    self.pending = Some(Pending::Masked(unit, tried));
                    return Step::Wait;
                }
                return Step::Search(unit.moved(start));
            }
            Some(Pending::Document(_)) | None => {}
        }
        if let Some(step) = self.document(text, start, mode) {
            return step;
        }
        let Some(piece) = cut::piece(text, start, mode) else {
            return Step::Wait;
        };
        let line = &text[start..piece.end];
        let mut families = match known {
            Some(known) if known.range.end == piece.end => known.families,
            _ => gate::families(line),
        };
        if families.has(Families::ARMOUR) && private_key::is_label(line) {
            // Its words read like a key, but nothing else is on the line.
            families = Families::ARMOUR;
        }
        let forced = piece.forced.map(|run| run - start);
        let unit = Unit::new(start..piece.end, families, forced);
        self.take_lines(text, unit, Open::new(self.carry.in_key), start, mode)
    }

    /// Finds the document that starts here, if any does or could.
    fn document(&mut self, text: &str, start: usize, mode: Mode) -> Option<Step> {
        if !mode.documents || self.carry.in_key || self.carry.going_on.is_some() {
            return None;
        }
        match document::end(text, start, mode) {
            document::End::At(end) => {
                let mut unit = Unit::new(start..end, Families::JSON, None);
                unit.is_json = true;
                Some(Step::Search(unit))
            }
            document::End::Undecided => {
                self.pending = Some(Pending::Document(text.len() - start));
                Some(Step::Wait)
            }
            document::End::None => None,
        }
    }

    /// Adds the lines that belong to the unit, whose last line is known.
    fn take_lines(
        &mut self,
        text: &str,
        mut unit: Unit,
        mut open: Open,
        mut line: usize,
        mode: Mode,
    ) -> Step {
        let start = unit.range.start;
        while unit.forced.is_none() && unit.range.len() < mode.max {
            let before = open.clone();
            if !open.after(&text[line..unit.range.end], unit.families) {
                break;
            }
            let end = unit.range.end;
            let Some(piece) = cut::piece(text, end, mode) else {
                if mode.last {
                    break;
                }
                self.pending = Some(Pending::Lines {
                    open: before,
                    line: line - start,
                    end: end - start,
                    families: unit.families,
                });
                return Step::Wait;
            };
            if !open.takes(&text[end..piece.end]) {
                open.close_key();
                break;
            }
            line = end;
            unit.range.end = piece.end;
            unit.families |= gate::families(&text[line..piece.end]);
            unit.forced = piece.forced.map(|run| run - start);
        }
        unit.in_key = open.in_key();
        Step::Search(unit)
    }
}

impl Unit {
    fn moved(mut self, by: usize) -> Self {
        self.range = self.range.start + by..self.range.end + by;
        self
    }

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
