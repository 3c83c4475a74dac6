//! Where the value of a key is, in the syntaxes that traces hold.

mod joints;
mod literal;
mod prose;
mod read;
mod yaml;

use std::ops::Range;

use crate::key::Sensitivity;
use crate::openings::Openings;
use literal::{end_of_literal, skip_wrapper};
pub(super) use prose::former;
pub(super) use read::extended;
use read::read;
use yaml::{end_of_scalar, indented, skip_properties};

/// Signs that assign, longest first.
static SEPARATORS: Openings<21> = Openings::new([
    "\\u003d", "\\u003a", "&#61;", "%3D", "%3A", "%3d", "%3a", "!==", "??=", "||=", ":=", "=>",
    "?=", "!=", "+=", "<-", "??", "=", ":", "：", "＝",
]);
/// Schemes of an `Authorization` value (the IANA registry of HTTP authentication schemes, and
/// some in common use).
const SCHEMES: &[&str] = &[
    "bearer ", "basic ", "token ", "apikey ", "bot ", "api-key ", "jwt ",
];

/// A value with what speaks for it.
#[derive(Debug)]
pub(super) struct Value {
    pub(super) range: Range<usize>,
    pub(super) quoted: bool,
    pub(super) evidence: Evidence,
}

/// How the key and the value are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Evidence {
    /// By a sign, a flag or a tag.
    Assigned,
    /// By standing in neighbouring columns.
    Adjacent,
    /// By a verb or a blank, as in prose.
    Spoken,
}

/// Finds the value that belongs to the key.
pub(super) fn after_key(text: &str, key: &Range<usize>, sensitivity: Sensitivity) -> Option<Value> {
    let closed = skip_closers(text, key.end);
    let closed = closed
        + CONFIRMATION
            .iter()
            .find(|w| text[closed..].starts_with(**w))
            .map_or(0, |w| w.len());
    let spaced = skip_blanks(text, closed);
    if let Some(length) = separator(&text[spaced..]) {
        // `"password" :rules="..."` is an attribute beside another.
        let beside = closed > key.end
            && spaced > closed
            && text[spaced..].starts_with(':')
            && !text[spaced + 1..].starts_with([' ', ':', '=', '"', '\'']);
        return (!beside)
            .then(|| assigned(text, key, spaced, length, sensitivity))
            .flatten();
    }
    if let Some(value) = joints::braced(text, key, closed) {
        return Some(value);
    }
    if let Some(value) = joints::chained(text, key, closed) {
        return Some(value);
    }
    // `<code>` and its like are markup, so an element needs more than a weak key.
    let strong = sensitivity == Sensitivity::Strong;
    joints::element(text, key)
        .filter(|_| sensitivity > Sensitivity::Weak)
        .or_else(|| joints::flag(text, key, closed, spaced))
        .or_else(|| joints::name_value(text, closed))
        .or_else(|| prose::spoken(text, key, spaced))
        .or_else(|| joints::column(text, key, closed))
        .or_else(|| joints::neighbour(text, key, spaced, sensitivity))
        .or_else(|| strong.then(|| joints::before(text, key)).flatten())
}

/// Words between a key and its sign.
const CONFIRMATION: &[&str] = &[" confirmation", " (again)", " again", " hash"];

