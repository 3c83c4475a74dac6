//! Certificates against independent vectors, tampering, and OpenSSL.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::envelope::pre_authentication;
use super::*;
use crate::canonical::Entry;
use crate::hash;
use crate::json::JsonFault;
use crate::key::{CertificateKey, PublicKey, TrustedKeys};

const ENVELOPE: &str = include_str!("../../tests/vectors/certificate.dsse.json");
const PAYLOAD: &str = include_str!("../../tests/vectors/certificate.payload.json");
const SPKI: &str = include_str!("../../tests/vectors/certificate.spki.b64");
/// What entry 4 of the vector log records.
const PAYLOAD_SHA256: &str = "1cc6363c9ccefe6efc56c1219a03a7d5bb23e434755575160e36bc709c66f550";

fn vector_keys() -> TrustedKeys {
    TrustedKeys::new([PublicKey::from_spki_base64(SPKI.trim()).unwrap()])
}

fn own_key() -> CertificateKey {
    CertificateKey::from_bytes(&[42; 32])
}

fn own_keys() -> TrustedKeys {
    TrustedKeys::new([own_key().public()])
}

fn sample() -> Certificate {
    Certificate::parse(PAYLOAD.as_bytes()).unwrap()
}

fn signed() -> SignedCertificate {
    sign(sample(), &own_key()).unwrap()
}

/// Signs arbitrary payload bytes, as a careless or hostile holder of the key could.
fn envelope_over(payload: &[u8], payload_type: &str, key: &CertificateKey) -> Vec<u8> {
    let signature = key.sign(&pre_authentication(payload_type, payload));
    json!({
        "payload": STANDARD.encode(payload),
        "payloadType": payload_type,
        "signatures": [{"keyid": key.public().key_id(), "sig": STANDARD.encode(signature)}],
    })
    .to_string()
    .into_bytes()
}

#[track_caller]
fn refused(envelope: &[u8], expected: CertificateFault) {
    assert_eq!(verify_certificate(envelope, &own_keys()), Err(expected));
}

/// Changes the envelope's JSON.
fn altered(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_str(&signed().envelope).unwrap();
    change(&mut value);
    value.to_string().into_bytes()
}

#[test]
fn the_vector_verifies() {
    let verified = verify_certificate(ENVELOPE.as_bytes(), &vector_keys()).unwrap();
    assert_eq!(verified.certificate, sample());
    assert_eq!(verified.payload_sha256.to_string(), PAYLOAD_SHA256);
    assert_eq!(
        verified.certificate.canonical().unwrap(),
        PAYLOAD.as_bytes()
    );
    assert_eq!(verified.certificate.stage, Stage::Logical);
    assert_eq!(verified.certificate.scope.memory_ids.count(), 1);
}

#[test]
fn the_vector_is_recorded_by_its_entry_alone() {
    let verified = verify_certificate(ENVELOPE.as_bytes(), &vector_keys()).unwrap();
    let entries = include_str!("../../tests/vectors/entries.jsonl").lines();
    let recorded: Vec<bool> = entries
        .map(|line| verified.is_recorded_by(&Entry::parse(line.as_bytes()).unwrap()))
        .collect();
    assert_eq!(recorded.iter().position(|recorded| *recorded), Some(4));
    assert_eq!(recorded.iter().filter(|recorded| **recorded).count(), 1);
}

#[test]
fn own_certificates_verify_and_repeat() {
    let signed = signed();
    let verified = verify_certificate(signed.envelope.as_bytes(), &own_keys()).unwrap();
    assert_eq!(verified.certificate, signed.certificate);
    assert_eq!(verified.payload_sha256, signed.payload_sha256);
    assert_eq!(
        verified.certificate.public_key,
        own_key().public().to_spki_base64()
    );
    // Ed25519 is deterministic: the same payload gives the same envelope.
    assert_eq!(sign(sample(), &own_key()).unwrap(), signed);
}

