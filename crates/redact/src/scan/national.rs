//! National identity numbers, and the runs of digits that they and card numbers come from.

use std::ops::Range;

use super::card::{MAX_RUN, stands_alone};
use crate::class::{Class, SIN, SSN};
use crate::span::{Span, Stage};

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for run in digit_runs(text.as_bytes()) {
        let content = &text[run.clone()];
        let digits: Vec<u8> = content
            .bytes()
            .filter(u8::is_ascii_digit)
            .map(|b| b - b'0')
            .collect();
        if digits.len() == 9
            && stands_alone(text.as_bytes(), &run)
            && let Some(class) = nine_digits(text, &run, content, &digits)
        {
            spans.push(Span::new(run, class, Stage::Payment));
        }
    }
}

/// Finds maximal runs of digits joined by single blanks or hyphens, of at least nine bytes.
pub(super) fn digit_runs(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            if !bytes[at].is_ascii_digit() {
                at += 1;
                continue;
            }
            let start = at;
            at = run_end(bytes, start);
            if (9..=MAX_RUN).contains(&(at - start)) {
                return Some(start..at);
            }
        }
        None
    })
}

/// Returns the end of the run of digits and single separators that starts here.
pub(super) fn run_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() {
        let joins =
            matches!(bytes[at], b' ' | b'-') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !bytes[at].is_ascii_digit() && !joins {
            break;
        }
        at += 1;
    }
    at
}

fn nine_digits(text: &str, run: &Range<usize>, content: &str, digits: &[u8]) -> Option<Class> {
    let dashed =
        content.len() == 11 && content.as_bytes()[3] == b'-' && content.as_bytes()[6] == b'-';
    let label = |words: &[&str]| labelled(text, run.start, words);
    let plain = content.len() == 9 || dashed || content.as_bytes().get(3) == Some(&b' ');
    if valid_ssn(digits) && (dashed || plain && label(&["ssn", "social security"])) {
        return Some(SSN);
    }
    (luhn_like(digits) && label(&["sin", "social insurance"])).then_some(SIN)
}

/// Checks area, group and serial (US Social Security Administration, number randomisation).
fn valid_ssn(digits: &[u8]) -> bool {
    let number = |range: Range<usize>| {
        digits[range]
            .iter()
            .fold(0u32, |n, d| n * 10 + u32::from(*d))
    };
    let (area, group, serial) = (number(0..3), number(3..5), number(5..9));
    area != 0 && area != 666 && area < 900 && group != 0 && serial != 0
}

/// Checks the Luhn digit of a Canadian social insurance number (Employment and Social
/// Development Canada).
fn luhn_like(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .enumerate()
        .map(|(at, d)| {
            let doubled = u32::from(*d) * if at % 2 == 1 { 2 } else { 1 };
            doubled / 10 + doubled % 10
        })
        .sum();
    sum.is_multiple_of(10) && digits[0] != 0
}

/// Tells whether one of the labels stands, as a word, shortly before.
fn labelled(text: &str, at: usize, labels: &[&str]) -> bool {
    let floor = text.floor_char_boundary(at.saturating_sub(40));
    let head = text[floor..at].to_ascii_lowercase();
    labels.iter().any(|label| {
        head.rfind(label).is_some_and(|found| {
            let edge = |b: Option<&u8>| !b.is_some_and(u8::is_ascii_alphanumeric);
            let bytes = head.as_bytes();
            edge(found.checked_sub(1).and_then(|i| bytes.get(i)))
                && edge(bytes.get(found + label.len()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn numbers_with_form_or_label() {
        assert_eq!(masked("SSN 288-80-3538 on file"), ["288-80-3538"]);
        assert_eq!(masked("ssn: 316185966"), ["316185966"]);
        // The published specimen of the issuing agency.
        assert_eq!(masked("SIN: 046 454 286"), Vec::<&str>::new());
        assert_eq!(masked("SIN: 130 692 544"), ["130 692 544"]);
    }

    #[test]
    fn unassigned_ranges_and_unlabelled_numbers_stay() {
        for text in [
            "000-12-3456",
            "123-00-4567",
            "666-12-3456",
            "316185966",
            "415-2290-118",
            "a-288-80-3538",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
