//! The walk over JSON values: keys and strings by the catalogue, and what a sensitive key governs.

use serde_json::{Map, Value};

use crate::class::{Class, PASSWORD, WALLET};
use crate::key::{self, Sensitivity};
use crate::marker;
use crate::pipeline;
use crate::report::Report;
use crate::scan::lines;
use crate::value;

/// Nesting beyond which a value is masked as a whole.
pub(crate) const MAX_DEPTH: usize = 128;

/// What the surroundings of a value say about it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Governed(pub(crate) Sensitivity);

impl Governed {
    pub(crate) const FREE: Self = Self(Sensitivity::None);

    /// Derives what governs the value under a key.
    ///
    /// A strong key governs everything below it; a container of credentials makes every string
    /// below it suspect.
    ///
    /// The key is judged as it reads after redaction and without markers, so that a masked key
    /// governs the same as before.
    pub(crate) fn under(self, key: &str) -> Self {
        let key = &marker::strip(&pipeline::redact(key).text);
        let own = key::classify(key);
        let inherited = if self.0 == Sensitivity::Strong {
            Sensitivity::Strong
        } else {
            self.0.min(Sensitivity::Medium)
        };
        let container = if key::is_container(key) {
            Sensitivity::Medium
        } else {
            Sensitivity::None
        };
        Self(own.max(inherited).max(container))
    }

    /// Derives what governs the value beside a name, if that is a name and not a sentence.
    pub(crate) fn named(self, name: &str) -> Self {
        let name = marker::strip(&pipeline::redact(name).text);
        let of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.len() <= 64 && name.chars().all(of_name) {
            self.under(&name)
        } else {
            self
        }
    }

    /// Tells as what a number in this place is masked, if it is.
    pub(crate) fn masks_number(self, key: &str, digits: &str) -> Option<Class> {
        if self.0 == Sensitivity::Strong {
            Some(PASSWORD)
        } else {
            class_of_number(key, digits)
        }
    }

    /// Tells whether this string is masked as a whole; markers alone never are.
    pub(crate) fn masks(self, text: &str) -> bool {
        let markers = marker::find(text);
        value::is_secret(text, self.0, true)
            && !marker::only_markers(text, &(0..text.len()), &markers)
    }
}

/// Judges digits with their key beside them, since a key tells an order from a card.
pub(crate) fn class_of_number(key: &str, digits: &str) -> Option<Class> {
    let labelled = format!("{key}: {digits}");
    let from = key.len() + 2;
    pipeline::find_all(&labelled)
        .into_iter()
        .find(|s| s.range.start >= from)
        .map(|s| s.class)
}

/// Tells whether a string is a number in its usual groups.
pub(crate) fn is_number(text: &str) -> bool {
    (3..=32).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b' ' | b'-'))
}

/// Redacts a value recursively.
pub(crate) fn redact_value(value: &Value) -> (Value, Report) {
    let mut report = Report::new();
    let redacted = walk(value, "", Governed::FREE, 0, &mut report);
    (redacted, report)
}

fn walk(value: &Value, key: &str, governed: Governed, depth: usize, report: &mut Report) -> Value {
    if depth > MAX_DEPTH {
        return masked(PASSWORD, report);
    }
    match value {
        Value::String(text) => string(text, key, governed, report),
        Value::Array(items) => list(items, governed, depth, report),
        Value::Object(members) => object(members, governed, depth, report),
        Value::Number(number) => match governed.masks_number(key, &number.to_string()) {
            Some(class) => masked(class, report),
            None => value.clone(),
        },
        Value::Null | Value::Bool(_) => value.clone(),
    }
}

fn masked(class: Class, report: &mut Report) -> Value {
    report.count(class);
    Value::String(marker::render(class))
}

fn string(text: &str, key: &str, governed: Governed, report: &mut Report) -> Value {
    if is_number(text) && governed.0 < Sensitivity::Strong {
        return match class_of_number(key, text) {
            Some(class) => masked(class, report),
            None => Value::String(text.to_owned()),
        };
    }
    let spans = pipeline::find_all(text);
    let whole = spans.len() == 1 && spans[0].range == (0..text.len());
    let redacted = pipeline::render(text, &spans);
    if !whole && (governed.masks(text) || governed.masks(&redacted.text)) {
        report.bytes_in += text.len();
        return masked(PASSWORD, report);
    }
    report.absorb(&redacted.report);
    Value::String(redacted.text.into_owned())
}