#[test]
fn pre_authentication_matches_the_protocols_example() {
    assert_eq!(
        pre_authentication("http://example.com/HelloWorld", b"hello world"),
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    );
}

#[test]
fn a_key_that_is_not_trusted_is_refused() {
    // The signature is good; the key inside proves nothing.
    let other = CertificateKey::from_bytes(&[43; 32]);
    let forged = sign(sample(), &other).unwrap();
    refused(forged.envelope.as_bytes(), CertificateFault::UntrustedKey);
    refused(ENVELOPE.as_bytes(), CertificateFault::UntrustedKey);
    assert_eq!(
        verify_certificate(signed().envelope.as_bytes(), &TrustedKeys::default()),
        Err(CertificateFault::UntrustedKey)
    );
}

#[test]
fn a_swapped_inline_key_is_refused() {
    // The attacker signs, and names the trusted key inside.
    let other = CertificateKey::from_bytes(&[43; 32]);
    let payload = signed().certificate.canonical().unwrap();
    let forged = envelope_over(&payload, PAYLOAD_TYPE, &other);
    refused(&forged, CertificateFault::KeyId);
    let mut value: Value = serde_json::from_slice(&forged).unwrap();
    value["signatures"][0]["keyid"] = json!(own_key().public().key_id());
    refused(value.to_string().as_bytes(), CertificateFault::Signature);
}

#[test]
fn another_payload_type_is_refused() {
    let payload = signed().certificate.canonical().unwrap();
    let other = "application/vnd.in-toto+json";
    refused(
        &envelope_over(&payload, other, &own_key()),
        CertificateFault::PayloadType,
    );
    // Naming our type does not help: the signature covers the type.
    let envelope = envelope_over(&payload, other, &own_key());
    let mut value: Value = serde_json::from_slice(&envelope).unwrap();
    value["payloadType"] = json!(PAYLOAD_TYPE);
    refused(value.to_string().as_bytes(), CertificateFault::Signature);
}

#[test]
fn every_flipped_bit_of_payload_and_signature_is_refused() {
    let envelope: Value = serde_json::from_str(&signed().envelope).unwrap();
    let payload = STANDARD
        .decode(envelope["payload"].as_str().unwrap())
        .unwrap();
    for at in (0..payload.len()).step_by(7) {
        let mut bytes = payload.clone();
        bytes[at] ^= 1 << (at % 8);
        let altered = altered(|value| value["payload"] = json!(STANDARD.encode(bytes)));
        assert!(
            verify_certificate(&altered, &own_keys()).is_err(),
            "payload byte {at}"
        );
    }
    let signature = STANDARD
        .decode(envelope["signatures"][0]["sig"].as_str().unwrap())
        .unwrap();
    for at in 0..signature.len() {
        let mut bytes = signature.clone();
        bytes[at] ^= 1 << (at % 8);
        let altered =
            altered(|value| value["signatures"][0]["sig"] = json!(STANDARD.encode(bytes)));
        refused(&altered, CertificateFault::Signature);
    }
}

#[test]
fn a_changed_key_id_is_refused() {
    let altered = altered(|value| value["signatures"][0]["keyid"] = json!("00".repeat(32)));
    refused(&altered, CertificateFault::KeyId);
}

#[test]
fn signatures_with_a_non_canonical_scalar_are_refused() {
    // S + L is the classic second signature; L is the group order of RFC 8032 section 5.1.
    const ORDER: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let envelope: Value = serde_json::from_str(&signed().envelope).unwrap();
    let mut bytes = STANDARD
        .decode(envelope["signatures"][0]["sig"].as_str().unwrap())
        .unwrap();
    let mut carry = 0_u16;
    for (byte, order) in bytes[32..].iter_mut().zip(ORDER) {
        let sum = u16::from(*byte) + u16::from(order) + carry;
        *byte = u8::try_from(sum & 0xff).unwrap();
        carry = sum >> 8;
    }
    let altered = altered(|value| value["signatures"][0]["sig"] = json!(STANDARD.encode(bytes)));
    refused(&altered, CertificateFault::Signature);
}

