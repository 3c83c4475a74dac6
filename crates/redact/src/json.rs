//! The walk over JSON values: keys and strings by the catalogue, and what a sensitive key governs.

use serde_json::{Map, Value};

use crate::class::PASSWORD;
use crate::key::{self, Sensitivity};
use crate::marker;
use crate::pipeline;
use crate::report::Report;
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
    pub(crate) fn under(self, key: &str) -> Self {
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

    /// Derives what governs the elements of a list in this place.
    fn masks_string(self, text: &str) -> bool {
        value::is_secret(text, self.0, true)
    }

    /// Tells whether a number or truth value in this place is masked.
    pub(crate) fn masks_scalar(self, is_number: bool) -> bool {
        self.0 == Sensitivity::Strong && is_number
    }

    /// Tells whether this string is masked as a whole; markers alone never are.
    pub(crate) fn masks(self, text: &str) -> bool {
        let markers = marker::find(text);
        self.masks_string(text) && !marker::only_markers(text, &(0..text.len()), &markers)
    }
}

/// Redacts a value recursively.
pub(crate) fn redact_value(value: &Value) -> (Value, Report) {
    let mut report = Report::new();
    let redacted = walk(value, Governed::FREE, 0, &mut report);
    (redacted, report)
}

fn walk(value: &Value, governed: Governed, depth: usize, report: &mut Report) -> Value {
    if depth > MAX_DEPTH {
        return masked(report);
    }
    match value {
        Value::String(text) => string(text, governed, report),
        Value::Array(items) => list(items, governed, depth, report),
        Value::Object(members) => object(members, governed, depth, report),
        Value::Number(_) if governed.masks_scalar(true) => masked(report),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn masked(report: &mut Report) -> Value {
    report.count(PASSWORD);
    Value::String(marker::render(PASSWORD))
}

fn string(text: &str, governed: Governed, report: &mut Report) -> Value {
    let spans = pipeline::find_all(text);
    let whole = spans.len() == 1 && spans[0].range == (0..text.len());
    if !whole && governed.masks(text) {
        report.bytes_in += text.len();
        return masked(report);
    }
    let redacted = pipeline::render(text, &spans);
    report.absorb(&redacted.report);
    Value::String(redacted.text.into_owned())
}

fn list(items: &[Value], governed: Governed, depth: usize, report: &mut Report) -> Value {
    let mut before: Option<&str> = None;
    let mut redacted = Vec::with_capacity(items.len());
    for item in items {
        let here = before.map_or(governed, |name| beside(name, governed, items.len()));
        redacted.push(walk(item, here, depth + 1, report));
        before = item.as_str();
    }
    Value::Array(redacted)
}

/// Derives what governs an element after a name: a `[header, value]` pair or a flag's argument.
pub(crate) fn beside(name: &str, governed: Governed, siblings: usize) -> Governed {
    let named = siblings == 2 || name.starts_with('-');
    if named && !name.contains(['=', ' ']) {
        governed.under(name)
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
            here = here.max(governed.under(name));
        }
        let Value::String(clean) = string(key, Governed::FREE, report) else {
            continue;
        };
        let mut unique = clean.clone();
        let mut copy = 1;
        while redacted.contains_key(&unique) {
            copy += 1;
            unique = format!("{clean}#{copy}");
        }
        redacted.insert(unique, walk(value, here, depth + 1, report));
    }
    Value::Object(redacted)
}

impl Governed {
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
