//! What a memory states about a subject, and under what it is found and replaced.

use precedent_redact::CleanText;
use serde::Serialize;

use crate::normalise;
use unicode_normalization::UnicodeNormalization;

/// A statement with a key: `user`, `name`, `Ann`. A newer statement about the same subject and key
/// replaces it; nothing else does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// What it is about.
    pub subject: CleanText,
    /// Which property of it.
    pub key: CleanText,
    /// What holds; none where the text alone says it.
    pub value: Option<CleanText>,
}

impl Claim {
    /// Returns what the claim is about, in the form under which claims are compared.
    pub fn topic(&self) -> Topic {
        Topic::new(&self.subject, &self.key)
    }

    /// Tells whether both state the same of the same. The case of a value counts: paths and names
    /// of branches differ in nothing else.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let value = |claim: &Self| {
            let value = claim.value.as_deref()?;
            let words: String = value.nfkc().collect();
            Some(
                words
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
            )
        };
        self.topic() == other.topic() && value(self).is_some() && value(self) == value(other)
    }
}

/// A subject and a key in normal form; `Debug` prints neither.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Topic(String);

impl Topic {
    /// Separates the two parts; no normal form holds a control character.
    const SEPARATOR: char = '\u{1f}';

    /// Brings a subject and a key into normal form.
    pub fn new(subject: &str, key: &str) -> Self {
        let part = |text: &str| normalise(text).replace(Self::SEPARATOR, " ");
        Self(format!("{}{}{}", part(subject), Self::SEPARATOR, part(key)))
    }

    /// Returns the form in which a store keeps it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Topic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Topic(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_redact::Redactor;

    fn claim(subject: &str, key: &str, value: Option<&str>) -> Claim {
        let clean = |text: &str| Redactor::new().clean(text);
        Claim {
            subject: clean(subject),
            key: clean(key),
            value: value.map(clean),
        }
    }

    #[test]
    fn topics_ignore_form_and_keep_their_parts_apart() {
        assert_eq!(
            Topic::new("Ann ", "Works  At"),
            Topic::new("ann", "works at")
        );
        assert_ne!(Topic::new("a b", "c"), Topic::new("a", "b c"));
        assert_ne!(Topic::new("a\u{1f}b", "c"), Topic::new("a", "b\u{1f}c"));
    }

    #[test]
    fn claims_agree_by_topic_and_value() {
        let ann = claim("user", "name", Some("Ann"));
        assert!(ann.agrees_with(&claim("User", "name", Some(" Ann"))));
        assert!(!ann.agrees_with(&claim("User", "name", Some("ann"))));
        assert!(!ann.agrees_with(&claim("user", "name", Some("Bea"))));
        assert!(!ann.agrees_with(&claim("user", "nick", Some("Ann"))));
        let open = claim("user", "name", None);
        assert!(!open.agrees_with(&open));
    }
}
