//! Contradictions: said, and resolved.

use precedent_core::audit::Op;
use precedent_core::{
    Basis, Change, Contradiction, ContradictionId, ContradictionQuery, Memory, MemoryId, Principal,
    Resolution, Standing, State, Verdict,
};

use super::stand::wrong_state;
use super::{ALL, Ruling};
use crate::write::draft::Draft;
use crate::write::may_overrule;
use crate::{Engine, EngineError, InputFault};

impl Engine {
    /// Returns the open contradictions that a memory is part of, or all.
    async fn contradictions(
        &self,
        by: &Principal,
        memory: Option<MemoryId>,
    ) -> Result<Vec<Contradiction>, EngineError> {
        let query = ContradictionQuery {
            scope: by.scope(),
            memory,
            open: true,
            after: None,
            limit: ALL,
        };
        Ok(self.store.contradictions(&query).await?)
    }

    /// Returns the memories in force that contradict a memory.
    pub(super) async fn rivals(
        &self,
        by: &Principal,
        memory: &Memory,
    ) -> Result<Vec<MemoryId>, EngineError> {
        let open = self.contradictions(by, Some(memory.id)).await?;
        let sides = open.iter().flat_map(|it| it.between);
        let others: Vec<MemoryId> = sides.filter(|id| *id != memory.id).collect();
        let others = self.store.memories(&by.scope(), &others).await?;
        let in_force = others.iter().filter(|it| it.state.is_in_force());
        Ok(in_force.map(|it| it.id).collect())
    }

    pub(super) async fn draft_dispute(
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
        if self.rivals(by, &old).await?.contains(&new.id) {
            return Err(wrong_state(&old));
        }
        self.contradict(draft, &old, &new, Basis::Told);
        Ok(())
    }

    pub(super) async fn draft_resolution(
        &self,
        draft: &mut Draft,
        by: &Principal,
        id: ContradictionId,
        ruling: Ruling,
    ) -> Result<(), EngineError> {
        let open = self.contradictions(by, None).await?;
        let found = open.into_iter().find(|it| it.id == id);
        let found = found.ok_or_else(|| EngineError::not_found("correcting a memory"))?;
        let [a, b] = found.between;
        let (old, new) = (self.own(by, a).await?, self.own(by, b).await?);
        let at = draft.commit.header.at;
        if !old.state.is_in_force() && !new.state.is_in_force() {
            // Overtaken by what was said since: there is nothing left to decide but to close it.
            let kept = Some(a).filter(|_| ruling == Ruling::Keep(a));
            let kept = kept.or_else(|| Some(b).filter(|_| ruling == Ruling::Keep(b)));
            if kept.is_none() && matches!(ruling, Ruling::Keep(_)) {
                return Err(EngineError::not_found("correcting a memory"));
            }
            draft.pin(&old);
            draft.pin(&new);
            let verdict = Verdict::Person;
            draft.commit.changes.push(Change::Resolve {
                contradiction: id,
                resolution: Resolution { kept, verdict, at },
            });
            return Ok(());
        }
        let (kept, verdict) = decide(ruling, &old, &new)?;
        draft.commit.changes.push(Change::Resolve {
            contradiction: id,
            resolution: Resolution { kept, verdict, at },
        });
        let Some(kept) = kept else {
            for memory in [&old, &new] {
                stand(draft, memory, State::ContextDependent);
            }
            return Ok(());
        };
        let (winner, loser) = if kept == old.id {
            (&old, &new)
        } else {
            (&new, &old)
        };
        let rivals = self.rivals(by, winner).await?;
        if rivals.iter().all(|rival| *rival == loser.id) {
            stand(draft, winner, State::Active);
        } else {
            draft.pin(winner);
        }
        let ends = winner.valid_from.unwrap_or(winner.recorded_at);
        if loser.state.is_in_force() {
            draft.transition(loser, Op::Resolve, replaced(loser, winner));
        } else if loser.state == State::Superseded {
            draft.close(loser, winner, ends);
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
        Ruling::Both => {
            in_force(old)?;
            in_force(new)?;
            Ok((None, Verdict::ContextDependent))
        }
        Ruling::Keep(id) => {
            let kept = [old, new].into_iter().find(|it| it.id == id);
            let kept = kept.ok_or_else(|| EngineError::not_found("correcting a memory"))?;
            in_force(kept)?;
            Ok((Some(id), Verdict::Person))
        }
        Ruling::NewerTrusted => {
            let (newer, older) = if begins(old) > begins(new) {
                (old, new)
            } else {
                (new, old)
            };
            let newer_holds = newer.state.is_in_force()
                && (may_overrule(newer, older) || !older.state.is_in_force());
            let kept = if newer_holds { newer } else { older };
            in_force(kept)?;
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
    draft.pin(memory);
    if memory.state.is_in_force() && memory.state != state {
        let to = Standing {
            state,
            ..memory.standing()
        };
        draft.transition(memory, Op::Resolve, to);
    }
}

fn in_force(memory: &Memory) -> Result<(), EngineError> {
    if memory.state.is_in_force() {
        Ok(())
    } else {
        Err(wrong_state(memory))
    }
}
