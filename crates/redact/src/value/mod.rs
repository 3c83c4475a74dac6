//! Judges whether a value is a secret or only stands for one.

mod code;
mod randomness;
mod standin;

use crate::entropy::{is_hex, is_uuid};
use crate::key::Sensitivity;
use randomness::is_noise;
pub(crate) use randomness::{is_dense, is_phrase, looks_random};
pub(crate) use standin::is_placeholder;

/// Tells whether a value under a key of this sensitivity is secret.
///
/// The whole value decides: a reference, a piece of code, a placeholder, a literal or a status
/// word is kept.
pub(crate) fn is_secret(value: &str, sensitivity: Sensitivity, quoted: bool) -> bool {
    let value = value.trim();
    if value.is_empty() {
        return false;
    }
    // No token starts with a bracket or a borrow; code does.
    let code = (!quoted || sensitivity == Sensitivity::Weak)
        && value.starts_with(['[', '(', ')', '&', '{', ']', '|']);
    if code && sensitivity != Sensitivity::Strong {
        return false;
    }
    let secret = match sensitivity {
        Sensitivity::None => false,
        Sensitivity::Weak => {
            (looks_random(value, 16) || quoted && is_noise(value)) && !is_benign(value)
        }
        Sensitivity::Medium => {
            (looks_random(value, 8) || quoted && is_noise(value)) && !value.contains("://")
        }
        Sensitivity::Strong => value.chars().nth(if quoted { 2 } else { 3 }).is_some(),
    };
    secret && !stands_for_another(value, quoted)
}

/// Tells whether the value is a reference, placeholder, literal, path or code.
pub(crate) fn stands_for_another(value: &str, quoted: bool) -> bool {
    standin::is_reference(value, quoted)
        || is_placeholder(value)
        || standin::is_word_of_status(value)
        || standin::is_label(value)
        || standin::is_path(value)
        || code::is_code(value, quoted)
}

/// Tells whether the value has the form of an id or a digest, which a weak key does not mask.
fn is_benign(value: &str) -> bool {
    let digest = [
        "sha256", "sha384", "sha512", "sha1", "h1:", "SHA256:", "md5:",
    ];
    is_uuid(value)
        || is_timestamp(value)
        || value.starts_with("0x") && value.len() <= 42
        || digest.iter().any(|head| value.starts_with(head))
        || value.starts_with("ssh-")
        || value.starts_with("AAAA")
        || is_hex(value) && value.len() <= 24
        || is_algorithm(value)
        || value.contains("://")
}

/// Tells whether the value names an algorithm, as key exchanges and ciphers do.
fn is_algorithm(value: &str) -> bool {
    let heads = [
        "curve25519",
        "ecdh",
        "ecdsa",
        "ed25519",
        "x25519",
        "aes",
        "chacha20",
        "hmac-",
        "rsa",
        "diffie-hellman",
        "sntrup761",
        "mlkem768",
        "camellia",
    ];
    let head = |head: &&str| {
        let start = value.as_bytes().get(..head.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(head.as_bytes()))
    };
    value.len() <= 40 && heads.iter().any(head) && value.contains(['-', '_'])
}

/// Tells whether the value begins with a date and time (ISO 8601).
fn is_timestamp(value: &str) -> bool {
    let bytes = value.as_bytes();
    let extended = bytes.len() >= 10
        && bytes[..10].iter().enumerate().all(|(at, b)| match at {
            4 | 7 => *b == b'-',
            _ => b.is_ascii_digit(),
        });
    extended
        || bytes.len() >= 13
            && bytes[..8].iter().all(u8::is_ascii_digit)
            && matches!(bytes[8], b'T' | b'-' | b'_')
            && bytes[9..13].iter().all(u8::is_ascii_digit)
}

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
            "$_POST[",
            "$this->getToken()",
            "@env(DB_PASSWORD)",
            "aws-ssm:///prod/db/password",
            "[hidden]",
            ":password",
            "__DB_PASSWORD__",
            "YOUR_DB_PASSWORD_HERE",
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
    fn quoted_values_are_no_code_for_their_signs() {
        for value in ["lZe7lH(KtFmtb0)", "<qflEh0Emz", "two words, here", "a(b)"] {
            assert!(is_secret(value, Sensitivity::Strong, true), "{value}");
        }
        for value in [
            "required|string|min:8|confirmed",
            "Confirm password",
            "Passwort",
            "Mot de passe",
            "<secret>",
            "{{ password }}",
            "env(\"X\")",
        ] {
            assert!(!is_secret(value, Sensitivity::Strong, true), "{value}");
        }
    }
}
