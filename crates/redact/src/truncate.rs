//! Redaction before cutting, and a cut that hides no marker.

use std::ops::Range;

use crate::class::Class;
use crate::context::Context;
use crate::{marker, pipeline};

/// Ends a text that was cut.
pub(crate) const SUFFIX: &str = "...[truncated]";

/// Redacts, then cuts to at most `max_chars` characters.
pub(crate) fn redact_then_cut(text: &str, max_chars: usize, context: &Context<'_>) -> String {
    let mut cleaned = cut(&pipeline::redact(text, context).text, max_chars);
    // A cut can leave a head that reads differently alone, such as a shorter number.
    for _ in 0..3 {
        if pipeline::find_all(&cleaned, context).is_empty() {
            return cleaned;
        }
        cleaned = cut(&pipeline::redact(&cleaned, context).text, max_chars);
    }
    if pipeline::find_all(&cleaned, context).is_empty() {
        cleaned
    } else {
        head(SUFFIX, max_chars).to_owned()
    }
}

/// Cuts redacted text within the budget, suffix and kept markers included.
fn cut(text: &str, max_chars: usize) -> String {
    if text.chars().nth(max_chars).is_none() {
        return text.to_owned();
    }
    let markers = marker::find(text);
    let mut kept: Vec<Class> = Vec::new();
    loop {
        let tail: usize = kept
            .iter()
            .map(|class| marker::render(*class).len() + 1)
            .sum();
        let Some(budget) = max_chars.checked_sub(SUFFIX.len() + tail) else {
            kept.pop();
            return assemble(text, &markers, max_chars, &kept);
        };
        let end = boundary(text, head(text, budget).len(), &markers);
        match lost(text, end, &markers, &kept) {
            Some(class) => kept.push(class),
            None => return assemble(text, &markers, max_chars, &kept),
        }
    }
}

fn assemble(text: &str, markers: &[Range<usize>], max_chars: usize, kept: &[Class]) -> String {
    let tail: String = kept
        .iter()
        .map(|class| format!(" {}", marker::render(*class)))
        .collect();
    let Some(budget) = max_chars.checked_sub(SUFFIX.len() + tail.len()) else {
        return head(SUFFIX, max_chars).to_owned();
    };
    let end = boundary(text, head(text, budget).len(), markers);
    format!("{}{tail}{SUFFIX}", &text[..end])
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

    fn redact_then_cut(text: &str, max_chars: usize) -> String {
        super::redact_then_cut(text, max_chars, &Context::new(&Settings::PLAIN))
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
