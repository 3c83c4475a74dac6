//! The walk over JSON values.

use serde_json::{Map, Value};

use super::{Governed, MAX_DEPTH, beside, class_of_number, is_number, is_value_key, pair_name};
use crate::class::{Class, PASSWORD, WALLET};
use crate::key::Sensitivity;
use crate::marker;
use crate::pipeline;
use crate::report::Report;
use crate::scan::lines;

/// Redacts a value recursively.
pub(crate) fn redact(value: &Value) -> (Value, Report) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const MARK: &str = "[REDACTED:password_assignment]";

    fn check(value: &Value, expected: &Value) {
        let (redacted, _) = redact(value);
        assert_eq!(&redacted, expected);
        assert_eq!(&redact(&redacted).0, expected, "twice");
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
        let (redacted, report) = redact(&value);
        let keys: Vec<&String> = redacted.as_object().expect("an object").keys().collect();
        assert_eq!(
            keys,
            ["[REDACTED:github_token]", "[REDACTED:github_token]#2"]
        );
        assert_eq!(report.counts.values().sum::<u64>(), 2);
    }
}
