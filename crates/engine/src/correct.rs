//! Correction: nothing is overwritten, what stands where is changed, and can be changed back.

use std::collections::BTreeMap;

use precedent_core::audit::Op;
use precedent_core::{
    Basis, Change, Claim, Contradiction, ContradictionId, ContradictionQuery, Expect, Memory,
    MemoryId, MemoryQuery, Place, Principal, Resolution, Retry, Standing, State, StoreError,
    StoreErrorKind, Timestamp, Topic, Verdict,
};
use serde::Serialize;

use crate::write::draft::Draft;
use crate::write::may_overrule;
use crate::{Engine, EngineError, InputFault};

/// How often a correction is built again when other writers got in between.
const REBUILDS: usize = 64;
/// Most memories that one correction looks at.
const MOST: usize = 100_000;

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
    /// Not-found for what the principal cannot reach; [`InputFault::WrongState`] for what is not
    /// in force.
    pub async fn retire(&self, by: &Principal, id: MemoryId) -> Result<Correction, EngineError> {
        self.correct(by, &Deed::Retire(id)).await
    }

    /// Brings a retired memory back, or one that is disputed with nothing any more.
    ///
    /// # Errors
    /// As [`Engine::retire`]; [`InputFault::Held`] when another memory holds under its key.
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
    /// As [`Engine::retire`]; [`InputFault::Unrelated`] for memories of different readers or keys.
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
            Deed::Retire(id) => {
                let memory = self.own(by, *id).await?;
                move_to(draft, &memory, Op::Retire, State::Dormant)
            }
            Deed::Restore(id) => {
                let memory = self.own(by, *id).await?;
                self.expect_free(draft, by, &memory).await?;
                self.expect_undisputed(by, &memory).await?;
                move_to(draft, &memory, Op::Restore, State::Active)
            }
            Deed::Promote(id) => {
                let memory = self.own(by, *id).await?;
                self.expect_free(draft, by, &memory).await?;
                move_to(draft, &memory, Op::Promote, State::Active)
            }
            Deed::Quarantine(id) => self.quarantine_all(draft, by, *id).await,
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

    /// Expects that nothing else holds under a memory's key while the memory would.
    async fn expect_free(
        &self,
        draft: &mut Draft,
        by: &Principal,
        memory: &Memory,
    ) -> Result<(), EngineError> {
        let Some(topic) = memory.claim.as_ref().map(Claim::topic) else {
            return Ok(());
        };
        let mut holding = self.under(by, &topic).await?;
        holding.retain(|it| it.audience() == memory.audience() && it.state.is_in_force());
        let rivals = holding.iter().filter(|it| it.id != memory.id);
        if rivals.clone().any(|it| overlap(it, memory)) {
            return Err(InputFault::Held.into());
        }
        draft.expect(Expect::Holding {
            place: Place::from(memory.audience()),
            topic,
            memories: holding.iter().map(|it| it.id).collect(),
        });
        Ok(())
    }

    async fn expect_undisputed(&self, by: &Principal, memory: &Memory) -> Result<(), EngineError> {
        if memory.state != State::Disputed {
            return Ok(());
        }
        if self.disputes(by, memory.id).await?.is_empty() {
            Ok(())
        } else {
            Err(InputFault::WrongState {
                state: memory.state,
            }
            .into())
        }
    }

    /// Returns the open contradictions that a memory is part of.
    async fn disputes(
        &self,
        by: &Principal,
        memory: MemoryId,
    ) -> Result<Vec<Contradiction>, EngineError> {
        let query = ContradictionQuery {
            scope: by.scope(),
            memory: Some(memory),
            open: true,
            after: None,
            limit: MOST,
        };
        Ok(self.store.contradictions(&query).await?)
    }

    /// Returns what was ever stated under a topic in the principal's own namespace.
    async fn under(&self, by: &Principal, topic: &Topic) -> Result<Vec<Memory>, EngineError> {
        let query = MemoryQuery {
            topic: Some(topic.clone()),
            ..MemoryQuery::all(by.scope(), MOST)
        };
        let mut found = self.store.find_memories(&query).await?;
        found.retain(|memory| memory.namespace == by.namespace);
        Ok(found)
    }

    async fn quarantine_all(
        &self,
        draft: &mut Draft,
        by: &Principal,
        id: MemoryId,
    ) -> Result<(), EngineError> {
        let first = self.own(by, id).await?;
        move_to(draft, &first, Op::Quarantine, State::Quarantined)?;
        let mut seen = vec![first.id];
        let mut next = 0;
        while let Some(origin) = seen.get(next).copied() {
            next += 1;
            let query = MemoryQuery {
                derived_from: Some(origin),
                ..MemoryQuery::all(by.scope(), MOST)
            };
            for memory in self.store.find_memories(&query).await? {
                if seen.contains(&memory.id) {
                    continue;
                }
                seen.push(memory.id);
                if memory.namespace == by.namespace && memory.state.is_in_force() {
                    move_to(draft, &memory, Op::Quarantine, State::Quarantined)?;
                }
            }
        }
        Ok(())
    }

    async fn draft_dispute(
        &self,
        draft: &mut Draft,
        by: &Principal,
        a: MemoryId,
        b: MemoryId,
    ) -> Result<(), EngineError> {
        let (old, new) = (self.own(by, a).await?, self.own(by, b).await?);
        for memory in [&old, &new] {
            in_force(memory)?;
        }
        if !new.may_replace(&old) {
            return Err(InputFault::Unrelated.into());
        }
        self.contradict(draft, &old, &new, Basis::Told);
        Ok(())
    }

    async fn draft_resolution(
        &self,
        draft: &mut Draft,
        by: &Principal,
        id: ContradictionId,
        ruling: Ruling,
    ) -> Result<(), EngineError> {
        let contradiction = self.contradiction(by, id).await?;
        let [a, b] = contradiction.between;
        let (old, new) = (self.own(by, a).await?, self.own(by, b).await?);
        let (kept, verdict) = decide(ruling, &old, &new)?;
        let at = draft.commit.header.at;
        draft.commit.changes.push(Change::Resolve {
            contradiction: id,
            resolution: Resolution { kept, verdict, at },
        });
        match kept {
            None => {
                for memory in [&old, &new] {
                    stand(draft, memory, State::ContextDependent);
                }
            }
            Some(kept) => {
                let (winner, loser) = if kept == old.id {
                    (&old, &new)
                } else {
                    (&new, &old)
                };
                let others = self.disputes(by, winner.id).await?;
                if others.iter().all(|other| other.id == id) {
                    stand(draft, winner, State::Active);
                }
                if loser.state.is_in_force() {
                    draft.transition(loser, Op::Resolve, replaced(loser, winner));
                }
            }
        }
        Ok(())
    }

    async fn contradiction(
        &self,
        by: &Principal,
        id: ContradictionId,
    ) -> Result<Contradiction, EngineError> {
        let query = ContradictionQuery {
            scope: by.scope(),
            memory: None,
            open: true,
            after: None,
            limit: MOST,
        };
        let found = self.store.contradictions(&query).await?;
        let ours = found.into_iter().find(|it| it.id == id);
        ours.ok_or_else(|| EngineError::not_found("resolving a contradiction"))
    }

    async fn draft_revert(
        &self,
        draft: &mut Draft,
        by: &Principal,
        topic: &Topic,
        at: Timestamp,
    ) -> Result<(), EngineError> {
        let now = self.under(by, topic).await?;
        let mut holding: BTreeMap<String, (Place, Vec<MemoryId>)> = BTreeMap::new();
        for memory in &now {
            let place = Place::from(memory.audience());
            let ids = holding
                .entry(format!("{place:?}"))
                .or_insert((place, Vec::new()));
            if memory.state.is_in_force() {
                ids.1.push(memory.id);
            }
        }
        for (place, memories) in holding.into_values() {
            let topic = topic.clone();
            draft.expect(Expect::Holding {
                place,
                topic,
                memories,
            });
        }
        // What rises must find its key free: what falls goes first.
        let mut rising = Vec::new();
        for memory in &now {
            let revisions = self.store.revisions(&by.scope(), memory.id).await?;
            let then = revisions.iter().rfind(|past| past.since <= at);
            let then = then
                .map(|past| past.standing)
                .filter(|it| it.state.is_in_force());
            match then {
                Some(then) if then != memory.standing() => rising.push((memory, then)),
                None if memory.state.is_in_force() => {
                    let to = Standing {
                        state: State::RolledBack,
                        ..memory.standing()
                    };
                    draft.transition(memory, Op::Revert, to);
                }
                _ => {}
            }
        }
        for (memory, then) in rising {
            draft.transition(memory, Op::Revert, then);
        }
        if draft.commit.changes.is_empty() {
            return Err(EngineError::not_found("reverting a key"));
        }
        Ok(())
    }
}