fn list(items: &[Value], governed: Governed, depth: usize, report: &mut Report) -> Value {
    let bytes = items
        .iter()
        .map(|item| item.as_u64().and_then(|byte| u8::try_from(byte).ok()));
    if items.len() == 64
        && bytes
            .collect::<Option<Vec<u8>>>()
            .is_some_and(|b| lines::is_key_pair(&b))
    {
        return Value::Array(vec![masked(WALLET, report)]);
    }
    let mut before: Option<&str> = None;
    let mut redacted = Vec::with_capacity(items.len());
    for item in items {
        let here = before.map_or(governed, |name| beside(name, governed, items.len()));
        redacted.push(walk(item, "", here, depth + 1, report));
        before = item.as_str();
    }
    Value::Array(redacted)
}

/// Derives what governs an element after a name: a `[header, value]` pair or a flag's argument.
pub(crate) fn beside(name: &str, governed: Governed, siblings: usize) -> Governed {
    if siblings == 2 || name.starts_with('-') {
        governed.named(name)
    } else {
        governed
    }
}

fn object(
    members: &Map<String, Value>,
    governed: Governed,
    depth: usize,
    report: &mut Report,
) -> Value {
    let named = pair_name(
        members
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str())),
    );
    let mut redacted = Map::with_capacity(members.len());
    for (key, value) in members {
        let mut here = governed.under(key);
        if let Some(name) = named.filter(|_| is_value_key(key)) {
            here = here.max(governed.named(name));
        }
        let Value::String(clean) = string(key, "", Governed::FREE, report) else {
            continue;
        };
        let mut unique = clean.clone();
        let mut copy = 1;
        while redacted.contains_key(&unique) {
            copy += 1;
            unique = format!("{clean}#{copy}");
        }
        redacted.insert(unique, walk(value, key, here, depth + 1, report));
    }
    Value::Object(redacted)
}

impl Governed {
    /// Tells whether any value here is secret.
    pub(crate) fn is_strong(self) -> bool {
        self.0 == Sensitivity::Strong
    }

    /// Returns the stricter of two.
    pub(crate) fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

/// Returns the name in a `{name, value}` pair.
pub(crate) fn pair_name<'a>(
    members: impl Iterator<Item = (&'a str, Option<&'a str>)>,
) -> Option<&'a str> {
    const NAMES: &[&str] = &["name", "key", "Name", "Key", "header", "variable", "field"];
    members
        .filter(|(key, _)| NAMES.contains(key))
        .find_map(|(_, value)| value)
}

/// Tells whether this member is the value of a `{name, value}` pair.
pub(crate) fn is_value_key(key: &str) -> bool {
    ["value", "Value", "val", "content"].contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const MARK: &str = "[REDACTED:password_assignment]";

    fn check(value: &Value, expected: &Value) {
        let (redacted, _) = redact_value(value);
        assert_eq!(&redacted, expected);
        assert_eq!(&redact_value(&redacted).0, expected, "twice");
    }

    #[test]
    fn keys_govern_what_is_below() {
        check(
            &json!({"password": {"a": ["tall oak", 12345], "b": null}}),
            &json!({"password": {"a": [MARK, MARK], "b": null}}),
        );
        check(
            &json!({"name": "DB_PASSWORD", "value": "tall oak"}),
            &json!({"name": "DB_PASSWORD", "value": MARK}),
        );
        check(
            &json!(["--password", "tall-oak", "--json"]),
            &json!(["--password", MARK, "--json"]),
        );
        check(
            &json!({"credentials": {"x": "a1b2c3d4e5"}}),
            &json!({"credentials": {"x": MARK}}),
        );
    }

    #[test]
    fn harmless_values_stay() {
        let value = json!({"usage": {"input_tokens": 15234}, "password": "${PW}", "token_type": "Bearer", "__proto__": {"a": 1}, "n": 1.0});
        check(&value, &value);
    }

    #[test]
    fn secret_keys_are_masked_and_stay_distinct() {
        let token = |c: &str| format!("ghp_{}", c.repeat(36));
        let value = json!({token("a"): 1, token("b"): 2});
        let (redacted, report) = redact_value(&value);
        let keys: Vec<&String> = redacted.as_object().expect("an object").keys().collect();
        assert_eq!(
            keys,
            ["[REDACTED:github_token]", "[REDACTED:github_token]#2"]
        );
        assert_eq!(report.counts.values().sum::<u64>(), 2);
    }
}
