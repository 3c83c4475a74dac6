//! Addresses whose own signs are percent-encoded or escaped, inside another address or a string.

use super::push;
use crate::class::URL_CREDENTIALS;
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::scan::bytes::{Needle, run_end};
use crate::span::Span;

/// Longest user information that is looked at, in bytes.
const MAX_AUTHORITY: usize = 512;

macro_rules! schemes {
    ($($scheme:literal)*) => {
        &[$(concat!($scheme, "%3A%2F%2F"), concat!($scheme, ":\\/\\/"),)*]
    };
}

/// Schemes whose addresses hold user information, before the signs in either writing.
const STARTS: &[&str] = schemes!(
    "http" "https" "ftp" "ftps" "sftp" "ssh" "postgres" "postgresql" "mysql" "mariadb" "mongodb"
    "mongodb+srv" "redis" "rediss" "amqp" "amqps" "mqtt" "mqtts" "smtp" "smtps" "imap" "imaps"
    "ldap" "ldaps" "mssql" "sqlserver" "clickhouse" "nats" "kafka" "git" "socks5" "rtsp"
);

/// Lists the literals that such addresses begin with.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    STARTS
        .iter()
        .map(|start| Entry::any_case(start, Families::URL))
}

/// Lists the rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    [
        ("url-percent-encoded", "RFC 3986, section 2.1"),
        ("url-escaped-slashes", "RFC 8259, section 7"),
    ]
    .into_iter()
    .map(|(id, source)| Rule {
        id,
        class: URL_CREDENTIALS,
        source,
    })
}

/// Masks the password between the encoded colon and the last encoded at sign.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    static UPPER: Needle = Needle::new("%3A%2F%2F");
    static LOWER: Needle = Needle::new("%3a%2f%2f");
    static ESCAPED: Needle = Needle::new(":\\/\\/");
    for sign in [&UPPER, &LOWER] {
        let mut done = 0;
        for at in sign.find_iter(text.as_bytes()) {
            if at >= done {
                done = percent(text, at + sign.len(), spans);
            }
        }
    }
    for at in ESCAPED.find_iter(text.as_bytes()) {
        escaped(text, at + ESCAPED.len(), spans);
    }
}

fn percent(text: &str, from: usize, spans: &mut Vec<Span>) -> usize {
    let of_address = |b: u8| {
        b.is_ascii_alphanumeric()
            || matches!(b, b'%' | b'.' | b'_' | b'~' | b'-' | b'+' | b'!' | b'*')
    };
    let end = run_end(text.as_bytes(), from, MAX_AUTHORITY, of_address);
    let run = &text[from..end];
    let find = |upper: &str, lower: &str| run.find(upper).or_else(|| run.find(lower));
    let (Some(colon), Some(at)) = (find("%3A", "%3a"), run.rfind("%40")) else {
        return end;
    };
    let slash = find("%2F", "%2f").unwrap_or(run.len());
    if colon < at && colon < slash {
        push(
            text,
            from + colon + 3..from + at,
            "url-percent-encoded",
            spans,
        );
    }
    end
}

fn escaped(text: &str, from: usize, spans: &mut Vec<Span>) {
    let of_authority =
        |b: u8| !b.is_ascii_whitespace() && !matches!(b, b'"' | b'\'' | b'<' | b'>' | b'\\');
    let end = run_end(text.as_bytes(), from, MAX_AUTHORITY, of_authority);
    let run = &text.as_bytes()[from..end];
    let colon = memchr::memchr(b':', run);
    let at = memchr::memrchr(b'@', run);
    if let (Some(colon), Some(at)) = (colon, at)
        && colon < at
    {
        push(
            text,
            from + colon + 1..from + at,
            "url-escaped-slashes",
            spans,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    #[test]
    fn passwords_in_encoded_addresses() {
        for (text, secret) in [
            (
                "next=postgres%3A%2F%2Fapp%3AFz1Bk9%40db%3A5432%2Fx",
                "Fz1Bk9",
            ),
            ("{\"u\":\"redis:\\/\\/u:Fz1Bk9@h:1\\/0\"}", "Fz1Bk9"),
        ] {
            assert_eq!(masked_by(find, text), [secret], "{text}");
        }
        for text in [
            "to=https%3A%2F%2Fx.io%2Fa%3Ab%40c",
            "\"http:\\/\\/x.io\\/a\"",
        ] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }
}
