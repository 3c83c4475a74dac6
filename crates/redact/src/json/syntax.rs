//! Whether a text is one JSON document (RFC 8259), told without allocation.

use super::MAX_DEPTH;

/// Tells whether the text is one valid document that nests no deeper than a value that is walked.
///
/// An escape may stand for half of a surrogate pair, which only its use as text would refuse.
pub(super) fn is_document(text: &str) -> bool {
    let mut reader = Reader {
        bytes: text.as_bytes(),
        at: 0,
    };
    reader.document().is_some()
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn document(&mut self) -> Option<()> {
        // One bit a level: whether it is an object.
        let (mut objects, mut depth) = (0_u128, 0);
        loop {
            let first = self.next_sign()?;
            if matches!(first, b'{' | b'[') {
                if depth == MAX_DEPTH {
                    return None;
                }
                depth += 1;
                objects = objects << 1 | u128::from(first == b'{');
                self.at += 1;
                let is_empty = matches!(self.next_sign()?, b'}' | b']');
                if !is_empty {
                    self.key_of(objects)?;
                    continue;
                }
            } else {
                self.scalar(first)?;
            }
            // A value ended.
            loop {
                let sign = self.next_sign();
                if depth == 0 {
                    return sign.is_none().then_some(());
                }
                self.at += 1;
                match sign? {
                    b',' => break,
                    b'}' if objects & 1 == 1 => {}
                    b']' if objects & 1 == 0 => {}
                    _ => return None,
                }
                depth -= 1;
                objects >>= 1;
            }
            self.key_of(objects)?;
        }
    }

    /// Skips blanks and returns the byte after them.
    fn next_sign(&mut self) -> Option<u8> {
        let blank = |b: &&u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.rest().iter().take_while(blank).count();
        self.rest().first().copied()
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Reads the key of a member and its colon, in an object.
    fn key_of(&mut self, objects: u128) -> Option<()> {
        if objects & 1 == 0 {
            return Some(());
        }
        let first = self.next_sign()?;
        (first == b'"').then(|| self.string())??;
        let colon = self.next_sign()? == b':';
        self.at += 1;
        colon.then_some(())
    }

    fn scalar(&mut self, first: u8) -> Option<()> {
        let word = match first {
            b'"' => return self.string(),
            b't' => "true",
            b'f' => "false",
            b'n' => "null",
            _ => return self.number(),
        };
        let is_word = self.rest().starts_with(word.as_bytes());
        self.at += word.len();
        is_word.then_some(())
    }

    /// Reads a string from its first quote to its last.
    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let rest = self.rest();
            let length = memchr::memchr2(b'"', b'\\', rest)?;
            let least = rest[..length]
                .iter()
                .fold(u8::MAX, |least, b| least.min(*b));
            if least < b' ' {
                return None;
            }
            let skipped = match rest[length..] {
                [b'"', ..] => {
                    self.at += length + 1;
                    return Some(());
                }
                [
                    _,
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
                    ..,
                ] => 2,
                [_, b'u', a, b, c, d, ..] if [a, b, c, d].iter().all(u8::is_ascii_hexdigit) => 6,
                _ => return None,
            };
            self.at += length + skipped;
        }
    }

    fn number(&mut self) -> Option<()> {
        self.skip(b"-");
        if !self.skip(b"0") {
            self.digits()?;
        }
        if self.skip(b".") {
            self.digits()?;
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let digits = self.rest().iter().take_while(|b| b.is_ascii_digit());
        let count = digits.count();
        self.at += count;
        (count > 0).then_some(())
    }

    /// Skips one of these bytes, if one follows.
    fn skip(&mut self, any: &[u8]) -> bool {
        let skips = self.rest().first().is_some_and(|b| any.contains(b));
        self.at += usize::from(skips);
        skips
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    use super::*;

    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"\"",
        "\"\\n\\u00e9\"",
        "\"\\x\"",
        "\"\u{1}\"",
        "\"\\u12\"",
        "1",
        "0",
        "01",
        "-",
        "-0.5e+7",
        "1.",
        ".5",
        "1e",
        "true",
        "tru",
        "null",
        "false",
        " ",
        "\n",
        "\u{e9}",
        "\"\u{e9}\"",
        "{\"a\":1}",
        "[1,2]",
        "\"a\":",
        "[{}]",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn it_agrees_with_a_parser(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..9)) {
            let text = pieces.concat();
            prop_assert_eq!(is_document(&text), serde_json::from_str::<IgnoredAny>(&text).is_ok());
        }

        #[test]
        fn what_a_parser_writes_is_a_document(
            keys in prop::collection::vec("[a-z\"\\\\\u{0}-\u{1f}\u{e9}]{0,4}", 1..4), number in any::<f64>()
        ) {
            let value = serde_json::json!({"k": keys, "n": number, "o": {"p": [null, true, {}]}});
            prop_assert!(is_document(&value.to_string()));
            let indented = format!("{value:#}");
            prop_assert!(is_document(&indented));
        }
    }

    #[test]
    fn the_depth_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(is_document(&nested(MAX_DEPTH)));
        assert!(!is_document(&nested(MAX_DEPTH + 1)));
    }
}
