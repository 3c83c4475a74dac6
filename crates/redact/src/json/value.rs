//! The walk over JSON values.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    Governed, Label, MAX_DEPTH, beside, class_of_number, find_labelled, is_number, is_value_key,
    pair_name,
};
use crate::class::{Class, PASSWORD, WALLET};
use crate::context::Context;
use crate::key::Sensitivity;
use crate::marker;
use crate::pipeline;
use crate::report::Report;
use crate::scan::lines;
use crate::text;

/// Redacts a value recursively.
pub(crate) fn redact(value: &Value, context: &Context<'_>) -> (Value, Report) {
    let mut walker = Walker {
        context,
        report: Report::new(),
    };
    let redacted = walker.walk(value, &Label::default(), Governed::FREE, 0);
    walker.report.settle(context);
    (redacted, walker.report)
}

struct Walker<'a> {
    context: &'a Context<'a>,
    report: Report,
}

impl Walker<'_> {
    fn walk(
        &mut self,
        value: &Value,
        label: &Label<'_>,
        governed: Governed,
        depth: usize,
    ) -> Value {
        if depth > MAX_DEPTH {
            return self.masked(PASSWORD, "");
        }
        match value {
            Value::String(text) => Value::String(self.string(text, label, governed)),
            Value::Array(items) => self.list(items, governed, depth),
            Value::Object(members) => self.object(members, governed, depth),
            Value::Number(number) => {
                match governed.masks_number(label, &number.to_string(), self.context) {
                    Some(class) => self.masked(class, &number.to_string()),
                    None => value.clone(),
                }
            }
            Value::Null | Value::Bool(_) => value.clone(),
        }
    }

    fn masked(&mut self, class: Class, value: &str) -> Value {
        Value::String(self.marker(class, value))
    }

    fn marker(&mut self, class: Class, value: &str) -> String {
        self.report.count(class);
        let detail = self.context.settings().detail;
        let detail = detail.of_value(class, value, false);
        let mut marker = String::new();
        marker::push(&mut marker, class, detail.as_deref());
        marker
    }

    fn string(&mut self, text: &str, label: &Label<'_>, governed: Governed) -> String {
        if is_number(text) && governed.0 < Sensitivity::Strong {
            return match class_of_number(label, text, self.context) {
                Some(class) => self.marker(class, text),
                None => text.to_owned(),
            };
        }
        let spans = if label.text.is_empty() {
            pipeline::find_all(text, self.context)
        } else if label.is_telling() {
            find_labelled(label, text, self.context)
        } else {
            text::find_all(text, self.context)
        };
        let whole = spans.len() == 1 && spans[0].range == (0..text.len());
        let redacted = pipeline::render(text, &spans, self.context);
        let masked = !whole && (governed.masks(text) || governed.masks(&redacted.text));
        if masked && !self.context.allows(text, &label.text, PASSWORD) {
            self.report.bytes_in += text.len();
            return self.marker(PASSWORD, text);
        }
        self.report.absorb(&redacted.report);
        redacted.text.into_owned()
    }

    fn list(&mut self, items: &[Value], governed: Governed, depth: usize) -> Value {
        if is_key_pair(items) {
            return Value::Array(vec![self.masked(WALLET, "")]);
        }
        let mut before: Option<&str> = None;
        let mut redacted = Vec::with_capacity(items.len());
        for item in items {
            let here = before.map_or(governed, |name| {
                beside(name, governed, items.len(), self.context)
            });
            redacted.push(self.walk(item, &Label::default(), here, depth + 1));
            before = item.as_str();
        }
        Value::Array(redacted)
    }

    fn object(&mut self, members: &Map<String, Value>, governed: Governed, depth: usize) -> Value {
        let named = pair_name(
            members
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str())),
        );
        let generated = members.iter().any(|(key, value)| {
            value
                .as_str()
                .is_some_and(|text| super::is_generated_secret(key, text))
        });
        let governed = if generated {
            governed.max(Governed(Sensitivity::Medium))
        } else {
            governed
        };
        let mut redacted = Map::with_capacity(members.len());
        for (key, value) in members {
            let clean = self.string(key, &Label::default(), Governed::FREE);
            // The key governs as it reads afterwards, so that a second pass sees the same.
            let mut here = governed.under(&clean);
            let mut label = Cow::Borrowed(clean.as_str());
            if let Some(name) = named.filter(|_| is_value_key(key)) {
                here = here.max(governed.named(name, self.context));
                label = text::redact(name, self.context);
            }
            let mut unique = clean.clone();
            let mut copy = 1;
            while redacted.contains_key(&unique) {
                copy += 1;
                unique = format!("{clean}#{copy}");
            }
            let label = Label::new(label);
            redacted.insert(unique, self.walk(value, &label, here, depth + 1));
        }
        Value::Object(redacted)
    }
}

/// Tells whether a list is a key pair, written as bytes.
fn is_key_pair(items: &[Value]) -> bool {
    let bytes = items
        .iter()
        .map(|item| item.as_u64().and_then(|byte| u8::try_from(byte).ok()));
    items.len() == 64
        && bytes
            .collect::<Option<Vec<u8>>>()
            .is_some_and(|bytes| lines::is_key_pair(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const MARK: &str = "[REDACTED:password_assignment]";

    fn redact(value: &Value) -> (Value, Report) {
        super::redact(value, &Context::new(&crate::context::Settings::PLAIN))
    }

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
