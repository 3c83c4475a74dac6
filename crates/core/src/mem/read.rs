//! Reading a snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::state::{Record, State};
use crate::audit::{BackendBlock, SealedCertificate};
use crate::store::newest_first;
use crate::{
    CertificateQuery, Claim, Contradiction, ContradictionQuery, EmbeddingSpace, Entity, EntityKey,
    EntityQuery, EventKey, EventQuery, Kind, KindCounts, Memory, MemoryId, MemoryQuery, Namespace,
    NamespaceCount, Receipt, ReceiptQuery, Revision, Rule, RuleQuery, Scope, State as Life,
    StoreStatus, ToolEvent,
};

pub(super) fn memories(state: &State, scope: &Scope, ids: &[MemoryId]) -> Vec<Memory> {
    ids.iter()
        .filter_map(|id| visible(state, scope, *id))
        .map(|record| record.memory.clone())
        .collect()
}

fn visible<'a>(state: &'a State, scope: &Scope, id: MemoryId) -> Option<&'a Arc<Record>> {
    let record = state.memories.get(&id)?;
    scope.is_in(&record.memory.audience()).then_some(record)
}

pub(super) fn find_memories(state: &State, query: &MemoryQuery) -> Vec<Memory> {
    state
        .memories
        .values()
        .filter(|record| query.scope.is_in(&record.memory.audience()))
        .filter(|record| query.after.is_none_or(|after| record.memory.id > after))
        .filter(|record| query.kinds.is_empty() || query.kinds.contains(&record.memory.kind))
        .filter(|record| query.states.is_empty() || query.states.contains(&record.memory.state))
        .filter(|record| is_asked_for(query, record))
        .map(|record| record.memory.clone())
        .take(query.limit)
        .collect()
}

fn is_asked_for(query: &MemoryQuery, record: &Record) -> bool {
    let memory = &record.memory;
    let repeats = |digest| {
        record.digest == digest
            && memory.namespace == query.scope.namespace
            && memory.state.is_in_force()
    };
    let topic = || memory.claim.as_ref().map(Claim::topic);
    query.digest.is_none_or(repeats)
        && query.echo.is_none_or(|echo| record.echo == echo)
        && (query.topic.is_none() || query.topic == topic())
        && query.entity.is_none_or(|entity| {
            memory
                .mentions
                .iter()
                .any(|mention| mention.entity == entity)
        })
        && query
            .derived_from
            .is_none_or(|origin| memory.derived_from.contains(&origin))
}

pub(super) fn revisions(state: &State, scope: &Scope, id: MemoryId) -> Vec<Revision> {
    visible(state, scope, id).map_or_else(Vec::new, |record| record.revisions())
}

pub(super) fn entities(state: &State, query: &EntityQuery) -> Vec<Entity> {
    let asked_for = |entity: &Entity| match &query.key {
        EntityKey::Names(names) => names.iter().any(|name| entity.is_named(name)),
        EntityKey::Ids(ids) => ids.contains(&entity.id),
        EntityKey::Any => true,
    };
    state
        .entities
        .values()
        .filter(|entity| query.scope.is_in(&entity.audience()) && asked_for(entity))
        .filter(|entity| query.after.is_none_or(|after| entity.id > after))
        .take(query.limit)
        .map(|entity| Entity::clone(entity))
        .collect()
}

pub(super) fn contradictions(state: &State, query: &ContradictionQuery) -> Vec<Contradiction> {
    let sees = |id: &MemoryId| visible(state, &query.scope, *id).is_some();
    state
        .contradictions
        .values()
        .filter(|it| it.between.iter().all(sees))
        .filter(|it| {
            query
                .memory
                .is_none_or(|memory| it.between.contains(&memory))
        })
        .filter(|it| !query.open || it.resolution.is_none())
        .filter(|it| query.after.is_none_or(|after| it.id > after))
        .take(query.limit)
        .copied()
        .collect()
}

pub(super) fn namespaces(state: &State, within: &Namespace) -> Vec<NamespaceCount> {
    let mut counts: BTreeMap<&Namespace, (u64, u64)> = BTreeMap::new();
    let memories = state.memories.values().map(|record| &record.memory);
    for memory in memories.filter(|memory| within.contains(memory.namespace.as_str())) {
        let (in_force, all) = counts.entry(&memory.namespace).or_default();
        *in_force += u64::from(memory.state.is_in_force());
        *all += 1;
    }
    let count = |(namespace, (in_force, memories)): (&Namespace, (u64, u64))| NamespaceCount {
        namespace: namespace.clone(),
        in_force,
        memories,
    };
    counts.into_iter().map(count).collect()
}

