//! Values that a key gives away: assignments, JSON and YAML members, XML elements, flags, table
//! rows and name/value pairs.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::values::{self, Evidence, Value};
use crate::class::{self, Class};
use crate::gate::{Entry, Families};
use crate::key::{self, Sensitivity};
use crate::marker;
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value;

/// Longest key that is considered, in bytes.
const MAX_KEY: usize = 80;

/// Fragments that every key of the classifier contains.
const FRAGMENTS: &[&str] = &[
    "pass",
    "pw",
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
    "mot de pass",
    "parole",
    "adgangskode",
    "kodeord",
    "l\u{f6}senord",
    "passord",
    "salasana",
    "heslo",
    "jelsz",
    "\u{15f}ifre",
    "sifre",
    "lozinka",
    "geslo",
    "\u{3ba}\u{3c9}\u{3b4}\u{3b9}\u{3ba}",
    "\u{5e1}\u{5d9}\u{5e1}\u{5de}",
    "\u{627}\u{644}\u{645}\u{631}\u{648}\u{631}",
    "\u{627}\u{644}\u{633}\u{631}",
    "zugangsdaten",
    "anmeldedaten",
    "identifiants",
    "\u{92a}\u{93e}\u{938}\u{935}\u{930}\u{94d}\u{921}",
    "\u{9aa}\u{9be}\u{9b8}\u{993}\u{9df}\u{9be}\u{9b0}\u{9cd}\u{9a1}",
    "\u{e23}\u{e2b}\u{e31}\u{e2a}\u{e1c}\u{e48}\u{e32}\u{e19}",
    "\u{be44}\u{bc88}",
    "kh\u{1ea9}u",
    "sandi",
    "palavra",
    "totp",
    "hotp",
    // The heads of words whose capitals are beyond ASCII, and further languages.
    "\u{15e}ifre",
    "HAS\u{141}O",
    "L\u{d6}SENORD",
    "\u{41f}\u{410}\u{420}\u{41e}\u{41b}\u{42c}",
    "\u{430}\u{440}\u{43e}\u{43b}",
    "\u{43e}\u{437}\u{438}\u{43d}\u{43a}",
    "\u{3c9}\u{3b4}\u{3b9}\u{3ba}",
    "parool",
    "slapta",
    "lykilor",
    "contrasi",
    "pasahitz",
    "cyfrinair",
    "wagwoord",
    "nenosiri",
    "laluan",
    "secr\u{e8}te",
    "\u{10de}\u{10d0}\u{10e0}\u{10dd}\u{10da}",
    "\u{563}\u{561}\u{572}\u{57f}\u{576}\u{561}\u{562}\u{561}\u{57c}",
    "\u{6af}\u{630}\u{631}\u{648}",
    "\u{639}\u{628}\u{648}\u{631}",
    "\u{30d1}\u{30b9}\u{30d5}\u{30ec}\u{30fc}\u{30ba}",
    "\u{30d1}\u{30b9}\u{30b3}\u{30fc}\u{30c9}",
    "\u{6697}\u{8a3c}\u{756a}\u{53f7}",
];

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut key_end = 0;
    let base = spans.len();
    let mut rejected = Rejected::default();
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
        if sensitivity == Sensitivity::None || rejected.is_spent(key.start) {
            continue;
        }
        let Some(value) = values::after_key(text, &key, sensitivity) else {
            continue;
        };
        if holds_own_key(text, &value, sensitivity) || is_cookie_pair(text, &key, &value) {
            continue;
        }
        if let Some(former) = values::former(text, &key, &value)
            && accept(text, &key, &former, sensitivity)
        {
            let rule = rule_of(sensitivity, former.evidence);
            spans.push(Span::new(former.range, class::PASSWORD, Stage::KeyValue).by(rule));
        }
        if let Some(rule) = pin_rule(text, &key, &value) {
            spans.push(Span::new(value.range, class::PASSWORD, Stage::KeyValue).by(rule));
        } else if accept(text, &key, &value, sensitivity) {
            let class = class_of(&text[key], sensitivity);
            let rule = rule_of(sensitivity, value.evidence);
            let range = values::extended(text, &value);
            spans.push(Span::new(range, class, Stage::KeyValue).by(rule));
        } else {
            rejected.note(key.end, value.range.end);
        }
    }
}

