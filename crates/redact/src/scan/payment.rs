//! Card numbers, card security codes and account numbers.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::{card, digits, iban, label};
use crate::class::{CARD, CVV, IBAN};
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Lists the labels of security codes.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    label::heads(spellings().iter().map(String::as_str))
        .map(|(head, label)| Entry::label(head, label, Families::NUMBER))
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    for run in digits::runs(bytes) {
        if let Some((range, id)) = card::find_in(bytes, &run) {
            spans.push(Span::new(range, CARD, Stage::Payment).by(id));
        }
    }
    security_codes(text, spans);
    ibans(bytes, spans);
}

/// Returns the run of digits and single separators that starts here.
pub(crate) fn digits_from(bytes: &[u8], start: usize) -> Range<usize> {
    start..digits::run_end(bytes, start)
}

/// Tells whether a run of digits holds a card number.
pub(crate) fn has_card(bytes: &[u8], run: &Range<usize>) -> bool {
    card::find_in(bytes, run).is_some()
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
            spans.push(Span::new(at..end, IBAN, Stage::Payment).by(ACCOUNT));
            done = end;
        }
    }
}

/// Masks three or four digits beside a label of the security code.
pub(super) fn security_codes(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    for hit in labels().find_iter(text) {
        if !label::is_word(bytes, hit.start(), hit.end()) {
            continue;
        }
        let start = after_filler(bytes, hit.end());
        let digits = bytes[start..].iter().take(5);
        let digits = digits.take_while(|b| b.is_ascii_digit()).count();
        let end = start + digits;
        let next = bytes.get(end).copied();
        let glued = next.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        let decimal =
            matches!(next, Some(b'.' | b',')) && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if start > hit.end() && (3..=4).contains(&digits) && !glued && !decimal {
            spans.push(Span::new(start..end, CVV, Stage::Payment).by(SECURITY_CODE));
        }
    }
}

const SECURITY_CODE: &str = "card-security-code";
const ACCOUNT: &str = "international-bank-account-number";

/// Lists the rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let own = [
        Rule {
            id: SECURITY_CODE,
            class: CVV,
            source: "PCI DSS 4.0, sensitive authentication data; the networks' card verification values",
        },
        Rule {
            id: ACCOUNT,
            class: IBAN,
            source: "ISO 13616-1; SWIFT, IBAN registry",
        },
    ];
    card::rules().chain(own)
}

/// Names of the security code; a blank stands for a blank, `_`, `-` or nothing.
const LABELS: &[&str] = &[
    "cvv",
    "cvc",
    "cvn",
    "csc",
    "cav2",
    "cid code",
    "security code",
    "card verification value",
    "card verification number",
    "card verification code",
    "card pin",
    "atm pin",
    "bank pin",
    "pin de la carte",
    "pin de la tarjeta",
    "pin do cartão",
    "pin der karte",
    "código de seguridad",
    "codigo de seguridad",
    "código de segurança",
    "codice di sicurezza",
    "cryptogramme",
    "prüfziffer",
    "prüfnummer",
    "kartenprüfnummer",
    "セキュリティコード",
    "安全码",
    "보안코드",
];

fn labels() -> &'static AhoCorasick {
    static LABELS: OnceLock<AhoCorasick> = OnceLock::new();
    LABELS.get_or_init(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(spellings())
            .expect("the list of labels is small and fixed")
    })
}

fn spellings() -> &'static [String] {
    static SPELLINGS: OnceLock<Vec<String>> = OnceLock::new();
    SPELLINGS.get_or_init(|| label::spelled(LABELS))
}

/// Passes the signs and the small words between a label and its code.
fn after_filler(bytes: &[u8], from: usize) -> usize {
    const WORDS: &[&[u8]] = &[
        b"code", b"number", b"value", b"is", b"was", b"no", b"num", b"ist", b"es", b"est", b"of",
        b"the", b"card", b"it", b"e", b"lautet", b"back", b"on", b"your", b"this", b"my",
    ];
    // `CVV2` and `CVC2` are the codes that are printed on the card.
    let second =
        bytes.get(from) == Some(&b'2') && !bytes.get(from + 1).is_some_and(u8::is_ascii_digit);
    let mut at = from + usize::from(second);
    let limit = bytes.len().min(from + 32);
    while at < limit {
        let b = bytes[at];
        let sign = matches!(
            b,
            b' ' | b':'
                | b'-'
                | b'='
                | b'"'
                | b'\''
                | b'\\'
                | b'#'
                | b'['
                | b']'
                | b'('
                | b')'
                | b'>'
                | b'|'
                | b'_'
                | b'.'
                | b'*'
                | b'`'
        );
        let word = bytes[at..limit]
            .iter()
            .take_while(|b| b.is_ascii_alphabetic())
            .count();
        let known = |word: &[u8]| WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
        if sign {
            at += 1;
        } else if word > 0 && known(&bytes[at..at + word]) {
            at += word;
        } else if bytes[at..].starts_with("：".as_bytes()) {
            at += "：".len();
        } else {
            break;
        }
    }
    at
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
        assert_eq!(masked("the CVV is 304"), ["304"]);
        assert_eq!(masked("card[cvc]=615"), ["615"]);
        assert_eq!(masked("cardCvv: '6472'"), ["6472"]);
        assert_eq!(masked("(2200 9854 9480 5969)"), ["2200 9854 9480 5969"]);
        assert_eq!(
            masked("card number 4000369585286133286"),
            ["4000369585286133286"]
        );
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
            "row 4000369585286133286",
            "the CVV has 3 digits",
            "cvc 2.75",
            "cvv: 12345",
            "CVV must match 123-45",
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
