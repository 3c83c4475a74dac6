//! Recording what the guard drafted: events, receipts, learned memories.

use precedent_core::{Change, Commit, Committed, Durability, Principal};

use crate::{Engine, EngineError};

/// What became of a draft.
pub type Recorded = Committed;

impl Engine {
    /// Commits drafted changes under a fresh id.
    ///
    /// # Errors
    /// [`EngineError::Store`]; nothing is stored then.
    pub async fn record(
        &self,
        by: &Principal,
        changes: Vec<Change>,
        durability: Durability,
    ) -> Result<Recorded, EngineError> {
        let header = self.header(by, None);
        let request = self.digest("precedent/request/v1", &[header.id.as_bytes()]);
        let commit = Commit {
            header,
            durability,
            request,
            expects: Vec::new(),
            changes,
        };
        Ok(self.store.commit(commit, self.sink.clone()).await?)
    }
}
