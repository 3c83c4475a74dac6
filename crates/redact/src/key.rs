//! Judges by a key's words how secret its value is.

/// How much a key says about its value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sensitivity {
    /// The key says nothing.
    None,
    /// The value is secret if it looks random and is no hash, id or other harmless form.
    Weak,
    /// The value is secret if it looks random, whatever its form.
    Medium,
    /// Any value is secret unless it is a reference, code or a placeholder.
    Strong,
}

/// Judges a key by its words, never by substrings: `monkey` is no key.
pub(crate) fn classify(key: &str) -> Sensitivity {
    let words = split(key);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Sensitivity::None;
    };
    if NEVER_LAST.contains(last) || (words.len() > 1 && NEVER_FIRST.contains(first)) {
        return Sensitivity::None;
    }
    if words.iter().any(|word| STRONG.contains(word)) || has_pair(&words, STRONG_PAIRS) {
        return Sensitivity::Strong;
    }
    if *last == "pass" {
        return if words.len() > 1 {
            Sensitivity::Strong
        } else {
            Sensitivity::Medium
        };
    }
    if MEDIUM_LAST.contains(last) || has_pair(&words, MEDIUM_PAIRS) {
        return Sensitivity::Medium;
    }
    if WEAK_LAST.contains(last) {
        Sensitivity::Weak
    } else {
        Sensitivity::None
    }
}

/// Tells whether the key announces a container of secrets, whose children inherit it.
pub(crate) fn is_container(key: &str) -> bool {
    let words = split(key);
    words
        .last()
        .is_some_and(|word| CONTAINERS.contains(&word.as_str()))
}

fn has_pair(words: &[&str], pairs: &[(&str, &str)]) -> bool {
    words
        .windows(2)
        .any(|two| pairs.iter().any(|(a, b)| two[0] == *a && two[1] == *b))
}

/// Splits on case, digits' ends and punctuation, and lowers the words.
fn split(key: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut previous_lower = false;
    let mut chars = key.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_alphanumeric() {
            flush(&mut word, &mut words);
            previous_lower = false;
            continue;
        }
        let ends_acronym = c.is_ascii_uppercase()
            && !word.is_empty()
            && chars.peek().is_some_and(char::is_ascii_lowercase);
        if (c.is_ascii_uppercase() && previous_lower) || (ends_acronym && word.len() > 1) {
            flush(&mut word, &mut words);
        }
        previous_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        word.extend(c.to_lowercase());
    }
    flush(&mut word, &mut words);
    words
}

fn flush(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

const STRONG: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "psk",
    "pepper",
    "mnemonic",
    "storepass",
    "keypass",
    "requirepass",
    "masterauth",
    "presharedkey",
    "secretkey",
    "clientsecret",
    "privatekey",
    "userpassword",
    "rootpassword",
    "dbpassword",
    "pgpassword",
    "rootpw",
    "bindpw",
    "adminpw",
    "sshpass",
    "wif",
    // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Chinese, Japanese,
    // Korean.
    "passwort",
    "kennwort",
    "mdp",
    "contraseña",
    "contrasena",
    "clave",
    "senha",
    "parola",
    "wachtwoord",
    "hasło",
    "пароль",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "암호",
];

const STRONG_PAIRS: &[(&str, &str)] = &[
    ("secret", "key"),
    ("client", "secret"),
    ("private", "key"),
    ("preshared", "key"),
    ("shared", "secret"),
    ("master", "key"),
    ("signing", "secret"),
    ("signing", "key"),
    ("encryption", "key"),
    ("consumer", "secret"),
    ("app", "secret"),
    ("seed", "phrase"),
    ("recovery", "phrase"),
    ("totp", "secret"),
    ("de", "passe"),
];

const MEDIUM_LAST: &[&str] = &[
    "token",
    "secret",
    "secrets",
    "apikey",
    "apitoken",
    "authtoken",
    "accesstoken",
    "accesskey",
    "credential",
    "credentials",
    "pat",
    "jwt",
    "bearer",
    "authorization",
    "passkey",
    "appkey",
    "accountkey",
    "sharedaccesskey",
    "authkey",
    "oauth",
    "otp",
    "seed",
    "verifier",
    "pin",
];

