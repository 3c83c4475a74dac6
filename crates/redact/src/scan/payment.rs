//! Card numbers, card security codes and account numbers.

use std::ops::Range;

use memchr::memmem;

use crate::class::{CARD, CVV, IBAN};
use crate::span::{Span, Stage};

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for run in super::national::digit_runs(text.as_bytes()) {
        if let Some(range) = card(text, &run) {
            spans.push(Span::new(range, CARD, Stage::Payment));
        }
    }
    security_codes(text, spans);
    ibans(text, spans);
}

/// Accepts a run of digits that an issuer could have given out: Luhn check digit (ISO/IEC 7812-1,
/// annex B), issuer prefix and that issuer's lengths, not all one digit, no other label before.
fn card(text: &str, run: &Range<usize>) -> Option<Range<usize>> {
    let content = &text[run.clone()];
    let digits: Vec<u8> = content
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|b| b - b'0')
        .collect();
    let uniform = digits.iter().all(|d| *d == digits[0]);
    let grouped = well_grouped(content);
    let fits = (13..=19).contains(&digits.len()) && issued(&digits, content) && luhn(&digits);
    (fits && !uniform && grouped && !labelled_otherwise(text, run.start)).then(|| run.clone())
}

/// Separators are all alike and stand between groups of two to six digits.
fn well_grouped(content: &str) -> bool {
    let Some(separator) = content.bytes().find(|b| !b.is_ascii_digit()) else {
        return true;
    };
    let alike = content
        .bytes()
        .all(|b| b.is_ascii_digit() || b == separator);
    let groups: Vec<usize> = content.split(char::from(separator)).map(str::len).collect();
    alike && groups.len() >= 3 && groups.iter().all(|len| (2..=7).contains(len))
}

/// The issuers' identification number ranges and lengths (ISO/IEC 7812 and the networks' own
/// publications: Visa, Mastercard, American Express, Discover, Diners Club, JCB, UnionPay,
/// Maestro).
fn issued(digits: &[u8], content: &str) -> bool {
    let head = |n: usize| {
        digits
            .iter()
            .take(n)
            .fold(0u32, |sum, d| sum * 10 + u32::from(*d))
    };
    let len = digits.len();
    // Visa's longest form is rare, and bare numbers of that length are common.
    let grouped = content.len() > len;
    let (two, three, four) = (head(2), head(3), head(4));
    match len {
        13 => digits[0] == 4,
        14 => matches!(three, 300..=305 | 309) || matches!(two, 36 | 38 | 39),
        15 => matches!(two, 34 | 37),
        16 => {
            digits[0] == 4
                || matches!(two, 51..=55 | 62 | 65 | 81)
                || matches!(four, 2221..=2720 | 3528..=3589 | 6011)
                || matches!(three, 644..=649)
                || maestro(four)
        }
        17..=19 => two == 62 || maestro(four) || (len == 19 && digits[0] == 4 && grouped),
        _ => false,
    }
}

