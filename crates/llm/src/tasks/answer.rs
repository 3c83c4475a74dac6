//! Reads an answer as JSON of one shape: whole or not at all.

use std::fmt;
use std::marker::PhantomData;

use precedent_core::{ModelError, ModelErrorKind, RawText, Retry};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;

/// The longest answer that is read, in bytes; no question asks for a hundredth of it.
const ANSWER_BYTES: usize = 1 << 20;

/// An object of JSON and nothing else: serde would take an array for the fields in their order.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(Fields(PhantomData))
    }
}

/// Parses an answer. A code fence of Markdown around the whole of it is taken off, since models
/// without enforced schemas write one; fields that were not asked for are ignored.
///
/// # Errors
/// `too-large` over a mebibyte, `cut-off` if the JSON stops before its end, `malformed` otherwise.
pub(super) fn read<T: DeserializeOwned>(
    text: &RawText,
    purpose: &'static str,
) -> Result<T, ModelError> {
    let text = text.as_raw().trim();
    if text.len() > ANSWER_BYTES {
        return Err(ModelError::new(ModelErrorKind::TooLarge, purpose));
    }
    // What serde says of a failure may quote the answer, so it is not passed on.
    let parsed = serde_json::from_str::<Object<T>>(unfenced(text));
    parsed.map(|Object(answer)| answer).map_err(|error| {
        if error.classify() == Category::Eof && !text.is_empty() {
            return ModelError::new(ModelErrorKind::CutOff, purpose);
        }
        ModelError::new(ModelErrorKind::Malformed, purpose).advise(
            Retry::Later,
            "ask again, or choose a model that keeps to a schema",
        )
    })
}

/// Takes off the code fence, the end of which is missing in an answer that was cut.
fn unfenced(text: &str) -> &str {
    let Some((opening, inner)) = text.split_once('\n') else {
        return text;
    };
    if !matches!(opening.trim_end(), "```" | "```json" | "```JSON") {
        return text;
    }
    inner.strip_suffix("```").unwrap_or(inner).trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Shape {
        n: u8,
    }

    fn kind(text: &str) -> Result<u8, ModelErrorKind> {
        read::<Shape>(&RawText::new(text.to_owned()), "test")
            .map(|shape| shape.n)
            .map_err(|error| error.kind)
    }

    #[test]
    fn whole_json_is_read_and_nothing_else() {
        use ModelErrorKind as K;
        assert_eq!(kind(r#"{"n":1}"#), Ok(1));
        assert_eq!(kind(" {\"n\": 2, \"why\": \"x\"}\n"), Ok(2));
        assert_eq!(kind("```json\n{\"n\":3}\n```"), Ok(3));
        assert_eq!(kind("```json\n{\"n\":"), Err(K::CutOff));
        assert_eq!(kind(r#"{"n":1"#), Err(K::CutOff));
        for broken in [
            "",
            "   ",
            "Sure! {\"n\":1}",
            r#"{"n":1} and more"#,
            r#"{"n":1,"n":2}"#,
            r#"{"n":"1"}"#,
            r#"{"n":256}"#,
            r#"{"m":1}"#,
            "[1]",
            "null",
        ] {
            assert_eq!(kind(broken), Err(K::Malformed), "{broken}");
        }
        assert_eq!(kind(&"x".repeat(ANSWER_BYTES + 1)), Err(K::TooLarge));
        // Deep nesting ends in an error, not in an overflow of the stack.
        let deep = format!("{{\"n\":{}", "[".repeat(100_000));
        assert_eq!(kind(&deep), Err(K::Malformed));
        let deep = format!("{{\"n\":1,\"x\":{}", "[".repeat(100_000));
        assert_eq!(kind(&deep), Err(K::CutOff));
    }

    #[test]
    fn an_error_does_not_quote_the_answer() {
        let text = RawText::new(r#"{"n":"quokkas"}"#.to_owned());
        let error = read::<Shape>(&text, "test").expect_err("a string is no number");
        let told = format!("{error} {error:?}");
        assert!(!told.contains("quokkas"), "{told}");
        assert!(std::error::Error::source(&error).is_none());
        assert_eq!(error.retry, Retry::Later);
    }
}
