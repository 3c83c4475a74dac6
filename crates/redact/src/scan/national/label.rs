//! The labels of all schemes in one automaton.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::table::SCHEMES;

struct Labels {
    automaton: AhoCorasick,
    spellings: Vec<String>,
    /// For each spelling, the schemes that it announces.
    schemes: Vec<Vec<u8>>,
}

fn labels() -> &'static Labels {
    static LABELS: OnceLock<Labels> = OnceLock::new();
    LABELS.get_or_init(build)
}

fn build() -> Labels {
    let mut spellings: Vec<String> = Vec::new();
    let mut schemes: Vec<Vec<u8>> = Vec::new();
    for (index, scheme) in (0u8..).zip(SCHEMES) {
        for spelling in scheme.labels.iter().flat_map(|label| spelled(label)) {
            match spellings.iter().position(|known| *known == spelling) {
                Some(known) if schemes[known].contains(&index) => {}
                Some(known) => schemes[known].push(index),
                None => {
                    spellings.push(spelling);
                    schemes.push(vec![index]);
                }
            }
        }
    }
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(&spellings)
        .expect("the list of labels is small and fixed");
    Labels {
        automaton,
        spellings,
        schemes,
    }
}

/// Writes the blanks of a label in the ways of texts and of programs.
fn spelled(label: &str) -> Vec<String> {
    if label.contains(' ') {
        [" ", "_", "-", ""]
            .iter()
            .map(|joint| label.replace(' ', joint))
            .collect()
    } else {
        vec![label.to_owned()]
    }
}

/// Lists every spelling of every label.
pub(super) fn spellings() -> impl Iterator<Item = &'static str> {
    labels().spellings.iter().map(String::as_str)
}

/// Finds the ends of labels that are words, with the indices of the schemes that they announce.
pub(super) fn find(text: &str) -> impl Iterator<Item = (usize, &'static [u8])> + '_ {
    let labels = labels();
    labels
        .automaton
        .find_iter(text)
        .filter(|hit| is_word(text.as_bytes(), hit.start(), hit.end()))
        .map(|hit| (hit.end(), &*labels.schemes[hit.pattern().as_usize()]))
}

/// Tells whether a word starts and ends with the label, at a sign or at a change of case.
fn is_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let first = bytes[start];
    let before = start.checked_sub(1).map(|at| bytes[at]);
    let starts = match before {
        Some(b) if b.is_ascii_lowercase() || b.is_ascii_digit() => {
            first.is_ascii_uppercase() || !first.is_ascii() || super::starts_token(bytes, start)
        }
        Some(b) if b.is_ascii_uppercase() => !first.is_ascii_alphabetic(),
        _ => true,
    };
    let last = bytes[end - 1];
    let ends = match bytes.get(end) {
        Some(b) if b.is_ascii_lowercase() => !last.is_ascii_alphabetic(),
        Some(b) if b.is_ascii_uppercase() => !last.is_ascii_uppercase(),
        _ => true,
    };
    starts && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_words() {
        for text in [
            "ssn",
            "userSsn",
            "SSN_NO",
            "ssnNumber",
            "socialSecurity",
            "social_security",
        ] {
            assert_eq!(find(text).count(), 1, "{text}");
        }
        for text in [
            "business", "assn", "cosine", "ssns", "panel", "SPAN", "expand",
        ] {
            assert_eq!(find(text).count(), 0, "{text}");
        }
    }

    #[test]
    fn every_scheme_can_be_found() {
        for scheme in SCHEMES {
            assert!(
                !scheme.labels.is_empty() || !scheme.bare.is_empty(),
                "{}",
                scheme.id
            );
            assert!(!scheme.source.is_empty());
            for form in scheme.forms {
                assert!(form.len() <= super::super::MAX_LENGTH, "{}", scheme.id);
            }
        }
        assert!(SCHEMES.len() < usize::from(u8::MAX));
    }
}
