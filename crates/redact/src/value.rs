//! Judges whether a value is a secret or only stands for one.

use crate::entropy::{Makeup, is_hex, is_uuid, shannon, transitions};
use crate::key::{self, Sensitivity};

/// Tells whether a value under a key of this sensitivity is secret.
///
/// The whole value decides: a reference, a piece of code, a placeholder, a literal or a status
/// word is kept.
pub(crate) fn is_secret(value: &str, sensitivity: Sensitivity, quoted: bool) -> bool {
    let value = value.trim();
    if value.is_empty() || stands_for_another(value, quoted) {
        return false;
    }
    // No token starts with a bracket or a borrow; code does.
    let code = (!quoted || sensitivity == Sensitivity::Weak)
        && value.starts_with(['[', '(', ')', '&', '{', ']', '|']);
    if code && sensitivity != Sensitivity::Strong {
        return false;
    }
    match sensitivity {
        Sensitivity::None => false,
        Sensitivity::Weak => looks_random(value, 16) && !is_benign(value),
        Sensitivity::Medium => looks_random(value, 8) && !value.contains("://"),
        Sensitivity::Strong => value.chars().count() >= if quoted { 3 } else { 4 },
    }
}

/// Tells whether the value is a reference, placeholder, literal, path or code.
pub(crate) fn stands_for_another(value: &str, quoted: bool) -> bool {
    is_reference(value)
        || is_placeholder(value)
        || is_word_of_status(value)
        || is_path(value)
        || is_code(value, quoted)
}

/// Tells whether the value points to where the secret is kept.
fn is_reference(value: &str) -> bool {
    const HEADS: &[&str] = &[
        "${",
        "{{",
        "$(",
        "<%",
        "((",
        "#{",
        "!Ref",
        "!Sub",
        "!GetAtt",
        "!vault",
        "op://",
        "arn:",
        "projects/",
        "/run/secrets",
        "vault:",
        "ssm:",
        "secretsmanager:",
        "ref+",
        "env:",
        "process.env",
        "os.environ",
        "import.meta",
        "ENV[",
        "`",
        "@file",
        "@/",
        "@Microsoft",
        "data.",
        "var.",
        "local.",
        "module.",
        "secrets.",
        "env.",
        "config.",
        "self.",
        "this.",
        "%{",
        "@{",
        "[[",
    ];
    if HEADS.iter().any(|head| value.starts_with(head)) {
        return true;
    }
    let braced = value
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    if braced.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')) {
        return true;
    }
    if let Some(name) = value.strip_prefix('$') {
        let plain = |c: char| {
            c.is_ascii_alphabetic() || matches!(c, '_' | ':' | '.' | '-' | '>' | '{' | '}')
        };
        return !name.is_empty() && name.chars().all(plain);
    }
    let percent = value
        .strip_prefix('%')
        .and_then(|rest| rest.strip_suffix('%'));
    percent.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

/// Tells whether the value says that the reader's own belongs here.
pub(crate) fn is_placeholder(value: &str) -> bool {
    // `<name>`, or the head of a tag.
    let inner = value
        .strip_prefix('<')
        .map(|rest| rest.split('>').next().unwrap_or(rest));
    if inner.is_some_and(|inner| !looks_random(inner, 12)) {
        return true;
    }
    let filler = |b: u8| {
        matches!(
            b,
            b'*' | b'.' | b'x' | b'X' | b'-' | b'_' | b'#' | b'?' | b'='
        )
    };
    let lower = value.get(..12).unwrap_or(value).to_ascii_lowercase();
    let heads = [
        "your-",
        "your_",
        "your ",
        "my-secret-",
        "changeme",
        "change-me",
        "change_me",
    ];
    value.bytes().all(filler)
        || value.chars().all(|c| matches!(c, '•' | '…' | '●' | '*'))
        || heads.iter().any(|head| lower.starts_with(head))
        || lower.starts_with("xxxx")
        || value.ends_with("...") && value.len() < 16
}

