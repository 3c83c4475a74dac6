//! Findings in JSON strings may not cut an escape, or the text would no longer be valid.

use std::ops::Range;

use crate::context::Context;
use crate::span::{Span, resolve};
use crate::text;

/// Widens spans to whole escapes. If what then remains shows a further secret, all of the string
/// is masked.
pub(super) fn widened(raw: &str, mut spans: Vec<Span>, context: &Context<'_>) -> Vec<Span> {
    let mut changed = false;
    for span in &mut spans {
        let range = whole_escapes(raw, &span.range);
        changed |= range != span.range;
        span.range = range;
    }
    if !changed {
        return spans;
    }
    let spans = resolve(spans);
    let again = text::find_all(&text::render(raw, &spans), context);
    match spans.first() {
        Some(first) if !again.is_empty() => {
            vec![Span {
                range: 0..raw.len(),
                ..first.clone()
            }]
        }
        _ => spans,
    }
}

/// Widens a range so that no escape sequence is cut: the text stays a valid JSON string.
fn whole_escapes(raw: &str, range: &Range<usize>) -> Range<usize> {
    let bytes = raw.as_bytes();
    let mut widened = range.clone();
    for bound in [range.start, range.end] {
        // A backslash opens an escape only after an even number of others.
        let floor = bound.saturating_sub(6);
        let Some(slash) = (floor..bound).rev().find(|at| bytes[*at] == b'\\') else {
            continue;
        };
        let run = bytes[..=slash]
            .iter()
            .rev()
            .take_while(|b| **b == b'\\')
            .count();
        let length = if bytes.get(slash + 1) == Some(&b'u') {
            6
        } else {
            2
        };
        if run % 2 == 1 && slash + length > bound {
            if bound == range.start {
                widened.start = slash;
            }
            if bound == range.end {
                widened.end = (slash + length).min(bytes.len());
            }
        }
    }
    widened
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_never_cut() {
        assert_eq!(whole_escapes(r"ab\ncd", &(3..6)), 2..6);
        assert_eq!(whole_escapes(r"ab\u00e9d", &(0..5)), 0..8);
        assert_eq!(whole_escapes(r"ab\\cd", &(4..6)), 4..6);
    }
}
