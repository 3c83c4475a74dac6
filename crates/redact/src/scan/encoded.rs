//! Secrets inside base64 and hexadecimal: the run is decoded and searched again.

use std::ops::Range;

use super::bytes::is_base64;
use crate::class::ENCODED;
use crate::gate;
use crate::span::{Span, Stage};

/// Shortest run that could hold a secret.
const MIN_RUN: usize = 28;
/// Longest run that is decoded; what is longer is data, not a credential.
const MAX_RUN: usize = 256 * 1024;
/// Encodings inside encodings that are followed.
const MAX_DEPTH: usize = 3;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for run in runs(text.as_bytes()) {
        if hides_secret(&text[run.clone()], MAX_DEPTH) {
            spans.push(Span::new(run, ENCODED, Stage::Encoded));
        }
    }
}

/// Finds the runs of base64 bytes with their padding.
fn runs(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            while at < bytes.len() && is_base64(bytes[at]) {
                at += 1;
            }
            let body = at - start;
            while body >= MIN_RUN && at < bytes.len() && bytes[at] == b'=' && at - start - body < 2
            {
                at += 1;
            }
            if at == start {
                at += 1;
            } else if (MIN_RUN..=MAX_RUN).contains(&body) {
                return Some(start..at);
            }
        }
        None
    })
}

fn hides_secret(run: &str, depth: usize) -> bool {
    let decoded = decode_hex(run).or_else(|| decode_base64(run));
    let Some(text) = decoded.and_then(printable) else {
        return false;
    };
    let direct = !super::structured(&text, gate::families(&text)).is_empty() || {
        let mut spans = Vec::new();
        super::assignment::find(&text, &mut spans);
        !spans.is_empty()
    };
    direct || depth > 1 && runs(text.as_bytes()).any(|inner| hides_secret(&text[inner], depth - 1))
}

/// Accepts decoded bytes only if they are text.
fn printable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let plain = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    (text.len() >= 12 && text.chars().all(plain)).then_some(text)
}

fn decode_hex(run: &str) -> Option<Vec<u8>> {
    if !run.len().is_multiple_of(2) || !crate::entropy::is_hex(run) {
        return None;
    }
    let digit = |b: u8| {
        char::from(b)
            .to_digit(16)
            .and_then(|d| u8::try_from(d).ok())
    };
    run.as_bytes()
        .chunks_exact(2)
        .map(|pair| Some(digit(pair[0])? * 16 + digit(pair[1])?))
        .collect()
}

/// Decodes standard and URL-safe base64, padded or not (RFC 4648, sections 4 and 5).
pub(super) fn decode_base64(run: &str) -> Option<Vec<u8>> {
    let body = run.trim_end_matches('=');
    if body.len() % 4 == 1 {
        return None;
    }
    let mut decoded = Vec::with_capacity(body.len() * 3 / 4);
    let (mut bits, mut count) = (0u32, 0u32);
    for b in body.bytes() {
        let value = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push((bits >> count & 0xff) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_matches_the_vectors_of_rfc_4648() {
        for (plain, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(decode_base64(encoded).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(decode_base64("A"), None);
    }

    #[test]
    fn only_runs_that_decode_to_a_secret_are_masked() {
        let hex: String = format!("DB_PASSWORD={}", "gr4nite_b1shop")
            .bytes()
            .map(|b| format!("{b:02x}"))
            .collect();
        let text = format!("dump: {hex} end");
        let mut spans = Vec::new();
        find(&text, &mut spans);
        assert_eq!(spans.len(), 1);
        assert_eq!(&text[spans[0].range.clone()], hex);
        let mut spans = Vec::new();
        find(
            "bG9yZW0gaXBzdW0gZG9sb3Igc2l0IGFtZXQgY29uc2VjdGV0dXI=",
            &mut spans,
        );
        assert_eq!(spans, []);
    }
}
