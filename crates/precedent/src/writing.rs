//! The writing side of the handle: remembering, and correcting what was remembered.

use precedent_core::{ContradictionId, Grant, MemoryId, RuleQuery, Timestamp, Topic};
use precedent_engine::{Correction, Remember, RememberItem, Ruling, WriteResult};

use crate::error::Error;
use crate::memory::Memory;

/// Most rules that a new one is compared with.
const MOST_RULES: usize = 10_000;

impl Memory {
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
        items: Vec<RememberItem>,
        idempotency_key: Option<String>,
    ) -> Result<WriteResult, Error> {
        let mut request = self.request(items);
        request.idempotency_key = idempotency_key;
        self.remember_with(request).await
    }

    /// Returns the request that [`Memory::remember_all`] would make, to be changed: another lane,
    /// content to be taken apart, a cap.
    pub fn request(&self, items: Vec<RememberItem>) -> Remember {
        Remember::new(self.by.clone(), items)
    }

    /// Remembers by a request; it is carried out for this handle's principal, whatever it says.
    ///
    /// # Errors
    /// [`Error`]; nothing is stored then.
    pub async fn remember_with(&self, mut request: Remember) -> Result<WriteResult, Error> {
        self.require(Grant::Write, "remembering")?;
        request.by = self.by.clone();
        for item in &mut request.items {
            crate::rules::compile_into(item, self.redactor());
            self.find_contradictions(item).await?;
        }
        Ok(self.parts.engine.remember(&request).await?)
    }

    /// Finds the rules that cannot be followed together with an item's own.
    async fn find_contradictions(&self, item: &mut RememberItem) -> Result<(), Error> {
        if item.rules.is_empty() || !item.contradicts.is_empty() {
            return Ok(());
        }
        let query = RuleQuery {
            scope: self.by.scope(),
            keys: None,
            limit: MOST_RULES,
        };
        let known = self.parts.engine.store().rules(&query).await?;
        item.contradicts = crate::rules::contradicted(item, &known);
        Ok(())
    }

    /// Hides a memory until it is restored. Nothing is erased.
    ///
    /// # Errors
    /// [`Error`] of kind not-found for what this principal cannot reach, invalid-input for a memory
    /// that is not in force.
    pub async fn retire(&self, id: MemoryId) -> Result<Correction, Error> {
        self.require(Grant::Correct, "retiring a memory")?;
        Ok(self.parts.engine.retire(&self.by, id).await?)
    }

    /// Brings a retired memory back.
    ///
    /// # Errors
    /// As [`Memory::retire`]; invalid-input when another memory holds under its key.
    pub async fn restore(&self, id: MemoryId) -> Result<Correction, Error> {
        self.require(Grant::Correct, "restoring a memory")?;
        Ok(self.parts.engine.restore(&self.by, id).await?)
    }

    /// Holds a memory back, with all that was made of it.
    ///
    /// # Errors
    /// As [`Memory::retire`].
    pub async fn quarantine(&self, id: MemoryId) -> Result<Correction, Error> {
        self.require(Grant::Correct, "holding a memory back")?;
        Ok(self.parts.engine.quarantine(&self.by, id).await?)
    }

    /// Vouches for a memory that is held back.
    ///
    /// # Errors
    /// As [`Memory::restore`].
    pub async fn promote(&self, id: MemoryId) -> Result<Correction, Error> {
        self.require(Grant::Vouch, "vouching for a memory")?;
        Ok(self.parts.engine.promote(&self.by, id).await?)
    }

    /// Says that two memories contradict each other; both stay, flagged.
    ///
    /// # Errors
    /// As [`Memory::retire`]; invalid-input for memories of different readers or keys.
    pub async fn dispute(&self, a: MemoryId, b: MemoryId) -> Result<Correction, Error> {
        self.require(Grant::Correct, "disputing a memory")?;
        Ok(self.parts.engine.dispute(&self.by, a, b).await?)
    }

    /// Resolves a contradiction.
    ///
    /// # Errors
    /// [`Error`] of kind not-found for what this principal cannot reach, or is resolved already.
    pub async fn resolve(&self, id: ContradictionId, ruling: Ruling) -> Result<Correction, Error> {
        self.require(Grant::Correct, "resolving a contradiction")?;
        Ok(self.parts.engine.resolve(&self.by, id, ruling).await?)
    }

    /// Puts what holds under a subject and key back to what was believed at an instant; without a
    /// subject, of the actor.
    ///
    /// # Errors
    /// [`Error`] of kind not-found when nothing was ever stated under it here, or nothing would
    /// change.
    pub async fn revert(
        &self,
        subject: Option<&str>,
        key: &str,
        at: Timestamp,
    ) -> Result<Correction, Error> {
        self.require(Grant::Correct, "reverting a key")?;
        let topic = self.topic(subject, key);
        Ok(self.parts.engine.revert(&self.by, &topic, at).await?)
    }

    /// Returns what a subject, or the actor, and a key are compared by.
    pub(crate) fn topic(&self, subject: Option<&str>, key: &str) -> Topic {
        let clean = |text: &str| self.clean(text.trim());
        Topic::new(
            &clean(subject.unwrap_or(self.by.actor.as_str())),
            &clean(key),
        )
    }
}