/// Lists the key words that are too short for the gate, with the signs that follow them.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    ["pw:", "pw=", "pw\"", "pw'", "pw =", "pw ", "\u{15e}ifre"]
        .into_iter()
        .chain(["private_key_", "privateKeyHex", "secret_key_hex"])
        .map(|key| Entry::any_case(key, Families::KEY))
}

/// Lists the rules: one for each strength of a key and joint of its value.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let of_keys = RULES.iter().map(|(_, _, id)| Rule {
        id,
        class: class::PASSWORD,
        source: "the vocabulary of keys, and the syntaxes of the formats that join a value to them",
    });
    of_keys.chain(std::iter::once(Rule {
        id: PIN,
        class: class::PASSWORD,
        source: "ISO 9564-1, section 8.1",
    }))
}

const RULES: &[(Sensitivity, Evidence, &str)] = &[
    (
        Sensitivity::Strong,
        Evidence::Assigned,
        "key-strong-assigned",
    ),
    (
        Sensitivity::Strong,
        Evidence::Adjacent,
        "key-strong-adjacent",
    ),
    (Sensitivity::Strong, Evidence::Spoken, "key-strong-spoken"),
    (
        Sensitivity::Medium,
        Evidence::Assigned,
        "key-medium-assigned",
    ),
    (
        Sensitivity::Medium,
        Evidence::Adjacent,
        "key-medium-adjacent",
    ),
    (Sensitivity::Medium, Evidence::Spoken, "key-medium-spoken"),
    (Sensitivity::Weak, Evidence::Assigned, "key-weak-assigned"),
    (Sensitivity::Weak, Evidence::Adjacent, "key-weak-adjacent"),
    (Sensitivity::Weak, Evidence::Spoken, "key-weak-spoken"),
];

fn rule_of(sensitivity: Sensitivity, evidence: Evidence) -> &'static str {
    let row = RULES
        .iter()
        .find(|(of, by, _)| *of == sensitivity && *by == evidence);
    row.map_or(class::PASSWORD.as_str(), |(_, _, id)| id)
}

/// Keys that may be tried inside one value that was judged and kept.
const MAX_INSIDE: usize = 8;

/// The last value that was judged and kept. Keys inside it may have values of their own, but only
/// a few are tried, so that no text is judged again and again.
#[derive(Default)]
struct Rejected {
    until: usize,
    inside: usize,
}

impl Rejected {
    /// Notes a value that reaches up to `end`.
    fn note(&mut self, key_end: usize, end: usize) {
        if end > self.until {
            if key_end >= self.until {
                self.inside = 0;
            }
            self.until = end;
        }
    }

    /// Counts a key and tells whether it is one too many.
    fn is_spent(&mut self, key_start: usize) -> bool {
        if key_start >= self.until {
            return false;
        }
        self.inside += 1;
        self.inside > MAX_INSIDE
    }
}

/// Tells whether the value is the `name=value` of a cookie, which the rule of headers judges.
fn is_cookie_pair(text: &str, key: &Range<usize>, value: &Value) -> bool {
    let start = key.end.saturating_sub("cookie".len()).max(key.start);
    let header = text.as_bytes()[start..key.end].eq_ignore_ascii_case(b"cookie");
    let pair = || {
        text[value.range.clone()]
            .trim_end_matches('=')
            .contains('=')
    };
    header && text[key.end..].starts_with(':') && pair()
}

/// Tells whether a bare value begins with a key of its own and a sign, as in `auth: token=x`: then
/// that one's value is judged alone.
fn holds_own_key(text: &str, value: &Value, sensitivity: Sensitivity) -> bool {
    // A longer one is no assignment but a run, which is judged as a whole.
    let content = &text[value.range.clone()];
    if content.len() > 2 * MAX_KEY || value.quoted && !content.ends_with('=') {
        return false;
    }
    let of_key = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let length = content.bytes().take(MAX_KEY).take_while(of_key).count();
    content[length..].starts_with('=')
        && !content[length + 1..].starts_with('=')
        && key::classify(&content[..length]) >= sensitivity
}

