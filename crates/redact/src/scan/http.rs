//! Credentials in HTTP headers that stand without a telling key: schemes and cookies.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::bytes::{is_base64, run_end, starts_token};
use super::encoded::base64_holds;
use crate::class::{BASIC, BEARER, COOKIE};
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::span::{Span, Stage};
use crate::value::{looks_random, stands_for_another};

const SCHEMES: &[&str] = &[
    "bearer ",
    "basic ",
    "cookie: ",
    "cookie\": \"",
    "bearer%20",
    "bearer+",
    "digest username",
];
/// Longest credential that is considered; a longer run is masked by the fallback.
const MAX_CREDENTIAL: usize = 16 * 1024;

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    // Where the last cookie line ended, so that no line is read twice.
    let mut line_end = 0;
    for hit in gate().find_iter(text) {
        match hit.pattern().as_usize() {
            2 | 3 if hit.start() >= line_end => line_end = cookies(text, hit.end(), spans),
            1 if starts_token(bytes, hit.start()) => basic(text, hit.end(), spans),
            0 | 4 | 5 if starts_token(bytes, hit.start()) => bearer(text, hit.end(), spans),
            6 => digest(text, hit.end(), spans),
            _ => {}
        }
    }
}

/// Lists the rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    [
        ("http-bearer", BEARER, "RFC 6750, section 2.1"),
        ("http-basic", BASIC, "RFC 7617, section 2"),
        ("http-digest", BASIC, "RFC 7616, section 3.4"),
        ("http-cookie", COOKIE, "RFC 6265, sections 4.1 and 4.2"),
    ]
    .into_iter()
    .map(|(id, class, source)| Rule { id, class, source })
}

/// Lists the literals that credentials follow.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    SCHEMES
        .iter()
        .map(|scheme| Entry::any_case(scheme, Families::HTTP))
}

fn gate() -> &'static AhoCorasick {
    static GATE: OnceLock<AhoCorasick> = OnceLock::new();
    GATE.get_or_init(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(SCHEMES)
            .expect("the list of schemes is small and fixed")
    })
}

/// Masks a bearer token (RFC 6750, section 2.1), with the wider alphabet that vendors use.
fn bearer(text: &str, from: usize, spans: &mut Vec<Span>) {
    let from = from + joint(&text.as_bytes()[from..]);
    let of_token = |b: u8| is_base64(b) || matches!(b, b'.' | b'~' | b'=' | b'!' | b'%' | b'|');
    let end = run_end(text.as_bytes(), from, MAX_CREDENTIAL, of_token);
    let token = text[from..end].trim_end_matches('.');
    if token.len() >= 8 && looks_random(token, 8) && !stands_for_another(token, false) {
        spans.push(Span::new(from..from + token.len(), BEARER, Stage::Http).by("http-bearer"));
    }
}

/// Measures the sign that joins the scheme's literal to the token's: `'Bearer ' + 'x'`.
fn joint(rest: &[u8]) -> usize {
    let Some(quote) = rest.first().filter(|b| matches!(b, b'"' | b'\'')) else {
        return 0;
    };
    let sign = |b: &&u8| matches!(b, b' ' | b'+' | b'.' | b'&');
    let signs = rest[1..].iter().take(8).take_while(sign).count();
    if signs > 0 && rest.get(1 + signs) == Some(quote) {
        signs + 2
    } else {
        0
    }
}

/// Masks the response of a digest header (RFC 7616, section 3.4), from which a password can be
/// guessed.
fn digest(text: &str, from: usize, spans: &mut Vec<Span>) {
    const MEMBER: &str = "response=\"";
    let limit = text.floor_char_boundary((from + 1024).min(text.len()));
    let Some(at) = text[from..limit].find(MEMBER) else {
        return;
    };
    let start = from + at + MEMBER.len();
    let end = run_end(text.as_bytes(), start, 128, |b| b.is_ascii_hexdigit());
    if end - start >= 32 {
        spans.push(Span::new(start..end, BASIC, Stage::Http).by("http-digest"));
    }
}

/// Masks basic credentials (RFC 7617, section 2): base64 of text with a colon.
fn basic(text: &str, from: usize, spans: &mut Vec<Span>) {
    let of_base64 = |b: u8| is_base64(b) || b == b'=';
    let end = run_end(text.as_bytes(), from, MAX_CREDENTIAL, of_base64);
    if end - from >= 8 && base64_holds(&text[from..end], b':') {
        spans.push(Span::new(from..end, BASIC, Stage::Http).by("http-basic"));
    }
}

/// Masks the random values of a `Cookie` or `Set-Cookie` line (RFC 6265); names and short values
/// stay. Returns the end of the line.
fn cookies(text: &str, from: usize, spans: &mut Vec<Span>) -> usize {
    let line_end = memchr::memchr3(b'\n', b'\r', b'"', &text.as_bytes()[from..])
        .map_or(text.len(), |at| from + at);
    let mut at = from;
    for pair in text[from..line_end].split(';') {
        if let Some(equals) = pair.find('=') {
            let (start, end) = (at + equals + 1, at + pair.trim_end().len());
            let value = text[start..end.max(start)].trim_end_matches(['\'', '"', '\\']);
            if looks_random(value, 16) {
                spans.push(
                    Span::new(start..start + value.len(), COOKIE, Stage::Http).by("http-cookie"),
                );
            }
        }
        at += pair.len() + 1;
    }
    line_end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::classed_by;

    fn masked(text: &str) -> Vec<(&str, &'static str)> {
        classed_by(find, text)
    }

    #[test]
    fn schemes_and_cookies() {
        let token = ["Ye4UCGM8", "7WtfSLUT"].concat();
        let text = format!("AUTHORIZATION: BEARER {token}\nnext");
        assert_eq!(masked(&text), [(token.as_str(), "generic_bearer")]);
        // The example of RFC 7617, section 2.
        let pair = "QWxhZGRpbjpvcGVuIHNlc2FtZQ==";
        let text = format!("Authorization: Basic {pair}");
        assert_eq!(masked(&text), [(pair, "basic_auth")]);
        let session = ["4b4fa7f76b0e2e15", "9aa5083d687ef8fc"].concat();
        let text = format!("Cookie: theme=dark; _app_session={session}; lang=en");
        assert_eq!(masked(&text), [(session.as_str(), "session_cookie")]);
    }

    #[test]
    fn challenges_and_prose_stay() {
        for text in [
            "WWW-Authenticate: Bearer realm=\"https://x/token\"",
            "the bearer authentication",
            "Basic $(echo -n a:b | base64)",
            "Basic knowledge",
        ] {
            assert_eq!(masked(text), [], "{text}");
        }
    }
}
