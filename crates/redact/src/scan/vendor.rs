//! Tokens that a vendor's documented form gives away wherever they stand.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::bytes::{run_end, starts_token};
use super::vendor_shapes::{Part, SHAPES, Set, Shape};
use crate::gate::{Entry, Families, Follow};
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Longest body of one part; longer runs are masked up to their end all the same.
const MAX_PART: usize = 16 * 1024;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let base = spans.len();
    // One failed attempt tells how far its run reached; within it the same rule fails again.
    let mut failed_until = Vec::new();
    for hit in gate().find_overlapping_iter(text) {
        let (rule, start) = (hit.pattern().as_usize(), hit.start());
        let shape = &SHAPES[rule];
        let inside = spans[base..].last().filter(|last| start < last.range.end);
        if inside.is_some_and(|last| start > last.range.start) {
            continue;
        }
        if failed_until.get(rule).is_some_and(|until| start < *until)
            || (shape.bounded && !starts_token(bytes, start))
        {
            continue;
        }
        match body(shape, bytes, hit.end()) {
            Ok(end) => {
                let Some(lead) = lead(shape, bytes, start) else {
                    continue;
                };
                // Of two forms at one place the longer is more exact, then the longer prefix,
                // which comes later; a form around another one names the whole.
                let exact = inside.is_none_or(|last| end >= last.range.end);
                if exact && acceptable(shape, &bytes[hit.end()..end]) {
                    let start = start - lead;
                    while spans.len() > base && spans[spans.len() - 1].range.start >= start {
                        spans.pop();
                    }
                    spans.push(Span::new(start..end, shape.class, Stage::Vendor).by(shape.id));
                }
            }
            Err(reached) if reached > hit.end() + 64 => {
                failed_until.resize(SHAPES.len(), 0);
                failed_until[rule] = reached;
            }
            Err(_) => {}
        }
    }
}

/// Lists the table's rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    SHAPES.iter().map(|shape| Rule {
        id: shape.id,
        class: shape.class,
        source: shape.source,
    })
}

/// Lists the prefixes that start a word; what precedes a word is part of a run, which has a
/// place of its own in the gate.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    SHAPES.iter().map(|shape| {
        let prefix = shape.prefix.trim_start_matches(['.', ':', '-', '_']);
        let follow = match shape.parts.first() {
            Some(Part::Run(set, least) | Part::Exactly(set, least)) => Follow::Body(*set, *least),
            _ => Follow::Anything,
        };
        Entry::exact(prefix, Families::VENDOR).with(follow)
    })
}

/// Lists the prefixes that count inside a word too.
pub(super) fn glued() -> impl Iterator<Item = &'static str> {
    SHAPES
        .iter()
        .filter(|shape| !shape.bounded && shape.lead.is_none())
        .map(|shape| shape.prefix)
}

fn gate() -> &'static AhoCorasick {
    static GATE: OnceLock<AhoCorasick> = OnceLock::new();
    GATE.get_or_init(|| {
        AhoCorasick::new(SHAPES.iter().map(|shape| shape.prefix))
            .expect("the table of prefixes is small and fixed")
    })
}

/// Matches the parts after the prefix; an error tells where the attempt ended.
fn body(shape: &Shape, bytes: &[u8], from: usize) -> Result<usize, usize> {
    let mut at = from;
    for part in shape.parts {
        match *part {
            Part::Text(text) => {
                if !bytes[at..].starts_with(text.as_bytes()) {
                    return Err(at);
                }
                at += text.len();
            }
            Part::Run(set, min) => {
                let end = run_end(bytes, at, MAX_PART, |b| set.has(b));
                if end - at < min {
                    return Err(end);
                }
                at = end;
            }
            Part::Exactly(set, len) => {
                let end = run_end(bytes, at, len, |b| set.has(b));
                if end - at < len {
                    return Err(end);
                }
                at = end;
            }
        }
    }
    let closed = !matches!(shape.parts.last(), Some(Part::Exactly(..)))
        || !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    if closed { Ok(at) } else { Err(at) }
}

/// Returns how many bytes before the prefix belong to the token, or nothing if too few do.
fn lead(shape: &Shape, bytes: &[u8], start: usize) -> Option<usize> {
    let Some((set, min)) = shape.lead else {
        return Some(0);
    };
    let head = &bytes[start.saturating_sub(64)..start];
    let run = head.iter().rev().take_while(|b| set.has(**b)).count();
    let run = run - escape_tail(bytes, start - run).min(run);
    (run >= min).then_some(run)
}

