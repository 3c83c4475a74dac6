//! Values that a key gives away: assignments, JSON and YAML members, XML elements, flags, table
//! rows and name/value pairs.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::values::{self, Evidence, Value};
use crate::class::{self, Class};
use crate::key::{self, Sensitivity};
use crate::marker;
use crate::span::{Span, Stage};
use crate::value;

/// Longest key that is considered, in bytes.
const MAX_KEY: usize = 80;

/// Fragments that every key of the classifier contains.
const FRAGMENTS: &[&str] = &[
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "auth",
    "cred",
    "cookie",
    "sess",
    "sig",
    "code",
    "psk",
    "pepper",
    "mnemonic",
    "seed",
    "otp",
    "jwt",
    "sid",
    "salt",
    "bearer",
    "pat",
    "verifier",
    "assertion",
    "csrf",
    "xsrf",
    "phrase",
    "kennwort",
    "contrase",
    "clave",
    "senha",
    "parola",
    "wachtwoord",
    "has\u{142}o",
    "mdp",
    "rootpw",
    "bindpw",
    "adminpw",
    "wif",
    "sas",
    "hmac",
    "pin",
    "\u{43f}\u{430}\u{440}\u{43e}\u{43b}\u{44c}",
    "\u{41f}\u{430}\u{440}\u{43e}\u{43b}\u{44c}",
    "\u{5bc6}\u{7801}",
    "\u{5bc6}\u{78bc}",
    "\u{53e3}\u{4ee4}",
    "\u{30d1}\u{30b9}\u{30ef}\u{30fc}\u{30c9}",
    "\u{be44}\u{bc00}\u{bc88}\u{d638}",
    "\u{c554}\u{d638}",
];

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut key_end = 0;
    let base = spans.len();
    let markers = marker::find(text);
    for hit in gate().find_iter(text) {
        // The name in a marker is no key, and what lies in a masked value is covered.
        let inside = spans[base..]
            .last()
            .is_some_and(|last| hit.start() < last.range.end);
        if hit.start() < key_end || inside || marker::covers(&markers, hit.start()) {
            continue;
        }
        let key = key_around(text, hit.start(), hit.end());
        key_end = key.end;
        let sensitivity = key::classify(phrase(text, &key));
        if sensitivity == Sensitivity::None {
            continue;
        }
        let Some(value) = values::after_key(text, &key, sensitivity) else {
            continue;
        };
        if accept(text, &value, sensitivity) {
            let class = class_of(&text[key], sensitivity);
            let range = values::extended(text, &value);
            spans.push(Span::new(range, class, Stage::KeyValue));
        }
    }
}

fn gate() -> &'static AhoCorasick {
    static GATE: OnceLock<AhoCorasick> = OnceLock::new();
    GATE.get_or_init(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(FRAGMENTS)
            .expect("the list of fragments is small and fixed")
    })
}

/// Widens a hit to the whole key: letters, digits, `_`, `-` and inner full stops.
fn key_around(text: &str, start: usize, end: usize) -> Range<usize> {
    // Scripts without blanks glue particles to a word, so there the word itself is the key.
    if text[start..].starts_with(|c| c >= '\u{3000}') {
        return start..end;
    }
    let of_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let floor = text.floor_char_boundary(start.saturating_sub(MAX_KEY));
    let mut from = start;
    for (at, c) in text[floor..start].char_indices().rev() {
        // A letter that ends a backslash escape belongs to the escape.
        if !of_key(c) || (c.is_ascii_alphabetic() && text[..floor + at].ends_with('\\')) {
            break;
        }
        from = floor + at;
    }
    let head = &text[from..start];
    from += head.len() - head.trim_start_matches(['-', '.']).len();
    let ceiling = text.floor_char_boundary((end + MAX_KEY).min(text.len()));
    let tail = &text[end..ceiling];
    let length = tail.find(|c| !of_key(c)).unwrap_or(tail.len());
    let tail = tail[..length].trim_end_matches(['.', '-']);
    from..end + tail.len()
}

