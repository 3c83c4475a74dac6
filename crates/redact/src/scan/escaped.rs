//! Secrets written with escapes: percent-encoding, HTML's references and the escapes of strings.
//!
//! A stretch of text with escapes is read into a buffer of fixed size, with the way back, and
//! searched there; so clean text costs no allocation.

use std::ops::Range;
use std::sync::OnceLock;

use crate::class::ENCODED;
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Longest stretch that is read at once.
const MAX_STRETCH: usize = 1024;
/// Escapes inside escapes that are followed.
const MAX_DEPTH: usize = 3;

const ID: &str = "escaped-secret";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[Rule {
    id: ID,
    class: ENCODED,
    source: "RFC 3986, section 2.1; HTML standard, character references; RFC 8259, section 7; C standard, escape sequences",
}];

/// Schemes of addresses that hold passwords, for addresses whose slashes are escaped.
const SCHEMES: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "mongodb+srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "http",
    "https",
    "ftp",
    "sftp",
    "smtp",
    "smtps",
    "ssh",
    "git",
    "ldap",
    "ldaps",
    "mssql",
    "sqlserver",
    "clickhouse",
    "nats",
    "mqtt",
    "kafka",
];

/// Lists escaped letters and digits, each followed by another escape, and escaped `://`.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    literals()
        .iter()
        .map(|text| Entry::any_case(text, Families::RUN))
}

fn literals() -> &'static [String] {
    static LITERALS: OnceLock<Vec<String>> = OnceLock::new();
    LITERALS.get_or_init(|| {
        let mut all: Vec<String> = ["3A%2F%2F", "253A%252F", "u004", "u005", "u006", "u007"]
            .map(str::to_owned)
            .into();
        for b in (0..=b'z').filter(u8::is_ascii_alphanumeric) {
            all.push(format!("{b:02x}%"));
            all.push(format!("x{b:02x};&"));
            all.push(format!("{b};&"));
            all.push(format!("x{b:02x}\\"));
            all.push(format!("u{{{b:02x}}}\\"));
            all.push(format!("{b:03o}\\"));
        }
        all.extend(SCHEMES.iter().map(|scheme| format!("{scheme}:\\/\\/")));
        all
    })
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(escape) = next_escape(bytes, at) {
        let stretch = around(text, escape, at);
        at = stretch.end.max(escape + 1);
        search(text, &stretch, spans);
    }
}

/// Finds the next escape that a rule could see through.
fn next_escape(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr::memchr3(b'%', b'&', b'\\', bytes.get(at..)?)?;
        if unescape(&bytes[at..]).is_some_and(|(b, _)| !matches!(b, b'\n' | b'\r' | b'\t' | b'\\'))
        {
            return Some(at);
        }
        // A doubled backslash is one sign, so that its second does not start another.
        at += if bytes.get(at + 1) == Some(&b'\\') {
            2
        } else {
            1
        };
    }
}

/// Widens an escape to the text around it without blanks and quotes.
fn around(text: &str, escape: usize, floor: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let head = bytes[floor.max(escape.saturating_sub(MAX_STRETCH / 2))..escape]
        .iter()
        .rev();
    let start = escape - head.take_while(|b| of_stretch(**b)).count();
    let limit = bytes.len().min(start + MAX_STRETCH);
    let mut end = escape;
    while end < limit {
        if bytes[end] == b'\\' {
            match unescape(&bytes[end..]) {
                Some((_, length)) => end += length,
                None => break,
            }
        } else if of_stretch(bytes[end]) {
            end += 1;
        } else {
            break;
        }
    }
    text.ceil_char_boundary(start)..text.floor_char_boundary(end.min(limit))
}

fn of_stretch(b: u8) -> bool {
    !b.is_ascii_whitespace() && !matches!(b, b'"' | b'\'' | b'`' | b'<' | b'>')
}

