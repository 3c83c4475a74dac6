//! The entities of a candidate: known ones by their names, new ones recorded with it.

use std::collections::{BTreeMap, BTreeSet};

use precedent_core::{
    Alias, Audience, Change, CleanText, Entity, EntityId, EntityKey, EntityQuery, Memory, MemoryId,
    Mention, Principal, normalise,
};

use super::compare::ALL;
use super::draft::Draft;
use super::{Candidate, mentions};
use crate::{Destination, Engine, EngineError, ReasonError, Stage, WriteLane};

/// What a model said of the names of a request, so that it is asked once however often the commit
/// has to be built.
#[derive(Default)]
pub(super) struct Answers(BTreeMap<(MemoryId, String, Vec<EntityId>), Option<EntityId>>);

/// What is known of the names of one request.
pub(super) struct Registry<'a> {
    known: Vec<Entity>,
    /// Where a name, in normal form, is in `known`: entity and alias.
    places: BTreeMap<String, Vec<(usize, usize)>>,
    /// Names that this commit records, by normal form, of entities new and known.
    added: BTreeMap<String, Vec<Added>>,
    answers: &'a mut Answers,
}

/// A name that this commit records.
struct Added {
    entity: EntityId,
    name: CleanText,
    like: Memory,
}

/// A name of a candidate, and what it names.
enum Named {
    Known(Mention),
    Alias(EntityId, CleanText),
    Fresh(CleanText),
}

/// Finds out where each name is.
fn places(known: &[Entity]) -> BTreeMap<String, Vec<(usize, usize)>> {
    let mut places: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, entity) in known.iter().enumerate() {
        for (place, alias) in entity.names.iter().enumerate() {
            let names = places.entry(normalise(&alias.name)).or_default();
            names.push((at, place));
        }
    }
    places
}

impl Registry<'_> {
    /// Tells whether no name is known at all.
    fn is_empty(&self) -> bool {
        self.known.is_empty() && self.added.is_empty()
    }

    fn named(&self, audience: &Audience<'_>, normal: &str) -> Option<Mention> {
        let places = self.places.get(normal).into_iter().flatten();
        let mut known = places.filter_map(|(entity, alias)| {
            let entity = self.known.get(*entity)?;
            let ours = entity.audience() == *audience;
            ours.then_some((entity.id, &entity.names.get(*alias)?.name))
        });
        let added = self.added.get(normal).into_iter().flatten();
        let mut added = added.filter(|it| it.like.audience() == *audience);
        let known = known.next();
        let (entity, name) = known.or_else(|| added.next().map(|it| (it.entity, &it.name)))?;
        let name = name.clone();
        Some(Mention { entity, name })
    }

    /// Returns the known entities of an audience that share a word with a name.
    fn alike(&self, audience: &Audience<'_>, normal: &str) -> Vec<(EntityId, CleanText)> {
        let words: Vec<&str> = normal.split(' ').collect();
        let shares = |entity: &&Entity| {
            entity.names.iter().any(|alias| {
                let alias = normalise(&alias.name);
                alias.split(' ').any(|word| words.contains(&word))
            })
        };
        let ours = self.known.iter().filter(|it| it.audience() == *audience);
        let first = |it: &Entity| Some((it.id, it.names.first()?.name.clone()));
        ours.filter(shares).filter_map(first).collect()
    }

    fn add(&mut self, entity: EntityId, name: &CleanText, memory: &Memory) {
        self.added.entry(normalise(name)).or_default().push(Added {
            entity,
            name: name.clone(),
            like: memory.clone(),
        });
    }
}