/// Widens a one-word key by the words before it: `API key`, `wif private key`.
fn phrase<'a>(text: &'a str, key: &Range<usize>) -> &'a str {
    if text[key.clone()].contains(['_', '-', '.']) {
        return &text[key.clone()];
    }
    let floor = text.floor_char_boundary(key.start.saturating_sub(16));
    let head = &text[floor..key.start];
    let Some(body) = head.strip_suffix(' ') else {
        return &text[key.clone()];
    };
    let word = body.len()
        - body
            .trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .len();
    let before = &body[body.len() - word..].to_ascii_lowercase();
    const QUALIFIERS: &[&str] = &[
        "api", "access", "private", "secret", "auth", "public", "primary", "de", "signing", "zip",
        "exit", "status", "error", "postal", "country", "seed", "recovery", "client", "app",
    ];
    if QUALIFIERS.contains(&before.as_str()) {
        &text[key.start - 1 - word..key.end]
    } else {
        &text[key.clone()]
    }
}

fn accept(text: &str, found: &Value, sensitivity: Sensitivity) -> bool {
    let content = &text[found.range.clone()];
    // A column or a word beside the key is weaker evidence than a sign between them.
    let weaker = sensitivity.min(Sensitivity::Medium);
    match found.evidence {
        Evidence::Assigned => value::is_secret(content, sensitivity, found.quoted),
        Evidence::Adjacent => {
            let judged = if value::is_dense(content) {
                sensitivity
            } else {
                weaker
            };
            value::is_secret(content, judged, found.quoted)
        }
        Evidence::Spoken => {
            let literal = found.quoted
                && (!content.contains(' ') || content.bytes().any(|b| b.is_ascii_digit()));
            let judged = if literal || value::is_dense(content) {
                sensitivity
            } else {
                weaker
            };
            value::is_secret(content, judged, found.quoted)
        }
    }
}

fn class_of(key: &str, sensitivity: Sensitivity) -> Class {
    let lower = key.to_ascii_lowercase();
    let ends = |tails: &[&str]| tails.iter().any(|tail| lower.ends_with(tail));
    if ends(&["signature", "sig"]) && sensitivity == Sensitivity::Weak {
        return class::SIGNATURE;
    }
    if ends(&["session", "sessionid", "sid", "cookie"]) && sensitivity == Sensitivity::Weak {
        return class::COOKIE;
    }
    class::PASSWORD
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn assignments_in_many_syntaxes() {
        for (text, secret) in [
            ("DB_PASSWORD=granite_b42", "granite_b42"),
            ("password: \"two words, here\"", "two words, here"),
            ("{\\\"password\\\": \\\"a1b2c3d4\\\"}", "a1b2c3d4"),
            ("{\"password\":\"mk\\\"rI\"}", "mk\\\"rI"),
            ("<dbPassword>a1b2c3</dbPassword>", "a1b2c3"),
            ("--password granite42 --x", "granite42"),
            ("Server=db;Password=Kern4_;Encrypt=True", "Kern4_"),
            ("a=1&client_secret=Zz91kk&b=2", "Zz91kk"),
            ("密码：mA_pK*CD", "mA_pK*CD"),
            ("пароль: Oys464*", "Oys464*"),
            ("the password is gr4nit3b0", "gr4nit3b0"),
            ("api_key := 0401a2ed52fa", "0401a2ed52fa"),
            ("('vault_token', 's1.ahtG0Jd0Hum7')", "s1.ahtG0Jd0Hum7"),
            ("- name: DB_PASSWORD\n  value: \"gr4n1te\"", "gr4n1te"),
        ] {
            assert_eq!(masked(text), [secret], "{text}");
        }
    }

    #[test]
    fn harmless_keys_and_values_stay() {
        for text in [
            "monkey=banana",
            "password: must not be blank",
            "password: String,",
            "token_limit: 200000",
            "let secret = Secret::new(value);",
            "if password == other { go() }",
            "user,password,last_login",
            "apiKey: process.env.OPENAI_API_KEY",
            "label for=\"password\">Password</label>",
            "The token was expired so the request failed",
            "keyboard: qwerty",
            "PWD=/srv/app",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
