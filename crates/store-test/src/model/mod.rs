//! A second, naive opinion on the storage contract: lists that are searched from end to end.
//!
//! Written from what the contract says, not from the reference store, of which it shares the types
//! alone; what both agree on is less likely to be the same mistake made twice.

mod apply;
mod read;
mod words;

use precedent_core::audit::{FactResult, Op};
use precedent_core::{
    CertificateId, Change, Commit, CommitId, Contradiction, Digest, Entity, Memory, MemoryId,
    Receipt, Revision, Rule, StoreErrorKind, Timestamp, ToolEvent,
};

pub(crate) use self::words::approximately;

/// A memory with its life.
#[derive(Clone, Debug)]
struct Row {
    /// As it was written; what changes of it is in `life`.
    memory: Memory,
    has_vector: bool,
    digest: Digest,
    echo: Digest,
    /// Every stretch, the present one last.
    life: Vec<Revision>,
}

/// A commit that was applied.
#[derive(Clone, Debug)]
struct Done {
    id: CommitId,
    /// None once a memory that it tells of was erased: any request then repeats it.
    request: Option<Digest>,
    answer: Answer,
}

/// One line of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) seq: u64,
    pub(crate) op: Op,
    pub(crate) result: FactResult,
    pub(crate) memory: Option<MemoryId>,
    pub(crate) erased: bool,
}

/// What a commit is answered, the hash of the head left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) recorded_at: Timestamp,
    pub(crate) size: u64,
    pub(crate) lines: Vec<Line>,
    pub(crate) certificates: Vec<CertificateId>,
    pub(crate) replayed: bool,
}

/// What a store should hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    rows: Vec<Row>,
    erased: Vec<(MemoryId, CertificateId)>,
    events: Vec<ToolEvent>,
    rules: Vec<Rule>,
    receipts: Vec<Receipt>,
    entities: Vec<Entity>,
    contradictions: Vec<Contradiction>,
    commits: Vec<Done>,
    certificates: Vec<CertificateId>,
    size: u64,
    last: Option<Timestamp>,
}

impl Model {
    /// Says what a store answers, and moves on to what it then holds.
    pub(crate) fn commit(&mut self, commit: &Commit) -> Result<Answer, StoreErrorKind> {
        if let Some(done) = self.commits.iter().find(|done| done.id == commit.header.id) {
            return self.replay(done, commit);
        }
        for expect in &commit.expects {
            if !self.holds(expect) {
                return Err(StoreErrorKind::Conflict);
            }
        }
        let mut next = self.clone();
        let answer = next.change(commit)?;
        *self = next;
        Ok(answer)
    }

    fn replay(&self, done: &Done, commit: &Commit) -> Result<Answer, StoreErrorKind> {
        if done.request.is_some() && done.request != Some(commit.request) {
            return Err(StoreErrorKind::CommitReused);
        }
        let mut answer = done.answer.clone();
        answer.replayed = true;
        for line in &mut answer.lines {
            let gone = |id: MemoryId| self.erased.iter().any(|(erased, _)| *erased == id);
            line.erased = line.memory.is_some_and(gone);
        }
        Ok(answer)
    }

    fn change(&mut self, commit: &Commit) -> Result<Answer, StoreErrorKind> {
        let now = self
            .last
            .map_or(commit.header.at, |last| last.max(commit.header.at));
        let mut told = Vec::new();
        let mut certificates = Vec::new();
        for change in &commit.changes {
            told.push(self.apply(change, now)?);
            if let Change::Erase(erasure) = change {
                certificates.push(erasure.certificate);
            }
        }
        if told.is_empty() {
            return Err(StoreErrorKind::InvalidInput);
        }
        if self.size == 0 {
            // The log's own opening entry.
            self.size = 1;
        }
        let mut lines = Vec::new();
        for (op, result, memory) in told {
            lines.push(Line {
                seq: self.size,
                op,
                result,
                memory,
                erased: false,
            });
            self.size += 1;
        }
        self.last = Some(now);
        self.certificates.extend(&certificates);
        let answer = Answer {
            recorded_at: now,
            size: self.size,
            lines,
            certificates,
            replayed: false,
        };
        self.commits.push(Done {
            id: commit.header.id,
            request: Some(commit.request),
            answer: answer.clone(),
        });
        Ok(answer)
    }
}

/// The texts of names and topics that count as one; the histories are in plain letters.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}
