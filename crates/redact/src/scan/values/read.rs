//! Reads the value that starts at a place: quoted or bare.

use std::ops::Range;

use super::{Evidence, Value};
use crate::scan::bytes::run_end;

/// Longest quoted value that is considered, in bytes.
const MAX_QUOTED: usize = 4096;
/// How much of an unquoted value is judged; an accepted one is then followed to its end.
const MAX_BARE: usize = 256;
/// Longest value that is masked, in bytes.
const MAX_EXTENDED: usize = 64 * 1024;
/// Signs that open and close a quoted string where no plain quote does.
const LONG_QUOTES: &[(&str, &str)] = &[
    ("&quot;", "&quot;"),
    ("&#34;", "&#34;"),
    ("&#39;", "&#39;"),
    ("%22", "%22"),
    ("«", "»"),
    ("“", "”"),
    ("„", "“"),
    ("‘", "’"),
    ("「", "」"),
    ("『", "』"),
];

/// Reads the value that starts here.
pub(super) fn read(
    text: &str,
    start: usize,
    key: &Range<usize>,
    evidence: Evidence,
) -> Option<Value> {
    let bytes = text.as_bytes();
    let start = start + literal_prefix(&bytes[start..]);
    let slashes = bytes[start..]
        .iter()
        .take(8)
        .take_while(|b| **b == b'\\')
        .count();
    let quote = bytes.get(start + slashes).copied();
    if let Some(quote @ (b'"' | b'\'' | b'`')) = quote {
        let range = quoted(text, start + slashes + 1, quote, slashes);
        // Words in backticks are a command whose output is the value.
        if quote == b'`' && text[range.clone()].contains(' ') {
            return None;
        }
        return Some(Value {
            range,
            quoted: true,
            evidence,
        });
    }
    if let Some(range) = long_quoted(text, start) {
        return Some(Value {
            range,
            quoted: true,
            evidence,
        });
    }
    let end = end_of_bare(text, start, key);
    (end > start).then_some(Value {
        range: start..end,
        quoted: false,
        evidence,
    })
}

/// Measures the letter that makes a literal special: `N'x'` of SQL, `b"x"`, `r"x"`, `@"x"`, `$'x'`.
fn literal_prefix(rest: &[u8]) -> usize {
    let special = matches!(
        rest.first(),
        Some(b'N' | b'b' | b'r' | b'u' | b'f' | b'B' | b'R' | b'U' | b'E' | b'L' | b'@' | b'$')
    );
    usize::from(special && matches!(rest.get(1), Some(b'"' | b'\'')))
}

fn quoted(text: &str, from: usize, quote: u8, slashes: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    // Three quotes in a row open a longer literal.
    let triple = [quote; 3];
    if slashes == 0 && bytes[from..].starts_with(&triple[..2]) {
        let from = from + 2;
        let limit = bytes.len().min(from + MAX_QUOTED);
        let close = memchr::memmem::find(&bytes[from..limit], &triple);
        let line = || memchr::memchr(b'\n', &bytes[from..limit]);
        let length = close.or_else(line).unwrap_or(limit - from);
        return from..text.floor_char_boundary(from + length);
    }
    // An indented string of Nix: `''x''`.
    if quote == b'\''
        && bytes.get(from) == Some(&quote)
        && bytes.get(from + 1).is_some_and(u8::is_ascii_alphanumeric)
    {
        let limit = text.floor_char_boundary(bytes.len().min(from + MAX_QUOTED));
        let inner = &text[from + 1..limit];
        let close = inner.find("''").filter(|at| !inner[..*at].contains('\n'));
        if let Some(close) = close {
            return from + 1..from + 1 + close;
        }
    }
    from..text.floor_char_boundary(close_of_quote(bytes, from, quote, slashes))
}

fn long_quoted(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..];
    if !rest.starts_with(|c: char| matches!(c, '&' | '%') || !c.is_ascii()) {
        return None;
    }
    let (open, close) = LONG_QUOTES
        .iter()
        .find(|(open, _)| rest.starts_with(open))?;
    let from = start + open.len();
    let limit = text.floor_char_boundary((from + MAX_QUOTED).min(text.len()));
    let body = &text.as_bytes()[from..limit];
    let line = memchr::memchr(b'\n', body).unwrap_or(body.len());
    // A second opening sign shows that the first one is not closed.
    let again = (open != close)
        .then(|| memchr::memmem::find(&body[..line], open.as_bytes()))
        .flatten();
    let end = memchr::memmem::find(&body[..again.unwrap_or(line)], close.as_bytes())?;
    Some(from..from + end)
}

/// Finds the quote that closes: the same sign with no more backslashes before it than the opening
/// one had, or the end of the line. A doubled quote stands for one (SQL, YAML, CSV).
fn close_of_quote(bytes: &[u8], from: usize, quote: u8, slashes: usize) -> usize {
    let limit = bytes.len().min(from + MAX_QUOTED);
    let mut run = 0;
    let mut at = from;
    while at < limit {
        match bytes[at] {
            b'\\' => run += 1,
            b'\n' | b'\r' => return at,
            b if b == quote => {
                let closes = if slashes == 0 {
                    run % 2 == 0
                } else {
                    run <= slashes
                };
                let doubled = slashes == 0
                    && run == 0
                    && at > from
                    && bytes.get(at + 1) == Some(&quote)
                    && bytes.get(at + 2).is_some_and(u8::is_ascii_alphanumeric);
                if doubled {
                    at += 1;
                } else if closes {
                    return at - run.min(slashes);
                }
                run = 0;
            }
            _ => run = 0,
        }
        at += 1;
    }
    limit
}

