//! Values in YAML that are more than a word: properties, plain scalars with blanks, and blocks.

use std::ops::Range;

use super::literal::line_break;
use super::read::read;
use super::{Evidence, Value};
use crate::key::{self, Sensitivity};
use crate::value::is_dense;

/// Longest plain scalar with blanks, in bytes, and most words of it.
const MAX_SCALAR: usize = 96;
const MAX_WORDS: usize = 8;

/// Skips the anchor and tag of a node: `&name`, `!!str` (YAML 1.2, section 6.9).
pub(super) fn skip_properties(text: &str, from: usize) -> usize {
    let mut at = from;
    for _ in 0..2 {
        let rest = &text[at..];
        let sign = match rest.as_bytes() {
            [b'&', b'a'..=b'z' | b'A'..=b'Z', ..] => 1,
            _ if rest.starts_with("!!str ") || rest.starts_with("!!binary ") => 2,
            _ => break,
        };
        let of_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let length = rest[sign..].bytes().take(40).take_while(of_name).count();
        let next = at + sign + length + 1;
        if !rest[sign + length..].starts_with(' ')
            || text[next..].starts_with([' ', '\n', '&', '='])
        {
            break;
        }
        at = next;
    }
    at
}

/// Finds the end of a plain scalar that fills its line and has blanks inside (YAML 1.2, 7.3.3).
pub(super) fn end_of_scalar(
    text: &str,
    key: &Range<usize>,
    value: &Value,
    sensitivity: Sensitivity,
) -> usize {
    let Range { start, end } = value.range;
    let line = text[..key.start].trim_end_matches([' ', '-']);
    let starts = line.is_empty() || line.ends_with('\n');
    if sensitivity != Sensitivity::Strong || !starts || !text[end..].starts_with(' ') {
        return end;
    }
    let limit = text.len().min(end + MAX_SCALAR);
    let length = memchr::memchr2(b'\n', b'\r', &text.as_bytes()[end..limit]);
    let stop = length.map_or(limit, |at| end + at);
    let Some(scalar) = text.get(start..stop).filter(|_| stop < end + MAX_SCALAR) else {
        return end;
    };
    let scalar = scalar.trim_end();
    if is_plain(scalar) && is_made_up(scalar, &text[key.clone()]) {
        start + scalar.len()
    } else {
        end
    }
}

/// Tells whether nothing in the scalar reads like another member, a comment or a sentence.
fn is_plain(scalar: &str) -> bool {
    let plain = |word: &str| {
        !word.ends_with([':', ',', '.'])
            && !word.starts_with(['#', '-', '(', '"', '\'', '$', '{', '<', '|', '='])
            && !word.contains('=')
            && !GRAMMAR.iter().any(|known| known.eq_ignore_ascii_case(word))
    };
    let words = || scalar.split(' ').filter(|word| !word.is_empty());
    words().count() <= MAX_WORDS && words().all(plain)
}

/// Tells whether words without grammar were made up for a secret: numbers among them, or four
/// and more under a key that asks for a phrase.
fn is_made_up(scalar: &str, key: &str) -> bool {
    let words = || scalar.split(' ').filter(|word| !word.is_empty());
    let count = words().count();
    let number = |word: &str| {
        is_dense(word) || (2..=6).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit())
    };
    let dense = words().next().is_some_and(is_dense) && words().skip(1).any(is_dense);
    let long = |word: &str| word.len() >= 3 && word.chars().all(char::is_alphabetic);
    let phrase = key::last_word(key).is_some_and(|word| {
        let tail = word.len().saturating_sub("phrase".len());
        word.as_bytes()[tail..].eq_ignore_ascii_case(b"phrase")
    });
    dense
        || count >= 3 && words().next_back().is_some_and(number)
        || phrase && count >= 4 && words().all(long)
}

