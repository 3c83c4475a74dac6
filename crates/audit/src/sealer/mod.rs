//! The sealer: turns facts into the next entries of a log, and erasures into certificates.
//!
//! It is a pure function of the request and of its own origin, keys and settings, so that the same
//! commits give the same head on every backend.

mod detail;
mod erasure;
mod origin;

use std::sync::Arc;

use precedent_core::audit::{
    BackendBlock, Fact, FactResult, Head, Op, SealError, SealRequest, Sealed, SealedCertificate,
    SealedEntry,
};
use precedent_core::{AuditSink, Digest, MemoryId, Name, Timestamp};
use serde_json::{Map, Value};

use crate::canonical::{CanonicalFault, Entry, MAX_ENTRY_BYTES};
use crate::certificate::Backend;
use crate::hash;
use crate::json::{JsonFault, MAX_INTEGER};
use crate::key::KeySet;

pub use origin::{Origin, OriginError};

/// The format that a genesis entry names.
pub const LOG_FORMAT: &str = "agent-memory-audit/v1";

/// Who acts in the log's own entries.
const SYSTEM: &str = "system";

/// A day in milliseconds.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Seals facts for one log.
#[derive(Debug, Clone)]
pub struct Sealer {
    origin: Origin,
    keys: Arc<KeySet>,
    backup_retention_ms: Option<i64>,
    names_backend: bool,
}

impl Sealer {
    /// Seals for the log of this origin with these keys.
    pub fn new(origin: Origin, keys: Arc<KeySet>) -> Self {
        Self {
            origin,
            keys,
            backup_retention_ms: None,
            names_backend: true,
        }
    }

    /// Says after how many days the store's backups expire, which certificates then promise.
    /// Without it they claim nothing of backups.
    #[must_use]
    pub fn with_backup_retention(mut self, retention_days: u16) -> Self {
        self.backup_retention_ms = Some(i64::from(retention_days) * DAY_MS);
        self
    }

    /// Leaves the backend out of certificates, so that logs of different backends compare equal.
    #[must_use]
    pub fn with_blank_backend(mut self) -> Self {
        self.names_backend = false;
        self
    }

    fn genesis(&self) -> Map<String, Value> {
        let mut detail = Map::new();
        detail.insert("origin".into(), self.origin.as_str().into());
        detail.insert("format".into(), LOG_FORMAT.into());
        let key = self.keys.certificate.public().to_spki_base64();
        detail.insert("certificate_keys".into(), vec![key].into());
        // No checkpoint is signed, so no key for one is named.
        detail.insert("checkpoint_keys".into(), Value::Array(Vec::new()));
        detail
    }

    fn backend(&self, block: &BackendBlock) -> Backend {
        if !self.names_backend {
            return Backend::default();
        }
        Backend {
            kind: block.kind.to_owned(),
            engine_version: block.engine_version.to_string(),
            store_id: block.store_id.map(|id| id.to_string()),
            schema_version: u64::from(block.schema_version),
        }
    }
}

impl AuditSink for Sealer {
    fn seal(&self, request: &SealRequest<'_>) -> Result<Sealed, SealError> {
        let header = request.header;
        let mut log = Appender::after(request.head, header.at);
        if request.head.is_none() {
            log.append_genesis(self.genesis())?;
        }
        let caller = Caller {
            actor: self.keys.hmac.pseudonym(header.actor.as_str()),
            agent: header.agent.as_str(),
            purpose: header.purpose.as_str(),
        };
        let mut skew_ms = request
            .head
            .map_or(0, |head| head.at.as_millis() - header.at.as_millis());
        let mut certificates = Vec::new();
        for fact in request.facts {
            let certificate = self.certificate(fact, request, log.at, &caller.actor)?;
            let mut members = detail::members(&fact.detail, certificate.as_ref());
            if skew_ms > 0 {
                let members = members.get_or_insert_with(Map::new);
                members.insert("clock_skew_ms".into(), skew_ms.into());
                skew_ms = 0;
            }
            let seq = log.append(fact, &caller, members)?;
            certificates.extend(certificate.map(|made| made.sealed(seq)));
        }
        log.finish(certificates)
    }

    fn key_ids(&self) -> Vec<String> {
        vec![
            self.keys.certificate.public().key_id(),
            self.keys.hmac.key_id(),
        ]
    }

