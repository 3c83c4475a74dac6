//! Values that no sign joins to their key: elements, flags, names with values, prose, columns and
//! directives.

use std::ops::Range;

use super::read::read;
use super::{Evidence, Value, separator, skip_blanks, skip_closers};
use crate::key::{self, Sensitivity};
use crate::marker;
use crate::scan::bytes::Needle;
use crate::value::{is_dense, looks_random};

/// Longest text of an element that is considered, in bytes.
const MAX_ELEMENT: usize = 4096;

/// Reads `<key>value</key>`, `<ns:key attr="x">value</ns:key>` and `<Key><Value>value</Value>`.
pub(super) fn element(text: &str, key: &Range<usize>) -> Option<Value> {
    let bytes = text.as_bytes();
    let head = &bytes[..key.start];
    let head = match head.strip_suffix(b":") {
        Some(head) => {
            let prefix = head.iter().rev().take(24);
            let length = prefix.take_while(|b| b.is_ascii_alphanumeric()).count();
            &head[..head.len() - length]
        }
        None => head,
    };
    if head.last() != Some(&b'<') {
        return property(text, key);
    }
    let limit = bytes.len().min(key.end + MAX_ELEMENT);
    let attributes = memchr::memchr2(b'>', b'<', &bytes[key.end..limit])?;
    let from = key.end + attributes + 1;
    if bytes[from - 1] != b'>' || bytes[from - 2] == b'/' {
        return None;
    }
    let from = super::literal::skip_whitespace(text, from);
    let inner = ["<Value>", "<value>", "<string>"]
        .iter()
        .find(|tag| text[from..].starts_with(**tag));
    let from = from + inner.map_or(0, |tag| tag.len());
    element_text(
        text,
        from,
        if inner.is_some() {
            ""
        } else {
            &text[key.clone()]
        },
    )
}

/// Reads the text up to an end tag, which bears this name if it has a prefix or none.
fn element_text(text: &str, from: usize, name: &str) -> Option<Value> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_ELEMENT);
    let mut from = from;
    let Some(found) = memchr::memchr(b'<', &bytes[from..limit]) else {
        // The end tag is on a line that the value's does not await.
        let line = text[from..].split('\n').next().unwrap_or("");
        let below = !name.is_empty() && text[..from].trim_end_matches([' ', '\t']).ends_with('\n');
        let telling = below && is_dense(line) && !line.trim().contains(' ');
        return telling.then(|| assigned_text(text, from..from + line.len()));
    };
    let mut end = from + found;
    if text[end..].starts_with("<![CDATA[") && end == from {
        from += "<![CDATA[".len();
        end = from + memchr::memmem::find(&bytes[from..limit], b"]]>")?;
        return Some(assigned_text(text, from..end));
    }
    let tag = text[end..].strip_prefix("</")?;
    let tag = tag.split_once(':').filter(|(prefix, _)| prefix.len() <= 24);
    let plain = text[end + 2..].starts_with(name);
    (plain || tag.is_some_and(|(_, tag)| tag.starts_with(name)))
        .then(|| assigned_text(text, from..end))
}

/// Reads `<key>Password</key><string>value</string>` (property list, plist(5)).
fn property(text: &str, key: &Range<usize>) -> Option<Value> {
    let rest = text[key.end..].strip_prefix("</")?;
    let close = rest.get(..16.min(rest.len()))?.find('>')?;
    let from = key.end + 2 + close + 1;
    let mut at = from;
    let mut tag = None;
    // XML-RPC wraps the text once more: `<value><string>x</string></value>`.
    for _ in 0..2 {
        let gap = text[at..]
            .bytes()
            .take(64)
            .take_while(u8::is_ascii_whitespace)
            .count();
        let Some(open) = text[at + gap..].strip_prefix('<') else {
            break;
        };
        let Some(name) = ["string>", "data>", "value>", "Value>", "td>", "dd>"]
            .iter()
            .find(|name| open.starts_with(**name))
        else {
            break;
        };
        at += gap + 1 + name.len();
        tag = Some(name.trim_end_matches('>'));
    }
    element_text(text, at, tag?)
}

fn assigned_text(text: &str, range: Range<usize>) -> Value {
    let content = &text[range.clone()];
    let end = range.start + content.trim_end().len();
    let range = range.start..end.max(range.start);
    Value {
        range,
        quoted: true,
        evidence: Evidence::Assigned,
    }
}

