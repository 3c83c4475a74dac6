//! Goes through a text unit by unit, such that the masked text is cut into the same units.

use crate::context::Context;
use crate::span::Span;
use crate::splice::Splice;
use crate::unit::{Carry, Cutter, Growth, Mode, Step, Unit};

/// How often a unit grows by the lines that its masked form takes.
const MAX_GROWTH: usize = 4;

/// Searches the units that are decided, calls back with the findings of each and returns how far
/// it came.
pub(crate) fn walk(
    source: &str,
    cutter: &mut Cutter,
    mode: Mode,
    context: &Context<'_>,
    search: impl Fn(&str, &Unit, &Carry) -> Vec<Span>,
    mut call: impl FnMut(&Unit, Vec<Span>),
) -> usize {
    let mut at = 0;
    loop {
        match cutter.next(source, at, mode, context) {
            Step::Wait => return at,
            Step::Pass(end) => at = end,
            Step::Search(unit) => {
                let start = at;
                let Some((unit, found)) = settle(source, unit, cutter, mode, context, &search)
                else {
                    return start;
                };
                cutter.leave(&source[unit.range.clone()], &unit, &found, mode);
                at = unit.range.end;
                call(&unit, found);
            }
        }
    }
}

/// Searches a unit. What is found can change where it ends: the masked lines may await a next
/// line that the original ones did not. Then that belongs to it too, else the next run, which
/// sees the masked lines only, would find more.
fn settle(
    source: &str,
    mut unit: Unit,
    cutter: &mut Cutter,
    mode: Mode,
    context: &Context<'_>,
    search: impl Fn(&str, &Unit, &Carry) -> Vec<Span>,
) -> Option<(Unit, Vec<Span>)> {
    for growth in 0..=MAX_GROWTH {
        let text = &source[unit.range.clone()];
        let found = search(text, &unit, cutter.carry());
        if found.is_empty() || unit.is_json || growth == MAX_GROWTH || !text.ends_with('\n') {
            return Some((unit, found));
        }
        let masked = Splice::new(text, &found).text;
        let rest = &source[unit.range.end..];
        match cutter.growth(&unit, masked, rest, mode, context) {
            Growth::None => return Some((unit, found)),
            Growth::To(longer) => unit = longer,
            Growth::Wait => {
                cutter.hold(unit, source.len());
                return None;
            }
        }
    }
    None
}
