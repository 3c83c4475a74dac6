//! What became of a write request. Of a replay it is read back from the log, which holds all that
//! the first answer said.

use precedent_core::audit::{Detail, Op, Reason, SealedEntry};
use precedent_core::{Change, Committed, CommittedFact, MemoryId, State, Timestamp};
use serde::Serialize;
use serde_json::Value;

use crate::{Engine, EngineError};

/// A stored memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stored {
    /// Its id.
    pub id: MemoryId,
    /// Whether it waits for a vector, and is found by its words only.
    pub pending_vector: bool,
    /// Whether it has been erased since; only a replayed request can tell.
    pub erased: bool,
}

/// A candidate that was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rejected {
    /// Its place among the request's candidates, from 0.
    pub candidate: usize,
    /// Why.
    pub reason: Reason,
    /// The memory that it says again, if it does.
    pub of: Option<MemoryId>,
}

/// A stored memory that says almost the same as another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Similar {
    /// The stored memory.
    pub id: MemoryId,
    /// The memory that it resembles.
    pub near_duplicate_of: MemoryId,
}

/// What became of one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// It was stored.
    Stored {
        /// Under this id.
        id: MemoryId,
    },
    /// It was there already.
    Deduplicated {
        /// As this memory.
        of: MemoryId,
    },
    /// It was not stored.
    Rejected {
        /// Why.
        reason: Reason,
    },
}

/// What became of a write request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WriteResult {
    /// What became of each candidate, in order.
    pub outcomes: Vec<Outcome>,
    /// Memories that were stored.
    pub stored: Vec<Stored>,
    /// Candidates that were not.
    pub rejected: Vec<Rejected>,
    /// Memories that were there already, one for each candidate that says the same.
    pub deduplicated: Vec<MemoryId>,
    /// Memories that were replaced.
    pub superseded: Vec<MemoryId>,
    /// Stored memories that contradict one that is there.
    pub disputed: Vec<MemoryId>,
    /// Stored memories that resemble one that is there.
    pub similar: Vec<Similar>,
    /// Where stored memories stand that are held back.
    pub quarantined: Vec<MemoryId>,
    /// How many rules were stored.
    pub rules: usize,
    /// The instant the store recorded.
    pub recorded_at: Timestamp,
    /// The sequence number of the last audit entry.
    pub seq: u64,
    /// Whether the request had been carried out before.
    pub replayed: bool,
}

/// What one audit entry says of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Told {
    /// Nothing beside its operation.
    #[default]
    Nothing,
    /// A memory was written: without a vector, held back.
    Written(bool, bool),
    /// A memory was replaced.
    Replaced,
    /// A contradiction was opened.
    Contradicted,
    /// Why a candidate was not stored, and what it says again.
    Because(Reason, Option<MemoryId>),
}

/// Says of each change what its audit entry will say.
pub(super) fn told(changes: &[Change]) -> Vec<Told> {
    let of = |change: &Change| match change {
        Change::Put(put) => {
            let held_back = put.memory.state == State::Quarantined;
            Told::Written(put.vector.is_none(), held_back)
        }
        Change::Supersede { .. } => Told::Replaced,
        Change::Contradict(_) => Told::Contradicted,
        Change::Note(fact) => match fact.detail {
            Detail::Reason(reason, of) => Told::Because(reason, of),
            _ => Told::Nothing,
        },
        _ => Told::Nothing,
    };
    changes.iter().map(of).collect()
}

/// Reads what an audit entry says.
fn read(entry: &SealedEntry) -> Told {
    let body: Value = serde_json::from_slice(&entry.bytes).unwrap_or_default();
    let detail = body.get("detail");
    let member = |name: &str| detail?.get(name);
    let text = |name: &str| member(name).and_then(Value::as_str);
    if let Some(pending) = member("pending_vector").and_then(Value::as_bool) {
        Told::Written(pending, text("state") == Some(State::Quarantined.as_str()))
    } else if member("superseded_by").is_some() {
        Told::Replaced
    } else if member("contradiction_id").is_some() {
        Told::Contradicted
    } else {
        let reason = text("reason").and_then(|reason| reason.parse().ok());
        let of = text("repeats").and_then(|of| of.parse().ok());
        reason.map_or(Told::Nothing, |reason| Told::Because(reason, of))
    }
}

impl Engine {
    /// Reads the log's entries of a commit that was carried out before, and says what became of
    /// the request.
    pub(super) async fn written(&self, committed: &Committed) -> Result<WriteResult, EngineError> {
        let Some(first) = committed.facts.first() else {
            return Ok(result(committed, &[]));
        };
        let count = committed.facts.len();
        let page = self.store.audit_log(first.seq, count).await?;
        let told: Vec<Told> = page.entries.iter().map(read).collect();
        Ok(result(committed, &told))
    }
}

/// Says what became of a request.
pub(super) fn result(committed: &Committed, told: &[Told]) -> WriteResult {
    let mut result = WriteResult {
        outcomes: Vec::new(),
        stored: Vec::new(),
        rejected: Vec::new(),
        deduplicated: Vec::new(),
        superseded: Vec::new(),
        disputed: Vec::new(),
        similar: Vec::new(),
        quarantined: Vec::new(),
        rules: 0,
        recorded_at: committed.recorded_at,
        seq: committed.facts.last().map_or(0, |fact| fact.seq),
        replayed: committed.replayed,
    };
    for (place, fact) in committed.facts.iter().enumerate() {
        let told = told.get(place).copied().unwrap_or_default();
        tell(&mut result, fact, told);
    }
    result
}

fn tell(result: &mut WriteResult, fact: &CommittedFact, told: Told) {
    match (fact.op, fact.memory, told) {
        (Op::Write, Some(id), Told::Written(pending_vector, held_back)) => {
            result.outcomes.push(Outcome::Stored { id });
            result.stored.push(Stored {
                id,
                pending_vector,
                erased: fact.erased,
            });
            result.quarantined.extend(held_back.then_some(id));
        }
        (Op::Deduplicate, Some(of), _) => {
            result.outcomes.push(Outcome::Deduplicated { of });
            result.deduplicated.push(of);
        }
        (Op::Supersede, Some(id), Told::Replaced) => result.superseded.push(id),
        // One that contradicts several memories is told of once.
        (Op::Dispute, Some(id), Told::Contradicted) if !result.disputed.contains(&id) => {
            result.disputed.push(id);
        }
        (Op::NearDuplicate, Some(id), Told::Because(_, Some(near_duplicate_of))) => {
            result.similar.push(Similar {
                id,
                near_duplicate_of,
            });
        }
        (Op::Reject, of, Told::Because(reason, _)) => {
            result.rejected.push(Rejected {
                candidate: result.outcomes.len(),
                reason,
                of,
            });
            result.outcomes.push(Outcome::Rejected { reason });
        }
        (Op::Rule, _, _) => result.rules += 1,
        _ => {}
    }
}
