//! Retire, restore, quarantine, promote: where one memory stands.

use std::collections::BTreeSet;

use precedent_core::audit::Op;
use precedent_core::{
    Claim, Memory, MemoryId, MemoryQuery, Place, Principal, Standing, State, Timestamp, Transition,
};

use super::ALL;
use crate::write::draft::Draft;
use crate::{Engine, EngineError, InputFault};

impl Engine {
    pub(super) async fn draft_retirement(
        &self,
        draft: &mut Draft,
        by: &Principal,
        id: MemoryId,
    ) -> Result<(), EngineError> {
        let memory = self.own(by, id).await?;
        move_to(draft, &memory, Op::Retire, State::Dormant)
    }

    /// Brings a memory back to where it stood: disputed, if what contradicts it is there still.
    pub(super) async fn draft_restoration(
        &self,
        draft: &mut Draft,
        by: &Principal,
        id: MemoryId,
    ) -> Result<(), EngineError> {
        let memory = self.own(by, id).await?;
        let rivals = self.rivals(by, &memory).await?;
        if memory.state == State::Disputed && !rivals.is_empty() {
            return Err(wrong_state(&memory));
        }
        let past = self.store.revisions(&by.scope(), id).await?;
        let before = past.iter().rfind(|it| it.standing.state.is_in_force());
        let conditional = before.is_some_and(|it| it.standing.state == State::ContextDependent);
        let to = match (rivals.is_empty(), conditional) {
            (false, _) => State::Disputed,
            (true, true) => State::ContextDependent,
            (true, false) => State::Active,
        };
        let beside = |it: &Memory| rivals.contains(&it.id) || (conditional && it.state == to);
        self.expect_free(draft, by, &memory, beside).await?;
        self.expect_untainted(draft, by, &memory).await?;
        move_to(draft, &memory, Op::Restore, to)
    }

    pub(super) async fn draft_promotion(
        &self,
        draft: &mut Draft,
        by: &Principal,
        id: MemoryId,
    ) -> Result<(), EngineError> {
        let memory = self.own(by, id).await?;
        if memory.state != State::Quarantined {
            return Err(wrong_state(&memory));
        }
        self.expect_free(draft, by, &memory, |_| false).await?;
        if !self.rivals(by, &memory).await?.is_empty() {
            return Err(InputFault::Held.into());
        }
        move_to(draft, &memory, Op::Promote, State::Active)
    }

    /// Holds back a memory with all that was made of it, of that, and so on.
    pub(super) async fn draft_quarantine(
        &self,
        draft: &mut Draft,
        by: &Principal,
        id: MemoryId,
    ) -> Result<(), EngineError> {
        let first = self.own(by, id).await?;
        move_to(draft, &first, Op::Quarantine, State::Quarantined)?;
        let mut seen = BTreeSet::from([first.id]);
        let mut open = vec![first.id];
        while let Some(origin) = open.pop() {
            let query = MemoryQuery {
                derived_from: Some(origin),
                ..MemoryQuery::all(by.scope(), ALL)
            };
            for memory in self.store.find_memories(&query).await? {
                if !seen.insert(memory.id) {
                    continue;
                }
                open.push(memory.id);
                if memory.namespace == by.namespace && memory.state.is_in_force() {
                    move_to(draft, &memory, Op::Quarantine, State::Quarantined)?;
                }
            }
        }
        Ok(())
    }

    /// Expects that nothing else holds under a memory's key while the memory would, but what may
    /// stand beside it; what was replaced since and began earlier ends where the memory begins.
    async fn expect_free(
        &self,
        draft: &mut Draft,
        by: &Principal,
        memory: &Memory,
        beside: impl Fn(&Memory) -> bool,
    ) -> Result<(), EngineError> {
        let Some(topic) = memory.claim.as_ref().map(Claim::topic) else {
            return Ok(());
        };
        let mut line = self.under(by, &topic).await?;
        line.retain(|it| it.audience() == memory.audience());
        for it in line
            .iter()
            .filter(|it| it.id != memory.id && overlap(it, memory))
        {
            let superseded = it.state == State::Superseded;
            if superseded && starts(it) <= starts(memory) {
                draft.close(it, memory, starts(memory));
            } else if superseded || (it.state.is_in_force() && !beside(it)) {
                return Err(InputFault::Held.into());
            }
        }
        let holding = line.iter().filter(|it| it.state.is_in_force());
        let holding = holding.map(|it| it.id).collect();
        draft.expect_holding(Place::from(memory.audience()), topic, holding);
        Ok(())
    }

    /// Expects that nothing that a memory was made of is held back.
    pub(super) async fn expect_untainted(
        &self,
        draft: &mut Draft,
        by: &Principal,
        memory: &Memory,
    ) -> Result<(), EngineError> {
        let sources = &memory.derived_from;
        for source in self.store.memories(&by.scope(), sources).await? {
            if source.state == State::Quarantined {
                return Err(wrong_state(&source));
            }
            draft.pin(&source);
        }
        Ok(())
    }
}

/// Moves a memory to another state, if it stands where that can be done.
fn move_to(draft: &mut Draft, memory: &Memory, op: Op, state: State) -> Result<(), EngineError> {
    let from = memory.standing();
    let to = Standing { state, ..from };
    let transition = Transition {
        memory: memory.id,
        op,
        to,
    };
    if !transition.is_legal_from(&from) {
        return Err(wrong_state(memory));
    }
    draft.transition(memory, op, to);
    Ok(())
}

pub(super) fn wrong_state(memory: &Memory) -> EngineError {
    let state = memory.state;
    InputFault::WrongState { state }.into()
}

fn starts(memory: &Memory) -> Timestamp {
    memory.valid_from.unwrap_or(Timestamp::EPOCH)
}

/// Tells whether there is an instant at which both hold.
fn overlap(a: &Memory, b: &Memory) -> bool {
    let begin = starts(a).max(starts(b));
    let holds = |it: &Memory| it.valid_to.is_none_or(|end| end > begin);
    holds(a) && holds(b)
}
