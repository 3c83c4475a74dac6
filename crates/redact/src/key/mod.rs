//! Judges by a key's words how secret its value is.

mod table;
mod vocabulary;
mod words;

use table::{Pair, Roles, exact_roles, roles};
pub(crate) use table::{ends_in_key, joined, triggers};
use words::words;

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

/// Most words of a key that are looked at; a longer one is no key.
const MAX_WORDS: usize = 16;

/// Judges a key by its words, never by substrings: `monkey` is no key.
pub(crate) fn classify(key: &str) -> Sensitivity {
    let mut words = words(key).take(MAX_WORDS).map(roles);
    let Some(first) = words.next() else {
        return Sensitivity::None;
    };
    let key = words.fold(Words::of(first), Words::then);
    key.judge()
}

/// Judges what the last word of a key says together with the one before, at the most: what stands
/// before these or after them may say less.
pub(crate) fn ending(before: &str, last: &str) -> Sensitivity {
    let before = last_word(before).unwrap_or("");
    let (first, second) = (roles(before), roles(last));
    let joined = !before.is_empty();
    if first.is_before(second, Pair::Strong)
        || second.has(Roles::PASS) && joined
        || is_digits(before, last)
    {
        Sensitivity::Strong
    } else if first.is_before(second, Pair::Medium) || second.has(Roles::MEDIUM_LAST) && joined {
        Sensitivity::Medium
    } else {
        Sensitivity::None
    }
}

/// What is known about the words of a key.
struct Words {
    first: Roles,
    before: Roles,
    last: Roles,
    /// Roles that any of them has.
    any: u8,
    /// Kinds of pairs that any two neighbours form.
    strong_pair: bool,
    medium_pair: bool,
    single: bool,
}

impl Words {
    fn of(first: Roles) -> Self {
        Self {
            first,
            before: first,
            last: first,
            any: first.flags(),
            strong_pair: false,
            medium_pair: false,
            single: true,
        }
    }

    fn then(self, next: Roles) -> Self {
        Self {
            before: self.last,
            last: next,
            any: self.any | next.flags(),
            strong_pair: self.strong_pair || self.last.is_before(next, Pair::Strong),
            medium_pair: self.medium_pair || self.last.is_before(next, Pair::Medium),
            single: false,
            ..self
        }
    }

    fn judge(&self) -> Sensitivity {
        let (first, before, last) = (self.first, self.before, self.last);
        let never_first = first.has(Roles::NEVER_FIRST) && !last.has(Roles::STRONG);
        let never = never_first || before.is_before(last, Pair::Never);
        if last.has(Roles::NEVER_LAST) || !self.single && never {
            return Sensitivity::None;
        }
        // `adminPasswordKey` may name the entry of a store that holds the password.
        let kept_under = !self.single
            && last.has(Roles::WEAK_LAST)
            && !last.has(Roles::MEDIUM_LAST)
            && before.has(Roles::STRONG);
        if kept_under && !self.strong_pair {
            return Sensitivity::Medium;
        }
        let strong = self.any & Roles::STRONG != 0 || self.strong_pair;
        if strong || last.has(Roles::PASS) && !self.single {
            return Sensitivity::Strong;
        }
        if last.has(Roles::PASS | Roles::MEDIUM_LAST) || self.medium_pair {
            return Sensitivity::Medium;
        }
        if last.has(Roles::WEAK_LAST) {
            Sensitivity::Weak
        } else {
            Sensitivity::None
        }
    }
}

/// Tells whether this one word, as it stands, names a secret that any value under it is.
pub(crate) fn is_keyword(word: &str) -> bool {
    exact_roles(word).has(Roles::STRONG | Roles::PASS)
}

/// Tells whether the text holds a keyword of a script that glues particles to words, or writes no
/// blanks between them.
pub(crate) fn holds_wide_keyword(text: &str) -> bool {
    !text.is_ascii()
        && vocabulary::STRONG
            .iter()
            .any(|word| word.starts_with(|c: char| c >= '\u{3000}') && text.contains(word))
}

/// Words whose values are a few digits.
const PINS: &[&str] = &["pin", "otp", "totp", "passcode"];

/// Tells whether the key asks for the few digits of a PIN, or of a code that was sent.
pub(crate) fn is_pin(key: &str) -> bool {
    let [before, last] = last_two(key);
    is_digits(before, last)
}

fn is_digits(before: &str, last: &str) -> bool {
    is_any(PINS, last) && !is_any(NO_PIN, before) || is_any(&["code"], last) && is_any(SENT, before)
}

/// Words before `pin` that make it a pin of a chip.
const NO_PIN: &[&str] = &[
    "gpio", "led", "data", "rx", "tx", "clk", "io", "cs", "dc", "num", "scl", "sda",
];
/// Words before `code` that make it one that was sent to somebody.
const SENT: &[&str] = &[
    "verification",
    "login",
    "confirmation",
    "2fa",
    "mfa",
    "otp",
    "auth",
    "authentication",
    "unlock",
    "door",
    "alarm",
    "gate",
    "safe",
    "sms",
    "factor",
];

/// Returns the last word of a key.
pub(crate) fn last_word(key: &str) -> Option<&str> {
    words(key).last()
}

/// Tells whether the key announces a container of secrets, whose children inherit it.
pub(crate) fn is_container(key: &str) -> bool {
    let [before, last] = last_two(key);
    let codes = ["codes", "keys"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(last));
    roles(last).has(Roles::CONTAINER) || codes && is_any(RESERVE, before)
}

/// Words before `codes` that make them the reserve of a second factor.
const RESERVE: &[&str] = &["backup", "recovery", "scratch", "rescue", "emergency"];

/// Returns the last two words of a key; the first is empty if there is but one.
fn last_two(key: &str) -> [&str; 2] {
    words(key)
        .take(MAX_WORDS)
        .fold(["", ""], |[_, before], word| [before, word])
}

fn is_any(list: &[&str], word: &str) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_variables_announce_secrets() {
        use crate::Redactor;
        for name in [
            "DB_PASSWORD",
            "apiKey",
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
        ] {
            assert!(Redactor::is_sensitive_key(name), "{name}");
        }
        for name in [
            "PATH",
            "MAX_TOKENS",
            "PASSWORD_FILE",
            "SESSION",
            "SSH_AUTH_SOCK",
            "",
        ] {
            assert!(!Redactor::is_sensitive_key(name), "{name}");
        }
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
