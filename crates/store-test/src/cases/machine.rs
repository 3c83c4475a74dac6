//! Any history leads the backend where the reference model says, answer by answer and read by read.

use precedent_core::audit::Stage;
use precedent_core::{
    CertificateQuery, Committed, ContradictionQuery, EntityKey, EntityQuery, EventKey, EventQuery,
    Filter, Kind, Lane, MemoryId, MemoryQuery, Outcome, ReceiptQuery, RuleQuery, Scope, State,
};
use proptest::test_runner::{Config, RngSeed};

use crate::case::laws;
use crate::data::{
    all_contradictions, all_entities, at, clean, contradiction_id, digest, entity_id, keys, listed,
    memory_id, namespace, receipt_id, scope, space, topic,
};
use crate::history::{IDS, NAMES, PLACES, Step, TEXTS, TOPICS, histories, requests};
use crate::law::{assert_law, config};
use crate::model::{Answer, Line, Model, approximately};
use crate::soak::Soak;
use crate::store::{TestStore, hits, lexical_query};
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = laws!("model":
    any_history_is_as_the_model_says,
);

/// How many histories a usual run drives.
const HISTORIES: u32 = 256;
/// More than any history writes.
const ALL: usize = 1 << 20;

/// The same commits are accepted and refused as the model says, with the same answers; and what
/// each read returns afterwards is what the model holds.
fn any_history_is_as_the_model_says(harness: &dyn Harness) {
    let soak = Soak::asked();
    let config = soak.as_ref().map_or_else(
        || config(HISTORIES),
        |soak| Config {
            rng_seed: RngSeed::Fixed(soak.seed),
            ..config(soak.cases)
        },
    );
    assert_law(&config, &histories(), |history| {
        harness.block_on(Box::pin(drive(harness, &history)));
        if let Some(soak) = &soak {
            soak.tell(harness.backend());
        }
    });
}

async fn drive(harness: &dyn Harness, history: &[Step]) {
    let store = TestStore::over(harness.open_relaxed(&space()).await);
    let mut model = Model::default();
    for (step, commit) in history.iter().zip(requests(history)) {
        let expected = model.commit(&commit);
        let answer = store.send(commit).await;
        let answer = answer
            .map(|done| answered(&done))
            .map_err(|error| error.kind);
        assert_eq!(answer, expected, "{step:?} (left: actual)");
        assert_counts(&store, &model).await;
    }
    for reader in readers() {
        Check {
            store: &store,
            model: &model,
            reader,
        }
        .all()
        .await;
    }
    assert_log(&store, &model).await;
}

fn answered(done: &Committed) -> Answer {
    let lines = done.facts.iter().map(|fact| Line {
        seq: fact.seq,
        op: fact.op,
        result: fact.result,
        memory: fact.memory,
        erased: fact.erased,
    });
    assert_eq!(
        done.head.at, done.recorded_at,
        "the head is of its last commit"
    );
    Answer {
        recorded_at: done.recorded_at,
        size: done.head.size,
        lines: lines.collect(),
        certificates: done.certificates.clone(),
        replayed: done.replayed,
    }
}

/// From everywhere, by either agent, with and without names in lists.
fn readers() -> Vec<Scope> {
    vec![
        scope("team", "a1"),
        scope("team/app", "a1"),
        listed(&["u2", "g1"]),
        listed(&[]),
        scope("team/app/sub", "a2"),
        scope("team/app2", "a1"),
        scope("team/ap", "a1"),
    ]
}

/// What the status counts is what the model holds.
async fn assert_counts(store: &TestStore, model: &Model) {
    let status = store.backend.status().await.expect("the status");
    let counts = [
        status.events,
        status.rules,
        status.entities,
        status.contradictions,
        status.tombstones,
    ];
    assert_eq!(counts, model.counts());
    for counts in &status.kinds {
        let held = (counts.memories, counts.vectors);
        assert_eq!(held, model.kind(counts.kind), "{}", counts.kind);
        // Every text of the histories fits one chunk, and the actor's name is always there.
        assert_eq!(counts.chunks, counts.memories);
    }
    let size = status.head.map_or(0, |head| head.size);
    assert_eq!(size, model.log());
}

