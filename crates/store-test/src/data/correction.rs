//! Test data of correction: claims, entities and their names, contradictions, changes of standing.

use precedent_core::audit::Op;
use precedent_core::{
    Alias, Basis, Change, Claim, Contradiction, ContradictionId, ContradictionQuery, Entity,
    EntityId, EntityKey, EntityQuery, MemoryId, Mention, Name, Resolution, Scope, Standing, State,
    Timestamp, Topic, Transition, Verdict,
};

use super::ids::{contradiction_id, entity_id, memory_id};
use super::{AGENT, HOME, clean, name, namespace};

/// More than any test writes.
const ALL: usize = 1 << 20;

/// A statement about a subject under a key.
pub fn claim(subject: &str, key: &str, value: &str) -> Claim {
    Claim {
        subject: clean(subject),
        key: clean(key),
        value: Some(clean(value)),
    }
}

/// What [`claim`] of this subject and key is about.
pub fn topic(subject: &str, key: &str) -> Topic {
    Topic::new(subject, key)
}

/// Names for an access list, sorted.
pub fn readers(names: &[&str]) -> Vec<Name> {
    let mut names: Vec<Name> = names.iter().copied().map(name).collect();
    names.sort();
    names
}

/// A name of an entity.
pub fn alias(text: &str, registered: bool) -> Alias {
    Alias {
        name: clean(text),
        registered,
    }
}

/// The shared entity number `n`, with names that live as long as they are mentioned.
pub fn entity(n: u64, names: &[&str]) -> Entity {
    Entity {
        id: entity_id(n),
        namespace: namespace(HOME),
        agent: name(AGENT),
        private: false,
        readers: Vec::new(),
        names: names.iter().map(|text| alias(text, false)).collect(),
        recorded_at: Timestamp::EPOCH,
    }
}

/// Records an entity.
pub fn name_entity(entity: Entity) -> Change {
    Change::Entity(Box::new(entity))
}

/// Adds a name to entity number `n`.
pub fn add_alias(n: u64, text: &str, registered: bool) -> Change {
    Change::Alias {
        entity: entity_id(n),
        alias: alias(text, registered),
    }
}

/// A mention of entity number `n` under a name.
pub fn mention(n: u64, text: &str) -> Mention {
    Mention {
        entity: entity_id(n),
        name: clean(text),
    }
}

/// Records contradiction number `n` between two memories.
pub fn contradict(n: u64, older: u64, younger: u64) -> Change {
    Change::Contradict(Contradiction {
        id: contradiction_id(n),
        between: [memory_id(older), memory_id(younger)],
        basis: Basis::Claim,
        opened_at: Timestamp::EPOCH,
        resolution: None,
    })
}

/// Resolves contradiction number `n` in favour of a memory, or of both.
pub fn resolve(n: u64, kept: Option<u64>) -> Change {
    let verdict = match kept {
        Some(_) => Verdict::Person,
        None => Verdict::ContextDependent,
    };
    Change::Resolve {
        contradiction: contradiction_id(n),
        resolution: Resolution {
            kept: kept.map(memory_id),
            verdict,
            at: Timestamp::EPOCH,
        },
    }
}

/// Where a memory stands that nothing replaces.
pub fn standing(state: State, valid_to: Option<Timestamp>) -> Standing {
    Standing {
        state,
        valid_to,
        superseded_by: None,
    }
}

/// Puts a memory into a state, as the log calls it.
pub fn transition(memory: MemoryId, op: Op, to: Standing) -> Change {
    Change::Transition(Transition { memory, op, to })
}

/// Puts a memory back in force, from wherever it is.
pub fn revive(memory: MemoryId, from: State) -> Change {
    let op = match from {
        State::Quarantined => Op::Promote,
        State::Dormant | State::Disputed => Op::Restore,
        _ => Op::Revert,
    };
    transition(memory, op, standing(State::Active, None))
}

/// Hides a memory.
pub fn retire(memory: MemoryId) -> Change {
    transition(memory, Op::Retire, standing(State::Dormant, None))
}

/// Brings a memory back.
pub fn restore(memory: MemoryId) -> Change {
    transition(memory, Op::Restore, standing(State::Active, None))
}

/// Asks for all entities that a scope knows.
pub fn all_entities(scope: &Scope) -> EntityQuery {
    EntityQuery {
        scope: scope.clone(),
        key: EntityKey::Any,
        after: None,
        limit: ALL,
    }
}

/// Asks for all contradictions that a scope sees.
pub fn all_contradictions(scope: &Scope) -> ContradictionQuery {
    ContradictionQuery {
        scope: scope.clone(),
        memory: None,
        open: false,
        after: None,
        limit: ALL,
    }
}

/// The ids of entities by their numbers.
pub fn entity_ids(numbers: &[u64]) -> Vec<EntityId> {
    numbers.iter().copied().map(entity_id).collect()
}

/// The ids of contradictions by their numbers.
pub fn contradiction_ids(numbers: &[u64]) -> Vec<ContradictionId> {
    numbers.iter().copied().map(contradiction_id).collect()
}