/// Reads one escape: the byte that it stands for, and its length.
fn unescape(rest: &[u8]) -> Option<(u8, usize)> {
    let (byte, length) = match rest {
        [b'%', high, low, ..] => (pair(*high, *low)?, 3),
        [b'&', b'#', ..] => reference(rest)?,
        [b'&', ..] => named(rest)?,
        [b'\\', b'x', high, low, ..] => (pair(*high, *low)?, 4),
        [b'\\', b'u', b'0', b'0', high, low, ..] => (pair(*high, *low)?, 6),
        [b'\\', b'u', b'{', high, low, b'}', ..] => (pair(*high, *low)?, 6),
        [b'\\', a @ b'0'..=b'1', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] => {
            ((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'), 4)
        }
        [b'\\', b'n', ..] => (b'\n', 2),
        [b'\\', b'r', ..] => (b'\r', 2),
        [b'\\', b't', ..] => (b'\t', 2),
        [b'\\', b @ (b'/' | b'\\'), ..] => (*b, 2),
        _ => return None,
    };
    (byte.is_ascii() && (byte >= b' ' || matches!(byte, b'\n' | b'\r' | b'\t')))
        .then_some((byte, length))
}

fn pair(high: u8, low: u8) -> Option<u8> {
    let digit = |b: u8| {
        char::from(b)
            .to_digit(16)
            .and_then(|d| u8::try_from(d).ok())
    };
    Some(digit(high)? * 16 + digit(low)?)
}

/// Reads a numeric reference: `&#103;` or `&#x67;`.
fn reference(rest: &[u8]) -> Option<(u8, usize)> {
    let close = rest.iter().take(8).position(|b| *b == b';')?;
    let number = std::str::from_utf8(rest.get(2..close)?).ok()?;
    let value = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u8::from_str_radix(hex, 16),
        None => number.parse(),
    };
    Some((value.ok()?, close + 1))
}

/// Reads a named reference of a sign.
fn named(rest: &[u8]) -> Option<(u8, usize)> {
    const NAMES: &[(&[u8], u8)] = &[
        (b"&amp;", b'&'),
        (b"&quot;", b'"'),
        (b"&apos;", b'\''),
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&colon;", b':'),
        (b"&commat;", b'@'),
        (b"&equals;", b'='),
        (b"&sol;", b'/'),
        (b"&lowbar;", b'_'),
    ];
    let known = NAMES.iter().find(|(name, _)| rest.starts_with(name));
    known.map(|(name, sign)| (*sign, name.len()))
}

/// A stretch without its escapes, with the place of each byte in the original.
struct View {
    bytes: [u8; MAX_STRETCH],
    places: [u16; MAX_STRETCH + 1],
    length: usize,
}

impl View {
    fn new(source: &[u8]) -> Self {
        let mut view = Self {
            bytes: [0; MAX_STRETCH],
            places: std::array::from_fn(|at| u16::try_from(at).unwrap_or(u16::MAX)),
            length: source.len().min(MAX_STRETCH),
        };
        view.bytes[..view.length].copy_from_slice(&source[..view.length]);
        view
    }

    /// Reads all escapes once; returns whether there were any. The text only becomes shorter, so
    /// it is read and written in place.
    fn unescape(&mut self) -> bool {
        let (mut from, mut to) = (0, 0);
        while from < self.length {
            let (byte, length) =
                unescape(&self.bytes[from..self.length]).unwrap_or((self.bytes[from], 1));
            self.bytes[to] = byte;
            self.places[to] = self.places[from];
            from += length;
            to += 1;
        }
        self.places[to] = self.places[self.length];
        let changed = to < self.length;
        self.length = to;
        changed
    }

    fn original(&self, range: &Range<usize>) -> Range<usize> {
        usize::from(self.places[range.start])..usize::from(self.places[range.end])
    }
}

fn search(text: &str, stretch: &Range<usize>, spans: &mut Vec<Span>) {
    let mut view = View::new(&text.as_bytes()[stretch.clone()]);
    for _ in 0..MAX_DEPTH {
        if !view.unescape() {
            return;
        }
        let Ok(decoded) = std::str::from_utf8(&view.bytes[..view.length]) else {
            return;
        };
        for found in super::evident(decoded) {
            let range = view.original(&found.range);
            let range = stretch.start + range.start..stretch.start + range.end;
            spans.push(Span::new(range, ENCODED, Stage::Encoded).by(ID));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate;
    use crate::scan::joined_by;

    fn masked(text: &str) -> Vec<&str> {
        joined_by(find, text)
    }

    fn token() -> String {
        ["ghp_", "q4Zt8KxW2pLm9RvB3nYs7DcF1gHj6QeA5uTo"].concat()
    }

    fn each(write: impl Fn(u8) -> String) -> String {
        token().bytes().map(write).collect()
    }

    #[test]
    fn tokens_in_every_escape() {
        for escaped in [
            each(|b| format!("%{b:02X}")),
            each(|b| format!("%25{b:02x}")),
            each(|b| format!("&#{b};")),
            each(|b| format!("&#x{b:x};")),
            each(|b| format!("\\x{b:02x}")),
            each(|b| format!("\\u{b:04x}")),
            each(|b| format!("\\u{{{b:x}}}")),
            each(|b| format!("\\{b:03o}")),
        ] {
            for text in [format!("see {escaped} here"), format!("<b>{escaped}</b>")] {
                assert_eq!(masked(&text), [escaped.as_str()], "{text}");
                let families = gate::families(&text);
                assert!(families.has(Families::RUN), "{text}");
            }
        }
    }

    #[test]
    fn addresses_and_assignments() {
        for (text, secret) in [
            (
                "next=postgres%3A%2F%2Fapp%3AW1ll0w1sl4nd78%40db%3A5432%2Fx",
                "W1ll0w1sl4nd78",
            ),
            (
                "\"mysql:\\/\\/app:W1ll0w1sl4nd78@db\\/x\"",
                "W1ll0w1sl4nd78",
            ),
            ("q=password%3DW1ll0w1sl4nd78%26x%3D1", "W1ll0w1sl4nd78"),
        ] {
            assert_eq!(masked(text), [secret], "{text}");
        }
    }

    #[test]
    fn harmless_escapes_stay() {
        for text in [
            "https://x.example/?u=https%3A%2F%2Fy.example%2Fa%3Fb%3Dc",
            "\\u003cdiv class=\\u0022a\\u0022\\u003e",
            "caf\\u00e9 and 100%af of it",
            "printf \"%02x\\n\"",
            "&lt;b&gt;text&lt;/b&gt; &#8217;",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
