//! Secrets inside base64, base32 and hexadecimal: the run is decoded and searched again.

use std::cell::Cell;
use std::ops::Range;

use super::bytes::is_base64;
use crate::class::ENCODED;
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Shortest run that could hold a secret.
const MIN_RUN: usize = 28;
/// Longest run that is decoded; what is longer is data, not a credential.
const MAX_RUN: usize = 256 * 1024;
/// Encodings inside encodings that are followed.
const MAX_DEPTH: u8 = 3;
/// Shortest line of an encoding that goes on in the next.
const MIN_LINE: usize = 40;
/// How much of a run is decoded to see whether it holds text.
const SAMPLE: usize = 32;

const BASE64: &str = "base64-encoded-secret";
const BASE32: &str = "base32-encoded-secret";
const HEX: &str = "hex-encoded-secret";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: BASE64,
        class: ENCODED,
        source: "RFC 4648, sections 4 and 5; RFC 2045, section 6.8",
    },
    Rule {
        id: BASE32,
        class: ENCODED,
        source: "RFC 4648, section 6",
    },
    Rule {
        id: HEX,
        class: ENCODED,
        source: "RFC 4648, section 8",
    },
];

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for run in runs(text.as_bytes()) {
        for part in parts(text, run) {
            if let Some((id, depth)) = hides_secret(text[part.clone()].as_bytes(), MAX_DEPTH) {
                let span = Span::new(part, ENCODED, Stage::Encoded).by(id);
                spans.push(span.at_depth(depth));
            }
        }
    }
}

/// Finds the runs of base64 bytes with their padding, over the ends of full lines.
fn runs(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            if !is_base64(bytes[at]) {
                at += 1;
                continue;
            }
            let tail = escape_tail(bytes, at);
            let first = at;
            at = end_of_run(bytes, at);
            let start = at.min(first + tail);
            let mut line = start;
            while at - line >= MIN_LINE
                && at - start < MAX_RUN
                && let Some(next) = next_line(bytes, at)
            {
                line = next;
                at = end_of_run(bytes, next);
            }
            let body = at - start;
            if body >= MIN_RUN {
                let padding = bytes[at..]
                    .iter()
                    .take(6)
                    .take_while(|b| **b == b'=')
                    .count();
                at += padding;
                if body <= MAX_RUN {
                    return Some(start..at);
                }
            }
        }
        None
    })
}

fn end_of_run(bytes: &[u8], start: usize) -> usize {
    let rest = bytes[start..].iter();
    start + rest.take_while(|b| is_base64(**b)).count()
}

/// Returns how many first bytes of a run belong to an escape before it.
fn escape_tail(bytes: &[u8], start: usize) -> usize {
    let Some(before) = start.checked_sub(1) else {
        return 0;
    };
    match bytes[before] {
        b'\\' if matches!(bytes[start], b'n' | b't' | b'r') => 1,
        b'\\' if bytes[start] == b'u' => 5,
        b'\\' if bytes[start] == b'x' => 3,
        b'%' => 2,
        _ => 0,
    }
}

/// Returns where the next line of the same encoding starts.
fn next_line(bytes: &[u8], end: usize) -> Option<usize> {
    let rest = &bytes[end..];
    const LINE_ENDS: &[&[u8]] = &[b"\r\n", b"\n", b"\\r\\n", b"\\n"];
    let broken = LINE_ENDS
        .iter()
        .find(|line_end| rest.starts_with(line_end))?;
    let indent = rest[broken.len()..].iter().take(32);
    let indent = indent.take_while(|b| matches!(b, b' ' | b'\t')).count();
    let next = end + broken.len() + indent;
    bytes
        .get(next)
        .is_some_and(|b| is_base64(*b))
        .then_some(next)
}