/// Returns how many bytes from here end an escape that opens just before.
fn escape_tail(bytes: &[u8], at: usize) -> usize {
    let before = |back: usize| at.checked_sub(back).map(|i| bytes[i]);
    let opener = before(1);
    match (opener, bytes.get(at)) {
        // The letter itself may lie outside the set.
        (Some(b'u'), _) if before(2) == Some(b'\\') => 4,
        (Some(b'x'), _) if before(2) == Some(b'\\') => 2,
        (Some(b'\\'), Some(b'u')) => 5,
        (Some(b'\\'), Some(b'x')) => 3,
        (Some(b'\\'), Some(_)) => 1,
        (Some(b'%'), Some(_)) => 2,
        (Some(b'['), Some(b'0'..=b'9')) => {
            let parameters = run_end(bytes, at, 8, |b| b.is_ascii_digit()) - at;
            if bytes.get(at + parameters) == Some(&b'm') {
                parameters + 1
            } else {
                0
            }
        }
        _ => 0,
    }
}

fn acceptable(shape: &Shape, body: &[u8]) -> bool {
    shape.demand.is_met(body) && (body.is_empty() || !is_placeholder(body))
}

/// Tells whether the body is one repeated filler character, or asks for the reader's own.
fn is_placeholder(body: &[u8]) -> bool {
    let Some(first) = body.iter().find(|b| b.is_ascii_alphanumeric()) else {
        return true;
    };
    let repeated = matches!(first, b'x' | b'X')
        && body
            .iter()
            .all(|b| b == first || !b.is_ascii_alphanumeric());
    repeated
        || body
            .get(..4)
            .is_some_and(|head| head.eq_ignore_ascii_case(b"your"))
}

impl Set {
    /// Tells whether the set has this byte.
    pub(crate) fn has(self, b: u8) -> bool {
        match self {
            Self::Digit => b.is_ascii_digit(),
            Self::Hex => b.is_ascii_hexdigit(),
            Self::Lower => b.is_ascii_lowercase() || b.is_ascii_digit(),
            Self::Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Self::Alnum => b.is_ascii_alphanumeric(),
            Self::Word => b.is_ascii_alphanumeric() || b == b'_',
            Self::Dash => b.is_ascii_alphanumeric() || b == b'-',
            Self::Url => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'),
            Self::Dotted => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'),
            Self::Base64 => {
                b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'_' | b'-')
            }
            Self::Unreserved => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'~'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::classed_by;

    fn found(text: &str) -> Vec<(&str, &'static str)> {
        classed_by(find, text)
    }

    /// Makes a body from a fixed linear congruential sequence, so that no value is committed.
    fn sample(set: Set, len: usize, seed: u64) -> String {
        let mut state = seed.wrapping_mul(2).wrapping_add(0x9E37_79B9);
        let mut text = String::new();
        while text.len() < len {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let b = (state >> 56) as u8 & 0x7f;
            // Every fourth is a digit, which a random body shows as well and a rule may demand.
            let digit = text.len() % 4 != 1 || b.is_ascii_digit() || !set.has(b'0');
            if b.is_ascii_alphanumeric() && set.has(b) && digit {
                text.push(char::from(b));
            }
        }
        text
    }

    /// Builds a token of the shape from its documented form.
    fn token(shape: &Shape, seed: u64) -> String {
        let mut text = match shape.lead {
            Some((set, min)) => sample(set, min, seed),
            None => String::new(),
        };
        text.push_str(shape.prefix);
        for part in shape.parts {
            match *part {
                Part::Text(literal) => text.push_str(literal),
                Part::Run(set, len) | Part::Exactly(set, len) => {
                    text.push_str(&sample(set, len, seed + 7));
                }
            }
        }
        text
    }

    #[test]
    fn every_shape_is_found_whole_in_every_surrounding() {
        for (rule, shape) in SHAPES.iter().enumerate() {
            let token = token(shape, rule as u64);
            for (left, right) in [
                ("", ""),
                ("used ", " now"),
                ("キー", "を"),
                ("\\n", "\\n"),
                ("%22", "%22"),
                ("\x1b[32m", "\x1b[0m"),
            ] {
                let text = format!("{left}{token}{right}");
                let found = found(&text);
                assert!(
                    found.iter().any(|(hit, _)| *hit == token),
                    "{} in {text}: {found:?}",
                    shape.class
                );
            }
        }
    }

    #[test]
    fn strange_prefixes_need_no_boundary() {
        let body = "a1B2".repeat(9);
        let text = format!("tokenghp_{body}");
        assert_eq!(found(&text), [(&text[5..], "github_token")]);
        let text = format!("task-01HZX3K9{body}");
        assert_eq!(found(&text), []);
    }

    #[test]
    fn placeholders_and_inner_parts_of_words_stay() {
        for text in [
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "sk-your-own-api-key-goes-in-here",
            "task-force-one-of-the-many-others",
            "sk-...",
            "desk-A1234567890123456789012345",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn repeated_digits_are_no_placeholder() {
        let text = format!("sk-guardbench-secret-{}", "0".repeat(28));
        assert_eq!(found(&text), [(text.as_str(), "openai_api_key")]);
    }
}