#[test]
fn envelopes_of_another_shape_are_refused() {
    for bytes in [
        &b""[..],
        b"{}",
        b"null",
        b"[]",
        b"\xff",
        br#"{"payload":1}"#,
    ] {
        refused(bytes, CertificateFault::Envelope);
    }
    refused(
        &altered(|value| value["signatures"] = json!([])),
        CertificateFault::SignatureCount(0),
    );
    let twice = altered(|value| {
        let one = value["signatures"][0].clone();
        value["signatures"] = json!([one, one]);
    });
    refused(&twice, CertificateFault::SignatureCount(2));
    let text = signed().envelope;
    let repeated = text.replacen("{\"payload\":", "{\"payload\":\"\",\"payload\":", 1);
    refused(repeated.as_bytes(), CertificateFault::Envelope);
    let large = vec![b' '; MAX_ENVELOPE_BYTES + 1];
    refused(&large, CertificateFault::TooLarge(MAX_ENVELOPE_BYTES + 1));
}

#[test]
fn broken_base64_is_refused() {
    let cut = |text: &Value| json!(&text.as_str().unwrap()[..text.as_str().unwrap().len() - 1]);
    let altered_payload = altered(|value| value["payload"] = cut(&value["payload"]));
    refused(&altered_payload, CertificateFault::Base64);
    let altered_sig = altered(|value| {
        value["signatures"][0]["sig"] = cut(&value["signatures"][0]["sig"]);
    });
    refused(&altered_sig, CertificateFault::Base64);
    let short = altered(|value| value["signatures"][0]["sig"] = json!(STANDARD.encode([0; 63])));
    refused(&short, CertificateFault::Signature);
}

#[test]
fn payloads_that_are_not_canonical_are_refused_even_when_signed() {
    let key = own_key();
    let text = String::from_utf8(signed().certificate.canonical().unwrap()).unwrap();
    let cases = [
        (
            text.replacen("\"algorithm\":", "\"algorithm\": ", 1),
            JsonFault::UnexpectedByte(13),
        ),
        (
            text.replacen("\"schema_version\":3", "\"schema_version\":3.0", 1),
            JsonFault::Float,
        ),
    ];
    for (payload, fault) in cases {
        let envelope = envelope_over(payload.as_bytes(), PAYLOAD_TYPE, &key);
        refused(
            &envelope,
            CertificateFault::Payload(PayloadFault::Json(fault)),
        );
    }
    let absent = text.replacen("\"sanitisation\":null,", "", 1);
    let unknown = text.replacen("\"type\":", "\"tyop\":1,\"type\":", 1);
    let needless = text.replacen("\"pending\"}", "\"pending\",\"zone\":1}", 1);
    for payload in [absent, unknown, needless] {
        let envelope = envelope_over(payload.as_bytes(), PAYLOAD_TYPE, &key);
        refused(&envelope, CertificateFault::Payload(PayloadFault::Members));
    }
}

#[test]
fn payloads_without_all_claims_are_refused_even_when_signed() {
    let text = String::from_utf8(signed().certificate.canonical().unwrap()).unwrap();
    let device = r#",{"claim":"absent-from-storage-device","status":"not-claimed"}"#;
    let payload = text.replacen(device, "", 1);
    assert_ne!(payload, text);
    let fault = PayloadFault::Claims(ClaimKind::AbsentFromStorageDevice);
    let envelope = envelope_over(payload.as_bytes(), PAYLOAD_TYPE, &own_key());
    refused(&envelope, CertificateFault::Payload(fault));
}

#[track_caller]
fn not_signed(change: impl FnOnce(&mut Certificate), expected: PayloadFault) {
    let mut certificate = sample();
    change(&mut certificate);
    assert_eq!(sign(certificate, &own_key()), Err(expected));
}

