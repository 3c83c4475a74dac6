//! Credentials in addresses: user information and the secret paths of webhooks.

mod dsn;
mod encoded;
mod webhooks;

use std::ops::Range;

use super::bytes::{Needle, run_end};
use crate::class::URL_CREDENTIALS;
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value::{looks_random, stands_for_another};
use webhooks::webhook;

/// Longest authority that is searched for an `@`, in bytes.
const MAX_AUTHORITY: usize = 2048;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    static SIGN: Needle = Needle::new("://");
    let mut starts = SIGN.find_iter(bytes).peekable();
    while let Some(at) = starts.next() {
        // The next address has its own user information.
        let limit = starts.peek().copied().unwrap_or(text.len());
        user_info(text, at + 3..limit, spans);
        webhook(text, at + 3..limit, spans);
    }
    for finder in &FINDERS {
        let mut places = finder.find_iter(bytes).peekable();
        while let Some(at) = places.next() {
            let start = at + finder.len();
            let limit = places.peek().copied().unwrap_or(text.len());
            if super::bytes::starts_token(bytes, at) {
                user_info(text, start..limit, spans);
            }
        }
    }
    encoded::find(text, spans);
    dsn::find(text, spans);
}

/// Schemes that user information follows at once (RFC 3261, section 19.1; CVS manual, 2.9.4).
const SCHEMES: &[&str] = &["sip:", "sips:", "pserver:"];
static FINDERS: [Needle; 3] = [
    Needle::new(SCHEMES[0]),
    Needle::new(SCHEMES[1]),
    Needle::new(SCHEMES[2]),
];

/// Masks the password of `user:password@host` (RFC 3986, section 3.2.1), or a token that stands
/// alone before the `@`.
///
/// The password reaches to the last `@` before the host, so that raw `@`, `/` and `#` in it are
/// covered.
fn user_info(text: &str, place: Range<usize>, spans: &mut Vec<Span>) {
    let from = place.start;
    let max = place.len().min(MAX_AUTHORITY);
    let of_authority = |b: u8| {
        !b.is_ascii_whitespace()
            && !b.is_ascii_control()
            && !matches!(b, b'"' | b'\'' | b'<' | b'>' | b'`')
    };
    let end = run_end(text.as_bytes(), from, max, of_authority);
    let run = &text.as_bytes()[from..end];
    let Some(last) = last_at_of_user_info(run, end == text.len()) else {
        return;
    };
    let (start, quoted) = match memchr::memchr(b':', &run[..last]) {
        Some(colon) => (colon + 1, true),
        None => (0, false),
    };
    let Some(secret) = text.get(from + start..from + last) else {
        return;
    };
    let keep = secret.is_empty() || stands_for_another(secret, true);
    if !keep && (quoted || looks_random(secret, 16)) {
        let range = from + start..from + last;
        spans.push(Span::new(range, URL_CREDENTIALS, Stage::Url).by("url-user-info"));
    }
}

/// Finds the last `@` that a host follows and that still belongs to the user information.
fn last_at_of_user_info(run: &[u8], cut: bool) -> Option<usize> {
    let colon = memchr::memchr(b':', run);
    // Without a colon before it, a path or query ends the authority at once.
    let slash = memchr::memchr3(b'/', b'?', b'#', run);
    let plain_host = slash.is_some_and(|slash| colon.is_none_or(|colon| slash < colon));
    let port = colon.is_some_and(|colon| {
        let digits = run[colon + 1..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        matches!(run.get(colon + 1 + digits), None | Some(b'/' | b'?' | b'#'))
    });
    let limit = if plain_host || port {
        slash.unwrap_or(run.len())
    } else {
        run.len()
    };
    memchr::memrchr_iter(b'@', &run[..limit]).find(|at| {
        let host = &run[at + 1..];
        let plain = host
            .iter()
            .take_while(|b| {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'.' | b'-' | b'_' | b'[' | b'$' | b'{' | b'}')
            })
            .count();
        let next = host.get(plain);
        // A text that ends after the sign was cut there.
        (plain > 0 || host.is_empty() && cut)
            && matches!(
                next,
                None | Some(b':' | b'/' | b'?' | b'#' | b',' | b')' | b';' | b'\\' | b'|')
            )
            && (memchr::memchr(b'/', &run[..*at]).is_none()
                || host[..plain].contains(&b'.')
                || next == Some(&b':')
                || next == Some(&b'/'))
    })
}

/// Lists the literals that addresses without `://` and the hosts of webhooks begin with.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    let schemes = SCHEMES
        .iter()
        .map(|scheme| Entry::exact(scheme, Families::URL));
    schemes
        .chain(webhooks::entries())
        .chain(encoded::entries())
        .chain(dsn::entries())
}

/// Lists the rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let user_info = Rule {
        id: "url-user-info",
        class: URL_CREDENTIALS,
        source: "RFC 3986, section 3.2.1",
    };
    std::iter::once(user_info)
        .chain(encoded::rules())
        .chain(dsn::rules())
        .chain(webhooks::rules())
}

/// Masks a password unless it stands for another value.
fn push(text: &str, range: std::ops::Range<usize>, rule: &'static str, spans: &mut Vec<Span>) {
    let Some(secret) = text.get(range.clone()) else {
        return;
    };
    if !secret.is_empty() && !stands_for_another(secret, true) {
        spans.push(Span::new(range, URL_CREDENTIALS, Stage::Url).by(rule));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::masked_by;

    fn masked(text: &str) -> Vec<&str> {
        masked_by(find, text)
    }

    #[test]
    fn passwords_reach_to_the_last_at() {
        assert_eq!(
            masked("postgres://app:Fz@Bk9@db.internal:5432/main x"),
            ["Fz@Bk9"]
        );
        assert_eq!(masked("redis://:valley26@cache:6379/0"), ["valley26"]);
        assert_eq!(masked("amqp://u:p/w#1@mq.internal:5672/v"), ["p/w#1"]);
        assert_eq!(
            masked("a http://u:pw1@h1/ http://u:pw2@h2/"),
            ["pw1", "pw2"]
        );
    }

    #[test]
    fn addresses_without_credentials_stay() {
        for text in [
            "http://localhost:4873/@types/node/-/node-20.tgz",
            "https://user@git.example.com/a.git",
            "redis://cache:6379/0",
            "postgres://user:$PGPASSWORD@localhost/app",
            "mysql://root:***@localhost/app",
            "oci://ghcr.io/a/c:1.2@sha256:ab",
            "https://x.io/a?b=c:d@e",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
