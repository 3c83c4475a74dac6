//! Deletion certificates and keys: any bytes give a typed error; what is accepted, verifies.

#![no_main]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use libfuzzer_sys::fuzz_target;
use precedent_audit::certificate::{Certificate, PAYLOAD_TYPE, sign, verify_certificate};
use precedent_audit::key::{CertificateKey, PublicKey, TrustedKeys};
use serde_json::json;

fuzz_target!(|data: &[u8]| {
    let key = CertificateKey::from_bytes(&[42; 32]);
    let trusted = TrustedKeys::new([key.public()]);
    for envelope in [data, &unsigned(data, &key)] {
        assert!(
            verify_certificate(envelope, &trusted).is_err(),
            "nobody signed it"
        );
    }
    if let Ok(text) = std::str::from_utf8(data) {
        keys(text);
    }
    let Ok(certificate) = Certificate::parse(data) else {
        return;
    };
    assert_eq!(
        certificate.canonical().as_deref(),
        Ok(data),
        "a payload has two spellings"
    );
    let signed = sign(certificate, &key).expect("a payload that was parsed can be signed");
    let verified =
        verify_certificate(signed.envelope.as_bytes(), &trusted).expect("what was signed verifies");
    assert_eq!(verified.certificate, signed.certificate);
    assert_eq!(verified.payload_sha256, signed.payload_sha256);
});

/// Puts the bytes in an envelope that is right but for its signature.
fn unsigned(payload: &[u8], key: &CertificateKey) -> Vec<u8> {
    json!({
        "payload": STANDARD.encode(payload),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [{"keyid": key.public().key_id(), "sig": STANDARD.encode([0; 64])}],
    })
    .to_string()
    .into_bytes()
}

/// A key that was read is written in a way that is read back.
fn keys(text: &str) {
    if let Ok(key) = PublicKey::from_pem(text) {
        assert_eq!(
            PublicKey::from_pem(&key.to_pem()).map(|key| key.key_id()),
            Ok(key.key_id())
        );
    }
    if let Ok(key) = PublicKey::from_spki_base64(text) {
        assert_eq!(key.to_spki_base64(), text, "a key has two spellings");
    }
}