const MEDIUM_PAIRS: &[(&str, &str)] = &[
    ("api", "key"),
    ("api", "keys"),
    ("access", "key"),
    ("app", "key"),
    ("application", "key"),
    ("auth", "key"),
    ("account", "key"),
    ("subscription", "key"),
    ("license", "key"),
    ("storage", "key"),
    ("service", "key"),
    ("admin", "key"),
    ("shared", "key"),
    ("global", "key"),
    ("ca", "key"),
    ("age", "key"),
    ("write", "key"),
    ("deploy", "key"),
    ("webhook", "key"),
    ("host", "key"),
    ("key", "data"),
    ("key", "secret"),
    ("secret", "access"),
    ("role", "secret"),
    ("api", "hash"),
    ("session", "key"),
    ("token", "secret"),
    ("secret", "string"),
];

const WEAK_LAST: &[&str] = &[
    "key",
    "auth",
    "session",
    "sessionid",
    "sid",
    "cookie",
    "cookies",
    "sig",
    "signature",
    "code",
    "salt",
    "assertion",
    "credential",
    "sas",
    "csrf",
    "xsrf",
    "xsrftoken",
];

const NEVER_LAST: &[&str] = &[
    "count",
    "counts",
    "limit",
    "limits",
    "ttl",
    "type",
    "types",
    "name",
    "names",
    "id",
    "ids",
    "path",
    "paths",
    "file",
    "files",
    "url",
    "uri",
    "endpoint",
    "policy",
    "size",
    "min",
    "max",
    "env",
    "ref",
    "refs",
    "method",
    "header",
    "headers",
    "provider",
    "alias",
    "days",
    "hours",
    "minutes",
    "seconds",
    "timeout",
    "expires",
    "expiry",
    "expiration",
    "length",
    "len",
    "format",
    "field",
    "column",
    "label",
    "hint",
    "status",
    "enabled",
    "disabled",
    "required",
    "set",
    "reset",
    "changed",
    "updated",
    "created",
    "at",
    "domain",
    "var",
    "algorithm",
    "alg",
    "index",
    "prefix",
    "suffix",
    "version",
    "region",
    "arn",
    "store",
    "class",
    "link",
    "page",
    "form",
    "regex",
    "pattern",
    "rotation",
    "budget",
    "used",
    "usage",
    "position",
    "fingerprint",
    "dir",
    "scope",
    "strength",
    "generator",
    "validator",
    "error",
    "errors",
    "mode",
    "kind",
    "location",
    "encoding",
    "digest",
    "checksum",
    "mask",
    "placeholder",
    "map",
    "list",
    "schema",
    "plugin",
];

const NEVER_FIRST: &[&str] = &[
    "public",
    "primary",
    "foreign",
    "sort",
    "cache",
    "max",
    "min",
    "num",
    "partition",
    "total",
    "unique",
    "is",
    "has",
    "no",
    "tokenizer",
    "exit",
    "status",
    "error",
    "zip",
    "country",
    "language",
    "currency",
    "postal",
    "http",
    "response",
];

const CONTAINERS: &[&str] = &[
    "credentials",
    "credential",
    "secrets",
    "passwords",
    "tokens",
    "auth",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_split_on_case_and_punctuation() {
        assert_eq!(
            split("AWS_SECRET_ACCESS_KEY"),
            ["aws", "secret", "access", "key"]
        );
        assert_eq!(split("cloudflareApiKey"), ["cloudflare", "api", "key"]);
        assert_eq!(split("X-APIKey"), ["x", "api", "key"]);
        assert_eq!(
            split("spring.datasource.password"),
            ["spring", "datasource", "password"]
        );
    }

    #[test]
    fn keys_are_judged_by_words() {
        for key in [
            "DB_PASSWORD",
            "userPwd",
            "smtp_pass",
            "client_secret",
            "privateKey",
            "пароль",
        ] {
            assert_eq!(classify(key), Sensitivity::Strong, "{key}");
        }
        for key in ["api_key", "VAULT_TOKEN", "jwtSecret", "Authorization"] {
            assert_eq!(classify(key), Sensitivity::Medium, "{key}");
        }
        for key in [
            "monkey",
            "public_key",
            "keyboard",
            "max_tokens",
            "password_policy",
            "token_ttl",
            "license",
            "secret_name",
            "primary_key",
            "tokenizer",
        ] {
            assert_eq!(classify(key), Sensitivity::None, "{key}");
        }
    }
}
