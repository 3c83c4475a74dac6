//! Reading a snapshot.

use std::sync::Arc;

use super::state::State;
use crate::audit::{BackendBlock, SealedCertificate};
use crate::store::newest_first;
use crate::{
    CertificateQuery, EmbeddingSpace, EventKey, EventQuery, Kind, KindCounts, Memory, MemoryId,
    MemoryQuery, Receipt, ReceiptQuery, Rule, RuleQuery, Scope, State as Life, StoreStatus,
    ToolEvent,
};

pub(super) fn memories(state: &State, scope: &Scope, ids: &[MemoryId]) -> Vec<Memory> {
    ids.iter()
        .filter_map(|id| state.memories.get(id))
        .map(|record| &record.memory)
        .filter(|memory| scope.sees(&memory.namespace, memory.owner()))
        .cloned()
        .collect()
}

pub(super) fn find_memories(state: &State, query: &MemoryQuery) -> Vec<Memory> {
    state
        .memories
        .values()
        .filter(|record| scope_sees(&query.scope, &record.memory))
        .filter(|record| query.after.is_none_or(|after| record.memory.id > after))
        .filter(|record| query.kinds.is_empty() || query.kinds.contains(&record.memory.kind))
        .filter(|record| {
            query.digest.is_none_or(|digest| {
                digest == record.digest
                    && record.memory.namespace == query.scope.namespace
                    && matches!(
                        record.memory.state,
                        Life::Active | Life::Disputed | Life::ContextDependent
                    )
            })
        })
        .map(|record| record.memory.clone())
        .take(query.limit)
        .collect()
}

fn scope_sees(scope: &Scope, memory: &Memory) -> bool {
    scope.sees(&memory.namespace, memory.owner())
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
    let in_force = |rule: &Rule| {
        let record = state.memories.get(&rule.memory);
        record.is_some_and(|record| matches!(record.memory.state, Life::Active | Life::Disputed))
    };
    state
        .rules
        .values()
        .filter(|rule| {
            query
                .scope
                .sees(&rule.namespace, rule.private.then_some(&rule.agent))
                && in_force(rule)
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
        tombstones: state.tombstones.len() as u64,
        pending_sanitisation: state.certificates.len() as u64,
        head: state.head,
        space,
        faults: state.faults.clone(),
    }
}
