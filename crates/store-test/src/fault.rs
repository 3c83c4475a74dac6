//! A store that fails when it is told to, for tests of what the layers above make of it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use precedent_core::audit::SealedCertificate;
use precedent_core::{
    AuditPage, AuditSink, Backend, Candidates, Capabilities, CertificateQuery, Commit, Committed,
    Contradiction, ContradictionQuery, Entity, EntityQuery, EventQuery, Kind, Lane, LaneAnswer,
    Maintain, MaintainReport, Memory, MemoryId, MemoryQuery, Namespace, NamespaceCount, Recall,
    RecallCode, RecallError, RecallQuery, Receipt, ReceiptQuery, Revision, Rule, RuleQuery, Scope,
    Store, StoreError, StoreErrorKind, StoreStatus, ToolEvent,
};

const OPERATION: &str = "failing as planned";

/// A sort of call that can be counted and made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// [`Store::commit`].
    Commit,
    /// [`Store::maintain`].
    Maintain,
    /// Any other method of [`Store`] that can fail.
    Read,
    /// [`Recall::candidates`] where it asks this lane, of all kinds together. The lane's answers
    /// are errors then, those of the other lane are not.
    Candidates(Lane),
}

impl Call {
    const COUNT: usize = 5;

    const fn index(self) -> usize {
        match self {
            Self::Commit => 0,
            Self::Maintain => 1,
            Self::Read => 2,
            Self::Candidates(Lane::Vector) => 3,
            Self::Candidates(Lane::Lexical) => 4,
        }
    }
}

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is done and this is the error. Of a lane, `not-found` is a missing index, `corrupt`
    /// a damaged one, and everything else an unavailable store.
    Before(StoreErrorKind),
    /// It is done, durably, and the caller gets an `io` error in place of the answer.
    AnswerLost,
}

/// Which calls fail, and how.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    faults: Vec<(Call, std::ops::RangeInclusive<u64>, Fault)>,
}

impl Plan {
    /// Lets every call through, and counts them.
    pub fn none() -> Self {
        Self::default()
    }

    /// Fails the `n`-th call of a sort, from 1, and no other.
    pub fn nth(call: Call, n: u64, fault: Fault) -> Self {
        Self {
            faults: vec![(call, n..=n, fault)],
        }
    }

    /// Fails the `n`-th call of a sort, from 1, and all after it.
    pub fn since(call: Call, n: u64, fault: Fault) -> Self {
        Self {
            faults: vec![(call, n..=u64::MAX, fault)],
        }
    }

    /// Fails what either plan fails; where both fail a call, as this one does.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.faults.extend(other.faults);
        self
    }

    fn find(&self, call: Call, n: u64) -> Option<Fault> {
        let planned = |(of, calls, _): &&(Call, std::ops::RangeInclusive<u64>, Fault)| {
            *of == call && calls.contains(&n)
        };
        self.faults.iter().find(planned).map(|(_, _, fault)| *fault)
    }
}

/// A store that passes every call on, counts it, and fails those that its plan names.
///
/// ```
/// use std::sync::Arc;
/// use precedent_core::{Backend, MemStore, StoreErrorKind};
/// use precedent_store_test::{Call, Fault, FaultStore, Plan};
///
/// let plan = Plan::nth(Call::Commit, 2, Fault::Before(StoreErrorKind::Busy))
///     .and(Plan::nth(Call::Commit, 3, Fault::AnswerLost));
/// let store = Arc::new(FaultStore::over(Arc::new(MemStore::new(None)), plan));
/// let backend: Arc<dyn Backend> = store.clone();
/// // Hand `backend` to the code under test, then look at what it did.
/// drop(backend);
/// assert_eq!(store.calls(Call::Commit), 0);
/// ```
pub struct FaultStore {
    inner: Arc<dyn Backend>,
    plan: Mutex<Plan>,
    counts: [AtomicU64; Call::COUNT],
}

impl FaultStore {
    /// Puts a plan before a store.
    pub fn over(inner: Arc<dyn Backend>, plan: Plan) -> Self {
        Self {
            inner,
            plan: Mutex::new(plan),
            counts: Default::default(),
        }
    }

    /// Follows another plan from now on, and counts from 0 again.
    pub fn follow(&self, plan: Plan) {
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = plan;
        for count in &self.counts {
            count.store(0, Ordering::SeqCst);
        }
    }

