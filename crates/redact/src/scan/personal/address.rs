//! Postal addresses: a house number and a street with its word for it.

use crate::class::POSTAL_ADDRESS;
use crate::rule::Rule;
use crate::span::Span;

const ID: &str = "postal-address";
/// Longest name of a street in words.
const MAX_WORDS: usize = 5;

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[Rule {
    id: ID,
    class: POSTAL_ADDRESS,
    source: "USPS Publication 28, appendix C1, street suffixes; UPU S42",
}];

/// Words for streets after the name, as the postal services abbreviate them.
const SUFFIXES: &[&str] = &[
    "street",
    "st",
    "avenue",
    "ave",
    "road",
    "rd",
    "boulevard",
    "blvd",
    "lane",
    "ln",
    "drive",
    "dr",
    "court",
    "ct",
    "square",
    "sq",
    "terrace",
    "place",
    "pl",
    "parkway",
    "pkwy",
    "highway",
    "hwy",
    "close",
    "crescent",
    "way",
];

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        at = crate::scan::bytes::run_end(bytes, start, usize::MAX, |b| b.is_ascii_digit());
        let free = start.checked_sub(1).is_none_or(|before| {
            !bytes[before].is_ascii_alphanumeric()
                && !matches!(bytes[before], b'.' | b'-' | b'_' | b'/')
        });
        if free
            && at - start <= 5
            && let Some(end) = street_end(text, at)
        {
            spans.push(super::span(start..end, POSTAL_ADDRESS, ID));
            at = end;
        }
    }
}

/// Reads capitalised words up to a word for a street, after a house number.
fn street_end(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    for count in 0..MAX_WORDS {
        at += usize::from(bytes.get(at) == Some(&b' '));
        let rest = &text[at..];
        let length: usize = rest
            .chars()
            .take(24)
            .take_while(|c| c.is_alphabetic() || *c == '\'')
            .map(char::len_utf8)
            .sum();
        let word = &rest[..length];
        if !word.starts_with(char::is_uppercase) || at == from {
            return None;
        }
        at += length;
        let suffix = SUFFIXES
            .iter()
            .any(|suffix| suffix.eq_ignore_ascii_case(word));
        if count > 0 && suffix && !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
            return Some(at);
        }
        at += usize::from(bytes.get(at) == Some(&b'.'));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    #[test]
    fn streets_and_what_resembles_them() {
        for (text, address) in [
            ("lives at 221 Baker Street, London", "221 Baker Street"),
            ("ship to 1600 Pennsylvania Ave NW", "1600 Pennsylvania Ave"),
            ("12 Old Mill Rd.", "12 Old Mill Rd"),
        ] {
            assert_eq!(masked_by(find, text), [address], "{text}");
        }
        for text in [
            "3 Ways",
            "404 Not Found",
            "2 files on the way",
            "line 12 Street",
            "v1.2 Main Street",
        ] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }
}