/// The log is as long as the model says, without a gap, and holds its certificates.
async fn assert_log(store: &TestStore, model: &Model) {
    let log = store.backend.audit_log(0, ALL).await.expect("the log");
    assert_eq!(log.entries.len() as u64, model.log());
    assert!((0..).zip(&log.entries).all(|(seq, entry)| entry.seq == seq));
    let ask = async |query| {
        let found = store.backend.certificates(&query).await;
        let found = found.expect("certificates");
        assert!(found.iter().all(|it| it.stage == Stage::Logical));
        found.iter().map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(ask(CertificateQuery::All).await, model.certificates());
    for id in (1..=IDS).map(memory_id) {
        let found = ask(CertificateQuery::Memory(id)).await;
        assert_eq!(found, model.certificate_of(id));
    }
    for place in PLACES.map(namespace) {
        let found = store.backend.namespaces(&place).await.expect("namespaces");
        let found = found.into_iter().map(|it| {
            let name = it.namespace.to_string();
            (name, it.in_force, it.memories)
        });
        assert_eq!(found.collect::<Vec<_>>(), model.namespaces(&place));
    }
}

/// Compares every read of one reader.
struct Check<'a> {
    store: &'a TestStore,
    model: &'a Model,
    reader: Scope,
}

impl Check<'_> {
    async fn all(&self) {
        self.memories().await;
        self.found_memories().await;
        self.entities().await;
        self.contradictions().await;
        self.events().await;
        self.rules().await;
        self.receipts().await;
        self.recall().await;
    }

    async fn memories(&self) {
        let mut ids: Vec<MemoryId> = (0..=IDS).map(memory_id).collect();
        ids.rotate_left(3);
        let found = self.store.backend.memories(&self.reader, &ids).await;
        let found = found.expect("memories");
        assert_eq!(found, self.model.memories(&self.reader, &ids));
        for id in ids {
            let life = self.store.backend.revisions(&self.reader, id).await;
            let expected = self.model.revisions(&self.reader, id);
            assert_eq!(life.expect("a life"), expected, "{id}");
        }
    }

    /// One query for each attribute, some with a second one.
    fn memory_queries(&self) -> Vec<MemoryQuery> {
        let all = || MemoryQuery::all(self.reader.clone(), ALL);
        let mut queries = vec![all()];
        let page = |after, limit| MemoryQuery {
            after,
            limit,
            ..all()
        };
        queries.extend([page(None, 2), page(Some(memory_id(2)), 2), page(None, 0)]);
        for text in TEXTS {
            queries.push(MemoryQuery {
                digest: Some(digest(text)),
                ..all()
            });
            queries.push(MemoryQuery {
                echo: Some(digest(&format!("echo {text}"))),
                kinds: vec![Kind::Episodic, Kind::Procedural],
                ..all()
            });
        }
        for (subject, key) in TOPICS.concat() {
            queries.push(MemoryQuery {
                topic: Some(topic(subject, key)),
                ..all()
            });
        }
        for n in 1..=3 {
            queries.push(MemoryQuery {
                entity: Some(entity_id(n)),
                ..all()
            });
            queries.push(MemoryQuery {
                derived_from: Some(memory_id(n)),
                states: vec![State::Active, State::Superseded],
                ..all()
            });
        }
        queries
    }

    async fn found_memories(&self) {
        for query in self.memory_queries() {
            let found = self.store.backend.find_memories(&query).await;
            let expected = self.model.find_memories(&query);
            assert_eq!(found.expect("memories"), expected, "{query:?}");
        }
    }

    async fn entities(&self) {
        let names = |names: &[&str]| EntityKey::Names(names.iter().map(|&n| n.into()).collect());
        let mut asked = vec![
            EntityKey::Any,
            EntityKey::Ids([5, 1, 2].map(entity_id).to_vec()),
            names(&NAMES[1..]),
        ];
        asked.extend(NAMES.map(|name| names(&[name])));
        for key in asked {
            for (after, limit) in [(None, ALL), (Some(entity_id(1)), 1)] {
                let query = EntityQuery {
                    key: key.clone(),
                    after,
                    limit,
                    ..all_entities(&self.reader)
                };
                let found = self.store.backend.entities(&query).await;
                let expected = self.model.entities(&query);
                assert_eq!(found.expect("entities"), expected, "{query:?}");
            }
        }
    }

    async fn contradictions(&self) {
        for memory in [None, Some(memory_id(1)), Some(memory_id(2))] {
            for (open, after, limit) in [(false, None, ALL), (true, Some(contradiction_id(2)), 2)] {
                let query = ContradictionQuery {
                    memory,
                    open,
                    after,
                    limit,
                    ..all_contradictions(&self.reader)
                };
                let found = self.store.backend.contradictions(&query).await;
                let expected = self.model.contradictions(&query);
                assert_eq!(found.expect("contradictions"), expected, "{query:?}");
            }
        }
    }

    async fn events(&self) {
        let asked = [
            EventKey::Any,
            EventKey::Exact(keys(2).exact),
            EventKey::Shape(keys(2).shape),
            EventKey::Family(keys(2).family),
            EventKey::Lookup(clean("number:3")),
        ];
        for key in asked {
            for (outcomes, since, limit) in [
                (vec![], None, ALL),
                (vec![Outcome::Failed, Outcome::Succeeded], Some(at(2000)), 2),
            ] {
                let query = EventQuery {
                    scope: self.reader.clone(),
                    key: key.clone(),
                    outcomes,
                    since,
                    limit,
                };
                let found = self.store.backend.events(&query).await;
                let expected = self.model.events(&query);
                assert_eq!(found.expect("events"), expected, "{query:?}");
            }
        }
    }

    async fn rules(&self) {
        let keys = [None, Some(vec![clean("number:1"), clean("number:4")])];
        for (keys, limit) in keys.into_iter().zip([ALL, 1]) {
            let query = RuleQuery {
                scope: self.reader.clone(),
                keys,
                limit,
            };
            let found = self.store.backend.rules(&query).await;
            let expected = self.model.rules(&query);
            assert_eq!(found.expect("rules"), expected, "{query:?}");
        }
    }

    async fn receipts(&self) {
        for n in 1..=IDS {
            for query in [
                ReceiptQuery::Id(self.reader.clone(), receipt_id(n)),
                ReceiptQuery::ToolUse(self.reader.clone(), clean(&format!("use-{n}"))),
            ] {
                let found = self.store.backend.receipts(&query).await;
                let expected = self.model.receipts(&query);
                assert_eq!(found.expect("receipts"), expected, "{query:?}");
            }
        }
    }

    /// The lexical lane in the present and in the past of either clock, in all states and in those
    /// in force.
    async fn recall(&self) {
        let any_state = Filter {
            states: State::ALL.to_vec(),
            ..Filter::default()
        };
        let filters = [
            Filter::default(),
            any_state.clone(),
            Filter::default().as_of(Some(at(2000)), None),
            any_state.as_of(None, Some(at(2500))),
            Filter::default().as_of(Some(at(3500)), Some(at(4000))),
        ];
        for filter in &filters {
            for terms in [&["red"][..], &["cat", "fox"], &["owl", "url"], &["zebra"]] {
                self.recalls(terms, filter).await;
            }
        }
    }

    async fn recalls(&self, terms: &[&str], filter: &Filter) {
        let mut query = lexical_query(&self.reader, Kind::ALL, &terms.join(" "));
        (query.filter, query.depth, query.limit) = (filter.clone(), 100, 100);
        let candidates = self.store.candidates(&query).await;
        for &kind in Kind::ALL {
            let found = hits(&candidates, kind, Lane::Lexical);
            let expected = self.model.lexical(&self.reader, kind, terms, filter);
            let alike = found.len() == expected.len()
                && found.iter().zip(&expected).all(|(found, expected)| {
                    found.0 == expected.0 && approximately(found.1, expected.1)
                });
            assert!(alike, "{found:?} for {expected:?}, {terms:?}, {filter:?}");
            for (id, _) in found {
                let brought = candidates.memories.iter().find(|memory| memory.id == id);
                let expected = self.model.known(id, filter.known_at);
                assert_eq!(brought, expected.as_ref(), "{filter:?}");
            }
        }
    }
}

