//! What stands where a secret would: references, placeholders, words of status, labels, paths.

use super::looks_random;
use crate::key::{self, Sensitivity};
use crate::openings::Openings;

/// How references to a secret's place begin, in configuration formats, templates and secret
/// stores.
static REFERENCES: Openings<54> = Openings::new([
    "${",
    "{{",
    "$(",
    "<%",
    "((",
    "#{",
    "{%",
    "!Ref",
    "!Sub",
    "!GetAtt",
    "!Join",
    "!ImportValue",
    "!FindInMap",
    "!vault",
    "!secret",
    "!env",
    "op://",
    "arn:",
    "projects/",
    "/run/secrets",
    "vault:",
    "ssm:",
    "secretsmanager:",
    "ref+",
    "env:",
    "keyring:",
    "keychain:",
    "sops:",
    "process.env",
    "os.environ",
    "import.meta",
    "ENV[",
    "ENV.",
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
    "%(",
    "%env(",
    "@{",
    "[[",
    "@@",
    "%%",
    "##",
]);

/// Tells whether the value points to where the secret is kept.
pub(super) fn is_reference(value: &str, quoted: bool) -> bool {
    let begins = match value.as_bytes().first() {
        Some(b'$' | b'{' | b'<' | b'(' | b'#' | b'!' | b'/' | b'`' | b'@' | b'%' | b'[') => true,
        Some(first) => first.is_ascii_alphabetic(),
        None => return false,
    };
    if !begins {
        return is_parameter(value, ':');
    }
    REFERENCES.of(value).next().is_some()
        || is_braced(value)
        || is_variable(value, quoted)
        || is_parameter(value, '@')
        || is_annotation(value)
        || is_store_address(value)
        || value
            .strip_prefix('%')
            .and_then(|rest| rest.strip_suffix('%'))
            .is_some_and(is_word)
}

fn is_word(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn is_braced(value: &str) -> bool {
    let inner = value
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    inner.is_some_and(is_word)
}

/// Tells whether the value is a variable of a shell, of PHP or of Perl, or starts with one.
fn is_variable(value: &str, quoted: bool) -> bool {
    let Some(name) = value.strip_prefix('$') else {
        return false;
    };
    let plain =
        |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | ':' | '.' | '-' | '>' | '{' | '}');
    if !name.is_empty() && name.chars().all(plain) {
        return true;
    }
    let length = name
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .count();
    let (name, rest) = name.split_at(length);
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let shouted = !name.bytes().any(|b| b.is_ascii_lowercase());
    let goes_on = rest.starts_with(['[', '(', ')', ';']) || rest.starts_with("->");
    // A variable in the user information of an address, before the host.
    let before_host = shouted && length > 3 && rest.starts_with('@');
    before_host
        || length > 0
            && digits <= 2
            && (rest.is_empty() && shouted && length > 3 || goes_on && !quoted)
}

/// Tells whether the value is a parameter of a query: `:password`, `@password`.
fn is_parameter(value: &str, sign: char) -> bool {
    value.strip_prefix(sign).is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    })
}

/// Tells whether the value is `@name(...)`.
fn is_annotation(value: &str) -> bool {
    let Some(rest) = value.strip_prefix('@') else {
        return false;
    };
    let name = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    name > 1 && rest[name..].starts_with('(')
}

/// Tells whether the value is an address of plain segments without user information.
fn is_store_address(value: &str) -> bool {
    let Some((scheme, path)) = value.split_once("://") else {
        return false;
    };
    let of_scheme = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    !scheme.is_empty()
        && scheme.bytes().all(of_scheme)
        && !path.contains('@')
        && path
            .split(['/', '?', '#', '=', '&'])
            .all(|part| !looks_random(part, 16))
}

/// How a text begins that says that the reader's own belongs here.
const OWN: &[&str] = &[
    "your-",
    "your_",
    "your ",
    "my-secret-",
    "changeme",
    "change-me",
    "change_me",
    "change-this",
    "change_this",
    "replace-",
    "replace_",
    "replaceme",
    "insert-",
    "insert_",
    "put-your",
    "put_your",
    "enter-your",
    "enter_your",
    "add-your",
    "add_your",
    "paste-",
    "paste_",
    "xxxx",
    "placeholder",
    "example-",
    "example_",
];

/// Tells whether the value says that the reader's own belongs here.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let begins = |head: &&str| {
        let start = value.as_bytes().get(..head.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(head.as_bytes()))
    };
    let filler = |c: char| {
        matches!(
            c,
            '*' | '.' | 'x' | 'X' | '-' | '_' | '#' | '?' | '=' | '•' | '…' | '●'
        )
    };
    value.chars().all(filler)
        || is_bracketed(value)
        || OWN.iter().any(begins)
        || value.ends_with("...") && value.len() < 16
        || is_underlined(value)
        || is_rule_list(value)
}

