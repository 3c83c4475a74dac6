//! The vector index as it is stored: rows of 256 slots that are scanned whole.
//!
//! A row is, little-endian: 256 memory numbers (u32, 0 for an empty slot), 256 scales (f32), 256
//! codes of one signed byte a component. A component is its code times the slot's scale. Slots are
//! written in place, so that only their pages are touched; an erased slot is zeros again.

use precedent_core::Kind;
use rusqlite::{Connection, MAIN_DB, params};

use super::tables;
use crate::codec::int;
use crate::error::{Failure, Fallible};
use crate::simd::{self, Kernel};

/// Slots of a row.
pub(crate) const SLOTS: usize = 256;
/// Bits of a key that number a partition's rows.
const NUMBER_BITS: u32 = 20;
/// Bytes of a memory number, and of a scale.
const WORD: usize = 4;
/// The largest code.
const LARGEST: f32 = 127.0;
/// What rounding to single precision can do to a sum of a few thousand products of unit vectors'
/// components.
const ARITHMETIC: f32 = 2e-5;

/// A vector in a signed byte a component.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Coded {
    scale: f32,
    /// Signed bytes, one a component.
    pub(crate) codes: Vec<u8>,
}

impl Coded {
    /// Rounds a vector to 127 steps on either side of zero, in a scale of its own.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "components divided by the largest one times 127 lie in -127..=127"
    )]
    pub(crate) fn new(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let scale = largest / LARGEST;
        let step = if scale > 0.0 { scale.recip() } else { 0.0 };
        let codes = vector
            .iter()
            .map(|x| ((x * step).round().clamp(-LARGEST, LARGEST) as i8).cast_unsigned())
            .collect();
        Self { scale, codes }
    }
}

/// Returns how many bytes a row has.
const fn row_bytes(dimension: usize) -> usize {
    SLOTS * (2 * WORD + dimension)
}

fn too_many() -> Failure {
    Failure::refuse(precedent_core::StoreErrorKind::Full, "indexing a vector")
}

/// Returns the key of the row that holds a slot, and the slot's place in it.
fn place(part: i64, slot: u64) -> Fallible<(i64, usize)> {
    let number = int(slot / SLOTS as u64);
    if number >= 1 << NUMBER_BITS {
        return Err(too_many());
    }
    let place = usize::try_from(slot % SLOTS as u64).map_err(|_| too_many())?;
    Ok(((part << NUMBER_BITS) + number, place))
}

/// Returns the keys of a partition's rows, up to the one that holds slot number `slots`.
pub(crate) fn keys_of(part: i64, slots: u64) -> (i64, i64) {
    let first = part << NUMBER_BITS;
    (first, first + int(slots / SLOTS as u64))
}

/// Writes a vector into a slot; slots are given out in order.
pub(crate) fn write(
    database: &Connection,
    kind: Kind,
    part: i64,
    slot: u64,
    seq: u32,
    coded: &Coded,
) -> Fallible<()> {
    let (key, place) = place(part, slot)?;
    if place == 0 {
        let bytes = int(row_bytes(coded.codes.len()) as u64);
        database
            .prepare_cached(tables::of(kind).make_chunk)?
            .execute(params![key, bytes])?;
    }
    overwrite(database, kind, key, place, seq, coded)
}

/// Overwrites a slot with zeros.
pub(crate) fn erase(
    database: &Connection,
    kind: Kind,
    part: i64,
    slot: u64,
    dimension: usize,
) -> Fallible<()> {
    let (key, place) = place(part, slot)?;
    let nothing = Coded {
        scale: 0.0,
        codes: vec![0; dimension],
    };
    overwrite(database, kind, key, place, 0, &nothing)
}

fn overwrite(
    database: &Connection,
    kind: Kind,
    key: i64,
    place: usize,
    seq: u32,
    coded: &Coded,
) -> Fallible<()> {
    let dimension = coded.codes.len();
    let mut row = database.blob_open(MAIN_DB, tables::of(kind).vector, "data", key, false)?;
    if row.len() != row_bytes(dimension) {
        return Err(Failure::Unreadable);
    }
    row.write_at(&seq.to_le_bytes(), place * WORD)?;
    row.write_at(&coded.scale.to_le_bytes(), (SLOTS + place) * WORD)?;
    row.write_at(&coded.codes, SLOTS * 2 * WORD + place * dimension)?;
    row.close()?;
    Ok(())
}

/// Deletes a partition's rows.
pub(crate) fn delete(database: &Connection, kind: Kind, part: i64) -> Fallible<()> {
    let (first, _) = keys_of(part, 0);
    let last = first + (1 << NUMBER_BITS) - 1;
    database
        .prepare_cached(tables::of(kind).delete_chunks)?
        .execute([first, last])?;
    Ok(())
}

/// A query in two bytes a component, to be compared with codes.
pub(crate) struct CodedQuery {
    kernel: Kernel,
    components: Vec<i16>,
    scale: f32,
    /// The sum of the components' sizes: a code errs by half its scale in each.
    taxicab: f32,
    /// By how much the query's own rounding and the arithmetic can change a sum.
    slack: f32,
}

