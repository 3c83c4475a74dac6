//! The name of a log, which certificates and later checkpoints carry.

use std::fmt;

/// Longest origin in bytes.
const MAX_BYTES: usize = 255;

/// A log's name, such as `memory.example/audit/prod-1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

/// A text that cannot name a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a log origin: use up to 255 characters without white space or +, not starting with \
     {{ or DSSEv1"
)]
pub struct OriginError;

impl Origin {
    /// Checks a name by the rules for key names of C2SP signed-note, and that no signed text which
    /// starts with it can be taken for a payload or for an envelope's encoding.
    ///
    /// # Errors
    /// [`OriginError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, OriginError> {
        let admitted = !text.is_empty()
            && text.len() <= MAX_BYTES
            && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
            && !text.starts_with('{')
            && !text.starts_with("DSSEv1");
        if admitted {
            Ok(Self(text.to_owned()))
        } else {
            Err(OriginError)
        }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_origins_are_refused() {
        assert!(Origin::parse("memory.example/audit/prod-1").is_ok());
        let long = "x".repeat(256);
        for text in [
            "",
            "a b",
            "a\nb",
            "a+b",
            "{a",
            "DSSEv1x",
            "a\u{2028}b",
            "a\0",
            &long,
        ] {
            assert_eq!(Origin::parse(text), Err(OriginError), "{text:?}");
        }
    }
}
