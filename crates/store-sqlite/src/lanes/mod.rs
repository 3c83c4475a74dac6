//! The lanes of recall: each kind's lexical and vector index answers, or fails, for itself.

pub(crate) mod chunks;
pub(crate) mod index;
mod lexical;
mod narrow;
pub(crate) mod parts;
pub(crate) mod postings;
pub(crate) mod staged;
pub(crate) mod tables;
mod vector;

use precedent_core::{
    Candidate, Candidates, EmbeddingSpace, Kind, Lane, LaneAnswer, RecallCode, RecallError,
    RecallQuery, analyze,
};
use rusqlite::Connection;

use self::parts::Part;
use crate::error::Fallible;
use crate::store::Shared;
use crate::{read, schema};

/// What a lane gives, or the code of its failure.
type LaneResult<T> = Result<T, RecallCode>;

/// A kind that is asked for, with the partitions that the reader sees of it.
struct Asked {
    kind: Kind,
    parts: Vec<Part>,
}

impl Asked {
    fn total(&self, count: impl Fn(&Part) -> u64) -> u64 {
        self.parts.iter().map(count).sum()
    }
}

/// Answers every (kind, lane) asked for, from the snapshot that `database` is in.
pub(crate) fn candidates(
    database: &Connection,
    shared: &Shared,
    query: &RecallQuery,
) -> Fallible<Candidates> {
    let mut asked = Vec::with_capacity(query.kinds.len());
    for &kind in &query.kinds {
        let parts = parts::visible(database, kind, &query.scope)?;
        asked.push(Asked { kind, parts });
    }
    let space = match schema::space(database)? {
        None => shared.config.space.clone(),
        stored => stored,
    };
    let mut lexical = lexical_lanes(database, query, &asked)?.into_iter();
    let mut answers = Vec::new();
    for of_kind in &asked {
        let result = lexical.next().unwrap_or(Ok(Vec::new()));
        answers.push(answer(of_kind.kind, Lane::Lexical, result, 0));
        if query.vector.is_some() {
            let pending = of_kind.total(|part| part.memories.saturating_sub(part.vectors));
            let result = vector_lane(database, query, of_kind, space.as_ref());
            answers.push(answer(of_kind.kind, Lane::Vector, result, pending));
        }
    }
    let best = query.best(&answers);
    let redactor = &shared.config.redactor;
    let known_at = query.filter.known_at;
    let memories = read::memories(database, redactor, &query.scope, &best, known_at)?;
    Ok(Candidates { answers, memories })
}

fn answer(kind: Kind, lane: Lane, result: LaneResult<Vec<Candidate>>, pending: u64) -> LaneAnswer {
    LaneAnswer {
        kind,
        lane,
        result: result.map_err(|code| RecallError::new(kind, lane, code)),
        pending,
    }
}

/// Looks the terms up in every kind first, since their weights rest on all of them.
fn lexical_lanes(
    database: &Connection,
    query: &RecallQuery,
    asked: &[Asked],
) -> Fallible<Vec<LaneResult<Vec<Candidate>>>> {
    let analyzer = schema::meta(database, schema::ANALYZER)?;
    let current = analyzer.is_some_and(|version| version == analyze::VERSION.to_string());
    let looked_up: Vec<LaneResult<lexical::Terms>> = asked
        .iter()
        .map(|of_kind| {
            if current || of_kind.total(|part| part.documents) == 0 {
                lexical::look_up(database, of_kind, &query.terms)
            } else {
                Err(RecallCode::Stale)
            }
        })
        .collect();
    let weights = lexical::weigh(asked, &looked_up, &query.terms);
    Ok(looked_up
        .into_iter()
        .map(|terms| lexical::search(database, query, &terms?, &weights))
        .collect())
}

fn vector_lane(
    database: &Connection,
    query: &RecallQuery,
    asked: &Asked,
    space: Option<&EmbeddingSpace>,
) -> LaneResult<Vec<Candidate>> {
    let Some(wanted) = &query.vector else {
        return Ok(Vec::new());
    };
    if asked.total(|part| part.vectors) == 0 {
        return Ok(Vec::new());
    }
    match space {
        Some(space) if space.fingerprint == wanted.space => {
            vector::search(database, query, asked, &wanted.values, space.dimension)
        }
        _ => Err(RecallCode::SpaceMismatch),
    }
}
