//! One compiled rule and its search in windows of a text.

use std::ops::Range;
use std::sync::Arc;

use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_automata::util::captures::Captures;

use super::allowance::Allowance;
use crate::entropy::shannon;

/// Bytes that a match may have beside its secret: labels, quotes and blanks.
const SLACK: usize = 128;
/// Blocks of a long window are this many times the longest match: each search stays short, and
/// a fifth of the text is read twice.
const STRIDE: usize = 4;
/// Longest rest of a cut secret that is masked with it, in bytes.
const MAX_TAIL: usize = 16 * 1024;

/// Tells which part of a match is the secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Secret {
    /// The first group that took part and is not empty, else the whole match.
    FirstGroup,
    /// This group; a match without it is no finding. Group 0 is the whole match.
    Group(usize),
}

/// One rule, ready to run.
pub(super) struct Rule {
    pub(super) id: Arc<str>,
    pub(super) class: Arc<str>,
    pub(super) regex: Regex,
    pub(super) secret: Secret,
    /// Least entropy of the secret in bits per byte.
    pub(super) min_entropy: f64,
    /// Longest secret in bytes.
    pub(super) max_len: usize,
    /// Lower case, none empty; without any the rule runs on the whole text.
    pub(super) keywords: Vec<String>,
    pub(super) allowances: Vec<Arc<Allowance>>,
}

impl Rule {
    /// Returns how far from a keyword a match may begin or end, in bytes.
    pub(super) fn reach(&self) -> usize {
        self.max_len + SLACK
    }

    /// Reports the secrets in sorted windows of the text.
    pub(super) fn search(
        &self,
        text: &str,
        windows: impl Iterator<Item = Range<usize>>,
        report: &mut impl FnMut(Range<usize>),
    ) {
        let mut captures = self.regex.create_captures();
        let mut cursor = 0;
        for window in windows {
            let mut start = window.start;
            while start < window.end {
                let accept = (start + STRIDE * self.reach()).min(window.end);
                let limit = (accept + self.reach()).min(window.end);
                cursor = self.search_block(
                    text,
                    cursor.max(start)..accept,
                    limit,
                    &mut captures,
                    report,
                );
                start = accept;
            }
        }
    }

    /// Reports the secrets of matches that begin in the block and end by the limit; returns the
    /// end of the last match.
    ///
    /// Matches that would begin behind the block are the next one's, which reads further.
    fn search_block(
        &self,
        text: &str,
        block: Range<usize>,
        limit: usize,
        captures: &mut Captures,
        report: &mut impl FnMut(Range<usize>),
    ) -> usize {
        let mut cursor = block.start;
        while cursor < block.end {
            self.regex
                .search_captures(&Input::new(text).range(cursor..limit), captures);
            let Some(matched) = captures
                .get_match()
                .filter(|found| found.start() < block.end)
            else {
                break;
            };
            cursor = matched.end().max(cursor + 1).max(matched.start() + 1);
            let Some(secret) = self.secret_of(captures, matched.range()) else {
                continue;
            };
            let secret = whole(text, secret, limit);
            if self.is_finding(text, &matched.range(), &secret) {
                cursor = cursor.max(secret.end);
                report(secret);
            }
        }
        cursor
    }

    fn secret_of(&self, captures: &Captures, matched: Range<usize>) -> Option<Range<usize>> {
        match self.secret {
            Secret::Group(group) => captures.get_group(group).map(|span| span.range()),
            Secret::FirstGroup => captures
                .iter()
                .skip(1)
                .flatten()
                .find(|span| !span.is_empty())
                .map(|span| span.range())
                .or(Some(matched)),
        }
    }

    fn is_finding(&self, text: &str, matched: &Range<usize>, secret: &Range<usize>) -> bool {
        let value = &text[secret.clone()];
        !value.is_empty()
            && (self.min_entropy <= 0.0 || shannon(value) >= self.min_entropy)
            && !self
                .allowances
                .iter()
                .any(|allowance| allowance.permits(text, matched, secret))
    }
}