impl CodedQuery {
    /// Rounds a query vector, brought to the length of the stored ones.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "components divided by the largest one times the limit lie within the limit, \
                  dimensions are a few thousand"
    )]
    pub(crate) fn new(vector: &[f32], dimension: usize) -> Self {
        let limit = f32::from(simd::query_limit(dimension));
        let largest = vector.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let scale = largest / limit;
        let step = if scale > 0.0 { scale.recip() } else { 0.0 };
        let mut components: Vec<i16> = vector
            .iter()
            .map(|x| (x * step).round().clamp(-limit, limit) as i16)
            .collect();
        components.resize(dimension, 0);
        Self {
            kernel: Kernel::detect(),
            components,
            scale,
            taxicab: vector.iter().take(dimension).map(|x| x.abs()).sum(),
            // The components of a unit vector sum to at most the square root of their number.
            slack: 0.5 * scale * (dimension as f32).sqrt() + ARITHMETIC,
        }
    }

    /// Adds the most that the cosine of every live slot of a row can be to `bounds`.
    ///
    /// # Errors
    /// [`Failure::Unreadable`] for a row that does not have the length it should.
    #[expect(clippy::cast_precision_loss, reason = "the slack covers it")]
    pub(crate) fn scan(&self, row: &[u8], bounds: &mut Vec<(f32, u32)>) -> Fallible<()> {
        if row.len() != row_bytes(self.components.len()) {
            return Err(Failure::Unreadable);
        }
        let (words, codes) = row.split_at(SLOTS * 2 * WORD);
        let (words, _) = words.as_chunks::<WORD>();
        let (seqs, scales) = words.split_at(SLOTS);
        let codes = signed(codes);
        let mut sums = [0i32; SLOTS];
        self.kernel.dots(codes, &self.components, &mut sums);
        for ((seq, scale), sum) in seqs.iter().zip(scales).zip(sums) {
            let seq = u32::from_le_bytes(*seq);
            if seq != 0 {
                let scale = f32::from_le_bytes(*scale);
                let near = sum as f32 * (scale * self.scale);
                bounds.push((near + 0.5 * scale * self.taxicab + self.slack, seq));
            }
        }
        Ok(())
    }
}

/// Views bytes as signed.
fn signed(bytes: &[u8]) -> &[i8] {
    pulp::bytemuck::cast_slice(bytes)
}

/// Counts the live slots of a row, whatever its dimension.
pub(crate) fn live(row: &[u8]) -> u64 {
    let (words, _) = row.as_chunks::<WORD>();
    let seqs = words.iter().take(SLOTS);
    seqs.filter(|seq| **seq != [0; WORD]).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_core::{StoreId, vector};
    use proptest::prelude::*;

    fn database() -> Connection {
        let mut database = Connection::open_in_memory().unwrap();
        assert!(
            crate::schema::migrate(&mut database, StoreId::from_bytes([0; 16]), None, false)
                .is_ok()
        );
        database
    }

    fn rows(database: &Connection) -> Vec<Vec<u8>> {
        let mut statement = database.prepare(tables::of(Kind::Semantic).chunks).unwrap();
        let (first, last) = keys_of(5, 600);
        statement
            .query_map([first, last], |row| row.get(1))
            .unwrap()
            .map(Result::unwrap)
            .collect()
    }

    #[test]
    fn slots_are_written_in_place_and_erased_to_zeros() {
        let database = database();
        let coded = Coded::new(&[0.6, -0.8, 0.0]);
        assert_eq!(coded.codes, [95, 129, 0]);
        for slot in 0..300u32 {
            let seq = slot + 1;
            assert!(write(&database, Kind::Semantic, 5, u64::from(slot), seq, &coded).is_ok());
        }
        let held = rows(&database);
        assert_eq!(held.len(), 2);
        assert_eq!(live(&held[0]) + live(&held[1]), 300);
        for slot in 0..300 {
            assert!(erase(&database, Kind::Semantic, 5, slot, 3).is_ok());
        }
        assert!(
            rows(&database)
                .iter()
                .all(|row| row.iter().all(|byte| *byte == 0))
        );
    }

    #[test]
    fn a_row_of_another_length_is_damaged() {
        let query = CodedQuery::new(&[0.6, 0.8], 2);
        assert!(query.scan(&[0; 17], &mut Vec::new()).is_err());
        assert!(query.scan(&vec![0; row_bytes(2)], &mut Vec::new()).is_ok());
    }

    proptest! {
        #[test]
        fn a_bound_is_above_the_cosine_and_close(
            raw in proptest::collection::vec(-1.0f32..1.0, 48),
            asked in proptest::collection::vec(-1.0f32..1.0, 48),
        ) {
            let unit = |v: &[f32]| -> Vec<f32> {
                let length = vector::dot(v, v).sqrt().max(1e-6);
                v.iter().map(|x| x / length).collect()
            };
            let (stored, asked) = (unit(&raw), unit(&asked));
            let coded = Coded::new(&stored);
            let mut row = vec![0u8; row_bytes(48)];
            row[0] = 9;
            row[SLOTS * WORD..][..WORD].copy_from_slice(&coded.scale.to_le_bytes());
            row[SLOTS * 2 * WORD..][..48].copy_from_slice(&coded.codes);
            let mut scores = Vec::new();
            prop_assert!(CodedQuery::new(&asked, 48).scan(&row, &mut scores).is_ok());
            prop_assert_eq!(scores.len(), 1);
            let (score, seq) = scores[0];
            prop_assert_eq!(seq, 9);
            // Twice half a step a component at most: the scale is below 1/127, and 48 components of
            // a unit query sum to at most sqrt(48).
            let cosine = vector::dot(&stored, &asked);
            prop_assert!(score >= cosine, "{score} {cosine}");
            prop_assert!(score - cosine < 7.0 / 127.0 + 1e-3, "{score} {cosine}");
        }
    }
}
