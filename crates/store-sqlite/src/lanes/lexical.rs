//! The lexical lane: BM25 over the stored postings.
//!
//! A document's score is summed in the order of the query's terms, so that it has the same bits as
//! the reference store's.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use precedent_core::bm25::Collection;
use precedent_core::fusion::by_rank;
use precedent_core::{Candidate, Kind, RecallCode, RecallQuery, analyze};
use rusqlite::Connection;

use super::narrow::Narrow;
use super::postings::{self, POSTING_BYTES, Posting};
use super::staged::{self, Staged};
use super::{Asked, LaneResult};
use super::{index, tables};
use crate::error::{Failure, Fallible};

/// A query term as one partition has it.
struct Found {
    /// Its place in the query.
    place: usize,
    /// Its postings.
    postings: Vec<u8>,
}

/// The query's terms as a kind's partitions have them: partition by partition, in query order.
pub(super) struct Terms {
    found: Vec<Found>,
}

/// What terms weigh, and the counts that scores rest on.
pub(super) struct Weights {
    collection: Collection,
    idf: Vec<f64>,
}

/// Looks the query's terms up, after checking that the index is there and whole.
pub(super) fn look_up(database: &Connection, asked: &Asked, terms: &[String]) -> LaneResult<Terms> {
    let parts = asked.parts.iter().filter(|part| part.documents > 0);
    let mut found = Vec::new();
    let mut staged = BTreeMap::new();
    if parts.clone().next().is_some() {
        let ids = parts.clone().map(|part| part.id);
        staged = staged::look_up(database, asked.kind, ids, terms).map_err(Failure::into_code)?;
    }
    for part in parts {
        let staged = staged.remove(&part.id).unwrap_or_default();
        let Some(folded) = part.documents.checked_sub(staged.documents) else {
            return Err(RecallCode::Stale);
        };
        let whole = index::is_whole(database, asked.kind, part.id, folded);
        if !whole.map_err(Failure::into_code)? {
            return Err(RecallCode::Stale);
        }
        read(database, asked.kind, part.id, terms, staged, &mut found)
            .map_err(Failure::into_code)?;
    }
    Ok(Terms { found })
}

/// Reads the terms of a partition: the folded postings, then the staged ones, which are newer.
fn read(
    database: &Connection,
    kind: Kind,
    part: i64,
    terms: &[String],
    mut staged: Staged,
    found: &mut Vec<Found>,
) -> Fallible<()> {
    let tables = tables::of(kind);
    for (place, term) in terms.iter().enumerate() {
        if term.is_empty() {
            continue;
        }
        let mut postings = match index::find(database, tables, part, term)? {
            Some(term) => index::read(database, tables, term)?,
            None => Vec::new(),
        };
        if let Some(newer) = staged.postings.remove(&place) {
            postings.extend_from_slice(&newer);
        }
        if !postings.is_empty() {
            found.push(Found { place, postings });
        }
    }
    Ok(())
}

/// Weighs the terms over all kinds asked for; of a kind whose index failed, only the number of
/// documents is known.
pub(super) fn weigh(asked: &[Asked], looked_up: &[LaneResult<Terms>], terms: &[String]) -> Weights {
    let collection = asked
        .iter()
        .flat_map(|of_kind| &of_kind.parts)
        .fold(Collection::default(), |sum, part| {
            sum.plus(part.collection())
        });
    let mut frequencies = vec![0u64; terms.len()];
    for found in looked_up.iter().flatten().flat_map(|terms| &terms.found) {
        if let Some(frequency) = frequencies.get_mut(found.place) {
            *frequency += (found.postings.len() / POSTING_BYTES) as u64;
        }
    }
    let idf = frequencies
        .into_iter()
        .zip(terms)
        .map(|(frequency, term)| collection.idf(frequency) * analyze::weight(term))
        .collect();
    Weights { collection, idf }
}

