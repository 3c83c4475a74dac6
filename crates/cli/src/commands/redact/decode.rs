//! Text encodings of what comes in: UTF-8 as it is, UTF-16 turned into text.

use std::borrow::Cow;

/// How many bytes must look like UTF-16 before text without a mark is taken for it.
const EVIDENCE: usize = 8;

/// Which of a unit's two bytes comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Little,
    Big,
}

/// A piece that was decoded.
#[derive(PartialEq, Eq, Debug)]
pub enum Piece<'a> {
    /// Bytes that may be UTF-8.
    Bytes(Cow<'a, [u8]>),
    /// Text that came in another encoding.
    Text(String),
}

/// Finds out the encoding from the first bytes and turns what comes into pieces.
///
/// A byte order mark decides (RFC 2781, section 3.2). Without one, text is UTF-16 if one of the
/// bytes of each of its first four units is zero, as in ASCII, and always the same one. The
/// encoding is decided once: what is joined from several is read as the first.
#[derive(Debug, Default)]
pub enum Decoder {
    /// Nothing has come.
    #[default]
    Start,
    /// As `Start`, with the bytes that came.
    Undecided(Vec<u8>),
    /// UTF-8, or bytes that are no text.
    Utf8,
    /// UTF-16 in one of its orders.
    Utf16(Utf16),
}

/// Decodes UTF-16 whose units may come in pieces.
#[derive(Debug)]
pub struct Utf16 {
    order: Order,
    /// The first byte of a unit.
    odd: Option<u8>,
    /// The first unit of a pair of surrogates.
    high: Option<u16>,
}

/// What the first bytes say.
enum Guess {
    Utf8,
    /// The number of bytes that are a mark, and the order.
    Utf16(usize, Order),
    /// More bytes decide.
    Open,
}

impl Decoder {
    /// Takes bytes and returns what can be told of them by now.
    pub fn push<'a>(&mut self, bytes: &'a [u8]) -> Piece<'a> {
        match self {
            Self::Utf8 => Piece::Bytes(Cow::Borrowed(bytes)),
            Self::Utf16(utf16) => Piece::Text(utf16.push(bytes)),
            Self::Start => self.begin(Cow::Borrowed(bytes), false),
            Self::Undecided(held) => {
                let mut held = std::mem::take(held);
                held.extend_from_slice(bytes);
                self.begin(Cow::Owned(held), false)
            }
        }
    }

    /// Returns the rest when nothing follows.
    pub fn finish(mut self) -> Piece<'static> {
        let mut rest = Piece::Text(String::new());
        if let Self::Undecided(held) = &mut self {
            let held = std::mem::take(held);
            rest = self.begin(Cow::Owned(held), true);
        }
        if let (Self::Utf16(utf16), Piece::Text(text)) = (&mut self, &mut rest) {
            text.push_str(utf16.finish());
        }
        rest
    }

    fn begin<'a>(&mut self, bytes: Cow<'a, [u8]>, last: bool) -> Piece<'a> {
        match guess(&bytes, last) {
            Guess::Utf8 => {
                *self = Self::Utf8;
                Piece::Bytes(bytes)
            }
            Guess::Utf16(mark, order) => {
                let mut utf16 = Utf16 {
                    order,
                    odd: None,
                    high: None,
                };
                let text = utf16.push(&bytes[mark..]);
                *self = Self::Utf16(utf16);
                Piece::Text(text)
            }
            Guess::Open => {
                *self = Self::Undecided(bytes.into_owned());
                Piece::Text(String::new())
            }
        }
    }
}

fn guess(bytes: &[u8], last: bool) -> Guess {
    match bytes {
        [0xff, 0xfe, ..] => return Guess::Utf16(2, Order::Little),
        [0xfe, 0xff, ..] => return Guess::Utf16(2, Order::Big),
        [] | [_] if last => return Guess::Utf8,
        [] | [_] => return Guess::Open,
        _ => {}
    }
    let units = bytes.chunks_exact(2).take(EVIDENCE / 2);
    let zero = |at: usize| {
        let mut units = units.clone();
        units.all(|unit| unit[at] == 0 && unit[1 - at] != 0)
    };
    let order = match (zero(1), zero(0)) {
        (true, _) => Order::Little,
        (_, true) => Order::Big,
        _ => return Guess::Utf8,
    };
    if last || bytes.len() >= EVIDENCE {
        Guess::Utf16(0, order)
    } else {
        Guess::Open
    }
}

