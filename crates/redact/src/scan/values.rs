//! Where the value of a key is, in the syntaxes that traces hold.

use std::ops::Range;

use crate::key::Sensitivity;

/// Longest value that is considered, in bytes.
const MAX_VALUE: usize = 4096;
/// How much of an unquoted value is judged; an accepted one is then followed to its end.
const MAX_BARE: usize = 256;
/// Longest unquoted value that is masked, in bytes.
const MAX_EXTENDED: usize = 64 * 1024;
/// Signs that assign, longest first.
const SEPARATORS: &[&str] = &[
    "\\u003d", "\\u003a", "&#61;", "%3D", "%3A", "%3d", "%3a", ":=", "=>", "=", ":", "：", "＝",
];
/// Signs that open and close a quoted string where no plain quote does.
const LONG_QUOTES: &[(&str, &str)] = &[
    ("&quot;", "&quot;"),
    ("%22", "%22"),
    ("«", "»"),
    ("“", "”"),
    ("「", "」"),
];
/// Schemes of an `Authorization` value (the IANA registry of HTTP authentication schemes, and two
/// in common use).
const SCHEMES: &[&str] = &["bearer ", "basic ", "token ", "apikey ", "bot ", "api-key "];

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
        return assigned(text, key, spaced, length, sensitivity);
    }
    // `<code>` and its like are markup, so an element needs more than a weak key.
    element(text, key)
        .filter(|_| sensitivity > Sensitivity::Weak)
        .or_else(|| flag(text, key, closed, spaced))
        .or_else(|| name_value(text, closed))
        .or_else(|| spoken(text, key, spaced))
        .or_else(|| column(text, key, closed))
        .or_else(|| neighbour(text, key, spaced, sensitivity))
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
    let doubled = sign == "=" && after.starts_with('=') || sign == ":" && after.starts_with(':');
    if doubled {
        return compared(text, key, sign_at + length);
    }
    // The shell's `${NAME:?message}` and `${NAME:+other}` hold no value of NAME.
    if text[..key.start].ends_with("${") && after.starts_with(['?', '+']) {
        return None;
    }
    if sign == ":"
        && let Some(value) = indented(text, key, sign_at + length)
    {
        return Some(value);
    }
    let start = skip_scheme(text, skip_blanks(text, sign_at + length));
    let value = read(text, start, key, Evidence::Assigned)?;
    if sign == ":" && !value.quoted {
        let next = skip_blanks(text, value.range.end);
        let initial = next + usize::from(text[next..].starts_with('='));
        let initial = skip_blanks(text, initial);
        if text[next..].starts_with("= ") && text[initial..].starts_with(['"', '\'']) {
            return read(text, initial, key, Evidence::Assigned);
        }
    }
    plausible(text, &value, sensitivity).then_some(value)
}

/// Reads the one word on an indented line after `key:` or a block sign (YAML 1.2, section 8.1).
fn indented(text: &str, key: &Range<usize>, from: usize) -> Option<Value> {
    let line = text[from..]
        .trim_start_matches(' ')
        .trim_start_matches(['|', '>', '-', '+']);
    let next = line.strip_prefix('\r').unwrap_or(line).strip_prefix('\n')?;
    let body = next.trim_start_matches([' ', '\t']);
    let start = text.len() - body.len();
    if body.len() == next.len() || body.starts_with('-') || start > from + 64 {
        return None;
    }
    let value = read(text, start, key, Evidence::Spoken)?;
    let rest = &text[value.range.end + usize::from(value.quoted)..];
    let alone = rest.is_empty() || rest.starts_with(['\n', '\r']);
    let member =
        text[value.range.clone()].contains(": ") || text[value.range.clone()].ends_with(':');
    (alone && !member).then_some(value)
}

/// Reads the literal of a comparison; other comparisons are code.
fn compared(text: &str, key: &Range<usize>, from: usize) -> Option<Value> {
    let start = skip_blanks(
        text,
        from + text[from..]
            .bytes()
            .take(2)
            .take_while(|b| *b == b'=')
            .count(),
    );
    text[start..]
        .starts_with(['"', '\''])
        .then(|| read(text, start, key, Evidence::Assigned))?
}