/// Returns the range on character boundaries, without line ends around it.
///
/// A secret that the limit cut is masked to the end of its run: the rest of it is as secret.
fn whole(text: &str, secret: Range<usize>, limit: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut end = secret.end;
    if end == limit {
        let rest = &bytes[end..(end + MAX_TAIL).min(bytes.len())];
        let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`');
        end += rest.iter().position(ends).unwrap_or(rest.len());
    }
    let start = text.floor_char_boundary(secret.start);
    let end = text.ceil_char_boundary(end);
    let value = &text[start..end];
    let trimmed = value.trim_start_matches('\n');
    let start = start + value.len() - trimmed.len();
    start..start + trimmed.trim_end_matches('\n').len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::custom::pattern;

    fn rule(source: &str, max_len: usize) -> Rule {
        Rule {
            id: "a".into(),
            class: "aa".into(),
            regex: pattern::compile(&pattern::parse(source).unwrap()).unwrap(),
            secret: Secret::FirstGroup,
            min_entropy: 0.0,
            max_len,
            keywords: Vec::new(),
            allowances: Vec::new(),
        }
    }

    fn secrets(rule: &Rule, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        rule.search(text, std::iter::once(0..text.len()), &mut |range| {
            found.push(range);
        });
        found
    }

    fn values<'t>(rule: &Rule, text: &'t str) -> Vec<&'t str> {
        secrets(rule, text)
            .into_iter()
            .map(|at| &text[at])
            .collect()
    }

    #[test]
    fn the_first_group_that_took_part_is_the_secret() {
        let rule = rule("a=(\\d+)|b=(\\d+)|c=\\d+", 64);
        assert_eq!(values(&rule, "a=1 b=22 c=333"), ["1", "22", "c=333"]);
    }

    #[test]
    fn a_named_group_that_took_no_part_is_no_finding() {
        let mut rule = rule("safe=\\d+|secret=(\\d+)", 64);
        rule.secret = Secret::Group(1);
        assert_eq!(values(&rule, "safe=1 secret=2"), ["2"]);
    }

    #[test]
    fn a_secret_longer_than_the_limit_is_masked_to_its_end() {
        let rule = rule("key=([a-z]+)", 16);
        let text = format!("key={} rest", "k".repeat(2_000));
        assert_eq!(values(&rule, &text), ["k".repeat(2_000)]);
    }

    #[test]
    fn the_end_of_the_text_is_seen_only_where_it_is() {
        let rule = rule("([a-z]{4})(?:;|$)", 16);
        let text = "a".repeat(5_000);
        let found = secrets(&rule, &text);
        assert_eq!((found.len(), found[0].clone()), (1, 4_996..5_000));
    }

    #[test]
    fn parts_of_characters_are_rounded_out() {
        let rule = rule("k=([^ ]{2})", 16);
        assert_eq!(values(&rule, "k=xé y"), ["xé"]);
    }

    #[test]
    fn line_ends_around_a_secret_are_kept() {
        assert_eq!(values(&rule("\\s[a-z]+\\s", 16), "x \nab\n"), ["ab"]);
    }

    proptest! {
        #[test]
        fn blocks_find_what_one_search_over_all_finds(text in "[ab1 =]{0,3000}") {
            for source in ["a[b1]{1,20}", "b(a|1){0,9}=", "[^ ]{3}", "\\ba+\\b"] {
                let rule = rule(source, 20);
                let mut found = Vec::new();
                for matched in rule.regex.captures_iter(&text) {
                    let all = matched.get_match().map(|found| found.range());
                    let secret = rule.secret_of(&matched, all.unwrap());
                    found.extend(secret.map(|at| whole(&text, at, usize::MAX)));
                }
                prop_assert_eq!(secrets(&rule, &text), found);
            }
        }
    }
}
