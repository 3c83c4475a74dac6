//! Tests of allowances.

use std::array;

use proptest::prelude::*;

use super::*;

/// The bytes 0 to 31.
fn key() -> [u8; 32] {
    array::from_fn(|at| u8::try_from(at).unwrap())
}

fn list(text: &str) -> AllowList {
    AllowList::from_toml(text, &key()).unwrap()
}

fn refusal(text: &str) -> String {
    AllowList::from_toml(text, &key()).unwrap_err().to_string()
}

#[test]
fn exact_values_are_allowed_and_kept_as_codes() {
    let mut list = AllowList::new(&key());
    list.add_value("tr0ub4dor").unwrap();
    assert!(list.allows("tr0ub4dor", None, "password_assignment"));
    assert!(!list.allows("tr0ub4dor ", None, "password_assignment"));
    assert!(!list.allows("Tr0ub4dor", None, "password_assignment"));
    // Computed with Python's hmac over the domains and the value.
    assert_eq!(
        list.to_toml(),
        "key_check = \"bce949b13e32375e\"\nvalue_macs = [\n  \
         \"14712ba01236002e981d2d196cac2b151a51b1170334f9697c6f7765a61a55c5\",\n]\n"
    );
    assert_eq!(list.add_value("").unwrap_err().field(), Some("values"));
}

#[test]
fn keys_are_whole_names_in_any_case() {
    let list = list("keys = ['Build_ID', 'schlüssel']");
    for (key, expected) in [
        (Some("BUILD_ID"), true),
        (Some("SCHLÜSSEL"), true),
        (Some("build_id2"), false),
        (Some("id"), false),
        (None, false),
    ] {
        assert_eq!(
            list.allows("v", key, "password_assignment"),
            expected,
            "{key:?}"
        );
    }
}

#[test]
fn patterns_match_whole_values() {
    let list = list("patterns = ['demo-[0-9]{4}', '(?x) a b # c', 'x|y1']");
    for (value, expected) in [
        ("demo-1234", true),
        ("demo-12345", false),
        ("xdemo-1234", false),
        ("demo-1234\n", false),
        ("ab", true),
        ("x", true),
        ("xy1", false),
    ] {
        assert_eq!(
            list.allows(value, None, "password_assignment"),
            expected,
            "{value}"
        );
    }
}

#[test]
fn classes_are_turned_off() {
    let list = list("classes_off = ['email']");
    assert!(list.allows("v", None, "email"));
    assert!(!list.allows("v", None, "emails"));
}

#[test]
fn only_an_exact_value_frees_a_private_key() {
    let class = "private_key_block";
    let mut list = list("keys = ['k']\npatterns = ['BEGIN [a-z]+']");
    assert!(list.allows("BEGIN test", Some("k"), "jwt"));
    assert!(!list.allows("BEGIN test", Some("k"), class));
    list.add_value("BEGIN test").unwrap();
    assert!(list.allows("BEGIN test", None, class));
    assert_eq!(
        list.turn_off(class).unwrap_err().to_string(),
        "field `classes_off`: private keys stay masked; allow a test key by its exact value"
    );
}

#[test]
fn patterns_for_unrelated_values_are_refused() {
    let wide = "field `patterns`: matches unrelated values; say more of the value, or allow it \
                exactly";
    for source in [
        "",
        ".*",
        "a*",
        ".+",
        ".{8,}",
        r"\S+",
        r"[\s\S]{1000}",
        "[A-Za-z0-9]{20,}",
        "[^a]+",
        r"(?s).{3,}",
        "demo|.+",
        r"\w+",
        "[!-~ ]{40}",
        "(?:[A-Za-z0-9_-]{11})",
    ] {
        let text = format!("patterns = ['{source}']");
        assert_eq!(refusal(&text), wide, "{source}");
    }
    for source in [
        "[0-9a-f]{40}",
        "[0-9]+",
        "[a-z-]+",
        "sha512-.{88}",
        "test.+",
        "[A-Z_]+",
    ] {
        assert!(
            !list(&format!("patterns = ['{source}']")).is_empty(),
            "{source}"
        );
    }
}

#[test]
fn a_refused_pattern_changes_nothing() {
    let mut list = list("patterns = ['demo']");
    let before = list.to_toml();
    assert!(list.add_pattern(".+").is_err());
    list.add_pattern("other").unwrap();
    assert!(list.allows("demo", None, "jwt") && list.allows("other", None, "jwt"));
    assert_ne!(list.to_toml(), before);
}

#[test]
fn errors_name_the_field_and_no_value() {
    for (text, expected) in [
        (
            "value = ['tr0ub4dor']",
            "field `value`: not a field here; use values, value_macs, key_check, keys, patterns, classes_off",
        ),
        (
            "values = 'tr0ub4dor'",
            "field `values`: give a list of strings",
        ),
        (
            "keys = ['']",
            "field `keys`: give the name, this one is empty",
        ),
        (
            "patterns = ['a(']",
            "field `patterns`: unclosed group at byte 1; correct it there",
        ),
        (
            "classes_off = ['E-Mail']",
            "field `classes_off`: give the class as it stands in a marker, of a-z, 0-9 and _",
        ),
        (
            "value_macs = ['00']",
            "field `key_check`: give it as it was stored beside value_macs",
        ),
        (
            "value_macs = ['00']\nkey_check = 'bce949b13e32375e'",
            "field `value_macs`: give 64 lower-case hexadecimal digits each, as they were stored",
        ),
        (
            "key_check = '0000000000000000'",
            "field `key_check`: value_macs were made under another key; open the list with that key",
        ),
    ] {
        assert_eq!(refusal(text), expected, "{text}");
    }
}

#[test]
fn another_key_is_noticed() {
    let stored = list("values = ['tr0ub4dor']").to_toml();
    let error = AllowList::from_toml(&stored, &[7; 32]).unwrap_err();
    assert_eq!(error.field(), Some("key_check"));
}

#[test]
fn debug_shows_numbers_only() {
    let list = list("values = ['tr0ub4dor']\nkeys = ['a', 'b']");
    assert_eq!(
        format!("{list:?}"),
        "AllowList { values: 1, keys: 2, patterns: 0, classes_off: 0, .. }"
    );
    assert!(!list.is_empty() && AllowList::new(&key()).is_empty());
}

proptest! {
    #[test]
    fn the_stored_form_allows_the_same(
        value in "\\PC{1,20}", name in any::<String>(), number in 0_u32..1000, other in "\\PC{0,20}"
    ) {
        let mut list = AllowList::new(&key());
        list.add_value(&value).unwrap();
        if !name.is_empty() {
            list.add_key(&name).unwrap();
        }
        list.add_pattern(&format!("n\\.\"{number}\\\\[\\x00-\\x1f]?")).unwrap();
        list.turn_off("email").unwrap();
        let stored = list.to_toml();
        let again = AllowList::from_toml(&stored, &key()).unwrap();
        prop_assert_eq!(&again.to_toml(), &stored);
        let same = |value: &str, key: Option<&str>, class: &str| {
            list.allows(value, key, class) == again.allows(value, key, class)
        };
        prop_assert!(same(&value, None, "jwt") && same(&other, Some(&name), "jwt"));
        let shaped = format!("n.\"{number}\\");
        prop_assert!(again.allows(&shaped, None, "jwt") && same(&other, None, "email"));
        prop_assert!(again.allows(&value, None, "jwt"));
        prop_assert!(value.len() < 8 || !stored.contains(&value));
    }
}
