//! Redaction before cutting, and a cut that hides no marker.

use std::borrow::Cow;
use std::ops::Range;

use crate::class::Class;
use crate::context::Context;
use crate::redactor::Redacted;
use crate::report::{Report, ReportSpan};
use crate::span::Span;
use crate::{marker, pipeline};

/// Ends a text that was cut.
pub(crate) const SUFFIX: &str = "...[truncated]";

/// Redacts, then cuts to at most `max_chars` characters.
pub(crate) fn redact_then_cut(
    text: &str,
    max_chars: usize,
    context: &Context<'_>,
) -> Redacted<'static> {
    cut_redacted(pipeline::redact(text, context), max_chars, context)
}

/// Cuts what was redacted, and keeps the account of it.
pub(crate) fn cut_redacted(
    redacted: Redacted<'_>,
    max_chars: usize,
    context: &Context<'_>,
) -> Redacted<'static> {
    let mut report = redacted.report;
    let of_input = report.counts.clone();
    let mut text = cut(redacted.text.into_owned(), max_chars, &mut report);
    // A cut can leave a head that reads differently alone, such as a shorter number.
    let mut found = pipeline::find_all(&text, context);
    for _ in 0..3 {
        if found.is_empty() {
            break;
        }
        // Of what only a cut brought about, the last try counts.
        report.counts.clone_from(&of_input);
        let masked = mask(&text, &found, &mut report, context);
        text = cut(masked, max_chars, &mut report);
        found = pipeline::find_all(&text, context);
    }
    if !found.is_empty() {
        report.counts = of_input;
        text = nothing(max_chars, &mut report);
    }
    report.bytes_out = text.len();
    Redacted {
        text: Cow::Owned(text),
        report,
    }
}

/// Masks what a cut made appear; the markers before it keep their places in the account.
fn mask(text: &str, found: &[Span], report: &mut Report, context: &Context<'_>) -> String {
    let mut before = std::mem::take(&mut report.spans).into_iter().peekable();
    let mut output = String::with_capacity(text.len());
    let mut at = 0;
    let moved = |mut marker: ReportSpan, at: usize, output: &str| {
        marker.out_offset = output.len() + (marker.out_offset - at);
        marker
    };
    for span in found {
        while let Some(marker) = before.next_if(|m| m.out_offset + m.len <= span.range.start) {
            report.spans.push(moved(marker, at, &output));
        }
        while before.next_if(|m| m.out_offset < span.range.end).is_some() {}
        let span = std::slice::from_ref(span);
        at = pipeline::write(text, at, span, context, &mut output, report);
    }
    let rest = before.map(|marker| moved(marker, at, &output));
    report.spans.extend(rest);
    output.push_str(&text[at..]);
    output
}

/// Cuts redacted text within the budget, suffix and kept markers included.
fn cut(text: String, max_chars: usize, report: &mut Report) -> String {
    if text.chars().nth(max_chars).is_none() {
        return text;
    }
    report.truncated = true;
    let markers = marker::find(&text);
    let mut kept: Vec<Class> = Vec::new();
    let Some(mut end) = place(&text, max_chars, &markers, &kept) else {
        return nothing(max_chars, report);
    };
    while let Some(class) = lost(&text, end, &markers, &kept) {
        kept.push(class);
        match place(&text, max_chars, &markers, &kept) {
            Some(earlier) => end = earlier,
            None => {
                kept.pop();
                break;
            }
        }
    }
    assemble(&text, end, &kept, report)
}

/// Returns where to cut so that the suffix and the kept markers fit, if they do.
fn place(text: &str, max_chars: usize, markers: &[Range<usize>], kept: &[Class]) -> Option<usize> {
    let tail: usize = kept
        .iter()
        .map(|class| marker::render(*class).len() + 1)
        .sum();
    let budget = max_chars.checked_sub(SUFFIX.len() + tail)?;
    Some(boundary(text, head(text, budget).len(), markers))
}

/// Joins the head, the kept markers and the suffix, and says where each marker now is.
fn assemble(text: &str, end: usize, kept: &[Class], report: &mut Report) -> String {
    let shown = |span: &ReportSpan| span.out_offset + span.len <= end;
    let dropped: Vec<ReportSpan> = report.spans.extract_if(.., |span| !shown(span)).collect();
    let mut output = text[..end].to_owned();
    for class in kept {
        output.push(' ');
        let out_offset = output.len();
        marker::push(&mut output, *class, None);
        let first = dropped.iter().find(|span| span.class == *class);
        report.spans.extend(first.map(|first| ReportSpan {
            out_offset,
            len: output.len() - out_offset,
            ..first.clone()
        }));
    }
    output.push_str(SUFFIX);
    output
}

/// Leaves as much of the suffix as fits.
fn nothing(max_chars: usize, report: &mut Report) -> String {
    report.truncated = true;
    report.spans.clear();
    head(SUFFIX, max_chars).to_owned()
}

/// Returns a class whose every marker lies behind the cut and that is not kept yet.
fn lost(text: &str, end: usize, markers: &[Range<usize>], kept: &[Class]) -> Option<Class> {
    let class_at =
        |range: &Range<usize>| marker::parse_at(text, range.start).map(|(_, class)| class);
    let before = markers.partition_point(|range| range.end <= end);
    let (shown, dropped) = markers.split_at(before);
    dropped.iter().filter_map(class_at).find(|class| {
        !kept.contains(class) && !shown.iter().any(|range| class_at(range) == Some(*class))
    })
}

