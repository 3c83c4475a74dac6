//! Redacts a whole text: unit by unit, with one splice at the end.

use std::borrow::Cow;

use crate::context::Context;
use crate::gate;
use crate::redactor::Redacted;
use crate::report::{Report, ReportSpan};
use crate::span::{Show, Span, resolve};
use crate::splice::Splice;
use crate::unit::{Carry, Cutter, MAX_UNIT, Mode, Unit};
use crate::{json, splice, text, walk};

/// Finds every span of the text, in its own offsets.
pub(crate) fn find_all(source: &str, context: &Context<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    walk(
        source,
        &mut Cutter::default(),
        WHOLE,
        context,
        |unit, found| {
            let at = unit.range.start;
            spans.extend(found.into_iter().map(|span| span.moved(at)));
        },
    );
    spans
}

/// A whole text.
pub(crate) const WHOLE: Mode = Mode {
    max: MAX_UNIT,
    last: true,
    documents: true,
};

/// Goes through the units that are decided, calls back with the findings of each and returns how
/// far it came.
pub(crate) fn walk(
    source: &str,
    cutter: &mut Cutter,
    mode: Mode,
    context: &Context<'_>,
    mut call: impl FnMut(&Unit, Vec<Span>),
) -> usize {
    let search = |text: &str, unit: &Unit, carry: &Carry| {
        let found = search(text, unit, carry, context);
        if mode.last && unit.range.end == source.len() {
            return text::with_tail(text, unit, carry, found, context);
        }
        found
    };
    walk::walk(source, cutter, mode, context, search, |unit, found| {
        if unit.forced.is_some() {
            context.count_forced();
        }
        call(unit, found);
    })
}

fn search(source: &str, unit: &Unit, carry: &Carry, context: &Context<'_>) -> Vec<Span> {
    if !unit.is_json {
        return text::find(source, unit, carry, context);
    }
    json::source::find(source, context).unwrap_or_else(|| {
        let mut unit = unit.clone();
        unit.families = gate::families(source);
        let found = text::find(source, &unit, carry, context);
        as_document(source, found, context)
    })
}

/// Adds what is found in text that becomes a JSON document once it is masked, as it does if all
/// that is invalid in it lies in secrets.
fn as_document(source: &str, mut spans: Vec<Span>, context: &Context<'_>) -> Vec<Span> {
    if spans.is_empty() {
        return spans;
    }
    let masked = Splice::new(source, &spans);
    let Some(found) = json::source::find(&masked.text, context).filter(|found| !found.is_empty())
    else {
        return spans;
    };
    spans.extend(found.into_iter().map(|span| masked.to_original(span)));
    resolve(spans)
}

/// Masks every finding of the text.
pub(crate) fn redact<'a>(source: &'a str, context: &Context<'_>) -> Redacted<'a> {
    let mut redacted = render(source, &find_all(source, context), context);
    redacted.report.settle(context);
    redacted
}

/// Masks every finding of one JSON document of any length; anything else is treated as text.
pub(crate) fn redact_json<'a>(source: &'a str, context: &Context<'_>) -> Redacted<'a> {
    let found = json::source::could_be(source)
        .then(|| json::source::find(source, context))
        .flatten();
    let Some(spans) = found else {
        return redact(source, context);
    };
    let mut redacted = render(source, &spans, context);
    redacted.report.settle(context);
    redacted
}

/// Replaces the spans, which are sorted and disjoint, by their markers.
pub(crate) fn render<'a>(source: &'a str, spans: &[Span], context: &Context<'_>) -> Redacted<'a> {
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
    let at = write(source, 0, spans, context, &mut output, &mut report);
    output.push_str(&source[at..]);
    report.bytes_out = output.len();
    Redacted {
        text: Cow::Owned(output),
        report,
    }
}

/// Writes the text from `at` to the end of the last finding, with markers for the findings.
pub(crate) fn write(
    source: &str,
    mut at: usize,
    spans: &[Span],
    context: &Context<'_>,
    output: &mut String,
    report: &mut Report,
) -> usize {
    for span in spans {
        output.push_str(&source[at..span.range.start]);
        let value = &source[span.range.clone()];
        let detail = context.settings().detail.of(span, value);
        let marker = splice::push(output, span, detail.as_deref());
        at = span.range.end;
        report.decoded_depth = report.decoded_depth.max(span.depth);
        if span.show != Show::Nothing {
            report.count(span.class);
            report.spans.push(ReportSpan {
                out_offset: marker.start,
                len: marker.len(),
                class: span.class,
                rule: span.rule,
                confidence: span.confidence(),
            });
        }
    }
    at
}
