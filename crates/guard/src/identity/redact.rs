//! The seam through which secrets are masked and fingerprinted.

use std::ops::Range;

use precedent_redact::Redactor;
use serde_json::Value;

use super::ActionInput;

/// Finds and masks secrets.
pub trait Mask {
    /// Returns `text` with every secret replaced by a marker without a tail.
    fn mask(&self, text: &str) -> String;
    /// Returns the byte ranges of the secrets in `text`, in order.
    fn secrets(&self, text: &str) -> Vec<Range<usize>>;
    /// Returns a JSON value with every secret in its names and strings replaced likewise.
    fn mask_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.mask(text)),
            Value::Array(items) => items.iter().map(|item| self.mask_value(item)).collect(),
            Value::Object(fields) => {
                let pairs = fields
                    .iter()
                    .map(|(name, value)| (self.mask(name), self.mask_value(value)));
                Value::Object(pairs.collect())
            }
            other => other.clone(),
        }
    }
}

impl Mask for Redactor {
    fn mask(&self, text: &str) -> String {
        self.redact(text).text.into_owned()
    }

    fn secrets(&self, text: &str) -> Vec<Range<usize>> {
        self.fingerprintable_secrets(text)
    }

    fn mask_value(&self, value: &Value) -> Value {
        self.redact_value(value).0
    }
}

/// A keyed digest; the key is the store's, so equal secrets of two stores
/// have different fingerprints.
pub type Fingerprint<'a> = &'a dyn Fn(&[u8]) -> [u8; 32];

/// Masks nothing: for text that was masked before, such as rule sentences.
#[derive(Debug, Clone, Copy, Default)]
pub struct AlreadyMasked;

impl Mask for AlreadyMasked {
    fn mask(&self, text: &str) -> String {
        text.to_owned()
    }

    fn secrets(&self, _text: &str) -> Vec<Range<usize>> {
        Vec::new()
    }
}

/// What a host reports beside the input, masked before anything is made of it: a path that is
/// normalised, or a name that is taken apart, no longer shows that it held a secret.
pub(super) struct Report {
    tool: String,
    directory: Option<String>,
    project: Option<String>,
    branch: Option<String>,
    files: Vec<String>,
}

impl Report {
    pub(super) fn masked(action: &ActionInput<'_>, mask: &dyn Mask) -> Self {
        let maybe = |text: Option<&str>| text.map(|text| mask.mask(text));
        Self {
            tool: mask.mask(action.tool.trim()),
            directory: maybe(action.directory),
            project: maybe(action.project),
            branch: maybe(action.branch),
            files: action.files.iter().map(|file| mask.mask(file)).collect(),
        }
    }

    /// Returns the action with these reports; input and intent are still as they were said.
    pub(super) fn of<'a>(&'a self, action: &ActionInput<'a>) -> ActionInput<'a> {
        ActionInput {
            tool: &self.tool,
            directory: self.directory.as_deref(),
            project: self.project.as_deref(),
            branch: self.branch.as_deref(),
            files: &self.files,
            ..*action
        }
    }
}

/// The fields of a tool's input, as they were said and masked.
pub(super) struct Fields {
    pub(super) raw: Value,
    pub(super) masked: Value,
}

impl Fields {
    /// Reads an input that is a JSON object.
    pub(super) fn read(input: &str, mask: &dyn Mask) -> Option<Self> {
        let raw: Value = serde_json::from_str(input).ok()?;
        raw.is_object().then(|| Self {
            masked: mask.mask_value(&raw),
            raw,
        })
    }

    /// Fingerprints what masking changed, as [`fingerprint`] does the secrets of a text.
    pub(super) fn fingerprint(&self, digest: Fingerprint<'_>) -> Option<[u8; 32]> {
        let mut bytes = Vec::new();
        differing(&self.raw, &self.masked, &mut bytes);
        (!bytes.is_empty()).then(|| digest(&bytes))
    }
}

/// Fingerprints the secrets of `text` in order, over length-prefixed values.
///
/// Returns nothing when there are none, so that actions without secrets
/// compare equal whatever the key.
#[must_use]
pub fn fingerprint(text: &str, mask: &dyn Mask, digest: Fingerprint<'_>) -> Option<[u8; 32]> {
    let mut bytes = Vec::new();
    for secret in mask
        .secrets(text)
        .into_iter()
        .filter_map(|range| text.get(range))
    {
        note(secret, &mut bytes);
    }
    (!bytes.is_empty()).then(|| digest(&bytes))
}

fn note(secret: &str, bytes: &mut Vec<u8>) {
    let length = u64::try_from(secret.len()).unwrap_or(u64::MAX);
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(secret.as_bytes());
}

/// Notes what masking changed.
fn differing(raw: &Value, masked: &Value, bytes: &mut Vec<u8>) {
    match (raw, masked) {
        (Value::Array(raw), Value::Array(masked)) => {
            for (raw, masked) in raw.iter().zip(masked) {
                differing(raw, masked, bytes);
            }
        }
        (Value::Object(raw), Value::Object(masked)) => {
            for (name, raw) in raw {
                match masked.get(name) {
                    Some(masked) => differing(raw, masked, bytes),
                    // The name was masked.
                    None => note(&format!("{name}{raw}"), bytes),
                }
            }
        }
        (raw, masked) if raw != masked => note(&raw.to_string(), bytes),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{CanonicalAction, canonicalise};

    const PASSWORD: &str = "Tr0ub4dorAnd3";

    /// The length of what would be digested stands for the digest.
    fn act(tool: &str, input: &str, files: &[String]) -> CanonicalAction {
        let action = ActionInput {
            tool,
            input,
            directory: Some("/p/token=q8sdf7Gh2Kl9Zx4c"),
            project: Some("/p"),
            branch: None,
            files,
            intent: "",
        };
        canonicalise(&action, &Redactor::new(), &|bytes| {
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&bytes.len().to_be_bytes());
            digest
        })
    }

    #[test]
    fn nothing_of_a_secret_is_left_in_any_field() {
        let url = format!("https://ann:{PASSWORD}@example.com/team/x");
        let query = format!(r#"{{"url":"{url}","password":"{PASSWORD}","path":"{url}"}}"#);
        for tool in ["Bash", "Read", "mcp__db__query", url.as_str()] {
            let action = act(tool, &query, std::slice::from_ref(&url));
            let told = format!(
                "{action:?} {}",
                crate::pattern::lookup_keys(&action).join(" ")
            );
            for part in [&PASSWORD[..8], "tr0ub4do", "q8sdf7Gh"] {
                assert!(!told.contains(part), "{tool}: {told}");
            }
        }
    }

    #[test]
    fn a_secret_by_its_place_counts_as_another_credential() {
        let with = |password: &str| {
            let input = format!(r#"{{"login": {{"password": "{password}"}}}}"#);
            act("mcp__db__query", &input, &[])
        };
        let (one, other) = (with("correct horse"), with("correct horse battery"));
        assert_eq!(one.keys(), other.keys());
        assert_ne!(one.fingerprint, other.fingerprint);
    }
}
