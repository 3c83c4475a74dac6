//! Card numbers: an issuer's prefix and length, a check digit, and no other label before.

use std::ops::Range;

use super::bytes::starts_token;
use super::digits::MAX_RUN;

/// Longest card number (ISO/IEC 7812-1).
const MAX_DIGITS: usize = 19;

/// Finds the card number in a run of digits and single blanks or hyphens: all of it, or some of
/// its groups, since a date may stand before.
pub(super) fn find_in(bytes: &[u8], run: &Range<usize>) -> Option<Range<usize>> {
    if run.len() > MAX_RUN {
        return None;
    }
    let starts = run
        .clone()
        .filter(|at| *at == run.start || matches!(bytes[at - 1], b' ' | b'-'));
    starts
        .filter(|start| bytes[*start].is_ascii_digit())
        .find_map(|start| number_at(bytes, start, run))
}

/// Reads the longest number that starts here and ends with its group.
fn number_at(bytes: &[u8], start: usize, run: &Range<usize>) -> Option<Range<usize>> {
    let mut digits = [0; MAX_DIGITS];
    let mut count = 0;
    let mut found = None;
    for at in start..run.end {
        if !bytes[at].is_ascii_digit() {
            continue;
        }
        if count == MAX_DIGITS {
            break;
        }
        digits[count] = bytes[at] - b'0';
        count += 1;
        let ends_group = !bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        let range = start..at + 1;
        if ends_group && count >= 13 && fits(&digits[..count], bytes, &range, run) {
            found = Some(range);
        }
    }
    found
}

fn fits(digits: &[u8], bytes: &[u8], range: &Range<usize>, run: &Range<usize>) -> bool {
    let content = &bytes[range.clone()];
    let uniform = digits.iter().all(|d| *d == digits[0]);
    let whole = range == run;
    issued(digits, content.len())
        && luhn(digits)
        && !uniform
        && well_grouped(content)
        && (whole || is_usual(content, digits.len()))
        && stands_alone(bytes, range)
        && !labelled_otherwise(bytes, range.start)
}

/// Part of a run is a card only in the networks' usual groups, or undivided.
fn is_usual(content: &[u8], digits: usize) -> bool {
    content.len() == digits || groups(content).take(3).all(|len| len == 4)
}

/// Separators are all alike and stand between groups of two to seven digits.
fn well_grouped(content: &[u8]) -> bool {
    let Some(separator) = content.iter().find(|b| !b.is_ascii_digit()) else {
        return true;
    };
    let alike = content.iter().all(|b| b.is_ascii_digit() || b == separator);
    alike && groups(content).count() >= 3 && groups(content).all(|len| (2..=7).contains(&len))
}

fn groups(content: &[u8]) -> impl Iterator<Item = usize> + '_ {
    content.split(|b| !b.is_ascii_digit()).map(<[u8]>::len)
}

/// Tells whether no letter, digit or joining sign touches the number.
pub(super) fn stands_alone(bytes: &[u8], range: &Range<usize>) -> bool {
    let before = range.start.checked_sub(1).map(|at| bytes[at]);
    // The first track of a magnetic stripe starts with `%B` (ISO/IEC 7813).
    let track = bytes[..range.start].ends_with(b"%B");
    let glued_before = before.is_some_and(|b| matches!(b, b'_' | b'.' | b'-' | b'+' | b'/'))
        || !starts_token(bytes, range.start);
    let after = bytes.get(range.end).copied();
    let decimal = after == Some(b'.') && bytes.get(range.end + 1).is_some_and(u8::is_ascii_digit);
    let glued_after = after.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    (track || !glued_before) && !glued_after && !decimal
}

/// The issuers' identification number ranges and lengths (ISO/IEC 7812 and the networks' own
/// publications: Visa, Mastercard, American Express, Discover, Diners Club, JCB, UnionPay,
/// Maestro).
fn issued(digits: &[u8], spelled: usize) -> bool {
    let head = |n: usize| {
        digits
            .iter()
            .take(n)
            .fold(0u32, |sum, d| sum * 10 + u32::from(*d))
    };
    let len = digits.len();
    // Visa's longest form is rare, and bare numbers of that length are common.
    let grouped = spelled > len;
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

/// Checks the last digit (ISO/IEC 7812-1, annex B).
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
pub(super) fn labelled_otherwise(bytes: &[u8], at: usize) -> bool {
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
    let head = &bytes[at.saturating_sub(32)..at];
    let head = head.trim_ascii_end();
    let signs = head
        .iter()
        .rev()
        .take_while(|b| matches!(b, b' ' | b'"' | b'\'' | b':' | b'=' | b'#' | b'\\'))
        .count();
    let head = &head[..head.len() - signs];
    let word = head
        .rsplit(|b| !b.is_ascii_alphanumeric())
        .next()
        .unwrap_or(&[]);
    OTHER
        .iter()
        .any(|other| other.as_bytes().eq_ignore_ascii_case(word))
}
