//! Cleaning what only its surroundings make a secret: a value by its name, JSON by its structure.

use std::borrow::Cow;

use precedent_redact::{CleanText, Redactor};

/// Cleans an entry of a context: the name says what the value is, so they are looked at together.
pub fn clean_pair(name: &str, value: &str, redactor: &Redactor) -> (CleanText, CleanText) {
    let pair = serde_json::json!({ name: value });
    let (redacted, _) = redactor.redact_value(&pair);
    let value = redacted
        .as_object()
        .and_then(|object| object.values().next())
        .and_then(serde_json::Value::as_str)
        .unwrap_or_default();
    (redactor.clean(name), redactor.clean(value))
}

/// Masks the secrets of JSON by its structure, so that what a name makes a secret is one; any other
/// text is returned as it is, to be cleaned like every text.
pub fn mask_json<'a>(text: &'a str, redactor: &Redactor) -> Cow<'a, str> {
    if text.trim_start().starts_with(['{', '[']) {
        redactor.redact_json_text(text).text
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_makes_its_value_a_secret() {
        let redactor = Redactor::new();
        let (name, value) = clean_pair("db_password", "quokkas", &redactor);
        assert_eq!(&*name, "db_password");
        assert!(!value.contains("quokkas"));
        let (_, value) = clean_pair("host", "quokkas", &redactor);
        assert_eq!(&*value, "quokkas");
    }

    #[test]
    fn json_is_masked_by_structure_and_text_is_left() {
        let redactor = Redactor::new();
        let masked = mask_json(
            r#"{"password": ["quokkas", {"old": "wombats"}]}"#,
            &redactor,
        );
        assert!(
            !masked.contains("quokkas") && !masked.contains("wombats"),
            "{masked}"
        );
        assert_eq!(mask_json("password: x", &redactor), "password: x");
    }
}