/// Tells whether the value is `<name>`, `[name]`, `(name)` or `{name}`.
fn is_bracketed(value: &str) -> bool {
    // What follows `<name>` may be text; it may also be the head of a tag.
    if let Some(rest) = value.strip_prefix('<') {
        let Some((inner, _)) = rest.split_once('>') else {
            return rest.starts_with(['/', '!', '?']) || rest.is_empty() || rest.contains(' ');
        };
        return !looks_random(inner, 12);
    }
    [('[', ']'), ('(', ')'), ('{', '}')]
        .iter()
        .any(|(open, close)| {
            let inner = value
                .strip_prefix(*open)
                .and_then(|rest| rest.strip_suffix(*close));
            let of_words =
                |b: u8| b.is_ascii_alphabetic() || matches!(b, b' ' | b'_' | b'-' | b'.');
            inner.is_some_and(|inner| inner.bytes().all(of_words))
        })
}

/// Tells whether the value is `__NAME__`.
fn is_underlined(value: &str) -> bool {
    let inner = value
        .strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("__"));
    inner.is_some_and(|inner| inner.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
}

/// Tells whether the value is a list of rules for a field: `required|string|min:8`.
fn is_rule_list(value: &str) -> bool {
    let rule = |part: &str| {
        let (name, rest) = part.split_once(':').unwrap_or((part, ""));
        name.len() > 2
            && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            && rest.len() <= 40
    };
    value.contains('|') && value.split('|').all(rule)
}

/// Tells whether the value is a literal, a type or a word about a secret's state.
pub(super) fn is_word_of_status(value: &str) -> bool {
    let word = value
        .trim_end_matches([',', ';', '.', ')', '?', '!', '&'])
        .trim_start_matches('&');
    word.len() <= 14
        && STATUS
            .iter()
            .any(|status| status.eq_ignore_ascii_case(word))
}

/// Tells whether the value is what a form shows beside a field: a few words that name a secret.
pub(super) fn is_label(value: &str) -> bool {
    let of_label = |c: char| {
        c.is_alphabetic()
            || matches!(
                c,
                ' ' | '?' | '.' | ':' | ',' | '\'' | '…' | '(' | ')' | '*'
            )
    };
    if value.len() > 128 {
        return false;
    }
    // In a sentence a number may stand: `must have at least 8 characters`.
    let number = |word: &str| word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    let sentence = value.split(' ').count() >= 4;
    let of_sentence = |word: &str| word.chars().all(of_label) || sentence && number(word);
    if !value.split(' ').all(of_sentence) {
        return false;
    }
    let value = value.trim_end_matches(['?', '.', ':', '*', ' ', '…']);
    if !value.contains(' ') {
        return key::is_keyword(value) || key::holds_wide_keyword(value);
    }
    value.split(' ').count() <= 14
        && (key::classify(value) >= Sensitivity::Medium
            || value.split(' ').any(key::is_keyword)
            || key::holds_wide_keyword(value))
}

/// Tells whether the value is a path of plain segments.
pub(super) fn is_path(value: &str) -> bool {
    let rooted = ["/", "./", "../", "~/", "file:", "C:\\", "kv/", "secret/"];
    rooted.iter().any(|root| value.starts_with(root))
        && value.split(['/', '\\']).all(|part| !looks_random(part, 12))
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
    "not",
    "is",
    "was",
    "value",
    "the",
    "filtered",
    "omitted",
    "stripped",
    "sensitive",
    "unchanged",
    "rotated",
    "revoked",
    "encrypted",
    "hashed",
    "forbidden",
    "confirmed",
    "mismatch",
    "accepted",
    "rejected",
    "updated",
    "created",
    "deleted",
    "found",
    "blank",
    "short",
    "weak",
    "strong",
    "plaintext",
    "secretstr",
    "argon2id",
    "argon2i",
    "bcrypt",
    "scrypt",
    "pbkdf2",
    "sha256",
    "sha512",
    "base64",
    "hex",
    "jsonb",
    "uuid",
    "enter",
    "your",
    "function",
    "async",
    "await",
    "new",
    "return",
    "const",
    "let",
    "var",
    "and",
    "or",
    "impl",
    "dyn",
    "mut",
    "fn",
    "func",
    "struct",
    "enum",
    "void",
    "float",
    "double",
    "usize",
    "final",
    "readonly",
    "in",
    "for",
    "with",
    "from",
    "to",
    "a",
    "an",
    "as",
    "at",
    "on",
];
