//! What only the whole of a JSON document shows: values that need the label of their member, and
//! lists below a heading.

use super::{chain_key, jwk, national, payment, phrase, private_key, recovery};
use crate::gate::Families;
use crate::span::{Show, Span, Stage};

/// Finds values of a document that are secret because of what stands before them; what a string
/// shows by itself is not looked for here.
pub(crate) fn find(source: &str, families: Families) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut ask = |family: Families, find: fn(&str, &mut Vec<Span>)| {
        if families.has(family) {
            find(source, &mut spans);
        }
    };
    ask(Families::ARMOUR, jwk::find);
    ask(Families::ARMOUR, private_key::find);
    ask(Families::NUMBER, national::labelled);
    ask(Families::NUMBER, payment::security_codes);
    ask(Families::RECOVERY, recovery::find);
    ask(Families::PHRASE, phrase::find);
    ask(Families::PHRASE, chain_key::find);
    spans.sort_by_key(|span| span.range.start);
    let mut strings = Strings::default();
    spans
        .into_iter()
        .filter_map(|span| whole(source.as_bytes(), span, &mut strings))
        .collect()
}

/// Keeps a finding that is all of a string or number, or runs from one string's start to another's
/// end, so that the document stays valid.
fn whole(bytes: &[u8], span: Span, strings: &mut Strings) -> Option<Span> {
    let start = span.range.start;
    let in_string = strings.is_open_at(bytes, start);
    let before = start.checked_sub(1).map(|at| bytes[at]);
    let after = bytes.get(span.range.end).copied();
    if in_string {
        let all = before == Some(b'"') && after == Some(b'"') && !bytes[..start].ends_with(b"\\\"");
        return all.then_some(span);
    }
    let digits = bytes[span.range.clone()].iter().all(u8::is_ascii_digit);
    let head = bytes[..start].trim_ascii_end();
    let tail = bytes[span.range.end..].trim_ascii_start();
    let begins = matches!(head.last(), Some(b':' | b'[' | b','));
    let ends = matches!(tail.first(), Some(b'}' | b']' | b','));
    (digits && begins && ends).then(|| span.shown(Show::Quoted))
}

/// Follows where strings open and close, from finding to finding.
#[derive(Default)]
struct Strings {
    at: usize,
    open: bool,
}

impl Strings {
    /// Tells whether a string is open at this offset, which is not before the last one asked for.
    fn is_open_at(&mut self, bytes: &[u8], offset: usize) -> bool {
        while self.at < offset
            && let Some(next) = memchr::memchr2(b'"', b'\\', &bytes[self.at..offset])
        {
            let sign = self.at + next;
            if bytes[sign] == b'"' {
                self.open = !self.open;
                self.at = sign + 1;
            } else {
                self.at = sign + 2;
            }
        }
        self.at = self.at.max(offset);
        self.open
    }
}

/// Tells whether a finding in the value of this member only looks random, and the name says that it
/// is public.
pub(crate) fn is_public(key: &str, span: &Span) -> bool {
    // Members of JSON Web Keys (RFC 7517 and RFC 7518).
    const EXACT: &[&str] = &["n", "x", "y", "e", "x5c", "x5t", "x5t#S256", "kid"];
    let holds = |word: &str| {
        let bytes = key.as_bytes();
        bytes
            .windows(word.len())
            .any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    let named = EXACT.contains(&key)
        || [
            "public",
            "pubkey",
            "digest",
            "hash",
            "checksum",
            "integrity",
            "fingerprint",
            "etag",
            "thumbprint",
            "certificate",
        ]
        .into_iter()
        .any(holds);
    named && span.stage == Stage::Fallback
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate;

    fn masked(source: &str) -> Vec<(&str, bool)> {
        find(source, gate::families(source))
            .into_iter()
            .map(|span| (&source[span.range], span.show == Show::Quoted))
            .collect()
    }

    #[test]
    fn members_give_their_values_a_label() {
        assert_eq!(masked(r#"{"nino":"CE766502D"}"#), [("CE766502D", false)]);
        assert_eq!(masked(r#"{"card":{"cvc": 615}}"#), [("615", true)]);
        assert_eq!(
            masked(r#"{"cpf": 11144477735, "a":1}"#),
            [("11144477735", true)]
        );
        assert_eq!(
            masked(r#"{"recovery_codes": ["4vrvc-cmlsw", "a0zba-p7tic"]}"#),
            [("4vrvc-cmlsw", false), ("a0zba-p7tic", false)]
        );
        assert_eq!(masked(r#"{"note":"the cvc: 615, thanks"}"#), []);
    }

    #[test]
    fn public_members_keep_what_only_looks_random() {
        let random = Span::new(0..43, crate::class::ENTROPY, Stage::Fallback);
        let token = Span::new(0..43, crate::class::WALLET, Stage::Vendor);
        assert!(is_public("publicKey", &random) && is_public("n", &random));
        assert!(!is_public("publicKey", &token) && !is_public("name", &random));
    }
}