#[test]
fn claims_are_complete_or_refused() {
    for (at, kind) in ClaimKind::ALL.into_iter().enumerate() {
        not_signed(
            |certificate| drop(certificate.claims.remove(at)),
            PayloadFault::Claims(kind),
        );
        not_signed(
            |certificate| certificate.claims.push(certificate.claims[at].clone()),
            PayloadFault::Claims(kind),
        );
    }
}

#[test]
fn claims_do_not_exceed_their_evidence() {
    for (at, kind) in ClaimKind::ALL.into_iter().enumerate().skip(1) {
        not_signed(
            |certificate| {
                certificate.claims[at] = Claim {
                    claim: kind,
                    status: ClaimStatus::Verified,
                    not_after: None,
                };
            },
            PayloadFault::ClaimWithoutEvidence(kind),
        );
    }
    not_signed(
        |certificate| certificate.claims[0].not_after = Some("2026-12-30T00:00:00.000Z".into()),
        PayloadFault::ClaimDate(ClaimKind::NotReturnedByAnyApi),
    );
    not_signed(
        |certificate| certificate.claims[2].not_after = Some("soon".into()),
        PayloadFault::Timestamp("not_after"),
    );
}

#[test]
fn stages_carry_what_belongs_to_them() {
    not_signed(
        |certificate| certificate.stage = Stage::Sanitised,
        PayloadFault::Stage(Stage::Sanitised),
    );
    not_signed(
        |certificate| certificate.previous_certificate_sha256 = Some("0".repeat(64)),
        PayloadFault::Stage(Stage::Logical),
    );
    not_signed(
        |certificate| {
            certificate.stage = Stage::BackupsExpired;
            certificate.previous_certificate_sha256 = Some("0".repeat(63));
        },
        PayloadFault::Hash("previous_certificate_sha256"),
    );
    not_signed(
        |certificate| certificate.erased_at = "2026-11-30T16:00:05Z".into(),
        PayloadFault::Timestamp("erased_at"),
    );
}

fn sanitised() -> Certificate {
    let mut certificate = sample();
    certificate.stage = Stage::Sanitised;
    certificate.previous_certificate_sha256 = Some(PAYLOAD_SHA256.to_owned());
    certificate.sanitisation = serde_json::from_value(json!({
        "procedure": "sqlite/v1",
        "steps": [
            {"step": "fts5.rebuild", "ok": true},
            {"step": "vacuum", "ok": true},
            {"step": "wal_checkpoint_truncate", "result": [0, 0, 0]},
        ],
        "started_at": "2026-11-30T16:00:06.000Z",
        "finished_at": "2026-11-30T16:00:09.000Z",
        "residue_check": {
            "method": "needle-scan+slack-audit/v1", "positive_control": true, "needles": 7,
            "windows": 512, "files_scanned": 1, "hits": 0, "freelist_bytes": 0, "wal_bytes": 0,
        },
        "legacy_residue_cleared": true,
    }))
    .unwrap();
    certificate.claims[1].status = ClaimStatus::Verified;
    certificate
}

