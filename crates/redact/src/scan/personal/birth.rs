//! Dates of birth: a date beside a label that says so.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use crate::class::DATE_OF_BIRTH;
use crate::rule::Rule;
use crate::scan::label;
use crate::span::Span;

const ID: &str = "date-of-birth";
/// How far from its label a date is looked for.
const MAX_DISTANCE: usize = 24;

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[Rule {
    id: ID,
    class: DATE_OF_BIRTH,
    source: "ISO 8601-1, section 5.2.2; Unicode CLDR, date formats",
}];

const LABELS: &[&str] = &[
    "date of birth",
    "birth date",
    "birthday",
    "dob",
    "born on",
    "born",
    "geburtsdatum",
    "geboren am",
    "geb.",
    "fecha de nacimiento",
    "date de naissance",
    "né le",
    "née le",
    "data di nascita",
    "data de nascimento",
    "geboortedatum",
    "data urodzenia",
    "дата рождения",
    "出生日期",
    "生年月日",
    "생년월일",
];

fn labels() -> &'static AhoCorasick {
    static LABELS_OF: OnceLock<AhoCorasick> = OnceLock::new();
    LABELS_OF.get_or_init(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(label::spelled(LABELS))
            .expect("the list of labels is small and fixed")
    })
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for hit in labels().find_iter(text) {
        if hit.start() < done || !label::is_word(bytes, hit.start(), hit.end()) {
            continue;
        }
        let limit = bytes.len().min(hit.end() + MAX_DISTANCE);
        let Some(start) = (hit.end()..limit).find(|at| bytes[*at].is_ascii_digit()) else {
            continue;
        };
        if let Some(end) = date_end(bytes, start) {
            done = end;
            spans.push(super::span(start..end, DATE_OF_BIRTH, ID));
        }
    }
}

/// Reads a date of three numbers with signs between them, or `4 May 1990`; returns its end.
fn date_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let mut numbers = 0;
    let mut long = 0;
    let mut words = 0;
    while at < bytes.len() && at - start < 24 {
        let digits = bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let letters = bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_alphabetic())
            .count();
        if digits > 0 {
            numbers += 1;
            long += usize::from(digits == 4);
            at += digits;
            let complete = numbers == 3 || numbers == 2 && words == 1;
            if complete && (long == 1 || digits == 2) {
                return Some(at);
            }
            if digits == 8 && numbers == 1 {
                return Some(at);
            }
        } else if letters >= 3 && words == 0 && numbers > 0 {
            words += 1;
            at += letters;
        } else if matches!(bytes[at], b'-' | b'/' | b'.' | b' ' | b',') {
            at += 1;
        } else {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    #[test]
    fn dates_below_a_label() {
        for (text, date) in [
            ("date of birth: 1990-05-04", "1990-05-04"),
            ("\"dob\":\"04/05/1990\"", "04/05/1990"),
            ("Geburtsdatum: 4.5.1990", "4.5.1990"),
            ("birthDate=19900504", "19900504"),
            ("born on 4 May 1990 in", "4 May 1990"),
        ] {
            assert_eq!(masked_by(find, text), [date], "{text}");
        }
        for text in [
            "released 1990-05-04",
            "stubborn 1990-05-04",
            "dob is required",
            "born in 3 of 4",
        ] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }
}
