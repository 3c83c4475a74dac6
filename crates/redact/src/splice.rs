//! Replaces findings by their markers, with the way back to the original.

use std::ops::Range;

use crate::marker;
use crate::span::{Show, Span};

/// A text whose spans are replaced.
pub(crate) struct Splice {
    pub(crate) text: String,
    /// Where the markers are in the new text, one for each span.
    pub(crate) markers: Vec<Range<usize>>,
    originals: Vec<Range<usize>>,
}

impl Splice {
    /// Replaces the spans, which are sorted and disjoint.
    pub(crate) fn new(source: &str, spans: &[Span]) -> Self {
        let mut text = String::with_capacity(source.len());
        let mut markers = Vec::with_capacity(spans.len());
        let mut at = 0;
        for span in spans {
            text.push_str(&source[at..span.range.start]);
            markers.push(push(&mut text, span, None));
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
    pub(crate) fn to_original(&self, mut span: Span) -> Span {
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

/// Writes what stands for a finding and returns where its marker is.
pub(crate) fn push(text: &mut String, span: &Span, detail: Option<&str>) -> Range<usize> {
    let quote = match span.show {
        Show::Marker => "",
        Show::Quoted => "\"",
        Show::Nothing => return text.len()..text.len(),
    };
    text.push_str(quote);
    let start = text.len();
    marker::push(text, span.class, detail);
    let end = text.len();
    text.push_str(quote);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::PASSWORD;
    use crate::span::Stage;

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