    /// Returns how many calls of a sort there were, failed ones included.
    pub fn calls(&self, call: Call) -> u64 {
        self.counts[call.index()].load(Ordering::SeqCst)
    }

    /// Returns the store behind the plan.
    pub fn inner(&self) -> &Arc<dyn Backend> {
        &self.inner
    }

    /// Counts a call and returns how it is to fail.
    fn count(&self, call: Call) -> Option<Fault> {
        let n = self.counts[call.index()].fetch_add(1, Ordering::SeqCst) + 1;
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        plan.find(call, n)
    }

    /// Makes a call, or not, as the plan says.
    async fn pass<T>(
        &self,
        call: Call,
        made: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        match self.count(call) {
            None => made.await,
            Some(Fault::Before(kind)) => Err(StoreError::new(kind, OPERATION)),
            Some(Fault::AnswerLost) => {
                made.await?;
                Err(StoreError::new(StoreErrorKind::Io, OPERATION))
            }
        }
    }
}

#[async_trait]
impl Store for FaultStore {
    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    async fn commit(
        &self,
        commit: Commit,
        sink: Arc<dyn AuditSink>,
    ) -> Result<Committed, StoreError> {
        self.pass(Call::Commit, self.inner.commit(commit, sink))
            .await
    }

    async fn maintain(
        &self,
        request: Maintain,
        sink: Arc<dyn AuditSink>,
    ) -> Result<MaintainReport, StoreError> {
        self.pass(Call::Maintain, self.inner.maintain(request, sink))
            .await
    }

    async fn memories(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        self.pass(Call::Read, self.inner.memories(scope, ids)).await
    }

    async fn find_memories(&self, query: &MemoryQuery) -> Result<Vec<Memory>, StoreError> {
        self.pass(Call::Read, self.inner.find_memories(query)).await
    }

