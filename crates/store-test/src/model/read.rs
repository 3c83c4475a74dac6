//! What each read returns of the lists.

use precedent_core::{
    CertificateId, Contradiction, ContradictionQuery, Entity, EntityKey, EntityQuery, EventKey,
    EventQuery, Kind, Memory, MemoryId, MemoryQuery, Name, Namespace, Receipt, ReceiptQuery,
    Revision, Rule, RuleQuery, Scope, Standing, State, Timestamp, ToolEvent,
};

use super::apply::counts;
use super::{Model, Row, plain};

impl Row {
    pub(super) fn now(&self) -> Standing {
        self.life[self.life.len() - 1].standing
    }

    /// The memory in one stretch of its life.
    fn stretch(&self, stretch: &Revision) -> Memory {
        let mut memory = self.memory.clone();
        memory.state = stretch.standing.state;
        memory.valid_to = stretch.standing.valid_to;
        memory.superseded_by = stretch.standing.superseded_by;
        memory.version = stretch.version;
        memory.retired_at = if counts(memory.state) {
            None
        } else {
            Some(stretch.since)
        };
        memory
    }

    /// The memory as it is.
    pub(super) fn present(&self) -> Memory {
        self.stretch(&self.life[self.life.len() - 1])
    }

    /// The memory as it was known at an instant, if it was.
    pub(super) fn known(&self, at: Option<Timestamp>) -> Option<Memory> {
        let Some(at) = at else {
            return Some(self.present());
        };
        let until: Vec<&Revision> = self.life.iter().filter(|it| it.since <= at).collect();
        until.last().map(|stretch| self.stretch(stretch))
    }
}

/// Whether a reader sees what is of a namespace, an owner and an access list.
pub(super) fn sees(
    scope: &Scope,
    namespace: &Namespace,
    owner: Option<&Name>,
    readers: &[Name],
) -> bool {
    let of = |namespace: &Namespace| -> Vec<String> {
        namespace.as_str().split('/').map(String::from).collect()
    };
    let (here, there) = (of(&scope.namespace), of(namespace));
    let on_the_path = there.len() <= here.len() && there[..] == here[..there.len()];
    let owned = match owner {
        Some(owner) => *owner == scope.agent,
        None => true,
    };
    let mut listed = readers.is_empty();
    for reader in readers {
        listed = listed || scope.names.contains(reader);
    }
    on_the_path && owned && listed
}

fn owner_of(private: bool, agent: &Name) -> Option<&Name> {
    if private { Some(agent) } else { None }
}

fn sees_memory(scope: &Scope, memory: &Memory) -> bool {
    let owner = owner_of(memory.private, &memory.agent);
    sees(scope, &memory.namespace, owner, &memory.readers)
}

impl Model {
    pub(super) fn row(&self, id: MemoryId) -> Option<&Row> {
        self.rows.iter().find(|row| row.memory.id == id)
    }

    /// The rows that a reader sees, by id.
    pub(super) fn seen(&self, scope: &Scope) -> Vec<&Row> {
        let mut seen: Vec<&Row> = self
            .rows
            .iter()
            .filter(|row| sees_memory(scope, &row.memory))
            .collect();
        seen.sort_by_key(|row| row.memory.id);
        seen
    }

    pub(crate) fn memories(&self, scope: &Scope, ids: &[MemoryId]) -> Vec<Memory> {
        let mut found = Vec::new();
        for id in ids {
            for row in self.seen(scope) {
                if row.memory.id == *id {
                    found.push(row.present());
                }
            }
        }
        found
    }

    pub(crate) fn find_memories(&self, query: &MemoryQuery) -> Vec<Memory> {
        let mut found = Vec::new();
        for row in self.seen(&query.scope) {
            let memory = row.present();
            let repeats = row.digest;
            let mut asked = query.after.is_none_or(|after| after < memory.id);
            asked &= query.kinds.is_empty() || query.kinds.contains(&memory.kind);
            asked &= query.states.is_empty() || query.states.contains(&memory.state);
            asked &= query.digest.is_none_or(|digest| {
                digest == repeats
                    && memory.namespace == query.scope.namespace
                    && counts(memory.state)
            });
            asked &= query.echo.is_none_or(|echo| echo == row.echo);
            if let Some(topic) = &query.topic {
                asked &= memory.claim.as_ref().map(|it| it.topic()).as_ref() == Some(topic);
            }
            if let Some(entity) = query.entity {
                asked &= memory.mentions.iter().any(|it| it.entity == entity);
            }
            if let Some(origin) = query.derived_from {
                asked &= memory.derived_from.contains(&origin);
            }
            if asked && found.len() < query.limit {
                found.push(memory);
            }
        }
        found
    }

    pub(crate) fn revisions(&self, scope: &Scope, id: MemoryId) -> Vec<Revision> {
        let row = self.row(id).filter(|row| sees_memory(scope, &row.memory));
        row.map(|row| row.life.clone()).unwrap_or_default()
    }

    pub(crate) fn entities(&self, query: &EntityQuery) -> Vec<Entity> {
        let mut found: Vec<Entity> = Vec::new();
        for entity in &self.entities {
            let owner = owner_of(entity.private, &entity.agent);
            let seen = sees(&query.scope, &entity.namespace, owner, &entity.readers);
            let asked = match &query.key {
                EntityKey::Names(names) => entity
                    .names
                    .iter()
                    .any(|alias| names.contains(&plain(&alias.name))),
                EntityKey::Ids(ids) => ids.contains(&entity.id),
                EntityKey::Any => true,
            };
            if seen && asked && query.after.is_none_or(|after| after < entity.id) {
                found.push(entity.clone());
            }
        }
        found.sort_by_key(|entity| entity.id);
        found.truncate(query.limit);
        found
    }

