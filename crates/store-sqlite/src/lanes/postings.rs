//! The lexical index as it is stored: blocks of fixed-width postings, a few hundred to a row.
//!
//! A posting is 10 bytes, little-endian: memory (u32), chunk of its text (u16), occurrences of the
//! term (u16), length of the chunk (u16). A term's blocks are keyed by its id and their number and
//! are in the order of (memory, chunk), since a new memory has the highest number.

use std::collections::BTreeMap;

use precedent_core::analyze::Chunk;
use precedent_core::{StoreError, StoreErrorKind};

use crate::error::{Failure, Fallible};

/// Bytes of a posting.
pub(crate) const POSTING_BYTES: usize = 10;
/// Postings of a full block: three such blocks fill a page.
pub(crate) const BLOCK: usize = 256;
/// Bits of a key that number a term's blocks.
const NUMBER_BITS: u32 = 20;

/// One occurrence of a term in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting {
    /// The memory.
    pub(crate) seq: u32,
    /// Which chunk of its text.
    pub(crate) chunk: u16,
    /// How often the term occurs in the chunk.
    pub(crate) frequency: u16,
    /// How many terms the chunk has.
    pub(crate) length: u16,
}

impl Posting {
    /// Appends the posting to a block.
    pub(crate) fn write(self, block: &mut Vec<u8>) {
        block.extend_from_slice(&self.seq.to_le_bytes());
        block.extend_from_slice(&self.chunk.to_le_bytes());
        block.extend_from_slice(&self.frequency.to_le_bytes());
        block.extend_from_slice(&self.length.to_le_bytes());
    }

    /// Reads a posting.
    pub(crate) const fn read(bytes: &[u8; POSTING_BYTES]) -> Self {
        let [s0, s1, s2, s3, c0, c1, f0, f1, l0, l1] = *bytes;
        Self {
            seq: u32::from_le_bytes([s0, s1, s2, s3]),
            chunk: u16::from_le_bytes([c0, c1]),
            frequency: u16::from_le_bytes([f0, f1]),
            length: u16::from_le_bytes([l0, l1]),
        }
    }
}

/// Splits a block into postings; a rest means that the block is damaged.
pub(crate) fn decode(block: &[u8]) -> Fallible<&[[u8; POSTING_BYTES]]> {
    match block.as_chunks::<POSTING_BYTES>() {
        (postings, []) => Ok(postings),
        _ => Err(Failure::Unreadable),
    }
}

/// Returns the first and the last key that a term's blocks can have.
pub(crate) const fn keys_of(term: i64) -> (i64, i64) {
    let first = term << NUMBER_BITS;
    (first, first + (1 << NUMBER_BITS) - 1)
}

/// What a document adds to the index, term by term.
pub(crate) struct Document {
    /// Postings by term.
    pub(crate) terms: BTreeMap<String, Vec<Posting>>,
    /// Chunks.
    pub(crate) documents: u64,
    /// The sum of their lengths.
    pub(crate) length: u64,
    /// Postings.
    pub(crate) postings: u64,
}

impl Document {
    /// Turns an analysed text into postings of the memory `seq`.
    pub(crate) fn new(seq: u32, chunks: Vec<Chunk>) -> Fallible<Self> {
        let too_long = || {
            Failure::Store(
                StoreError::new(StoreErrorKind::InvalidInput, "indexing a text")
                    .advise("split the text into several memories"),
            )
        };
        let mut document = Self {
            terms: BTreeMap::new(),
            documents: chunks.len() as u64,
            length: chunks.iter().map(|chunk| u64::from(chunk.length)).sum(),
            postings: chunks.iter().map(|chunk| chunk.terms.len() as u64).sum(),
        };
        for (number, chunk) in chunks.into_iter().enumerate() {
            let number = u16::try_from(number).map_err(|_| too_long())?;
            let length = u16::try_from(chunk.length).map_err(|_| too_long())?;
            for (term, frequency) in chunk.terms {
                document.terms.entry(term).or_default().push(Posting {
                    seq,
                    chunk: number,
                    frequency: u16::try_from(frequency).map_err(|_| too_long())?,
                    length,
                });
            }
        }
        Ok(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_posting_is_ten_bytes_little_endian() {
        let posting = Posting {
            seq: 0x0102_0304,
            chunk: 3,
            frequency: 258,
            length: 160,
        };
        let mut block = Vec::new();
        posting.write(&mut block);
        assert_eq!(block, [4, 3, 2, 1, 3, 0, 2, 1, 160, 0]);
        assert!(decode(&block[..9]).is_err());
    }

    proptest! {
        #[test]
        fn postings_round_trip(seq: u32, chunk: u16, frequency: u16, length: u16) {
            let posting = Posting { seq, chunk, frequency, length };
            let mut block = Vec::new();
            posting.write(&mut block);
            let read: Vec<Posting> = decode(&block).ok().unwrap().iter().map(Posting::read).collect();
            prop_assert_eq!(read, vec![posting]);
        }
    }
}
