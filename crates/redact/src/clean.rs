//! Text that has passed the redactor.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;

use serde::Serialize;

/// Holds text that has passed a [`Redactor`](crate::Redactor).
///
/// There is no other way to make one: no constructor, no conversion from `String`, no
/// deserialisation. Text that comes back from storage is cleaned again, because the catalogue may
/// have grown since; cleaning is idempotent, so this changes nothing otherwise.
///
/// ```compile_fail
/// let forged = precedent_redact::CleanText::from(String::from("raw"));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(transparent)]
pub struct CleanText(String);

impl CleanText {
    pub(crate) fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for CleanText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for CleanText {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Deref for CleanText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for CleanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for CleanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