/// Yields the run itself or, where that is a path of segments and holds no text, its segments.
fn parts(text: &str, run: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let whole = looks_decodable(&bytes[run.clone()]);
    let mut at = run.start;
    let mut first = true;
    std::iter::from_fn(move || {
        if whole {
            return std::mem::take(&mut first).then_some(run.clone());
        }
        while at < run.end {
            let start = at;
            let segment = bytes[at..run.end].iter();
            let length = segment
                .take_while(|b| !matches!(b, b'/' | b'_' | b'-' | b'+'))
                .count();
            at = start + length + 1;
            if length >= MIN_RUN && length < run.len() {
                return Some(start..start + length);
            }
        }
        None
    })
}

/// Tells cheaply whether a run could hold text in any of the encodings.
fn looks_decodable(run: &[u8]) -> bool {
    [Encoding::Hex, Encoding::Base64, Encoding::Base32]
        .into_iter()
        .any(|encoding| encoding.holds_text(run))
}

#[derive(Clone, Copy)]
enum Encoding {
    Base64,
    Base32,
    Hex,
}

impl Encoding {
    fn id(self) -> &'static str {
        match self {
            Self::Base64 => BASE64,
            Self::Base32 => BASE32,
            Self::Hex => HEX,
        }
    }

    /// Bits of a digit.
    fn bits(self) -> u32 {
        match self {
            Self::Base64 => 6,
            Self::Base32 => 5,
            Self::Hex => 4,
        }
    }

    fn digits(self) -> &'static [u8; 256] {
        match self {
            Self::Base64 => &BASE64_DIGITS,
            Self::Base32 => &BASE32_DIGITS,
            Self::Hex => &HEX_DIGITS,
        }
    }

    /// Decodes up to `out.len()` bytes and returns how many there were; nothing if a byte is no
    /// digit. Blanks and the escapes of line ends stand between lines.
    fn decode(self, run: &[u8], out: &mut [u8]) -> Option<usize> {
        let digits = self.digits();
        let width = self.bits();
        let (mut bits, mut have, mut count) = (0u32, 0, 0);
        let mut at = 0;
        while at < run.len() && count < out.len() {
            let b = run[at];
            at += 1;
            let digit = digits[usize::from(b)];
            if digit == NO_DIGIT {
                match b {
                    b'\n' | b'\r' | b' ' | b'\t' => continue,
                    b'\\' => {
                        at += 1;
                        continue;
                    }
                    b'=' => break,
                    _ => return None,
                }
            }
            bits = bits << width | u32::from(digit);
            have += width;
            if have >= 8 {
                have -= 8;
                // The eight bits that are complete.
                out[count] = (bits >> have & 0xff) as u8;
                count += 1;
                bits &= (1 << have) - 1;
            }
        }
        Some(count)
    }

    /// Tells whether the first bytes decode to text.
    fn holds_text(self, run: &[u8]) -> bool {
        let run = self.body(run);
        let mut sample = [0; SAMPLE * 6 / 8];
        let head = &run[..run.len().min(SAMPLE)];
        let count = self.decode(head, &mut sample);
        count.is_some_and(|count| count >= 8 && is_text(&sample[..count]))
    }

    /// Leaves the `0x` of a number out.
    fn body(self, run: &[u8]) -> &[u8] {
        match self {
            Self::Hex => run.strip_prefix(b"0x").unwrap_or(run),
            _ => run,
        }
    }
}

const NO_DIGIT: u8 = 0xff;

const fn table(pairs: &[(u8, u8, u8)]) -> [u8; 256] {
    let mut table = [NO_DIGIT; 256];
    let mut at = 0;
    while at < pairs.len() {
        let (from, to, value) = pairs[at];
        let mut b = from;
        while b <= to {
            table[b as usize] = value + (b - from);
            b += 1;
        }
        at += 1;
    }
    table
}

