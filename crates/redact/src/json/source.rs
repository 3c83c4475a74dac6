//! The walk over JSON source text: tokens are found and spliced, all other bytes stay.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use super::escapes::widened;
use super::stack::Stack;
use super::syntax;
use super::{Governed, Label};
use crate::class::{Class, PASSWORD, WALLET};
use crate::context::Context;
use crate::gate::{self, Families};
use crate::key::Sensitivity;
use crate::scan::{self, document, lines};
use crate::span::{Show, Span, Stage};
use crate::text;

/// Finds the secrets of one JSON document; nothing if the text is no valid document.
///
/// Nesting deeper than 128 counts as invalid.
pub(crate) fn find(source: &str, context: &Context<'_>) -> Option<Vec<Span>> {
    let marks = gate::marks(source);
    let families = marks.all();
    let quiet = families == Families::NONE || families == Families::JSON;
    if quiet && context.passes(Families::NONE) {
        return Some(Vec::new());
    }
    if !syntax::is_document(source) {
        return None;
    }
    // A command can be a list of strings, each of which is one word.
    let commands = if families.has(Families::CLI) && has_list_of_strings(source) {
        scan::find(source, Families::CLI)
    } else {
        Vec::new()
    };
    let mut walker = Walker {
        text: source,
        frames: Stack::default(),
        spans: Vec::new(),
        strings: Vec::new(),
        with_strings: !commands.is_empty(),
        context,
        marks,
    };
    walker.run();
    let (mut spans, strings) = (walker.spans, walker.strings);
    spans.extend(commands.into_iter().filter(|span| {
        let at = strings.partition_point(|string| string.end < span.range.end);
        let string = strings.get(at);
        string.is_some_and(|string| string.start <= span.range.start)
    }));
    if families.has(Families::LINES) {
        let lists = lines::byte_lists(source);
        spans.extend(lists.map(|range| mark(range, WALLET).shown(Show::Quoted)));
    }
    spans.extend(document::find(source, families));
    // The widest at a place comes first; what it contains is dropped.
    spans.sort_by_key(|span| (span.range.start, Reverse(span.range.end)));
    spans.dedup_by(|b, a| b.range.start < a.range.end);
    Some(spans)
}

/// Tells whether an array begins with a string.
fn has_list_of_strings(source: &str) -> bool {
    memchr::memchr_iter(b'[', source.as_bytes())
        .any(|at| source.as_bytes()[at + 1..].trim_ascii_start().first() == Some(&b'"'))
}

/// Tells whether the text could be a document.
pub(crate) fn could_be(text: &str) -> bool {
    text.trim_start()
        .starts_with(|c: char| matches!(c, '{' | '[' | '"' | '-') || c.is_ascii_digit())
}

fn mark(range: Range<usize>, class: Class) -> Span {
    Span::new(range, class, Stage::KeyValue)
}

/// One open object or array.
struct Frame<'a> {
    is_object: bool,
    governed: Governed,
    /// The key whose value comes next.
    key: Option<Label<'a>>,
    /// Where the string before is, in an array.
    before: Option<Range<usize>>,
    /// Where the `name` of a pair is, and its `value`.
    name: Option<Range<usize>>,
    value: Option<Range<usize>>,
    elements: usize,
}

struct Walker<'a> {
    text: &'a str,
    frames: Stack<Frame<'a>>,
    spans: Vec<Span>,
    /// Where the strings are that are elements of lists.
    strings: Vec<Range<usize>>,
    with_strings: bool,
    context: &'a Context<'a>,
    /// What can be found where.
    marks: gate::Marks,
}