/// Moves a cut before the marker or backslash escape that it would split.
fn boundary(text: &str, end: usize, markers: &[Range<usize>]) -> usize {
    let at = markers.partition_point(|range| range.end <= end);
    let mut end = markers.get(at).map_or(end, |range| end.min(range.start));
    if let Some(slash) = text[..end].rfind('\\').filter(|slash| end - slash < 6) {
        let run = text[..=slash]
            .bytes()
            .rev()
            .take_while(|b| *b == b'\\')
            .count();
        let escape = match text.as_bytes().get(slash + 1) {
            Some(b'u') => 6,
            Some(b'x') => 4,
            _ => 2,
        };
        if run % 2 == 1 && end - slash < escape {
            end = slash;
        }
    }
    end
}

fn head(text: &str, chars: usize) -> &str {
    text.char_indices()
        .nth(chars)
        .map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Settings;

    fn account(text: &str, max_chars: usize) -> Redacted<'static> {
        super::redact_then_cut(text, max_chars, &Context::new(&Settings::PLAIN))
    }

    fn redact_then_cut(text: &str, max_chars: usize) -> String {
        account(text, max_chars).text.into_owned()
    }

    #[track_caller]
    fn assert_markers(cut: &Redacted<'_>) {
        let mut before = 0;
        for span in &cut.report.spans {
            let marker = &cut.text[span.out_offset..span.out_offset + span.len];
            assert_eq!(marker, marker::render(span.class), "{}", cut.text);
            assert!(span.out_offset >= before);
            before = span.out_offset + span.len;
        }
        assert_eq!(cut.report.bytes_out, cut.text.len());
    }

    #[test]
    fn the_account_follows_the_cut() {
        let token = format!("ghp_{}", "a1".repeat(18));
        let text = format!("password=gr4nite-b1shop {}{token} end", "word ".repeat(30));
        let whole = account(&text, 400);
        assert!(!whole.report.truncated);
        assert_eq!(whole.report.spans.len(), 2);
        for max in 0..text.len() {
            let cut = account(&text, max);
            assert_markers(&cut);
            let is_whole = cut.text == whole.text;
            assert_eq!(cut.report.truncated, !is_whole, "{max}");
            assert_eq!(cut.report.bytes_in, text.len());
            let counted: u64 = cut.report.counts.values().sum();
            assert!((2..=3).contains(&counted), "{max}: {counted}");
        }
        // Both markers fit: one in its place, the other at the end.
        let cut = account(&text, 120);
        let rules: Vec<_> = cut.report.spans.iter().map(|span| span.rule).collect();
        let whole: Vec<_> = whole.report.spans.iter().map(|span| span.rule).collect();
        assert_eq!(rules, whole);
        assert!(cut.text.ends_with(" [REDACTED:github_token]...[truncated]"));
    }

    #[test]
    fn what_a_cut_makes_appear_is_masked_and_accounted_for() {
        let text = "a [REDACTED:jwt] b secret c [REDACTED:jwt] d";
        let span =
            |range: Range<usize>| Span::new(range, crate::class::PASSWORD, crate::span::Stage::Cli);
        let before = |out_offset| ReportSpan {
            out_offset,
            len: 14,
            class: Class::parse("jwt").expect("it is a class"),
            rule: "jwt",
            confidence: crate::report::Confidence::High,
        };
        let mut report = Report {
            spans: vec![before(2), before(28)],
            ..Report::default()
        };
        let output = mask(
            text,
            &[span(19..25)],
            &mut report,
            &Context::new(&Settings::PLAIN),
        );
        assert_eq!(
            output,
            "a [REDACTED:jwt] b [REDACTED:password_assignment] c [REDACTED:jwt] d"
        );
        let places: Vec<_> = report.spans.iter().map(|span| span.out_offset).collect();
        assert_eq!(places, [2, 19, 52]);
        report.spans = vec![before(2), before(28)];
        mask(
            text,
            &[span(0..10)],
            &mut report,
            &Context::new(&Settings::PLAIN),
        );
        let classes: Vec<_> = report.spans.iter().map(|span| span.rule).collect();
        assert_eq!(classes, ["password_assignment", "jwt"]);
    }

    #[test]
    fn short_text_is_whole_and_long_text_ends_in_the_suffix() {
        assert_eq!(redact_then_cut("plain", 5), "plain");
        assert_eq!(
            redact_then_cut(&"ab ".repeat(40), 20),
            "ab ab ...[truncated]"
        );
        assert_eq!(redact_then_cut(&"ab ".repeat(40), 3), "...");
    }

    #[test]
    fn no_cut_splits_a_marker_or_loses_the_only_one() {
        let token = format!("ghp_{}", "a1".repeat(18));
        let text = format!("{}{token} {}", "word ".repeat(8), "more ".repeat(20));
        for max in 0..160 {
            let cut = redact_then_cut(&text, max);
            assert!(cut.chars().count() <= max, "{max}");
            assert!(!cut.contains("a1a1"), "{max}: {cut}");
            let opened = cut.matches("[REDACTED").count();
            assert_eq!(
                opened,
                cut.matches("[REDACTED:github_token]").count(),
                "{cut}"
            );
            assert!(max < 40 || opened == 1, "{max}: {cut}");
        }
    }

    #[test]
    fn escapes_stay_whole() {
        assert_eq!(boundary("ab\\n", 3, &[]), 2);
        assert_eq!(boundary("ab\\u00e9", 6, &[]), 2);
        assert_eq!(boundary("ab\\\\n", 4, &[]), 4);
    }
}
