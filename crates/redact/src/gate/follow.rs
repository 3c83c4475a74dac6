//! What has to follow a literal for its rules to find anything.

use crate::key::{self, Sensitivity};
use crate::scan::vendor_shapes::Set;

/// What has to follow a literal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Follow {
    /// Nothing in particular.
    Anything,
    /// A blank, or the quote that ends an element of a list.
    Argument,
    /// At least so many bytes of an alphabet, unless the text ends before.
    Body(Set, usize),
    /// What could be the value of a key that only random-looking values make secret.
    Random,
}

/// Most bytes of a body that are looked at.
const MAX_BODY: usize = 15;
/// How far after a key its value can begin, in bytes.
const REACH: usize = 160;
/// How much of a value is looked at.
const SAMPLE: usize = 96;
/// Shortest value that looks random.
const MIN_VALUE: usize = 8;

impl Follow {
    /// Tells whether the bytes from `end` on are what has to follow the literal at `start`.
    pub(super) fn is_met(self, bytes: &[u8], start: usize, end: usize) -> bool {
        let after = &bytes[end..];
        match self {
            Self::Anything => true,
            Self::Argument => after.first().is_none_or(|b| {
                b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'\\')
            }),
            Self::Body(set, least) => after.iter().take(least.min(MAX_BODY)).all(|b| set.has(*b)),
            Self::Random => {
                is_last_word(after)
                    && (may_hold_random(after)
                        || is_heading(after)
                        || is_strong_pair(bytes, start, end))
            }
        }
    }
}

/// Tells whether a key can end here and a value follow: no further word of the key, and no bracket
/// that closes code.
fn is_last_word(after: &[u8]) -> bool {
    let digits = after
        .iter()
        .take(4)
        .take_while(|b| b.is_ascii_digit())
        .count();
    let after = &after[digits..];
    match after {
        [b, ..] if b.is_ascii_alphanumeric() => false,
        [b'_' | b'-' | b'.', next, ..] => !next.is_ascii_alphanumeric(),
        [b')' | b'}' | b'[' | b'{' | b'+' | b'!', ..] => false,
        _ => true,
    }
}

/// Tells whether the line goes on with something that could look random, or with nothing, so that
/// the value may be on the next line.
pub(super) fn may_hold_random(after: &[u8]) -> bool {
    let after = &after[..after.len().min(REACH + SAMPLE)];
    let line = memchr::memchr(b'\n', after).map_or(after, |end| &after[..end]);
    if !line
        .iter()
        .take(REACH)
        .any(|b| b.is_ascii_alphanumeric() || *b >= 0x80)
    {
        return true;
    }
    let mut runs = line
        .split(|b| b.is_ascii_whitespace())
        .scan(0, |start, run| {
            let at = *start;
            *start += run.len() + 1;
            Some((at, run))
        })
        .take_while(|(start, _)| *start < REACH);
    // Identification numbers are shorter.
    let has_pin = |run: &[u8]| {
        run.windows(4)
            .any(|four| four.iter().all(u8::is_ascii_digit))
    };
    runs.any(|(_, run)| run.len() >= MIN_VALUE && could_be_random(run) || has_pin(run))
}

/// Random values have digits, or capitals in every other letter, or signs among mixed letters.
fn could_be_random(run: &[u8]) -> bool {
    if run.iter().any(|b| b.is_ascii_digit() || *b >= 0x80) {
        return true;
    }
    let upper = run.iter().filter(|b| b.is_ascii_uppercase()).count();
    let lower = run.iter().filter(|b| b.is_ascii_lowercase()).count();
    let signs = |b: &u8| {
        matches!(
            b,
            b'+' | b'/' | b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'~'
        )
    };
    let joints = run.iter().skip(1).filter(|b| matches!(b, b'_' | b'='));
    upper > 0
        && lower > 0
        && (run.iter().any(signs)
            || joints.count() > 1
            || run.split(|b| !b.is_ascii_alphanumeric()).any(is_no_camel))
}

/// Tells whether a piece has more capitals than capitalised words have.
fn is_no_camel(piece: &[u8]) -> bool {
    let upper = piece.iter().filter(|b| b.is_ascii_uppercase()).count();
    piece.len() >= 4 && upper < piece.len() && piece.len() * 10 < upper * 26
}

/// Tells whether a delimiter of tables follows directly.
fn is_heading(after: &[u8]) -> bool {
    let next = after
        .iter()
        .find(|b| !matches!(b, b'"' | b'\'' | b' ' | b'*' | b'`'));
    matches!(next, Some(b',' | b'|' | b'\t' | b';'))
}

/// Tells whether the words before make any value secret.
fn is_strong_pair(bytes: &[u8], start: usize, end: usize) -> bool {
    let floor = start.saturating_sub(24);
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b' ');
    let length = bytes[floor..end]
        .iter()
        .rev()
        .take_while(|b| plain(b))
        .count();
    std::str::from_utf8(&bytes[end - length..end])
        .is_ok_and(|key| key::classify(key) == Sensitivity::Strong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_look_written_are_told() {
        for after in [
            "=item) for item in retry_store.values()]\n",
            ": CancelToken): Promise<void> {",
            " is None\n",
            "=None, path=\"/a/b\"",
        ] {
            assert!(!may_hold_random(after.as_bytes()), "{after}");
        }
        for after in [
            "",
            "\":\n  x",
            " = \"aB3dE6gH\"",
            ": QkTzPwLmXyRdVbN",
            ": aBc+DeF/gHi",
            "= пароль",
        ] {
            assert!(may_hold_random(after.as_bytes()), "{after}");
        }
    }

    #[test]
    fn a_key_that_goes_on_is_told() {
        for after in [
            "_count",
            "-worker-4",
            ".len()",
            "Path",
            "s",
            "2_x",
            ")",
            "}",
        ] {
            assert!(!is_last_word(after.as_bytes()), "{after}");
        }
        for after in ["", "=", ": x", "\": ", "2=", "_", "]=", ",x", "\n", "**: "] {
            assert!(is_last_word(after.as_bytes()), "{after}");
        }
    }

    #[test]
    fn strong_pairs_are_told() {
        let pair = |text: &str| is_strong_pair(text.as_bytes(), text.len() - 3, text.len());
        assert!(pair("AWS_SECRET_KEY") && pair("privateKey") && pair("é master key"));
        assert!(!pair("api_key") && !pair("key"));
    }
}
