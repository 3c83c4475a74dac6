//! SHA-256 with the domain separation of RFC 6962, and strict hexadecimal.

use precedent_core::Digest;
use sha2::{Digest as _, Sha256};

/// Domain byte in front of a leaf (RFC 6962 section 2.1).
const LEAF_PREFIX: u8 = 0x00;
/// Domain byte in front of an interior node (RFC 6962 section 2.1).
const NODE_PREFIX: u8 = 0x01;

/// Hashes bytes with plain SHA-256 (FIPS 180-4), without a domain byte.
pub fn sha256(bytes: &[u8]) -> Digest {
    Digest::from_bytes(Sha256::digest(bytes).into())
}

/// Hashes the canonical bytes of an entry: SHA-256(0x00 ‖ entry).
///
/// The value is the entry's hash in the linear chain and its leaf in an RFC 6962 tree.
pub fn leaf(entry: &[u8]) -> Digest {
    let mut hasher = Sha256::new();
    hasher.update([LEAF_PREFIX]);
    hasher.update(entry);
    Digest::from_bytes(hasher.finalize().into())
}

/// Hashes two subtrees: SHA-256(0x01 ‖ left ‖ right), RFC 6962 section 2.1.
pub fn node(left: &Digest, right: &Digest) -> Digest {
    let mut hasher = Sha256::new();
    hasher.update([NODE_PREFIX]);
    hasher.update(left.as_bytes());
    hasher.update(right.as_bytes());
    Digest::from_bytes(hasher.finalize().into())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_digest_matches_fips_180() {
        assert_eq!(
            sha256(b"abc").to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn leaf_of_nothing_matches_rfc_6962_test_data() {
        assert_eq!(
            leaf(b"").to_string(),
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
        );
    }

    #[test]
    fn hex_is_lowercase_and_padded() {
        assert_eq!(hex(&[0x00, 0x0a, 0xff]), "000aff");
    }
}
