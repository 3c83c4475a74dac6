//! The vocabulary's hash, shared by the build script that fills the table and the crate that
//! reads it.

/// Slots of the table; a power of two over twice the vocabulary, so probes stay short.
pub(crate) const SLOTS: usize = 1 << 16;

/// Id that marks a free slot; above every token's id.
pub(crate) const EMPTY_ID: u16 = u16::MAX;

/// A running 64-bit FNV-1a hash (Fowler, Noll and Vo; RFC 9923).
///
/// It grows a byte at a time, so one pass over a word gives the hash of each of its prefixes.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(pub(crate) u64);

/// Where a string belongs in the table.
pub(crate) struct Place {
    /// First slot to look at.
    pub(crate) slot: usize,
    /// Bits of the hash kept in the slot, which settle most mismatches without the string.
    pub(crate) tag: u16,
}

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Continues the hash with more bytes.
    pub(crate) fn feed(self, bytes: &[u8]) -> Self {
        let step =
            |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Self(bytes.iter().fold(self.0, step))
    }

    /// Splits the hash into slot and tag.
    pub(crate) fn place(self) -> Place {
        let [.., tag_low, tag_high] = self.0.to_le_bytes();
        // The upper half folded onto the lower: FNV's low bits alone spread short strings badly.
        let [slot_low, slot_high, ..] = (self.0 ^ (self.0 >> 32)).to_le_bytes();
        Place {
            slot: usize::from(u16::from_le_bytes([slot_low, slot_high])),
            tag: u16::from_le_bytes([tag_low, tag_high]),
        }
    }
}

/// Steps to the next slot, round the end.
pub(crate) fn next_slot(slot: usize) -> usize {
    (slot + 1) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_published_vectors() {
        // The vectors of RFC 9923 for the empty string, "a" and "foobar".
        assert_eq!(Fnv::default().0, 0xcbf2_9ce4_8422_2325);
        assert_eq!(Fnv::default().feed(b"a").0, 0xaf63_dc4c_8601_ec8c);
        assert_eq!(Fnv::default().feed(b"foobar").0, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn grows_by_parts() {
        let whole = Fnv::default().feed(b"##ing").0;
        assert_eq!(Fnv::default().feed(b"##").feed(b"ing").0, whole);
    }
}
