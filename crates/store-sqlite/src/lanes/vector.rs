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

/// How many candidates of the scan are rescored for each that is wanted; with four, the exact
/// twelve nearest of 100,000 were always among them.
const OVERSAMPLE: usize = 4;
/// Least number of rescored candidates.
const LEAST_RESCORED: usize = 64;

/// A memory's approximate cosine.
type Approximate = (f32, u32);

/// Returns the nearest memories that the filter admits.
pub(super) fn search(
    database: &Connection,
    query: &RecallQuery,
    asked: &Asked,
    wanted: &[f32],
    dimension: usize,
) -> LaneResult<Vec<Candidate>> {
    let coded = CodedQuery::new(wanted, dimension);
    let mut scores = Vec::new();
    for part in asked.parts.iter().filter(|part| part.vectors > 0) {
        let before = scores.len();
        scan(database, asked, part, &coded, &mut scores).map_err(Failure::into_code)?;
        if (scores.len() - before) as u64 != part.vectors {
            return Err(RecallCode::Stale);
        }
    }
    select(database, query, wanted, scores).map_err(Failure::into_code)
}

fn scan(
    database: &Connection,
    asked: &Asked,
    part: &Part,
    coded: &CodedQuery,
    scores: &mut Vec<Approximate>,
) -> Fallible<()> {
    let (first, last) = chunks::keys_of(part.id, part.slots);
    let mut statement = database.prepare_cached(tables::of(asked.kind).chunks)?;
    let mut rows = statement.query([first, last])?;
    while let Some(row) = rows.next()? {
        let chunk = row.get_ref(1)?.as_blob().map_err(|_| Failure::Unreadable)?;
        coded.scan(chunk, scores)?;
    }
    Ok(())
}

/// Takes the best of the scan, widening until the filter has admitted enough, and rescores them.
fn select(
    database: &Connection,
    query: &RecallQuery,
    wanted: &[f32],
    mut scores: Vec<Approximate>,
) -> Fallible<Vec<Candidate>> {
    let enough = query.depth.saturating_mul(OVERSAMPLE).max(LEAST_RESCORED);
    let mut narrow = Narrow::new(database, &query.filter)?;
    let mut exact = Exact::new(database, wanted)?;
    let mut found = Vec::new();
    let mut rest = scores.as_mut_slice();
    let mut step = enough;
    while !rest.is_empty() && found.len() < enough {
        let (best, worse) = split_best(rest, step);
        for &mut (_, seq) in best {
            if let Some(id) = narrow.admitted(seq)? {
                let raw = exact.cosine(seq)?;
                found.push(Candidate { id, raw });
            }
        }
        rest = worse;
        step = step.saturating_mul(2);
    }
    found.sort_by(by_rank);
    found.truncate(query.depth);
    Ok(found)
}

/// Splits off the `count` best, in no order.
fn split_best(
    scores: &mut [Approximate],
    count: usize,
) -> (&mut [Approximate], &mut [Approximate]) {
    if count < scores.len() {
        scores.select_nth_unstable_by(count, |a, b| b.0.total_cmp(&a.0));
    }
    scores.split_at_mut(count.min(scores.len()))
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
