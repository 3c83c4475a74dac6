//! Identifiers: 16 random-enough bytes inside, ULID text outside.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use ulid::Ulid;

/// Text that is not a ULID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an id; expected 26 characters of Crockford base32 such as 01K1BZ3Y9H5V0000000000000A")]
pub struct IdParseError;

macro_rules! id_type {
    ($( $(#[$meta:meta])* $name:ident, )+) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 16]);

        impl $name {
            /// Wraps 16 bytes, most significant first.
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(bytes)
            }

            /// Returns the 16 bytes, most significant first.
            pub const fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }

            /// Returns the id `n` places further on, wrapping at the end of the space.
            #[must_use]
            pub const fn offset(self, n: u64) -> Self {
                Self(u128::from_be_bytes(self.0).wrapping_add(n as u128).to_be_bytes())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&Ulid::from_bytes(self.0), f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = IdParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ulid::from_string(text).map(|id| Self(id.to_bytes())).map_err(|_| IdParseError)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )+ };
}

id_type! {
    /// Identifies a memory.
    MemoryId,
    /// Identifies a tool event.
    EventId,
    /// Identifies a rule.
    RuleId,
    /// Identifies a commit; the same id means the same request.
    CommitId,
    /// Identifies one stage of a deletion certificate.
    CertificateId,
    /// Identifies an entity.
    EntityId,
    /// Identifies a contradiction.
    ContradictionId,
    /// Identifies a guard decision.
    ReceiptId,
    /// Identifies a store, for its whole life.
    StoreId,
}

/// A 32-byte digest: a SHA-256, or an HMAC of one where the input could be guessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Wraps 32 bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl FromStr for Digest {
    type Err = IdParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.as_bytes();
        if text.len() != 64 {
            return Err(IdParseError);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let nibble = |c: u8| match c {
                b'0'..=b'9' => Ok(c - b'0'),
                b'a'..=b'f' => Ok(c - b'a' + 10),
                _ => Err(IdParseError),
            };
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_as_ulids_and_sort_as_their_bytes() {
        let id: MemoryId = "01K1BZ3Y9H5V0000000000000A".parse().unwrap();
        assert_eq!(id.to_string(), "01K1BZ3Y9H5V0000000000000A");
        assert_eq!(id.offset(1).to_string(), "01K1BZ3Y9H5V0000000000000B");
        assert!(id < id.offset(1));
        assert_eq!("nonsense".parse::<MemoryId>(), Err(IdParseError));
    }

    #[test]
    fn digests_are_lower_case_hex() {
        let digest = Digest::from_bytes([0xab; 32]);
        assert_eq!(digest.to_string(), "ab".repeat(32));
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert_eq!("AB".repeat(32).parse::<Digest>(), Err(IdParseError));
    }
}