/// Tells whether the value is a literal, a type or a word about a secret's state.
fn is_word_of_status(value: &str) -> bool {
    let word = value
        .trim_end_matches([',', ';', '.', ')', '?', '!', '&'])
        .trim_start_matches('&');
    let word = word.to_ascii_lowercase();
    STATUS.contains(&word.as_str())
}

/// Tells whether the value is a path of plain segments.
fn is_path(value: &str) -> bool {
    let rooted = ["/", "./", "../", "~/", "file:", "C:\\", "kv/", "secret/"];
    rooted.iter().any(|root| value.starts_with(root))
        && value.split(['/', '\\']).all(|part| !looks_random(part, 12))
}

/// Tells whether the value is an expression: a call, a member access, a path of types.
fn is_code(value: &str, quoted: bool) -> bool {
    if quoted && value.contains(' ') {
        return false;
    }
    let value = value.trim_end_matches([';', ',']);
    let name_end = value
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '&' | '!' | '?')))
        .unwrap_or(value.len());
    let (name, rest) = value.split_at(name_end);
    let makeup = Makeup::of(name);
    let named = makeup.letters() > 0 && makeup.digits <= 3;
    if !quoted && (named && opens_expression(rest) || value.starts_with("&#x")) {
        return true;
    }
    // A variable named like its key is code, not a password.
    let namesake = !quoted && rest.is_empty() && makeup.digits == 0;
    if namesake && key::classify(name) >= Sensitivity::Medium {
        return true;
    }
    let call = rest.starts_with('(') && rest.ends_with(')') && named;
    let path = name.contains("::") && makeup.digits == 0;
    let parts: Vec<&str> = name.split('.').collect();
    let member =
        parts.len() > 1 && rest.is_empty() && !quoted && parts.iter().all(|part| identifier(part));
    let heads = ["=>", "function", "&mut "];
    let group = !quoted
        && value.strip_prefix('(').is_some_and(|inner| {
            inner.starts_with(|c: char| c.is_ascii_alphabetic())
                && identifier(inner.split(['.', ')', ' ']).next().unwrap_or(""))
        });
    call || path || member || group || heads.iter().any(|head| value.starts_with(head))
}

fn opens_expression(rest: &str) -> bool {
    rest.starts_with(['(', '<', '[']) || rest.starts_with("->")
}

fn identifier(part: &str) -> bool {
    let starts = part
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    starts && Makeup::of(part).digits <= 2 && !looks_random(part, 8)
}

/// Tells whether a string looks random rather than written: long enough, letters with digits or
/// symbols or many changes of kind, and no words joined by separators.
pub(crate) fn looks_random(text: &str, min: usize) -> bool {
    if text.len() < min || text.bytes().any(|b| b.is_ascii_whitespace()) {
        return false;
    }
    let makeup = Makeup::of(text);
    if makeup.letters() == 0 {
        return makeup.digits >= min.max(12) && makeup.symbols == 0;
    }
    if is_wordy(text) {
        return false;
    }
    if makeup.digits > 0 {
        return makeup.digits >= 2 || transitions(text) >= 3;
    }
    makeup.lower > 0
        && makeup.upper > 0
        && !is_camel(text)
        && (transitions(text) * 4 >= text.len() || shannon(text) > 3.9 && makeup.symbols > 0)
}

/// Tells whether letters alone form capitalised words: random text has a capital in every two
/// letters, words in every three or more.
fn is_camel(text: &str) -> bool {
    let makeup = Makeup::of(text);
    makeup.symbols == 0 && makeup.letters() * 10 >= makeup.upper * 26
}