/// Words of sentences about secrets, which no generator of phrases uses.
const GRAMMAR: &[&str] = &[
    "a",
    "an",
    "and",
    "are",
    "as",
    "at",
    "be",
    "by",
    "can",
    "characters",
    "chars",
    "contain",
    "days",
    "default",
    "for",
    "from",
    "has",
    "have",
    "hours",
    "if",
    "in",
    "is",
    "it",
    "least",
    "length",
    "long",
    "max",
    "maximum",
    "min",
    "minimum",
    "minutes",
    "missing",
    "must",
    "no",
    "not",
    "of",
    "on",
    "or",
    "required",
    "same",
    "see",
    "should",
    "than",
    "that",
    "the",
    "this",
    "to",
    "use",
    "used",
    "was",
    "will",
    "with",
    "you",
    "your",
    "expired",
    "incorrect",
    "invalid",
    "line",
    "column",
    "attempt",
    "attempts",
    "version",
    "error",
    "failed",
    "field",
    "user",
    "account",
    "string",
    "optional",
    "expires",
    "changed",
];

/// Reads what stands on an indented line after `key:`, or after a block sign (YAML 1.2, section
/// 8.1): one word, and in a block the whole line.
pub(super) fn indented(text: &str, key: &Range<usize>, from: usize) -> Option<Value> {
    let bytes = text.as_bytes();
    let signs = |b: &u8| matches!(b, b' ' | b'|' | b'>' | b'-' | b'+');
    let signs = bytes[from..]
        .iter()
        .take(16)
        .take_while(|b| signs(b))
        .count();
    let block = text[from..from + signs].contains(['|', '>']);
    let line = &text[from + signs..];
    let breaks = line_break(line);
    if breaks == 0 {
        return None;
    }
    let next = &line[breaks..];
    let blanks = next
        .bytes()
        .take(64)
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    let body = &next[blanks..];
    let start = text.len() - body.len();
    if blanks == 0 || body.starts_with('-') || start > from + 64 {
        return None;
    }
    let mut value = read(text, start, key, Evidence::Spoken)?;
    if block && !value.quoted {
        let limit = text.floor_char_boundary(text.len().min(start + 2 * MAX_SCALAR));
        let line = text[start..limit]
            .split(['\n', '\r', '\\', '"'])
            .next()
            .unwrap_or("");
        value.range.end = start + line.trim_end().len();
        value.evidence = Evidence::Assigned;
        value.quoted = true;
    }
    let closed = usize::from(value.quoted && !block);
    let rest = &text[(value.range.end + closed).min(text.len())..];
    let alone = rest.trim_start_matches(' ').is_empty()
        || rest.starts_with(['\r', '"'])
        || line_break(rest) > 0;
    let content = &text[value.range.clone()];
    let member = content.contains(": ") || content.ends_with(':');
    (alone && !member).then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::scan::{assignment, masked_by};

    fn masked(text: &str) -> Vec<&str> {
        masked_by(assignment::find, text)
    }

    #[test]
    fn scalars_with_properties_blanks_and_blocks() {
        for (text, secret) in [
            ("  password: &pw salmon-quill-39\n", "salmon-quill-39"),
            ("password: !!str 39salmon\n", "39salmon"),
            (
                "passphrase: >\n  igloo-rocket-yarrow-onyx\nretries: 3\n",
                "igloo-rocket-yarrow-onyx",
            ),
            ("password: |-\n  tall oak and door\n", "tall oak and door"),
            (
                "password: Dolphin hammer parrot mango 73\nport: 21\n",
                "Dolphin hammer parrot mango 73",
            ),
            (
                "passphrase: dolphin hammer parrot mango\n",
                "dolphin hammer parrot mango",
            ),
        ] {
            assert_eq!(masked(text), [secret], "{text}");
        }
    }

    #[test]
    fn sentences_and_aliases_stay() {
        for text in [
            "password: *pw\n",
            "password: minimum length 12\n",
            "password: must have at least 8 characters\n",
            "password: &pw\n  a: 1\n",
            "passphrase: used to open the store\n",
        ] {
            assert_eq!(masked(text), Vec::<&str>::new(), "{text}");
        }
    }
}
