//! What programs write around a literal: subscripts, constructors, types and options in quotes.

use std::ops::Range;

use super::Value;
use crate::openings::Openings;
use crate::value::{is_dense, looks_random};

/// Longest literal whose end is looked for, in bytes.
const MAX_LITERAL: usize = 256;

/// Skips further subscripts after a key that is one itself: `['password']['db']`, up to `at`.
pub(super) fn skip_subscripts(text: &str, from: usize, at: usize) -> usize {
    let mut at = at;
    for visibility in [":protected]", ":private]"] {
        if text[at..].starts_with(visibility) {
            return at + visibility.len();
        }
    }
    if let Some(class) = text[at..].strip_prefix(":\"") {
        let length = class
            .bytes()
            .take(64)
            .take_while(|b| b.is_ascii_alphanumeric() || *b == b'\\')
            .count();
        if class[length..].starts_with("\":private]") {
            return at + 2 + length + "\":private]".len();
        }
    }
    if !text[from..at].ends_with(']') {
        return at;
    }
    for _ in 0..3 {
        let Some(inner) = text[at..].strip_prefix(['[']) else {
            break;
        };
        let of_subscript = |b: &u8| {
            b.is_ascii_alphanumeric() || matches!(b, b'\'' | b'"' | b'_' | b'-' | b':' | b'.')
        };
        let length = inner.bytes().take(48).take_while(of_subscript).count();
        if length == 0 || !inner[length..].starts_with(']') {
            break;
        }
        at += length + 2;
    }
    at
}

/// Words that only wrap the literal in their brackets.
static WRAPPERS: Openings<11> = Openings::new([
    "Some(",
    "Just(",
    "Ok(",
    "Secret(",
    "Password(",
    "Token(",
    "SecretString(",
    "SecretStr(",
    "Redacted(",
    "String(",
    "str(",
]);

/// Skips a wrapper before a quoted literal, and the type and length that PHP's `var_dump` writes:
/// `Some("x")`, `string(14) "x"`, each on the next line too.
pub(super) fn skip_wrapper(text: &str, from: usize) -> usize {
    let mut at = from;
    let mut wrapped = false;
    if line_break(&text[at..]) > 0 {
        at = skip_whitespace(text, at);
    }
    if let Some(wrapper) = WRAPPERS.of(&text[at..]).next() {
        at = skip_whitespace(text, at + wrapper.len());
        wrapped = true;
    } else if text[at..].starts_with("string '") || text[at..].starts_with("string \"") {
        at += "string ".len();
        wrapped = true;
    } else if let Some(rest) = text[at..].strip_prefix("string(") {
        let digits = rest.bytes().take(6).take_while(u8::is_ascii_digit).count();
        if rest[digits..].starts_with(") ") {
            at += "string(".len() + digits + 2;
            wrapped = true;
        }
    }
    if !wrapped && let Some(start) = after_call(text, from).or_else(|| after_address(text, from)) {
        return start;
    }
    if wrapped && text[at..].starts_with(['"', '\'', '\\']) {
        at
    } else {
        from
    }
}

/// Skips a borrowed type and its sign before a literal: `&'static str = "x"`.
pub(super) fn skip_borrow(text: &str, from: usize) -> usize {
    let Some(rest) = text[from..].strip_prefix("&'") else {
        return from;
    };
    let of_type = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b' ' | b'&' | b'\'');
    let length = rest.bytes().take(48).take_while(of_type).count();
    // The declarations of a library hold the names of its keys.
    let telling = |literal: &str| is_dense(literal.split(['"', '\n']).next().unwrap_or(""));
    let literal = rest[length..].strip_prefix("= \"").is_some_and(telling);
    if literal { from + 2 + length + 2 } else { from }
}

/// Functions that take a name and fetch the value.
const READERS: &[&str] = &[
    "env",
    "getenv",
    "get",
    "fetch",
    "read",
    "lookup",
    "config",
    "require",
    "t",
    "tr",
    "i18n",
    "_",
    "__",
    "gettext",
    "trans",
    "param",
    "input",
    "prompt",
    "ask",
    "getpass",
    "find",
    "select",
    "open",
    "load",
    "var",
    "ref",
    "label",
    "value",
    "secret",
    "property",
    "getproperty",
    "getstring",
    "key",
    "querySelector",
    "file",
    "path",
    "translate",
    "format",
    "field",
    "resolve",
    "import",
    "compile",
    "match",
    "test",
    "regexp",
    "getenvironmentvariable",
    "option",
    "flag",
    "header",
    "column",
];