    fn pseudonym(&self, actor: &Name) -> String {
        self.keys.hmac.pseudonym(actor.as_str())
    }
}

/// Who asked: the part of an entry that a whole request shares.
struct Caller<'a> {
    actor: String,
    agent: &'a str,
    purpose: &'a str,
}

/// Appends entries behind a head.
struct Appender {
    seq: u64,
    prev: Option<Digest>,
    at: Timestamp,
    entries: Vec<SealedEntry>,
}

impl Appender {
    fn after(head: Option<&Head>, at: Timestamp) -> Self {
        Self {
            seq: head.map_or(0, |head| head.size),
            prev: head.map(|head| head.hash),
            // The log's times never decrease, whatever the clock does.
            at: head.map_or(at, |head| head.at.max(at)),
            entries: Vec::new(),
        }
    }

    fn append_genesis(&mut self, detail: Map<String, Value>) -> Result<(), SealError> {
        let entry = Entry {
            actor: SYSTEM.to_owned(),
            agent_id: SYSTEM.to_owned(),
            detail: Some(detail),
            memory_id: None,
            namespace: String::new(),
            op: Op::Genesis.as_str().to_owned(),
            prev: self.prev,
            purpose: "genesis".to_owned(),
            result: FactResult::Ok.as_str().to_owned(),
            seq: self.seq,
            ts: self.at,
        };
        let row = Projected {
            op: Op::Genesis,
            result: FactResult::Ok,
            memory: None,
        };
        self.push(entry, row)
    }

    /// Appends the entry of a fact and returns its sequence number.
    fn append(
        &mut self,
        fact: &Fact,
        caller: &Caller<'_>,
        detail: Option<Map<String, Value>>,
    ) -> Result<u64, SealError> {
        let seq = self.seq;
        let entry = Entry {
            actor: caller.actor.clone(),
            agent_id: caller.agent.to_owned(),
            detail,
            memory_id: fact.memory.map(|id| id.to_string()),
            namespace: fact.namespace.as_str().to_owned(),
            op: fact.op.as_str().to_owned(),
            prev: self.prev,
            purpose: caller.purpose.to_owned(),
            result: fact.result.as_str().to_owned(),
            seq,
            ts: self.at,
        };
        let row = Projected {
            op: fact.op,
            result: fact.result,
            memory: fact.memory,
        };
        self.push(entry, row)?;
        Ok(seq)
    }

    fn push(&mut self, entry: Entry, row: Projected) -> Result<(), SealError> {
        if self.seq >= MAX_INTEGER {
            return Err(SealError::Exhausted);
        }
        let bytes = entry.canonical().map_err(refusal)?;
        let leaf = hash::leaf(&bytes);
        self.entries.push(SealedEntry {
            seq: self.seq,
            bytes,
            leaf,
            op: row.op,
            result: row.result,
            memory: row.memory,
            namespace: entry.namespace,
            actor: entry.actor,
            at: self.at,
        });
        self.prev = Some(leaf);
        self.seq += 1;
        Ok(())
    }

    fn finish(self, certificates: Vec<SealedCertificate>) -> Result<Sealed, SealError> {
        // Only a request without facts on a log with entries leaves nothing to seal.
        let hash = self.prev.ok_or(SealError::NotCanonical {
            what: "a request without facts",
        })?;
        Ok(Sealed {
            entries: self.entries,
            head: Head {
                size: self.seq,
                hash,
                at: self.at,
            },
            certificates,
            recorded_at: self.at,
        })
    }
}

/// The typed columns beside an entry.
struct Projected {
    op: Op,
    result: FactResult,
    memory: Option<MemoryId>,
}

fn refusal(fault: CanonicalFault) -> SealError {
    match fault {
        CanonicalFault::TooLarge(_) => SealError::TooLarge {
            limit: MAX_ENTRY_BYTES,
        },
        CanonicalFault::Json(JsonFault::IntegerRange) => SealError::NotCanonical {
            what: "an integer beyond 2^53-1",
        },
        CanonicalFault::NulCharacter(member) => SealError::NotCanonical { what: member },
        _ => SealError::NotCanonical {
            what: "the entry's detail",
        },
    }
}

#[cfg(test)]
mod tests;
