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
const REACH: usize = 64;
/// How much of a value is looked at.
const SAMPLE: usize = 48;
/// How far before a word the one before it is looked for, in bytes.
const MAX_BEFORE: usize = 24;
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
                let word = std::str::from_utf8(&bytes[start..end]).unwrap_or("");
                match key::ending(word_before(bytes, start), word) {
                    Sensitivity::Strong => true,
                    // A pair of words counts wherever in a key it stands, a single one at its end.
                    pair => {
                        (pair == Sensitivity::Medium || is_last_word(after))
                            && (may_hold_random(after) || is_heading(after))
                    }
                }
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
    let mut start = 0;
    let mut any = false;
    let mut kinds = 0;
    for (at, b) in after.iter().enumerate() {
        if !b.is_ascii_whitespace() {
            kinds |= KINDS[usize::from(*b)];
            any |= kinds & WORD != 0;
            if kinds & DIGIT != 0 && at - start + 1 >= MIN_VALUE {
                return true;
            }
            continue;
        }
        if could_be_random(&after[start..at], kinds) {
            return true;
        }
        if *b == b'\n' {
            return !any;
        }
        start = at + 1;
        kinds = 0;
        if start >= REACH {
            return !any;
        }
    }
    !any || could_be_random(&after[start..], kinds)
}

const DIGIT: u8 = 1;
const UPPER: u8 = 2;
const LOWER: u8 = 4;
const SIGN: u8 = 8;
const WORD: u8 = DIGIT | UPPER | LOWER;

/// What each byte says about a value. Bytes beyond ASCII say as much as a digit.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut b = 0u8;
    loop {
        kinds[b as usize] = match b {
            b'0'..=b'9' | 0x80.. => DIGIT,
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LOWER,
            b'-' | b'+' | b'/' | b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'~' => {
                SIGN
            }
            _ => 0,
        };
        if b == u8::MAX {
            break kinds;
        }
        b += 1;
    }
};

/// Random values have digits, or capitals in every other letter, or signs among mixed letters.
fn could_be_random(run: &[u8], kinds: u8) -> bool {
    if run.len() < MIN_VALUE {
        return false;
    }
    if kinds & DIGIT != 0 {
        return true;
    }
    if kinds & UPPER == 0 || kinds & LOWER == 0 {
        return false;
    }
    let joints = run.iter().skip(1).filter(|b| matches!(b, b'_' | b'='));
    kinds & SIGN != 0
        || joints.count() > 1
        || run.split(|b| !b.is_ascii_alphanumeric()).any(is_no_camel)
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

/// Returns the word of the same key before the one that starts here, or several that no sign
/// divides.
fn word_before(bytes: &[u8], start: usize) -> &str {
    let head = &bytes[start.saturating_sub(MAX_BEFORE)..start];
    let of_joint = |b: &&u8| matches!(b, b'_' | b'-' | b'.' | b' ');
    let joint = head.iter().rev().take_while(of_joint).count();
    let head = &head[..head.len() - joint];
    let word = head.iter().rev().take_while(|b| b.is_ascii_alphanumeric());
    std::str::from_utf8(&head[head.len() - word.count()..]).unwrap_or("")
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
    fn the_words_before_count() {
        let met = |text: &str, after: &str| {
            let whole = format!("{text}{after}");
            Follow::Random.is_met(whole.as_bytes(), text.len() - 3, text.len())
        };
        for text in ["AWS_SECRET_KEY", "privateKey", "é master key"] {
            assert!(met(text, "=word"), "{text}");
        }
        assert!(met("api_key", "_old=aB3dE6gH"));
        assert!(!met("api_key", "=word") && !met("key", "_old=aB3dE6gH"));
    }
}