/// Tells whether the text is words, with at most short numbers, joined by separators.
pub(crate) fn is_wordy(text: &str) -> bool {
    let separator = |c: char| matches!(c, '-' | '_' | '.' | '/' | ':' | '@' | '+' | ',' | '\\');
    let mut words = 0;
    for part in text.split(separator).filter(|part| !part.is_empty()) {
        let makeup = Makeup::of(part);
        let letters_only = makeup.digits == 0 && makeup.symbols == 0;
        let one_case =
            makeup.upper == 0 || makeup.lower == 0 || transitions(part) <= 1.max(part.len() / 4);
        let number = makeup.letters() == 0 && makeup.symbols == 0 && makeup.digits <= 4;
        let versioned = makeup.symbols == 0
            && makeup.digits <= 3
            && part.len() <= 8
            && transitions(part) == 1
            && part.starts_with(|c: char| c.is_ascii_alphabetic());
        if !(letters_only && one_case && part.len() <= 24 || number || versioned) {
            return false;
        }
        words += usize::from(letters_only);
    }
    words >= 1
}

/// Tells whether the value mixes letters with digits, as a password in prose does and a word does
/// not.
pub(crate) fn is_dense(value: &str) -> bool {
    let makeup = Makeup::of(value);
    makeup.letters() > 0 && makeup.digits > 0 && value.len() >= 6
}

/// Tells whether the value has the form of an id or a digest, which a weak key does not mask.
fn is_benign(value: &str) -> bool {
    let digest = [
        "sha256", "sha384", "sha512", "sha1", "h1:", "SHA256:", "md5:",
    ];
    is_uuid(value)
        || value.starts_with("0x") && value.len() <= 42
        || digest.iter().any(|head| value.starts_with(head))
        || value.starts_with("ssh-")
        || value.starts_with("AAAA")
        || is_hex(value) && value.len() < 32
        || value.contains("://")
}

const STATUS: &[&str] = &[
    "null",
    "none",
    "nil",
    "true",
    "false",
    "undefined",
    "empty",
    "nan",
    "required",
    "optional",
    "expired",
    "disabled",
    "enabled",
    "invalid",
    "valid",
    "missing",
    "incorrect",
    "wrong",
    "changed",
    "reset",
    "strict",
    "redacted",
    "[redacted]",
    "[filtered]",
    "(redacted)",
    "hidden",
    "masked",
    "removed",
    "unset",
    "set",
    "yes",
    "no",
    "ok",
    "failed",
    "denied",
    "active",
    "must",
    "string",
    "str",
    "text",
    "varchar",
    "char",
    "bytes",
    "int",
    "integer",
    "number",
    "bool",
    "boolean",
    "any",
    "object",
    "unknown",
    "option",
    "secretstring",
    "secret",
    "password",
    "token",
    "self",
    "static",
    "input",
    "prompt",
    "stdin",
    "bearer",
    "basic",
    "default",
    "inherit",
    "placeholder",
    "pass",
    "example",
    "todo",
    "tbd",
    "n/a",
    "required.",
    "not",
    "is",
    "was",
    "value",
    "the",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strong_keys_keep_references_code_and_status() {
        for value in [
            "${DB_PASSWORD}",
            "{{ .Values.x }}",
            "$(pass show db)",
            "process.env.X",
            "env('DB_PASSWORD')",
            "String,",
            "&str",
            "Option<String>",
            "required",
            "None",
            "<your-key>",
            "***",
            "data.aws_secret.db.secret_string",
            "!Ref DBPassword",
            "/run/secrets/db",
            "r.FormValue(\"password\")",
            "SecretKey::generate(&mut",
        ] {
            assert!(!is_secret(value, Sensitivity::Strong, false), "{value}");
        }
        for value in [
            "hunter2!",
            "q9g2e",
            "granite_bishop42",
            "C4ndl3s4ddl3",
            "a$b(c)d9",
        ] {
            assert!(is_secret(value, Sensitivity::Strong, false), "{value}");
        }
    }

    #[test]
    fn randomness_tells_words_from_tokens() {
        for text in [
            "db-prod-main",
            "created_at",
            "kv/data/app/prod",
            "refresher",
            "cl100k",
            "X-API-Key",
            "AccountManagementService",
        ] {
            assert!(!looks_random(text, 8), "{text}");
        }
        for text in [
            "a75350b06c96ce61",
            "PJ0Mnv97wM_SlOSn8c",
            "zYfhdfHZ6ycq+wN0JJ",
        ] {
            assert!(looks_random(text, 8), "{text}");
        }
    }
}
