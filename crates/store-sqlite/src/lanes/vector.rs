//! The vector lane: a scan of the codes, then exact cosines of the best.

use precedent_core::fusion::by_rank;
use precedent_core::{Candidate, RecallCode, RecallQuery, vector};
use rusqlite::Connection;

use super::chunks::{self, CodedQuery};
use super::narrow::Narrow;
use super::parts::Part;
use super::tables;
use super::{Asked, LaneResult};
use crate::error::{Failure, Fallible};

/// Most candidates that are rescored for each that is wanted. Nearly always the bounds end the
/// search far earlier; this caps it where a great many memories are almost equally near.
const OVERSAMPLE: usize = 4;
/// Least cap, so that the nearest few stay exact.
const LEAST_RESCORED: usize = 64;

/// The most that a memory's cosine can be.
type Bound = (f32, u32);

/// Returns the nearest memories that the filter admits.
pub(super) fn search(
    database: &Connection,
    query: &RecallQuery,
    asked: &Asked,
    wanted: &[f32],
    dimension: usize,
) -> LaneResult<Vec<Candidate>> {
    let coded = CodedQuery::new(wanted, dimension);
    let mut bounds = Vec::new();
    for part in asked.parts.iter().filter(|part| part.vectors > 0) {
        let before = bounds.len();
        scan(database, asked, part, &coded, &mut bounds).map_err(Failure::into_code)?;
        if (bounds.len() - before) as u64 != part.vectors {
            return Err(RecallCode::Stale);
        }
    }
    select(database, query, wanted, bounds).map_err(Failure::into_code)
}

fn scan(
    database: &Connection,
    asked: &Asked,
    part: &Part,
    coded: &CodedQuery,
    bounds: &mut Vec<Bound>,
) -> Fallible<()> {
    let (first, last) = chunks::keys_of(part.id, part.slots);
    let mut statement = database.prepare_cached(tables::of(asked.kind).chunks)?;
    let mut rows = statement.query([first, last])?;
    while let Some(row) = rows.next()? {
        let chunk = row.get_ref(1)?.as_blob().map_err(|_| Failure::Unreadable)?;
        coded.scan(chunk, bounds)?;
    }
    Ok(())
}

/// Rescores the memories that the filter admits, the greatest bound first, until no other can
/// come among the `depth` best.
fn select(
    database: &Connection,
    query: &RecallQuery,
    wanted: &[f32],
    mut bounds: Vec<Bound>,
) -> Fallible<Vec<Candidate>> {
    let mut left = query.depth.saturating_mul(OVERSAMPLE).max(LEAST_RESCORED);
    let mut narrow = Narrow::new(database, &query.filter)?;
    let mut exact = Exact::new(database, wanted)?;
    let mut nearest = Nearest::new(query.depth);
    let mut rest = bounds.as_mut_slice();
    let mut step = LEAST_RESCORED.max(query.depth);
    while !rest.is_empty() {
        let (best, worse) = split_best(rest, step);
        best.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for &mut (bound, seq) in best {
            if left == 0 || nearest.excludes(bound) {
                return Ok(nearest.found);
            }
            if let Some(id) = narrow.admitted(seq)? {
                let raw = exact.cosine(seq)?;
                nearest.insert(Candidate { id, raw });
                left -= 1;
            }
        }
        rest = worse;
        step = step.saturating_mul(2);
    }
    Ok(nearest.found)
}

/// The best candidates so far, in order.
struct Nearest {
    depth: usize,
    found: Vec<Candidate>,
}

impl Nearest {
    fn new(depth: usize) -> Self {
        let found = Vec::new();
        Self { depth, found }
    }

    /// Tells whether a memory whose cosine is at most `bound` cannot be among them; one that ties
    /// with the last can.
    fn excludes(&self, bound: f32) -> bool {
        let last = match self.depth {
            0 => return true,
            depth => self.found.get(depth - 1),
        };
        last.is_some_and(|last| f64::from(bound) < last.raw)
    }

    fn insert(&mut self, candidate: Candidate) {
        let place = self
            .found
            .partition_point(|held| by_rank(held, &candidate).is_lt());
        self.found.insert(place, candidate);
        self.found.truncate(self.depth);
    }
}

/// Splits off the `count` greatest, in no order.
fn split_best(bounds: &mut [Bound], count: usize) -> (&mut [Bound], &mut [Bound]) {
    if count < bounds.len() {
        bounds.select_nth_unstable_by(count, |a, b| b.0.total_cmp(&a.0));
    }
    bounds.split_at_mut(count.min(bounds.len()))
}

/// Exact cosines, from the vectors as they were given.
struct Exact<'a> {
    statement: rusqlite::CachedStatement<'a>,
    wanted: &'a [f32],
    stored: Vec<f32>,
}

impl<'a> Exact<'a> {
    fn new(database: &'a Connection, wanted: &'a [f32]) -> Fallible<Self> {
        Ok(Self {
            statement: database.prepare_cached("SELECT v FROM embedding WHERE seq = ?1")?,
            wanted,
            stored: Vec::with_capacity(wanted.len()),
        })
    }

    fn cosine(&mut self, seq: u32) -> Fallible<f64> {
        let mut rows = self.statement.query([seq])?;
        let row = rows.next()?.ok_or(Failure::Unreadable)?;
        let bytes = row.get_ref(0)?.as_blob().map_err(|_| Failure::Unreadable)?;
        let (words, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(Failure::Unreadable);
        }
        self.stored.clear();
        self.stored
            .extend(words.iter().map(|word| f32::from_le_bytes(*word)));
        Ok(f64::from(vector::dot(&self.stored, self.wanted)))
    }
}
