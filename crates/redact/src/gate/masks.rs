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
    /// Blank and hyphen-minus, which group digits.
    pub(super) blank: u64,
    pub(super) dash: u64,
    pub(super) underscore: u64,
    pub(super) slash: u64,
    pub(super) plus: u64,
    pub(super) colon: u64,
    /// The letter that ends an ANSI colour.
    pub(super) m: u64,
    pub(super) rare: Rare,
}

/// Bytes that many blocks have none of.
#[derive(Clone, Copy, Default)]
pub(super) struct Rare {
    pub(super) newline: u64,
    pub(super) backslash: u64,
    pub(super) percent: u64,
    pub(super) dollar: u64,
    pub(super) tilde: u64,
    pub(super) ampersand: u64,
    pub(super) escape: u64,
    pub(super) star: u64,
    /// `[` and `{`, which open JSON and lists.
    pub(super) open: u64,
}

impl Masks {
    /// Classifies one block.
    #[inline(always)]
    pub(super) fn of(block: &[u8; BLOCK]) -> Self {
        let lanes = block.as_chunks::<16>().0;
        let v = [0, 1, 2, 3].map(|at: usize| u8x16::new(lanes[at]));
        let is = |b: u8| mask(v.map(|v| v.simd_eq(u8x16::splat(b))));
        // One look tells whether any of the rare bytes is there. A newline matters only beside
        // one, or as the last byte.
        let rare = |v: u8x16| {
            let one = |b: u8| v.simd_eq(u8x16::splat(b));
            one(b'\\')
                | one(0x1b)
                | one(b'&')
                | one(b'%')
                | one(b'$')
                | one(b'~')
                | one(b'*')
                | one(b'[')
                | one(b'{')
        };
        let any = rare(v[0]) | rare(v[1]) | rare(v[2]) | rare(v[3]);
        Self {
            letter: mask(v.map(|v| in_range(v | u8x16::splat(0x20), b'a', b'z'))),
            upper: mask(v.map(|v| in_range(v, b'A', b'Z'))),
            digit: mask(v.map(|v| in_range(v, b'0', b'9'))),
            lead: mask(v.map(|v| in_range(v, 0xC2, 0xF4))),
            blank: is(b' '),
            dash: is(b'-'),
            underscore: is(b'_'),
            slash: is(b'/'),
            plus: is(b'+'),
            colon: is(b':'),
            m: is(b'm'),
            rare: if any.any() {
                Rare::of(v)
            } else {
                Rare {
                    newline: u64::from(block[BLOCK - 1] == b'\n') << (BLOCK - 1),
                    ..Rare::default()
                }
            },
        }
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

impl Rare {
    #[inline(never)]
    fn of(v: [u8x16; 4]) -> Self {
        let is = |b: u8| mask(v.map(|v| v.simd_eq(u8x16::splat(b))));
        Self {
            newline: is(b'\n'),
            backslash: is(b'\\'),
            percent: is(b'%'),
            dollar: is(b'$'),
            tilde: is(b'~'),
            ampersand: is(b'&'),
            escape: is(0x1b),
            star: is(b'*'),
            open: is(b'[') | is(b'{'),
        }
    }
}

/// Joins the first bits of all lanes.
#[inline(always)]
fn mask(lanes: [u8x16; 4]) -> u64 {
    let [a, b, c, d] = lanes.map(|lane| u64::from(lane.to_bitmask()));
    a | b << 16 | c << 32 | d << 48
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
            check(masks.rare.open, matches!(b, b'[' | b'{'));
            check(masks.rare.star, b == b'*');
        }
    }

    #[test]
    fn bits_stand_in_the_order_of_the_bytes() {
        let mut block = [b' '; BLOCK];
        block[0] = b'A';
        block[17] = b'7';
        block[62] = b'$';
        block[63] = b'\n';
        let masks = Masks::of(&block);
        assert_eq!(masks.upper, 1);
        assert_eq!(masks.digit, 1 << 17);
        assert_eq!(masks.rare.newline, 1 << 63);
        assert_eq!(masks.rare.dollar, 1 << 62);
    }
}
