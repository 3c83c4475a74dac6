//! Changes of standing, and contradictions.

use std::sync::Arc;

use super::state::{Record, State, refuse};
use crate::audit::Fact;
use crate::{
    Contradiction, ContradictionId, MemoryId, Resolution, Revision, Standing, StoreError,
    StoreErrorKind, Timestamp, Transition,
};

/// Puts a memory where it stands from now on, and keeps where it stood.
pub(super) fn stand(record: &mut Arc<Record>, to: Standing, at: Timestamp) {
    let record = Arc::make_mut(record);
    record.past.push(Revision {
        version: record.memory.version,
        since: record.since,
        standing: record.memory.standing(),
    });
    record.since = at;
    record.memory.stand(to, at);
    record.memory.version += 1;
}

pub(super) fn transition(
    state: &mut State,
    transition: Transition,
    at: Timestamp,
) -> Result<Fact, StoreError> {
    let replacement = transition.to.superseded_by;
    let replacement = replacement.map(|id| state.memories.get(&id).cloned());
    let record = state
        .memories
        .get_mut(&transition.memory)
        .filter(|record| {
            let fits = |it: &Option<Arc<Record>>| {
                it.as_ref()
                    .is_some_and(|it| it.memory.may_replace(&record.memory))
            };
            replacement.as_ref().is_none_or(fits)
                && transition.is_legal_from(&record.memory.standing())
        })
        .ok_or_else(|| refuse(StoreErrorKind::Conflict))?;
    let from = record.memory.state;
    stand(record, transition.to, at);
    Ok(Fact::moved(&record.memory.namespace, &transition, from))
}

pub(super) fn contradict(
    state: &mut State,
    mut contradiction: Contradiction,
    at: Timestamp,
) -> Result<Fact, StoreError> {
    let [older, younger] = contradiction.between;
    let known = state.memories.contains_key(&older) && older != younger;
    let record = state
        .memories
        .get(&younger)
        .filter(|_| known && !state.contradictions.contains_key(&contradiction.id))
        .ok_or_else(|| refuse(StoreErrorKind::Conflict))?;
    (contradiction.opened_at, contradiction.resolution) = (at, None);
    let fact = Fact::disputed(&record.memory.namespace, &contradiction);
    state.contradictions.insert(contradiction.id, contradiction);
    Ok(fact)
}

pub(super) fn resolve(
    state: &mut State,
    id: ContradictionId,
    mut resolution: Resolution,
    at: Timestamp,
) -> Result<Fact, StoreError> {
    let contradiction = state
        .contradictions
        .get_mut(&id)
        .filter(|it| {
            let kept = resolution.kept;
            it.resolution.is_none() && kept.is_none_or(|kept| it.between.contains(&kept))
        })
        .ok_or_else(|| refuse(StoreErrorKind::Conflict))?;
    resolution.at = at;
    contradiction.resolution = Some(resolution);
    let younger = state.memories.get(&contradiction.between[1]);
    let record = younger.ok_or_else(|| refuse(StoreErrorKind::Conflict))?;
    Ok(Fact::resolved(
        &record.memory.namespace,
        contradiction,
        resolution.verdict,
    ))
}

/// Clears what a survivor says of the erased, now and in the past.
pub(super) fn unlink(record: &mut Arc<Record>, erased: MemoryId) {
    let names = |standing: &Standing| standing.superseded_by == Some(erased);
    let memory = &record.memory;
    let linked = memory.supersedes == Some(erased)
        || names(&memory.standing())
        || memory.derived_from.contains(&erased)
        || record.past.iter().any(|past| names(&past.standing));
    if !linked {
        return;
    }
    let record = Arc::make_mut(record);
    let memory = &mut record.memory;
    memory.supersedes = memory.supersedes.filter(|id| *id != erased);
    memory.superseded_by = memory.superseded_by.filter(|id| *id != erased);
    memory.derived_from.retain(|id| *id != erased);
    for past in &mut record.past {
        let named = past.standing.superseded_by;
        past.standing.superseded_by = named.filter(|id| *id != erased);
    }
}