/// Both alphabets of base64 (RFC 4648, sections 4 and 5).
static BASE64_DIGITS: [u8; 256] = table(&[
    (b'A', b'Z', 0),
    (b'a', b'z', 26),
    (b'0', b'9', 52),
    (b'+', b'+', 62),
    (b'-', b'-', 62),
    (b'/', b'/', 63),
    (b'_', b'_', 63),
]);
static BASE32_DIGITS: [u8; 256] = table(&[(b'A', b'Z', 0), (b'2', b'7', 26)]);
static HEX_DIGITS: [u8; 256] = table(&[(b'0', b'9', 0), (b'a', b'f', 10), (b'A', b'F', 10)]);

/// Tells by its first bytes whether this is text, in UTF-8 or little-endian UTF-16.
fn is_text(sample: &[u8]) -> bool {
    let plain = |b: u8| b >= b' ' && b != 0x7f || matches!(b, b'\n' | b'\r' | b'\t');
    let valid = match std::str::from_utf8(sample) {
        Ok(_) => true,
        Err(cut) => cut.error_len().is_none(),
    };
    let wide = || {
        sample.len() >= 8
            && sample
                .chunks_exact(2)
                .all(|two| two[1] == 0 && plain(two[0]))
    };
    valid && sample.iter().all(|b| plain(*b)) || wide()
}

/// Tells whether a run is base64 of text.
pub(super) fn holds_text(run: &str) -> bool {
    Encoding::Base64.holds_text(run.as_bytes())
}

thread_local! {
    /// Memory for what is decoded at each depth, so that a run without a secret costs no
    /// allocation.
    static SPARE: [Cell<Vec<u8>>; MAX_DEPTH as usize] =
        const { [const { Cell::new(Vec::new()) }; MAX_DEPTH as usize] };
}

/// Tells by which encoding a run hides a secret, and in how many encodings; `most` of them are
/// followed.
fn hides_secret(run: &[u8], most: u8) -> Option<(&'static str, u8)> {
    let inner = most.checked_sub(1)?;
    let mut bytes = SPARE.with(|spare| spare[usize::from(inner)].take());
    let encodings = [Encoding::Hex, Encoding::Base32, Encoding::Base64];
    let found = encodings
        .into_iter()
        .filter(|encoding| encoding.holds_text(run))
        .find_map(|encoding| {
            let text = decoded(encoding, run, &mut bytes)?;
            if !super::evident(text).is_empty() {
                return Some((encoding.id(), 1));
            }
            runs(text.as_bytes())
                .flat_map(|run| parts(text, run))
                .find_map(|run| hides_secret(text[run].as_bytes(), inner))
                .map(|(_, depth)| (encoding.id(), depth + 1))
        });
    SPARE.with(|spare| spare[usize::from(inner)].set(bytes));
    found
}

/// Decodes a run of plain text.
fn decoded<'a>(encoding: Encoding, run: &[u8], bytes: &'a mut Vec<u8>) -> Option<&'a str> {
    let run = encoding.body(run);
    bytes.clear();
    bytes.resize(run.len() * 6 / 8 + 1, 0);
    let count = encoding.decode(run, bytes)?;
    bytes.truncate(count);
    let start = if bytes.get(1) == Some(&0) {
        narrow(bytes)
    } else {
        0
    };
    let bytes = &bytes[start..];
    let text = std::str::from_utf8(bytes).or_else(|cut| {
        // A run that was cut ends inside a character.
        let valid = cut.valid_up_to();
        let end = if bytes.len() - valid < 4 { valid } else { 0 };
        std::str::from_utf8(&bytes[..end])
    });
    let plain = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    text.ok()
        .filter(|text| text.len() >= 12 && text.chars().all(plain))
}