impl Utf16 {
    fn push(&mut self, bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len());
        for byte in bytes {
            let Some(first) = self.odd.take() else {
                self.odd = Some(*byte);
                continue;
            };
            self.take(
                match self.order {
                    Order::Little => u16::from_le_bytes([first, *byte]),
                    Order::Big => u16::from_be_bytes([first, *byte]),
                },
                &mut text,
            );
        }
        text
    }

    /// Takes a unit; half a pair of surrogates becomes U+FFFD.
    fn take(&mut self, unit: u16, text: &mut String) {
        let is_high = (0xd800..0xdc00).contains(&unit);
        let units = self
            .high
            .take()
            .into_iter()
            .chain((!is_high).then_some(unit));
        text.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        if is_high {
            self.high = Some(unit);
        }
    }

    /// Tells what half a unit or half a pair at the end becomes.
    fn finish(&mut self) -> &'static str {
        match (self.high.take(), self.odd.take()) {
            (None, None) => "",
            (Some(_), Some(_)) => "\u{fffd}\u{fffd}",
            _ => "\u{fffd}",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes bytes that come in these pieces.
    fn decoded(pieces: &[&[u8]]) -> String {
        let mut decoder = Decoder::default();
        let mut text = String::new();
        let mut add = |piece: Piece<'_>| match piece {
            Piece::Bytes(bytes) => text.push_str(&String::from_utf8_lossy(&bytes)),
            Piece::Text(piece) => text.push_str(&piece),
        };
        for piece in pieces {
            add(decoder.push(piece));
        }
        add(decoder.finish());
        text
    }

    fn little(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn big(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    }

    #[test]
    fn utf16_is_read_in_any_pieces() {
        let text = "a key: gr4nite é 密 \u{1f600}\n";
        for (mark, bytes) in [
            (&b"\xff\xfe"[..], little(text)),
            (b"\xfe\xff", big(text)),
            (b"", little(text)),
            (b"", big(text)),
        ] {
            let bytes = [mark, &bytes].concat();
            for at in 0..=bytes.len() {
                assert_eq!(decoded(&[&bytes[..at], &bytes[at..]]), text, "{at}");
            }
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(decoded(&single), text);
        }
        assert_eq!(decoded(&[&little("ab")]), "ab");
    }

    #[test]
    fn other_bytes_are_left_alone() {
        for text in [
            "",
            "a",
            "\0",
            "ab",
            "plain text\n",
            "a\0b\0cd\0",
            "\0\0\0\0\0\0\0\0",
            "é密",
        ] {
            assert_eq!(decoded(&[text.as_bytes()]), text, "{text:?}");
        }
        assert_eq!(decoded(&[b"\xff"]), "\u{fffd}");
        let mut decoder = Decoder::default();
        let first = decoder.push(b"ok");
        assert_eq!(first, Piece::Bytes(Cow::Borrowed(b"ok")), "at once");
    }

    #[test]
    fn halves_become_replacement_characters() {
        assert_eq!(decoded(&[b"\xff\xfea\0b"]), "a\u{fffd}");
        let half = [&b"\xff\xfe"[..], &0xd83d_u16.to_le_bytes(), b"a\0"].concat();
        assert_eq!(decoded(&[&half]), "\u{fffd}a");
        let last = [&b"\xff\xfe"[..], &0xd83d_u16.to_le_bytes(), b"a"].concat();
        assert_eq!(decoded(&[&last]), "\u{fffd}\u{fffd}");
        let low = [&b"\xff\xfe"[..], &0xde00_u16.to_le_bytes()].concat();
        assert_eq!(decoded(&[&low]), "\u{fffd}");
    }
}