/// Picks the memory that holds, and says who decided.
fn decide(
    ruling: Ruling,
    old: &Memory,
    new: &Memory,
) -> Result<(Option<MemoryId>, Verdict), EngineError> {
    let begins = |memory: &Memory| (memory.valid_from, memory.recorded_at, memory.id);
    match ruling {
        Ruling::Both => Ok((None, Verdict::ContextDependent)),
        Ruling::Keep(id) if id == old.id || id == new.id => Ok((Some(id), Verdict::Person)),
        Ruling::Keep(_) => Err(EngineError::not_found("resolving a contradiction")),
        Ruling::NewerTrusted => {
            let (newer, older) = if begins(old) > begins(new) {
                (old, new)
            } else {
                (new, old)
            };
            let kept = if may_overrule(newer, older) {
                newer
            } else {
                older
            };
            Ok((Some(kept.id), Verdict::NewerTrusted))
        }
    }
}

/// Where the loser of a contradiction stands: it ended where the winner began.
fn replaced(loser: &Memory, winner: &Memory) -> Standing {
    let ends = winner.valid_from.max(loser.valid_from);
    Standing {
        state: State::Superseded,
        valid_to: [loser.valid_to, ends].into_iter().flatten().min(),
        superseded_by: Some(winner.id),
    }
}

fn stand(draft: &mut Draft, memory: &Memory, state: State) {
    if memory.state.is_in_force() && memory.state != state {
        let to = Standing {
            state,
            ..memory.standing()
        };
        draft.transition(memory, Op::Resolve, to);
    }
}

fn in_force(memory: &Memory) -> Result<(), EngineError> {
    let state = memory.state;
    if state.is_in_force() {
        Ok(())
    } else {
        Err(InputFault::WrongState { state }.into())
    }
}

/// Moves a memory to another state, if it stands where that can be done.
fn move_to(draft: &mut Draft, memory: &Memory, op: Op, state: State) -> Result<(), EngineError> {
    let from = memory.standing();
    let to = Standing { state, ..from };
    let transition = precedent_core::Transition {
        memory: memory.id,
        op,
        to,
    };
    if !transition.is_legal_from(&from) {
        return Err(InputFault::WrongState { state: from.state }.into());
    }
    draft.transition(memory, op, to);
    Ok(())
}

fn overlap(a: &Memory, b: &Memory) -> bool {
    let before = |a: &Memory, b: &Memory| {
        let starts = b.valid_from.unwrap_or(Timestamp::EPOCH);
        a.valid_to.is_some_and(|end| end <= starts)
    };
    !before(a, b) && !before(b, a)
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
