//! Audit sinks for tests: a plain one, the real one with fixed keys, and one that refuses.

use std::sync::Arc;

use precedent_audit::key::{CertificateKey, HmacKey, KeySet};
use precedent_audit::sealer::{Origin, Sealer};
use precedent_core::audit::{Detail, Fact, FactResult, Head, Op, SealedCertificate, SealedEntry};
use precedent_core::{AuditSink, Digest, Name, SealError, SealRequest, Sealed, audit::Stage};
use sha2::{Digest as _, Sha256};

/// Chains facts with SHA-256 and leaves the backend out of the bytes, so that the same commits
/// give the same head on every backend; signs nothing.
pub struct ChainSink {
    key: &'static str,
}

impl ChainSink {
    /// Makes a sink under a key's name; stores refuse writes under another name than their first.
    pub const fn new(key: &'static str) -> Self {
        Self { key }
    }

    fn entry(&self, head: &Head, request: &SealRequest<'_>, fact: &Fact) -> SealedEntry {
        let header = request.header;
        let actor = self.pseudonym(&header.actor);
        let bytes = format!(
            "{}|{}|{}|{}|{}|{}|{}|{}|{}|{actor}|{}|{}|{:?}",
            head.size,
            head.hash,
            header.id,
            head.at,
            fact.op,
            fact.result,
            fact.namespace,
            fact.memory.map_or_else(String::new, |id| id.to_string()),
            header.namespace,
            header.agent,
            header.purpose,
            fact.detail,
        )
        .into_bytes();
        let hash = Sha256::new().chain_update([0]).chain_update(&bytes);
        SealedEntry {
            seq: head.size,
            bytes,
            leaf: Digest::from_bytes(hash.finalize().into()),
            op: fact.op,
            result: fact.result,
            memory: fact.memory,
            namespace: if fact.op == Op::Genesis {
                String::new()
            } else {
                fact.namespace.to_string()
            },
            actor,
            at: head.at,
        }
    }
}

fn certificate(entry: &SealedEntry, detail: &Detail) -> Option<SealedCertificate> {
    let (id, stage, content) = match detail {
        Detail::Erased(erased) => (erased.certificate, Stage::Logical, format!("{erased:?}")),
        Detail::Sanitised(done) => (done.certificate, Stage::Sanitised, format!("{done:?}")),
        _ => return None,
    };
    Some(SealedCertificate {
        id,
        stage,
        payload_sha256: Digest::from_bytes(Sha256::digest(content.as_bytes()).into()),
        envelope: format!("{{\"seq\":{}}}", entry.seq).into_bytes(),
        seq: entry.seq,
    })
}

impl AuditSink for ChainSink {
    fn seal(&self, request: &SealRequest<'_>) -> Result<Sealed, SealError> {
        let recorded_at = request
            .head
            .map_or(request.header.at, |head| head.at.max(request.header.at));
        let mut head = request.head.copied().unwrap_or(Head {
            size: 0,
            hash: Digest::from_bytes([0; 32]),
            at: recorded_at,
        });
        head.at = recorded_at;
        let genesis = Fact {
            op: Op::Genesis,
            result: FactResult::Ok,
            namespace: request.header.namespace.clone(),
            memory: None,
            detail: Detail::None,
        };
        let opening = request.head.is_none().then_some(&genesis);
        let mut sealed = Sealed {
            entries: Vec::new(),
            head,
            certificates: Vec::new(),
            recorded_at,
        };
        for fact in opening.into_iter().chain(request.facts) {
            let entry = self.entry(&sealed.head, request, fact);
            sealed.head.size += 1;
            sealed.head.hash = entry.leaf;
            sealed
                .certificates
                .extend(certificate(&entry, &fact.detail));
            sealed.entries.push(entry);
        }
        Ok(sealed)
    }

    fn key_ids(&self) -> Vec<String> {
        vec![self.key.to_owned()]
    }

    fn pseudonym(&self, actor: &Name) -> String {
        format!("{}:{actor}", self.key)
    }
}

/// Makes the real sealer with a fixed origin, fixed keys and no word of the backend, so that the
/// same commits give the same head on every backend.
pub fn sealer(keys: KeySet) -> Sealer {
    let origin = Origin::parse("suite.test/log").expect("the origin is well formed");
    Sealer::new(origin, Arc::new(keys)).with_blank_backend()
}

/// Makes the same keys every time; for tests only.
pub fn fixed_keys() -> KeySet {
    KeySet {
        certificate: CertificateKey::from_bytes(&[7; 32]),
        hmac: HmacKey::from_bytes(&[9; 32]),
    }
}

/// Refuses to seal, under the keys of the sink that it wraps.
pub struct FailingSink {
    inner: Arc<dyn AuditSink>,
    error: SealError,
}

impl FailingSink {
    /// Makes a sink that answers every request with `error`.
    pub fn new(inner: Arc<dyn AuditSink>, error: SealError) -> Self {
        Self { inner, error }
    }
}

impl AuditSink for FailingSink {
    fn seal(&self, _request: &SealRequest<'_>) -> Result<Sealed, SealError> {
        Err(self.error.clone())
    }

    fn key_ids(&self) -> Vec<String> {
        self.inner.key_ids()
    }

    fn pseudonym(&self, actor: &Name) -> String {
        self.inner.pseudonym(actor)
    }
}
