//! Finds what one unit of text holds, round by round until nothing is left to find.

use std::borrow::Cow;

use crate::class::{ENCODED, ENTROPY, PASSWORD, PRIVATE_KEY};
use crate::context::Context;
use crate::gate::{self, Families};
use crate::scan::{self, private_key};
use crate::span::{Show, Span, Stage, resolve};
use crate::splice::Splice;
use crate::unit::{Carry, Cutter, MAX_UNIT, Mode, Table, Unit};
use crate::value;
use crate::view::View;
use crate::walk::walk;

/// Rounds after which a unit that still yields findings is masked as a whole.
const MAX_ROUNDS: usize = 6;

/// Finds the secrets of one unit, in its own offsets: sorted and disjoint.
pub(crate) fn find(text: &str, unit: &Unit, carry: &Carry, context: &Context<'_>) -> Vec<Span> {
    let table = carry.table.as_ref();
    if carry.in_key || carry.going_on.is_some() {
        return find_after(text, carry, unit.forced, context);
    }
    let quiet = matches!(unit.families, Families::NONE | Families::JSON);
    if quiet && context.passes(Families::NONE) && table.is_none() {
        return Vec::new();
    }
    with_run(
        in_rounds(text, unit.families, table, context),
        unit.forced,
        text.len(),
    )
}

/// Adds the token that the text's end cuts off, if the text is not a whole line, and what its
/// masking brings out.
pub(crate) fn with_tail(
    text: &str,
    unit: &Unit,
    carry: &Carry,
    mut spans: Vec<Span>,
    context: &Context<'_>,
) -> Vec<Span> {
    if unit.families.has(Families::VENDOR)
        && let Some(tail) = scan::tail::find(text)
        && spans
            .last()
            .is_none_or(|last| last.range.end <= tail.range.start)
    {
        spans.push(tail);
        if !carry.in_key && carry.going_on.is_none() {
            return until_quiet(text, spans, carry.table.as_ref(), context);
        }
    }
    spans
}

/// Masks the run that was too long to judge, under the name that its key gives it.
fn with_run(mut spans: Vec<Span>, forced: Option<usize>, end: usize) -> Vec<Span> {
    let Some(run) = forced else {
        return spans;
    };
    spans.push(Span::new(run..end, ENCODED, Stage::Fallback));
    resolve(spans)
}

/// Finds what goes on from the unit before, then the rest.
fn find_after(
    text: &str,
    carry: &Carry,
    forced: Option<usize>,
    context: &Context<'_>,
) -> Vec<Span> {
    let (lead, class) = if carry.in_key {
        (private_key::continued(text), PRIVATE_KEY)
    } else {
        let of_run = |c| carry.going_on.is_some_and(|going_on| going_on.has(c));
        (text.find(|c| !of_run(c)).unwrap_or(text.len()), ENCODED)
    };
    let mut spans = vec![Span::new(0..lead, class, Stage::Structure).shown(Show::Nothing)];
    spans.retain(|span| !span.range.is_empty());
    let rest = &text[lead..];
    let found = in_rounds(rest, gate::families(rest), None, context);
    spans.extend(found.into_iter().map(|span| span.moved(lead)));
    with_run(spans, forced.map(|run| run.max(lead)), text.len())
}

/// Searches until a round finds nothing. Clean text costs one round.
fn in_rounds(
    text: &str,
    families: Families,
    table: Option<&Table>,
    context: &Context<'_>,
) -> Vec<Span> {
    let mut spans = round(text, families, table, context);
    context.filter(text, &mut spans, true);
    if spans.is_empty() {
        return spans;
    }
    until_quiet(text, spans, table, context)
}

/// Masking one secret changes the surroundings of its neighbours, so the masked text is searched
/// again and what appears is mapped back, until a round finds nothing. This is what makes
/// redaction idempotent.
fn until_quiet(
    text: &str,
    mut spans: Vec<Span>,
    table: Option<&Table>,
    context: &Context<'_>,
) -> Vec<Span> {
    for _ in 0..MAX_ROUNDS {
        let spliced = Splice::new(text, &spans);
        let mut fresh = again(&spliced.text, table, context);
        context.filter(&spliced.text, &mut fresh, false);
        if fresh.is_empty() {
            return spans;
        }
        spans.extend(fresh.into_iter().map(|span| spliced.to_original(span)));
        spans = resolve(spans);
    }
    vec![Span::new(
        0..text.trim_end().len(),
        ENTROPY,
        Stage::Fallback,
    )]
}

/// Searches masked text as one unit, and as the units that it would be cut into now.
fn again(text: &str, table: Option<&Table>, context: &Context<'_>) -> Vec<Span> {
    let mut spans = round(text, gate::families(text), table, context);
    if !text.trim_end().contains('\n') {
        return spans;
    }
    let found = spans.len();
    spans.extend(in_units(text, context, |part, unit, _| {
        round(part, unit.families, None, context)
    }));
    if spans.len() > found {
        spans = resolve(spans);
    }
    spans
}

fn round(
    text: &str,
    families: Families,
    table: Option<&Table>,
    context: &Context<'_>,
) -> Vec<Span> {
    let mut spans = scan::find(text, families);
    let found = spans.len();
    context.find(text, &mut spans);
    if families.has(Families::VIEW) {
        View::of(text, |view| {
            let found = scan::find(&view.text, gate::families(&view.text));
            spans.extend(found.into_iter().map(|span| view.to_source(span)));
        });
    }
    if let Some(table) = table {
        let cells = table
            .cells(text)
            .filter(|(range, column)| value::is_secret(&text[range.clone()], *column, false));
        spans.extend(cells.map(|(range, _)| Span::new(range, PASSWORD, Stage::KeyValue)));
    }
    if spans.len() > found {
        spans = scan::settle(text, spans);
    }
    spans
}

/// Finds the secrets of a text of any length, in its own offsets; JSON documents are text here.
pub(crate) fn find_all(source: &str, context: &Context<'_>) -> Vec<Span> {
    in_units(source, context, |text, unit, carry| {
        find(text, unit, carry, context)
    })
}

/// Finds the secrets of a line of which it is known what can concern it.
pub(crate) fn find_line(line: &str, families: Families, context: &Context<'_>) -> Vec<Span> {
    if line.len() > MAX_UNIT {
        return find_all(line, context);
    }
    if context.passes(families) {
        return Vec::new();
    }
    let label = families.has(Families::ARMOUR) && private_key::is_label(line);
    let families = if label { Families::ARMOUR } else { families };
    in_rounds(line, families, None, context)
}

/// Finds what the search finds in the units of a whole text.
fn in_units(
    source: &str,
    context: &Context<'_>,
    search: impl Fn(&str, &Unit, &Carry) -> Vec<Span>,
) -> Vec<Span> {
    let mode = Mode {
        max: MAX_UNIT,
        last: true,
        documents: false,
    };
    let mut spans = Vec::new();
    let mut cutter = Cutter::default();
    walk(source, &mut cutter, mode, context, search, |unit, found| {
        let at = unit.range.start;
        spans.extend(found.into_iter().map(|span| span.moved(at)));
    });
    spans
}

/// Replaces findings by their markers.
pub(crate) fn render<'a>(source: &'a str, spans: &[Span]) -> Cow<'a, str> {
    if spans.is_empty() {
        Cow::Borrowed(source)
    } else {
        Cow::Owned(Splice::new(source, spans).text)
    }
}

/// Masks every finding.
pub(crate) fn redact<'a>(source: &'a str, context: &Context<'_>) -> Cow<'a, str> {
    render(source, &find_all(source, context))
}
