//! Secrets that only the shape of their line gives away: `.pgpass` entries and keys written as
//! lists of bytes.

use std::ops::Range;

use memchr::memmem;

use crate::class::{PASSWORD, WALLET};
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value::stands_for_another;

/// Longest line that is considered, in bytes.
const MAX_LINE: usize = 512;

const PGPASS: &str = "pgpass-entry";
const BYTES: &str = "solana-key-pair-bytes";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: PGPASS,
        class: PASSWORD,
        source: "PostgreSQL documentation, the password file",
    },
    Rule {
        id: BYTES,
        class: WALLET,
        source: "Solana documentation, file system wallets",
    },
];

/// Lists the ports of password files.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    ["5432:", "5433:", "6432:"]
        .into_iter()
        .map(|word| Entry::any_case(word, Families::LINES))
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for port in [":5432:", ":5433:", ":6432:", ":*:"] {
        let mut done = 0;
        for at in memmem::find_iter(text.as_bytes(), port) {
            if at >= done {
                done = pgpass(text, at, at + port.len(), spans);
            }
        }
    }
    let mask = |list| Span::new(list, WALLET, Stage::KeyValue).by(BYTES);
    spans.extend(byte_lists(text).map(mask));
}

/// Finds the insides of lists of exactly 64 bytes, the form of a Solana key pair file (Solana
/// command line documentation, file system wallets).
pub(crate) fn byte_lists(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    memchr::memchr_iter(b'[', text.as_bytes()).filter_map(move |open| {
        let limit = text.floor_char_boundary((open + MAX_LINE).min(text.len()));
        let body = &text[open + 1..limit];
        let close = body
            .find([']', '['])
            .filter(|at| body[*at..].starts_with(']'))?;
        let items = body[..close]
            .split(',')
            .map(|item| item.trim().parse::<u8>().ok());
        let bytes: Vec<u8> = items.collect::<Option<_>>()?;
        is_key_pair(&bytes).then_some(open + 1..open + 1 + close)
    })
}

/// Tells whether the bytes have the length of a key pair and the variety of random ones.
pub(crate) fn is_key_pair(bytes: &[u8]) -> bool {
    let mut seen = [false; 256];
    bytes
        .iter()
        .for_each(|byte| seen[usize::from(*byte)] = true);
    bytes.len() == 64 && seen.iter().filter(|seen| **seen).count() >= 32
}

/// Masks the last field of `host:port:database:user:password` and returns where the entry ends.
fn pgpass(text: &str, port: usize, after: usize, spans: &mut Vec<Span>) -> usize {
    let floor = text.floor_char_boundary(port.saturating_sub(128));
    let host = text[floor..port]
        .rsplit([' ', '\n', '"', '\'', '='])
        .next()
        .unwrap_or("");
    let limit = text.floor_char_boundary((after + MAX_LINE).min(text.len()));
    let rest = &text[after..limit];
    let line = &rest[..rest
        .find(|c: char| c.is_whitespace() || c == '"')
        .unwrap_or(rest.len())];
    let mut fields = line.splitn(3, ':');
    let (Some(database), Some(user), Some(secret)) = (fields.next(), fields.next(), fields.next())
    else {
        return after + line.len();
    };
    let plain = |field: &str| !field.is_empty() && !field.contains(['/', '@']);
    let ok = !host.contains('/') && plain(database) && plain(user) && secret.len() >= 4;
    if ok && !stands_for_another(secret, true) {
        let end = after + line.len();
        let range = end - secret.len()..end;
        spans.push(Span::new(range, PASSWORD, Stage::KeyValue).by(PGPASS));
    }
    after + line.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn entries_of_password_files() {
        assert_eq!(masked("db.example.com:5432:app:svc:gr4nite"), ["gr4nite"]);
    }

    #[test]
    fn only_lists_of_64_bytes_are_keys() {
        let list = |n: u8| {
            let items: Vec<String> = (0..n).map(|i| i.wrapping_mul(37).to_string()).collect();
            items.join(", ")
        };
        assert_eq!(masked(&format!("[{}]", list(64))), [list(64).as_str()]);
        assert_eq!(masked(&format!("[{}]", list(63))), Vec::<&str>::new());
        assert_eq!(
            masked(&format!("[{}]", vec!["7"; 64].join(","))),
            Vec::<&str>::new()
        );
    }

    #[test]
    fn ports_and_prose_stay() {
        for text in ["listen 0.0.0.0:5432: in use", "http://h:5432:a:b:c1234/x"] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
