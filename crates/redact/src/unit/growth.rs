//! What a unit's masked form takes of the lines that follow.

use super::{Cutter, Mode, Pending, Step, Unit};
use crate::context::Context;
use crate::gate;

/// What the masked form of a unit takes.
#[derive(Debug)]
pub(crate) enum Growth {
    /// Nothing.
    None,
    /// So much that the unit becomes this one.
    To(Unit),
    /// What follows decides; there must be more text.
    Wait,
}

impl Cutter {
    /// Cuts the masked form of a unit, and looks how far its last piece goes into the rest.
    pub(crate) fn growth(
        &self,
        unit: &Unit,
        mut masked: String,
        rest: &str,
        mode: Mode,
        context: &Context<'_>,
    ) -> Growth {
        let mut cutter = Self {
            carry: self.carry.clone(),
            likely: true,
            ..Self::default()
        };
        let end = masked.len();
        let alone = Mode {
            last: false,
            ..mode
        };
        let mut at = 0;
        if !matches!(
            cutter.across(&masked, &mut at, end, alone, context),
            Step::Wait
        ) {
            return Growth::None;
        }
        let reach = rest.ceil_char_boundary(rest.len().min(mode.max * 2));
        masked.push_str(&rest[..reach]);
        let mode = Mode {
            last: mode.last && reach == rest.len(),
            ..mode
        };
        match cutter.across(&masked, &mut at, end, mode, context) {
            Step::Wait => Growth::Wait,
            Step::Pass(_) => Growth::None,
            Step::Search(last) => {
                Growth::To(unit.longer(&last, &rest[..last.range.end - end], end))
            }
        }
    }

    /// Notes that more text decides where the unit ends.
    pub(crate) fn hold(&mut self, unit: Unit, text: usize) {
        let start = unit.range.start;
        self.pending = Some(Pending::Masked(unit.from(start), text - start));
    }

    /// Cuts until a unit goes across `end`, or none can.
    fn across(
        &mut self,
        text: &str,
        at: &mut usize,
        end: usize,
        mode: Mode,
        context: &Context<'_>,
    ) -> Step {
        while *at < end {
            match self.next(text, *at, mode, context) {
                Step::Wait => return Step::Wait,
                Step::Pass(to) => *at = to,
                Step::Search(unit) if unit.range.end > end => return Step::Search(unit),
                Step::Search(unit) => {
                    *at = unit.range.end;
                    self.leave(&text[unit.range.clone()], &unit, &[], mode);
                }
            }
        }
        Step::Pass(end)
    }
}

impl Unit {
    /// Returns this unit with what a unit of its masked form, which has `masked` bytes, took.
    fn longer(&self, last: &Self, taken: &str, masked: usize) -> Self {
        let length = self.range.len();
        Self {
            range: self.range.start..self.range.end + taken.len(),
            families: self.families | gate::families(taken),
            is_json: false,
            forced: last
                .forced
                .map(|run| last.range.start + run + length - masked),
            in_key: last.in_key,
        }
    }

    /// Returns the unit in offsets that count from `start`.
    fn from(mut self, start: usize) -> Self {
        self.range = self.range.start - start..self.range.end - start;
        self
    }
}
