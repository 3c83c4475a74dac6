//! A store under test, with a clock, ids and a sink of its own.

use std::cell::Cell;
use std::sync::Arc;

use precedent_core::{
    AuditSink, Backend, Candidates, Change, Commit, Committed, Durability, Expect, Filter, Floor,
    Header, Kind, Lane, LaneAnswer, Memory, MemoryId, MemoryQuery, QueryVector, RecallError,
    RecallQuery, Scope, StoreError, StoreErrorKind, ToolEvent, analyze, fusion::Fusion,
};

use crate::Harness;
use crate::data::{
    ACTOR, AGENT, HOME, at, commit_id, digest, name, namespace, observe, put, space,
};
use crate::sink::ChainSink;

/// The key under which the suite's stores are written.
pub const KEY: &str = "suite";
/// How far the clock of a test moves with each commit, in milliseconds.
const TICK_MS: i64 = 1000;

/// A store that one case works on; two of them that are driven alike hold the same.
pub struct TestStore {
    /// The store.
    pub backend: Arc<dyn Backend>,
    /// Its sink.
    pub sink: Arc<dyn AuditSink>,
    commits: Cell<u64>,
    now_ms: Cell<i64>,
}

impl TestStore {
    /// Opens a fresh store.
    pub async fn open(harness: &dyn Harness) -> Self {
        Self::over(harness.open(&space()).await)
    }

    /// Wraps a store that is open and empty.
    pub fn over(backend: Arc<dyn Backend>) -> Self {
        Self {
            backend,
            sink: Arc::new(ChainSink::new(KEY)),
            commits: Cell::new(0),
            now_ms: Cell::new(0),
        }
    }

    /// Writes under another sink, from the first commit on.
    #[must_use]
    pub fn with_sink(self, sink: Arc<dyn AuditSink>) -> Self {
        Self { sink, ..self }
    }

    /// Closes the store and opens it again.
    pub async fn reopen(self, harness: &dyn Harness) -> Self {
        let backend = harness.reopen(self.backend, &space()).await;
        Self { backend, ..self }
    }

    /// Sets the clock, which the next commit moves on by a second.
    pub fn set_clock_ms(&self, now_ms: i64) {
        self.now_ms.set(now_ms);
    }

    /// Makes the header of the next commit, with a fresh id and a later instant.
    pub fn header(&self) -> Header {
        self.commits.set(self.commits.get() + 1);
        self.now_ms.set(self.now_ms.get() + TICK_MS);
        Header {
            id: commit_id(self.commits.get()),
            at: at(self.now_ms.get()),
            actor: name(ACTOR),
            agent: name(AGENT),
            namespace: namespace(HOME),
            purpose: name("assist"),
        }
    }

    /// Makes the next commit.
    pub fn request(&self, expects: Vec<Expect>, changes: Vec<Change>) -> Commit {
        request(self.header(), expects, changes)
    }

    /// Writes events that ended at the instant of their common commit.
    pub async fn observe(&self, events: impl IntoIterator<Item = ToolEvent>) -> Committed {
        let header = self.header();
        let at = header.at;
        let changes = events
            .into_iter()
            .map(|event| observe(ToolEvent { at, ..event }));
        let request = request(header, Vec::new(), changes.collect());
        self.send(request).await.expect("events are accepted")
    }

