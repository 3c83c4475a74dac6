//! The bodies of private keys: base64 in lines, whatever stands between the lines.
//!
//! Traces show keys with escaped line ends, with quotes and joining signs of source code, with
//! line numbers, marks of quotation, of comments and of diffs, with HTML tags and with colours. So
//! a body is a row of runs of its alphabet with harmless gaps; prose ends it.

use crate::marker;

use super::armour::{Armour, armour};

/// A run of this length is a body whatever it consists of.
const LONG: usize = 32;
/// A run of this length is a body if it mixes letters, capitals and digits.
const MEDIUM: usize = 12;
/// Longest foreign text before a long run on the same line, as a log writes before each line.
const MAX_PREFIX: usize = 64;

/// Where a body ends, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Body {
    /// The end of what belongs to the key.
    pub(super) end: usize,
    pub(super) how: Ending,
    /// Whether there is key material at all, not only the armour.
    pub(super) has_material: bool,
}

/// Why a body ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Its END line closes it.
    Closed,
    /// The text ends first.
    Open,
    /// Something else follows.
    Cut,
}

/// Walks from here, which follows a BEGIN line or starts a line.
pub(super) fn walk(text: &str, from: usize) -> Body {
    let bytes = text.as_bytes();
    let mut body = Body {
        end: from,
        how: Ending::Open,
        has_material: false,
    };
    let mut at = from;
    loop {
        let start = gap_end(bytes, at);
        if start >= bytes.len() {
            return body;
        }
        at = match step(text, start, &body) {
            Step::Run { end, material } => {
                body.has_material |= material;
                body.end = end;
                end
            }
            Step::Skip(end) => end,
            Step::Close(end) => {
                body.end = end;
                body.how = Ending::Closed;
                return body;
            }
            Step::Stop => {
                body.how = Ending::Cut;
                return body;
            }
        };
    }
}

enum Step {
    /// A run of the body.
    Run {
        end: usize,
        material: bool,
    },
    /// A header or a decoy.
    Skip(usize),
    Close(usize),
    Stop,
}

fn step(text: &str, start: usize, body: &Body) -> Step {
    let bytes = text.as_bytes();
    if bytes[start..].starts_with(b"----") {
        return at_dashes(text, start);
    }
    if let Some(end) = header_end(bytes, start) {
        return Step::Skip(end);
    }
    let end = run_end(bytes, start);
    if end == start {
        return after_prefix(text, start, body);
    }
    let length = end - start;
    let mixed = is_mixed(&bytes[start..end]);
    if length >= LONG || length >= MEDIUM && mixed {
        return Step::Run {
            end,
            material: true,
        };
    }
    let next = gap_end(bytes, end);
    let goes_on = if next >= bytes.len() {
        mixed || length <= 4 && body.end + 8 >= start
    } else {
        closes(text, next) || run_end(bytes, next) - next >= LONG
    };
    if goes_on {
        let material = mixed && length >= 6;
        Step::Run { end, material }
    } else {
        after_prefix(text, start, body)
    }
}

fn at_dashes(text: &str, start: usize) -> Step {
    match armour(text, start) {
        Some(Armour::Begin { .. }) => Step::Stop,
        // A decoy END inside the body does not end the key if the body goes on after it.
        Some(Armour::End { end, private }) => {
            let next = gap_end(text.as_bytes(), end);
            if run_end(text.as_bytes(), next) - next >= 60 {
                Step::Skip(end)
            } else if private {
                Step::Close(end)
            } else {
                Step::Stop
            }
        }
        None => {
            let bytes = text.as_bytes();
            let dashes = bytes[start..].iter().take_while(|b| **b == b'-').count();
            Step::Skip(start + dashes)
        }
    }
}

fn closes(text: &str, at: usize) -> bool {
    text.as_bytes()[at..].starts_with(b"----")
        && matches!(armour(text, at), Some(Armour::End { private: true, .. }))
}

/// Accepts foreign text before a long run of the same line, before the last run, which can be short,
/// and before the END line.
fn after_prefix(text: &str, start: usize, body: &Body) -> Step {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(start + MAX_PREFIX);
    let mut at = start;
    // A marker is no part of a key: what it stands for was masked by itself.
    let marked = |at| bytes[at..].starts_with(marker::OPEN.as_bytes());
    while at < limit && bytes[at] != b'\n' && !marked(at) {
        let end = run_end(bytes, at);
        let run = &bytes[at..end];
        let digest = run.iter().all(u8::is_ascii_hexdigit);
        let last = || end - at >= 4 && body.has_material && closes_next_line(text, end);
        if is_mixed(run) && (end - at >= LONG && !digest || last()) {
            return Step::Run {
                end,
                material: true,
            };
        }
        if body.has_material && closes(text, at) {
            return Step::Skip(at);
        }
        at = end.max(at + 1);
    }
    Step::Stop
}

/// Tells whether the line ends here and the next one is the END line.
fn closes_next_line(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let next = gap_end(bytes, at);
    let limit = bytes.len().min(next + MAX_PREFIX);
    let ended = bytes[at..next].contains(&b'\n');
    ended
        && (next..limit)
            .take_while(|at| bytes[*at] != b'\n')
            .any(|at| closes(text, at))
}

/// Returns the end of the run of base64 that starts here, percent-encoded or not.
pub(super) fn run_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() {
        if is_body(bytes[at]) {
            at += 1;
        } else if let Some(b'B' | b'F' | b'D' | b'b' | b'f' | b'd') = bytes.get(at + 2)
            && matches!(bytes[at..at + 2], [b'%', b'2' | b'3'])
        {
            at += 3;
        } else {
            break;
        }
    }
    at
}

