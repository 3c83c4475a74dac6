//! National identity numbers: under a label of their country, or alone in a spelling that nothing
//! else has.

mod check;
mod europe;
mod label;
mod table;
mod world;

use std::ops::Range;
use std::sync::OnceLock;

use super::bytes::starts_token;
use super::card::{labelled_otherwise, stands_alone};
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};
use table::{Scheme, schemes};

/// Longest number in characters.
const MAX_LENGTH: usize = 18;
/// Longest spelling, with separators.
const MAX_SPELLED: usize = 40;
/// How far from its label a number is looked for.
const MAX_DISTANCE: usize = 48;
/// Most words between a label and its number.
const MAX_WORDS: usize = 7;

/// Lists the rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    schemes().map(|scheme| Rule {
        id: scheme.id,
        class: scheme.class,
        source: scheme.source,
    })
}

/// Lists the labels.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    // The country of every Swiss number, whose digits come in groups between full stops.
    let swiss = Entry::exact("756.", Families::NUMBER);
    label::heads()
        .map(|(head, label)| Entry::label(head, label, Families::NUMBER))
        .chain([swiss])
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    labelled(text, spans);
    bare(text, spans);
}

/// Finds numbers after the labels of their countries.
pub(super) fn labelled(text: &str, spans: &mut Vec<Span>) {
    for (end, schemes) in label::find(text) {
        if let Some((range, scheme)) = after_label(text, end, schemes) {
            spans.push(Span::new(range, scheme.class, Stage::Payment).by(scheme.id));
        }
    }
}

/// Looks at the words after a label for a number of one of its schemes.
fn after_label(
    text: &str,
    from: usize,
    schemes: &[&'static Scheme],
) -> Option<(Range<usize>, &'static Scheme)> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_DISTANCE);
    let mut words = 0;
    let mut only_signs = true;
    let mut at = from;
    while at < limit && words < MAX_WORDS {
        let b = bytes[at];
        if b == b'\n' && !only_signs {
            return None;
        }
        if !b.is_ascii_alphanumeric() || !starts_token(bytes, at) {
            at += 1;
            continue;
        }
        let schemes = schemes.iter().copied();
        let found = schemes
            .filter_map(|scheme| Some((shaped(bytes, from, at, scheme)?, scheme)))
            .max_by_key(|(range, _)| range.end);
        if found.is_some() {
            return found;
        }
        words += 1;
        only_signs = false;
        at += bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric())
            .count();
    }
    None
}

/// Reads a number of the scheme that starts here, after a label that ends at `label`.
fn shaped(bytes: &[u8], label: usize, at: usize, scheme: &Scheme) -> Option<Range<usize>> {
    scheme.forms.iter().find_map(|form| {
        let mut number = [0; MAX_LENGTH];
        let end = read(bytes, at, form, &mut number)?;
        let number = &number[..form.len()];
        let digits = number.iter().filter(|b| b.is_ascii_digit()).count();
        let all_digits = digits == number.len();
        let plausible = digits >= 4
            && number.iter().any(|b| *b != number[0])
            && (!all_digits || !labelled_otherwise(&bytes[label..], at - label))
            && (!scheme.strict || (scheme.check)(number));
        plausible.then_some(at..end)
    })
}

/// Reads the characters of a form, with single separators between them, into `number`.
fn read(bytes: &[u8], start: usize, form: &str, number: &mut [u8; MAX_LENGTH]) -> Option<usize> {
    let mut at = start;
    for (place, (want, to)) in form.bytes().zip(number.iter_mut()).enumerate() {
        if place > 0
            && matches!(bytes.get(at), Some(b' ' | b'-' | b'.' | b'/'))
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
        {
            at += 1;
        }
        let b = bytes.get(at)?.to_ascii_uppercase();
        let fits = match want {
            b'9' => b.is_ascii_digit(),
            b'A' => b.is_ascii_uppercase(),
            b'X' => b.is_ascii_alphanumeric(),
            other => b == other,
        };
        if !fits {
            return None;
        }
        *to = b;
        at += 1;
    }
    ends(bytes, at).then_some(at)
}

/// Tells whether a number ends here: nothing is glued to it, and no further group follows.
fn ends(bytes: &[u8], at: usize) -> bool {
    let next = bytes.get(at).copied();
    let after = bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    let glued = next.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
    let goes_on = matches!(next, Some(b'-' | b'.' | b'/')) && after;
    !glued && !goes_on
}

