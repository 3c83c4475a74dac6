//! The walk over JSON source text: tokens are found and spliced, all other bytes stay.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use serde::de::IgnoredAny;

use crate::class::{Class, PASSWORD, WALLET};
use crate::json::{self, Governed};
use crate::marker;
use crate::pipeline;
use crate::redactor::Redacted;
use crate::report::{Report, ReportSpan};
use crate::scan::lines;
use crate::span::{Span, resolve};

/// Redacts one JSON document; anything else is treated as text.
///
/// Nesting beyond the parser's limit of 128 counts as invalid.
pub(crate) fn redact(text: &str) -> Redacted<'_> {
    let starts = text
        .trim_start()
        .starts_with(|c: char| matches!(c, '{' | '[' | '"' | '-') || c.is_ascii_digit());
    if !starts || serde_json::from_str::<IgnoredAny>(text).is_err() {
        return pipeline::redact(text);
    }
    let mut walker = Walker {
        text,
        frames: Vec::new(),
        edits: Vec::new(),
    };
    walker.run();
    let mut edits = walker.edits;
    let lists = lines::byte_lists(text);
    edits.extend(lists.map(|range| Edit {
        range,
        class: WALLET,
        bare: true,
    }));
    // The widest edit at a place comes first; what it contains is dropped.
    edits.sort_by_key(|edit| (edit.range.start, Reverse(edit.range.end)));
    edits.dedup_by(|b, a| b.range.start < a.range.end);
    splice(text, &edits)
}

/// One replacement in the source.
struct Edit {
    range: Range<usize>,
    class: Class,
    /// Whether the marker needs quotes, because it replaces a number.
    bare: bool,
}

/// One open object or array.
struct Frame {
    is_object: bool,
    governed: Governed,
    /// The key whose value comes next.
    key: Option<String>,
    /// The string before, in an array.
    before: Option<String>,
    /// The `name` of a pair, and where its `value` is.
    name: Option<String>,
    value: Option<Range<usize>>,
    elements: usize,
}

struct Walker<'a> {
    text: &'a str,
    frames: Vec<Frame>,
    edits: Vec<Edit>,
}

impl Walker<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'{' | b'[' => {
                    let governed = self.place();
                    self.open(bytes[at] == b'{', governed);
                    at += 1;
                }
                b'}' | b']' => {
                    self.close();
                    at += 1;
                }
                b'"' => at = self.string(at),
                b'-' | b'0'..=b'9' => at = self.number(at),
                b',' => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.key = None;
                    }
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    fn open(&mut self, is_object: bool, governed: Governed) {
        let frame = Frame {
            is_object,
            governed,
            key: None,
            before: None,
            name: None,
            value: None,
            elements: 0,
        };
        self.frames.push(frame);
    }

    /// Closes a frame; the value of a `{name, value}` pair is judged now that both are known.
    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if let (Some(name), Some(value)) = (&frame.name, frame.value) {
            self.judge(value, frame.governed.named(name));
        }
    }

    /// Tells what governs the value that starts here.
    fn place(&mut self) -> Governed {
        let Some(frame) = self.frames.last_mut() else {
            return Governed::FREE;
        };
        frame.elements += 1;
        if let Some(key) = &frame.key {
            return frame.governed.under(key);
        }
        // Whether a list has just two elements is not known here, so the second is treated as
        // the value of a pair.
        let siblings = if frame.elements == 2 { 2 } else { 3 };
        let before = frame.before.take();
        before.map_or(frame.governed, |name| {
            json::beside(&name, frame.governed, siblings)
        })
    }

    fn string(&mut self, at: usize) -> usize {
        let end = end_of_string(self.text.as_bytes(), at);
        let content = at + 1..end - 1;
        let decoded = self.decode_redacted(&content);
        let is_key = self
            .frames
            .last()
            .is_some_and(|frame| frame.is_object && frame.key.is_none());
        if is_key {
            self.judge(content, Governed::FREE);
            if let Some(frame) = self.frames.last_mut() {
                frame.key = Some(decoded);
            }
            return end;
        }
        let key = self.key();
        let governed = self.place();
        self.judge_member(&key, content.clone(), governed);
        self.remember(decoded, content);
        end
    }

    /// Decodes a string as it reads after redaction, so that a second pass sees the same names.
    fn decode_redacted(&self, content: &Range<usize>) -> String {
        let raw = &self.text[content.clone()];
        let shown = pipeline::render(raw, &widened(raw, pipeline::find_all(raw))).text;
        serde_json::from_str(&format!("\"{shown}\"")).unwrap_or_default()
    }

    fn remember(&mut self, decoded: String, content: Range<usize>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        match &frame.key {
            Some(key) if json::is_value_key(key) => frame.value = Some(content),
            Some(key) => {
                let member = std::iter::once((key.as_str(), Some(decoded.as_str())));
                if frame.name.is_none() && json::pair_name(member).is_some() {
                    frame.name = Some(decoded);
                }
            }
            None => frame.before = Some(decoded),
        }
    }

    fn number(&mut self, at: usize) -> usize {
        let of_number = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.');
        let end = at
            + self.text.as_bytes()[at..]
                .iter()
                .take_while(of_number)
                .count();
        let key = self.key();
        if let Some(class) = self.place().masks_number(&key, &self.text[at..end]) {
            self.edits.push(Edit {
                range: at..end,
                class,
                bare: true,
            });
        }
        end
    }

    /// Returns the key of the value that comes next, empty in a list.
    fn key(&self) -> String {
        self.frames
            .last()
            .and_then(|frame| frame.key.clone())
            .unwrap_or_default()
    }

    /// Judges a string that a key may tell to be a number of some kind.
    fn judge_member(&mut self, key: &str, content: Range<usize>, governed: Governed) {
        let raw = &self.text[content.clone()];
        if !json::is_number(raw) || governed.is_strong() {
            self.judge(content, governed);
        } else if let Some(class) = json::class_of_number(key, raw) {
            self.edits.push(Edit {
                range: content,
                class,
                bare: false,
            });
        }
    }

    /// Masks what the string holds, or all of it if its place says so.
    fn judge(&mut self, content: Range<usize>, governed: Governed) {
        let raw = &self.text[content.clone()];
        let spans = widened(raw, pipeline::find_all(raw));
        let whole = spans.len() == 1 && spans[0].range == (0..raw.len());
        let shown = pipeline::render(raw, &spans).text;
        if !whole && (governed.masks(raw) || governed.masks(&shown)) {
            self.edits.push(Edit {
                range: content,
                class: PASSWORD,
                bare: false,
            });
            return;
        }
        for span in spans {
            let range = content.start + span.range.start..content.start + span.range.end;
            self.edits.push(Edit {
                range,
                class: span.class,
                bare: false,
            });
        }
    }
}