impl Engine {
    /// Reads what is known of the names that the candidates could mention.
    pub(super) async fn registry<'a>(
        &self,
        candidates: &[Candidate<'_>],
        by: &Principal,
        answers: &'a mut Answers,
    ) -> Result<Registry<'a>, EngineError> {
        let mut names = BTreeSet::new();
        for candidate in candidates.iter().filter(|it| it.refused.is_none()) {
            names.extend(mentions::possible(&candidate.memory.text));
            names.extend(candidate.names.iter().map(|name| normalise(name)));
        }
        let query = EntityQuery {
            scope: by.scope(),
            key: EntityKey::Names(names.into_iter().collect()),
            after: None,
            limit: ALL,
        };
        let known = self.store.entities(&query).await?;
        Ok(Registry {
            places: places(&known),
            known,
            added: BTreeMap::new(),
            answers,
        })
    }

    /// Says what a candidate mentions, and records in the draft what is new; nothing on an error.
    pub(super) async fn mention(
        &self,
        candidate: &Candidate<'_>,
        registry: &mut Registry<'_>,
        draft: &mut Draft,
        lane: WriteLane,
    ) -> Result<Vec<Mention>, EngineError> {
        let memory = &candidate.memory;
        let mut found = Vec::new();
        for (normal, name) in self.names(candidate, registry, lane) {
            found.push(match registry.named(&memory.audience(), &normal) {
                Some(mention) => Named::Known(mention),
                None => match self.recognised(memory, &name, registry, lane).await? {
                    Some(entity) => Named::Alias(entity, name),
                    None => Named::Fresh(name),
                },
            });
        }
        let found = found.into_iter();
        let mut mentions: Vec<Mention> = found
            .map(|named| self.record_name(named, memory, registry, draft))
            .collect();
        mentions.sort();
        Ok(mentions)
    }

    /// Returns the names of a candidate, by normal form, as many as a memory may have: first those
    /// that it was given, then those that are known, then those that the text shows.
    fn names(
        &self,
        candidate: &Candidate<'_>,
        registry: &Registry<'_>,
        lane: WriteLane,
    ) -> Vec<(String, CleanText)> {
        let memory = &candidate.memory;
        let is_known = |normal: &str| registry.named(&memory.audience(), normal);
        let possible = if registry.is_empty() {
            BTreeSet::new()
        } else {
            mentions::possible(&memory.text)
        };
        let known = possible
            .into_iter()
            .filter_map(|normal| Some(is_known(&normal)?.name));
        let shown = mentions::shown(&memory.text).into_iter();
        let shown = shown.map(|name| self.redactor.clean(&name));
        let mut seen = BTreeSet::new();
        let all = candidate.names.iter().cloned().chain(known).chain(shown);
        all.map(|name| (normalise(&name), name))
            .filter(|(normal, name)| !normal.is_empty() && !name.contains('['))
            .filter(|(normal, _)| lane != WriteLane::LocalOnly || is_known(normal).is_some())
            .filter(|(normal, _)| seen.insert(normal.clone()))
            .take(self.limits.entities)
            .collect()
    }

    fn record_name(
        &self,
        named: Named,
        memory: &Memory,
        registry: &mut Registry<'_>,
        draft: &mut Draft,
    ) -> Mention {
        let alias = |name: &CleanText| Alias {
            name: name.clone(),
            registered: false,
        };
        let (entity, name) = match named {
            Named::Known(mention) => return mention,
            Named::Alias(entity, name) => {
                let alias = alias(&name);
                draft.commit.changes.push(Change::Alias { entity, alias });
                (entity, name)
            }
            Named::Fresh(name) => {
                let id = EntityId::from_bytes(self.fresh_id(draft.commit.header.at));
                draft.commit.changes.push(Change::Entity(Box::new(Entity {
                    id,
                    namespace: memory.namespace.clone(),
                    agent: memory.agent.clone(),
                    private: memory.private,
                    readers: memory.readers.clone(),
                    names: vec![alias(&name)],
                    recorded_at: memory.recorded_at,
                })));
                (id, name)
            }
        };
        registry.add(entity, &name, memory);
        Mention { entity, name }
    }

    /// Asks the model, if there is one, whether a new name is another one of a known entity.
    async fn recognised(
        &self,
        memory: &Memory,
        name: &CleanText,
        registry: &mut Registry<'_>,
        lane: WriteLane,
    ) -> Result<Option<EntityId>, EngineError> {
        let normal = normalise(name);
        let alike = registry.alike(&memory.audience(), &normal);
        let asks = !alike.is_empty() && lane != WriteLane::DeterministicEntities;
        let Some(reasoner) = self.reasoner_of(lane).filter(|_| asks) else {
            return Ok(None);
        };
        let (ids, names): (Vec<EntityId>, Vec<CleanText>) = alike.into_iter().unzip();
        let asked = (memory.id, normal, ids.clone());
        if let Some(answer) = registry.answers.0.get(&asked) {
            return Ok(*answer);
        }
        self.policy
            .check(Destination::LlmExtraction, memory.classification)?;
        let outage = |error: ReasonError| EngineError::Reason {
            stage: Stage::Entities,
            error,
        };
        let same = reasoner.same_entity(name, &memory.text, &names).await;
        let answer = match same.map_err(outage)? {
            None => None,
            Some(place) => {
                let entity = ids.get(place).copied();
                Some(entity.ok_or_else(|| outage(ReasonError::Malformed))?)
            }
        };
        registry.answers.0.insert(asked, answer);
        Ok(answer)
    }
}