/// Appends what is little-endian UTF-16 as UTF-8, and returns where that starts.
fn narrow(bytes: &mut Vec<u8>) -> usize {
    let start = bytes.len();
    // A unit takes three bytes at most.
    bytes.resize(start + start / 2 * 3, 0);
    let (wide, room) = bytes.split_at_mut(start);
    let units = wide
        .chunks_exact(2)
        .map(|two| u16::from_le_bytes([two[0], two[1]]));
    let mut length = 0;
    for c in char::decode_utf16(units).map_while(Result::ok) {
        length += c.encode_utf8(&mut room[length..]).len();
    }
    bytes.truncate(start + length);
    start
}

/// Tells whether base64, with or without padding, stands for bytes of which any is this; not if a
/// byte is foreign or the length cannot be.
pub(super) fn base64_holds(run: &str, wanted: u8) -> bool {
    let body = run.trim_end_matches('=');
    // Each piece of 64 stands for 48 bytes.
    let held = |piece: &[u8]| {
        let mut bytes = [0; 48];
        let count = Encoding::Base64.decode(piece, &mut bytes);
        count.is_some_and(|count| bytes[..count].contains(&wanted))
    };
    body.len() % 4 != 1 && body.bytes().all(is_base64) && body.as_bytes().chunks(64).any(held)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    fn encode(alphabet: &[u8], width: u32, plain: &[u8]) -> String {
        let (mut bits, mut have) = (0u32, 0);
        let mut out = String::new();
        let mut push = |bits: u32| out.push(char::from(alphabet[bits as usize]));
        for b in plain {
            bits = bits << 8 | u32::from(*b);
            have += 8;
            while have >= width {
                have -= width;
                push(bits >> have);
                bits &= (1 << have) - 1;
            }
        }
        if have > 0 {
            push(bits << (width - have));
        }
        out
    }

    const STANDARD: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const BASE32_ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    const PLAIN: &str = "DB_USER=app\nDB_PASSWORD=gr4nite_b1shop_quarry\nDB_HOST=db.example.com";

    #[test]
    fn base64_matches_the_vectors_of_rfc_4648() {
        for (plain, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            for b in [b'f', b'o', b'b', b'a', b'r', b'x'] {
                assert_eq!(base64_holds(encoded, b), plain.as_bytes().contains(&b));
            }
            assert_eq!(
                encode(STANDARD, 6, plain.as_bytes()),
                encoded.trim_end_matches('=')
            );
        }
        assert!(!base64_holds("A", 0) && !base64_holds("Zm 9v", b'o'));
        let long = encode(STANDARD, 6, format!("{}:", "x".repeat(100)).as_bytes());
        assert!(base64_holds(&long, b':'));
    }

    #[test]
    fn runs_that_decode_to_a_secret_are_masked() {
        let hex: String = PLAIN.bytes().map(|b| format!("{b:02x}")).collect();
        let base64 = encode(STANDARD, 6, PLAIN.as_bytes());
        let twice = encode(STANDARD, 6, base64.as_bytes());
        let wide: Vec<u8> = PLAIN.bytes().flat_map(|b| [b, 0]).collect();
        for run in [
            hex.clone(),
            hex.to_uppercase(),
            format!("0x{hex}"),
            encode(BASE32_ALPHABET, 5, PLAIN.as_bytes()),
            encode(STANDARD, 6, &wide),
            format!("{}\n{}\n{}", &base64[..40], &base64[40..80], &base64[80..]),
            format!("{}\\n{}", &base64[..64], &base64[64..]),
            twice,
            base64,
        ] {
            for text in [
                format!("dump: {run} end"),
                format!("x\\n{run}"),
                format!("/api/v1/{run}?x"),
            ] {
                assert_eq!(masked(&text), [run.as_str()], "{text}");
            }
        }
    }

    #[test]
    fn data_and_prose_stay() {
        let prose = encode(
            STANDARD,
            6,
            b"lorem ipsum dolor sit amet consectetur adipiscing",
        );
        for text in [prose, "0123456789abcdef".repeat(4), "QUJD".repeat(20)] {
            assert_eq!(masked(&text), Vec::<&str>::new(), "{text}");
        }
    }
}