/// Reads the value after a sign; after `name: type =` it is the one behind the second sign.
fn assigned(
    text: &str,
    key: &Range<usize>,
    sign_at: usize,
    length: usize,
    sensitivity: Sensitivity,
) -> Option<Value> {
    let sign = &text[sign_at..sign_at + length];
    let after = &text[sign_at + length..];
    if sign.starts_with('!') {
        return compared(text, key, sign_at + length);
    }
    let starts_field = key.start == 0 || text[..key.start].ends_with(['\n', ' ', ',', '"']);
    if sign == ":" && after.starts_with(": ") && starts_field {
        return ldif(text, key, sign_at + length + 2);
    }
    let doubled = sign == "=" && after.starts_with('=') || sign == ":" && after.starts_with(':');
    if doubled {
        return compared(text, key, sign_at + length);
    }
    let head = &text[..key.start];
    // The shell's `${NAME:?message}` and `${NAME:+other}` hold no value of NAME.
    if head.ends_with("${") && after.starts_with(['?', '+']) || sign == ":" && is_in_arn(head) {
        return None;
    }
    if sign == ":"
        && let Some(value) = indented(text, key, sign_at + length)
    {
        return Some(value);
    }
    if matches!(sign, ":" | "：")
        && let Some(value) = prose::below(text, key, sign_at + length)
    {
        return Some(value);
    }
    let mut spaced = skip_blanks(text, sign_at + length);
    if sign == ":" {
        spaced = skip_properties(text, spaced);
        spaced = literal::skip_borrow(text, spaced);
    }
    // A field's type (Rust), and the fields of an entry of the password database (passwd(5)).
    let typed = sign == ":" && head.ends_with("pub ");
    let entry = sign == ":" && head.ends_with('"') && &text[key.clone()] == "passwd";
    if typed || entry && PASSWD_FIELDS.iter().any(|name| after.starts_with(name)) {
        return None;
    }
    if closes_literal(text, key, spaced) {
        return None;
    }
    let start = skip_scheme(text, key, spaced);
    let start = skip_wrapper(text, start);
    let mut value = read(text, start, key, Evidence::Assigned)?;
    if !value.quoted {
        value.range.end = end_of_literal(text, key, &value);
    }
    if sign == ":" && !value.quoted {
        if let Some(typed) = after_type(text, key, &value) {
            return typed;
        }
        value.range.end = end_of_scalar(text, key, &value, sensitivity);
    }
    if let Some(secret) = joints::second_of_pair(text, key, &value) {
        return Some(secret);
    }
    plausible(text, &value, sensitivity).then_some(value)
}

/// Reads the base64 after the two colons of an LDIF entry (RFC 2849).
fn ldif(text: &str, key: &Range<usize>, start: usize) -> Option<Value> {
    let value = read(text, start, key, Evidence::Spoken)?;
    let content = text[value.range.clone()].trim_end_matches('=');
    let encoded = content.bytes().all(super::bytes::is_base64) && value.range.len() % 4 == 0;
    (encoded && value.range.len() >= 8).then_some(value)
}

/// Names of fields in quotes: `"passwd:shell"`.
const PASSWD_FIELDS: &[&str] = &[
    "gecos\"", "name\"", "shell\"", "dir\"", "uid\"", "gid\"", "passwd\"",
];

/// Reads the literal in `name: Type = "value"`; `Some(None)` if there is a type but no literal.
fn after_type(text: &str, key: &Range<usize>, value: &Value) -> Option<Option<Value>> {
    let next = skip_blanks(text, value.range.end);
    if !text[next..].starts_with("= ") {
        return None;
    }
    let initial = skip_blanks(text, next + 1);
    if text[initial..].starts_with(['"', '\'']) {
        return Some(read(text, initial, key, Evidence::Assigned));
    }
    let name = &text[value.range.clone()];
    let is_type = name
        .bytes()
        .all(|b| b.is_ascii_alphabetic() || matches!(b, b'[' | b']' | b'.' | b'_' | b'<' | b'>'));
    is_type.then_some(None)
}

/// Tells whether a quote here closes the literal that the key begins: `"Password: "`.
fn closes_literal(text: &str, key: &Range<usize>, at: usize) -> bool {
    let bytes = text.as_bytes();
    let opened = key.start.checked_sub(1).map(|at| bytes[at]);
    let Some(quote @ (b'"' | b'\'')) = opened else {
        return false;
    };
    bytes.get(key.end) != Some(&quote) && bytes.get(at) == Some(&quote)
}

/// Tells whether the text ends inside the name of a resource, whose parts colons divide (AWS
/// General Reference, ARN format).
fn is_in_arn(head: &str) -> bool {
    head.ends_with(':') && {
        let floor = head.floor_char_boundary(head.len().saturating_sub(96));
        let word = head[floor..].rsplit([' ', '"', '\'', '\n']).next();
        word.is_some_and(|word| word.starts_with("arn:") || word.contains("=arn:"))
    }
}

/// Reads the literal of a comparison; other comparisons are code.
fn compared(text: &str, key: &Range<usize>, from: usize) -> Option<Value> {
    let signs = text[from..]
        .bytes()
        .take(2)
        .take_while(|b| *b == b'=')
        .count();
    let start = skip_blanks(text, from + signs);
    text[start..]
        .starts_with(['"', '\''])
        .then(|| read(text, start, key, Evidence::Assigned))?
}

