//! Reverting: what was believed under a key at an instant is believed again.

use std::collections::BTreeMap;

use precedent_core::audit::Op;
use precedent_core::{
    Memory, MemoryId, Place, Principal, Revision, Standing, State, Timestamp, Topic,
};

use crate::write::draft::Draft;
use crate::{Engine, EngineError, InputFault};

impl Engine {
    pub(super) async fn draft_revert(
        &self,
        draft: &mut Draft,
        by: &Principal,
        topic: &Topic,
        at: Timestamp,
    ) -> Result<(), EngineError> {
        let now = self.under(by, topic).await?;
        for (place, memories) in holding(&now) {
            draft.expect_holding(place, topic.clone(), memories);
        }
        for memory in &now {
            let past = self.store.revisions(&by.scope(), memory.id).await?;
            let Some(to) = then(memory, &past, at) else {
                continue;
            };
            if to.state.is_in_force() {
                self.expect_untainted(draft, by, memory).await?;
            }
            draft.transition(memory, Op::Revert, to);
        }
        if draft.commit.changes.is_empty() {
            return Err(if now.is_empty() {
                EngineError::not_found("correcting a memory")
            } else {
                InputFault::Unchanged.into()
            });
        }
        Ok(())
    }
}

/// Returns where a memory has to go to stand as it did; none if it stays.
///
/// What was not there yet is rolled back, and so is what was held back then; what is held back now
/// stays so, since only a promotion releases it.
fn then(memory: &Memory, past: &[Revision], at: Timestamp) -> Option<Standing> {
    let rolled_back = Standing {
        state: State::RolledBack,
        superseded_by: None,
        ..memory.standing()
    };
    let then = past.iter().rfind(|it| it.since <= at);
    let then = then.map_or(rolled_back, |it| it.standing);
    let successor_is_gone = then.state == State::Superseded && then.superseded_by.is_none();
    let then = if then.state == State::Quarantined || successor_is_gone {
        rolled_back
    } else {
        then
    };
    let hidden = !matches!(memory.state, State::Superseded) && !memory.state.is_in_force();
    let stays = memory.state == State::Quarantined
        || then == memory.standing()
        || (then.state == State::RolledBack && hidden);
    (!stays).then_some(then)
}

/// Groups the memories in force by whom they are for, the places of others too.
fn holding(memories: &[Memory]) -> Vec<(Place, Vec<MemoryId>)> {
    let mut places: BTreeMap<_, (Place, Vec<MemoryId>)> = BTreeMap::new();
    for memory in memories {
        let place = Place::from(memory.audience());
        let key = (place.owner.clone(), place.readers.clone());
        let ids = &mut places.entry(key).or_insert((place, Vec::new())).1;
        ids.extend(memory.state.is_in_force().then_some(memory.id));
    }
    places.into_values().collect()
}