#[test]
fn a_sanitised_certificate_names_its_predecessor_and_its_evidence() {
    let signed = sign(sanitised(), &own_key()).unwrap();
    let verified = verify_certificate(signed.envelope.as_bytes(), &own_keys()).unwrap();
    assert_eq!(verified.certificate, signed.certificate);
    let text = String::from_utf8(signed.certificate.canonical().unwrap()).unwrap();
    assert!(text.contains(r#"{"result":[0,0,0],"step":"wal_checkpoint_truncate"}"#));
    let fault = PayloadFault::ClaimWithoutEvidence(ClaimKind::AbsentFromDatabaseFiles);
    let weaken: [fn(&mut ResidueCheck); 2] = [
        |check| check.hits = 1,
        |check| check.positive_control = false,
    ];
    for change in weaken {
        let mut weaker = sanitised();
        let sanitisation = weaker.sanitisation.as_mut().unwrap();
        change(sanitisation.residue_check.as_mut().unwrap());
        assert_eq!(sign(weaker, &own_key()), Err(fault));
    }
}

#[test]
fn long_lists_become_count_and_root() {
    let ids: Vec<String> = (0..=MAX_LISTED_IDS).map(|id| format!("{id:026}")).collect();
    let mut certificate = sample();
    certificate.scope.memory_ids = IdList::new(ids.clone());
    certificate.scope.derived_ids = DerivedList::deleted(ids[..2].to_vec());
    assert_eq!(certificate.scope.memory_ids.count(), 1_001);
    let signed = sign(certificate, &own_key()).unwrap();
    let verified = verify_certificate(signed.envelope.as_bytes(), &own_keys()).unwrap();
    let IdList::Root(root) = &verified.certificate.scope.memory_ids else {
        unreachable!("more than the limit is listed by root");
    };
    assert_eq!(root.root, crate::merkle::root_of_ids(&ids).to_string());
    not_signed(
        |certificate| certificate.scope.memory_ids = IdList::Ids(ids),
        PayloadFault::IdList("memory_ids"),
    );
    not_signed(
        |certificate| {
            certificate.scope.usage_event_ids = IdList::Root(IdRoot {
                count: 1,
                root: hash::sha256(b"").to_string(),
            });
        },
        PayloadFault::IdList("usage_event_ids"),
    );
}

#[test]
fn regenerated_records_are_listed_with_their_replacement() {
    let mut certificate = sample();
    certificate.scope.derived_ids = DerivedList::Ids(vec![DerivedId::Regenerated(Regenerated {
        old: "A".into(),
        new: "B".into(),
    })]);
    let signed = sign(certificate, &own_key()).unwrap();
    let verified = verify_certificate(signed.envelope.as_bytes(), &own_keys()).unwrap();
    assert_eq!(
        verified.certificate.scope.derived_ids,
        signed.certificate.scope.derived_ids
    );
}

#[test]
fn openssl_verifies_our_signature() {
    let folder = tempfile::tempdir().unwrap();
    let signed = signed();
    let envelope: Value = serde_json::from_str(&signed.envelope).unwrap();
    let payload = STANDARD
        .decode(envelope["payload"].as_str().unwrap())
        .unwrap();
    let signature = STANDARD
        .decode(envelope["signatures"][0]["sig"].as_str().unwrap())
        .unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let key = write("key.pem", own_key().public_key_pem().as_bytes());
    let message = write("message", &pre_authentication(PAYLOAD_TYPE, &payload));
    let signature = write("signature", &signature);
    let output = std::process::Command::new("openssl")
        .args(["pkeyutl", "-verify", "-pubin", "-rawin", "-inkey"])
        .arg(key)
        .arg("-in")
        .arg(message)
        .arg("-sigfile")
        .arg(signature)
        .output()
        .expect("openssl is needed for this test: install it");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn openssl_reads_our_private_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("private.pem");
    std::fs::write(&path, own_key().to_pkcs8_pem().unwrap().as_bytes()).unwrap();
    let output = std::process::Command::new("openssl")
        .args(["pkey", "-pubout", "-in"])
        .arg(path)
        .output()
        .expect("openssl is needed for this test: install it");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        own_key().public_key_pem()
    );
}

proptest! {
    #[test]
    fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        prop_assert!(verify_certificate(&bytes, &own_keys()).is_err());
    }

    #[test]
    fn any_changed_byte_of_the_envelope_is_refused_or_harmless(
        at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let signed = signed();
        let mut bytes = signed.envelope.clone().into_bytes();
        let index = at.index(bytes.len());
        bytes[index] = byte;
        if let Ok(verified) = verify_certificate(&bytes, &own_keys()) {
            prop_assert_eq!(verified.certificate, signed.certificate);
        }
    }
}
