//! Correction: nothing is overwritten, what stands where is changed, and can be changed back.

mod dispute;
mod revert;
mod stand;

use precedent_core::{
    Change, ContradictionId, Memory, MemoryId, MemoryQuery, Principal, Retry, StoreError,
    StoreErrorKind, Timestamp, Topic,
};
use serde::Serialize;

use crate::write::draft::Draft;
use crate::{Engine, EngineError};

/// How often a correction is built again when other writers got in between.
const REBUILDS: usize = 64;
/// More than any store holds: a correction may not miss what it has to change.
const ALL: usize = usize::MAX >> 1;

/// What a correction changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Correction {
    /// The memories that stand elsewhere now, in the order of their change.
    pub changed: Vec<MemoryId>,
    /// The contradiction that was opened or resolved, if one was.
    pub contradiction: Option<ContradictionId>,
    /// The instant the store recorded.
    pub recorded_at: Timestamp,
    /// The sequence number of the last audit entry.
    pub seq: u64,
}

/// How a contradiction is to be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// A person says which one holds.
    Keep(MemoryId),
    /// A person says that both hold, each under its own conditions.
    Both,
    /// The newer one holds, unless the older one has more trust.
    NewerTrusted,
}

/// What is to be done.
enum Deed<'a> {
    Retire(MemoryId),
    Restore(MemoryId),
    Quarantine(MemoryId),
    Promote(MemoryId),
    Dispute(MemoryId, MemoryId),
    Resolve(ContradictionId, Ruling),
    Revert(&'a Topic, Timestamp),
}

impl Engine {
    /// Hides a memory until it is restored. Retiring is not forgetting: nothing is erased.
    ///
    /// # Errors
    /// Not-found for what the principal cannot reach; [`InputFault::WrongState`](crate::InputFault::WrongState) for what is not
    /// in force.
    pub async fn retire(&self, by: &Principal, id: MemoryId) -> Result<Correction, EngineError> {
        self.correct(by, &Deed::Retire(id)).await
    }

    /// Brings a retired memory back, or one that is disputed with nothing any more.
    ///
    /// # Errors
    /// As [`Engine::retire`]; [`InputFault::Held`](crate::InputFault::Held) when another memory holds under its key.
    pub async fn restore(&self, by: &Principal, id: MemoryId) -> Result<Correction, EngineError> {
        self.correct(by, &Deed::Restore(id)).await
    }

    /// Holds a memory back, and with it all that was made of it.
    ///
    /// # Errors
    /// As [`Engine::retire`].
    pub async fn quarantine(
        &self,
        by: &Principal,
        id: MemoryId,
    ) -> Result<Correction, EngineError> {
        self.correct(by, &Deed::Quarantine(id)).await
    }

    /// Vouches for a memory that is held back; what was made of it stays held back.
    ///
    /// # Errors
    /// As [`Engine::restore`].
    pub async fn promote(&self, by: &Principal, id: MemoryId) -> Result<Correction, EngineError> {
        self.correct(by, &Deed::Promote(id)).await
    }

    /// Says that two memories contradict each other; both stay, flagged.
    ///
    /// # Errors
    /// As [`Engine::retire`]; [`InputFault::Unrelated`](crate::InputFault::Unrelated) for memories of different readers or keys.
    pub async fn dispute(
        &self,
        by: &Principal,
        a: MemoryId,
        b: MemoryId,
    ) -> Result<Correction, EngineError> {
        self.correct(by, &Deed::Dispute(a.min(b), a.max(b))).await
    }

    /// Resolves a contradiction.
    ///
    /// # Errors
    /// Not-found for what the principal cannot reach, is resolved already, or for a memory that is
    /// no part of it.
    pub async fn resolve(
        &self,
        by: &Principal,
        contradiction: ContradictionId,
        ruling: Ruling,
    ) -> Result<Correction, EngineError> {
        self.correct(by, &Deed::Resolve(contradiction, ruling))
            .await
    }

    /// Puts what holds under a subject and key back to what the store believed at an instant.
    ///
    /// # Errors
    /// Not-found when nothing was ever stated under it here, or nothing would change.
    pub async fn revert(
        &self,
        by: &Principal,
        topic: &Topic,
        at: Timestamp,
    ) -> Result<Correction, EngineError> {
        self.correct(by, &Deed::Revert(topic, at)).await
    }

    async fn correct(&self, by: &Principal, deed: &Deed<'_>) -> Result<Correction, EngineError> {
        let header = self.header(by, None);
        let request = self.digest("precedent/request/v1", &[header.id.as_bytes()]);
        for _ in 0..REBUILDS {
            let mut draft = Draft::new(header.clone(), request);
            self.draft(&mut draft, by, deed).await?;
            let done = outline(&draft.commit.changes);
            match self.store.commit(draft.commit, self.sink.clone()).await {
                Ok(committed) => {
                    return Ok(Correction {
                        changed: done.0,
                        contradiction: done.1,
                        recorded_at: committed.recorded_at,
                        seq: committed.facts.last().map_or(0, |fact| fact.seq),
                    });
                }
                Err(error) if error.retry == Retry::Rebuild => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(StoreError::new(StoreErrorKind::Busy, "correcting a memory").into())
    }

    async fn draft(
        &self,
        draft: &mut Draft,
        by: &Principal,
        deed: &Deed<'_>,
    ) -> Result<(), EngineError> {
        match deed {
            Deed::Retire(id) => self.draft_retirement(draft, by, *id).await,
            Deed::Restore(id) => self.draft_restoration(draft, by, *id).await,
            Deed::Promote(id) => self.draft_promotion(draft, by, *id).await,
            Deed::Quarantine(id) => self.draft_quarantine(draft, by, *id).await,
            Deed::Dispute(a, b) => self.draft_dispute(draft, by, *a, *b).await,
            Deed::Resolve(id, ruling) => self.draft_resolution(draft, by, *id, *ruling).await,
            Deed::Revert(topic, at) => self.draft_revert(draft, by, topic, *at).await,
        }
    }

    /// Reads a memory that the principal may correct: one that it sees and that stands in its own
    /// namespace.
    async fn own(&self, by: &Principal, id: MemoryId) -> Result<Memory, EngineError> {
        let found = self.store.memories(&by.scope(), &[id]).await?;
        let own = found
            .into_iter()
            .find(|memory| memory.namespace == by.namespace);
        own.ok_or_else(|| EngineError::not_found("correcting a memory"))
    }

    /// Returns what was ever stated under a topic in the principal's own namespace.
    async fn under(&self, by: &Principal, topic: &Topic) -> Result<Vec<Memory>, EngineError> {
        let query = MemoryQuery {
            topic: Some(topic.clone()),
            ..MemoryQuery::all(by.scope(), ALL)
        };
        let mut found = self.store.find_memories(&query).await?;
        found.retain(|memory| memory.namespace == by.namespace);
        Ok(found)
    }
}

/// Lists what the changes of a correction touch.
fn outline(changes: &[Change]) -> (Vec<MemoryId>, Option<ContradictionId>) {
    let mut done = (Vec::new(), None);
    for change in changes {
        match change {
            Change::Transition(transition) => done.0.push(transition.memory),
            Change::Contradict(contradiction) => done.1 = Some(contradiction.id),
            Change::Resolve { contradiction, .. } => done.1 = Some(*contradiction),
            _ => {}
        }
    }
    done
}
