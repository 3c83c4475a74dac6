//! Password hashes in the modular crypt format.

use crate::class::HASH;
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Prefixes of the modular crypt format (crypt(5)) with the names of their rules.
const HASHES: &[(&str, &str)] = &[
    ("$2a$", "crypt-bcrypt-a"),
    ("$2b$", "crypt-bcrypt-b"),
    ("$2y$", "crypt-bcrypt-y"),
    ("$2x$", "crypt-bcrypt-x"),
    ("$5$", "crypt-sha256"),
    ("$6$", "crypt-sha512"),
    ("$1$", "crypt-md5"),
    ("$apr1$", "crypt-apr1"),
    ("$argon2", "crypt-argon2"),
    ("$y$", "crypt-yescrypt"),
    ("$gy$", "crypt-gost-yescrypt"),
    ("$7$", "crypt-scrypt"),
    ("$scrypt$", "crypt-scrypt-named"),
    ("$pbkdf2", "crypt-pbkdf2"),
];

/// Longest hash in bytes.
const MAX_HASH: usize = 512;

/// Tells whether a password hash starts here.
pub(crate) fn starts_hash(rest: &[u8]) -> bool {
    head(rest).is_some()
}

fn head(rest: &[u8]) -> Option<&'static str> {
    let row = HASHES
        .iter()
        .find(|(head, _)| rest.starts_with(head.as_bytes()))?;
    Some(row.1)
}

/// Masks several `$`-separated parts of the alphabet of hashes.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for start in memchr::memchr_iter(b'$', bytes) {
        if start < done {
            continue;
        }
        let Some(rule) = head(&bytes[start..]) else {
            continue;
        };
        let of_hash = |b: u8| {
            b.is_ascii_alphanumeric()
                || matches!(b, b'$' | b'.' | b'/' | b'+' | b'=' | b',' | b'-' | b'_')
        };
        let end = super::super::bytes::run_end(bytes, start, MAX_HASH, of_hash);
        done = end;
        let hash = &text[start..end];
        let last = hash.rsplit('$').next().unwrap_or("");
        if hash.len() >= 28 && last.len() >= 16 && hash.matches('$').count() >= 3 {
            spans.push(Span::new(start..end, HASH, Stage::Cli).by(rule));
        }
    }
}

/// Lists the rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    HASHES.iter().map(|(_, id)| Rule {
        id,
        class: HASH,
        source: "crypt(5) of libxcrypt; the PHC string format",
    })
}
