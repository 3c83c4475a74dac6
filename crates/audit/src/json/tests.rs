//! Laws and cases of the canonical form.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

fn text(value: &Value) -> String {
    String::from_utf8(canonical(value).unwrap()).unwrap()
}

#[track_caller]
fn refused(input: &str, expected: JsonFault) {
    assert_eq!(parse(input.as_bytes()), Err(expected), "{input}");
}

#[test]
fn writes_the_escapes_of_rfc_8785() {
    let value = json!({"s": "\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f}\"\\/\u{7f}\u{2028}é😀"});
    assert_eq!(
        text(&value),
        "{\"s\":\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f\\\"\\\\/\u{7f}\u{2028}é😀\"}"
    );
    assert_eq!(parse(text(&value).as_bytes()), Ok(value));
}

#[test]
fn sorts_nested_members() {
    let value = json!({"b": {"z_1": 1, "a": [{"y": 2, "x": 1}]}, "a": null});
    assert_eq!(
        text(&value),
        r#"{"a":null,"b":{"a":[{"x":1,"y":2}],"z_1":1}}"#
    );
}

#[test]
fn keeps_nfc_and_nfd_apart() {
    let (nfc, nfd) = (json!("\u{e9}"), json!("e\u{301}"));
    assert_ne!(text(&nfc), text(&nfd));
    for value in [nfc, nfd] {
        assert_eq!(parse(text(&value).as_bytes()), Ok(value));
    }
}

#[test]
fn bounds_integers() {
    for input in ["9007199254740991", "-9007199254740991", "0"] {
        assert_eq!(text(&parse(input.as_bytes()).unwrap()), input);
    }
    for input in [
        "9007199254740992",
        "9007199254740993",
        "18446744073709551615",
        "-9007199254740992",
        "100000000000000000000000",
    ] {
        refused(input, JsonFault::IntegerRange);
    }
    for value in [
        json!(9_007_199_254_740_992_i64),
        json!(u64::MAX),
        json!(i64::MIN),
    ] {
        assert_eq!(canonical(&value), Err(JsonFault::IntegerRange), "{value}");
    }
}

#[test]
fn refuses_floats() {
    for input in ["1.0", "1e3", "1E3", "-0", "0.5", "-1.5", "1e400"] {
        refused(input, JsonFault::Float);
    }
    refused("NaN", JsonFault::UnexpectedByte(0));
    refused("-Infinity", JsonFault::UnexpectedByte(1));
    for value in [json!(1.0), json!(-0.0), json!(1e300)] {
        assert_eq!(canonical(&value), Err(JsonFault::Float), "{value}");
    }
}

#[test]
fn refuses_member_names_outside_the_alphabet() {
    for name in ["", "A", "a-b", "\u{e000}", "\u{1f600}", "é", "a\u{0}"] {
        let value = json!({ name: 1 });
        assert_eq!(canonical(&value), Err(JsonFault::MemberName), "{name:?}");
        refused(&format!("{{{}:1}}", json!(name)), JsonFault::MemberName);
    }
}

#[test]
fn refuses_other_spellings() {
    refused(r#"{"a":1,"a":1}"#, JsonFault::DuplicateMember(7));
    refused(r#"{"b":1,"a":1}"#, JsonFault::MemberOrder(7));
    refused(r#"{"a": 1}"#, JsonFault::UnexpectedByte(5));
    refused("{\"a\":1}\n", JsonFault::TrailingBytes(7));
    refused(r#""\u0041""#, JsonFault::Escape(1));
    refused(r#""\/""#, JsonFault::Escape(1));
    refused(r#""\u000a""#, JsonFault::Escape(1));
    refused(r#""\u001F""#, JsonFault::Escape(1));
    refused(r#""\ud83d\ude00""#, JsonFault::Escape(1));
    refused("\"\t\"", JsonFault::ControlCharacter(1));
    refused("01", JsonFault::LeadingZero(0));
    refused("-", JsonFault::Truncated);
    refused("", JsonFault::Truncated);
    refused("[1,]", JsonFault::UnexpectedByte(3));
    refused("tru", JsonFault::Truncated);
    assert_eq!(parse(b"\"\xff\""), Err(JsonFault::NotUtf8));
}

#[test]
fn refuses_lone_surrogates() {
    for input in [
        r#""\ud800""#,
        r#""\udc00""#,
        r#""\ud800\u0041""#,
        r#""\uDFFFx""#,
        r#""\ud83d\"""#,
    ] {
        refused(input, JsonFault::LoneSurrogate(1));
    }
}

#[test]
fn bounds_nesting() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let deepest = parse(nested(MAX_DEPTH).as_bytes()).unwrap();
    assert_eq!(text(&deepest), nested(MAX_DEPTH));
    refused(&nested(MAX_DEPTH + 1), JsonFault::Depth);
    assert_eq!(
        canonical(&Value::Array(vec![deepest])),
        Err(JsonFault::Depth)
    );
    refused(&"[".repeat(100_000), JsonFault::Depth);
}

/// Values of the admitted subset.
pub(crate) fn values() -> impl Strategy<Value = Value> {
    let limit = i64::try_from(MAX_INTEGER).unwrap();
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-limit..=limit).prop_map(Value::from),
        any::<String>().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map("[a-z0-9_]{1,6}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn parse_inverts_canonical(value in values()) {
        let bytes = canonical(&value).unwrap();
        prop_assert_eq!(&parse(&bytes).unwrap(), &value);
        // An independent writer agrees on the bytes, an independent reader on the value.
        prop_assert_eq!(&serde_json::to_vec(&value).unwrap(), &bytes);
        prop_assert_eq!(serde_json::from_slice::<Value>(&bytes).unwrap(), value);
    }

    #[test]
    fn canonical_inverts_parse(value in values(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = canonical(&value).unwrap();
        let index = at.index(bytes.len());
        bytes[index] = byte;
        if let Ok(parsed) = parse(&bytes) {
            prop_assert_eq!(canonical(&parsed).unwrap(), bytes);
        }
    }

    #[test]
    fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(parsed) = parse(&bytes) {
            prop_assert_eq!(canonical(&parsed).unwrap(), bytes);
        }
    }
}
