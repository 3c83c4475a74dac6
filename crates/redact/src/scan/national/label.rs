//! The labels of all schemes in one automaton.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::super::label;
use super::table::SCHEMES;

struct Labels {
    automaton: AhoCorasick,
    /// The spellings in their order.
    sorted: Vec<String>,
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
        for spelling in label::spelled(scheme.labels) {
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
    spellings.sort_unstable();
    Labels {
        automaton,
        sorted: spellings,
        schemes,
    }
}

/// Lists what the gate looks for.
pub(super) fn heads() -> impl Iterator<Item = (&'static str, &'static str)> {
    label::heads(&labels().sorted)
}

/// Finds the ends of labels that are words, with the indices of the schemes that they announce.
pub(super) fn find(text: &str) -> impl Iterator<Item = (usize, &'static [u8])> + '_ {
    let labels = labels();
    labels
        .automaton
        .find_iter(text)
        .filter(|hit| label::is_word(text.as_bytes(), hit.start(), hit.end()))
        .map(|hit| (hit.end(), &*labels.schemes[hit.pattern().as_usize()]))
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
