//! The handle: everything that a service does with a memory.

use std::sync::Arc;

use precedent_audit::key::KeySet;
use precedent_core::audit::SealedCertificate;
use precedent_core::{
    AuditPage, CertificateQuery, CleanText, EventQuery, Maintain, MaintainReport, MaintainTask,
    MemoryId, Name, Namespace, Principal, RecallOutcome, RecallRequest, Redactor, Rule, RuleQuery,
    StoreStatus, ToolEvent, recall,
};
use precedent_engine::{Engine, Forget, Forgotten, Remember, RememberItem, WriteResult};
use precedent_guard::Guard;

use crate::error::{Error, ErrorKind};
use crate::opened::OpenStore;

/// A handle on a memory, for one principal; clones are cheap and share the store.
///
/// Methods are asynchronous but bound to no runtime. On embedded stores they answer on the calling
/// thread, within milliseconds.
#[derive(Clone)]
pub struct Memory {
    pub(crate) parts: Arc<Parts>,
    pub(crate) by: Principal,
}

/// What all handles of a memory share.
pub(crate) struct Parts {
    pub(crate) engine: Engine,
    pub(crate) guard: Guard,
    pub(crate) keys: Arc<KeySet>,
    #[cfg_attr(
        not(feature = "testkit"),
        expect(
            dead_code,
            reason = "only fault injection asks for the backend by type"
        )
    )]
    pub(crate) store: OpenStore,
}

impl Memory {
    pub(crate) fn assemble(parts: Parts, by: Principal) -> Self {
        Self {
            parts: Arc::new(parts),
            by,
        }
    }

    /// Returns whom this handle acts for.
    pub fn principal(&self) -> &Principal {
        &self.by
    }

    /// Returns a handle on the same memory that acts for somebody else.
    #[must_use]
    pub fn acting_for(&self, by: Principal) -> Self {
        Self {
            parts: self.parts.clone(),
            by,
        }
    }

    /// Returns a handle on the same memory in another namespace.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`] when it is no namespace.
    pub fn in_namespace(&self, namespace: &str) -> Result<Self, Error> {
        let namespace = Namespace::parse(self.clean(namespace)).map_err(malformed)?;
        Ok(self.acting_for(Principal {
            namespace,
            ..self.by.clone()
        }))
    }

    /// Returns a handle on the same memory for another agent.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`] when it is no name.
    pub fn for_agent(&self, agent: &str) -> Result<Self, Error> {
        let agent = Name::parse(self.clean(agent)).map_err(malformed)?;
        Ok(self.acting_for(Principal {
            agent,
            ..self.by.clone()
        }))
    }

    /// Redacts a text; the only way to make one that the lower interfaces take.
    pub fn clean(&self, text: &str) -> CleanText {
        self.redactor().clean(text)
    }

    /// Returns the redactor.
    pub fn redactor(&self) -> &Redactor {
        self.parts.engine.redactor()
    }

    /// Remembers one thing: a text, or an item with more to say.
    ///
    /// A text that its user vouches for (trust `user`) and that reads as a rule controls the guard.
    ///
    /// # Errors
    /// [`Error`]; nothing is stored then.
    pub async fn remember(&self, item: impl Into<RememberItem>) -> Result<WriteResult, Error> {
        self.remember_all(vec![item.into()], None).await
    }

    /// Remembers several things in one commit, all or nothing. The same idempotency key means the
    /// same request, however often it is sent.
    ///
    /// # Errors
    /// [`Error`]; nothing is stored then.
    pub async fn remember_all(
        &self,
        mut items: Vec<RememberItem>,
        idempotency_key: Option<String>,
    ) -> Result<WriteResult, Error> {
        for item in &mut items {
            crate::rules::compile_into(item, self.redactor());
        }
        let request = Remember {
            by: self.by.clone(),
            items,
            idempotency_key,
        };
        Ok(self.parts.engine.remember(&request).await?)
    }

    /// Says what would be understood of a text as a rule, as `when …, then …`; nothing where it
    /// would stay advice.
    pub fn understood(&self, text: &str) -> Vec<CleanText> {
        crate::rules::understood(text, self.redactor())
    }