/// Reads `--key value`, `["--key", "value"]` and `ENV KEY value`.
pub(super) fn flag(text: &str, key: &Range<usize>, closed: usize, spaced: usize) -> Option<Value> {
    let head = &text[..key.start];
    let dashed = head.ends_with('-');
    let set = ["ENV ", "ARG ", "setx ", "setenv "]
        .iter()
        .any(|word| head.ends_with(word));
    if !(dashed || set) {
        return None;
    }
    let listed = closed > key.end && text[spaced..].starts_with(',');
    let start = if listed {
        skip_blanks(text, spaced + 1)
    } else {
        spaced
    };
    let start = start + process(&text[start..]);
    if start == key.end || text[start..].starts_with(['-', '|', '>', '\\']) {
        return None;
    }
    let value = read(text, start, key, Evidence::Assigned)?;
    // The next argument of a call by its name: `add_argument("--password", help="...")`.
    if listed && !value.quoted && text[value.range.clone()].ends_with('=') {
        return None;
    }
    // In a list of options, a wide gap divides an option from what it does.
    let wide = !listed && start >= key.end + 2;
    if let Some(secret) = second_of_pair(text, key, &value) {
        return Some(secret);
    }
    let described = wide && !value.quoted && !is_dense(&text[value.range.clone()]);
    (!described).then_some(value)
}

/// Measures what opens the substitution of a command that only prints (bash(1), process
/// substitution): `<(echo `.
fn process(rest: &str) -> usize {
    const PRINTING: &[&str] = &["<(echo -n ", "<(echo ", "<(printf %s ", "<(printf '%s' "];
    let found = PRINTING.iter().find(|head| rest.starts_with(**head));
    found.map_or(0, |head| head.len())
}

/// Reads a value that the next member names: `name: KEY`, then `value: x`.
pub(super) fn name_value(text: &str, closed: usize) -> Option<Value> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(closed + 160);
    let gap = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b'"' | b'\'' | b'\\' | b'-');
    let skipped = bytes[closed..limit].iter().take_while(|b| gap(b)).count();
    let mut at = closed + skipped;
    // A line end that is written as an escape.
    if bytes[..at].ends_with(b"\\") && bytes.get(at) == Some(&b'n') {
        at += 1 + bytes[at + 1..limit.max(at + 1)]
            .iter()
            .take_while(|b| gap(b))
            .count();
    }
    let member = bytes.get(at..limit)?;
    let word = member
        .iter()
        .take_while(|b| b.is_ascii_alphabetic())
        .count();
    let name = word.checked_sub(5).map(|from| &member[from..word])?;
    if !name.eq_ignore_ascii_case(b"value") || word > 16 {
        return None;
    }
    let at = skip_blanks(text, skip_closers(text, at + word));
    let length = separator(&text[at..])?;
    let start = skip_blanks(text, at + length);
    read(text, start, &(start..start), Evidence::Assigned)
}

/// Reads what is typed into a field that the key names, and the text of an element whose
/// attribute does: `("password").fill("x")`, `'Password', with: 'x'`, `key="password">x</`.
pub(super) fn chained(text: &str, key: &Range<usize>, closed: usize) -> Option<Value> {
    const TYPING: &[&str] = &[
        "send_keys(",
        "sendKeys(",
        "type(",
        "fill(",
        "setValue(",
        "set_value(",
        "val(",
        "set(",
        "typeText(",
        "enterText(",
        "pressSequentially(",
        "input(",
        "setText(",
        "replaceText(",
    ];
    if let Some(value) = asserted(text, key, closed) {
        return Some(value);
    }
    if closed == key.end {
        return None;
    }
    let rest = &text[closed..];
    if rest.starts_with('>') {
        return element_text(text, closed + 1, "");
    }
    let start = if let Some(with) = rest.strip_prefix(", with: ") {
        text.len() - with.len()
    } else {
        let method = rest.strip_prefix(").")?;
        let typing = TYPING.iter().find(|name| method.starts_with(**name))?;
        closed + 2 + typing.len()
    };
    text[start..]
        .starts_with(['"', '\'', '`'])
        .then(|| read(text, start, key, Evidence::Adjacent))?
}

