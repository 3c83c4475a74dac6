//! What the write path works with: a store, an embedder, a sink, keys, a clock, ids.

use std::sync::Arc;

use precedent_audit::key::HmacKey;
use precedent_core::{
    AuditSink, Backend, Clock, CommitId, Digest, Embedder, Header, IdSource, Principal, Redactor,
    Timestamp,
};

use crate::{Reasoner, Stage, StageHook, WritePolicy};

/// Bounds on what one request may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest text of a memory, in bytes.
    pub text_bytes: usize,
    /// Most tags of a memory.
    pub tags: usize,
    /// Most context entries of a memory.
    pub context: usize,
    /// Longest tag, context name or context value, in bytes.
    pub field_bytes: usize,
    /// Most memories of one request.
    pub items: usize,
    /// Most facts that are taken from one content.
    pub facts: usize,
    /// Most entities that a memory mentions.
    pub entities: usize,
    /// Most names on an access list.
    pub readers: usize,
    /// Most memories that one is derived from.
    pub sources: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text_bytes: 64 * 1024,
            tags: 64,
            context: 64,
            field_bytes: 4096,
            items: 10_000,
            facts: 256,
            entities: 64,
            readers: 64,
            sources: 256,
        }
    }
}

/// What a write path is put together from.
#[derive(Clone)]
pub struct Parts {
    /// The store.
    pub store: Arc<dyn Backend>,
    /// Gives texts their vectors, if anything does.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Extracts, verifies and decides, if anything does.
    pub reasoner: Option<Arc<dyn Reasoner>>,
    /// Seals every commit.
    pub sink: Arc<dyn AuditSink>,
    /// Makes the digests of content and requests, which without a key would give short texts away.
    pub key: Arc<HmacKey>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Gives out ids.
    pub ids: Arc<dyn IdSource>,
    /// What every text passes.
    pub redactor: Redactor,
    /// Bounds on requests.
    pub limits: Limits,
    /// What the host decides for all writers.
    pub policy: WritePolicy,
    /// Follows the stages of writes.
    pub hook: Option<Arc<dyn StageHook>>,
}

/// The write path over one store.
#[derive(Clone)]
pub struct Engine(pub(crate) Arc<Parts>);

impl std::ops::Deref for Engine {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Engine {
    /// Puts a write path together.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// Tells the hook that a stage begins.
    pub(crate) fn begin(&self, stage: Stage, candidates: usize) {
        if let Some(hook) = &self.hook {
            hook.on_stage(stage, candidates);
        }
    }

    /// Returns the store.
    pub fn store(&self) -> &Arc<dyn Backend> {
        &self.store
    }

    /// Returns the sink that seals every commit.
    pub fn sink(&self) -> &Arc<dyn AuditSink> {
        &self.sink
    }

    /// Returns the embedder, if there is one.
    pub fn embedder(&self) -> Option<&Arc<dyn Embedder>> {
        self.embedder.as_ref()
    }

    /// Returns the redactor that every text passes.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Returns the present instant.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns 16 fresh bytes for an id.
    pub fn fresh_id(&self, now: Timestamp) -> [u8; 16] {
        self.ids.next(now)
    }

    /// Returns a keyed digest of `parts` under `domain`.
    pub fn digest(&self, domain: &str, parts: &[&[u8]]) -> Digest {
        self.key.mac(domain.as_bytes(), parts)
    }

    /// Returns the header of a commit: under the caller's idempotency key, or a fresh one.
    pub(crate) fn header(&self, by: &Principal, idempotency_key: Option<&str>) -> Header {
        let now = self.now();
        let id = match idempotency_key {
            None => CommitId::from_bytes(self.fresh_id(now)),
            Some(key) => {
                let parts: [&[u8]; 4] = [
                    by.namespace.as_str().as_bytes(),
                    by.agent.as_str().as_bytes(),
                    by.actor.as_str().as_bytes(),
                    key.as_bytes(),
                ];
                let digest = self.digest("precedent/commit-id/v1", &parts);
                let mut bytes = [0; 16];
                bytes.copy_from_slice(&digest.as_bytes()[..16]);
                CommitId::from_bytes(bytes)
            }
        };
        by.header(id, now)
    }
}
