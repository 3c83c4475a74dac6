//! Recall: every (kind, lane) answers for itself, core fuses, failures are data.

use async_trait::async_trait;
use precedent_redact::CleanText;
use serde::Serialize;

use crate::fusion::{Fusion, fuse};
use crate::near::Gist;
use crate::text_enum::text_enum;
use crate::{
    Digest, EmbedKind, Embedder, Kind, Memory, MemoryId, Scope, Source, State, Timestamp, Trust,
    analyze,
};

text_enum! {
    /// A way of searching.
    pub enum Lane as "lane" {
        /// By meaning: cosine of embeddings.
        Vector = "vector",
        /// By words: BM25.
        Lexical = "lexical",
    }
}

text_enum! {
    /// Why a lane gave no answer.
    pub enum RecallCode as "recall error code" {
        /// The index is not there.
        Missing = "index-missing",
        /// The index does not hold what it should.
        Stale = "index-stale",
        /// What the index holds cannot be read.
        Corrupt = "index-corrupt",
        /// The vectors at hand are of another embedding space.
        SpaceMismatch = "embedding-space-mismatch",
        /// The query could not be embedded.
        EmbedderFailed = "embedder-failed",
        /// The store was held by others, or took too long.
        Unavailable = "store-unavailable",
    }
}

/// A lane that failed; what remains is answered all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecallError {
    /// The kind whose lane it is.
    pub kind: Kind,
    /// The lane.
    pub lane: Lane,
    /// Why.
    pub code: RecallCode,
    /// What repairs it.
    pub repair: &'static str,
}

impl RecallError {
    /// Makes an error with the repair that its code usually needs.
    pub const fn new(kind: Kind, lane: Lane, code: RecallCode) -> Self {
        let repair = match code {
            RecallCode::Missing | RecallCode::Stale | RecallCode::Corrupt => {
                "run `precedent maintain reindex`"
            }
            RecallCode::SpaceMismatch => "open the store with the embedder that wrote it",
            RecallCode::EmbedderFailed => "check the embedder's configuration",
            RecallCode::Unavailable => "try again; if it persists, run `precedent status`",
        };
        Self {
            kind,
            lane,
            code,
            repair,
        }
    }
}

impl std::fmt::Display for RecallError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "recall:{}:{}:{}", self.kind, self.lane, self.code)
    }
}

/// What a hit must satisfy; applied inside every lane, before its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Admitted states.
    pub states: Vec<State>,
    /// Tags that must all be there.
    pub tags: Vec<CleanText>,
    /// Admitted sources; empty admits all.
    pub sources: Vec<Source>,
    /// The trust that is required, if any.
    pub trust: Option<Trust>,
    /// An instant at which the memory must hold.
    pub valid_at: Option<Timestamp>,
    /// An instant of the store's own clock: memories count as they stood then, and those that were
    /// recorded later do not. None means the present.
    pub known_at: Option<Timestamp>,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            states: vec![State::Active, State::Disputed, State::ContextDependent],
            tags: Vec::new(),
            sources: Vec::new(),
            trust: None,
            valid_at: None,
            known_at: None,
        }
    }
}

impl Filter {
    /// Asks as of an instant of either clock: what held then, or what was believed then. What was
    /// replaced since counts for the time in which it held.
    #[must_use]
    pub fn as_of(mut self, valid_at: Option<Timestamp>, known_at: Option<Timestamp>) -> Self {
        if valid_at.is_some() && !self.states.contains(&State::Superseded) {
            self.states.push(State::Superseded);
        }
        self.valid_at = valid_at.or(self.valid_at);
        self.known_at = known_at;
        self
    }

    /// Tells whether a memory passes, as it stands; see [`Filter::known_at`] for what stood.
    pub fn admits(&self, memory: &Memory) -> bool {
        self.states.contains(&memory.state)
            && self.tags.iter().all(|tag| memory.tags.contains(tag))
            && (self.sources.is_empty() || self.sources.contains(&memory.source))
            && self.trust.is_none_or(|trust| trust == memory.trust)
            && self.valid_at.is_none_or(|at| memory.holds_at(at))
    }
}

/// The raw evidence that a hit needs in at least one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Least cosine.
    pub cosine: f64,
    /// Least BM25 score.
    pub bm25: f64,
}

impl Floor {
    /// Admits everything.
    pub const NONE: Self = Self {
        cosine: f64::NEG_INFINITY,
        bm25: f64::NEG_INFINITY,
    };

    /// Tells whether a hit has enough evidence in one of its lanes.
    pub fn admits(&self, lanes: &[LaneRank]) -> bool {
        lanes.iter().any(|lane| match lane.lane {
            Lane::Vector => lane.raw >= self.cosine,
            Lane::Lexical => lane.raw >= self.bm25,
        })
    }
}