/// The machine finds a store that breaks the contract; without this test nobody would know.
#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    use async_trait::async_trait;
    use precedent_core::{Backend, EmbeddingSpace, StoreErrorKind};

    use super::*;
    use crate::{Call, Fault, FaultStore, LaneBreak, MemHarness, Need, Plan};

    /// A store whose eighth commit is refused although nothing is wrong with it.
    #[derive(Default)]
    struct Flawed(MemHarness);

    #[async_trait]
    impl Harness for Flawed {
        fn backend(&self) -> &'static str {
            "flawed"
        }

        fn lacks(&self, need: Need) -> Option<&'static str> {
            self.0.lacks(need)
        }

        async fn open(&self, space: &EmbeddingSpace) -> Arc<dyn Backend> {
            let plan = Plan::nth(Call::Commit, 8, Fault::Before(StoreErrorKind::Busy));
            Arc::new(FaultStore::over(self.0.open(space).await, plan))
        }

        async fn reopen(&self, store: Arc<dyn Backend>, _: &EmbeddingSpace) -> Arc<dyn Backend> {
            store
        }

        async fn break_lane(&self, _: &Arc<dyn Backend>, _: Kind, _: Lane, _: LaneBreak) {}
    }

    #[test]
    fn a_flaw_is_found() {
        let flawed = Flawed::default();
        let run = || any_history_is_as_the_model_says(&flawed);
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
