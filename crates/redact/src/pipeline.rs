//! Redacts a whole text: unit by unit, with one splice at the end.

use std::borrow::Cow;

use crate::gate;
use crate::redactor::Redacted;
use crate::report::{Report, ReportSpan};
use crate::span::{Show, Span};
use crate::unit::{self, Carry, Mode, Step, Unit};
use crate::{json, splice, text};

/// Finds every span of the text, in its own offsets.
pub(crate) fn find_all(source: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mode = Mode {
        last: true,
        documents: true,
    };
    walk(source, &mut Carry::default(), mode, |at, found| {
        spans.extend(found.into_iter().map(|span| span.moved(at)));
    });
    spans
}

/// Goes through the units that are decided, calls back with the findings of each and returns how
/// far it came.
pub(crate) fn walk(
    source: &str,
    carry: &mut Carry,
    mode: Mode,
    mut call: impl FnMut(usize, Vec<Span>),
) -> usize {
    let mut at = 0;
    loop {
        match unit::next(source, at, carry, mode) {
            Step::Wait => return at,
            Step::Pass(end) => at = end,
            Step::Search(unit) => {
                let found = search(&source[unit.range.clone()], &unit, carry);
                carry.leave(&source[unit.range.clone()], &unit, &found);
                call(unit.range.start, found);
                at = unit.range.end;
            }
        }
    }
}

fn search(source: &str, unit: &Unit, carry: &Carry) -> Vec<Span> {
    if unit.is_json
        && let Some(found) = json::source::find(source, unit.families)
    {
        return found;
    }
    text::find(source, unit, carry)
}

/// Masks every finding of the text.
pub(crate) fn redact(source: &str) -> Redacted<'_> {
    render(source, &find_all(source))
}

/// Masks every finding of one JSON document of any length; anything else is treated as text.
pub(crate) fn redact_json(source: &str) -> Redacted<'_> {
    let found = json::source::could_be(source)
        .then(|| json::source::find(source, gate::families(source)))
        .flatten();
    match found {
        Some(spans) => render(source, &spans),
        None => redact(source),
    }
}

/// Replaces the spans, which are sorted and disjoint, by their markers.
pub(crate) fn render<'a>(source: &'a str, spans: &[Span]) -> Redacted<'a> {
    let mut report = Report::new();
    report.bytes_in = source.len();
    report.bytes_out = source.len();
    if spans.is_empty() {
        return Redacted {
            text: Cow::Borrowed(source),
            report,
        };
    }
    let mut output = String::with_capacity(source.len());
    let mut at = 0;
    for span in spans {
        output.push_str(&source[at..span.range.start]);
        let marker = splice::push(&mut output, span);
        at = span.range.end;
        if span.show != Show::Nothing {
            report.count(span.class);
            report.spans.push(ReportSpan {
                out_offset: marker.start,
                len: marker.len(),
                class: span.class,
            });
        }
    }
    output.push_str(&source[at..]);
    report.bytes_out = output.len();
    Redacted {
        text: Cow::Owned(output),
        report,
    }
}