/// Reads the literal in braces that a variable begins with (C++, list initialization):
/// `kPassword{"x"}`.
pub(super) fn braced(text: &str, key: &Range<usize>, closed: usize) -> Option<Value> {
    if closed != key.end || !text[closed..].starts_with("{\"") {
        return None;
    }
    let value = read(text, closed + 1, key, Evidence::Assigned)?;
    text[value.range.end..].starts_with("\"}").then_some(value)
}

/// Reads the literal that a test compares with: `getPassword()).isEqualTo("x")`.
fn asserted(text: &str, key: &Range<usize>, closed: usize) -> Option<Value> {
    const COMPARING: &[&str] = &[
        "isEqualTo(",
        "toBe(",
        "toEqual(",
        "toStrictEqual(",
        "isEqual(",
        "equals(",
        "eq(",
        "should.equal(",
        "to.equal(",
        "equalsIgnoreCase(",
        "compare(",
        "contentEquals(",
    ];
    let rest = &text[closed..];
    let brackets = rest
        .bytes()
        .take(4)
        .take_while(|b| matches!(b, b'(' | b')'))
        .count();
    let method = rest[brackets..].strip_prefix('.')?;
    let name = COMPARING.iter().find(|name| method.starts_with(**name))?;
    let start = closed + brackets + 1 + name.len();
    text[start..]
        .starts_with(['"', '\'', '`'])
        .then(|| read(text, start, key, Evidence::Adjacent))?
}

/// Reads the secret of `credentials: user / secret` or `creds: user:secret`.
pub(super) fn second_of_pair(text: &str, key: &Range<usize>, value: &Value) -> Option<Value> {
    let name = text[key.clone()].as_bytes();
    let plural = [
        "credentials",
        "creds",
        "login",
        "auth",
        "daten",
        "identifiants",
    ]
    .iter()
    .any(|word| {
        let start = name.len().saturating_sub(word.len());
        name[start..].eq_ignore_ascii_case(word.as_bytes())
    });
    if !(plural || is_of_both(&text[..key.start])) {
        return None;
    }
    let content = &text[value.range.clone()];
    if let Some(at) = content.find([':', '/']).filter(|at| *at > 0) {
        let range = value.range.start + at + 1..value.range.end;
        let of_user = content[..at]
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'@'));
        let secret = &text[range.clone()];
        // A secret that is masked already is told by its marker.
        let plain = is_dense(secret) && !secret.contains(['/', ':']);
        let telling = of_user && (plain || marker::parse_at(secret, 0).is_some());
        return telling.then_some(Value {
            range,
            quoted: value.quoted,
            evidence: Evidence::Spoken,
        });
    }
    let rest = &text[value.range.end..];
    let joint = [" / ", " : ", ", "]
        .iter()
        .find(|joint| rest.starts_with(**joint))?;
    let secret = read(text, value.range.end + joint.len(), key, Evidence::Spoken)?;
    let content = &text[secret.range.clone()];
    (is_dense(content) || marker::parse_at(content, 0).is_some()).then_some(secret)
}

/// Tells whether the key is the second of two: `username and `, `login/`.
fn is_of_both(head: &str) -> bool {
    let Some(head) = [" and ", " & ", "/", " / "]
        .iter()
        .find_map(|joint| head.strip_suffix(joint))
    else {
        return false;
    };
    ["username", "user", "login", "account", "name", "email"]
        .iter()
        .any(|word| {
            let start = head.len().saturating_sub(word.len());
            head.as_bytes()[start..].eq_ignore_ascii_case(word.as_bytes())
        })
}

/// Reads `<input value="x" type="password">`: the attribute before.
fn attribute_before(text: &str, key: &Range<usize>) -> Option<Value> {
    let floor = text.ceil_char_boundary(key.start.saturating_sub(160));
    let head = &text[floor..key.start];
    let kind = ["type=\"", "name=\"", "id=\"", "type='", "name='", "id='"];
    if !kind.iter().any(|kind| head.ends_with(kind)) {
        return None;
    }
    let open = head.rfind('<')?;
    let at = open + head[open..].find(" value=")? + " value=".len();
    let value = read(
        text,
        floor + at,
        &(floor + at..floor + at),
        Evidence::Adjacent,
    )?;
    (value.quoted && value.range.end < key.start).then_some(value)
}

