//! The entities of a candidate: known ones by their names, new ones recorded with it.

use std::collections::BTreeMap;

use precedent_core::{
    Alias, Audience, Change, CleanText, Entity, EntityId, EntityKey, EntityQuery, Memory, Mention,
    Principal, normalise,
};

use super::draft::Draft;
use super::{Candidate, mentions};
use crate::{Engine, EngineError, ReasonError, WriteLane};

/// What is known of the names of one request, by name in normal form and audience.
#[derive(Default)]
pub(super) struct Registry {
    known: Vec<Entity>,
    /// Entities that this commit records.
    fresh: Vec<Entity>,
    /// Names that this commit adds to known entities.
    added: BTreeMap<(EntityId, String), CleanText>,
}

impl Registry {
    fn named(&self, audience: &Audience<'_>, name: &str) -> Option<EntityId> {
        let known = self.known.iter().chain(&self.fresh);
        let mut ours = known.filter(|entity| entity.audience() == *audience);
        ours.find(|entity| {
            entity.is_named(name) || self.added.contains_key(&(entity.id, name.to_owned()))
        })
        .map(|entity| entity.id)
    }

    /// Returns the known entities of an audience that share a word with a name.
    fn alike(&self, audience: &Audience<'_>, name: &str) -> Vec<&Entity> {
        let words: Vec<&str> = name.split(' ').collect();
        let shares = |entity: &&Entity| {
            entity.names.iter().any(|alias| {
                let alias = normalise(&alias.name);
                alias.split(' ').any(|word| words.contains(&word))
            })
        };
        let ours = self
            .known
            .iter()
            .filter(|entity| entity.audience() == *audience);
        ours.filter(shares).collect()
    }
}

impl Engine {
    /// Reads what is known of the names that the candidates could mention.
    pub(super) async fn registry(
        &self,
        candidates: &[Candidate<'_>],
        by: &Principal,
    ) -> Result<Registry, EngineError> {
        let mut names = std::collections::BTreeSet::new();
        for candidate in candidates {
            names.extend(mentions::possible(&candidate.memory.text));
            names.extend(candidate.names.iter().map(|name| normalise(name)));
        }
        let query = EntityQuery {
            scope: by.scope(),
            key: EntityKey::Names(names.into_iter().collect()),
            after: None,
            limit: usize::MAX >> 1,
        };
        Ok(Registry {
            known: self.store.entities(&query).await?,
            ..Registry::default()
        })
    }

    /// Says what a candidate mentions, and records in the draft what is new.
    pub(super) async fn mention(
        &self,
        candidate: &Candidate<'_>,
        registry: &mut Registry,
        draft: &mut Draft,
        lane: WriteLane,
    ) -> Result<Vec<Mention>, ReasonError> {
        let memory = &candidate.memory;
        let mut found: BTreeMap<String, CleanText> = BTreeMap::new();
        for name in mentions::possible(&memory.text) {
            if registry.named(&memory.audience(), &name).is_some() {
                found.insert(name.clone(), self.redactor.clean(&name));
            }
        }
        if lane != WriteLane::LocalOnly {
            for name in self.new_names(candidate) {
                found.insert(normalise(&name), name);
            }
        }
        let mut mentioned = Vec::new();
        for (normal, name) in found.into_iter().take(self.limits.entities) {
            let entity = match registry.named(&memory.audience(), &normal) {
                Some(entity) => entity,
                None => {
                    self.record_name(memory, &name, registry, draft, lane)
                        .await?
                }
            };
            mentioned.push(Mention { entity, name });
        }
        mentioned.sort();
        Ok(mentioned)
    }

    fn new_names(&self, candidate: &Candidate<'_>) -> Vec<CleanText> {
        let shown = mentions::shown(&candidate.memory.text);
        let shown = shown.iter().map(|name| self.redactor.clean(name));
        let mut names: Vec<CleanText> = candidate.names.iter().cloned().chain(shown).collect();
        names.retain(|name| !name.is_empty() && !name.contains('['));
        names
    }

    /// Records a name that nobody has: of an entity that a model recognises, or of a new one.
    async fn record_name(
        &self,
        memory: &Memory,
        name: &CleanText,
        registry: &mut Registry,
        draft: &mut Draft,
        lane: WriteLane,
    ) -> Result<EntityId, ReasonError> {
        let alias = Alias {
            name: name.clone(),
            registered: false,
        };
        if let Some(entity) = self.recognised(memory, name, registry, lane).await? {
            registry
                .added
                .insert((entity, normalise(name)), name.clone());
            draft.commit.changes.push(Change::Alias { entity, alias });
            return Ok(entity);
        }
        let entity = Entity {
            id: EntityId::from_bytes(self.fresh_id(draft.commit.header.at)),
            namespace: memory.namespace.clone(),
            agent: memory.agent.clone(),
            private: memory.private,
            readers: memory.readers.clone(),
            names: vec![alias],
            recorded_at: memory.recorded_at,
        };
        let id = entity.id;
        registry.fresh.push(entity.clone());
        draft.commit.changes.push(Change::Entity(Box::new(entity)));
        Ok(id)
    }

    /// Asks the model, if there is one, whether a new name is another one of a known entity.
    async fn recognised(
        &self,
        memory: &Memory,
        name: &CleanText,
        registry: &Registry,
        lane: WriteLane,
    ) -> Result<Option<EntityId>, ReasonError> {
        let alike = registry.alike(&memory.audience(), &normalise(name));
        let Some(reasoner) = self.reasoner.as_ref().filter(|_| lane == WriteLane::Normal) else {
            return Ok(None);
        };
        let names: Vec<CleanText> = alike
            .iter()
            .filter_map(|entity| entity.names.first().map(|alias| alias.name.clone()))
            .collect();
        if names.is_empty() {
            return Ok(None);
        }
        let same = reasoner.same_entity(name, &memory.text, &names).await?;
        Ok(same
            .and_then(|place| alike.get(place))
            .map(|entity| entity.id))
    }
}
