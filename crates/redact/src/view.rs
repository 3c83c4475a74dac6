//! A text as a reader sees it: without terminal colours, with escapes decoded.

use std::cell::Cell;
use std::ops::Range;

use crate::span::Span;

thread_local! {
    /// The last view, whose memory the next one takes: decoding costs no allocation then.
    static SPARE: Cell<View> = const { Cell::new(View::NONE) };
}

/// The decoded text with the way back to the source.
#[derive(Default)]
pub(crate) struct View {
    pub(crate) text: String,
    /// For each byte of the text, where it comes from.
    origins: Vec<Range<usize>>,
}

impl View {
    const NONE: Self = Self {
        text: String::new(),
        origins: Vec::new(),
    };

    /// Decodes a text and calls back with the view; not if it holds no escape.
    pub(crate) fn of(source: &str, call: impl FnOnce(&Self)) {
        let mut view = SPARE.take();
        if view.decode(source) {
            call(&view);
        }
        SPARE.set(view);
    }

    /// Decodes a text; returns whether it holds an escape.
    ///
    /// Decoded are what stands for printable ASCII: percent encoding (RFC 3986, section 2.1),
    /// `\u` and `\x` escapes of JSON and common languages (RFC 8259, section 7), and character
    /// references of HTML; removed are control sequences of terminals (ECMA-48, section 5.4),
    /// as bytes or written as escapes.
    fn decode(&mut self, source: &str) -> bool {
        self.text.clear();
        self.origins.clear();
        let bytes = source.as_bytes();
        let (mut at, mut copied) = (0, 0);
        while let Some(found) = next_escape(&bytes[at..]) {
            at += found;
            let Some((length, decoded)) = escape(&bytes[at..]) else {
                at += 1;
                continue;
            };
            self.copy(source, copied..at);
            if let Some(b) = decoded {
                self.text.push(char::from(b));
                self.origins.push(at..at + length);
            }
            at += length;
            copied = at;
        }
        if copied > 0 {
            self.copy(source, copied..bytes.len());
        }
        copied > 0
    }

    /// Maps a span of the view to the source.
    pub(crate) fn to_source(&self, mut span: Span) -> Span {
        let start = self.origins.get(span.range.start);
        let last = span
            .range
            .end
            .checked_sub(1)
            .and_then(|at| self.origins.get(at));
        span.range = match (start, last) {
            (Some(start), Some(last)) => start.start..last.end,
            _ => 0..0,
        };
        span
    }

    fn copy(&mut self, source: &str, range: Range<usize>) {
        self.text.push_str(&source[range.clone()]);
        self.origins.extend(range.map(|at| at..at + 1));
    }
}

/// Returns the length of the escape that starts here, and whether it stands for nothing.
pub(crate) fn escape_at(rest: &[u8]) -> Option<(usize, bool)> {
    escape(rest).map(|(length, decoded)| (length, decoded.is_none()))
}

fn next_escape(bytes: &[u8]) -> Option<usize> {
    let first = memchr::memchr3(b'\\', b'%', b'&', bytes);
    let until = first.unwrap_or(bytes.len());
    memchr::memchr(0x1b, &bytes[..until]).or(first)
}

/// Reads an escape: its length, and the byte it stands for, if for any.
fn escape(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    let printable = |b: u8| (0x20..0x7f).contains(&b).then_some(b);
    match *rest.first()? {
        0x1b => control(&rest[1..]).map(|length| (length + 1, None)),
        b'%' => {
            let b = printable(hex(rest.get(1..3)?)?)?;
            Some((3, Some(b)))
        }
        b'\\' => match *rest.get(1)? {
            b'x' => written(rest, 4, hex(rest.get(2..4)?)?),
            b'u' if rest.get(2..4)? == b"00" => written(rest, 6, hex(rest.get(4..6)?)?),
            b'0' if rest.get(2..4)? == b"33" => written(rest, 4, 0x1b),
            b'e' => written(rest, 2, 0x1b),
            _ => None,
        },
        b'&' => reference(rest),
        _ => None,
    }
}