    pub(crate) fn contradictions(&self, query: &ContradictionQuery) -> Vec<Contradiction> {
        let seen: Vec<MemoryId> = self
            .seen(&query.scope)
            .iter()
            .map(|r| r.memory.id)
            .collect();
        let mut found: Vec<Contradiction> = Vec::new();
        for it in &self.contradictions {
            let [a, b] = it.between;
            let asked = query.memory.is_none_or(|memory| a == memory || b == memory)
                && !(query.open && it.resolution.is_some())
                && query.after.is_none_or(|after| after < it.id);
            if asked && seen.contains(&a) && seen.contains(&b) {
                found.push(*it);
            }
        }
        found.sort_by_key(|it| it.id);
        found.truncate(query.limit);
        found
    }

    /// Every namespace from one downwards, with its memories in force and in all.
    pub(crate) fn namespaces(&self, within: &Namespace) -> Vec<(String, u64, u64)> {
        let mut found: Vec<(String, u64, u64)> = Vec::new();
        let below = format!("{within}/");
        for row in &self.rows {
            let namespace = row.memory.namespace.as_str();
            if namespace != within.as_str() && !namespace.starts_with(&below) {
                continue;
            }
            let in_force = u64::from(counts(row.now().state));
            match found.iter_mut().find(|(name, _, _)| name == namespace) {
                Some(count) => {
                    count.1 += in_force;
                    count.2 += 1;
                }
                None => found.push((namespace.to_owned(), in_force, 1)),
            }
        }
        found.sort();
        found
    }

    pub(crate) fn events(&self, query: &EventQuery) -> Vec<ToolEvent> {
        let mut found: Vec<ToolEvent> = Vec::new();
        for event in &self.events {
            let owner = owner_of(event.private, &event.agent);
            let asked = match &query.key {
                EventKey::Exact(key) => event.keys.exact == *key,
                EventKey::Shape(key) => event.keys.shape == *key,
                EventKey::Family(key) => event.keys.family == *key,
                EventKey::Lookup(key) => event.lookup.contains(key),
                EventKey::Any => true,
            } && (query.outcomes.is_empty() || query.outcomes.contains(&event.outcome))
                && query.since.is_none_or(|since| since <= event.at);
            if asked && sees(&query.scope, &event.namespace, owner, &[]) {
                found.push(event.clone());
            }
        }
        found.sort_by_key(|event| (event.at, event.id));
        found.reverse();
        found.truncate(query.limit);
        found
    }

    pub(crate) fn rules(&self, query: &RuleQuery) -> Vec<Rule> {
        let mut found: Vec<Rule> = Vec::new();
        for rule in &self.rules {
            let owner = owner_of(rule.private, &rule.agent);
            let row = self.row(rule.memory);
            let controls = row.is_some_and(|row| {
                sees_memory(&query.scope, &row.memory)
                    && [State::Active, State::Disputed].contains(&row.now().state)
            });
            let asked = match &query.keys {
                Some(keys) => keys.iter().any(|key| rule.keys.contains(key)),
                None => true,
            };
            if controls && asked && sees(&query.scope, &rule.namespace, owner, &[]) {
                found.push(rule.clone());
            }
        }
        found.sort_by_key(|rule| rule.id);
        found.truncate(query.limit);
        found
    }

    pub(crate) fn receipts(&self, query: &ReceiptQuery) -> Vec<Receipt> {
        let mut found: Vec<Receipt> = Vec::new();
        for receipt in &self.receipts {
            let (scope, asked) = match query {
                ReceiptQuery::Id(scope, id) => (scope, receipt.id == *id),
                ReceiptQuery::ToolUse(scope, tool_use) => {
                    (scope, receipt.tool_use.as_ref() == Some(tool_use))
                }
            };
            if asked && sees(scope, &receipt.namespace, Some(&receipt.agent), &[]) {
                found.push(receipt.clone());
            }
        }
        found.sort_by_key(|receipt| (receipt.at, receipt.id));
        found.reverse();
        found
    }

    /// All certificates, oldest first.
    pub(crate) fn certificates(&self) -> Vec<CertificateId> {
        self.certificates.clone()
    }

    /// The certificate of a memory's erasure.
    pub(crate) fn certificate_of(&self, id: MemoryId) -> Vec<CertificateId> {
        let erased = self.erased.iter().filter(|(erased, _)| *erased == id);
        erased.map(|(_, certificate)| *certificate).collect()
    }

    /// Memories, and those with a vector, of one kind.
    pub(crate) fn kind(&self, kind: Kind) -> (u64, u64) {
        let rows = self.rows.iter().filter(|row| row.memory.kind == kind);
        let with_vector = rows.clone().filter(|row| row.has_vector).count() as u64;
        (rows.count() as u64, with_vector)
    }

    /// Events, rules, entities, open contradictions, tombstones.
    pub(crate) fn counts(&self) -> [u64; 5] {
        let open = self.contradictions.iter();
        let open = open.filter(|it| it.resolution.is_none()).count();
        [
            self.events.len() as u64,
            self.rules.len() as u64,
            self.entities.len() as u64,
            open as u64,
            self.erased.len() as u64,
        ]
    }

    /// How many entries the log has.
    pub(crate) fn log(&self) -> u64 {
        self.size
    }
}
