//! The normaliser's character classes.

use crate::table::{CONTROL, MARK, PUNCTUATION};

/// Whether the normaliser drops the character.
pub(super) fn is_control(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r');
    }
    within(CONTROL, c)
}

/// Whether the character is an accent that goes once decomposed.
pub(super) fn is_mark(c: char) -> bool {
    !c.is_ascii() && within(MARK, c)
}

/// Whether the character is a word of its own.
pub(super) fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_punctuation()
    } else {
        within(PUNCTUATION, c)
    }
}

/// Whether the character is an ideograph, which the normaliser sets apart with spaces.
///
/// The blocks are those of the reference, its late start of extension E included.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(
        u32::from(c),
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x2_0000..=0x2_A6DF
            | 0x2_A700..=0x2_B73F
            | 0x2_B740..=0x2_B81F
            | 0x2_B920..=0x2_CEAF
            | 0xF900..=0xFAFF
            | 0x2_F800..=0x2_FA1F
    )
}

/// Whether one of the ascending ranges holds the character.
fn within(ranges: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    let after = ranges.partition_point(|range| range.0 <= c);
    after > 0 && c <= ranges[after - 1].1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ascii_short_cuts_agree_with_the_tables() {
        for c in (0..0x80).filter_map(char::from_u32) {
            assert_eq!(is_control(c), within(CONTROL, c), "{c:?}");
            assert_eq!(is_mark(c), within(MARK, c), "{c:?}");
            assert_eq!(is_punctuation(c), within(PUNCTUATION, c), "{c:?}");
        }
    }

    #[test]
    fn knows_characters_of_each_class() {
        assert!(is_control('\u{200b}') && is_control('\u{fffd}') && !is_control('\n'));
        assert!(is_mark('\u{301}') && !is_mark('é'));
        assert!(is_punctuation('\u{2014}') && is_punctuation('。') && is_punctuation('$'));
        assert!(is_ideograph('数') && !is_ideograph('か'));
    }
}