/// Reads `x as the password`: the word before.
pub(super) fn before(text: &str, key: &Range<usize>) -> Option<Value> {
    attribute_before(text, key).or_else(|| word_before(text, key))
}

/// Words of which the joints before a key have one.
static AS: Needle = Needle::new(" as ");
static THE: Needle = Needle::new(" the ");

fn word_before(text: &str, key: &Range<usize>) -> Option<Value> {
    let floor = text.ceil_char_boundary(key.start.saturating_sub(96));
    let head = &text[floor..key.start];
    let tail = head.len().saturating_sub(32);
    let tail = head.ceil_char_boundary(tail);
    if AS.find(head.as_bytes()).is_none() && THE.find(head.as_bytes()).is_none() {
        return None;
    }
    let (at, _) = [" as the ", " as a ", " as ", " is the ", " for the "]
        .iter()
        .filter_map(|joint| head[tail..].rfind(joint).map(|at| (tail + at, joint)))
        .min()?;
    if head[at..].contains(['\n', '.', ';', ',', ':', '=']) || head[..at].is_empty() {
        return None;
    }
    let body = head[..at].trim_end_matches(['"', '\'', '`']);
    let start = body
        .rfind([' ', '"', '\'', '`', '\n', '\t'])
        .map_or(0, |at| at + 1);
    let quoted =
        body.len() < at && start > 0 && head.as_bytes()[start - 1] == head.as_bytes()[body.len()];
    let content = &body[start..];
    let dense = is_dense(content) && !content.contains(['/', '(', ':', '.', '=']);
    dense.then_some(Value {
        range: floor + start..floor + start + content.len(),
        quoted,
        evidence: Evidence::Spoken,
    })
}

/// Reads the next column of a table, list or tuple.
pub(super) fn column(text: &str, key: &Range<usize>, closed: usize) -> Option<Value> {
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
    let call = joint.contains('(')
        || text[value.range.clone()].contains(['(', ')', '{', '}', '<', '>', '='])
        || is_in_template(text, key.start);
    let bracketed = joint.starts_with(" (")
        && text[value.range.end..].starts_with(')')
        && !is_place(&text[value.range.clone()]);
    if !value.quoted && call && !(bracketed && looks_random(&text[value.range.clone()], 8)) {
        return None;
    }
    if !value.quoted {
        let content = &text[value.range.clone()];
        value.range.end = value.range.start + content.find([',', '|']).unwrap_or(content.len());
    }
    (!value.range.is_empty()).then_some(value)
}

/// Tells whether the value is a place in a file, as traces of calls show it: `/a/b.js:41:13`.
fn is_place(value: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    value.contains(['/', '.']) && value.rsplit_once(':').is_some_and(|(_, line)| digits(line))
}

/// Tells whether an expression of a template is open here: `{{ .password | quote }}`.
fn is_in_template(text: &str, at: usize) -> bool {
    let floor = text.ceil_char_boundary(at.saturating_sub(96));
    let head = &text[floor..at];
    let open = head.rfind("{{");
    open.is_some_and(|open| !head[open..].contains(['}', '\n']))
}

