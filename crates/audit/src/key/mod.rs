//! Keys: what signs certificates and what keys pseudonyms. Pure but for the module that keeps key files.

mod file;
mod public;

use std::fmt;

use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _, KeypairBytes};
use ed25519_dalek::{Signer as _, SigningKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::hash::hex;
use precedent_core::Digest;

pub use file::{CERTIFICATE_KEY_FILE, HMAC_KEY_FILE, KeyFileError};
pub use public::{PublicKey, PublicKeyError, TrustedKeys};

/// Domain of the pseudonyms that stand for actors in the log.
const PSEUDONYM_DOMAIN: &[u8] = b"agent-memory/pseudonym/v1";

/// How many hexadecimal digits of the HMAC a pseudonym keeps (128 bits).
const PSEUDONYM_DIGITS: usize = 32;

/// The keys of one store.
#[derive(Debug)]
pub struct KeySet {
    /// Signs deletion certificates.
    pub certificate: CertificateKey,
    /// Keys pseudonyms, fences and digests.
    pub hmac: HmacKey,
}

/// An Ed25519 key (RFC 8032) that signs deletion certificates. Erased from memory on drop.
pub struct CertificateKey(SigningKey);

impl CertificateKey {
    /// Makes the key of 32 secret bytes.
    pub fn from_bytes(secret: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(secret))
    }

    /// Reads a PKCS#8 PEM (RFC 8410).
    ///
    /// # Errors
    /// Refuses anything else, without saying what it held.
    pub fn from_pkcs8_pem(pem: &str) -> Result<Self, MalformedKey> {
        SigningKey::from_pkcs8_pem(pem)
            .map(Self)
            .map_err(|_| MalformedKey)
    }

    /// Writes the PKCS#8 PEM, version 1, which OpenSSL 3.0 reads too.
    ///
    /// # Errors
    /// When the encoder refuses, which no 32-byte key makes it do.
    pub fn to_pkcs8_pem(&self) -> Result<Zeroizing<String>, MalformedKey> {
        let pair = KeypairBytes {
            secret_key: self.0.to_bytes(),
            public_key: None,
        };
        pair.to_pkcs8_pem(LineEnding::LF).map_err(|_| MalformedKey)
    }

    /// The public half.
    pub fn public(&self) -> PublicKey {
        PublicKey::from_verifying(self.0.verifying_key())
    }

    /// The public half as SPKI PEM (RFC 8410), to be given to those who verify.
    pub fn public_key_pem(&self) -> String {
        self.public().to_pem()
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

impl fmt::Debug for CertificateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CertificateKey(..)")
    }
}

/// Says that a key could not be read; carries nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a key in the expected format: restore the key from its backup")]
pub struct MalformedKey;

/// A secret of 32 bytes for HMAC-SHA-256 (RFC 2104). Erased from memory on drop.
#[derive(Clone)]
pub struct HmacKey(Zeroizing<[u8; 32]>);

impl HmacKey {
    /// Makes the key of 32 secret bytes.
    pub fn from_bytes(secret: &[u8; 32]) -> Self {
        Self(Zeroizing::new(*secret))
    }