fn skip_closers(text: &str, from: usize) -> usize {
    let mut at = from;
    // The length of an array of characters: `password[64]`.
    if text[at..].starts_with('[') {
        let digits = text[at + 1..]
            .bytes()
            .take(6)
            .take_while(u8::is_ascii_digit)
            .count();
        if text[at + 1 + digits..].starts_with(']') {
            at += digits + 2;
        }
    }
    for entity in ["&quot;", "&#34;", "%22"] {
        if text[at..].starts_with(entity) {
            at += entity.len();
        }
    }
    let closers = |b: &u8| matches!(b, b'"' | b'\'' | b'`' | b'\\' | b']' | b'*' | b'?');
    at += text.as_bytes()[at..]
        .iter()
        .take(8)
        .take_while(|b| closers(b))
        .count();
    // A backslash that escapes no quote belongs to what follows: `\n`.
    at -= text[from..at].len() - text[from..at].trim_end_matches('\\').len();
    literal::skip_subscripts(text, from, at)
}

/// Skips blanks, and the colour codes and emphasis that may stand among them.
fn skip_blanks(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() && at < from + 32 {
        match bytes[at] {
            b' ' | b'\t' => at += 1,
            b'*' if bytes[at..].starts_with(b"** ") => at += 2,
            b'<' => match EMPHASIS.iter().find(|tag| text[at..].starts_with(**tag)) {
                Some(tag) => at += tag.len(),
                None => break,
            },
            0x1b if bytes.get(at + 1) == Some(&b'[') => {
                let end =
                    super::bytes::run_end(bytes, at + 2, 12, |b| b.is_ascii_digit() || b == b';');
                if bytes.get(end) != Some(&b'm') {
                    break;
                }
                at = end + 1;
            }
            _ => break,
        }
    }
    at
}

/// Tags that end the emphasis of a key.
const EMPHASIS: &[&str] = &["</b>", "</strong>", "</em>", "</label>", "</span>"];

/// Measures the sign that stands here.
fn separator(text: &str) -> Option<usize> {
    let first = *text.as_bytes().first()?;
    if first.is_ascii_alphanumeric() || first == b' ' {
        return None;
    }
    SEPARATORS.of(text).next().map(str::len)
}

/// Skips the scheme of an `Authorization` value; after that header it may be any word (RFC 9110,
/// section 11.1).
fn skip_scheme(text: &str, key: &Range<usize>, from: usize) -> usize {
    let quote = usize::from(text[from..].starts_with(['"', '\'']));
    let rest = &text.as_bytes()[from + quote..];
    let scheme = SCHEMES.iter().find(|scheme| {
        rest.get(..scheme.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
    });
    let length = match scheme {
        Some(scheme) => scheme.len(),
        None => {
            let of_scheme = |b: &&u8| b.is_ascii_alphabetic() || **b == b'-';
            let word = rest.iter().take(24).take_while(of_scheme).count();
            let header = key.end.saturating_sub("authorization".len());
            let header = &text.as_bytes()[header.max(key.start)..key.end];
            let named = header.eq_ignore_ascii_case(b"authorization");
            if !named || word < 2 || rest.get(word) != Some(&b' ') {
                return from;
            }
            word + 1
        }
    };
    skip_blanks(text, from + quote + length)
}

/// Keeps prose apart: an unquoted value after a colon that is followed by more words counts only
/// if it looks like no word.
fn plausible(text: &str, value: &Value, sensitivity: Sensitivity) -> bool {
    if value.quoted || sensitivity != Sensitivity::Strong {
        return true;
    }
    let rest = &text[value.range.end..];
    let more = rest.starts_with(' ') && rest[1..].starts_with(char::is_lowercase);
    let content = text[value.range.clone()].trim_end_matches(['.', ',', '!', '?']);
    // The name of a type or variable, at the end of a line of code.
    let ends = [",\n", ";\n", ",\r", ";\r", ")"];
    let code = ends.iter().any(|end| rest.starts_with(end)) || matches!(rest, "," | ";");
    let spaced = text[..value.range.start].ends_with(' ');
    // A number among the members of an enumeration.
    let number = content.len() <= 5 && text[..value.range.start].ends_with("= ");
    let named = || {
        content
            .bytes()
            .all(|b| b.is_ascii_alphabetic() || b == b'_')
            || number && content.bytes().all(|b| b.is_ascii_digit())
    };
    !(more && content.chars().all(char::is_alphabetic) || code && spaced && named())
}
