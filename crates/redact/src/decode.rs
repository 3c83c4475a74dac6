//! Reads bytes as text, whatever their encoding.

use std::borrow::Cow;

/// Bytes that are looked at to tell UTF-16 without a mark.
const SAMPLE: usize = 64;

/// Decodes UTF-8, or UTF-16 with a byte order mark or that its zeros give away (Unicode Standard,
/// section 23.8). What cannot be decoded becomes U+FFFD.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(wide(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(wide(rest, u16::from_be_bytes)),
        _ if zeros_at(bytes, 1) => Cow::Owned(wide(bytes, u16::from_le_bytes)),
        _ if zeros_at(bytes, 0) => Cow::Owned(wide(bytes, u16::from_be_bytes)),
        _ => String::from_utf8_lossy(bytes),
    }
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let mut text: String = char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

/// Tells whether one byte of each of the first pairs is zero, and the other is not.
fn zeros_at(bytes: &[u8], at: usize) -> bool {
    let pairs = bytes[..bytes.len().min(SAMPLE)].as_chunks::<2>().0;
    pairs.len() >= 4 && pairs.iter().all(|pair| pair[at] == 0 && pair[1 - at] != 0)
}
