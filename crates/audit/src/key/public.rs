//! Public keys and the set of them that a verifier trusts.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePublicKey as _, EncodePublicKey as _};
use ed25519_dalek::{Signature, VerifyingKey};
use subtle::ConstantTimeEq as _;

use crate::hash;

/// What an Ed25519 SPKI DER starts with (RFC 8410 section 4); the 32 key bytes follow.
const SPKI_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

/// An Ed25519 public key of full order.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

/// Says why a public key is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PublicKeyError {
    /// The text is not the SPKI form of an Ed25519 key.
    #[error("not an ed25519 public key in spki form: export it with public_key_pem")]
    Malformed,
    /// The key has small order, so that one signature fits many messages.
    #[error("public key has small order: it authenticates nothing, ask for another")]
    SmallOrder,
}

impl PublicKey {
    pub(super) fn from_verifying(key: VerifyingKey) -> Self {
        Self(key)
    }

    /// Reads an SPKI PEM (RFC 8410).
    ///
    /// # Errors
    /// Refuses other keys, other forms, and keys of small order.
    pub fn from_pem(pem: &str) -> Result<Self, PublicKeyError> {
        let key = VerifyingKey::from_public_key_pem(pem).map_err(|_| PublicKeyError::Malformed)?;
        Self::of_full_order(key)
    }

    /// Reads SPKI DER in standard base64, the form inside certificates.
    ///
    /// # Errors
    /// Refuses other keys, other forms, and keys of small order.
    pub fn from_spki_base64(text: &str) -> Result<Self, PublicKeyError> {
        let der = STANDARD
            .decode(text)
            .map_err(|_| PublicKeyError::Malformed)?;
        let bytes = der
            .strip_prefix(&SPKI_PREFIX)
            .ok_or(PublicKeyError::Malformed)?;
        let bytes: &[u8; 32] = bytes.try_into().map_err(|_| PublicKeyError::Malformed)?;
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| PublicKeyError::Malformed)?;
        Self::of_full_order(key)
    }

    fn of_full_order(key: VerifyingKey) -> Result<Self, PublicKeyError> {
        if key.is_weak() {
            Err(PublicKeyError::SmallOrder)
        } else {
            Ok(Self(key))
        }
    }

    /// Writes the SPKI PEM.
    pub fn to_pem(&self) -> String {
        self.0
            .to_public_key_pem(LineEnding::LF)
            .expect("a 32-byte key fits the fixed SPKI structure")
    }

    /// Writes the SPKI DER.
    pub fn to_spki_der(&self) -> [u8; 44] {
        let mut der = [0; 44];
        let (prefix, key) = der.split_at_mut(SPKI_PREFIX.len());
        prefix.copy_from_slice(&SPKI_PREFIX);
        key.copy_from_slice(self.0.as_bytes());
        der
    }

    /// Writes the SPKI DER in standard base64.
    pub fn to_spki_base64(&self) -> String {
        STANDARD.encode(self.to_spki_der())
    }

    /// The key's name in an envelope: SHA-256 of its SPKI DER, in hexadecimal.
    pub fn key_id(&self) -> String {
        hash::sha256(&self.to_spki_der()).to_string()
    }

    /// Verifies with the strict rules: canonical S, no small-order points.
    pub(crate) fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.0
            .verify_strict(message, &Signature::from_bytes(signature))
            .is_ok()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({})", self.to_spki_base64())
    }
}

/// The public keys that a verifier got from elsewhere than the certificate.
#[derive(Debug, Clone, Default)]
pub struct TrustedKeys(Vec<PublicKey>);

impl TrustedKeys {
    /// Trusts these keys. Retired keys stay in: certificates outlive keys.
    pub fn new(keys: impl IntoIterator<Item = PublicKey>) -> Self {
        Self(keys.into_iter().collect())
    }

    /// Finds the trusted key whose SPKI text a certificate carries, in constant time per key.
    pub(crate) fn matching(&self, spki_base64: &str) -> Option<&PublicKey> {
        let inline = spki_base64.as_bytes();
        self.0
            .iter()
            .find(|key| bool::from(key.to_spki_base64().as_bytes().ct_eq(inline)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPKI: &str = "MCowBQYDK2VwAyEAKay64UG8yvCyLhqU000LxzYeUm0L/hLIl5S8kyKWbdc=";

    #[test]
    fn forms_of_the_vector_key_agree() {
        let key = PublicKey::from_spki_base64(SPKI).unwrap();
        assert_eq!(key.to_spki_base64(), SPKI);
        assert_eq!(
            key.to_pem(),
            format!("-----BEGIN PUBLIC KEY-----\n{SPKI}\n-----END PUBLIC KEY-----\n")
        );
        assert_eq!(PublicKey::from_pem(&key.to_pem()).unwrap(), key);
        assert_eq!(
            key.key_id(),
            "824c89aa8efb95ef93629b4519599129cace4adac9a6180daba31ceed41ecee6"
        );
    }

    #[test]
    fn refuses_other_forms() {
        for text in [
            "",
            "x",
            &SPKI[..SPKI.len() - 1],
            &SPKI.replace("BQYDK2Vw", "BQYDK2Vu"),
        ] {
            assert_eq!(
                PublicKey::from_spki_base64(text),
                Err(PublicKeyError::Malformed)
            );
        }
        assert_eq!(PublicKey::from_pem(SPKI), Err(PublicKeyError::Malformed));
    }

    #[test]
    fn refuses_keys_of_small_order() {
        // The neutral element: y = 1.
        let mut der = SPKI_PREFIX.to_vec();
        der.push(1);
        der.extend([0; 31]);
        let text = STANDARD.encode(der);
        assert_eq!(
            PublicKey::from_spki_base64(&text),
            Err(PublicKeyError::SmallOrder)
        );
    }
}
