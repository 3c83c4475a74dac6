//! Card numbers, card security codes and account numbers.

use std::ops::Range;

use memchr::memmem;

use super::{card, digits, iban};
use crate::class::{CARD, CVV, IBAN};
use crate::gate::{Entry, Families};
use crate::span::{Span, Stage};

/// Lists the labels of security codes.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    ["cvv", "cvc", "security"]
        .into_iter()
        .map(|word| Entry::any_case(word, Families::NUMBER))
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    for run in digits::runs(bytes) {
        if let Some(range) = card(bytes, &run) {
            spans.push(Span::new(range, CARD, Stage::Payment));
        }
    }
    security_codes(text, spans);
    ibans(bytes, spans);
}

/// Returns the run of digits and single separators that starts here.
pub(crate) fn digits_from(bytes: &[u8], start: usize) -> Range<usize> {
    start..digits::run_end(bytes, start)
}

/// Returns the card number in a run of digits.
pub(crate) fn card(bytes: &[u8], run: &Range<usize>) -> Option<Range<usize>> {
    card::find_in(bytes, run)
}

/// Returns the end of the account number that starts here.
pub(crate) fn iban_at(bytes: &[u8], start: usize) -> Option<usize> {
    iban::end_at(bytes, start)
}

fn ibans(bytes: &[u8], spans: &mut Vec<Span>) {
    let mut done = 0;
    for at in 0..bytes.len().saturating_sub(13) {
        let starts = at >= done
            && bytes[at + 2].is_ascii_digit()
            && bytes[at + 3].is_ascii_digit()
            && bytes[at].is_ascii_uppercase()
            && bytes[at + 1].is_ascii_uppercase();
        if starts && let Some(end) = iban_at(bytes, at) {
            spans.push(Span::new(at..end, IBAN, Stage::Payment));
            done = end;
        }
    }
}

/// Masks three or four digits beside a label of the security code.
pub(super) fn security_codes(text: &str, spans: &mut Vec<Span>) {
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