pub(super) fn events(state: &State, query: &EventQuery) -> Vec<ToolEvent> {
    let mut found: Vec<&Arc<ToolEvent>> = state
        .events
        .values()
        .filter(|event| query.scope.sees(&event.namespace, event.owner()))
        .filter(|event| match &query.key {
            EventKey::Exact(key) => event.keys.exact == *key,
            EventKey::Shape(key) => event.keys.shape == *key,
            EventKey::Family(key) => event.keys.family == *key,
            EventKey::Lookup(key) => event.lookup.contains(key),
            EventKey::Any => true,
        })
        .filter(|event| query.outcomes.is_empty() || query.outcomes.contains(&event.outcome))
        .filter(|event| query.since.is_none_or(|since| event.at >= since))
        .collect();
    found.sort_by(|a, b| newest_first((a.at, a.id), (b.at, b.id)));
    found
        .into_iter()
        .take(query.limit)
        .map(|event| ToolEvent::clone(event))
        .collect()
}

pub(super) fn rules(state: &State, query: &RuleQuery) -> Vec<Rule> {
    let in_force = |scope: &Scope, rule: &Rule| {
        visible(state, scope, rule.memory)
            .is_some_and(|record| matches!(record.memory.state, Life::Active | Life::Disputed))
    };
    state
        .rules
        .values()
        .filter(|rule| {
            query
                .scope
                .sees(&rule.namespace, rule.private.then_some(&rule.agent))
                && in_force(&query.scope, rule)
        })
        .filter(|rule| {
            let keys = query.keys.as_ref();
            keys.is_none_or(|keys| rule.keys.iter().any(|key| keys.contains(key)))
        })
        .take(query.limit)
        .map(|rule| Rule::clone(rule))
        .collect()
}

pub(super) fn receipts(state: &State, query: &ReceiptQuery) -> Vec<Receipt> {
    let visible =
        |scope: &Scope, receipt: &Receipt| scope.sees(&receipt.namespace, Some(&receipt.agent));
    let mut found: Vec<Receipt> = state
        .receipts
        .values()
        .filter(|receipt| match query {
            ReceiptQuery::Id(scope, id) => receipt.id == *id && visible(scope, receipt),
            ReceiptQuery::ToolUse(scope, tool_use) => {
                receipt.tool_use.as_ref() == Some(tool_use) && visible(scope, receipt)
            }
        })
        .map(|receipt| Receipt::clone(receipt))
        .collect();
    found.sort_by_key(|receipt| std::cmp::Reverse((receipt.at, receipt.id)));
    found
}

pub(super) fn certificates(state: &State, query: &CertificateQuery) -> Vec<SealedCertificate> {
    let chain = |id| {
        // Later stages name the first by its payload, so a memory's certificates are found
        // through the tombstone's.
        let first = state
            .certificates
            .iter()
            .find(|certificate| certificate.id == id);
        first.cloned().into_iter().collect::<Vec<_>>()
    };
    match query {
        CertificateQuery::Id(id) => chain(*id),
        CertificateQuery::Memory(id) => state
            .tombstones
            .get(id)
            .map(|certificate| chain(*certificate))
            .unwrap_or_default(),
        CertificateQuery::All => state.certificates.clone(),
    }
}

pub(super) fn status(
    state: &State,
    space: Option<EmbeddingSpace>,
    backend: BackendBlock,
) -> StoreStatus {
    let kinds = Kind::ALL
        .iter()
        .map(|&kind| {
            let records = || {
                state
                    .memories
                    .values()
                    .filter(move |record| record.memory.kind == kind)
            };
            KindCounts {
                kind,
                memories: records().count() as u64,
                vectors: records().filter(|record| record.vector.is_some()).count() as u64,
                chunks: records().map(|record| record.chunks.len() as u64).sum(),
            }
        })
        .collect();
    StoreStatus {
        backend,
        kinds,
        events: state.events.len() as u64,
        rules: state.rules.len() as u64,
        entities: state.entities.len() as u64,
        contradictions: state
            .contradictions
            .values()
            .filter(|it| it.resolution.is_none())
            .count() as u64,
        tombstones: state.tombstones.len() as u64,
        pending_sanitisation: state.certificates.len() as u64,
        head: state.head,
        space,
        faults: state.faults.clone(),
    }
}
