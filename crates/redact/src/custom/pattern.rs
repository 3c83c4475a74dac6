//! Compilation of patterns under bounds, on the bytes of UTF-8 text.
//!
//! Classes such as `\w` and boundaries such as `\b` are ASCII, so that a token beside a letter of
//! another script still has a boundary, and programs stay small.

use regex_automata::meta::{Config, Regex};
use regex_automata::nfa::thompson::WhichCaptures;
use regex_syntax::ParserBuilder;
use regex_syntax::ast;
use regex_syntax::hir::{self, Hir};

/// Bound of one compiled program in bytes.
const MAX_PROGRAM: usize = 2 * 1024 * 1024;
/// Bound of the lazily built automaton of one pattern and one thread, in bytes.
const MAX_CACHE: usize = 512 * 1024;
/// Bound of the one-pass automaton, which serves short patterns, in bytes.
const MAX_ONE_PASS: usize = 64 * 1024;

/// Parses a pattern in the syntax of the `regex` crate. The error is a problem to print.
pub(crate) fn parse(source: &str) -> Result<Hir, String> {
    ParserBuilder::new()
        .unicode(false)
        .utf8(false)
        .build()
        .parse(source)
        .map_err(|error| problem(&error))
}

/// Compiles a pattern with its groups.
pub(crate) fn compile(hir: &Hir) -> Result<Regex, String> {
    build(std::slice::from_ref(hir), WhichCaptures::All)
}

/// Compiles patterns of which any may match, without groups.
pub(crate) fn compile_any(hirs: &[Hir]) -> Result<Regex, String> {
    build(hirs, WhichCaptures::None)
}

fn build(hirs: &[Hir], captures: WhichCaptures) -> Result<Regex, String> {
    let config = Config::new()
        .utf8_empty(false)
        .which_captures(captures)
        .nfa_size_limit(Some(MAX_PROGRAM))
        .onepass_size_limit(Some(MAX_ONE_PASS))
        .hybrid_cache_capacity(MAX_CACHE);
    Regex::builder()
        .configure(config)
        .build_many_from_hir(hirs)
        .map_err(|_| "too large when compiled; lower its repetition counts".to_owned())
}

/// Words a syntax error by its kind and place, without the pattern.
fn problem(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => {
            let hint = match error.kind() {
                ast::ErrorKind::UnsupportedLookAround
                | ast::ErrorKind::UnsupportedBackreference => {
                    "; state it without, this is not linear"
                }
                _ => "; correct it there",
            };
            format!(
                "{} at byte {}{hint}",
                error.kind(),
                error.span().start.offset
            )
        }
        regex_syntax::Error::Translate(error) => {
            let hint = match error.kind() {
                hir::ErrorKind::UnicodeNotAllowed => "; write non-ASCII text as (?u:…)",
                _ => "; correct it there",
            };
            format!(
                "{} at byte {}{hint}",
                error.kind(),
                error.span().start.offset
            )
        }
        _ => "not a pattern of the regex crate; correct it".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(source: &str, text: &str) -> bool {
        compile(&parse(source).unwrap()).unwrap().is_match(text)
    }

    #[test]
    fn boundaries_are_ascii() {
        assert!(matches(r"\bacme_\w+\b", "密钥acme_x1密"));
        assert!(!matches(r"^\w$", "é"));
        assert!(matches("(?u:é)", "é"));
    }

    #[test]
    fn errors_tell_kind_place_and_remedy() {
        let message = |source: &str| parse(source).unwrap_err();
        assert_eq!(message("ab("), "unclosed group at byte 2; correct it there");
        assert!(message("(?=a)").ends_with("; state it without, this is not linear"));
        assert!(message("[é]").ends_with("; write non-ASCII text as (?u:…)"));
    }

    #[test]
    fn programs_are_bounded() {
        let hir = parse("(?:[a-z]{1,200}[0-9]{1,200}){1,200}").unwrap();
        assert_eq!(
            compile(&hir).unwrap_err(),
            "too large when compiled; lower its repetition counts"
        );
    }
}
