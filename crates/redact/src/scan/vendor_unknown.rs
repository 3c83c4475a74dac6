//! Tokens of vendors that no table lists: a short name, a word that tells a credential, and a
//! random body, as in `name_live_…` or `name-pat-…`.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::bytes::{run_end, starts_token};
use super::vendor_shapes::longest_case_run;
use crate::class::VENDOR_TOKEN;
use crate::entropy::{Makeup, is_hex, shannon};
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// The words in the middle of such tokens, each with its separators. A search for these finds the
/// places that [`find_at`] judges.
pub(super) const INFIXES: &[&str] = &[
    "_live_",
    "_test_",
    "_prod_",
    "_dev_",
    "_stg_",
    "_sandbox_",
    "_sk_",
    "_rk_",
    "_pat_",
    "_key_",
    "_apikey_",
    "_secret_",
    "_token_",
    "_api_",
    "_at_",
    "_rt_",
    "-live-",
    "-prod-",
    "-sk-",
    "-pat-",
    "-key-",
    "-secret-",
    "-token-",
    "-api-",
];

/// Names whose tokens of this form are public identifiers: Stripe's checkout sessions, and
/// publishable keys at large.
const PUBLIC: &[&[u8]] = &[b"cs", b"pk", b"pub", b"price", b"acct"];

/// Shortest body: 20 characters of base62 hold 119 bits, and ids of objects are mostly shorter.
const MIN_BODY: usize = 20;
/// Shortest body without capitals, or without small letters: ULIDs have 26, hashes are all hex.
const MIN_PLAIN_BODY: usize = 32;
/// Shortest part of the body that has no separator; words are shorter.
const MIN_PIECE: usize = 12;
/// Longest name, with its separators.
const MAX_NAME: usize = 32;
/// Longest run of letters of one case; joined words are longer.
const MAX_CASE_RUN: usize = 7;
/// Least bits a byte: half the bodies of 20 characters of base62 have above 3.9.
const MIN_ENTROPY: f64 = 3.3;
/// Longest token; longer ones are data.
const MAX_TOKEN: usize = 1024;

/// The name of the rule.
const RULE: &str = "unknown-vendor-token";

/// Lists the rule.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    std::iter::once(Rule {
        id: RULE,
        class: VENDOR_TOKEN,
        source: "the common form of prefixed tokens, as in GitHub's post Behind GitHub's new \
                 authentication token formats",
    })
}

/// Masks every such token.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut done = 0;
    for hit in gate().find_iter(text) {
        if hit.start() < done {
            continue;
        }
        if let Some(range) = find_at(text.as_bytes(), hit.start()) {
            done = range.end;
            spans.push(Span::new(range, VENDOR_TOKEN, Stage::Vendor).by(RULE));
        }
    }
}

fn gate() -> &'static AhoCorasick {
    static GATE: OnceLock<AhoCorasick> = OnceLock::new();
    GATE.get_or_init(|| AhoCorasick::new(INFIXES).expect("the list of infixes is small and fixed"))
}

/// Returns the token around the infix that begins here, if there is one.
///
/// The name before it consists of one to three lower-case words of 2 to 12 characters joined by
/// the infix's separator, and stands where a token can start. The body after it, to the end of
/// the run of URL-safe base64 (RFC 4648, section 5), must look random: a long piece in both cases
/// with digits, or a longer one in a single case that is not hexadecimal.
pub(super) fn find_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = bytes.get(at..)?;
    let infix = INFIXES
        .iter()
        .find(|infix| rest.starts_with(infix.as_bytes()))?;
    let start = name_start(bytes, at)?;
    let body = at + infix.len();
    let end = run_end(bytes, body, MAX_TOKEN, |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')
    });
    is_random(&bytes[body..end]).then_some(start..end)
}

