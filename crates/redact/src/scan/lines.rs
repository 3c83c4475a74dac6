//! Secrets that only the shape of their line gives away: `.pgpass` entries and keys written as
//! lists of bytes.

use std::ops::Range;

use super::bytes::Needle;
use crate::class::{COOKIE, HASH, PASSWORD, WALLET};
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value::{is_dense, looks_random, stands_for_another};

/// Longest line that is considered, in bytes.
const MAX_LINE: usize = 512;

const PGPASS: &str = "pgpass-entry";
const CHAP_SECRETS: &str = "chap-secrets-entry";
const SASL_PASSWD: &str = "postfix-sasl-entry";
const PWDUMP: &str = "windows-pwdump-entry";
const NETNTLM: &str = "windows-net-ntlm-entry";
/// Ports of databases and their poolers, in the second field of an entry.
const PORTS: &[&str] = &[":5432:", ":5433:", ":6432:"];
/// Servers in the second field of an entry of `chap-secrets`.
const CHAP: &[&str] = &["pptpd ", "l2tpd ", "xl2tpd ", "pppd "];
/// The hash of the empty password (MS-NLMP, 3.3.1), and the head of a client's challenge (2.2.2.7).
const HASH_HEADS: &[&str] = &["aad3b435b51404ee", "0101000000000000"];
/// What the first field of a table of relays begins or ends with.
const RELAYS: &[&str] = &["[smtp", "smtp.", "[relay", "[mail", "587 ", "465 "];
const COOKIE_JAR: &str = "netscape-cookie-file";
/// The second and third fields of a line of a cookie file.
const JAR_FIELDS: &[&str] = &["TRUE\t/", "FALSE\t/"];
const LOGIN: &str = "login-pair";
const BYTES: &str = "solana-key-pair-bytes";

/// Lists the rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: PGPASS,
        class: PASSWORD,
        source: "PostgreSQL documentation, the password file",
    },
    Rule {
        id: CHAP_SECRETS,
        class: PASSWORD,
        source: "pppd(8), authentication, the secrets file",
    },
    Rule {
        id: SASL_PASSWD,
        class: PASSWORD,
        source: "Postfix SASL Howto, client-side SASL authentication",
    },
    Rule {
        id: PWDUMP,
        class: HASH,
        source: "Samba, smbpasswd(5); Impacket, secretsdump",
    },
    Rule {
        id: NETNTLM,
        class: HASH,
        source: "MS-NLMP, section 3.3.2; hashcat, example hashes 5600",
    },
    Rule {
        id: COOKIE_JAR,
        class: COOKIE,
        source: "curl documentation, HTTP cookies, the cookie file format",
    },
    Rule {
        id: LOGIN,
        class: PASSWORD,
        source: "notes that write an account as name and secret with a stroke between them",
    },
    Rule {
        id: BYTES,
        class: WALLET,
        source: "Solana documentation, file system wallets",
    },
];

/// Lists the ports of password files.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    PORTS
        .iter()
        .map(|port| &port[1..])
        .chain(CHAP.iter().copied())
        .chain(RELAYS.iter().copied())
        .chain(HASH_HEADS.iter().copied())
        .chain(JAR_FIELDS.iter().copied())
        .chain(["login "])
        .map(|word| Entry::any_case(word, Families::LINES))
}

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    hashes(text, spans);
    static FINDERS: [Needle; 4] = [
        Needle::new(PORTS[0]),
        Needle::new(PORTS[1]),
        Needle::new(PORTS[2]),
        Needle::new(":*:"),
    ];
    for port in &FINDERS {
        let mut done = 0;
        for at in port.find_iter(text.as_bytes()) {
            if at >= done {
                done = pgpass(text, at, at + port.len(), spans);
            }
        }
    }
    for line in text.lines() {
        let at = line.as_ptr().addr() - text.as_ptr().addr();
        let masked = chap(line).map(|range| (range, CHAP_SECRETS));
        let masked = masked
            .or_else(|| relay(line).map(|range| (range, SASL_PASSWD)))
            .or_else(|| login(line).map(|range| (range, LOGIN)));
        if let Some((range, rule)) = masked {
            let range = at + range.start..at + range.end;
            spans.push(Span::new(range, PASSWORD, Stage::KeyValue).by(rule));
        }
        if let Some(range) = jar(line) {
            let range = at + range.start..at + range.end;
            spans.push(Span::new(range, COOKIE, Stage::KeyValue).by(COOKIE_JAR));
        }
    }
    let mask = |list| Span::new(list, WALLET, Stage::KeyValue).by(BYTES);
    spans.extend(byte_lists(text).map(mask));
}

/// Finds the secret in `client server secret addresses`.
fn chap(line: &str) -> Option<Range<usize>> {
    let mut fields = line.split_ascii_whitespace();
    let (_, server) = (fields.next()?, fields.next()?);
    let secret = fields.next()?;
    let addresses = fields.next();
    let known = CHAP.iter().any(|name| name.trim_end() == server);
    let place = |field: &str| {
        field == "*"
            || field
                .bytes()
                .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'/'))
    };
    let bare = secret.trim_matches('"');
    let ok = known && addresses.is_none_or(place) && is_dense(bare);
    ok.then(|| offset_of(bare, line))
}

