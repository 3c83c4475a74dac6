//! The handle: everything that a service does with a memory.

use std::sync::Arc;

use precedent_audit::key::KeySet;
use precedent_core::audit::SealedCertificate;
use precedent_core::{
    AuditPage, CertificateQuery, CleanText, Grant, Grants, Maintain, MaintainReport, MaintainTask,
    MemoryId, Name, Namespace, Principal, Redactor, StoreError, StoreErrorKind, StoreStatus,
};
use precedent_engine::{Engine, Forget, Forgotten};
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

    /// Returns a handle on the same memory that acts for somebody else, with what is granted to
    /// them. Without the grant `delegate`, to that handle nothing exists.
    #[must_use]
    pub fn acting_for(&self, by: Principal) -> Self {
        let grants = if self.may(Grant::Delegate) {
            by.grants
        } else {
            Grants::of(&[])
        };
        self.with(Principal { grants, ..by })
    }

    /// Returns a handle on the same memory that may do less: what both grants hold.
    #[must_use]
    pub fn restricted_to(&self, grants: &[Grant]) -> Self {
        let mut by = self.by.clone();
        by.grants.may.retain(|grant| grants.contains(grant));
        self.with(by)
    }

    /// Returns a handle on the same memory in another namespace: below one's own, or with the
    /// grant `delegate` anywhere.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`] when it is no namespace; not-found when it is out of reach.
    pub fn in_namespace(&self, namespace: &str) -> Result<Self, Error> {
        let namespace = Namespace::parse(self.clean(namespace)).map_err(malformed)?;
        if !self.by.namespace.contains(namespace.as_str()) {
            self.require(Grant::Delegate, "changing the namespace")?;
        }
        Ok(self.with(Principal {
            namespace,
            ..self.by.clone()
        }))
    }

    /// Returns a handle on the same memory for another agent; needs the grant `delegate`.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`] when it is no name; not-found without the grant.
    pub fn for_agent(&self, agent: &str) -> Result<Self, Error> {
        let agent = Name::parse(self.clean(agent)).map_err(malformed)?;
        if agent != self.by.agent {
            self.require(Grant::Delegate, "changing the agent")?;
        }
        Ok(self.with(Principal {
            agent,
            ..self.by.clone()
        }))
    }

    fn with(&self, by: Principal) -> Self {
        Self {
            parts: self.parts.clone(),
            by,
        }
    }

    /// Tells whether something is granted to this handle's principal.
    pub(crate) fn may(&self, grant: Grant) -> bool {
        self.by.grants.has(grant)
    }

    /// Refuses what is not granted as if it did not exist.
    pub(crate) fn require(&self, grant: Grant, operation: &'static str) -> Result<(), Error> {
        if self.may(grant) {
            Ok(())
        } else {
            Err(StoreError::new(StoreErrorKind::NotFound, operation).into())
        }
    }

    /// Redacts a text; the only way to make one that the lower interfaces take.
    pub fn clean(&self, text: &str) -> CleanText {
        self.redactor().clean(text)
    }

    /// Returns the redactor.
    pub fn redactor(&self) -> &Redactor {
        self.parts.engine.redactor()
    }

    /// Says what would be understood of a text as a rule, as `when …, then …`; nothing where it
    /// would stay advice.
    pub fn understood(&self, text: &str) -> Vec<CleanText> {
        crate::rules::understood(text, self.redactor())
    }

    /// Erases a memory and certifies it; `reason` names the ground, never content.
    ///
    /// # Errors
    /// [`Error`] of kind not-found for what this principal cannot reach; nothing is erased then.
    pub async fn forget(&self, id: MemoryId, reason: Option<&str>) -> Result<Forgotten, Error> {
        self.require(Grant::Forget, "forgetting")?;
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
        if !self.may(Grant::Audit) {
            return Ok(Vec::new());
        }
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
        self.require(Grant::Audit, "reading the audit log")?;
        Ok(self.parts.engine.store().audit_log(from, limit).await?)
    }

    /// Runs maintenance.
    ///
    /// # Errors
    /// [`Error`]; steps that were done are safe to repeat.
    pub async fn maintain(&self, task: MaintainTask) -> Result<MaintainReport, Error> {
        self.require(Grant::Maintain, "maintaining the store")?;
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
        self.require(Grant::Maintain, "reading the status")?;
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
