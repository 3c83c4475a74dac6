//! What became of a write request, read back from the log: so a replay says what the first answer
//! said.

use precedent_core::audit::{Op, Reason};
use precedent_core::{Committed, CommittedFact, MemoryId, State, Timestamp};
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

impl Engine {
    /// Reads the log's entries of a commit and says what became of the request.
    pub(super) async fn written(&self, committed: &Committed) -> Result<WriteResult, EngineError> {
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
        let details = self.details(committed).await?;
        for (fact, detail) in committed.facts.iter().zip(&details) {
            tell(&mut result, fact, detail);
        }
        Ok(result)
    }

    /// Reads what the log says of each fact. Where every fact speaks for itself, nothing is read.
    async fn details(&self, committed: &Committed) -> Result<Vec<Value>, EngineError> {
        let count = committed.facts.len();
        let Some(first) = committed.facts.first() else {
            return Ok(Vec::new());
        };
        let page = self.store.audit_log(first.seq, count).await?;
        let mut details: Vec<Value> = page
            .entries
            .iter()
            .map(|entry| {
                let body: Value = serde_json::from_slice(&entry.bytes).unwrap_or_default();
                body.get("detail").cloned().unwrap_or_default()
            })
            .collect();
        details.resize(count, Value::Null);
        Ok(details)
    }
}

fn tell(result: &mut WriteResult, fact: &CommittedFact, detail: &Value) {
    let member = |name: &str| detail.get(name).and_then(Value::as_str);
    match (fact.op, fact.memory) {
        (Op::Write, Some(id)) => {
            result.outcomes.push(Outcome::Stored { id });
            let pending = detail.get("pending_vector").and_then(Value::as_bool);
            result.stored.push(Stored {
                id,
                pending_vector: pending.unwrap_or(false),
                erased: fact.erased,
            });
            if member("state") == Some(State::Quarantined.as_str()) {
                result.quarantined.push(id);
            }
        }
        (Op::Deduplicate, Some(of)) => {
            result.outcomes.push(Outcome::Deduplicated { of });
            result.deduplicated.push(of);
        }
        (Op::Supersede, Some(id)) if member("superseded_by").is_some() => {
            result.superseded.push(id);
        }
        (Op::Dispute, Some(id)) if member("contradiction_id").is_some() => result.disputed.push(id),
        (Op::NearDuplicate, Some(id)) => {
            let of = member("repeats").and_then(|of| of.parse().ok());
            result.similar.extend(of.map(|of| Similar {
                id,
                near_duplicate_of: of,
            }));
        }
        (Op::Reject, of) => {
            let reason = member("reason").and_then(|reason| reason.parse().ok());
            let reason = reason.unwrap_or(Reason::Malformed);
            result.rejected.push(Rejected {
                candidate: result.outcomes.len(),
                reason,
                of,
            });
            result.outcomes.push(Outcome::Rejected { reason });
        }
        (Op::Rule, _) => result.rules += 1,
        _ => {}
    }
}