/// Finds the secret in `login name / secret`, where it looks like no word.
fn login(line: &str) -> Option<Range<usize>> {
    static SIGN: Needle = Needle::new(" / ");
    let at = SIGN.find_iter(line.as_bytes()).next()?;
    let name = line[..at].rsplit(' ').next()?;
    let head = line[..at - name.len()].trim_end();
    let start = head.len().saturating_sub("login".len());
    let named = head.as_bytes()[start..].eq_ignore_ascii_case(b"login") && !name.is_empty();
    let rest = &line[at + SIGN.len()..];
    let secret = rest.split([' ', '"', '\'', ')']).next()?;
    let secret = secret.trim_end_matches(['.', ',', ';']);
    let telling = looks_random(secret, 10) && is_dense(secret) && !secret.contains(['/', ':', '=']);
    (named && telling).then(|| offset_of(secret, line))
}

/// Finds the value in the seven fields of a cookie, divided by tabs: domain, whether its
/// sub-domains count, path, whether TLS is needed, expiry, name and value.
fn jar(line: &str) -> Option<Range<usize>> {
    let mut fields = line.split('\t');
    let flag = |field: Option<&str>| matches!(field, Some("TRUE" | "FALSE"));
    let (_, subdomains, path) = (fields.next()?, fields.next(), fields.next()?);
    let (secure, expiry, _) = (fields.next(), fields.next()?, fields.next()?);
    let value = fields.next()?.trim_end();
    let formed = flag(subdomains)
        && flag(secure)
        && path.starts_with('/')
        && expiry.bytes().all(|b| b.is_ascii_digit())
        && fields.next().is_none();
    (formed && looks_random(value, 16)).then(|| offset_of(value, line))
}

/// Finds the secret in `[host]:port user:secret`.
fn relay(line: &str) -> Option<Range<usize>> {
    let mut fields = line.split_ascii_whitespace();
    let (host, login) = (fields.next()?, fields.next()?);
    let ported = [":587", ":465", ":25"]
        .iter()
        .any(|port| host.ends_with(port));
    let relayed =
        ported || host.starts_with('[') && host.ends_with(']') || host.starts_with("smtp.");
    let (user, secret) = login.split_once(':')?;
    let ok = relayed
        && fields.next().is_none()
        && !user.is_empty()
        && !secret.starts_with('/')
        && (is_dense(secret) || looks_random(secret, 8))
        && !stands_for_another(secret, true);
    ok.then(|| offset_of(secret, line))
}

fn offset_of(part: &str, line: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - line.as_ptr().addr();
    start..start + part.len()
}

/// Masks the hashes of accounts of Windows: `user:id:lm:nt:::` and
/// `user::domain:challenge:proof:blob`.
fn hashes(text: &str, spans: &mut Vec<Span>) {
    static SIGN: Needle = Needle::new("::");
    let bytes = text.as_bytes();
    let hex = |range: Range<usize>| {
        bytes
            .get(range)
            .is_some_and(|part| part.iter().all(u8::is_ascii_hexdigit))
    };
    let mut done = 0;
    for at in SIGN.find_iter(bytes) {
        if at < done {
            continue;
        }
        let before = at.checked_sub(66).is_some_and(|start| {
            bytes[start] == b':'
                && hex(start + 1..start + 33)
                && bytes[start + 33] == b':'
                && hex(start + 34..at)
        });
        if before {
            spans.push(Span::new(at - 65..at, HASH, Stage::Structure).by(PWDUMP));
            continue;
        }
        let domain = bytes[at + 2..].iter().take(16);
        let domain = domain
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
            .count();
        let start = at + 2 + domain;
        let fields = [start, start + 17, start + 50];
        let signs = fields.iter().all(|sign| bytes.get(*sign) == Some(&b':'));
        if signs && hex(start + 1..start + 17) && hex(start + 18..start + 50) {
            let end = super::bytes::run_end(bytes, start + 51, 4096, |b| b.is_ascii_hexdigit());
            spans.push(Span::new(start + 1..end, HASH, Stage::Structure).by(NETNTLM));
            done = end;
        }
    }
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
        let mut bytes = [0; 64];
        let mut count = 0;
        for item in body[..close].split(',') {
            *bytes.get_mut(count)? = item.trim().parse().ok()?;
            count += 1;
        }
        is_key_pair(&bytes[..count]).then_some(open + 1..open + 1 + close)
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
    fn entries_of_mail_and_dial_in() {
        assert_eq!(masked("bo pptpd falcon28 10.0.0.8\n"), ["falcon28"]);
        assert_eq!(masked("[smtp.x.com]:587 a@x.com:falcon28"), ["falcon28"]);
        for text in ["the pptpd service4 stopped", "smtp.x.com 250-AUTH:LOGIN"] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn hashes_of_windows() {
        // The hashes of the empty password (MS-NLMP, 3.3.1).
        let dump = "aad3b435b51404eeaad3b435b51404ee:31d6cfe0d16ae931b73c59d7e0c089c0";
        assert_eq!(masked(&format!("ann:500:{dump}:::")), [dump]);
        let (challenge, proof) = ("0123456789abcdef", "ab".repeat(16));
        let answer = format!("{challenge}:{proof}:0101000000000000");
        assert_eq!(masked(&format!("ann::CORP:{answer}")), [answer.as_str()]);
        assert_eq!(masked("std::fmt::Display"), Vec::<&str>::new());
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
