//! The reading side of the handle. What is not granted looks like what does not exist.

use precedent_core::{
    Contradiction, ContradictionQuery, Entity, EntityQuery, EventQuery, Grant, MemoryId,
    MemoryQuery, NamespaceCount, RecallOutcome, RecallRequest, Revision, Rule, RuleQuery,
    ToolEvent, recall,
};
use serde::Serialize;

use crate::error::Error;
use crate::memory::Memory;

/// A memory with its life: every stretch of it, oldest first, the present one last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lived {
    /// The memory as it stands.
    pub memory: precedent_core::Memory,
    /// Where it stood, and since when.
    pub revisions: Vec<Revision>,
}

impl Memory {
    /// Recalls the best memories for a text. Lanes that fail are part of the outcome.
    pub async fn recall(&self, text: &str) -> RecallOutcome {
        self.recall_with(&self.recall_request(text)).await
    }

    /// Returns the request that [`Memory::recall`] would make, to be narrowed: for what holds now,
    /// said once.
    pub fn recall_request(&self, text: &str) -> RecallRequest {
        let mut request = RecallRequest::new(self.by.scope(), self.clean(text));
        request.filter.valid_at = Some(self.parts.engine.now());
        request.collapse = true;
        request
    }

    /// Recalls by a request; it is answered for this handle's principal, whatever it says.
    pub async fn recall_with(&self, request: &RecallRequest) -> RecallOutcome {
        if !self.may(Grant::Read) {
            return RecallOutcome::default();
        }
        let request = RecallRequest {
            scope: self.by.scope(),
            ..request.clone()
        };
        let engine = &self.parts.engine;
        let embedder = engine.embedder().map(AsRef::as_ref);
        recall(engine.store().as_ref(), embedder, &request).await
    }

    /// Returns memories by id; what the principal may not see does not exist.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn memories(&self, ids: &[MemoryId]) -> Result<Vec<precedent_core::Memory>, Error> {
        if !self.may(Grant::Read) {
            return Ok(Vec::new());
        }
        let store = self.parts.engine.store();
        Ok(store.memories(&self.by.scope(), ids).await?)
    }

    /// Returns memories by attributes; the query is answered for this handle's principal.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn find(&self, query: MemoryQuery) -> Result<Vec<precedent_core::Memory>, Error> {
        if !self.may(Grant::Read) {
            return Ok(Vec::new());
        }
        let query = MemoryQuery {
            scope: self.by.scope(),
            ..query
        };
        Ok(self.parts.engine.store().find_memories(&query).await?)
    }

    /// Returns what was ever stated under a subject and key, in the order in which it began to
    /// hold; without a subject, of the actor.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn history(&self, subject: Option<&str>, key: &str) -> Result<Vec<Lived>, Error> {
        let query = MemoryQuery {
            topic: Some(self.topic(subject, key)),
            ..MemoryQuery::all(self.by.scope(), MemoryQuery::NO_LIMIT)
        };
        let mut found = self.find(query).await?;
        found.sort_by_key(|memory| (memory.valid_from, memory.recorded_at, memory.id));
        let mut lived = Vec::with_capacity(found.len());
        for memory in found {
            let revisions = self.revisions(memory.id).await?;
            lived.push(Lived { memory, revisions });
        }
        Ok(lived)
    }

    /// Returns the life of a memory, oldest stretch first; nothing for what the principal may not
    /// see.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn revisions(&self, id: MemoryId) -> Result<Vec<Revision>, Error> {
        if !self.may(Grant::Read) {
            return Ok(Vec::new());
        }
        let store = self.parts.engine.store();
        Ok(store.revisions(&self.by.scope(), id).await?)
    }

    /// Returns contradictions of which the principal sees both sides; the query is answered for
    /// this handle's principal.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn contradictions(
        &self,
        query: ContradictionQuery,
    ) -> Result<Vec<Contradiction>, Error> {
        if !self.may(Grant::Read) {
            return Ok(Vec::new());
        }
        let query = ContradictionQuery {
            scope: self.by.scope(),
            ..query
        };
        Ok(self.parts.engine.store().contradictions(&query).await?)
    }

    /// Returns entities; the query is answered for this handle's principal.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn entities(&self, query: EntityQuery) -> Result<Vec<Entity>, Error> {
        if !self.may(Grant::Read) {
            return Ok(Vec::new());
        }
        let query = EntityQuery {
            scope: self.by.scope(),
            ..query
        };
        Ok(self.parts.engine.store().entities(&query).await?)
    }

    /// Returns this namespace and those below it with what they hold, for all of their readers
    /// together; needs the grant `maintain`.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn namespaces(&self) -> Result<Vec<NamespaceCount>, Error> {
        if !self.may(Grant::Maintain) {
            return Ok(Vec::new());
        }
        let store = self.parts.engine.store();
        Ok(store.namespaces(&self.by.namespace).await?)
    }

    /// Returns tool events, newest first; the query is answered for this handle's principal.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn events(&self, query: EventQuery) -> Result<Vec<ToolEvent>, Error> {
        if !self.may(Grant::Read) {
            return Ok(Vec::new());
        }
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
        if !self.may(Grant::Read) {
            return Ok(Vec::new());
        }
        let query = RuleQuery {
            scope: self.by.scope(),
            keys: None,
            limit,
        };
        Ok(self.parts.engine.store().rules(&query).await?)
    }
}