    async fn revisions(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Revision>, StoreError> {
        self.pass(Call::Read, self.inner.revisions(scope, id)).await
    }

    async fn entities(&self, query: &EntityQuery) -> Result<Vec<Entity>, StoreError> {
        self.pass(Call::Read, self.inner.entities(query)).await
    }

    async fn contradictions(
        &self,
        query: &ContradictionQuery,
    ) -> Result<Vec<Contradiction>, StoreError> {
        self.pass(Call::Read, self.inner.contradictions(query))
            .await
    }

    async fn namespaces(&self, within: &Namespace) -> Result<Vec<NamespaceCount>, StoreError> {
        self.pass(Call::Read, self.inner.namespaces(within)).await
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<ToolEvent>, StoreError> {
        self.pass(Call::Read, self.inner.events(query)).await
    }

    async fn rules(&self, query: &RuleQuery) -> Result<Vec<Rule>, StoreError> {
        self.pass(Call::Read, self.inner.rules(query)).await
    }

    async fn receipts(&self, query: &ReceiptQuery) -> Result<Vec<Receipt>, StoreError> {
        self.pass(Call::Read, self.inner.receipts(query)).await
    }

    async fn certificates(
        &self,
        query: &CertificateQuery,
    ) -> Result<Vec<SealedCertificate>, StoreError> {
        self.pass(Call::Read, self.inner.certificates(query)).await
    }

    async fn audit_log(&self, from: u64, limit: usize) -> Result<AuditPage, StoreError> {
        self.pass(Call::Read, self.inner.audit_log(from, limit))
            .await
    }

    async fn status(&self) -> Result<StoreStatus, StoreError> {
        self.pass(Call::Read, self.inner.status()).await
    }
}

#[async_trait]
impl Recall for FaultStore {
    async fn candidates(&self, query: &RecallQuery) -> Candidates {
        let lexical = self.count(Call::Candidates(Lane::Lexical));
        let asked = query.vector.is_some();
        let vector = asked.then(|| self.count(Call::Candidates(Lane::Vector)));
        // The store is asked without what fails, so that it brings the memories of what is left.
        let mut left = query.clone();
        if lexical.is_some() {
            left.terms.clear();
        }
        if vector.flatten().is_some() {
            left.vector = None;
        }
        let mut candidates = self.inner.candidates(&left).await;
        for (lane, fault) in [(Lane::Lexical, lexical), (Lane::Vector, vector.flatten())] {
            if let Some(fault) = fault {
                candidates.answers.retain(|answer| answer.lane != lane);
                let failed = query.kinds.iter().map(|kind| failed(*kind, lane, fault));
                candidates.answers.extend(failed);
            }
        }
        candidates
    }
}

fn failed(kind: Kind, lane: Lane, fault: Fault) -> LaneAnswer {
    let code = match fault {
        Fault::Before(StoreErrorKind::NotFound) => RecallCode::Missing,
        Fault::Before(StoreErrorKind::Corrupt) => RecallCode::Corrupt,
        Fault::Before(_) | Fault::AnswerLost => RecallCode::Unavailable,
    };
    LaneAnswer {
        kind,
        lane,
        result: Err(RecallError::new(kind, lane, code)),
        pending: 0,
    }
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;
    use precedent_core::MemStore;

    use super::*;
    use crate::data::{axis, home, memory, memory_id, put, put_with, space};
    use crate::store::{TestStore, answer, assert_refused, both_query, hits, ids};

    fn failing(plan: Plan) -> (Arc<FaultStore>, TestStore) {
        let inner = Arc::new(MemStore::new(Some(space())));
        let faulty = Arc::new(FaultStore::over(inner, plan));
        (Arc::clone(&faulty), TestStore::over(faulty))
    }

    #[test]
    fn a_commit_fails_before_it_or_loses_its_answer() {
        let plan = Plan::nth(Call::Commit, 2, Fault::Before(StoreErrorKind::Busy)).and(Plan::nth(
            Call::Commit,
            3,
            Fault::AnswerLost,
        ));
        let (faulty, store) = failing(plan);
        block_on(async {
            store.put([memory(1, "one")]).await;
            let request = store.request(Vec::new(), vec![put(memory(2, "two"))]);
            let busy = store.send(request.clone()).await;
            assert_refused(busy, StoreErrorKind::Busy);
            assert_eq!(store.memories(&home()).await.len(), 1, "nothing was done");
            let lost = store.send(request.clone()).await;
            assert_refused(lost, StoreErrorKind::Io);
            assert_eq!(store.memories(&home()).await.len(), 2, "it was done");
            let again = store.send(request).await.expect("the plan is at its end");
            assert!(again.replayed);
        });
        assert_eq!(faulty.calls(Call::Commit), 4);
        assert_eq!(faulty.calls(Call::Read), 2);
        assert_eq!(faulty.calls(Call::Maintain), 0);
    }

    #[test]
    fn reads_fail_from_one_on() {
        let plan = Plan::since(Call::Read, 2, Fault::Before(StoreErrorKind::Closed));
        let (faulty, store) = failing(plan);
        block_on(async {
            assert_eq!(store.memories(&home()).await, []);
            for _ in 0..3 {
                let closed = faulty.status().await;
                assert_refused(closed, StoreErrorKind::Closed);
            }
        });
        assert_eq!(faulty.calls(Call::Read), 4);
    }

    #[test]
    fn a_lane_fails_alone_and_the_rest_is_brought() {
        let kind = Kind::Episodic;
        for (lost, other) in [(Lane::Lexical, Lane::Vector), (Lane::Vector, Lane::Lexical)] {
            let fault = Fault::Before(StoreErrorKind::Corrupt);
            let (faulty, store) = failing(Plan::nth(Call::Candidates(lost), 2, fault));
            block_on(async {
                let fox = put_with(memory(1, "red fox"), Some(axis(0)));
                store.commit(vec![fox]).await;
                let query = both_query(&home(), &[kind], "fox", axis(0));
                let whole = store.candidates(&query).await;
                let part = store.candidates(&query).await;
                let error = answer(&part, kind, lost).result.as_ref().err().cloned();
                assert_eq!(
                    error,
                    Some(RecallError::new(kind, lost, RecallCode::Corrupt))
                );
                let found = hits(&part, kind, other);
                assert_eq!((ids(&found), part.answers.len()), (vec![memory_id(1)], 2));
                assert_eq!(part.memories, whole.memories);
                assert_eq!(store.candidates(&query).await, whole);
            });
            assert_eq!(faulty.calls(Call::Candidates(lost)), 3);
        }
    }
}
