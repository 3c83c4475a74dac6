//! Forgetting: rows, index entries and links go in one commit, a signed certificate stays.

use std::fmt;

use precedent_core::audit::SealedCertificate;
use precedent_core::{
    CertificateId, CertificateQuery, Change, Commit, Durability, Erasure, MemoryId, Principal,
    Scope, StoreError, StoreErrorKind,
};

use crate::{Engine, EngineError};

/// An erasure request; `Debug` does not print the ground, which is not redacted yet.
#[derive(Clone)]
pub struct Forget {
    /// Who asks; the erasure reaches this principal's namespace and below.
    pub by: Principal,
    /// The memories to erase.
    pub memories: Vec<MemoryId>,
    /// The ground, such as `gdpr.art17.1.b`; never content.
    pub reason: Option<String>,
}

impl fmt::Debug for Forget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forget")
            .field("by", &self.by)
            .field("memories", &self.memories)
            .finish_non_exhaustive()
    }
}

/// A carried-out erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forgotten {
    /// The signed certificate of its first stage.
    pub certificate: SealedCertificate,
}

impl Engine {
    /// Refuses what the principal does not see in its namespace or below: what is private to
    /// another agent, or listed for others, looks like what does not exist.
    async fn expect_in_sight(&self, request: &Forget) -> Result<(), EngineError> {
        let mut hidden = request.memories.clone();
        let own = request.by.scope();
        let below = self.store.namespaces(&own.namespace).await?;
        for count in below {
            let scope = Scope {
                namespace: count.namespace,
                ..own.clone()
            };
            let seen = self.store.memories(&scope, &hidden).await?;
            hidden.retain(|id| seen.iter().all(|memory| memory.id != *id));
        }
        if hidden.is_empty() {
            Ok(())
        } else {
            Err(EngineError::not_found("forgetting"))
        }
    }

    /// Erases memories with everything that was derived from them alone, and certifies it.
    ///
    /// # Errors
    /// [`EngineError::Store`] of kind not-found when the principal can reach none of the
    /// memories, whether they exist or not; nothing is erased on any error.
    pub async fn forget(&self, request: &Forget) -> Result<Forgotten, EngineError> {
        self.expect_in_sight(request).await?;
        let header = self.header(&request.by, None);
        let certificate = CertificateId::from_bytes(self.fresh_id(header.at));
        let erasure = Erasure {
            certificate,
            memories: request.memories.clone(),
            within: request.by.namespace.clone(),
            reason: request
                .reason
                .as_deref()
                .map(|reason| self.redactor.clean(reason)),
        };
        let commit = Commit {
            request: self.digest("precedent/request/v1", &[header.id.as_bytes()]),
            header,
            durability: Durability::Full,
            expects: Vec::new(),
            changes: vec![Change::Erase(erasure)],
        };
        self.store.commit(commit, self.sink.clone()).await?;
        let signed = self
            .store
            .certificates(&CertificateQuery::Id(certificate))
            .await?;
        let certificate = signed.into_iter().next().ok_or_else(|| {
            StoreError::new(StoreErrorKind::Corrupt, "reading back a certificate")
        })?;
        Ok(Forgotten { certificate })
    }
}
