//! The labels of all schemes by their spellings.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::super::label;
use super::table::{Scheme, schemes};
use crate::lexicon::{Case, Lexicon};

/// For each spelling, the schemes that it announces.
type Labels = BTreeMap<String, Vec<&'static Scheme>>;

fn labels() -> &'static Labels {
    static LABELS: OnceLock<Labels> = OnceLock::new();
    LABELS.get_or_init(|| {
        let mut labels = Labels::new();
        for scheme in schemes() {
            for spelling in label::spelled(scheme.labels) {
                labels.entry(spelling).or_default().push(scheme);
            }
        }
        labels
    })
}

fn lexicon() -> &'static Lexicon<&'static [&'static Scheme]> {
    static LEXICON: OnceLock<Lexicon<&'static [&'static Scheme]>> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let labels = labels().iter();
        Lexicon::new(labels.map(|(label, schemes)| (label.as_str(), schemes.as_slice())))
    })
}

/// Lists what the gate looks for.
pub(super) fn heads() -> impl Iterator<Item = (&'static str, &'static str)> {
    label::heads(labels().keys().map(String::as_str))
}

/// Finds the ends of labels that are words, with the schemes that they announce.
pub(super) fn find(text: &str) -> impl Iterator<Item = (usize, &'static [&'static Scheme])> + '_ {
    lexicon()
        .find_iter(text, Case::Any)
        .filter(|(label, _)| label::is_word(text.as_bytes(), label.start, label.end))
        .map(|(label, schemes)| (label.end, *schemes))
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
        for scheme in schemes() {
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
    }
}
