//! Data source names without `://`: `user:secret@tcp(host)`, `oracle:thin:user/secret@host` and the
//! codes of wireless networks.

use memchr::memmem;

use super::push;
use crate::class::URL_CREDENTIALS;
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::scan::bytes::{Needle, run_end};
use crate::span::Span;

/// Longest part of a name that is looked at, in bytes.
const MAX_PART: usize = 256;

/// Protocols of the Go driver for MySQL, after the at sign.
const PROTOCOLS: &[&str] = &["tcp(", "tcp6(", "unix(", "cloudsql("];

/// Lists the literals of such names.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    PROTOCOLS
        .iter()
        .chain(&[
            "WIFI:T:",
            "WIFI:S:",
            "oracle:thin:",
            "oracle:oci:",
            "oracle:oci8:",
        ])
        .map(|literal| Entry::exact(literal, Families::URL))
}

/// Lists the rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    [
        (
            "dsn-go-mysql",
            "go-sql-driver/mysql, DSN (Data Source Name)",
        ),
        ("dsn-wifi", "ZXing, Barcode Contents, Wi-Fi Network config"),
        (
            "dsn-oracle",
            "Oracle JDBC Developer's Guide, 8.2, Database URLs",
        ),
    ]
    .into_iter()
    .map(|(id, source)| Rule {
        id,
        class: URL_CREDENTIALS,
        source,
    })
}

/// Masks the passwords of such names.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    go(text, spans);
    wifi(text, spans);
    oracle(text, spans);
}

fn go(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    for open in memchr::memchr_iter(b'(', bytes) {
        let protocol = PROTOCOLS.iter().find(|p| text[..=open].ends_with(**p));
        let Some(at) = protocol.and_then(|p| (open + 1 - p.len()).checked_sub(1)) else {
            continue;
        };
        if bytes[at] != b'@' {
            continue;
        }
        let floor = text.ceil_char_boundary(at.saturating_sub(MAX_PART));
        let head = &text[floor..at];
        let start = head.rfind(['"', '\'', '`', ' ', '=', '\n', '\t']);
        let start = start.map_or(0, |at| at + 1);
        if let Some(colon) = head[start..].find(':') {
            push(text, floor + start + colon + 1..at, "dsn-go-mysql", spans);
        }
    }
}

fn wifi(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    static WIFI: Needle = Needle::new("WIFI:");
    for at in WIFI.find_iter(bytes) {
        let end = run_end(bytes, at, MAX_PART, |b| !matches!(b, b'\n' | b'\r' | b'"'));
        let Some(start) = memmem::find(&bytes[at..end], b";P:") else {
            continue;
        };
        let start = at + start + 3;
        // A backslash makes the sign after it part of the password.
        let mut stop = start;
        while stop < end && bytes[stop] != b';' {
            stop += 1 + usize::from(bytes[stop] == b'\\');
        }
        push(text, start..stop.min(end), "dsn-wifi", spans);
    }
}

fn oracle(text: &str, spans: &mut Vec<Span>) {
    static ORACLE: Needle = Needle::new("oracle:");
    for at in ORACLE.find_iter(text.as_bytes()) {
        let rest = &text[at + 7..];
        let driver = ["thin:", "oci:", "oci8:"];
        let Some(driver) = driver.iter().find(|driver| rest.starts_with(**driver)) else {
            continue;
        };
        let from = at + 7 + driver.len();
        let of_name = |b: u8| !b.is_ascii_whitespace() && !matches!(b, b'"' | b'\'' | b'<' | b'>');
        let end = run_end(text.as_bytes(), from, MAX_PART, of_name);
        let run = &text.as_bytes()[from..end];
        let slash = memchr::memchr(b'/', run);
        let host = memmem::rfind(run, b"@//").or_else(|| memchr::memrchr(b'@', run));
        if let (Some(slash), Some(host)) = (slash, host)
            && slash < host
        {
            push(text, from + slash + 1..from + host, "dsn-oracle", spans);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    #[test]
    fn passwords_of_data_source_names() {
        for (text, secret) in [
            ("\"root:Fz@Bk9@tcp(127.0.0.1:3306)/db\"", "Fz@Bk9"),
            ("jdbc:oracle:thin:app/Fz1Bk9@//h:1521/s", "Fz1Bk9"),
            ("jdbc:oracle:thin:app/Fz1Bk9@h:1521:ORCL", "Fz1Bk9"),
            ("WIFI:T:WPA;S:home;P:Fz\\;Bk9;;", "Fz\\;Bk9"),
        ] {
            assert_eq!(masked_by(find, text), [secret], "{text}");
        }
        for text in ["listen tcp(x)", "jdbc:oracle:thin:@//h:1521/s", "a@tcp(h)"] {
            assert_eq!(masked_by(find, text), Vec::<&str>::new(), "{text}");
        }
    }
}