/// Skips a call around a literal that looks random: `Secret.new("x")`, `MD5('x')`.
fn after_call(text: &str, from: usize) -> Option<usize> {
    let start = from
        + if text[from..].starts_with("new ") {
            4
        } else {
            0
        };
    let of_path = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':');
    let length = text[start..].bytes().take(48).take_while(of_path).count();
    let name = &text[start..start + length];
    let quote = text[start + length..].strip_prefix(['(', '{'])?;
    let sign = quote.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let limit = quote.floor_char_boundary(quote.len().min(MAX_LITERAL));
    let inner = &quote[1..limit];
    let literal = &inner[..inner.find([sign, '\n'])?];
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    let reads = READERS
        .iter()
        .any(|reader| reader.eq_ignore_ascii_case(last));
    let telling = looks_random(literal, 8) && !literal.contains(['/', ' ', '{', '[', '(']);
    (!reads && telling).then_some(start + length + 1)
}

/// Skips the address before a literal, as debuggers show it: `0x77 "x"`.
fn after_address(text: &str, from: usize) -> Option<usize> {
    let digits = text[from..].strip_prefix("0x")?;
    let length = digits
        .bytes()
        .take(16)
        .take_while(u8::is_ascii_hexdigit)
        .count();
    digits[length..]
        .starts_with(" \"")
        .then_some(from + length + 3)
}

/// Skips blanks and line breaks, escaped ones too.
pub(super) fn skip_whitespace(text: &str, from: usize) -> usize {
    let mut at = from;
    while at < from + 64 {
        let breaks = line_break(&text[at..]);
        if breaks == 0 && !text[at..].starts_with([' ', '\t']) {
            break;
        }
        at += breaks.max(1);
    }
    at
}

/// Measures the line break that starts here; a string in a string writes it as `\n`.
pub(super) fn line_break(rest: &str) -> usize {
    let breaks = ["\n", "\r\n", "\\n", "\\r\\n"];
    let found = breaks.iter().find(|breaks| rest.starts_with(**breaks));
    found.map_or(0, |breaks| breaks.len())
}

/// Finds the end of a value that shares its quotes with its key: `'password=two words'`.
///
/// Only what reads like no other member follows, since a string can hold several.
pub(super) fn end_of_literal(text: &str, key: &Range<usize>, value: &Value) -> usize {
    let bytes = text.as_bytes();
    let end = value.range.end;
    let opened = key.start.checked_sub(1).map(|at| bytes[at]);
    let Some(quote @ (b'"' | b'\'')) = opened else {
        return end;
    };
    let spaced = text[..value.range.start].ends_with([' ', '\t']);
    if spaced || !matches!(bytes.get(end), Some(b' ' | b'&' | b';' | b',' | b'|')) {
        return end;
    }
    let limit = text.floor_char_boundary((end + MAX_LITERAL).min(text.len()));
    let rest = &text[end..limit];
    let stops = |c: char| matches!(c, '\n' | '\r' | '=' | ':' | '\\' | '"' | '\'');
    match rest.find(stops) {
        Some(close) if rest.as_bytes()[close] == quote => end + close,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{assignment, masked_by};

    fn masked(text: &str) -> Vec<&str> {
        masked_by(assignment::find, text)
    }

    #[test]
    fn literals_in_wrappers_and_below_subscripts() {
        for (text, secret) in [
            (
                "default['db']['password']['postgres'] = 'L5y6JS-1.js'",
                "L5y6JS-1.js",
            ),
            (
                "password: Some(\n        \"qZq5VckqOy1TZ\",\n    ),",
                "qZq5VckqOy1TZ",
            ),
            (
                "[\"password\"]=>\n  string(14) \"ZRByUtbAz6dtPP\"",
                "ZRByUtbAz6dtPP",
            ),
            (
                "-F 'password=5Z0rm YPE2Iv' https://x.example",
                "5Z0rm YPE2Iv",
            ),
            (
                "--data 'password=y6Icg&vf0pEs' https://x.example",
                "y6Icg&vf0pEs",
            ),
            ("-d 'password=y6Icg&user=ann'", "y6Icg"),
            ("\"password=y6Icg user=ann\"", "y6Icg"),
        ] {
            assert_eq!(masked(text), [secret], "{text}");
        }
    }

    #[test]
    fn a_wrapper_needs_a_literal() {
        for text in ["Some(password)", "string(14)", "Some(", "string(x) \"a\""] {
            assert_eq!(skip_wrapper(text, 0), 0, "{text}");
        }
    }
}