/// Returns where the name before the infix starts, if it is one.
fn name_start(bytes: &[u8], at: usize) -> Option<usize> {
    let separator = bytes[at];
    let floor = at.saturating_sub(MAX_NAME + 1);
    let accepted = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == separator;
    let length = bytes[floor..at]
        .iter()
        .rev()
        .take_while(|b| accepted(b))
        .count();
    // The run may begin with the tail of an escape: `\nname_live_…`.
    let start = (at - length..at).find(|start| {
        let escape = start.checked_sub(1).is_some_and(|i| bytes[i] == b'\\');
        bytes[*start].is_ascii_lowercase() && !escape && starts_token(bytes, *start)
    })?;
    let mut words = bytes[start..at].split(|b| *b == separator);
    let named = words.clone().count() <= 3
        && words
            .clone()
            .all(|word| (2..=12).contains(&word.len()) && word[0].is_ascii_lowercase());
    (named && !PUBLIC.contains(&words.next()?)).then_some(start)
}

fn is_random(body: &[u8]) -> bool {
    let longest = body
        .split(|b| matches!(b, b'_' | b'-'))
        .max_by_key(|piece| piece.len());
    let (Ok(text), Some(Ok(piece))) = (std::str::from_utf8(body), longest.map(std::str::from_utf8))
    else {
        return false;
    };
    let makeup = Makeup::of(text);
    let both_cases = makeup.lower >= 2 && makeup.upper >= 2 && makeup.digits >= 2;
    let least = if both_cases { MIN_BODY } else { MIN_PLAIN_BODY };
    let digits = if both_cases { 2 } else { 5 };
    body.len() >= least
        && piece.len() >= MIN_PIECE.max(if both_cases { 0 } else { MIN_PLAIN_BODY })
        && makeup.digits >= digits
        && makeup.letters() >= digits
        && !is_hex(piece)
        && longest_case_run(body) <= MAX_CASE_RUN
        && shannon(text) >= MIN_ENTROPY
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds by every infix, as a caller does.
    fn found(text: &str) -> Vec<&str> {
        let mut tokens: Vec<Range<usize>> = (0..text.len())
            .filter_map(|at| find_at(text.as_bytes(), at))
            .collect();
        tokens.dedup();
        tokens.into_iter().map(|range| &text[range]).collect()
    }

    /// Joins pieces that only together look like a token.
    fn body() -> String {
        ["q4Zt8KxW2pLm", "9RvB3nYs7DcF", "1gHj6QeA"].concat()
    }

    #[test]
    fn tokens_of_unknown_vendors_are_found_whole() {
        let body = body();
        for name in [
            "zqk_prod_",
            "acme_live_",
            "acme_sk_live_",
            "foo9_pat_",
            "acme-secret-",
            "initech-key-",
        ] {
            let token = format!("{name}{body}");
            for (left, right) in [
                ("", ""),
                ("(", ")"),
                ("\\n", "\\n"),
                ("%22", "%22"),
                ("キー", "を"),
            ] {
                let text = format!("{left}{token}{right}");
                let hits = found(&text);
                assert!(
                    hits.iter().all(|hit| *hit == token) && !hits.is_empty(),
                    "{text}: {hits:?}"
                );
            }
        }
    }

    #[test]
    fn bodies_of_one_case_must_be_longer() {
        let lower = "q4zt8kxw2plm9rvb3nys7dcf1ghj6qeau5to";
        assert_eq!(found(&format!("acme_live_{lower}")).len(), 1);
        assert_eq!(found(&format!("acme_live_{}", &lower[..30])).len(), 0);
    }

    #[test]
    fn names_ids_hashes_and_words_stay() {
        let body = body();
        let hash = "0123456789abcdef".repeat(4);
        for text in [
            format!("build_test_{hash}"),
            format!("cs_test_{body}"),
            format!("Acme_live_{body}"),
            format!("a_live_{body}"),
            format!("one_two_three_four_live_{body}"),
            "parser_test_parse_http2_frames_with_padding_3".to_owned(),
            "parser_test_parseHttp2FramesWithLongPaddings".to_owned(),
            "user_test_01HZX3K9ABCDEFGHJKMNPQRSTV".to_owned(),
            "cache_key_b52c34e1-d76c-4d01-9776-06b54bc3feb5".to_owned(),
            "my-app-token-x7k2p".to_owned(),
            "linux-key-for-the-cache-of-2024-and-later-years".to_owned(),
            "app_secret_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".to_owned(),
            "_live_".to_owned(),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new(), "{text}");
        }
    }
}
