//! SHA-256 values with the domain separation of RFC 6962.

use std::fmt;

use sha2::{Digest, Sha256};

/// Domain byte in front of a leaf (RFC 6962 section 2.1).
const LEAF_PREFIX: u8 = 0x00;
/// Domain byte in front of an interior node (RFC 6962 section 2.1).
const NODE_PREFIX: u8 = 0x01;

/// A SHA-256 value; shown and parsed as 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

impl Hash {
    /// Wraps 32 raw bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Borrows the 32 raw bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Hashes `bytes` with plain SHA-256 (FIPS 180-4), without a domain byte.
    pub fn digest(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Hashes the canonical bytes of an entry: SHA-256(0x00 ‖ entry).
    ///
    /// The value is the entry's hash in the linear chain and its leaf in an RFC 6962 tree.
    pub fn leaf(entry: &[u8]) -> Self {
        let mut hasher = Sha256::new();
        hasher.update([LEAF_PREFIX]);
        hasher.update(entry);
        Self(hasher.finalize().into())
    }

    /// Hashes two subtrees: SHA-256(0x01 ‖ left ‖ right), RFC 6962 section 2.1.
    pub fn node(left: &Self, right: &Self) -> Self {
        let mut hasher = Sha256::new();
        hasher.update([NODE_PREFIX]);
        hasher.update(left.0);
        hasher.update(right.0);
        Self(hasher.finalize().into())
    }

    /// Parses 64 lowercase hexadecimal digits; anything else is `None`.
    pub fn from_hex(text: &str) -> Option<Self> {
        parse_hex(text).map(Self)
    }

    /// Formats the value as 64 lowercase hexadecimal digits.
    pub fn to_hex(self) -> String {
        hex(&self.0)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

/// Formats bytes as lowercase hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 0x0f)]));
    }
    text
}

/// Parses exactly 64 lowercase hexadecimal digits.
pub(crate) fn parse_hex(text: &str) -> Option<[u8; 32]> {
    let digits: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0_u8; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = (nibble(pair[0])? << 4) | nibble(pair[1])?;
    }
    Some(bytes)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_digest_matches_fips_180() {
        assert_eq!(
            Hash::digest(b"abc").to_hex(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn leaf_of_nothing_matches_rfc_6962_test_data() {
        assert_eq!(
            Hash::leaf(b"").to_hex(),
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
        );
    }

    #[test]
    fn hex_is_strict() {
        let hash = Hash::digest(b"x");
        assert_eq!(Hash::from_hex(&hash.to_hex()), Some(hash));
        assert_eq!(Hash::from_hex(&hash.to_hex().to_uppercase()), None);
        assert_eq!(Hash::from_hex(&hash.to_hex()[1..]), None);
        assert_eq!(Hash::from_hex(&format!("{hash}0")), None);
    }
}