/// Widens spans to whole escapes. If what then remains shows a further secret, all of the string
/// is masked.
fn widened(raw: &str, mut spans: Vec<Span>) -> Vec<Span> {
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
    let again = pipeline::find_all(&pipeline::render(raw, &spans).text);
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

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
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

fn splice<'a>(text: &'a str, edits: &[Edit]) -> Redacted<'a> {
    let mut report = Report::new();
    report.bytes_in = text.len();
    report.bytes_out = text.len();
    if edits.is_empty() {
        return Redacted {
            text: Cow::Borrowed(text),
            report,
        };
    }
    let mut output = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        output.push_str(&text[at..edit.range.start]);
        let quote = if edit.bare { "\"" } else { "" };
        let rendered = marker::render(edit.class);
        output.push_str(quote);
        report.spans.push(ReportSpan {
            out_offset: output.len(),
            len: rendered.len(),
            class: edit.class,
        });
        report.count(edit.class);
        output.push_str(&rendered);
        output.push_str(quote);
        at = edit.range.end;
    }
    output.push_str(&text[at..]);
    report.bytes_out = output.len();
    Redacted {
        text: Cow::Owned(output),
        report,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "[REDACTED:password_assignment]";

    fn check(source: &str, expected: &str) {
        let expected = expected.replace("MARK", MARK);
        let redacted = redact(source);
        assert_eq!(redacted.text, expected);
        assert_eq!(redact(&expected).text, expected, "twice");
    }

    #[test]
    fn source_bytes_outside_the_findings_stay() {
        check(
            r#"{"password":"tall oak","password":"b1g"  , "n":1.50e1}"#,
            r#"{"password":"MARK","password":"MARK"  , "n":1.50e1}"#,
        );
        check(
            r#"{"pass\u0077ord": "tall\u0020oak\n"}"#,
            r#"{"pass\u0077ord": "MARK"}"#,
        );
        check(
            r#"{"password": 123456, "on": true}"#,
            r#"{"password": "MARK", "on": true}"#,
        );
        check(
            r#"[{"value": "tall oak", "name": "DB_PASSWORD"}]"#,
            r#"[{"value": "MARK", "name": "DB_PASSWORD"}]"#,
        );
        check(r#"{"h": [["Authorization", "Bearer a1b2c3d4e5f6"]]}"#, r#"{"h": [["Authorization", "MARK"]]}"#.replace("MARK", "Bearer [REDACTED:generic_bearer]").as_str());
    }

    #[test]
    fn clean_json_is_borrowed_and_broken_json_is_text() {
        assert!(matches!(
            redact(r#"{"a": [1, 2, "x"]}"#).text,
            Cow::Borrowed(_)
        ));
        check(r#"{"password": "tall oak", "#, r#"{"password": "MARK", "#);
    }

    #[test]
    fn escapes_are_never_cut() {
        assert_eq!(whole_escapes(r"ab\ncd", &(3..6)), 2..6);
        assert_eq!(whole_escapes(r"ab\u00e9d", &(0..5)), 0..8);
        assert_eq!(whole_escapes(r"ab\\cd", &(4..6)), 4..6);
    }
}