pub(super) fn is_body(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
}

/// Tells whether a run looks encoded: two kinds of characters, and not a capitalised word.
pub(super) fn is_mixed(run: &[u8]) -> bool {
    let any = |of: fn(&u8) -> bool| run.iter().any(of);
    let upper = any(u8::is_ascii_uppercase);
    let lower = any(u8::is_ascii_lowercase);
    let other = any(|b| !b.is_ascii_alphabetic());
    let late_capital = run.iter().skip(1).any(u8::is_ascii_uppercase);
    upper && lower && late_capital || other && (upper || lower)
}

/// Returns where the harmless text between two runs ends.
pub(super) fn gap_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() {
        let length = separator(bytes, at);
        if length == 0 {
            break;
        }
        at += length;
    }
    at.min(bytes.len())
}

/// Returns the length of the separator that starts here.
fn separator(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    if rest.starts_with(marker::OPEN.as_bytes()) {
        return 0;
    }
    match rest[0] {
        b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'`' | b',' | b'>' | b'|' | b'#' | b'*'
        | b';' | b'.' | b'(' | b')' | b'[' | b']' => 1,
        b'\\' => escape(rest),
        b'<' => closed(rest, b'>', 24),
        b'&' => closed(rest, b';', 8),
        b'%' if matches!(
            rest.get(1..3),
            Some(b"0A" | b"0D" | b"0a" | b"0d" | b"20" | b"22")
        ) =>
        {
            3
        }
        b'+' if matches!(rest.get(1), Some(b' ' | b'\n' | b'\r' | b'"' | b'\'')) => 1,
        b'-' if rest.get(1) != Some(&b'-') => 1,
        0x1b => colour(rest),
        // The vertical line of programs that show files with line numbers.
        0xE2 if rest.starts_with("│".as_bytes()) => 3,
        b'0'..=b'9' => line_number(rest),
        _ => 0,
    }
}

/// Backslashes with the letter of the escape: `\n`, `\\n`, `\u000a`, `\x0a`; or before a line end.
fn escape(rest: &[u8]) -> usize {
    let slashes = rest.iter().take_while(|b| **b == b'\\').count();
    let after = &rest[slashes..];
    slashes
        + match after.first() {
            Some(b'n' | b'r' | b't') => 1,
            Some(b'u') if after.starts_with(b"u000") => 5.min(after.len()),
            Some(b'x') if after.starts_with(b"x0") => 3.min(after.len()),
            _ => 0,
        }
}

/// A tag or an entity, up to its closing sign.
fn closed(rest: &[u8], sign: u8, max: usize) -> usize {
    let within = &rest[..rest.len().min(max)];
    let end = within.iter().position(|b| *b == sign || *b == b'\n');
    end.filter(|end| rest[*end] == sign)
        .map_or(0, |end| end + 1)
}

/// A control sequence (ECMA-48, section 5.4).
fn colour(rest: &[u8]) -> usize {
    let within = &rest[..rest.len().min(24)];
    let end = within.iter().position(u8::is_ascii_alphabetic);
    end.map_or(1, |end| end + 1)
}

/// The number of a line with what sets it off: `12<tab>`, `12:`, `12 |`.
fn line_number(rest: &[u8]) -> usize {
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = rest.get(digits);
    if digits <= 6 && matches!(sign, Some(b'\t' | b' ' | b':' | b'|' | b'.' | b')')) {
        digits + 1
    } else {
        0
    }
}

/// Returns the end of a header of an encrypted or armoured key that starts here (RFC 1421,
/// section 4.6; RFC 4716, section 3.3; RFC 9580, section 6.2.2).
fn header_end(bytes: &[u8], at: usize) -> Option<usize> {
    const HEADERS: &[&[u8]] = &[
        b"Proc-Type:",
        b"DEK-Info:",
        b"Content-Domain:",
        b"Key-Info:",
        b"Version:",
        b"Comment:",
        b"MessageID:",
        b"Hash:",
        b"Charset:",
        b"Subject:",
        b"x-",
    ];
    let rest = &bytes[at..];
    HEADERS.iter().find(|header| rest.starts_with(header))?;
    let line = rest.iter().take(160);
    Some(
        at + line
            .take_while(|b| !matches!(b, b'\n' | b'\\' | b'<'))
            .count(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_of_many_kinds_are_passed() {
        for gap in [
            "\n",
            "\r\n",
            "\\n",
            "\\\\n",
            "\\u000a",
            " ",
            "\n> ",
            "\n   12\t",
            "\n12: ",
            "\n12 │ ",
            "<br>\n",
            "<br/>",
            "&#10;",
            "%0A",
            "\\n' +\n  '",
            "\\n\"\n\t\"",
            "\n+ ",
            "\n - ",
            "\n# ",
            "\n * ",
            "\x1b[0m\n\x1b[32m",
            "\",\n  \"",
        ] {
            let text = format!("{gap}Q1w2E3r4T5y6U7i8");
            assert_eq!(gap_end(text.as_bytes(), 0), gap.len(), "{gap:?}");
        }
    }

    #[test]
    fn prose_ends_a_body() {
        let run = "Q1w2E3r4T5y6U7i8".repeat(4);
        for tail in [
            "\nError: it failed",
            "\",\"next\":1}",
            "\nconnection closed.",
            "\n$ ls",
        ] {
            let text = format!("{run}\n{run}{tail}");
            let body = walk(&text, 0);
            assert_eq!(body.how, Ending::Cut, "{tail:?}");
            assert_eq!(body.end, text.len() - tail.len(), "{tail:?}");
        }
    }
}
