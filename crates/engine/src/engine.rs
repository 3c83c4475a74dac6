//! What the write path works with: a store, an embedder, a sink, keys, a clock, ids.

use std::sync::Arc;

use precedent_audit::key::HmacKey;
use precedent_core::{
    AuditSink, Backend, Clock, CommitId, Digest, Embedder, Header, IdSource, Principal, Redactor,
    Timestamp,
};

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
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text_bytes: 64 * 1024,
            tags: 64,
            context: 64,
            field_bytes: 4096,
            items: 10_000,
        }
    }
}

/// The write path over one store.
#[derive(Clone)]
pub struct Engine {
    pub(crate) store: Arc<dyn Backend>,
    pub(crate) embedder: Option<Arc<dyn Embedder>>,
    pub(crate) sink: Arc<dyn AuditSink>,
    pub(crate) key: Arc<HmacKey>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) redactor: Redactor,
    pub(crate) limits: Limits,
}

impl Engine {
    /// Puts a write path together; `key` makes the digests of content and requests, which without
    /// a key would give short texts away.
    #[expect(
        clippy::too_many_arguments,
        reason = "each part is named once, by the facade's builder"
    )]
    pub fn new(
        store: Arc<dyn Backend>,
        embedder: Option<Arc<dyn Embedder>>,
        sink: Arc<dyn AuditSink>,
        key: Arc<HmacKey>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        redactor: Redactor,
        limits: Limits,
    ) -> Self {
        Self {
            store,
            embedder,
            sink,
            key,
            clock,
            ids,
            redactor,
            limits,
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
                let parts: [&[u8]; 3] = [
                    by.namespace.as_str().as_bytes(),
                    by.agent.as_str().as_bytes(),
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
