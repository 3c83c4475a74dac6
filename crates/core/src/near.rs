//! Memories that say almost the same, told apart without a model: the recall answers them once.

use std::collections::BTreeSet;

use crate::{Memory, analyze};

/// The share of their terms that two texts have in common at least, to say almost the same.
const LEAST_SHARE: f64 = 0.85;

/// What a memory says, in the form in which it is compared.
pub(crate) struct Gist<'a> {
    memory: &'a Memory,
    terms: BTreeSet<String>,
}

impl<'a> Gist<'a> {
    /// Reads a memory.
    pub(crate) fn of(memory: &'a Memory) -> Self {
        let terms = analyze::document(&memory.text)
            .into_iter()
            .flat_map(|chunk| chunk.terms)
            .map(|(term, _)| term)
            .filter(|term| analyze::is_content(term) || is_telling(term))
            .collect();
        Self { memory, terms }
    }

    /// Tells whether two memories say almost the same: they state the same under one key, or their
    /// words are nearly the same ones and what they differ in is neither a number nor a negation.
    pub(crate) fn resembles(&self, other: &Self) -> bool {
        if self.memory.kind != other.memory.kind {
            return false;
        }
        match (&self.memory.claim, &other.memory.claim) {
            (Some(ours), Some(theirs)) => ours.agrees_with(theirs),
            (None, None) => self.reads_like(other),
            _ => false,
        }
    }

    fn reads_like(&self, other: &Self) -> bool {
        let common = self.terms.intersection(&other.terms).count();
        let all = self.terms.union(&other.terms).count();
        #[expect(clippy::cast_precision_loss, reason = "a text has few terms")]
        let share = common as f64 / all.max(1) as f64;
        let differs = || self.terms.symmetric_difference(&other.terms);
        share >= LEAST_SHARE && !differs().any(|term| is_telling(term))
    }
}

/// Tells whether a term changes what a text says, however small it is.
fn is_telling(term: &str) -> bool {
    const NEGATIONS: [&str; 8] = [
        "not", "no", "never", "without", "dont", "don", "cannot", "except",
    ];
    term.contains(|c: char| c.is_numeric()) || NEGATIONS.contains(&term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Claim, MemoryId, Name, Namespace};
    use precedent_redact::{CleanText, Redactor};

    fn clean(text: &str) -> CleanText {
        Redactor::new().clean(text)
    }

    fn memory(text: &str) -> Memory {
        let name = || Name::parse(clean("ada")).unwrap();
        let namespace = Namespace::parse(clean("a")).unwrap();
        Memory::new(
            MemoryId::from_bytes([1; 16]),
            namespace,
            name(),
            name(),
            clean(text),
        )
    }

    fn alike(a: &str, b: &str) -> bool {
        let (a, b) = (memory(a), memory(b));
        Gist::of(&a).resembles(&Gist::of(&b))
    }

    #[test]
    fn the_same_words_in_another_form_are_the_same() {
        assert!(alike(
            "Deployments go out on Fridays.",
            "the deployments go out on friday"
        ));
        assert!(alike(
            "Run the integration tests before every release of the payment service",
            "Before each release of the payment service, run the integration tests"
        ));
    }

    #[test]
    fn numbers_negations_and_other_words_tell_texts_apart() {
        for (a, b) in [
            (
                "the gateway service listens for requests on port 8080",
                "the gateway service listens for requests on port 8081",
            ),
            (
                "deploy the payment service to production on fridays",
                "do not deploy the payment service to production on fridays",
            ),
            (
                "the build cache is on host seven",
                "the build cache is on host eight",
            ),
            ("", "the build cache"),
        ] {
            assert!(!alike(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn claims_are_compared_by_what_they_state() {
        let stating = |text: &str, value: &str| Memory {
            claim: Some(Claim {
                subject: clean("api"),
                key: clean("port"),
                value: Some(clean(value)),
            }),
            ..memory(text)
        };
        let (a, b) = (
            stating("the port is 80", "80"),
            stating("it listens at 80", "80"),
        );
        assert!(Gist::of(&a).resembles(&Gist::of(&b)));
        let c = stating("the port is 80", "81");
        assert!(!Gist::of(&a).resembles(&Gist::of(&c)));
    }
}