    /// Sends a commit as it is.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn send(&self, commit: Commit) -> Result<Committed, StoreError> {
        self.backend.commit(commit, Arc::clone(&self.sink)).await
    }

    /// Sends a commit with preconditions.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn try_commit(
        &self,
        expects: Vec<Expect>,
        changes: Vec<Change>,
    ) -> Result<Committed, StoreError> {
        self.send(self.request(expects, changes)).await
    }

    /// Sends a commit that has to succeed.
    pub async fn commit(&self, changes: Vec<Change>) -> Committed {
        self.try_commit(Vec::new(), changes)
            .await
            .expect("a lawful commit is accepted")
    }

    /// Writes memories without vectors, in one commit.
    pub async fn put(&self, memories: impl IntoIterator<Item = Memory>) {
        self.commit(memories.into_iter().map(put).collect()).await;
    }

    /// Returns one memory, if the scope sees it.
    pub async fn memory(&self, scope: &Scope, id: MemoryId) -> Option<Memory> {
        let found = self.backend.memories(scope, &[id]).await;
        found.expect("memories can be read").pop()
    }

    /// Returns all memories that a scope sees, by id.
    pub async fn memories(&self, scope: &Scope) -> Vec<Memory> {
        let query = MemoryQuery::all(scope.clone(), usize::MAX >> 1);
        let found = self.backend.find_memories(&query).await;
        found.expect("memories can be found")
    }

    /// Asks every lane that the query has.
    pub async fn candidates(&self, query: &RecallQuery) -> Candidates {
        self.backend.candidates(query).await
    }

    /// Returns what the lexical lane of episodic memories finds, best first.
    pub async fn by_words(&self, scope: &Scope, text: &str) -> Vec<(MemoryId, f64)> {
        let query = lexical_query(scope, &[Kind::Episodic], text);
        hits(
            &self.candidates(&query).await,
            Kind::Episodic,
            Lane::Lexical,
        )
    }

    /// Returns what the vector lane of episodic memories finds, best first.
    pub async fn by_vector(&self, scope: &Scope, vector: Vec<f32>) -> Vec<(MemoryId, f64)> {
        let query = vector_query(scope, &[Kind::Episodic], vector);
        hits(&self.candidates(&query).await, Kind::Episodic, Lane::Vector)
    }
}

/// Makes a commit under a given header, its request digest taken from what it holds.
pub fn request(header: Header, expects: Vec<Expect>, changes: Vec<Change>) -> Commit {
    Commit {
        header,
        durability: Durability::Full,
        request: digest(&format!("{expects:?} {changes:?}")),
        expects,
        changes,
    }
}

/// Asks for words, without a floor.
pub fn lexical_query(scope: &Scope, kinds: &[Kind], text: &str) -> RecallQuery {
    RecallQuery {
        scope: scope.clone(),
        kinds: kinds.to_vec(),
        terms: analyze::query(text),
        vector: None,
        filter: Filter::default(),
        depth: 50,
        limit: 10,
        fusion: Fusion::MEASURED,
        floor: Floor::NONE,
    }
}

/// Asks for a vector of the suite's space, without a floor and without words.
pub fn vector_query(scope: &Scope, kinds: &[Kind], values: Vec<f32>) -> RecallQuery {
    RecallQuery {
        vector: Some(QueryVector {
            space: space().fingerprint,
            values,
        }),
        ..lexical_query(scope, kinds, "")
    }
}

/// Asks for both.
pub fn both_query(scope: &Scope, kinds: &[Kind], text: &str, values: Vec<f32>) -> RecallQuery {
    RecallQuery {
        terms: analyze::query(text),
        ..vector_query(scope, kinds, values)
    }
}

/// Returns one lane's answer.
///
/// # Panics
/// When the store did not answer that lane exactly once.
#[track_caller]
pub fn answer(candidates: &Candidates, kind: Kind, lane: Lane) -> &LaneAnswer {
    let mut answers = candidates
        .answers
        .iter()
        .filter(|answer| (answer.kind, answer.lane) == (kind, lane));
    let answer = answers.next();
    assert!(answers.next().is_none(), "{kind} {lane} answered twice");
    answer.expect("every lane that was asked answers")
}

/// Returns what one lane found.
///
/// # Panics
/// When the lane failed.
#[track_caller]
pub fn hits(candidates: &Candidates, kind: Kind, lane: Lane) -> Vec<(MemoryId, f64)> {
    let found = answer(candidates, kind, lane).result.as_ref();
    let found = found.expect("the lane is whole");
    found.iter().map(|hit| (hit.id, hit.raw)).collect()
}

/// Returns the ids of hits.
pub fn ids(hits: &[(MemoryId, f64)]) -> Vec<MemoryId> {
    hits.iter().map(|hit| hit.0).collect()
}

/// Returns the errors of an answer, in the order of kinds and lanes.
pub fn errors(candidates: &Candidates) -> Vec<RecallError> {
    let mut errors: Vec<RecallError> = candidates
        .answers
        .iter()
        .filter_map(|answer| answer.result.as_ref().err().cloned())
        .collect();
    errors.sort_by_key(|error| (error.kind, error.lane));
    errors
}

/// Asserts that a request was refused, and how.
#[track_caller]
pub fn assert_refused<T>(result: Result<T, StoreError>, kind: StoreErrorKind) {
    let refused = result.err().map(|error| error.kind);
    assert_eq!(refused, Some(kind), "how the store refuses (left: actual)");
}
