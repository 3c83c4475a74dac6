//! What the allowlists of an imported rule let pass.

use std::ops::Range;

use aho_corasick::AhoCorasick;
use regex_automata::meta::Regex;

/// Bytes on each side of a match that count as its line at most, so that one endless line does
/// not make the work quadratic.
const LINE: usize = 512;

/// What an allowlist's patterns are compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Secret,
    Match,
    Line,
}

/// One allowlist.
pub(super) struct Allowance {
    pub(super) target: Target,
    /// Whether both lists must agree where both exist; else either suffices.
    pub(super) both: bool,
    pub(super) patterns: Option<Regex>,
    /// Words that are no part of a secret, without regard to ASCII case.
    pub(super) stopwords: Option<AhoCorasick>,
}

impl Allowance {
    /// Tells whether a finding passes.
    pub(super) fn permits(
        &self,
        text: &str,
        matched: &Range<usize>,
        secret: &Range<usize>,
    ) -> bool {
        let value = &text.as_bytes()[secret.clone()];
        let target = match self.target {
            Target::Secret => value,
            Target::Match => &text.as_bytes()[matched.clone()],
            Target::Line => line(text.as_bytes(), matched),
        };
        let pattern = self
            .patterns
            .as_ref()
            .map(|patterns| patterns.is_match(target));
        let word = self.stopwords.as_ref().map(|words| words.is_match(value));
        match (pattern, word) {
            (Some(pattern), Some(word)) if self.both => pattern && word,
            (pattern, word) => pattern == Some(true) || word == Some(true),
        }
    }

    /// Returns the size in bytes.
    pub(super) fn memory(&self) -> usize {
        self.patterns.as_ref().map_or(0, Regex::memory_usage)
            + self.stopwords.as_ref().map_or(0, AhoCorasick::memory_usage)
    }
}

/// Returns the line or lines around a match, as far as they count.
fn line<'t>(bytes: &'t [u8], matched: &Range<usize>) -> &'t [u8] {
    let first = matched.start.saturating_sub(LINE);
    let last = (matched.end + LINE).min(bytes.len());
    let start =
        memchr::memrchr(b'\n', &bytes[first..matched.start]).map_or(first, |at| first + at + 1);
    let end = memchr::memchr(b'\n', &bytes[matched.end..last]).map_or(last, |at| matched.end + at);
    &bytes[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::custom::pattern;

    fn allowance(
        target: Target,
        both: bool,
        source: Option<&str>,
        word: Option<&str>,
    ) -> Allowance {
        Allowance {
            target,
            both,
            patterns: source
                .map(|source| pattern::compile_any(&[pattern::parse(source).unwrap()]).unwrap()),
            stopwords: word.map(|word| AhoCorasick::new([word]).unwrap()),
        }
    }

    #[test]
    fn the_target_is_secret_match_or_line() {
        let text = "x = 1\nlet key = abc; // ok\ny";
        let (matched, secret) = (10..19, 16..19);
        assert_eq!(
            (&text[matched.clone()], &text[secret.clone()]),
            ("key = abc", "abc")
        );
        for (target, source, expected) in [
            (Target::Secret, "^abc$", true),
            (Target::Secret, "key", false),
            (Target::Match, "^key = abc$", true),
            (Target::Match, "let", false),
            (Target::Line, "^let key = abc; // ok$", true),
            (Target::Line, "x = 1", false),
        ] {
            let allowance = allowance(target, false, Some(source), None);
            assert_eq!(
                allowance.permits(text, &matched, &secret),
                expected,
                "{source}"
            );
        }
    }

    #[test]
    fn conditions_join_patterns_and_words() {
        let permits = |both, source, word| {
            allowance(Target::Secret, both, source, word).permits("abc", &(0..3), &(0..3))
        };
        assert!(permits(false, Some("z"), Some("b")));
        assert!(!permits(true, Some("z"), Some("b")));
        assert!(permits(true, Some("a"), Some("b")));
        assert!(permits(true, None, Some("b")));
        assert!(permits(true, Some("a"), None));
        assert!(!permits(true, None, None));
    }
}