/// A query vector, with the space that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryVector {
    /// The space's fingerprint.
    pub space: Digest,
    /// The unit vector.
    pub values: Vec<f32>,
}

/// What a store is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct RecallQuery {
    /// Who asks.
    pub scope: Scope,
    /// Kinds to search.
    pub kinds: Vec<Kind>,
    /// Terms of the lexical lane, as [`analyze::query`] gives them; empty gives an empty lane.
    pub terms: Vec<String>,
    /// The vector of the vector lane; none leaves the lane out.
    pub vector: Option<QueryVector>,
    /// What hits must satisfy.
    pub filter: Filter,
    /// How many candidates each lane may return.
    pub depth: usize,
    /// How many fused hits the reader wants.
    pub limit: usize,
    /// How lanes are fused.
    pub fusion: Fusion,
    /// The evidence that a hit needs.
    pub floor: Floor,
}

impl RecallQuery {
    /// Returns the memories that the reader will see of these answers, best first: those that a
    /// store has to fetch from the same snapshot.
    pub fn best(&self, answers: &[LaneAnswer]) -> Vec<MemoryId> {
        let fused = fuse(answers, &self.fusion, &self.floor);
        fused
            .iter()
            .take(self.limit)
            .map(|ranked| ranked.id)
            .collect()
    }
}

/// A memory as one lane found it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The memory.
    pub id: MemoryId,
    /// Cosine or BM25 score.
    pub raw: f64,
}

/// One lane's answer for one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneAnswer {
    /// The kind.
    pub kind: Kind,
    /// The lane.
    pub lane: Lane,
    /// Candidates best first, or why there are none.
    pub result: Result<Vec<Candidate>, RecallError>,
    /// Memories of the kind that this lane cannot find yet, for want of a vector.
    pub pending: u64,
}

/// A store's answer, from one snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates {
    /// An answer for every lane that was asked.
    pub answers: Vec<LaneAnswer>,
    /// The memories of the best fused hits, at least as many as the query's limit.
    pub memories: Vec<Memory>,
}

impl Candidates {
    /// Answers that every lane asked for is unavailable.
    pub fn failed(query: &RecallQuery, code: RecallCode) -> Self {
        let lanes = Lane::ALL
            .iter()
            .filter(|lane| **lane == Lane::Lexical || query.vector.is_some());
        let answers = query
            .kinds
            .iter()
            .flat_map(|kind| lanes.clone().map(move |lane| (*kind, *lane)))
            .map(|(kind, lane)| LaneAnswer {
                kind,
                lane,
                result: Err(RecallError::new(kind, lane, code)),
                pending: 0,
            })
            .collect();
        Self {
            answers,
            memories: Vec::new(),
        }
    }
}

/// Searches a store.
#[async_trait]
pub trait Recall: Send + Sync {
    /// Answers every (kind, lane) asked for, from one snapshot and in one call.
    ///
    /// * Scope and filter apply inside every lane, before `depth`.
    /// * A lane that fails answers with its own error; the others are unaffected. A lane of a kind
    ///   that holds nothing the reader sees is empty, not failed.
    /// * BM25 counts are summed over the partitions that the reader sees of `kinds`.
    /// * An index that holds less than the records say is [`RecallCode::Stale`], not empty.
    async fn candidates(&self, query: &RecallQuery) -> Candidates;
}

/// What a reader asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct RecallRequest {
    /// Who asks.
    pub scope: Scope,
    /// What for; redacted, since an embedder may send it elsewhere.
    pub text: CleanText,
    /// Kinds to search.
    pub kinds: Vec<Kind>,
    /// How many hits at most.
    pub limit: usize,
    /// What hits must satisfy.
    pub filter: Filter,
    /// How lanes are fused.
    pub fusion: Fusion,
    /// The least BM25 score that counts as evidence; the least cosine is the embedding space's.
    pub bm25_floor: f64,
    /// Whether memories that say almost the same are one hit.
    pub collapse: bool,
}

impl RecallRequest {
    /// How many hits there are by default.
    pub const LIMIT: usize = 10;
    /// A word in common is evidence.
    pub const BM25_FLOOR: f64 = 0.0;

    /// Asks for the best hits of every kind.
    pub fn new(scope: Scope, text: CleanText) -> Self {
        Self {
            scope,
            text,
            kinds: Kind::ALL.to_vec(),
            limit: Self::LIMIT,
            filter: Filter::default(),
            fusion: Fusion::default(),
            bm25_floor: Self::BM25_FLOOR,
            collapse: false,
        }
    }
}

/// Where a hit stands in one lane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LaneRank {
    /// The lane.
    pub lane: Lane,
    /// Its rank, from 1.
    pub rank: u32,
    /// Its cosine or BM25 score.
    pub raw: f64,
    /// What the lane adds to the fused score.
    pub part: f64,
}

