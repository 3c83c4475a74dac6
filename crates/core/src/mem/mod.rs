//! The reference store: everything in memory, scored naively, stricter than the real ones.

mod apply;
mod correct;
mod lanes;
mod names;
mod read;
mod state;

use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;

use self::state::State;
use crate::audit::{BackendBlock, SealedCertificate};
use crate::{
    AuditPage, AuditSink, Candidates, Capabilities, CertificateQuery, Commit, Committed,
    Contradiction, ContradictionQuery, DurabilityLevel, EmbeddingSpace, Entity, EntityQuery,
    ErasureScope, EventQuery, Maintain, MaintainReport, Memory, MemoryId, MemoryQuery, Namespace,
    NamespaceCount, Recall, RecallQuery, Receipt, ReceiptQuery, Redactor, Revision, Rule,
    RuleQuery, Scope, Store, StoreError, StoreErrorKind, StoreStatus, ToolEvent,
};

/// A store in memory, gone with its last handle; the model that the other backends are held to.
///
/// A commit mutates a copy of the state, seals it and swaps it in, so that no reader can see a
/// part. Clones share the store.
#[derive(Clone)]
pub struct MemStore {
    shared: Arc<RwLock<Arc<State>>>,
    space: Option<EmbeddingSpace>,
}

impl MemStore {
    /// Makes an empty store for vectors of `space`, or without a vector lane.
    pub fn new(space: Option<EmbeddingSpace>) -> Self {
        Self {
            shared: Arc::default(),
            space,
        }
    }

    fn snapshot(&self) -> Arc<State> {
        // A panic while the lock was held cannot have left a half-made state: states are swapped.
        self.shared
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Runs `change` on a copy and publishes the copy only when it succeeds.
    fn update<T>(
        &self,
        change: impl FnOnce(&mut State) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut current = self.shared.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = State::clone(&current);
        let answer = change(&mut next)?;
        *current = Arc::new(next);
        Ok(answer)
    }

    fn backend_block() -> BackendBlock {
        BackendBlock {
            kind: "mem",
            engine_version: Redactor::new().clean(env!("CARGO_PKG_VERSION")),
            store_id: None,
            schema_version: 1,
        }
    }

    /// Breaks the index of one lane and kind, as a damaged store would have it.
    #[cfg(feature = "testkit")]
    pub fn break_lane(&self, kind: crate::Kind, lane: crate::Lane, code: crate::RecallCode) {
        let broken = self.update(|state| {
            state.faults.push(crate::RecallError::new(kind, lane, code));
            Ok(())
        });
        broken.expect("breaking a lane changes nothing that could be refused");
    }
}

#[async_trait]
impl Store for MemStore {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            durability: DurabilityLevel::Memory,
            erasure: ErasureScope::Logical,
            multi_process: false,
            exact_vectors: true,
            max_changes_per_commit: None,
        }
    }

    async fn commit(
        &self,
        commit: Commit,
        sink: Arc<dyn AuditSink>,
    ) -> Result<Committed, StoreError> {
        let dimension = self.space.as_ref().map(|space| space.dimension);
        self.update(|state| apply::commit(state, commit, sink.as_ref(), dimension))
    }

    async fn maintain(
        &self,
        request: Maintain,
        sink: Arc<dyn AuditSink>,
    ) -> Result<MaintainReport, StoreError> {
        self.update(|state| apply::maintain(state, &request, sink.as_ref()))
    }

    async fn memories(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        Ok(read::memories(&self.snapshot(), scope, ids))
    }

    async fn find_memories(&self, query: &MemoryQuery) -> Result<Vec<Memory>, StoreError> {
        Ok(read::find_memories(&self.snapshot(), query))
    }

    async fn revisions(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Revision>, StoreError> {
        Ok(read::revisions(&self.snapshot(), scope, id))
    }

    async fn entities(&self, query: &EntityQuery) -> Result<Vec<Entity>, StoreError> {
        Ok(read::entities(&self.snapshot(), query))
    }

    async fn contradictions(
        &self,
        query: &ContradictionQuery,
    ) -> Result<Vec<Contradiction>, StoreError> {
        Ok(read::contradictions(&self.snapshot(), query))
    }

    async fn namespaces(&self, within: &Namespace) -> Result<Vec<NamespaceCount>, StoreError> {
        Ok(read::namespaces(&self.snapshot(), within))
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<ToolEvent>, StoreError> {
        Ok(read::events(&self.snapshot(), query))
    }

    async fn rules(&self, query: &RuleQuery) -> Result<Vec<Rule>, StoreError> {
        Ok(read::rules(&self.snapshot(), query))
    }

    async fn receipts(&self, query: &ReceiptQuery) -> Result<Vec<Receipt>, StoreError> {
        Ok(read::receipts(&self.snapshot(), query))
    }

    async fn certificates(
        &self,
        query: &CertificateQuery,
    ) -> Result<Vec<SealedCertificate>, StoreError> {
        Ok(read::certificates(&self.snapshot(), query))
    }

    async fn audit_log(&self, from: u64, limit: usize) -> Result<AuditPage, StoreError> {
        let state = self.snapshot();
        let from = usize::try_from(from)
            .map_err(|_| StoreError::new(StoreErrorKind::InvalidInput, "reading the audit log"))?;
        let entries = state.log.iter().skip(from).take(limit).cloned().collect();
        Ok(AuditPage {
            entries,
            head: state.head,
        })
    }

    async fn status(&self) -> Result<StoreStatus, StoreError> {
        Ok(read::status(
            &self.snapshot(),
            self.space.clone(),
            Self::backend_block(),
        ))
    }
}

#[async_trait]
impl Recall for MemStore {
    async fn candidates(&self, query: &RecallQuery) -> Candidates {
        lanes::candidates(&self.snapshot(), query, self.space.as_ref())
    }
}
