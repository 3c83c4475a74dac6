//! The DSSE envelope: what is signed and how it is carried.
//!
//! Source: the Dead Simple Signing Envelope protocol, version 1.0 (secure-systems-lab/dsse).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::check::{ALGORITHM, PayloadFault};
use super::payload::{CERTIFICATE_TYPE, Certificate};
use crate::hash;
use crate::key::CertificateKey;
use precedent_core::Digest;

/// The payload type that the signature covers.
pub const PAYLOAD_TYPE: &str = "application/vnd.agent-memory.deletion-certificate+json";

/// An envelope as JSON. Unknown members are ignored, as the protocol asks: nothing outside the
/// payload and its type is authenticated.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Envelope {
    pub(super) payload: String,
    #[serde(rename = "payloadType")]
    pub(super) payload_type: String,
    pub(super) signatures: Vec<EnvelopeSignature>,
}

/// One signature of an envelope.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EnvelopeSignature {
    pub(super) keyid: String,
    pub(super) sig: String,
}

/// A certificate as it is stored and handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCertificate {
    /// The payload that was signed.
    pub certificate: Certificate,
    /// SHA-256 of the canonical payload, which the `forget` entry records.
    pub payload_sha256: Digest,
    /// The envelope: one line of JSON.
    pub envelope: String,
}

/// Signs a certificate. `type`, `algorithm` and `public_key` are set here, whatever they held.
///
/// # Errors
/// Refuses a payload that breaks a rule of the format.
pub fn sign(
    mut certificate: Certificate,
    key: &CertificateKey,
) -> Result<SignedCertificate, PayloadFault> {
    CERTIFICATE_TYPE.clone_into(&mut certificate.kind);
    ALGORITHM.clone_into(&mut certificate.algorithm);
    let public = key.public();
    certificate.public_key = public.to_spki_base64();
    let payload = certificate.canonical()?;
    let signature = key.sign(&pre_authentication(PAYLOAD_TYPE, &payload));
    let envelope = Envelope {
        payload: STANDARD.encode(&payload),
        payload_type: PAYLOAD_TYPE.to_owned(),
        signatures: vec![EnvelopeSignature {
            keyid: public.key_id(),
            sig: STANDARD.encode(signature),
        }],
    };
    let envelope = serde_json::to_string(&envelope).map_err(|_| PayloadFault::Members)?;
    Ok(SignedCertificate {
        certificate,
        payload_sha256: hash::sha256(&payload),
        envelope,
    })
}

/// The pre-authentication encoding: `DSSEv1 <len> <type> <len> <payload>`, lengths in bytes.
pub(super) fn pre_authentication(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!(
        "DSSEv1 {} {payload_type} {} ",
        payload_type.len(),
        payload.len()
    );
    let mut message = head.into_bytes();
    message.extend_from_slice(payload);
    message
}
