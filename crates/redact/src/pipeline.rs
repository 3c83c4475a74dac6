//! Runs the rules over a text until nothing is left to find, and splices the result once.

use std::borrow::Cow;
use std::ops::Range;

use crate::class::ENTROPY;
use crate::marker;
use crate::redactor::Redacted;
use crate::report::{Report, ReportSpan};
use crate::scan;
use crate::span::{Span, Stage, resolve};

/// Rounds after which a text that still yields findings is masked as a whole.
const MAX_ROUNDS: usize = 6;

/// Finds every span of the text, in its own offsets.
///
/// Masking one secret changes the surroundings of its neighbours, so the masked text is searched
/// again and what appears is mapped back, until a round finds nothing. This is what makes
/// redaction idempotent. Clean text costs one round.
pub(crate) fn find_all(text: &str) -> Vec<Span> {
    let mut spans = scan::find(text);
    if spans.is_empty() {
        return spans;
    }
    for _ in 0..MAX_ROUNDS {
        let spliced = Splice::new(text, &spans);
        let fresh = scan::find(&spliced.text);
        if fresh.is_empty() {
            return spans;
        }
        spans.extend(fresh.into_iter().map(|span| spliced.to_original(span)));
        spans = resolve(spans);
    }
    vec![Span::new(0..text.len(), ENTROPY, Stage::Fallback)]
}

/// Masks every finding of the text.
pub(crate) fn redact(text: &str) -> Redacted<'_> {
    render(text, &find_all(text))
}

/// Replaces the spans, which are sorted and disjoint, by their markers.
pub(crate) fn render<'a>(text: &'a str, spans: &[Span]) -> Redacted<'a> {
    let mut report = Report::new();
    report.bytes_in = text.len();
    report.bytes_out = text.len();
    if spans.is_empty() {
        return Redacted {
            text: Cow::Borrowed(text),
            report,
        };
    }
    let spliced = Splice::new(text, spans);
    for (span, output) in spans.iter().zip(&spliced.markers) {
        report.count(span.class);
        report.spans.push(ReportSpan {
            out_offset: output.start,
            len: output.len(),
            class: span.class,
        });
    }
    report.bytes_out = spliced.text.len();
    Redacted {
        text: Cow::Owned(spliced.text),
        report,
    }
}

/// A text whose spans are replaced, with the way back to the original.
struct Splice {
    text: String,
    /// Where the markers are in the new text, one for each span.
    markers: Vec<Range<usize>>,
    originals: Vec<Range<usize>>,
}

impl Splice {
    fn new(source: &str, spans: &[Span]) -> Self {
        let mut text = String::with_capacity(source.len());
        let mut markers = Vec::with_capacity(spans.len());
        let mut at = 0;
        for span in spans {
            text.push_str(&source[at..span.range.start]);
            let start = text.len();
            text.push_str(&marker::render(span.class));
            markers.push(start..text.len());
            at = span.range.end;
        }
        text.push_str(&source[at..]);
        let originals = spans.iter().map(|span| span.range.clone()).collect();
        Self {
            text,
            markers,
            originals,
        }
    }

    /// Maps a span of the new text back; a bound inside a marker becomes the original's bound.
    fn to_original(&self, mut span: Span) -> Span {
        span.range = self.position(span.range.start, false)..self.position(span.range.end, true);
        span
    }

    fn position(&self, offset: usize, is_end: bool) -> usize {
        let after = self.markers.partition_point(|marker| marker.start < offset);
        let Some(last) = after.checked_sub(1) else {
            return match self.markers.first() {
                Some(marker) if marker.start == offset && !is_end => self.originals[0].start,
                _ => offset,
            };
        };
        let (marker, original) = (&self.markers[last], &self.originals[last]);
        if offset < marker.end {
            return if is_end { original.end } else { original.start };
        }
        original.end + (offset - marker.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::PASSWORD;

    #[test]
    fn offsets_map_back_across_markers() {
        let source = "ab SECRET cd";
        let spans = vec![Span::new(3..9, PASSWORD, Stage::KeyValue)];
        let splice = Splice::new(source, &spans);
        assert_eq!(splice.position(1, false), 1);
        assert_eq!(splice.position(5, false), 3);
        assert_eq!(splice.position(5, true), 9);
        let cd = splice.text.find("cd").expect("the tail is copied");
        assert_eq!(splice.position(cd, false), 10);
        assert_eq!(splice.position(splice.text.len(), true), source.len());
    }
}