impl<'a> Walker<'a> {
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
            let name = Label::new(self.shown(name));
            let governed = frame.governed.named(&name.text, self.context);
            self.judge(value, governed, &name);
        }
    }

    /// Tells what governs the value that starts here.
    fn place(&mut self) -> Governed {
        let Some(frame) = self.frames.last_mut() else {
            return Governed::FREE;
        };
        frame.elements += 1;
        let governed = frame.governed;
        if let Some(key) = &frame.key {
            return governed.under(&key.text);
        }
        // Whether a list has just two elements is not known here, so the second is treated as
        // the value of a pair.
        let siblings = if frame.elements == 2 { 2 } else { 3 };
        let before = frame.before.take();
        before.map_or(governed, |name| {
            super::beside(&self.shown(&name), governed, siblings, self.context)
        })
    }

    fn string(&mut self, at: usize) -> usize {
        let end = end_of_string(self.text.as_bytes(), at);
        let content = at + 1..end - 1;
        let key_comes = |frame: &&mut Frame| frame.is_object && frame.key.is_none();
        if self.frames.last_mut().filter(key_comes).is_some() {
            let key = Some(Label::new(self.name(content)));
            if let Some(frame) = self.frames.last_mut() {
                frame.key = key;
            }
            return end;
        }
        let governed = self.place();
        self.judge_member(content.clone(), governed);
        self.remember(content);
        end
    }

    /// Finds what a string holds, widened to whole escapes.
    fn find(&self, content: &Range<usize>) -> Vec<Span> {
        let families = self.marks.families(content);
        if self.context.passes(families) {
            return Vec::new();
        }
        let raw = &self.text[content.clone()];
        let found = text::find_line(raw, families, self.context);
        widened(raw, found, self.context)
    }

    /// Masks what a key holds, and returns how it reads afterwards.
    fn name(&mut self, content: Range<usize>) -> Cow<'a, str> {
        let spans = self.find(&content);
        let shown = self.decoded(&content, &spans);
        let spans = spans.into_iter();
        let found = spans.filter(|span| !document::is_public("", span));
        self.spans
            .extend(found.map(|span| span.moved(content.start)));
        shown
    }

    /// Returns a string decoded as it reads after redaction, so that a second pass sees the same
    /// names.
    fn shown(&self, content: &Range<usize>) -> Cow<'a, str> {
        self.decoded(content, &self.find(content))
    }

    fn decoded(&self, content: &Range<usize>, spans: &[Span]) -> Cow<'a, str> {
        let shown = text::render(&self.text[content.clone()], spans);
        if !shown.contains('\\') {
            return shown;
        }
        let decoded: String = serde_json::from_str(&format!("\"{shown}\"")).unwrap_or_default();
        match text::redact(&decoded, self.context) {
            Cow::Owned(redacted) => Cow::Owned(redacted),
            Cow::Borrowed(_) => Cow::Owned(decoded),
        }
    }

    fn remember(&mut self, content: Range<usize>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let key = frame.key.as_ref().map(|key| &*key.text);
        let raw = &self.text[content.clone()];
        match key {
            Some(key) if super::is_value_key(key) => frame.value = Some(content),
            Some(key) if super::is_name_key(key) => {
                let named = frame.name.as_ref();
                if named.is_none_or(|name| self.text[name.clone()].starts_with('/')) {
                    frame.name = Some(content);
                }
            }
            Some(key) if super::is_pointer(key, raw) => {
                frame.name.get_or_insert(content);
            }
            Some(key) if super::is_generated_secret(key, raw) => {
                frame.governed = frame.governed.max(Governed(Sensitivity::Medium));
            }
            Some(_) => {}
            None => {
                frame.before = Some(content.clone());
                if self.with_strings {
                    self.strings.push(content);
                }
            }
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
        if let Some(class) = self
            .place()
            .masks_number(&key, &self.text[at..end], self.context)
        {
            self.spans.push(mark(at..end, class).shown(Show::Quoted));
        }
        end
    }

    /// Returns the key of the value that comes next, empty in a list.
    fn key(&self) -> Label<'a> {
        let key = self.frames.last().and_then(|frame| frame.key.clone());
        key.unwrap_or_default()
    }

    /// Judges a string that a key may tell to be a number of some kind.
    fn judge_member(&mut self, content: Range<usize>, governed: Governed) {
        let raw = &self.text[content.clone()];
        if !super::is_number(raw) || governed.is_strong() {
            self.judge(content, governed, &self.key());
        } else if let Some(class) = super::class_of_number(&self.key(), raw, self.context) {
            self.spans.push(mark(content, class));
        }
    }

    /// Masks what the string holds, or all of it if its place says so.
    fn judge(&mut self, content: Range<usize>, governed: Governed, label: &Label<'_>) {
        let raw = &self.text[content.clone()];
        let mut spans = if label.is_telling() {
            widened(
                raw,
                super::find_labelled(label, raw, self.context),
                self.context,
            )
        } else {
            self.find(&content)
        };
        spans.retain(|span| !document::is_public(&label.text, span));
        let whole = spans.len() == 1 && spans[0].range == (0..raw.len());
        let masked = !whole
            && (governed.masks(raw)
                || !spans.is_empty() && governed.masks(&text::render(raw, &spans)));
        if masked && !self.context.allows(raw, &label.text, PASSWORD) {
            self.spans.push(mark(content, PASSWORD));
            return;
        }
        let found = spans.into_iter().map(|span| span.moved(content.start));
        self.spans.extend(found);
    }
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or(&[])) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "[REDACTED:password_assignment]";

    fn redact(source: &str) -> Cow<'_, str> {
        crate::pipeline::redact_json(source, &Context::new(&crate::context::Settings::PLAIN)).text
    }

    fn check(source: &str, expected: &str) {
        let expected = expected.replace("MARK", MARK);
        assert_eq!(redact(source), expected);
        assert_eq!(redact(&expected), expected, "twice");
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
        assert!(matches!(redact(r#"{"a": [1, 2, "x"]}"#), Cow::Borrowed(_)));
        check(r#"{"password": "tall oak", "#, r#"{"password": "MARK", "#);
    }
}
