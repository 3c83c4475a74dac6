//! Classes of bytes, 64 at a time: one bit a byte.

use wide::u8x16;

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 64;

/// The classes of one block; bit `i` speaks of byte `i`.
#[derive(Clone, Copy, Default)]
pub(super) struct Masks {
    pub(super) letter: u64,
    pub(super) upper: u64,
    pub(super) digit: u64,
    /// First bytes of characters beyond ASCII.
    pub(super) lead: u64,
    pub(super) newline: u64,
    /// Blank or hyphen-minus, which group digits.
    pub(super) blank: u64,
    pub(super) dash: u64,
    pub(super) underscore: u64,
    pub(super) slash: u64,
    pub(super) plus: u64,
    pub(super) colon: u64,
    pub(super) backslash: u64,
    pub(super) percent: u64,
    pub(super) dollar: u64,
    pub(super) tilde: u64,
    pub(super) star: u64,
    /// `[` and `{`, which open JSON and lists.
    pub(super) open: u64,
    /// The letter that ends an ANSI colour.
    pub(super) m: u64,
}

impl Masks {
    /// Classifies one block.
    pub(super) fn of(block: &[u8; BLOCK]) -> Self {
        let mut masks = Self::default();
        for (at, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
            masks.add(u8x16::new(*bytes), at * 16);
        }
        masks
    }

    #[inline(always)]
    fn add(&mut self, v: u8x16, shift: usize) {
        let bits = |lanes: u8x16| u64::from(lanes.to_bitmask()) << shift;
        let is = |b: u8| bits(v.simd_eq(u8x16::splat(b)));
        self.letter |= bits(in_range(v | u8x16::splat(0x20), b'a', b'z'));
        self.upper |= bits(in_range(v, b'A', b'Z'));
        self.digit |= bits(in_range(v, b'0', b'9'));
        self.lead |= bits(in_range(v, 0xC2, 0xF4));
        self.newline |= is(b'\n');
        self.blank |= is(b' ');
        self.dash |= is(b'-');
        self.underscore |= is(b'_');
        self.slash |= is(b'/');
        self.plus |= is(b'+');
        self.colon |= is(b':');
        self.backslash |= is(b'\\');
        self.percent |= is(b'%');
        self.dollar |= is(b'$');
        self.tilde |= is(b'~');
        self.star |= is(b'*');
        self.open |= is(b'[') | is(b'{');
        self.m |= is(b'm');
    }

    /// Letters and digits.
    pub(super) fn word(&self) -> u64 {
        self.letter | self.digit
    }

    /// Either base64 alphabet (RFC 4648, sections 4 and 5), without padding.
    pub(super) fn base64(&self) -> u64 {
        self.word() | self.slash | self.plus | self.dash | self.underscore
    }

    /// Lower-case letters and digits, after which a capital starts a word.
    pub(super) fn low(&self) -> u64 {
        self.letter & !self.upper | self.digit
    }
}

#[inline(always)]
fn in_range(v: u8x16, low: u8, high: u8) -> u8x16 {
    let offset = v - u8x16::splat(low);
    offset.min(u8x16::splat(high - low)).simd_eq(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_class() {
        for b in 0..=u8::MAX {
            let masks = Masks::of(&[b; BLOCK]);
            let check = |mask: u64, expected: bool| {
                assert_eq!(mask, if expected { u64::MAX } else { 0 }, "{b:#x}");
            };
            check(masks.letter, b.is_ascii_alphabetic());
            check(masks.upper, b.is_ascii_uppercase());
            check(masks.digit, b.is_ascii_digit());
            check(masks.lead, (0xC2..=0xF4).contains(&b));
            check(masks.base64(), crate::scan::bytes::is_base64(b));
            check(masks.open, matches!(b, b'[' | b'{'));
        }
    }

    #[test]
    fn bits_stand_in_the_order_of_the_bytes() {
        let mut block = [b' '; BLOCK];
        block[0] = b'A';
        block[17] = b'7';
        block[63] = b'\n';
        let masks = Masks::of(&block);
        assert_eq!(masks.upper, 1);
        assert_eq!(masks.digit, 1 << 17);
        assert_eq!(masks.newline, 1 << 63);
    }
}
