//! The registry of entities: unique names within an audience, held by what mentions them.

use std::sync::Arc;

use super::state::{State, refuse};
use crate::audit::Fact;
use crate::{
    Alias, Audience, Entity, EntityId, Memory, StoreError, StoreErrorKind, Timestamp, normalise,
};

/// Finds the entity that has a name, in normal form, within an audience.
fn named<'a>(state: &'a State, audience: &Audience<'_>, name: &str) -> Option<&'a Arc<Entity>> {
    let of_audience = |entity: &&Arc<Entity>| entity.audience() == *audience;
    let mut entities = state.entities.values().filter(of_audience);
    entities.find(|entity| entity.is_named(name))
}

/// Refuses a memory that mentions what is not there, or not under this name.
pub(super) fn check(state: &State, memory: &Memory) -> Result<(), StoreError> {
    let known = memory.mentions.iter().all(|mention| {
        let entity = named(state, &memory.audience(), &normalise(&mention.name));
        entity.is_some_and(|entity| entity.id == mention.entity)
    });
    if known {
        Ok(())
    } else {
        Err(refuse(StoreErrorKind::Conflict))
    }
}

pub(super) fn put(
    state: &mut State,
    mut entity: Entity,
    at: Timestamp,
) -> Result<Fact, StoreError> {
    let names: Vec<String> = entity
        .names
        .iter()
        .map(|alias| normalise(&alias.name))
        .collect();
    let twice = names
        .iter()
        .enumerate()
        .any(|(at, name)| names[..at].contains(name));
    let taken = |name: &String| named(state, &entity.audience(), name).is_some();
    if names.is_empty()
        || twice
        || state.entities.contains_key(&entity.id)
        || names.iter().any(taken)
    {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    entity.recorded_at = at;
    let fact = Fact::named(&entity.namespace, entity.id);
    state.entities.insert(entity.id, Arc::new(entity));
    Ok(fact)
}

pub(super) fn add(state: &mut State, id: EntityId, alias: Alias) -> Result<Fact, StoreError> {
    let name = normalise(&alias.name);
    let holder = state
        .entities
        .get(&id)
        .map(|entity| named(state, &entity.audience(), &name).map(|holder| holder.id));
    let entity = match (holder, state.entities.get_mut(&id)) {
        (Some(None), Some(entity)) => {
            Arc::make_mut(entity).names.push(alias);
            entity
        }
        (Some(Some(holder)), Some(entity)) if holder == id => {
            for known in &mut Arc::make_mut(entity).names {
                known.registered |= alias.registered && normalise(&known.name) == name;
            }
            entity
        }
        _ => return Err(refuse(StoreErrorKind::Conflict)),
    };
    Ok(Fact::named(&entity.namespace, id))
}

/// Drops the names that only an erased memory mentioned, and the entities that have none left.
pub(super) fn forget(state: &mut State, erased: &Memory) {
    for mention in &erased.mentions {
        let name = normalise(&mention.name);
        let mentioned = state.memories.values().any(|record| {
            let mentions = &record.memory.mentions;
            mentions
                .iter()
                .any(|it| it.entity == mention.entity && normalise(&it.name) == name)
        });
        let Some(entity) = state
            .entities
            .get_mut(&mention.entity)
            .filter(|_| !mentioned)
        else {
            continue;
        };
        let names = &mut Arc::make_mut(entity).names;
        names.retain(|alias| alias.registered || normalise(&alias.name) != name);
        if names.is_empty() {
            state.entities.remove(&mention.entity);
        }
    }
}
