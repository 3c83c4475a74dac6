//! Who may see what: namespaces, names of actors and agents, the scope of a reader.

use std::fmt;

use precedent_redact::CleanText;
use serde::{Serialize, Serializer};
use unicode_normalization::is_nfc;

/// Longest segment of a namespace, in bytes.
const SEGMENT_BYTES: usize = 64;
/// Most segments of a namespace.
const SEGMENTS: usize = 16;
/// Longest name of an actor or agent, in bytes.
const NAME_BYTES: usize = 128;

/// A text that is no namespace or no name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamespaceError {
    /// Nothing was given; an empty scope would mean everything.
    #[error("the {0} is empty; name one, such as default")]
    Empty(&'static str),
    /// A character, a segment or the whole is not admitted.
    #[error(
        "the {0} has a character or a length that is not admitted; use up to {1} bytes without \
         brackets, control characters or blanks at an end, with / between the segments of a \
         namespace"
    )]
    Malformed(&'static str, usize),
}

/// A path of segments such as `acme/kitchen`.
///
/// A reader at `acme/kitchen` sees `acme/kitchen` and `acme`; erasure reaches a namespace and its
/// descendants. Segments match whole, never by prefix.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Namespace(CleanText);

impl Namespace {
    /// Parses a namespace.
    ///
    /// # Errors
    /// [`NamespaceError`] when it is empty, too long, has control characters, brackets, or blanks
    /// at the end of a segment, or is not in NFC. A redaction marker has brackets, so a name that
    /// held a secret is refused too.
    pub fn parse(text: CleanText) -> Result<Self, NamespaceError> {
        const WHAT: &str = "namespace";
        if text.is_empty() {
            return Err(NamespaceError::Empty(WHAT));
        }
        let well_formed = text.split('/').count() <= SEGMENTS
            && text.split('/').all(|segment| {
                is_plain(segment, SEGMENT_BYTES) && segment != "." && segment != ".."
            });
        if well_formed {
            Ok(Self(text))
        } else {
            Err(NamespaceError::Malformed(WHAT, SEGMENT_BYTES))
        }
    }

    /// Returns the path with `/` between its segments.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns this namespace and its ancestors, nearest first: what a reader here sees.
    pub fn visible(&self) -> Vec<&str> {
        let path = self.as_str();
        let mut paths = vec![path];
        paths.extend(path.rmatch_indices('/').map(|(at, _)| &path[..at]));
        paths
    }

    /// Tells whether `other` is this namespace or below it, by whole segments.
    pub fn contains(&self, other: &str) -> bool {
        other
            .strip_prefix(self.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// The name of an actor, an agent or a host.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(CleanText);

impl Name {
    /// Parses a name.
    ///
    /// # Errors
    /// [`NamespaceError`] as for [`Namespace::parse`], with no `/` admitted.
    pub fn parse(text: CleanText) -> Result<Self, NamespaceError> {
        const WHAT: &str = "name";
        if text.is_empty() {
            return Err(NamespaceError::Empty(WHAT));
        }
        if is_plain(&text, NAME_BYTES) {
            Ok(Self(text))
        } else {
            Err(NamespaceError::Malformed(WHAT, NAME_BYTES))
        }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_plain(text: &str, limit: usize) -> bool {
    !text.is_empty()
        && text.len() <= limit
        && text.trim() == text
        && is_nfc(text)
        && !text.contains(|c: char| c.is_control() || matches!(c, '[' | ']' | '/'))
}

macro_rules! shown_as_text {
    ($($name:ident),+) => { $(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )+ };
}

shown_as_text!(Namespace, Name);

/// What a reader may see: a namespace with its ancestors, of private records its own, and of
/// records with an access list those that name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Where the reader stands.
    pub namespace: Namespace,
    /// Who the reader is; private records of other agents stay hidden.
    pub agent: Name,
    /// The names that access lists know the reader by: the actor and its groups.
    pub names: Vec<Name>,
}

impl Scope {
    /// Tells whether a record of `namespace`, private to `owner` or to nobody, is visible.
    pub fn sees(&self, namespace: &Namespace, owner: Option<&Name>) -> bool {
        let readers = &[];
        self.is_in(&Audience {
            namespace,
            owner,
            readers,
        })
    }

    /// Tells whether the reader belongs to an audience.
    pub fn is_in(&self, audience: &Audience<'_>) -> bool {
        audience.namespace.contains(self.namespace.as_str())
            && audience.owner.is_none_or(|owner| *owner == self.agent)
            && self.is_listed(audience.readers)
    }

    /// Tells whether an access list admits the reader; an empty one admits everybody.
    pub fn is_listed(&self, readers: &[Name]) -> bool {
        readers.is_empty() || readers.iter().any(|reader| self.names.contains(reader))
    }
}

/// Whom a record is for. Records of one audience share their lexical statistics, their repeats
/// and their names of entities; nothing of it reaches anybody outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audience<'a> {
    /// Readers here and below see it.
    pub namespace: &'a Namespace,
    /// The agent whose alone it is, if it is private.
    pub owner: Option<&'a Name>,
    /// The access list of its source, sorted; empty admits everybody.
    pub readers: &'a [Name],
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_redact::Redactor;

    fn namespace(text: &str) -> Result<Namespace, NamespaceError> {
        Namespace::parse(Redactor::new().clean(text))
    }

    #[test]
    fn a_reader_sees_its_ancestors_by_whole_segments() {
        let reader = namespace("a/b").unwrap();
        assert_eq!(reader.visible(), ["a/b", "a"]);
        let agent = Name::parse(Redactor::new().clean("local")).unwrap();
        let other = Name::parse(Redactor::new().clean("planner")).unwrap();
        let scope = Scope {
            namespace: reader,
            agent: agent.clone(),
            names: vec![other.clone()],
        };
        for (path, seen) in [
            ("a/b", true),
            ("a", true),
            ("a/c", false),
            ("a/b/c", false),
            ("a/bc", false),
        ] {
            assert_eq!(scope.sees(&namespace(path).unwrap(), None), seen, "{path}");
        }
        assert!(scope.sees(&namespace("a").unwrap(), Some(&agent)));
        assert!(!scope.sees(&namespace("a").unwrap(), Some(&other)));
        assert!(scope.is_listed(&[]) && scope.is_listed(&[agent.clone(), other]));
        assert!(!scope.is_listed(&[agent]));
    }

    #[test]
    fn odd_paths_are_refused() {
        assert_eq!(namespace(""), Err(NamespaceError::Empty("namespace")));
        let long = "x".repeat(65);
        for text in [
            "/a",
            "a/",
            "a//b",
            "a/../b",
            " a",
            "a /b",
            "a\0",
            "a\u{85}",
            "[x]",
            "e\u{301}",
            long.as_str(),
        ] {
            assert!(
                matches!(namespace(text), Err(NamespaceError::Malformed(..))),
                "{text}"
            );
        }
        for text in [
            "b\u{fc}ro/\u{540d}\u{524d}",
            "100%",
            "a b",
            "\"a\"",
            "it's",
            "\u{1f980}",
            "A_b-c:d",
        ] {
            assert!(namespace(text).is_ok(), "{text}");
        }
    }

    /// The marker that stands for a secret has brackets.
    #[test]
    fn a_name_that_holds_a_secret_is_refused() {
        let token = format!("ghp_{}", "a1B2".repeat(9));
        for text in [token.clone(), format!("team/{token}"), format!("a:{token}")] {
            assert!(namespace(&text).is_err(), "{text}");
            assert!(Name::parse(Redactor::new().clean(&text)).is_err(), "{text}");
        }
    }
}