/// Finds numbers without a label.
fn bare(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let word = at;
        at += bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric())
            .count();
        // A number can follow the tail of an escape, which is part of the word.
        let start = (word..at.min(word + 8))
            .find(|at| starts_token(bytes, *at) && starts_number(bytes, *at));
        let Some((range, scheme)) = start.and_then(|start| bare_at(bytes, start)) else {
            continue;
        };
        at = range.end;
        spans.push(Span::new(range, scheme.class, Stage::Payment).by(scheme.id));
    }
}

fn starts_number(bytes: &[u8], at: usize) -> bool {
    bytes[at].is_ascii_digit()
        || bytes[at].is_ascii_uppercase() && bytes.get(at + 3).is_some_and(u8::is_ascii_uppercase)
}

/// Reads a number that needs no label and starts here.
pub(crate) fn is_bare_at(bytes: &[u8], start: usize) -> bool {
    bare_at(bytes, start).is_some()
}

/// The spellings that need no label.
fn spellings() -> &'static [(&'static str, &'static Scheme)] {
    static SPELLINGS: OnceLock<Vec<(&str, &Scheme)>> = OnceLock::new();
    SPELLINGS.get_or_init(|| {
        let of = |scheme: &'static Scheme| scheme.bare.iter().map(move |bare| (*bare, scheme));
        schemes().flat_map(of).collect()
    })
}

fn bare_at(bytes: &[u8], start: usize) -> Option<(Range<usize>, &'static Scheme)> {
    let first = bytes[start].is_ascii_digit();
    let spelled = spellings().iter();
    spelled
        .filter(|(bare, _)| bare.as_bytes()[0].is_ascii_digit() == first)
        .find_map(|&(bare, scheme)| {
            let range = start..start + bare.len();
            let content = bytes.get(range.clone())?;
            let mut number = [0; MAX_SPELLED];
            let mut count = 0;
            for (b, want) in content.iter().zip(bare.bytes()) {
                let fits = match want {
                    b'9' => b.is_ascii_digit(),
                    b'A' => b.is_ascii_uppercase(),
                    b'X' => b.is_ascii_uppercase() || b.is_ascii_digit(),
                    other => *b == other,
                };
                if !fits {
                    return None;
                }
                if b.is_ascii_alphanumeric() {
                    number[count] = *b;
                    count += 1;
                }
            }
            let alone = stands_alone(bytes, &range) && ends(bytes, range.end);
            (alone && (scheme.check)(&number[..count]) && !labelled_otherwise(bytes, start))
                .then_some((range, scheme))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::joined_by;

    fn masked(text: &str) -> Vec<&str> {
        joined_by(find, text)
    }

    #[test]
    fn numbers_with_form_or_label() {
        for (text, number) in [
            ("SSN 288-80-3538 on file", "288-80-3538"),
            ("ssn: 316185966", "316185966"),
            ("socialSecurityNumber: 316185966", "316185966"),
            ("Her social security number is 230 47 8284.", "230 47 8284"),
            ("SIN: 154 759 369", "154 759 369"),
            ("Social Insurance Number: 462-057-779", "462-057-779"),
            ("NI number: AB991410C", "AB991410C"),
            ("National Insurance: JG 39 65 80 A", "JG 39 65 80 A"),
            ("NIR: 2 55 08 14 168 025 38", "2 55 08 14 168 025 38"),
            ("con DNI 12345678Z en", "12345678Z"),
            ("customerCpf=111.444.777-35", "111.444.777-35"),
            ("\"aadhaar_number\":\"799788397088\"", "799788397088"),
            ("주민등록번호: 900101-2360339", "900101-2360339"),
            ("회원 900101-2360339 가입", "900101-2360339"),
            ("身份证号：11010519491231002X", "11010519491231002X"),
            ("codice fiscale: RSSMRA85T10A562S", "RSSMRA85T10A562S"),
            ("personnummer: 811218-9876", "811218-9876"),
            ("henkilötunnus: 131052-308T", "131052-308T"),
            ("NRIC: S1234567D", "S1234567D"),
            ("asiakas 131052-308T soitti", "131052-308T"),
            ("paid by 20-17254359-7 today", "20-17254359-7"),
            ("Passport No. C01X00T47", "C01X00T47"),
        ] {
            assert_eq!(masked(text), [number], "{text}");
        }
    }

    #[test]
    fn other_numbers_stay() {
        for text in [
            "000-12-3456",
            "123-00-4567",
            "555-0199",
            "415-2290-118",
            "order 316185966",
            "math.sin(123456789)",
            "business 154759369",
            "due 2026-05-04",
            "value 12-34-56",
            "see RFC 2616 and RFC 9110",
            "the pan is hot 1234",
            "SSN: 000-00-0000",
            "nie 12345678",
            "version 1.2.3.4-12",
            "id 1234 5678 9012",
            "ABCDEF12G34H567I",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
