//! Private keys in their textual encodings, whole or cut, in any of the line separators of traces.

use std::ops::Range;

use memchr::memmem;

use crate::class::PRIVATE_KEY;
use crate::span::{Span, Stage};

/// Least number of base64 bytes before a lone END line for them to be a key's tail.
const MIN_TAIL: usize = 40;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    armoured(text, spans);
    putty(text, spans);
}

/// Returns how much of the text goes on with a private key that began before it.
pub(crate) fn continued(text: &str) -> usize {
    end_of_body(text, 0)
}

/// Tells whether a private key is open at the end of a line, given whether one was before it.
pub(crate) fn is_open_after(line: &str, before: bool) -> bool {
    let bytes = line.as_bytes();
    let mut from = before.then_some(0);
    let mut done = 0;
    for at in memmem::find_iter(bytes, "-----").chain(memmem::find_iter(bytes, "---- BEGIN SSH2")) {
        if at < done {
            continue;
        }
        if let Some(start) = label(line, at, "BEGIN ") {
            from = Some(start);
            done = start;
        } else if let Some(end) = label(line, at, "END ") {
            from = None;
            done = end;
        }
    }
    from.is_some_and(|from| body_end(bytes, from).is_none())
}

/// Tells whether a line belongs to the body of a private key, or ends it.
pub(crate) fn is_body_or_end(line: &str) -> bool {
    match body_end(line.as_bytes(), 0) {
        None => true,
        Some(at) => label(line, at, "END ").is_some(),
    }
}

/// Tells whether a line ends a private key.
pub(crate) fn is_end(line: &str) -> bool {
    let at = line.len() - line.trim_start_matches([' ', '\t', '>', '|']).len();
    label(line, at, "END ").is_some()
}

/// Tells whether a line is nothing but at least this much of a key's alphabet.
pub(crate) fn is_tail(line: &str, least: usize) -> bool {
    let content = line.trim_matches([' ', '\t', '\r', '\n', '>', '|', '"', '\'', ',']);
    content.len() >= least && content.bytes().all(is_body)
}

/// Tells whether a line could be in the middle of a private key, or starts one without armour.
pub(crate) fn starts_tail(line: &str) -> bool {
    is_tail(line, MIN_TAIL) || line.trim_start().starts_with("Private-Lines:")
}

/// Masks from BEGIN to END (RFC 7468; RFC 4716; RFC 9580 for PGP; OpenVPN's static keys).
///
/// A BEGIN without END masks as far as the body goes; an END without BEGIN masks the body before
/// it. Every byte is visited once.
fn armoured(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for at in memmem::find_iter(bytes, "-----").chain(memmem::find_iter(bytes, "---- BEGIN SSH2")) {
        if at < done {
            continue;
        }
        if let Some(start) = label(text, at, "BEGIN ") {
            let end = end_of_body(text, start);
            let end = at + text[at..end].trim_end().len();
            spans.push(Span::new(at..end, PRIVATE_KEY, Stage::Structure));
            done = end;
        } else if let Some(end) = label(text, at, "END ") {
            let start = start_of_body(bytes, at, done);
            if at - start >= MIN_TAIL {
                spans.push(Span::new(start..end, PRIVATE_KEY, Stage::Structure));
            }
            done = end;
        }
    }
}

/// Reads `-----BEGIN … PRIVATE KEY…-----` and returns where it ends.
fn label(text: &str, at: usize, word: &str) -> Option<usize> {
    let limit = text.floor_char_boundary((at + 96).min(text.len()));
    let line = text[at..limit].trim_start_matches('-');
    let name = line.trim_start_matches(' ').strip_prefix(word)?;
    let close = name.find("----")?;
    let kind = &name[..close];
    let secret = ["PRIVATE KEY", "Static key", "SECRET KEY"]
        .iter()
        .any(|known| kind.contains(known));
    if !secret || kind.contains(['\n', '"']) {
        return None;
    }
    let from = limit - name.len() + close;
    let dashes = text.as_bytes()[from..]
        .iter()
        .take(5)
        .take_while(|b| **b == b'-')
        .count();
    Some(from + dashes)
}

/// Returns the end of the key whose body starts here: after its END line, else where the bytes
/// can no longer belong to a body.
fn end_of_body(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        let Some(dashes) = body_end(bytes, at) else {
            return bytes.len();
        };
        if !bytes[dashes..].starts_with(b"-----") {
            return dashes.max(from);
        }
        if let Some(end) = label(text, dashes, "END ") {
            // A decoy END inside the body does not end the mask if the body goes on after it.
            if !goes_on(bytes, end) {
                return end;
            }
            at = end;
            continue;
        }
        if label(text, dashes, "BEGIN ").is_some() {
            return dashes;
        }
        at = dashes + 5;
    }
}

/// Tells whether another full line of base64 follows directly.
fn goes_on(bytes: &[u8], from: usize) -> bool {
    let next = from
        + bytes[from..]
            .iter()
            .take(8)
            .take_while(|b| is_break(**b))
            .count();
    let line = bytes[next..]
        .iter()
        .take(64)
        .take_while(|b| is_body(**b))
        .count();
    line >= 60
}

fn is_break(b: u8) -> bool {
    matches!(b, b'\n' | b'\r' | b'\\' | b'n' | b' ')
}