fn maestro(four: u32) -> bool {
    matches!(
        four,
        5018 | 5020 | 5038 | 5893 | 6304 | 6759 | 6761 | 6762 | 6763
    )
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, d)| match (at % 2, u32::from(*d)) {
            (0, d) => d,
            (_, d) if d > 4 => d * 2 - 9,
            (_, d) => d * 2,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Tells whether a word before the number says that it is something else.
fn labelled_otherwise(text: &str, at: usize) -> bool {
    const OTHER: &[&str] = &[
        "id",
        "ids",
        "ts",
        "order",
        "trace",
        "span",
        "tweet",
        "snowflake",
        "counter",
        "timestamp",
        "seq",
        "isbn",
        "imei",
        "po",
        "offset",
        "nonce",
        "time",
        "phone",
        "tel",
        "message_ts",
        "uid",
        "ean",
        "gtin",
        "upc",
        "tracking",
        "invoice",
        "epoch",
        "ns",
        "us",
        "count",
        "bytes",
        "size",
    ];
    let floor = text.floor_char_boundary(at.saturating_sub(32));
    let head = text[floor..at].trim_end_matches([' ', '"', '\'', ':', '=', '#', '\\']);
    let word = head
        .rsplit(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or("");
    OTHER.contains(&word.to_ascii_lowercase().as_str())
}

/// Masks three or four digits beside a label of the security code.
fn security_codes(text: &str, spans: &mut Vec<Span>) {
    const LABELS: &[&str] = &[
        "cvv",
        "cvc",
        "CVV",
        "CVC",
        "ecurity code",
        "ecurity_code",
        "ecurityCode",
    ];
    for label in LABELS {
        for at in memmem::find_iter(text.as_bytes(), label) {
            let whole = !at
                .checked_sub(1)
                .is_some_and(|i| text.as_bytes()[i].is_ascii_alphabetic())
                || label.starts_with('e');
            let after = at + label.len();
            let rest = text[after..].strip_prefix('2').unwrap_or(&text[after..]);
            let value = rest.trim_start_matches([' ', ':', '=', '"', '\'', '\\', '#']);
            let gap = rest.len() - value.len();
            let digits = value.bytes().take(5).take_while(u8::is_ascii_digit).count();
            if whole && (1..=8).contains(&gap) && (3..=4).contains(&digits) {
                let start = text.len() - value.len();
                spans.push(Span::new(start..start + digits, CVV, Stage::Payment));
            }
        }
    }
}

/// Account number lengths by country (ISO 13616, the SWIFT registry).
const IBAN_LENGTHS: &[(&str, usize)] = &[
    ("AT", 20),
    ("BE", 16),
    ("BG", 22),
    ("CH", 21),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("EE", 20),
    ("ES", 24),
    ("FI", 18),
    ("FR", 27),
    ("GB", 22),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IS", 26),
    ("IT", 27),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MC", 27),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PL", 28),
    ("PT", 25),
    ("RO", 24),
    ("RS", 22),
    ("SA", 24),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("TR", 26),
    ("AE", 23),
    ("BR", 29),
];

/// Masks account numbers with a country's length and a valid check (ISO 7064, MOD 97-10).
fn ibans(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    for at in 2..bytes.len().saturating_sub(10) {
        let starts = bytes[at].is_ascii_digit()
            && bytes[at - 1].is_ascii_uppercase()
            && bytes[at - 2].is_ascii_uppercase();
        if !starts || !bytes[at + 1].is_ascii_digit() || !super::bytes::starts_token(bytes, at - 2)
        {
            continue;
        }
        let country = &bytes[at - 2..at];
        let Some((_, length)) = IBAN_LENGTHS
            .iter()
            .find(|entry| entry.0.as_bytes() == country)
        else {
            continue;
        };
        if let Some(end) = iban_end(bytes, at - 2, *length) {
            spans.push(Span::new(at - 2..end, IBAN, Stage::Payment));
        }
    }
}

fn iban_end(bytes: &[u8], start: usize, length: usize) -> Option<usize> {
    let mut number = Vec::with_capacity(length);
    let mut at = start;
    while number.len() < length {
        match bytes.get(at)? {
            b' ' if !number.is_empty() && bytes[at - 1] != b' ' => {}
            b if b.is_ascii_digit() || b.is_ascii_uppercase() => number.push(*b),
            _ => return None,
        }
        at += 1;
    }
    let open = bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    number.rotate_left(4);
    let remainder = number.iter().fold(0u32, |sum, b| match b {
        b'0'..=b'9' => (sum * 10 + u32::from(b - b'0')) % 97,
        _ => (sum * 100 + u32::from(b - b'A') + 10) % 97,
    });
    (remainder == 1 && !open).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn test_numbers_of_the_networks_are_found() {
        // Published test numbers of the payment networks, in three spellings.
        for number in [
            "4111111111111111",
            "5555 5555 5555 4444",
            "3782-822463-10005",
            "30569309025904",
        ] {
            assert_eq!(masked(&format!("paid with {number} today")), [number]);
        }
        assert_eq!(masked("CVV2 385"), ["385"]);
        assert_eq!(masked("security code: 795"), ["795"]);
        // The examples of the SWIFT registry.
        assert_eq!(
            masked("IBAN: DE89 3704 0044 0532 0130 00"),
            ["DE89 3704 0044 0532 0130 00"]
        );
        assert_eq!(
            masked("to GB29NWBK60161331926819."),
            ["GB29NWBK60161331926819"]
        );
    }

    #[test]
    fn other_numbers_stay() {
        for text in [
            "1842160632232",
            "order 4111111111111111",
            "4111111111111112",
            "0000000000000000",
            "ISBN 9781074376123",
            "x4111111111111111",
            "DE89 3704 0044 0532 0130 01",
            "value 1.4111111111111111",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