/// Reads `password VALUE`, as in SQL, netrc files, configuration directives and prose: a quoted
/// literal, or a word that has letters, digits and more than a word would.
pub(super) fn neighbour(
    text: &str,
    key: &Range<usize>,
    spaced: usize,
    sensitivity: Sensitivity,
) -> Option<Value> {
    if sensitivity < Sensitivity::Medium || spaced == key.end {
        return None;
    }
    let start = skip_kind(text, spaced);
    // An option of the program whose name is the key.
    if text[start..].starts_with('-') {
        return None;
    }
    let mut value = read(text, start, key, Evidence::Spoken)?;
    // `password "Auth" "x"`: the first literal tells what the second is for.
    let next = value.range.end + 2;
    if value.quoted && text[value.range.end..].starts_with("\" \"") {
        value = read(text, next, key, Evidence::Spoken)?;
    }
    let content = &text[value.range.clone()];
    value.range.end -= content.len() - content.trim_end_matches(['.', ',']).len();
    let content = &text[value.range.clone()];
    // `method=password mfa=true`: the key is a value, and another member follows.
    let member = text[..key.start].ends_with('=') && content.contains('=');
    let place = content.starts_with('(') && is_place(content.trim_matches(['(', ')']));
    if !value.quoted && (member || place) {
        return None;
    }
    let passcode = key::last_word(&text[key.clone()])
        .is_some_and(|word| word.eq_ignore_ascii_case("passcode"));
    if passcode && (4..=12).contains(&content.len()) && content.bytes().all(|b| b.is_ascii_digit())
    {
        return Some(value);
    }
    let strong = sensitivity == Sensitivity::Strong || &text[key.clone()] == "PASS";
    let typed = start > spaced && content.len() >= 6;
    if typed || strong && (is_netrc(text, key) || value.quoted || is_directive(text, key, &value)) {
        if !value.quoted {
            value.evidence = Evidence::Assigned;
        }
        return Some(value);
    }
    // `username ann secret x` (Cisco IOS).
    if looks_random(content, 8) && is_directive(text, key, &value) {
        return Some(value);
    }
    // A directive of a block: `secret "x";` (named.conf).
    if value.quoted && looks_random(content, 16) {
        return Some(value);
    }
    let digits = content.bytes().filter(u8::is_ascii_digit).count();
    let (least_digits, least) = if strong { (2, 8) } else { (4, 20) };
    let dense = digits >= least_digits
        && content.len() >= least
        && !content.contains(['/', '(', '.', ':'])
        && (!content.contains('-')
            || looks_random(content, 8)
            || strong && is_introduced(text, key));
    dense.then_some(value)
}

/// Tells whether `with password` or its like stands here.
fn is_introduced(text: &str, key: &Range<usize>) -> bool {
    ["with ", "using ", "the ", "and ", "has ", "/ ", "as "]
        .iter()
        .any(|word| text[..key.start].ends_with(word))
}

/// Skips the digit that tells how a password is encrypted (Cisco IOS, `enable secret`), and the
/// type before a value of debconf (debconf-set-selections(1)).
fn skip_kind(text: &str, spaced: usize) -> usize {
    let rest = &text.as_bytes()[spaced..];
    if matches!(rest, [b'0' | b'4'..=b'9', b' ', next, ..] if !next.is_ascii_whitespace()) {
        return spaced + 2;
    }
    // `password manager user-name NAME plaintext x` (ArubaOS-Switch, Access Security Guide).
    if rest.starts_with(b"manager ") || rest.starts_with(b"operator ") {
        let line = &rest[..rest.len().min(64)];
        let kind = memchr::memmem::find(line, b" plaintext ");
        let kind = kind.filter(|at| !line[..*at].contains(&b'\n'));
        return kind.map_or(spaced, |at| spaced + at + " plaintext ".len());
    }
    for kind in [
        "password ",
        "string ",
        "encrypted ",
        "plain-text ",
        "hash ",
        "ascii-text ",
        "hexadecimal ",
        "cleartext ",
        "plaintext ",
        "cipher ",
        "simple ",
        "--plaintext ",
        "--iscrypted ",
        "local ",
        "remote ",
        "ENC ",
    ] {
        if rest.starts_with(kind.as_bytes()) {
            return spaced + kind.len();
        }
    }
    spaced
}

/// Tells whether `login` and a name stand before the key (netrc(5)).
fn is_netrc(text: &str, key: &Range<usize>) -> bool {
    let floor = key.start.saturating_sub(80);
    memchr::memmem::find(&text.as_bytes()[floor..key.start], b"login ").is_some()
}

/// Tells whether the key starts its line, after a few small words, and the value, which mixes letters and digits, ends it:
/// `requirepass x` (redis.conf).
fn is_directive(text: &str, key: &Range<usize>, value: &Value) -> bool {
    let floor = text.ceil_char_boundary(key.start.saturating_sub(48));
    let head = &text[floor..key.start];
    let line = head.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let small = |b: u8| {
        b.is_ascii_lowercase()
            || b.is_ascii_digit()
            || matches!(b, b' ' | b'\t' | b'-' | b'.' | b'/')
    };
    let starts = (line > 0 || floor == 0)
        && head[line..].bytes().all(small)
        && head[line..].split_ascii_whitespace().count() <= 4;
    let rest = &text[(value.range.end + usize::from(value.quoted)).min(text.len())..];
    let ends = rest.is_empty() || rest.starts_with(['\n', '\r']);
    let content = &text[value.range.clone()];
    starts && ends && is_dense(content) && content.len() >= 8
}
