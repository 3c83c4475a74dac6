//! A store that fails where it is told to: before a commit, after it, at a read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use precedent_core::{
    AuditPage, AuditSink, Candidates, Capabilities, CertificateQuery, Commit, Committed,
    Contradiction, ContradictionQuery, Entity, EntityQuery, EventQuery, Maintain, MaintainReport,
    MemStore, Memory, MemoryId, MemoryQuery, Namespace, NamespaceCount, Recall, RecallQuery,
    Receipt, ReceiptQuery, Revision, Rule, RuleQuery, Scope, Store, StoreError, StoreErrorKind,
    StoreStatus, ToolEvent, audit::SealedCertificate,
};

/// A store with faults; each counts down to none.
pub struct Faults {
    pub inner: MemStore,
    /// Commits that fail with nothing done.
    pub refuse: AtomicUsize,
    /// Commits that conflict.
    pub conflict: AtomicUsize,
    /// Commits that are done, and whose answer is lost.
    pub lose: AtomicUsize,
    /// Reads of memories that fail.
    pub reads: AtomicUsize,
    /// Reads of the log that fail.
    pub logs: AtomicUsize,
}

impl Faults {
    pub fn new(inner: MemStore) -> Self {
        let zero = || AtomicUsize::new(0);
        Self {
            inner,
            refuse: zero(),
            conflict: zero(),
            lose: zero(),
            reads: zero(),
            logs: zero(),
        }
    }
}

fn strike(fault: &AtomicUsize, kind: StoreErrorKind) -> Result<(), StoreError> {
    let left = fault.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
    match left {
        Ok(_) => Err(StoreError::new(kind, "failing on purpose")),
        Err(_) => Ok(()),
    }
}

#[async_trait]
impl Store for Faults {
    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    async fn commit(
        &self,
        commit: Commit,
        sink: Arc<dyn AuditSink>,
    ) -> Result<Committed, StoreError> {
        let probe = commit.changes.is_empty();
        if !probe {
            strike(&self.refuse, StoreErrorKind::Io)?;
            strike(&self.conflict, StoreErrorKind::Conflict)?;
        }
        let done = self.inner.commit(commit, sink).await?;
        if !probe {
            strike(&self.lose, StoreErrorKind::Io)?;
        }
        Ok(done)
    }

    async fn maintain(
        &self,
        request: Maintain,
        sink: Arc<dyn AuditSink>,
    ) -> Result<MaintainReport, StoreError> {
        self.inner.maintain(request, sink).await
    }

    async fn memories(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        strike(&self.reads, StoreErrorKind::Io)?;
        self.inner.memories(scope, ids).await
    }

    async fn find_memories(&self, query: &MemoryQuery) -> Result<Vec<Memory>, StoreError> {
        strike(&self.reads, StoreErrorKind::Io)?;
        self.inner.find_memories(query).await
    }

    async fn revisions(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Revision>, StoreError> {
        self.inner.revisions(scope, id).await
    }

    async fn entities(&self, query: &EntityQuery) -> Result<Vec<Entity>, StoreError> {
        self.inner.entities(query).await
    }

    async fn contradictions(
        &self,
        query: &ContradictionQuery,
    ) -> Result<Vec<Contradiction>, StoreError> {
        self.inner.contradictions(query).await
    }

    async fn namespaces(&self, within: &Namespace) -> Result<Vec<NamespaceCount>, StoreError> {
        self.inner.namespaces(within).await
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<ToolEvent>, StoreError> {
        self.inner.events(query).await
    }

    async fn rules(&self, query: &RuleQuery) -> Result<Vec<Rule>, StoreError> {
        self.inner.rules(query).await
    }

    async fn receipts(&self, query: &ReceiptQuery) -> Result<Vec<Receipt>, StoreError> {
        self.inner.receipts(query).await
    }

    async fn certificates(
        &self,
        query: &CertificateQuery,
    ) -> Result<Vec<SealedCertificate>, StoreError> {
        self.inner.certificates(query).await
    }

    async fn audit_log(&self, from: u64, limit: usize) -> Result<AuditPage, StoreError> {
        strike(&self.logs, StoreErrorKind::Io)?;
        self.inner.audit_log(from, limit).await
    }

    async fn status(&self) -> Result<StoreStatus, StoreError> {
        self.inner.status().await
    }
}

#[async_trait]
impl Recall for Faults {
    async fn candidates(&self, query: &RecallQuery) -> Candidates {
        self.inner.candidates(query).await
    }
}