/// Finds the first byte from here that no body, header or separator has.
fn body_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut word = 0usize;
    let mut at = from;
    while at < bytes.len() {
        let b = bytes[at];
        if b == b'-' && bytes[at..].starts_with(b"-----") {
            return Some(at);
        }
        if is_header(bytes, at) {
            at += bytes[at..]
                .iter()
                .take(160)
                .take_while(|b| !matches!(b, b'\n' | b'\\'))
                .count()
                .max(1);
            word = 0;
            continue;
        }
        let of_body = is_body(b);
        let separator = matches!(b, b'\n' | b'\r' | b'\\' | b' ' | b'\t' | b'>' | b'+' | b'|');
        if !of_body && !separator {
            return Some(at - if is_prose(bytes, at, word) { word } else { 0 });
        }
        // A short word between blanks is prose after a key that was cut.
        if b == b' ' && word > 0 && word < 16 && at > from + 64 {
            return Some(at - word);
        }
        word = if of_body && b != b'+' { word + 1 } else { 0 };
        at += 1;
    }
    None
}

fn is_prose(bytes: &[u8], at: usize, word: usize) -> bool {
    word < 16 && matches!(bytes[at], b'.' | b',' | b':' | b'(' | b'\'')
}

/// Tells whether a header line of an encrypted or armoured key starts here (RFC 1421, RFC 9580).
fn is_header(bytes: &[u8], at: usize) -> bool {
    const HEADERS: &[&[u8]] = &[
        b"Proc-Type:",
        b"DEK-Info:",
        b"Version:",
        b"Comment:",
        b"Hash:",
        b"Charset:",
        b"Subject:",
    ];
    HEADERS.iter().any(|header| bytes[at..].starts_with(header))
}

fn is_body(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
}

/// Walks back over the body before a lone END line, not before `floor`.
fn start_of_body(bytes: &[u8], end: usize, floor: usize) -> usize {
    let of_tail = |b: u8| is_body(b) || matches!(b, b'\n' | b'\r' | b'\\' | b' ' | b'>');
    let head = &bytes[floor..end];
    let run = head.iter().rev().take_while(|b| of_tail(**b)).count();
    let start = end - run;
    start + skip_prose(&bytes[start..end])
}

/// Returns how much of a run precedes its first word of at least 40 bytes.
fn skip_prose(run: &[u8]) -> usize {
    let mut word = 0;
    for (at, b) in run.iter().enumerate() {
        if !is_body(*b) {
            word = at + 1;
        } else if at + 1 - word >= MIN_TAIL {
            return word;
        }
    }
    run.len()
}

/// Masks the private lines of a PuTTY key file (PuTTY manual, appendix C).
fn putty(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    for at in memmem::find_iter(bytes, "Private-Lines:") {
        let from = at + "Private-Lines:".len();
        let mut lines = bytes[from..].iter().take(64 * 1024);
        let body = lines
            .by_ref()
            .take_while(|b| is_body(**b) || matches!(b, b' ' | b'\n' | b'\r' | b'\\'))
            .count();
        let range = putty_body(text, from..from + body);
        if text[range.clone()].bytes().filter(|b| is_body(*b)).count() >= MIN_TAIL {
            spans.push(Span::new(range, PRIVATE_KEY, Stage::Structure));
        }
    }
}

/// Leaves the line count in place and ends before the `Private-MAC` line.
fn putty_body(text: &str, range: Range<usize>) -> Range<usize> {
    let body = &text[range.clone()];
    let count = body.len()
        - body
            .trim_start_matches([' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
            .len();
    let kept = body.rfind("Private").unwrap_or(body.len());
    range.start + count.min(kept)..range.start + kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    fn line(seed: u8) -> String {
        (0..64u8)
            .map(|i| char::from(b'A' + (i.wrapping_mul(7).wrapping_add(seed)) % 26))
            .collect()
    }

    fn begin(kind: &str) -> String {
        format!("-----{} {kind}-----", "BEGIN")
    }

    fn end(kind: &str) -> String {
        format!("-----{} {kind}-----", "END")
    }

    #[test]
    fn blocks_are_masked_with_every_separator() {
        for kind in [
            "RSA PRIVATE KEY",
            "PRIVATE KEY",
            "OPENSSH PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
        ] {
            for separator in ["\n", "\\n", "\\\\n", "\r\n", " ", "\n> "] {
                let block = [begin(kind), line(1), line(2), line(3), end(kind)].join(separator);
                let text = format!("see {block} done");
                assert_eq!(masked(&text), [block.as_str()], "{kind} {separator:?}");
            }
        }
    }

    #[test]
    fn cut_keys_are_masked_and_public_ones_stay() {
        let headless = format!("{}\n{}\n{}", line(1), line(2), end("PRIVATE KEY"));
        assert_eq!(masked(&headless), [headless.as_str()]);
        let tailless = format!("{}\n{}\n{}", begin("PRIVATE KEY"), line(1), line(2));
        assert_eq!(masked(&tailless), [tailless.as_str()]);
        let public = format!(
            "{}\n{}\n{}",
            begin("PUBLIC KEY"),
            line(1),
            end("PUBLIC KEY")
        );
        assert_eq!(masked(&public), Vec::<&str>::new());
    }

    #[test]
    fn a_decoy_end_does_not_end_the_mask() {
        let kind = "RSA PRIVATE KEY";
        let block = [begin(kind), line(1), end(kind), line(2), end(kind)].join("\n");
        assert_eq!(masked(&block), [block.as_str()]);
    }
}
