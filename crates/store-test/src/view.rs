//! Everything that can be seen of a store, as one value to compare.

use precedent_core::audit::{Head, SealedCertificate, SealedEntry};
use precedent_core::{
    Backend, CertificateQuery, Contradiction, Entity, EventKey, EventQuery, Filter, Kind,
    KindCounts, LaneAnswer, Memory, MemoryId, MemoryQuery, NamespaceCount, RecallQuery, Receipt,
    ReceiptId, ReceiptQuery, Revision, Rule, RuleQuery, Scope, ToolEvent,
};

use crate::data::{all_contradictions, all_entities, at, axis, receipt_id, slanted};
use crate::store::both_query;

/// More than any test writes.
const ALL: usize = 1 << 20;
/// The instant of the past that recall is asked about, in milliseconds from the suite's start.
const THEN_MS: i64 = 2500;

/// What a reader in one scope sees.
#[derive(Clone, Debug, PartialEq)]
pub struct ScopeView {
    /// All memories.
    pub memories: Vec<Memory>,
    /// Their lives.
    pub revisions: Vec<(MemoryId, Vec<Revision>)>,
    /// All entities.
    pub entities: Vec<Entity>,
    /// All contradictions.
    pub contradictions: Vec<Contradiction>,
    /// All events.
    pub events: Vec<ToolEvent>,
    /// All rules in force.
    pub rules: Vec<Rule>,
    /// The receipts that were looked for.
    pub receipts: Vec<Receipt>,
    /// The lanes' answers to each query, of the present and of the past, by kind and lane; with
    /// each the fused memories.
    pub recalls: Vec<(Vec<LaneAnswer>, Vec<Memory>)>,
}

/// What a store holds beside the readers' views.
#[derive(Clone, Debug, PartialEq)]
pub struct StoreView {
    /// The log.
    pub log: Vec<SealedEntry>,
    /// Its end.
    pub head: Option<Head>,
    /// All certificates.
    pub certificates: Vec<SealedCertificate>,
    /// Counts a kind.
    pub kinds: Vec<KindCounts>,
    /// Counts of events, rules, entities, open contradictions and tombstones.
    pub counts: [u64; 5],
    /// What is held from each reader's namespace downwards, private records included.
    pub namespaces: Vec<Vec<NamespaceCount>>,
    /// The readers' views.
    pub scopes: Vec<ScopeView>,
}

/// Looks at a store through several scopes, with several questions.
pub struct Viewer {
    /// Whose views are taken.
    pub scopes: Vec<Scope>,
    /// What they ask the lanes.
    pub texts: Vec<&'static str>,
    /// Receipts up to this number are looked for.
    pub receipts: u64,
}

impl Viewer {
    /// Returns all that can be seen.
    pub async fn look(&self, store: &dyn Backend) -> StoreView {
        let page = store.audit_log(0, ALL).await.expect("the log can be read");
        let certificates = store.certificates(&CertificateQuery::All).await;
        let status = store.status().await.expect("the status can be read");
        let (mut scopes, mut namespaces) = (Vec::new(), Vec::new());
        for scope in &self.scopes {
            scopes.push(self.look_from(store, scope).await);
            let below = store.namespaces(&scope.namespace).await;
            namespaces.push(below.expect("namespaces can be read"));
        }
        StoreView {
            log: page.entries,
            head: page.head,
            certificates: certificates.expect("certificates can be read"),
            kinds: status.kinds,
            counts: [
                status.events,
                status.rules,
                status.entities,
                status.contradictions,
                status.tombstones,
            ],
            namespaces,
            scopes,
        }
    }

    /// Returns what one reader sees.
    pub async fn look_from(&self, store: &dyn Backend, scope: &Scope) -> ScopeView {
        let memories = MemoryQuery::all(scope.clone(), ALL);
        let events = EventQuery {
            scope: scope.clone(),
            key: EventKey::Any,
            outcomes: Vec::new(),
            since: None,
            limit: ALL,
        };
        let rules = RuleQuery {
            scope: scope.clone(),
            keys: None,
            limit: ALL,
        };
        let memories = store.find_memories(&memories).await;
        let memories = memories.expect("memories can be found");
        let mut revisions = Vec::new();
        for memory in &memories {
            let life = store.revisions(scope, memory.id).await;
            revisions.push((memory.id, life.expect("a life can be read")));
        }
        let entities = store.entities(&all_entities(scope)).await;
        let contradictions = store.contradictions(&all_contradictions(scope)).await;
        ScopeView {
            memories,
            revisions,
            entities: entities.expect("entities can be read"),
            contradictions: contradictions.expect("contradictions can be read"),
            events: store.events(&events).await.expect("events can be read"),
            rules: store.rules(&rules).await.expect("rules can be read"),
            receipts: self.receipts(store, scope).await,
            recalls: self.recalls(store, scope).await,
        }
    }

    async fn receipts(&self, store: &dyn Backend, scope: &Scope) -> Vec<Receipt> {
        let ids = (1..=self.receipts).map(receipt_id);
        let mut found = Vec::new();
        for id in ids.collect::<Vec<ReceiptId>>() {
            let query = ReceiptQuery::Id(scope.clone(), id);
            let receipts = store.receipts(&query).await;
            found.extend(receipts.expect("receipts can be read"));
        }
        found
    }

    async fn recalls(
        &self,
        store: &dyn Backend,
        scope: &Scope,
    ) -> Vec<(Vec<LaneAnswer>, Vec<Memory>)> {
        let then = Some(at(THEN_MS));
        let filters = [Filter::default(), Filter::default().as_of(then, then)];
        let mut found = Vec::new();
        for text in &self.texts {
            for (n, filter) in [(0, &filters[0]), (1, &filters[0]), (0, &filters[1])] {
                let vector = [axis(0), slanted(1, 2)][n].clone();
                let query = RecallQuery {
                    filter: filter.clone(),
                    ..both_query(scope, Kind::ALL, text, vector)
                };
                let mut candidates = store.candidates(&query).await;
                candidates
                    .answers
                    .sort_by_key(|answer| (answer.kind, answer.lane));
                found.push((candidates.answers, candidates.memories));
            }
        }
        found
    }
}
