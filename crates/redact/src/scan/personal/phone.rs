//! Telephone numbers: international (ITU-T E.164), North American, or below a label.

use crate::class::PHONE;
use crate::rule::Rule;
use crate::span::Span;

const INTERNATIONAL: &str = "phone-number-international";
const NORTH_AMERICAN: &str = "phone-number-north-american";
const LABELLED: &str = "phone-number-labelled";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: INTERNATIONAL,
        class: PHONE,
        source: "ITU-T E.164, section 6.2",
    },
    Rule {
        id: NORTH_AMERICAN,
        class: PHONE,
        source: "North American Numbering Plan Administrator, numbering resources",
    },
    Rule {
        id: LABELLED,
        class: PHONE,
        source: "RFC 3966, section 3",
    },
];

/// Longest number in digits (ITU-T E.164).
const MAX_DIGITS: usize = 15;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let b = bytes[at];
        let opens = b == b'+' || b == b'(' || b.is_ascii_digit();
        if !opens || !stands_free(bytes, at) {
            at += 1;
            continue;
        }
        let (end, digits) = number(bytes, at);
        if let Some(rule) = kind(bytes, at, end, digits) {
            spans.push(super::span(at..end, PHONE, rule));
        }
        at = end.max(at + 1);
    }
}

fn stands_free(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| {
        let b = bytes[before];
        !b.is_ascii_alphanumeric() && !matches!(b, b'.' | b'-' | b'_' | b'/' | b'#' | b'+' | b'$')
    })
}

/// Reads digits with single separators; returns the end and how many there are.
fn number(bytes: &[u8], start: usize) -> (usize, usize) {
    let mut end = start;
    let mut digits = 0;
    let mut at = start;
    let mut signs = 0;
    while at < bytes.len() && digits <= MAX_DIGITS {
        match bytes[at] {
            b'0'..=b'9' => {
                digits += 1;
                signs = 0;
                end = at + 1;
            }
            b'+' if at == start => {}
            b' ' | b'-' | b'.' | b'(' | b')' | b'/' if signs < 2 => signs += 1,
            _ => break,
        }
        at += 1;
    }
    (end, digits)
}

fn kind(bytes: &[u8], start: usize, end: usize, digits: usize) -> Option<&'static str> {
    let glued = bytes
        .get(end)
        .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'));
    if glued || !(7..=MAX_DIGITS).contains(&digits) {
        return None;
    }
    if bytes[start] == b'+' {
        return (digits >= 8 && bytes[start + 1] != b'0').then_some(INTERNATIONAL);
    }
    if labelled(bytes, start) {
        return Some(LABELLED);
    }
    is_north_american(&bytes[start..end]).then_some(NORTH_AMERICAN)
}

/// Tells whether the number is written `(NXX) NXX-XXXX`, `NXX-NXX-XXXX` or `NXX.NXX.XXXX`.
fn is_north_american(number: &[u8]) -> bool {
    const FORMS: &[&str] = &[
        "(NXX) NXX-XXXX",
        "(NXX)NXX-XXXX",
        "NXX-NXX-XXXX",
        "NXX.NXX.XXXX",
        "1-NXX-NXX-XXXX",
    ];
    let fits = |(want, b): (u8, &u8)| match want {
        b'N' => matches!(b, b'2'..=b'9'),
        b'X' => b.is_ascii_digit(),
        other => *b == other,
    };
    FORMS
        .iter()
        .any(|form| form.len() == number.len() && form.bytes().zip(number).all(fits))
}

/// Tells whether a label of a telephone stands directly before.
fn labelled(bytes: &[u8], at: usize) -> bool {
    const LABELS: &[&[u8]] = &[
        b"phone",
        b"tel",
        b"telephone",
        b"mobile",
        b"cell",
        b"fax",
        b"telefon",
        b"handy",
        b"movil",
        b"whatsapp",
        b"phonenumber",
        b"sms",
        b"telefono",
        b"tlf",
    ];
    let head = &bytes[at.saturating_sub(24)..at];
    let signs = head
        .iter()
        .rev()
        .take_while(|b| matches!(b, b' ' | b':' | b'=' | b'"' | b'\'' | b'.' | b'#'));
    let signs = signs.count();
    let head = &head[..head.len() - signs];
    let word = head
        .rsplit(|b| !b.is_ascii_alphanumeric())
        .next()
        .unwrap_or(&[]);
    signs > 0 && LABELS.iter().any(|label| label.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    #[test]
    fn numbers_and_what_resembles_them() {
        for (text, number) in [
            ("call +44 20 7946 0958 now", "+44 20 7946 0958"),
            ("(415) 555-2671", "(415) 555-2671"),
            ("415-555-2671,", "415-555-2671"),
            ("tel: 030 901820", "030 901820"),
            ("\"phone\": \"4155552671\"", "4155552671"),
        ] {
            assert_eq!(masked_by(find, text), [number], "{text}");
        }
        for text in [
            "2026-05-04 10:00:00",
            "v1.2.3",
            "123456789",
            "10.0.0.1",
            "0x415555",
            "x+12345678",
            "115-555-2671",
        ] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }
}