/// A memory that was found, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// The memory.
    pub memory: Memory,
    /// The fused score.
    pub score: f64,
    /// Where it stands in each lane that found it.
    pub lanes: Vec<LaneRank>,
    /// Further memories that say almost the same, best first.
    pub also: Vec<MemoryId>,
}

/// What recall found, and what it could not look at.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecallOutcome {
    /// Hits, best first.
    pub hits: Vec<Hit>,
    /// Lanes that failed.
    pub errors: Vec<RecallError>,
    /// Candidates that were left out for want of evidence.
    pub below_floor: usize,
    /// Memories without a vector yet, findable by their words only.
    pub pending: u64,
}

/// Least depth of a lane, so that fusion sees more than the hits that are asked for.
const LEAST_DEPTH: usize = 50;

/// Recalls memories: embeds the query, asks every lane, fuses what they answer.
///
/// Never fails as a whole: a lane or an embedder that fails is in the outcome's `errors`.
pub async fn recall(
    backend: &dyn Recall,
    embedder: Option<&dyn Embedder>,
    request: &RecallRequest,
) -> RecallOutcome {
    let embedded = embed_query(embedder, &request.text).await;
    let query = RecallQuery {
        scope: request.scope.clone(),
        kinds: request.kinds.clone(),
        terms: analyze::query(&request.text),
        vector: embedded.as_ref().ok().cloned().flatten(),
        filter: request.filter.clone(),
        depth: request.limit.saturating_mul(4).max(LEAST_DEPTH),
        // Some of them may become one hit.
        limit: request
            .limit
            .saturating_mul(1 + usize::from(request.collapse)),
        fusion: request.fusion,
        floor: Floor {
            cosine: embedder.map_or(f64::INFINITY, |embedder| f64::from(embedder.space().floor)),
            bm25: request.bm25_floor,
        },
    };
    let mut candidates = backend.candidates(&query).await;
    if let Err(code) = embedded {
        let failed = request.kinds.iter().map(|kind| LaneAnswer {
            kind: *kind,
            lane: Lane::Vector,
            result: Err(RecallError::new(*kind, Lane::Vector, code)),
            pending: 0,
        });
        candidates.answers.extend(failed);
    }
    assemble(candidates, &query, request)
}

/// Embeds the query; a text that the model knows no part of simply has no vector.
async fn embed_query(
    embedder: Option<&dyn Embedder>,
    text: &CleanText,
) -> Result<Option<QueryVector>, RecallCode> {
    let Some(embedder) = embedder else {
        return Ok(None);
    };
    match embedder.embed(EmbedKind::Query, &[text]).await.pop() {
        Some(Ok(values)) => Ok(Some(QueryVector {
            space: embedder.space().fingerprint,
            values,
        })),
        Some(Err(crate::EmbedError::NoKnownToken)) => Ok(None),
        Some(Err(_)) | None => Err(RecallCode::EmbedderFailed),
    }
}

fn assemble(candidates: Candidates, query: &RecallQuery, request: &RecallRequest) -> RecallOutcome {
    let found = fuse(&candidates.answers, &query.fusion, &Floor::NONE);
    let (fused, below): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|ranked| query.floor.admits(&ranked.lanes));
    let mut hits: Vec<Hit> = fused
        .into_iter()
        .take(query.limit)
        .filter_map(|ranked| {
            let memory = candidates
                .memories
                .iter()
                .find(|memory| memory.id == ranked.id)?
                .clone();
            Some(Hit {
                memory,
                score: ranked.score,
                lanes: ranked.lanes,
                also: Vec::new(),
            })
        })
        .collect();
    if request.collapse {
        hits = collapse(hits);
    }
    hits.truncate(request.limit);
    let errors = candidates
        .answers
        .iter()
        .filter_map(|answer| answer.result.as_ref().err().cloned())
        .collect();
    let pending = candidates.answers.iter().map(|answer| answer.pending).sum();
    RecallOutcome {
        hits,
        errors,
        below_floor: below.len(),
        pending,
    }
}

/// Makes one hit of those that say almost the same: the best of them.
fn collapse(hits: Vec<Hit>) -> Vec<Hit> {
    let gists: Vec<Gist<'_>> = hits.iter().map(|hit| Gist::of(&hit.memory)).collect();
    let mut place: Vec<usize> = Vec::with_capacity(hits.len());
    for (at, gist) in gists.iter().enumerate() {
        let best = (0..at).find(|&before| place[before] == before && gists[before].resembles(gist));
        place.push(best.unwrap_or(at));
    }
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    let mut at_of: Vec<usize> = Vec::with_capacity(hits.len());
    drop(gists);
    for (at, hit) in hits.into_iter().enumerate() {
        if place[at] == at {
            at_of.push(kept.len());
            kept.push(hit);
        } else {
            let best = at_of[place[at]];
            at_of.push(best);
            kept[best].also.push(hit.memory.id);
        }
    }
    kept
}