/// Scores every document that has a term, and returns the best that the filter admits.
pub(super) fn search(
    database: &Connection,
    query: &RecallQuery,
    terms: &Terms,
    weights: &Weights,
) -> LaneResult<Vec<Candidate>> {
    if terms.found.is_empty() || query.depth == 0 {
        return Ok(Vec::new());
    }
    let mut scores = Scores::new(database).map_err(Failure::into_code)?;
    for found in &terms.found {
        accumulate(found, weights, &mut scores).map_err(Failure::into_code)?;
    }
    select(database, query, scores.into_best()).map_err(Failure::into_code)
}

/// Adds a term's part to the scores.
fn accumulate(found: &Found, weights: &Weights, scores: &mut Scores) -> Fallible<()> {
    let idf = weights.idf.get(found.place).copied().unwrap_or_default();
    for posting in postings::decode(&found.postings)?.iter().map(Posting::read) {
        let (frequency, length) = (posting.frequency.into(), posting.length.into());
        scores.add(posting, weights.collection.score(idf, frequency, length))?;
    }
    Ok(())
}

/// Scores of chunks. First chunks, which is nearly all of them, have a table; the others a map.
/// Every part of a score is above zero, so zero means that no term occurred.
struct Scores {
    first: Vec<f64>,
    touched: Vec<u32>,
    further: HashMap<(u32, u16), f64>,
}

impl Scores {
    fn new(database: &Connection) -> Fallible<Self> {
        let highest: u32 = database
            .prepare_cached("SELECT ifnull(max(seq), 0) FROM memory")?
            .query_row([], |row| row.get(0))?;
        let size = usize::try_from(highest).map_err(|_| Failure::Unreadable)? + 1;
        Ok(Self {
            first: vec![0.0; size],
            touched: Vec::new(),
            further: HashMap::new(),
        })
    }

    fn add(&mut self, posting: Posting, part: f64) -> Fallible<()> {
        if posting.chunk > 0 {
            *self
                .further
                .entry((posting.seq, posting.chunk))
                .or_default() += part;
            return Ok(());
        }
        let place = usize::try_from(posting.seq).map_err(|_| Failure::Unreadable)?;
        let score = self.first.get_mut(place).ok_or(Failure::Unreadable)?;
        if *score == 0.0 {
            self.touched.push(posting.seq);
        }
        *score += part;
        Ok(())
    }

    /// Returns the best chunk's score of every memory that was touched.
    fn into_best(mut self) -> Vec<Scored> {
        for ((seq, _), score) in self.further {
            let place = usize::try_from(seq).unwrap_or(usize::MAX);
            let Some(best) = self.first.get_mut(place) else {
                continue;
            };
            if *best == 0.0 {
                self.touched.push(seq);
            }
            *best = best.max(score);
        }
        let score = |seq: u32| {
            let place = usize::try_from(seq).unwrap_or(usize::MAX);
            self.first.get(place).copied().unwrap_or_default()
        };
        self.touched
            .iter()
            .map(|&seq| Scored {
                score: score(seq),
                seq,
            })
            .collect()
    }
}

/// A memory's score, ordered by the score alone.
#[derive(Clone, Copy, Debug)]
struct Scored {
    score: f64,
    seq: u32,
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score)
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scored {}

/// Walks memories best first until enough are admitted, and on through those that tie with the
/// last, since ties go by id.
fn select(
    database: &Connection,
    query: &RecallQuery,
    scored: Vec<Scored>,
) -> Fallible<Vec<Candidate>> {
    let mut narrow = Narrow::new(database, &query.filter)?;
    let mut heap = BinaryHeap::from(scored);
    let mut found = Vec::new();
    let mut cut = f64::NEG_INFINITY;
    while let Some(Scored { score, seq }) = heap.pop() {
        if score < cut {
            break;
        }
        if let Some(id) = narrow.admitted(seq)? {
            found.push(Candidate { id, raw: score });
            if found.len() == query.depth {
                cut = score;
            }
        }
    }
    found.sort_by(by_rank);
    found.truncate(query.depth);
    Ok(found)
}
