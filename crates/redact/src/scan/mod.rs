//! One round over a text: every group of rules, then the resolution of overlaps.

mod assignment;
mod bytes;
mod cli;
mod encoded;
mod fallback;
mod http;
mod joined;
pub(crate) mod lines;
mod national;
mod payment;
mod private_key;
mod recovery;
mod url;
mod values;
mod vendor;
pub(crate) mod vendor_shapes;

use std::ops::Range;

use crate::marker;
use crate::rule::Rule;
use crate::span::{Span, resolve};

/// Finds the spans of one round: sorted, disjoint, on character boundaries, never a mere marker.
pub(crate) fn find(text: &str) -> Vec<Span> {
    let mut spans = structured(text);
    assignment::find(text, &mut spans);
    cli::find(text, &mut spans);
    joined::find(text, &mut spans);
    lines::find(text, &mut spans);
    recovery::find(text, &mut spans);
    payment::find(text, &mut spans);
    national::find(text, &mut spans);
    encoded::find(text, &mut spans);
    fallback::find(text, &mut spans);
    settle(text, spans)
}

/// Lists every rule of every group.
pub(crate) fn rules() -> Vec<Rule> {
    vendor::rules().collect()
}

/// Finds what needs no label: structures, vendor tokens, addresses and headers.
pub(crate) fn structured(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    private_key::find(text, &mut spans);
    vendor::find(text, &mut spans);
    url::find(text, &mut spans);
    http::find(text, &mut spans);
    spans
}

fn settle(text: &str, mut spans: Vec<Span>) -> Vec<Span> {
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