/// Reads a character reference.
fn reference(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    let Some(number) = rest.strip_prefix(b"&#") else {
        let (name, b) = REFERENCES
            .iter()
            .find(|(name, _)| rest.starts_with(name.as_bytes()))?;
        return Some((name.len(), Some(*b)));
    };
    let (radix, digits) = match number.first()? {
        b'x' | b'X' => (16, &number[1..]),
        _ => (10, number),
    };
    let length = digits
        .iter()
        .take(6)
        .position(|b| *b == b';')
        .filter(|length| *length > 0)?;
    let digits = std::str::from_utf8(&digits[..length]).ok()?;
    let b = u8::from_str_radix(digits, radix).ok()?;
    let prefix = if radix == 16 { 3 } else { 2 };
    (0x20..0x7f)
        .contains(&b)
        .then_some((prefix + length + 1, Some(b)))
}

/// A byte written as an escape; an ESC counts only as the start of a control sequence.
fn written(rest: &[u8], length: usize, b: u8) -> Option<(usize, Option<u8>)> {
    if b == 0x1b {
        return control(&rest[length..]).map(|more| (length + more, None));
    }
    (0x20..0x7f).contains(&b).then_some((length, Some(b)))
}

/// Returns the length of what follows the ESC of a control sequence.
fn control(rest: &[u8]) -> Option<usize> {
    /// Longest sequence that is read.
    const MAX: usize = 32;
    if rest.first() != Some(&b'[') {
        return None;
    }
    let parameters = rest[1..]
        .iter()
        .take(MAX)
        .take_while(|b| (0x20..0x40).contains(*b))
        .count();
    let last = rest.get(1 + parameters)?;
    (0x40..0x7f).contains(last).then_some(parameters + 2)
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |b: u8| char::from(b).to_digit(16);
    let value = digit(digits[0])? * 16 + digit(digits[1])?;
    u8::try_from(value).ok()
}

/// Character references for signs that stand in and around credentials (HTML, section 13.5).
const REFERENCES: &[(&str, u8)] = &[
    ("&quot;", b'"'),
    ("&apos;", b'\''),
    ("&amp;", b'&'),
    ("&lt;", b'<'),
    ("&gt;", b'>'),
    ("&equals;", b'='),
    ("&colon;", b':'),
    ("&commat;", b'@'),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::PASSWORD;
    use crate::span::Stage;

    fn decoded(source: &str) -> Option<View> {
        let mut view = View::default();
        view.decode(source).then_some(view)
    }

    #[test]
    fn escapes_are_decoded() {
        for (source, text) in [
            ("a%3Db%zz%0a", "a=b%zz%0a"),
            ("p\\u0061ss\\x3dx", "pass=x"),
            ("a&quot;b&amp;c&nbsp;", "a\"b&c&nbsp;"),
            ("&#x67;&#104;&#8364;&#;&#x3D;", "gh&#8364;&#;="),
            ("gh\u{1b}[01;31m\u{1b}[Kp_\u{1b}[m1", "ghp_1"),
            ("x\\x1b[0my\\e[1mz\\033[0m\\u001b[m!", "xyz!"),
            ("é%41ö", "éAö"),
        ] {
            assert_eq!(decoded(source).map(|view| view.text).as_deref(), Some(text));
        }
        for source in ["plain", "100% \\n & \\", "\u{1b}", "%4", "\\u00"] {
            assert!(decoded(source).is_none(), "{source}");
        }
    }

    #[test]
    fn spans_map_back_to_whole_escapes() {
        let source = "k=%41b\u{1b}[0mc;";
        let view = decoded(source).expect("there are escapes");
        assert_eq!(view.text, "k=Abc;");
        let span = Span::new(2..5, PASSWORD, Stage::KeyValue);
        assert_eq!(&source[view.to_source(span).range], "%41b\u{1b}[0mc");
        let colour = Span::new(2..4, PASSWORD, Stage::KeyValue);
        assert_eq!(&source[view.to_source(colour).range], "%41b");
        let end = Span::new(5..6, PASSWORD, Stage::KeyValue);
        assert_eq!(&source[view.to_source(end).range], ";");
    }
}
