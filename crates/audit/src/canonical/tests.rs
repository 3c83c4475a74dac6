//! Laws and cases of the entry format.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const LINES: &str = include_str!("../../tests/vectors/entries.jsonl");
const LEAVES: &str = include_str!("../../tests/vectors/leaf_hashes.txt");

fn sample() -> Entry {
    Entry::parse(LINES.lines().nth(1).unwrap().as_bytes()).unwrap()
}

fn sample_text() -> String {
    LINES.lines().nth(1).unwrap().to_owned()
}

#[track_caller]
fn refused(input: &str, expected: CanonicalFault) {
    assert_eq!(Entry::parse(input.as_bytes()), Err(expected), "{input}");
}

#[test]
fn vectors_round_trip_and_hash() {
    for (line, leaf) in LINES.lines().zip(LEAVES.lines()) {
        let entry = Entry::parse(line.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(entry.canonical().unwrap()).unwrap(), line);
        assert_eq!(entry.hash().unwrap().to_string(), leaf);
    }
    assert_eq!(LINES.lines().count(), LEAVES.lines().count());
}

#[test]
fn refuses_missing_unknown_and_repeated_members() {
    let text = sample_text();
    refused("{}", CanonicalFault::MissingMember("actor"));
    refused(
        &text.replace(r#","v":1"#, ""),
        CanonicalFault::MissingMember("v"),
    );
    refused(
        &text.replace(r#""memory_id":"01K1BZ3Y9H5V0000000000000A","#, ""),
        CanonicalFault::MissingMember("memory_id"),
    );
    refused(
        &text.replace(r#","v":1"#, r#","v":1,"w":1"#),
        CanonicalFault::UnknownMember,
    );
    refused(
        &text.replace(r#","v":1"#, r#","v":1,"v":1"#),
        CanonicalFault::DuplicateMember("v"),
    );
    refused(
        &text.replace(r#""seq":1"#, r#""seq":1,"seq":1"#),
        CanonicalFault::DuplicateMember("seq"),
    );
    refused(
        &text.replace(r#""seq":1"#, r#""seq":1,"op":"x""#),
        CanonicalFault::MemberOrder("op"),
    );
    refused(
        &text.replace(r#","v":1"#, r#","v":2"#),
        CanonicalFault::Version,
    );
}

#[test]
fn refuses_wrong_types() {
    let text = sample_text();
    refused(
        &text.replace(r#""seq":1"#, r#""seq":"1""#),
        CanonicalFault::WrongType("seq"),
    );
    refused(
        &text.replace(r#""seq":1"#, r#""seq":-1"#),
        CanonicalFault::WrongType("seq"),
    );
    refused(
        &text.replace(r#""seq":1"#, r#""seq":null"#),
        CanonicalFault::WrongType("seq"),
    );
    refused(
        &text.replace(r#""op":"write""#, r#""op":null"#),
        CanonicalFault::WrongType("op"),
    );
    refused(
        &text.replace(r#""detail":null"#, r#""detail":[]"#),
        CanonicalFault::WrongType("detail"),
    );
    refused(
        &text.replace(r#""prev":"89"#, r#""prev":"8"#),
        CanonicalFault::Prev,
    );
    refused(&text.replace("892d0921", "892D0921"), CanonicalFault::Prev);
}

#[test]
fn refuses_integers_that_readers_would_round() {
    let text = sample_text();
    let with = |seq: &str| text.replace(r#""seq":1"#, &format!(r#""seq":{seq}"#));
    assert_eq!(
        Entry::parse(with("9007199254740991").as_bytes())
            .unwrap()
            .seq,
        json::MAX_INTEGER
    );
    refused(&with("9007199254740992"), JsonFault::IntegerRange.into());
    refused(&with("1.0"), JsonFault::Float.into());
    let mut entry = sample();
    for seq in [json::MAX_INTEGER + 1, u64::MAX] {
        entry.seq = seq;
        assert_eq!(entry.canonical(), Err(JsonFault::IntegerRange.into()));
    }
}

#[test]
fn refuses_other_spellings_of_an_entry() {
    let text = sample_text();
    refused(
        &format!("{text}\n"),
        JsonFault::TrailingBytes(text.len()).into(),
    );
    refused(&text.replace(r#""seq":1"#, r#""seq": 1"#), {
        let at = text.find(r#""seq":1"#).unwrap() + 6;
        JsonFault::UnexpectedByte(at).into()
    });
    refused(
        &text.replace("user:alice", r"user\u003aalice"),
        JsonFault::Escape(14).into(),
    );
}

#[test]
fn refuses_times_that_are_not_utc_milliseconds() {
    for ts in [
        "2026-11-30T16:00:01Z",
        "2026-11-30T16:00:01.000+00:00",
        "2026-12-31T23:59:60.000Z",
    ] {
        refused(
            &sample_text().replace("2026-11-30T16:00:01.000Z", ts),
            CanonicalFault::Timestamp,
        );
    }
}

#[test]
fn refuses_nul_in_identifiers_but_not_in_detail() {
    let entry = Entry {
        actor: "a\0b".to_owned(),
        ..sample()
    };
    assert_eq!(
        entry.canonical(),
        Err(CanonicalFault::NulCharacter("actor"))
    );
    refused(
        &sample_text().replace("user:alice", r"user\u0000"),
        CanonicalFault::NulCharacter("actor"),
    );
    let detail = json!({"x": "\0"}).as_object().cloned();
    let entry = Entry { detail, ..sample() };
    assert_eq!(Entry::parse(&entry.canonical().unwrap()), Ok(entry));
}

#[test]
fn bounds_the_size() {
    let base = sample().canonical().unwrap().len();
    let sized = |bytes: usize| Entry {
        purpose: "p".repeat("assist".len() + bytes - base),
        ..sample()
    };
    let largest = sized(MAX_ENTRY_BYTES).canonical().unwrap();
    assert_eq!(largest.len(), MAX_ENTRY_BYTES);
    assert!(Entry::parse(&largest).is_ok());
    let over = CanonicalFault::TooLarge(MAX_ENTRY_BYTES + 1);
    assert_eq!(sized(MAX_ENTRY_BYTES + 1).canonical(), Err(over));
    let mut bytes = largest;
    bytes.push(b' ');
    assert_eq!(Entry::parse(&bytes), Err(over));
}

prop_compose! {
    fn entries()(
        names in prop::collection::vec("[^\u{0}]{0,12}", 6),
        memory_id in prop::option::of("[0-9A-Z]{26}"),
        detail in prop::option::of(prop::collection::btree_map(
            "[a-z0-9_]{1,6}", crate::json::tests::values(), 0..4)),
        prev in prop::option::of(any::<[u8; 32]>()),
        seq in 0..=json::MAX_INTEGER,
        ms in 0..4_102_444_800_000_i64,
    ) -> Entry {
        Entry {
            actor: names[0].clone(),
            agent_id: names[1].clone(),
            detail: detail.map(|members| members.into_iter().collect()),
            memory_id,
            namespace: names[2].clone(),
            op: names[3].clone(),
            prev: prev.map(Digest::from_bytes),
            purpose: names[4].clone(),
            result: names[5].clone(),
            seq,
            ts: precedent_core::Timestamp::from_millis(ms).unwrap(),
        }
    }
}

proptest! {
    #[test]
    fn parse_inverts_canonical(entry in entries()) {
        let bytes = entry.canonical().unwrap();
        prop_assert_eq!(Entry::parse(&bytes).unwrap(), entry);
    }

    #[test]
    fn canonical_inverts_parse(
        entry in entries(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut bytes = entry.canonical().unwrap();
        let index = at.index(bytes.len());
        bytes[index] = byte;
        if let Ok(parsed) = Entry::parse(&bytes) {
            prop_assert_eq!(parsed.canonical().unwrap(), bytes);
        }
    }
}
