//! Verifies a certificate against keys that came from elsewhere.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::check::PayloadFault;
use super::envelope::{Envelope, PAYLOAD_TYPE, pre_authentication};
use super::payload::{Certificate, Stage};
use crate::canonical::Entry;
use crate::hash;
use crate::key::TrustedKeys;
use precedent_core::Digest;

/// Largest envelope in bytes: four lists of [`super::MAX_LISTED_IDS`] ids fit in it.
pub const MAX_ENVELOPE_BYTES: usize = 1024 * 1024;

/// A certificate whose signature and form hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The payload.
    pub certificate: Certificate,
    /// SHA-256 of the payload: the log's `forget` entry must record the same.
    pub payload_sha256: Digest,
    /// The id of the trusted key that signed.
    pub key_id: String,
}

impl Verified {
    /// Tells whether an entry of the log records this certificate: it names the stage's operation,
    /// the certificate's id and the SHA-256 of its payload.
    ///
    /// That the entry belongs to the log is for [`crate::chain`] to show.
    pub fn is_recorded_by(&self, entry: &Entry) -> bool {
        let op = match self.certificate.stage {
            Stage::Logical => "forget",
            Stage::Sanitised => "forget.sanitised",
            Stage::BackupsExpired => "forget.backups_expired",
        };
        let says = |member: &str, value: &str| {
            let detail = entry.detail.as_ref();
            detail
                .and_then(|detail| detail.get(member))
                .and_then(Value::as_str)
                == Some(value)
        };
        entry.op == op
            && says("certificate_id", &self.certificate.certificate_id)
            && says("certificate_sha256", &self.payload_sha256.to_string())
    }
}

/// Says why a certificate is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateFault {
    /// The envelope is larger than [`MAX_ENVELOPE_BYTES`].
    #[error("envelope of {0} bytes is over 1048576: ask for the ids in a file of their own")]
    TooLarge(usize),
    /// The bytes are not a DSSE envelope.
    #[error("not a dsse envelope in json: give the certificate file unchanged")]
    Envelope,
    /// The payload type is another document's.
    #[error("payload type is not a deletion certificate's: give one")]
    PayloadType,
    /// The envelope does not carry exactly one signature.
    #[error("envelope carries {0} signatures: a certificate has one")]
    SignatureCount(usize),
    /// The payload or the signature is not padded standard base64.
    #[error("payload or signature is not standard base64: give the certificate file unchanged")]
    Base64,
    /// The inline key is none of the trusted keys.
    #[error("certificate's key is not trusted: get the signer's key from the signer")]
    UntrustedKey,
    /// The key id is not the signing key's.
    #[error("key id does not belong to the certificate's key: the envelope was changed")]
    KeyId,
    /// The signature does not verify under the strict rules of Ed25519.
    #[error("signature does not verify: the certificate was changed")]
    Signature,
    /// The payload breaks a rule of its format.
    #[error("payload refused: {0}")]
    Payload(PayloadFault),
}

/// Verifies an envelope: its type, its key against `trusted`, its signature, and its payload.
///
/// That the log records the certificate is a separate check: [`Verified::is_recorded_by`].
///
/// # Errors
/// Names the first check that fails. No input makes it panic.
pub fn verify_certificate(
    envelope: &[u8],
    trusted: &TrustedKeys,
) -> Result<Verified, CertificateFault> {
    if envelope.len() > MAX_ENVELOPE_BYTES {
        return Err(CertificateFault::TooLarge(envelope.len()));
    }
    let envelope: Envelope =
        serde_json::from_slice(envelope).map_err(|_| CertificateFault::Envelope)?;
    if envelope.payload_type != PAYLOAD_TYPE {
        return Err(CertificateFault::PayloadType);
    }
    let [signature] = &envelope.signatures[..] else {
        return Err(CertificateFault::SignatureCount(envelope.signatures.len()));
    };
    let payload = decode(&envelope.payload)?;
    let signed: [u8; 64] = decode(&signature.sig)?
        .try_into()
        .map_err(|_| CertificateFault::Signature)?;
    let inline = inline_key(&payload)?;
    let key = trusted
        .matching(&inline)
        .ok_or(CertificateFault::UntrustedKey)?;
    if signature.keyid != key.key_id() {
        return Err(CertificateFault::KeyId);
    }
    if !key.verifies(&pre_authentication(PAYLOAD_TYPE, &payload), &signed) {
        return Err(CertificateFault::Signature);
    }
    let certificate = Certificate::parse(&payload).map_err(CertificateFault::Payload)?;
    Ok(Verified {
        certificate,
        payload_sha256: hash::sha256(&payload),
        key_id: signature.keyid.clone(),
    })
}

fn decode(text: &str) -> Result<Vec<u8>, CertificateFault> {
    STANDARD.decode(text).map_err(|_| CertificateFault::Base64)
}

/// Reads the inline key alone, so that nothing else of an unauthenticated payload is used.
fn inline_key(payload: &[u8]) -> Result<String, CertificateFault> {
    let value = crate::json::parse(payload)
        .map_err(|fault| CertificateFault::Payload(PayloadFault::Json(fault)))?;
    let key = value.get("public_key").and_then(Value::as_str);
    key.map(str::to_owned)
        .ok_or(CertificateFault::Payload(PayloadFault::Members))
}
