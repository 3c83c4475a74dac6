//! The lanes, scored one memory after the other: slow, and obviously right.

use std::sync::Arc;

use super::state::{Record, State};
use crate::bm25::Collection;
use crate::fusion::by_rank;
use crate::{
    Candidate, Candidates, EmbeddingSpace, Kind, Lane, LaneAnswer, RecallCode, RecallError,
    RecallQuery, analyze, vector,
};

pub(super) fn candidates(
    state: &State,
    query: &RecallQuery,
    space: Option<&EmbeddingSpace>,
) -> Candidates {
    let seen: Vec<&Arc<Record>> = state
        .memories
        .values()
        .filter(|record| query.scope.is_in(&record.memory.audience()))
        .filter(|record| query.kinds.contains(&record.memory.kind))
        .collect();
    let weights = weigh(&seen, query);
    let mut answers = Vec::new();
    for &kind in &query.kinds {
        let records: Vec<&Record> = seen
            .iter()
            .map(|record| record.as_ref())
            .filter(|record| record.memory.kind == kind)
            .collect();
        let lexical = fault(state, kind, Lane::Lexical, &records)
            .map_or_else(|| Ok(lexical_lane(&records, query, &weights)), Err);
        answers.push(LaneAnswer {
            kind,
            lane: Lane::Lexical,
            result: lexical,
            pending: 0,
        });
        if query.vector.is_some() {
            let pending = records
                .iter()
                .filter(|record| record.vector.is_none())
                .count() as u64;
            let result = fault(state, kind, Lane::Vector, &records)
                .map_or_else(|| vector_lane(&records, query, space, kind), Err);
            answers.push(LaneAnswer {
                kind,
                lane: Lane::Vector,
                result,
                pending,
            });
        }
    }
    let memories = query
        .best(&answers)
        .iter()
        .filter_map(|id| state.memories.get(id)?.as_known(query.filter.known_at))
        .collect();
    Candidates { answers, memories }
}

/// Tells whether the filter admits a memory as it stands, or stood.
fn admits(query: &RecallQuery, record: &Record) -> bool {
    let known = record.as_known(query.filter.known_at);
    known.is_some_and(|memory| query.filter.admits(&memory))
}

/// Returns the lane's fault; a kind that holds nothing is not in use.
fn fault(state: &State, kind: Kind, lane: Lane, records: &[&Record]) -> Option<RecallError> {
    let in_use = match lane {
        Lane::Lexical => records.iter().any(|record| !record.chunks.is_empty()),
        Lane::Vector => records.iter().any(|record| record.vector.is_some()),
    };
    state
        .faults
        .iter()
        .find(|fault| in_use && fault.kind == kind && fault.lane == lane)
        .cloned()
}

/// Terms with their weights, and the counts that they rest on.
struct Weights {
    collection: Collection,
    idf: Vec<f64>,
}

fn weigh(seen: &[&Arc<Record>], query: &RecallQuery) -> Weights {
    let chunks = || seen.iter().flat_map(|record| &record.chunks);
    let collection = Collection {
        documents: chunks().count() as u64,
        length: chunks().map(|chunk| u64::from(chunk.length)).sum(),
    };
    let idf = query
        .terms
        .iter()
        .map(|term| {
            let with = chunks()
                .filter(|chunk| chunk.terms.iter().any(|(t, _)| t == term))
                .count();
            collection.idf(with as u64) * analyze::weight(term)
        })
        .collect();
    Weights { collection, idf }
}

fn lexical_lane(records: &[&Record], query: &RecallQuery, weights: &Weights) -> Vec<Candidate> {
    let found = records
        .iter()
        .filter(|record| admits(query, record))
        .filter_map(|record| {
            let best = record.chunks.iter().filter_map(|chunk| {
                let mut score = None;
                for (term, idf) in query.terms.iter().zip(&weights.idf) {
                    if let Some((_, tf)) = chunk.terms.iter().find(|(t, _)| t == term) {
                        let part = weights.collection.score(*idf, *tf, chunk.length);
                        score = Some(score.unwrap_or(0.0) + part);
                    }
                }
                score
            });
            let raw = best.max_by(f64::total_cmp)?;
            Some(Candidate {
                id: record.memory.id,
                raw,
            })
        });
    best(found.collect(), query.depth)
}

fn vector_lane(
    records: &[&Record],
    query: &RecallQuery,
    space: Option<&EmbeddingSpace>,
    kind: Kind,
) -> Result<Vec<Candidate>, RecallError> {
    let Some(asked) = &query.vector else {
        return Ok(Vec::new());
    };
    if records.iter().all(|record| record.vector.is_none()) {
        return Ok(Vec::new());
    }
    if space.is_none_or(|space| space.fingerprint != asked.space) {
        return Err(RecallError::new(
            kind,
            Lane::Vector,
            RecallCode::SpaceMismatch,
        ));
    }
    let found = records
        .iter()
        .filter(|record| admits(query, record))
        .filter_map(|record| {
            let raw = f64::from(vector::dot(record.vector.as_ref()?, &asked.values));
            Some(Candidate {
                id: record.memory.id,
                raw,
            })
        });
    Ok(best(found.collect(), query.depth))
}

fn best(mut candidates: Vec<Candidate>, depth: usize) -> Vec<Candidate> {
    candidates.sort_by(by_rank);
    candidates.truncate(depth);
    candidates
}
