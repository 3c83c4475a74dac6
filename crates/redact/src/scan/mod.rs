//! One round over a text: every group of rules, then the resolution of overlaps.

mod armour;
mod assignment;
pub(crate) mod bytes;
mod calls;
mod card;
mod chain_key;
pub(crate) mod cli;
mod digits;
pub(crate) mod document;
mod encoded;
mod escaped;
mod fallback;
mod http;
mod iban;
mod insert;
pub(crate) mod joined;
mod jwk;
mod key_body;
mod label;
pub(crate) mod lines;
pub(crate) mod national;
pub(crate) mod output;
pub(crate) mod payment;
pub(crate) mod personal;
pub(crate) mod phrase;
pub(crate) mod private_key;
pub(crate) mod recovery;
pub(crate) mod tail;
mod url;
mod values;
mod vendor;
pub(crate) mod vendor_shapes;
mod vendor_unknown;
mod wallet;

use std::ops::Range;

use crate::gate::{self, Entry, Families};
use crate::marker;
use crate::rule::Rule;
use crate::span::{Span, resolve};

/// Finds the spans of one round: sorted, disjoint, on character boundaries, never a mere marker.
///
/// Only the groups of rules that the gate named are asked.
pub(crate) fn find(text: &str, families: Families) -> Vec<Span> {
    let mut spans = structured(text, families);
    let mut ask = |family: Families, find: fn(&str, &mut Vec<Span>)| {
        if families.has(family) {
            find(text, &mut spans);
        }
    };
    ask(Families::KEY, assignment::find);
    ask(Families::KEY, output::find);
    ask(Families::CLI, cli::find);
    ask(Families::CLI, calls::find);
    ask(Families::CLI, insert::find);
    ask(Families::VENDOR, joined::find);
    ask(Families::LINES, lines::find);
    ask(Families::PHRASE, phrase::find);
    ask(Families::PHRASE, chain_key::find);
    ask(Families::RECOVERY, recovery::find);
    ask(Families::NUMBER, payment::find);
    ask(Families::NUMBER, national::find);
    ask(Families::RUN, encoded::find);
    ask(Families::RUN | Families::KEY | Families::URL, escaped::find);
    ask(Families::RUN, fallback::find);
    settle(text, spans)
}

/// Finds what needs no label: structures, vendor tokens, addresses and headers.
pub(crate) fn structured(text: &str, families: Families) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut ask = |family: Families, find: fn(&str, &mut Vec<Span>)| {
        if families.has(family) {
            find(text, &mut spans);
        }
    };
    ask(Families::ARMOUR, private_key::find);
    ask(Families::ARMOUR, jwk::find);
    ask(Families::VENDOR, vendor::find);
    ask(Families::VENDOR, vendor_unknown::find);
    ask(Families::RUN, wallet::find);
    ask(Families::URL, url::find);
    ask(Families::HTTP, http::find);
    spans
}

/// Finds what a decoded text holds for certain: structures, tokens, addresses, headers and
/// assignments.
fn evident(text: &str) -> Vec<Span> {
    let families = gate::families(text);
    if families == Families::NONE {
        return Vec::new();
    }
    let mut spans = structured(text, families);
    if families.has(Families::KEY) {
        assignment::find(text, &mut spans);
    }
    spans
}

/// Lists the literals that the rules cannot do without, for the gate.
pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    let armour = private_key::LABELS
        .iter()
        .map(|label| Entry::exact(label, Families::ARMOUR));
    vendor::entries()
        .chain(cli::entries())
        .chain(calls::entries())
        .chain(insert::entries())
        .chain(assignment::entries())
        .chain(output::entries())
        .chain(http::entries())
        .chain(url::entries())
        .chain(recovery::entries())
        .chain(lines::entries())
        .chain(payment::entries())
        .chain(national::entries())
        .chain(phrase::entries())
        .chain(wallet::entries())
        .chain(jwk::entries())
        .chain(chain_key::entries())
        .chain(escaped::entries())
        .chain(armour)
}

/// Lists the literals that count inside a word too.
pub(crate) fn glued() -> impl Iterator<Item = &'static str> {
    vendor::glued()
}

/// Lists every rule of every group.
pub(crate) fn rules() -> Vec<Rule> {
    let tables = [
        private_key::RULES,
        lines::RULES,
        output::RULES,
        phrase::RULES,
        recovery::RULES,
        chain_key::RULES,
        jwk::RULES,
        encoded::RULES,
        escaped::RULES,
        fallback::RULES,
    ];
    vendor::rules()
        .chain(vendor_unknown::rules())
        .chain(cli::rules())
        .chain(calls::rules())
        .chain(insert::rules())
        .chain(http::rules())
        .chain(url::rules())
        .chain(assignment::rules())
        .chain(payment::rules())
        .chain(national::rules())
        .chain(wallet::rules())
        .chain(tables.into_iter().flatten().copied())
        .collect()
}

/// Widens findings to whole characters and markers, drops mere markers and joins the rest.
pub(crate) fn settle(text: &str, mut spans: Vec<Span>) -> Vec<Span> {
    if spans.is_empty() {
        return spans;
    }
    let markers = marker::find(text);
    for span in &mut spans {
        span.range = on_boundaries(text, &span.range, &markers);
    }
    spans.retain(|span| !marker::only_markers(text, &span.range, &markers));
    resolve(spans)
}

/// Widens a range to character boundaries and to whole markers.
fn on_boundaries(text: &str, range: &Range<usize>, markers: &[Range<usize>]) -> Range<usize> {
    let mut range = text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end);
    if let Some(marker) = containing(markers, range.start) {
        range.start = marker.start;
    }
    if let Some(marker) = containing(markers, range.end) {
        range.end = marker.end;
    }
    range
}

fn containing(markers: &[Range<usize>], offset: usize) -> Option<&Range<usize>> {
    let at = markers.partition_point(|marker| marker.end <= offset);
    markers.get(at).filter(|marker| marker.start < offset)
}

/// Returns what one scanner finds in a text, for the scanners' own tests.
#[cfg(test)]
fn masked_by(find: impl Fn(&str, &mut Vec<Span>), text: &str) -> Vec<&str> {
    let mut spans = Vec::new();
    find(text, &mut spans);
    spans.into_iter().map(|span| &text[span.range]).collect()
}

/// Returns what one scanner finds in a text, overlaps joined, for the scanners' own tests.
#[cfg(test)]
fn joined_by(find: impl Fn(&str, &mut Vec<Span>), text: &str) -> Vec<&str> {
    let mut spans = Vec::new();
    find(text, &mut spans);
    resolve(spans)
        .into_iter()
        .map(|span| &text[span.range])
        .collect()
}

/// Returns what one scanner finds in a text, with the classes, for the scanners' own tests.
#[cfg(test)]
fn classed_by(find: impl Fn(&str, &mut Vec<Span>), text: &str) -> Vec<(&str, &'static str)> {
    let mut spans = Vec::new();
    find(text, &mut spans);
    spans
        .into_iter()
        .map(|span| (&text[span.range], span.class.as_str()))
        .collect()
}
