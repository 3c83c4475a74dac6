//! Small questions about bytes that several rules ask.

use std::sync::OnceLock;

use memchr::memmem::Finder;

/// A literal that is looked for in every text: its searcher is built once.
pub(crate) struct Needle {
    literal: &'static str,
    finder: OnceLock<Finder<'static>>,
}

impl Needle {
    pub(crate) const fn new(literal: &'static str) -> Self {
        Self {
            literal,
            finder: OnceLock::new(),
        }
    }

    /// Returns the literal's length in bytes.
    pub(crate) const fn len(&self) -> usize {
        self.literal.len()
    }

    /// Finds the first place.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<usize> {
        self.finder().find(bytes)
    }

    /// Finds all places that do not overlap.
    pub(crate) fn find_iter<'t>(
        &self,
        bytes: &'t [u8],
    ) -> impl Iterator<Item = usize> + use<'t, '_> {
        self.finder().find_iter(bytes)
    }

    fn finder(&self) -> &Finder<'static> {
        self.finder.get_or_init(|| Finder::new(self.literal))
    }
}

/// Tells whether a token may start here: at the start, after anything but an ASCII letter or
/// digit, or after the tail of an escape (`\n`, `%22`, `\u003d`, an ANSI colour's `m`, `&amp`).
///
/// ASCII on purpose: a CJK letter is a word character to `\b`, yet tokens are glued to them.
pub(crate) fn starts_token(bytes: &[u8], at: usize) -> bool {
    let Some(previous) = at.checked_sub(1).map(|i| bytes[i]) else {
        return true;
    };
    !previous.is_ascii_alphanumeric() || after_escape(bytes, at)
}

fn after_escape(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map(|i| bytes[i]);
    let hex =
        |from: usize| (1..=from).all(|back| before(back).is_some_and(|b| b.is_ascii_hexdigit()));
    if before(2) == Some(b'\\') && matches!(before(1), Some(b'n' | b't' | b'r' | b'b' | b'f')) {
        return true;
    }
    if before(3) == Some(b'%') && hex(2) {
        return true;
    }
    if before(5) == Some(b'u') && before(6) == Some(b'\\') && hex(4) {
        return true;
    }
    if before(4) == Some(b'\\') && before(3) == Some(b'x') && hex(2) {
        return true;
    }
    before(1) == Some(b'm') && after_colour(bytes, at - 1)
}

/// Tells whether what precedes the `m` is an ANSI colour's parameters (ECMA-48, SGR).
fn after_colour(bytes: &[u8], at_m: usize) -> bool {
    let head = &bytes[at_m.saturating_sub(12)..at_m];
    let parameters = head
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_digit() || **b == b';')
        .count();
    head.len() > parameters && head[head.len() - 1 - parameters] == b'['
}

/// Returns the end of the run of accepted bytes from here, at most `max` long.
pub(crate) fn run_end(bytes: &[u8], from: usize, max: usize, accept: impl Fn(u8) -> bool) -> usize {
    let limit = bytes.len().min(from.saturating_add(max));
    (from..limit).find(|i| !accept(bytes[*i])).unwrap_or(limit)
}

/// Tells whether the byte belongs to standard or URL-safe base64 (RFC 4648), without padding.
pub(crate) const fn is_base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_start_after_escapes_and_non_ascii_letters() {
        let starts = |head: &str| starts_token(format!("{head}X").as_bytes(), head.len());
        for head in [
            "", " ", "_", "キー", "a\\n", "%22", "\\u003d", "\x1b[32m", "[1;31m", "\\x22",
        ] {
            assert!(starts(head), "{head:?}");
        }
        for head in ["a", "9", "in", "m", "u003d"] {
            assert!(!starts(head), "{head:?}");
        }
    }
}