fn gate() -> &'static AhoCorasick {
    static GATE: OnceLock<AhoCorasick> = OnceLock::new();
    GATE.get_or_init(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(FRAGMENTS)
            .expect("the list of fragments is small and fixed")
    })
}

/// Widens a hit to the whole key: letters, digits, `_`, `-` and inner full stops.
fn key_around(text: &str, start: usize, end: usize) -> Range<usize> {
    // Scripts without blanks glue particles to a word, so there the word itself is the key.
    if text[start..].starts_with(|c| matches!(c, '\u{900}'..='\u{e7f}' | '\u{3000}'..)) {
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
    let word = body.len() - body.trim_end_matches(char::is_alphanumeric).len();
    let before = &body[body.len() - word..];
    const QUALIFIERS: &[&str] = &[
        "api",
        "access",
        "private",
        "secret",
        "auth",
        "public",
        "primary",
        "de",
        "signing",
        "zip",
        "exit",
        "status",
        "error",
        "postal",
        "country",
        "seed",
        "recovery",
        "client",
        "app",
        "m\u{1ead}t",
        "kata",
        "palavra",
        "phrase",
        "\u{643}\u{644}\u{645}\u{629}",
        "\u{631}\u{645}\u{632}",
        "\u{627}\u{644}\u{631}\u{642}\u{645}",
        "verification",
        "login",
        "confirmation",
        "2fa",
        "mfa",
        "sms",
        "authentication",
        "door",
        "alarm",
        "gate",
        "safe",
        "pragma",
        "unlock",
        "gpio",
        "cache",
        "restore",
        "from",
        "idempotency",
        "routing",
        "partition",
    ];
    let lowered = || before.chars().flat_map(char::to_lowercase);
    let same = |word: &&str| {
        word.eq_ignore_ascii_case(before) || !before.is_ascii() && lowered().eq(word.chars())
    };
    if !before.is_empty() && QUALIFIERS.iter().any(same) {
        &text[key.start - 1 - word..key.end]
    } else {
        &text[key.clone()]
    }
}

/// Rule of the digits that open an account: a PIN, or a code that was sent.
const PIN: &str = "key-pin-digits";

/// Names the rule of digits whose key says that they are a PIN or a code that was sent to
/// somebody (ISO 9564-1, section 8.1: 4 to 12 digits).
fn pin_rule(text: &str, key: &Range<usize>, found: &Value) -> Option<&'static str> {
    let content = text[found.range.clone()].trim_end_matches(['.', ',', ';', '!']);
    let digits = (4..=12).contains(&content.len()) && content.bytes().all(|b| b.is_ascii_digit());
    let joined = found.evidence != Evidence::Adjacent;
    (digits && joined && key::is_pin(phrase(text, key))).then_some(PIN)
}

fn accept(text: &str, key: &Range<usize>, found: &Value, sensitivity: Sensitivity) -> bool {
    let content = &text[found.range.clone()];
    if found.evidence == Evidence::Assigned && is_short_pass(text, key, content) {
        return value::is_secret(content, Sensitivity::Strong, found.quoted);
    }
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
            if value::is_phrase(content) {
                return value::is_secret(content, sensitivity, found.quoted);
            }
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

/// Tells whether `pass`, in small letters and with a sign, has a value that is no word: then it is
/// no verb.
fn is_short_pass(text: &str, key: &Range<usize>, content: &str) -> bool {
    let name = &text[key.clone()];
    matches!(name, "pass" | "pw" | "Pass")
        && value::is_dense(content)
        && !content.contains(['/', '('])
}

fn class_of(key: &str, sensitivity: Sensitivity) -> Class {
    let ends = |tails: &[&str]| {
        tails.iter().any(|tail| {
            let start = key.len().saturating_sub(tail.len());
            key.as_bytes()[start..].eq_ignore_ascii_case(tail.as_bytes())
        })
    };
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
