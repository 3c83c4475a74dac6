//! What a marker may tell beside the class: nothing, the end of the value, or a keyed fingerprint.

use std::fmt::{self, Write};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::class::{CARD, Class};
use crate::span::{Span, Stage};

/// Tells what markers show beside the class. The default is nothing.
///
/// Markers of passwords, security codes and identity numbers never show a tail.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum MarkerDetail {
    /// `[REDACTED:class]`.
    #[default]
    None,
    /// `[REDACTED:class:aB3d]`: the last four letters or digits of a vendor's token of at least
    /// 20 bytes, or of a card number, by which a person recognises it.
    ///
    /// Two tokens of one kind then give two markers, so text that stands for an action's identity
    /// must not have them.
    Tail,
    /// `[REDACTED:class:~0a1b2c3d]`: the first four bytes of HMAC-SHA256 (RFC 2104, FIPS 180-4)
    /// over the value under this key, by which two occurrences can be compared as long as the key
    /// exists, and by nobody without it.
    Fingerprint([u8; 32]),
}

/// Shortest vendor's token whose tail may be shown, in bytes.
const MIN_TOKEN: usize = 20;

impl MarkerDetail {
    /// Returns what the marker of a finding shows.
    pub(crate) fn of(self, span: &Span, value: &str) -> Option<String> {
        let vendor = span.stage == Stage::Vendor && value.len() >= MIN_TOKEN;
        self.of_value(span.class, value, vendor)
    }

    /// Returns what the marker of a value shows that its place makes secret.
    pub(crate) fn of_value(self, class: Class, value: &str, is_token: bool) -> Option<String> {
        match self {
            Self::Tail if is_token || class == CARD => tail(value),
            Self::None | Self::Tail => None,
            Self::Fingerprint(key) => fingerprint(&key, value),
        }
    }
}

impl fmt::Debug for MarkerDetail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Tail => "Tail",
            Self::Fingerprint(_) => "Fingerprint(..)",
        })
    }
}

fn tail(value: &str) -> Option<String> {
    let last: Vec<char> = value
        .chars()
        .rev()
        .filter(char::is_ascii_alphanumeric)
        .take(4)
        .collect();
    (last.len() == 4).then(|| last.into_iter().rev().collect())
}

fn fingerprint(key: &[u8; 32], value: &str) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(value.as_bytes());
    let code = mac.finalize().into_bytes();
    let mut text = String::from("~");
    for b in &code[..4] {
        write!(text, "{b:02x}").ok()?;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Redactor;

    #[test]
    fn tails_are_shown_for_tokens_and_cards_only() {
        let redactor = Redactor::new().with_marker_detail(MarkerDetail::Tail);
        let token = format!("ghp_{}Zq8x", "a1B2".repeat(8));
        let text = format!("password=gr4nite-b1shop {token} 4111 1111 1111 1111");
        let once = redactor.redact(&text).text.into_owned();
        assert_eq!(
            once,
            "password=[REDACTED:password_assignment] [REDACTED:github_token:Zq8x] \
             [REDACTED:credit_card:1111]"
        );
        assert_eq!(redactor.redact(&once).text, once);
        assert_eq!(Redactor::new().redact(&once).text, once);
    }

    #[test]
    fn fingerprints_compare_values_under_one_key() {
        let with =
            |key: [u8; 32]| Redactor::new().with_marker_detail(MarkerDetail::Fingerprint(key));
        let marker = |redactor: &Redactor, secret: &str| {
            let text = format!("password={secret}");
            redactor.redact(&text).text["password=".len()..].to_owned()
        };
        let (one, other) = (with([1; 32]), with([2; 32]));
        let first = marker(&one, "gr4nite-b1shop");
        assert_eq!(
            first.len(),
            "[REDACTED:password_assignment:~00000000]".len()
        );
        assert_eq!(marker(&one, "gr4nite-b1shop"), first);
        assert_ne!(marker(&one, "gr4nite-b2shop"), first);
        assert_ne!(marker(&other, "gr4nite-b1shop"), first);
        let value = serde_json::json!({"password": "gr4nite-b1shop"});
        assert_eq!(one.redact_value(&value).0["password"], first);
        assert!(!format!("{one:?}").contains('1'));
    }
}