fn end_of_bare(text: &str, start: usize, key: &Range<usize>) -> usize {
    let limit = text.floor_char_boundary((start + MAX_BARE).min(text.len()));
    let body = &text[start..limit];
    let query =
        text[..key.start].ends_with(['&', '?', '#']) || text[..key.start].ends_with("\\u0026");
    if let Some(end) = end_of_named(body) {
        return start + end;
    }
    let mut end = body.len();
    for (at, c) in body.char_indices() {
        if c.is_ascii_alphanumeric() {
            continue;
        }
        let rest = &body[at + c.len_utf8()..];
        let stops = match c {
            '"' | '\'' | '`' | '»' | '、' | '。' | '，' | '；' | '|' => at > 0,
            '<' => rest.starts_with('/'),
            '&' if at == 0 => false,
            '&' => query || starts_member(rest) || rest.starts_with("amp;"),
            ';' | ',' => query || ends_word(rest) || starts_member(rest),
            '\\' => rest.starts_with(['n', 'r', 't', '"', 'u', '\n', '\\']),
            c => c.is_whitespace() || c.is_control(),
        };
        if stops {
            end = at;
            break;
        }
    }
    let kept = body[..end].strip_suffix(':').unwrap_or(&body[..end]);
    let kept = trim_brackets(kept).trim_end_matches([',', ';']);
    start + kept.len()
}

/// Finds the end of `<a few words>`.
fn end_of_named(body: &str) -> Option<usize> {
    let inner = body.strip_prefix('<')?;
    let of_words = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b' ' | b'_' | b'-' | b'\'');
    let length = inner.bytes().take(64).take_while(of_words).count();
    inner[length..].starts_with('>').then_some(length + 2)
}

fn ends_word(rest: &str) -> bool {
    rest.is_empty()
        || rest
            .starts_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '}' | ')' | ']'))
}

/// Tells whether the text goes on with another `name=` or `name:`, the name in quotes or not.
fn starts_member(rest: &str) -> bool {
    let quoted = |b: &u8| matches!(b, b'"' | b'\'');
    let bytes = rest.as_bytes();
    let blanks = bytes.iter().take(8).take_while(|b| **b == b' ').count();
    let open = usize::from(bytes.get(blanks).is_some_and(quoted));
    let start = blanks + open;
    let of_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'_' | b'-' | b'.');
    let word = bytes[start..].iter().take(40).take_while(of_name).count();
    let close = usize::from(open > 0 && bytes.get(start + word).is_some_and(quoted));
    word > 0 && matches!(bytes.get(start + word + close), Some(b'=' | b':'))
}

/// Drops closing brackets that the value does not open.
fn trim_brackets(value: &str) -> &str {
    let mut value = value;
    while let Some(close) = value
        .chars()
        .last()
        .filter(|c| matches!(c, ')' | ']' | '}' | '）' | '】'))
    {
        let open = match close {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => '\0',
        };
        let count = |wanted: char| value.chars().filter(|c| *c == wanted).count();
        if count(open) >= count(close) {
            break;
        }
        value = &value[..value.len() - close.len_utf8()];
    }
    value
}

/// Follows an accepted value that reached the limit of judgement to its blank or quote.
pub(in crate::scan) fn extended(text: &str, value: &Value) -> Range<usize> {
    let Range { start, end } = value.range;
    let limit = if value.quoted { MAX_QUOTED } else { MAX_BARE };
    if end - start + 4 < limit {
        return start..end;
    }
    let stops = |b: u8| match b {
        b'"' | b'\'' | b'`' | b'\n' | b'\r' => true,
        b'<' | b'&' | b';' => !value.quoted,
        b => !value.quoted && b.is_ascii_whitespace(),
    };
    start..run_end(text.as_bytes(), end, MAX_EXTENDED, |b| !stops(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> &str {
        let value = read(text, 0, &(0..0), Evidence::Assigned).expect("a value");
        &text[value.range]
    }

    #[test]
    fn quotes_close_where_their_language_says() {
        for (text, inner) in [
            ("'a b' c", "a b"),
            ("'it''s x' c", "it''s x"),
            ("\"a\\\"b\" c", "a\\\"b"),
            ("\\\"ab\\\" c", "ab"),
            ("\"\"\"a b\"\"\" c", "a b"),
            ("N'ab'", "ab"),
            ("&quot;a&quot; b", "a"),
            ("“a b” c", "a b"),
            ("\"ab\ncd\"", "ab"),
        ] {
            assert_eq!(content(text), inner, "{text}");
        }
    }

    #[test]
    fn bare_values_end_at_members_and_blanks() {
        for (text, inner) in [
            ("a,b c", "a,b"),
            ("ab, c", "ab"),
            ("ab;User=x", "ab"),
            ("a&b c", "a&b"),
            ("a(b)) c", "a(b)"),
            ("ab</x>", "ab"),
        ] {
            assert_eq!(content(text), inner, "{text}");
        }
    }
}