/// Follows an accepted value that reached the limit of judgement to its blank or quote.
pub(super) fn extended(text: &str, value: &Value) -> Range<usize> {
    let Range { start, end } = value.range;
    let limit = if value.quoted { MAX_VALUE } else { MAX_BARE };
    if end - start + 4 < limit {
        return start..end;
    }
    let stops = |b: u8| match b {
        b'"' | b'\'' | b'`' | b'\n' | b'\r' => true,
        b'<' | b'&' | b';' => !value.quoted,
        b => !value.quoted && b.is_ascii_whitespace(),
    };
    start..super::bytes::run_end(text.as_bytes(), end, MAX_EXTENDED, |b| !stops(b))
}

fn skip_closers(text: &str, from: usize) -> usize {
    let mut at = from;
    for entity in ["&quot;", "%22"] {
        if text[at..].starts_with(entity) {
            at += entity.len();
        }
    }
    let closers = |b: &u8| matches!(b, b'"' | b'\'' | b'`' | b'\\' | b']' | b'*' | b'?');
    at + text.as_bytes()[at..]
        .iter()
        .take(8)
        .take_while(|b| closers(b))
        .count()
}

/// Skips blanks, and the colour codes and emphasis that may stand among them.
fn skip_blanks(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() && at < from + 32 {
        match bytes[at] {
            b' ' | b'\t' => at += 1,
            b'*' if bytes[at..].starts_with(b"** ") => at += 2,
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

fn separator(text: &str) -> Option<usize> {
    SEPARATORS
        .iter()
        .find(|sign| text.starts_with(**sign))
        .map(|sign| sign.len())
}

fn skip_scheme(text: &str, from: usize) -> usize {
    let quote = usize::from(text[from..].starts_with(['"', '\'']));
    let scheme = SCHEMES.iter().find(|scheme| {
        text[from + quote..]
            .get(..scheme.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    });
    scheme.map_or(from, |scheme| {
        skip_blanks(text, from + quote + scheme.len())
    })
}

/// Keeps prose apart: an unquoted value after a colon that is followed by more words counts only
/// if it looks like no word.
fn plausible(text: &str, value: &Value, sensitivity: Sensitivity) -> bool {
    if value.quoted || sensitivity != Sensitivity::Strong {
        return true;
    }
    let rest = &text[value.range.end..];
    let more = rest.starts_with(' ') && rest[1..].starts_with(|c: char| c.is_ascii_lowercase());
    let content = text[value.range.clone()].trim_end_matches(['.', ',', '!', '?']);
    !more || !content.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Reads the value that starts here.
fn read(text: &str, start: usize, key: &Range<usize>, evidence: Evidence) -> Option<Value> {
    let bytes = text.as_bytes();
    let slashes = bytes[start..]
        .iter()
        .take(8)
        .take_while(|b| **b == b'\\')
        .count();
    let quote = bytes.get(start + slashes).copied();
    if let Some(quote @ (b'"' | b'\'' | b'`')) = quote {
        let from = start + slashes + 1;
        // Three quotes in a row open a longer literal.
        let triple = [quote; 2];
        let from = if bytes[from..].starts_with(&triple) {
            from + 2
        } else {
            from
        };
        let end = text.floor_char_boundary(close_of_quote(bytes, from, quote, slashes));
        // Words in backticks are a command whose output is the value.
        if quote == b'`' && text[from..end].contains(' ') {
            return None;
        }
        return Some(Value {
            range: from..end,
            quoted: true,
            evidence,
        });
    }
    for (open, close) in LONG_QUOTES {
        if text[start..].starts_with(open) {
            let from = start + open.len();
            let limit = text.floor_char_boundary((from + MAX_VALUE).min(text.len()));
            let end = text[from..limit].find(close).map(|at| from + at);
            if let Some(end) = end {
                return Some(Value {
                    range: from..end,
                    quoted: true,
                    evidence,
                });
            }
        }
    }
    let end = end_of_bare(text, start, key);
    (end > start).then_some(Value {
        range: start..end,
        quoted: false,
        evidence,
    })
}

/// Finds the quote that closes: the same sign with no more backslashes before it than the opening
/// one had, or the end of the line.
fn close_of_quote(bytes: &[u8], from: usize, quote: u8, slashes: usize) -> usize {
    let limit = bytes.len().min(from + MAX_VALUE);
    let mut run = 0;
    for (at, b) in bytes.iter().enumerate().take(limit).skip(from) {
        match *b {
            b'\\' => run += 1,
            b'\n' | b'\r' => return at,
            b if b == quote => {
                let closes = if slashes == 0 {
                    run % 2 == 0
                } else {
                    run <= slashes
                };
                if closes {
                    return at - run.min(slashes);
                }
                run = 0;
            }
            _ => run = 0,
        }
    }
    limit
}

fn end_of_bare(text: &str, start: usize, key: &Range<usize>) -> usize {
    let limit = text.floor_char_boundary((start + MAX_BARE).min(text.len()));
    let body = &text[start..limit];
    let query =
        text[..key.start].ends_with(['&', '?', '#']) || text[..key.start].ends_with("\\u0026");
    let mut end = body.len();
    for (at, c) in body.char_indices() {
        let rest = &body[at + c.len_utf8()..];
        let stops = match c {
            c if c.is_whitespace() || c.is_control() => true,
            '"' | '\'' | '`' | '»' | '、' | '。' | '，' | '；' | '|' => at > 0,
            '<' => rest.starts_with('/'),
            '&' if at == 0 => false,
            '&' => query || starts_member(rest) || rest.starts_with("amp;"),
            ';' | ',' => query || ends_word(rest) || starts_member(rest),
            '\\' => rest.starts_with(['n', 'r', 't', '"', 'u', '\n', '\\']),
            _ => false,
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

fn ends_word(rest: &str) -> bool {
    rest.is_empty()
        || rest
            .starts_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '}' | ')' | ']'))
}

/// Tells whether the text goes on with another `name=` or `name:`.
fn starts_member(rest: &str) -> bool {
    let word = rest
        .bytes()
        .take(40)
        .take_while(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b' ' | b'_' | b'-' | b'.' | b'"' | b'\'')
        })
        .count();
    word > 0 && matches!(rest.as_bytes().get(word), Some(b'=' | b':'))
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

/// Reads `<key>value</key>` and `<key attr="x">value</key>`.
fn element(text: &str, key: &Range<usize>) -> Option<Value> {
    if !text[..key.start].ends_with('<') {
        return None;
    }
    let limit = text.floor_char_boundary((key.end + MAX_VALUE).min(text.len()));
    let from = key.end + text[key.end..limit].find('>')? + 1;
    let end = from + text[from..limit].find('<')?;
    let closes = text[end..]
        .strip_prefix("</")?
        .starts_with(&text[key.clone()]);
    closes.then_some(Value {
        range: from..end,
        quoted: true,
        evidence: Evidence::Assigned,
    })
}

/// Reads `--key value`, `["--key", "value"]`, `ENV KEY value` and `password value` of `nmcli`.
fn flag(text: &str, key: &Range<usize>, closed: usize, spaced: usize) -> Option<Value> {
    let head = &text[..key.start];
    let dashed = head.ends_with('-');
    let near = &head[head.floor_char_boundary(head.len().saturating_sub(16))..];
    let word = near
        .trim_end_matches(' ')
        .rsplit(['\n', ' '])
        .next()
        .unwrap_or("");
    let set = head.ends_with(' ') && matches!(word, "ENV" | "ARG" | "setx");
    let nmcli = head.ends_with(' ')
        && head[head.floor_char_boundary(head.len().saturating_sub(120))..].contains("nmcli ");
    if !(dashed || set || nmcli) {
        return None;
    }
    let listed = closed > key.end && text[spaced..].starts_with(',');
    let start = if listed {
        skip_blanks(text, spaced + 1)
    } else {
        spaced
    };
    if start == key.end || text[start..].starts_with(['-', '|', '>', '\\']) {
        return None;
    }
    read(text, start, key, Evidence::Assigned)
}

/// Reads a value that the next member names: `name: KEY`, then `value: x`.
fn name_value(text: &str, closed: usize) -> Option<Value> {
    let limit = text.floor_char_boundary((closed + 160).min(text.len()));
    let window = &text[closed..limit];
    let gap = |c: char| c.is_whitespace() || matches!(c, ',' | '"' | '\'' | '\\' | '-' | 'n');
    let member = window.trim_start_matches(gap);
    let rest = ["value", "Value", "VALUE"]
        .iter()
        .find_map(|name| member.strip_prefix(name))?;
    let at = skip_blanks(text, skip_closers(text, limit - rest.len()));
    let length = separator(&text[at..])?;
    let start = skip_blanks(text, at + length);
    read(text, start, &(start..start), Evidence::Assigned)
}

/// Reads `the password is x`.
fn spoken(text: &str, key: &Range<usize>, spaced: usize) -> Option<Value> {
    const VERBS: &[&str] = &[
        "is ",
        "was ",
        "to ",
        "ist ",
        "est ",
        "es ",
        "is now ",
        "is set to ",
        "was set to ",
        "set to ",
        "was changed to ",
        "changed to ",
        "was reset to ",
        "reset to ",
        "should be ",
        "is: ",
        "は",
        "是",
        "为",
    ];
    let verb = VERBS
        .iter()
        .filter(|verb| text[spaced..].starts_with(**verb))
        .max_by_key(|verb| verb.len())?;
    let start = skip_blanks(text, spaced + verb.len());
    let mut value = read(text, start, key, Evidence::Spoken)?;
    let content = &text[value.range.clone()];
    value.range.end -= content.len() - content.trim_end_matches(['.', ',', '!', '?']).len();
    Some(value)
}

/// Reads the next column of a table, list or tuple.
fn column(text: &str, key: &Range<usize>, closed: usize) -> Option<Value> {
    let limit = (closed + 24).min(text.len());
    let gap = text.as_bytes()[closed..limit]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t' | b',' | b'|' | b'(' | b';'))
        .count();
    let joint = &text[closed..closed + gap];
    if !joint.contains([',', '|', '\t', '(']) {
        return None;
    }
    let start = closed + gap;
    let mut value = read(text, start, key, Evidence::Adjacent)?;
    let call = joint.contains('(') || text[value.range.clone()].contains(['(', '{', '<', '=']);
    if !value.quoted && call {
        return None;
    }
    if !value.quoted {
        let content = &text[value.range.clone()];
        value.range.end = value.range.start + content.find([',', '|']).unwrap_or(content.len());
    }
    (!value.range.is_empty()).then_some(value)
}

/// Reads `password VALUE`, as in SQL, netrc files and prose: a quoted literal, or a word that has
/// letters, digits and more than a word would.
fn neighbour(
    text: &str,
    key: &Range<usize>,
    spaced: usize,
    sensitivity: Sensitivity,
) -> Option<Value> {
    if sensitivity < Sensitivity::Medium || spaced == key.end {
        return None;
    }
    let mut value = read(text, spaced, key, Evidence::Spoken)?;
    let content = &text[value.range.clone()];
    value.range.end -= content.len() - content.trim_end_matches(['.', ',']).len();
    let content = &text[value.range.clone()];
    let netrc =
        text[text.floor_char_boundary(key.start.saturating_sub(80))..key.start].contains("login ");
    let digits = content.bytes().filter(u8::is_ascii_digit).count();
    let strong = sensitivity == Sensitivity::Strong;
    let (least_digits, least) = if strong { (2, 8) } else { (4, 20) };
    let dense = digits >= least_digits
        && content.len() >= least
        && !content.contains(['-', '/', '(', '.', ':']);
    if netrc && strong {
        value.evidence = Evidence::Assigned;
    }
    (strong && (value.quoted || netrc) || dense).then_some(value)
}
