//! The seam through which secrets are masked and fingerprinted.

use std::ops::Range;

use precedent_redact::Redactor;

/// Finds and masks secrets.
pub trait Mask {
    /// Returns `text` with every secret replaced by a marker without a tail.
    fn mask(&self, text: &str) -> String;
    /// Returns the byte ranges of the secrets in `text`, in order.
    fn secrets(&self, text: &str) -> Vec<Range<usize>>;
}

impl Mask for Redactor {
    fn mask(&self, text: &str) -> String {
        self.redact(text).text.into_owned()
    }

    fn secrets(&self, text: &str) -> Vec<Range<usize>> {
        self.fingerprintable_secrets(text)
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

/// Fingerprints the secrets of `text` in order, over length-prefixed values.
///
/// Returns nothing when there are none, so that actions without secrets
/// compare equal whatever the key.
#[must_use]
pub fn fingerprint(text: &str, mask: &dyn Mask, digest: Fingerprint<'_>) -> Option<[u8; 32]> {
    let ranges = mask.secrets(text);
    let mut bytes = Vec::new();
    for secret in ranges.into_iter().filter_map(|range| text.get(range)) {
        let length = u64::try_from(secret.len()).unwrap_or(u64::MAX);
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(secret.as_bytes());
    }
    (!bytes.is_empty()).then(|| digest(&bytes))
}