    /// Recalls the best memories for a text. Lanes that fail are part of the outcome.
    pub async fn recall(&self, text: &str) -> RecallOutcome {
        self.recall_with(&self.recall_request(text)).await
    }

    /// Returns the request that [`Memory::recall`] would make, to be narrowed: for what holds now.
    pub fn recall_request(&self, text: &str) -> RecallRequest {
        let mut request = RecallRequest::new(self.by.scope(), self.clean(text));
        request.filter.valid_at = Some(self.parts.engine.now());
        request
    }

    /// Recalls by a request; it is answered for this handle's principal, whatever it says.
    pub async fn recall_with(&self, request: &RecallRequest) -> RecallOutcome {
        let request = RecallRequest {
            scope: self.by.scope(),
            ..request.clone()
        };
        let engine = &self.parts.engine;
        recall(
            engine.store().as_ref(),
            engine.embedder().map(AsRef::as_ref),
            &request,
        )
        .await
    }

    /// Returns memories by id; what the principal may not see does not exist.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn memories(&self, ids: &[MemoryId]) -> Result<Vec<precedent_core::Memory>, Error> {
        Ok(self
            .parts
            .engine
            .store()
            .memories(&self.by.scope(), ids)
            .await?)
    }

    /// Returns tool events, newest first; the query is answered for this handle's principal.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn events(&self, query: EventQuery) -> Result<Vec<ToolEvent>, Error> {
        let query = EventQuery {
            scope: self.by.scope(),
            ..query
        };
        Ok(self.parts.engine.store().events(&query).await?)
    }

    /// Returns the rules that guard this principal.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn rules(&self, limit: usize) -> Result<Vec<Rule>, Error> {
        let query = RuleQuery {
            scope: self.by.scope(),
            keys: None,
            limit,
        };
        Ok(self.parts.engine.store().rules(&query).await?)
    }

    /// Erases a memory and certifies it; `reason` names the ground, never content.
    ///
    /// # Errors
    /// [`Error`] of kind not-found for what this principal cannot reach; nothing is erased then.
    pub async fn forget(&self, id: MemoryId, reason: Option<&str>) -> Result<Forgotten, Error> {
        let request = Forget {
            by: self.by.clone(),
            memories: vec![id],
            reason: reason.map(str::to_owned),
        };
        Ok(self.parts.engine.forget(&request).await?)
    }

    /// Returns signed certificates.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn certificates(
        &self,
        query: &CertificateQuery,
    ) -> Result<Vec<SealedCertificate>, Error> {
        Ok(self.parts.engine.store().certificates(query).await?)
    }

    /// Returns the public half of the key that signs certificates, as SPKI PEM, for verifiers.
    pub fn certificate_key_pem(&self) -> String {
        self.parts.keys.certificate.public_key_pem()
    }

    /// Returns at most `limit` audit entries from `from` on.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn audit_log(&self, from: u64, limit: usize) -> Result<AuditPage, Error> {
        Ok(self.parts.engine.store().audit_log(from, limit).await?)
    }

    /// Runs maintenance.
    ///
    /// # Errors
    /// [`Error`]; steps that were done are safe to repeat.
    pub async fn maintain(&self, task: MaintainTask) -> Result<MaintainReport, Error> {
        let engine = &self.parts.engine;
        let now = engine.now();
        let header = self.by.header(
            precedent_core::CommitId::from_bytes(engine.fresh_id(now)),
            now,
        );
        let certificate = precedent_core::CertificateId::from_bytes(engine.fresh_id(now));
        let request = Maintain {
            task,
            header,
            certificate,
        };
        Ok(engine
            .store()
            .maintain(request, engine.sink().clone())
            .await?)
    }

    /// Returns what the store says of itself; looks at every index.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn status(&self) -> Result<StoreStatus, Error> {
        Ok(self.parts.engine.store().status().await?)
    }
}

fn malformed(error: precedent_core::NamespaceError) -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        "checking who acts",
        error.to_string(),
    )
}