    /// Reads 64 lowercase hexadecimal digits, with or without a final newline.
    ///
    /// # Errors
    /// Refuses anything else, without saying what it held.
    pub fn from_hex(text: &str) -> Result<Self, MalformedKey> {
        let digits = text.strip_suffix('\n').unwrap_or(text);
        let mut secret = Zeroizing::new([0_u8; 32]);
        if digits.len() != secret.len() * 2 {
            return Err(MalformedKey);
        }
        for (byte, pair) in secret.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
            *byte = (nibble(pair[0])? << 4) | nibble(pair[1])?;
        }
        Ok(Self(secret))
    }

    /// Writes 64 lowercase hexadecimal digits.
    pub fn to_hex(&self) -> Zeroizing<String> {
        Zeroizing::new(hex(self.0.as_slice()))
    }

    /// Computes HMAC-SHA-256 over `domain`, a zero byte, and the parts with zero bytes between.
    ///
    /// Parts that may hold zero bytes belong last, or the boundaries become ambiguous.
    pub fn mac(&self, domain: &[u8], parts: &[&[u8]]) -> Digest {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.as_slice())
            .expect("HMAC takes keys of any length (RFC 2104)");
        mac.update(domain);
        for part in parts {
            mac.update(&[0x00]);
            mac.update(part);
        }
        Digest::from_bytes(mac.finalize().into_bytes().into())
    }

    /// The name under which an actor appears in the log: `p_` and 32 hexadecimal digits.
    ///
    /// Without the key the actor cannot be confirmed by guessing.
    pub fn pseudonym(&self, actor: &str) -> String {
        let mac = self.mac(PSEUDONYM_DOMAIN, &[actor.as_bytes()]).to_string();
        format!("p_{}", &mac[..PSEUDONYM_DIGITS])
    }

    /// A name for this key that tells nothing of it: 16 digits of an HMAC over a fixed text.
    pub fn key_id(&self) -> String {
        self.mac(b"agent-memory/key-id/v1", &[]).to_string()[..16].to_owned()
    }
}

impl fmt::Debug for HmacKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HmacKey(..)")
    }
}

fn nibble(digit: u8) -> Result<u8, MalformedKey> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(MalformedKey),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_nothing() {
        let keys = KeySet {
            certificate: CertificateKey::from_bytes(&[7; 32]),
            hmac: HmacKey::from_bytes(&[7; 32]),
        };
        assert_eq!(
            format!("{keys:?}"),
            "KeySet { certificate: CertificateKey(..), hmac: HmacKey(..) }"
        );
    }

    #[test]
    fn mac_puts_a_zero_byte_behind_the_domain() {
        // Independent value: python3 hmac.new(bytes([11]*32), b"Hi\0There", "sha256").
        let key = HmacKey::from_bytes(&[0x0b; 32]);
        assert_eq!(key.mac(b"Hi", &[b"There"]).to_string(), MAC_OF_HI_THERE);
    }

    const MAC_OF_HI_THERE: &str =
        "4a01cac9698c82030c7487d8109290916f10111ccacc9e10031434fc7266d69a";

    #[test]
    fn pseudonyms_are_keyed_and_stable() {
        let key = HmacKey::from_bytes(&[1; 32]);
        // Independent value: python3 hmac over the domain, a zero byte and the actor.
        assert_eq!(
            key.pseudonym("user:alice"),
            "p_fee2891b8ee89f939fea3430c5d7c753"
        );
        assert_ne!(
            key.pseudonym("user:alice"),
            HmacKey::from_bytes(&[2; 32]).pseudonym("user:alice")
        );
    }

    #[test]
    fn signing_key_survives_its_pem() {
        let key = CertificateKey::from_bytes(&[3; 32]);
        let pem = key.to_pkcs8_pem().unwrap();
        assert!(pem.starts_with("-----BEGIN PRIVATE KEY-----\n"));
        let read = CertificateKey::from_pkcs8_pem(&pem).unwrap();
        assert_eq!(read.public(), key.public());
        assert_eq!(
            CertificateKey::from_pkcs8_pem("x").unwrap_err(),
            MalformedKey
        );
    }

    #[test]
    fn hmac_key_survives_its_hex() {
        let key = HmacKey::from_bytes(&[0xab; 32]);
        assert_eq!(*key.to_hex(), "ab".repeat(32));
        let read = HmacKey::from_hex(&format!("{}\n", *key.to_hex())).unwrap();
        assert_eq!(read.key_id(), key.key_id());
        for text in [
            "",
            "ab",
            &"AB".repeat(32),
            &format!("{}\n\n", *key.to_hex()),
        ] {
            assert_eq!(HmacKey::from_hex(text).unwrap_err(), MalformedKey);
        }
    }
}
