//! Random histories against the reference store: same answers, same errors, same results.

use std::sync::Arc;

use futures_executor::block_on;
use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{
    ActionPattern, Alias, Basis, CertificateId, CertificateQuery, Change, Claim, Classification,
    Commit, Contradiction, ContradictionId, ContradictionQuery, Control, Durability, Entity,
    EntityId, EntityKey, EntityQuery, Erasure, EventKey, EventQuery, Expect, Filter, Floor, Kind,
    MemStore, MemoryId, MemoryQuery, Mention, Outcome, Place, PutMemory, QueryVector, Recall,
    RecallQuery, ReceiptId, ReceiptQuery, Resolution, Rule, RuleId, RuleQuery, Severity, Source,
    Standing, State, Store, Topic, Transition, Trust, Verdict, analyze, fusion::Fusion,
};
use proptest::prelude::*;

use super::fixture::*;

const NAMESPACES: [&str; 4] = ["a", "a/b", "a/bc", "c"];
const AGENTS: [&str; 2] = ["planner", "coder"];
const NAMES: [&str; 3] = ["Kettle Works", "KETTLE  works", "Ann"];
const WORDS: [&str; 10] = [
    "deploy",
    "deploys",
    "kettle",
    "db:generate",
    "parseURL",
    "port",
    "migration",
    "never",
    "\u{6570}\u{636e}\u{5e93}",
    "production",
];

/// Draws from a proptest byte string; zeros when it is used up.
struct Dice<'a>(std::slice::Iter<'a, u8>);

impl Dice<'_> {
    fn roll(&mut self, sides: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }

    fn id(&mut self) -> u64 {
        self.roll(14) as u64
    }

    fn text(&mut self) -> String {
        let long = if self.roll(12) == 0 { 100 } else { 0 };
        let count = 1 + self.roll(8) + long;
        let words: Vec<&str> = (0..count).map(|_| self.pick(&WORDS)).collect();
        words.join(" ")
    }

    fn vector(&mut self) -> Vec<f32> {
        let mut vector: Vec<f32> = (0..DIMENSION)
            .map(|_| f32::from(u8::try_from(self.roll(200)).unwrap()) - 99.5)
            .collect();
        let length = precedent_core::vector::dot(&vector, &vector).sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
        vector
    }

    fn memory(&mut self) -> PutMemory {
        let text = self.text();
        let mut memory = memory(self.id(), &text);
        memory.kind = self.pick(Kind::ALL);
        memory.namespace = namespace(self.pick(&NAMESPACES));
        memory.agent = name(self.pick(&AGENTS));
        memory.private = self.roll(4) == 0;
        memory.source = self.pick(Source::ALL);
        memory.trust = self.pick(Trust::ALL);
        memory.state = if self.roll(5) == 0 {
            self.pick(State::ALL)
        } else {
            State::Active
        };
        memory.valid_from = (self.roll(3) == 0).then(|| at(self.roll(50) as i64));
        memory.valid_to = (self.roll(4) == 0).then(|| at(self.roll(90) as i64));
        if self.roll(3) == 0 {
            memory.readers = vec![name(self.pick(&["alice", "bob"]))];
        }
        memory.claim = (self.roll(2) == 0).then(|| Claim {
            subject: clean(self.pick(&["Port", "port"])),
            key: clean(self.pick(&["number", "Name"])),
            value: (self.roll(2) == 0).then(|| clean("8080")),
        });
        if self.roll(4) == 0 {
            memory.mentions = vec![Mention {
                entity: self.entity(),
                name: clean(self.pick(&NAMES)),
            }];
        }
        if self.roll(4) == 0 {
            memory.derived_from = vec![MemoryId::from_bytes(bytes(self.id()))];
        }
        memory.classification = self.pick(Classification::ALL);
        memory.supersedes = (self.roll(5) == 0).then(|| MemoryId::from_bytes(bytes(self.id())));
        let vector = match self.roll(5) {
            0 => None,
            1 => Some(vec![0.0; DIMENSION]),
            _ => Some(self.vector()),
        };
        PutMemory {
            digest: mix(memory.text.as_bytes()),
            echo: mix(&memory.text.as_bytes()[..1]),
            vector,
            memory,
        }
    }

    fn rule(&mut self) -> Rule {
        let trigger = ActionPattern {
            program: Some(clean(self.pick(&["npm", "git"]))),
            ..ActionPattern::default()
        };
        Rule {
            id: RuleId::from_bytes(bytes(self.id())),
            memory: MemoryId::from_bytes(bytes(self.id())),
            namespace: namespace(self.pick(&NAMESPACES)),
            agent: name(self.pick(&AGENTS)),
            private: self.roll(4) == 0,
            project: None,
            severity: self.pick(Severity::ALL),
            control: Control::Prohibits {
                trigger,
                unless: vec![],
            },
            keys: vec![
                clean("program:npm"),
                clean(self.pick(&["tool:Bash", "any"])),
            ],
            recorded_at: at(0),
        }
    }

    fn change(&mut self) -> Change {
        match self.roll(18) {
            0..=4 => Change::Put(Box::new(self.memory())),
            5 => Change::Supersede {
                old: MemoryId::from_bytes(bytes(self.id())),
                new: MemoryId::from_bytes(bytes(self.id())),
                ends: at(self.roll(90) as i64),
            },
            12 | 13 => Change::Transition(self.transition()),
            14 => Change::Entity(Box::new(self.entity_record())),
            15 => Change::Alias {
                entity: self.entity(),
                alias: self.alias(),
            },
            16 => Change::Contradict(Contradiction {
                id: self.contradiction(),
                between: [0; 2].map(|_| MemoryId::from_bytes(bytes(self.id()))),
                basis: self.pick(Basis::ALL),
                opened_at: at(0),
                resolution: None,
            }),
            17 => Change::Resolve {
                contradiction: self.contradiction(),
                resolution: Resolution {
                    kept: (self.roll(2) == 0).then(|| MemoryId::from_bytes(bytes(self.id()))),
                    verdict: self.pick(Verdict::ALL),
                    at: at(0),
                },
            },
            6 | 7 => Change::Event(Box::new(self.event())),
            8 => Change::Rule(Box::new(self.rule())),
            9 => Change::Receipt(Box::new(receipt(self.id()))),
            10 => Change::Erase(Erasure {
                certificate: CertificateId::from_bytes(mix_id(self)),
                memories: (0..=self.roll(3))
                    .map(|_| MemoryId::from_bytes(bytes(self.id())))
                    .collect(),
                within: namespace(self.pick(&NAMESPACES)),
                reason: None,
            }),
            _ => Change::Note(Fact {
                op: Op::Deduplicate,
                result: FactResult::Denied,
                namespace: namespace("a"),
                memory: None,
                detail: Detail::Reason(
                    Reason::ExactRepeat,
                    Some(MemoryId::from_bytes(bytes(self.id()))),
                ),
            }),
        }
    }

    fn entity(&mut self) -> EntityId {
        EntityId::from_bytes(bytes(self.roll(4) as u64))
    }

    fn contradiction(&mut self) -> ContradictionId {
        ContradictionId::from_bytes(bytes(self.roll(5) as u64))
    }

    fn alias(&mut self) -> Alias {
        Alias {
            name: clean(self.pick(&NAMES)),
            registered: self.roll(3) == 0,
        }
    }

    fn entity_record(&mut self) -> Entity {
        Entity {
            id: self.entity(),
            namespace: namespace(self.pick(&NAMESPACES)),
            agent: name(self.pick(&AGENTS)),
            private: self.roll(5) == 0,
            readers: if self.roll(4) == 0 {
                vec![name("alice")]
            } else {
                vec![]
            },
            names: (0..=self.roll(2)).map(|_| self.alias()).collect(),
            recorded_at: at(0),
        }
    }

    fn transition(&mut self) -> Transition {
        let op = self.pick(&[
            Op::Dispute,
            Op::Resolve,
            Op::Retire,
            Op::Restore,
            Op::Revert,
            Op::Quarantine,
            Op::Promote,
            Op::Supersede,
        ]);
        let state = match op {
            Op::Dispute => State::Disputed,
            Op::Retire => State::Dormant,
            Op::Quarantine => State::Quarantined,
            _ => self.pick(State::ALL),
        };
        let by = MemoryId::from_bytes(bytes(self.id()));
        Transition {
            memory: MemoryId::from_bytes(bytes(self.id())),
            op,
            to: Standing {
                state,
                valid_to: (self.roll(3) == 0).then(|| at(self.roll(90) as i64)),
                superseded_by: (state == State::Superseded).then_some(by),
            },
        }
    }

    fn event(&mut self) -> precedent_core::ToolEvent {
        let command = self.pick(&["npm test", "npm run build", "git push"]);
        let mut event = event(self.roll(60) as u64, command, self.pick(Outcome::ALL));
        event.namespace = namespace(self.pick(&NAMESPACES));
        event.agent = name(self.pick(&AGENTS));
        event.private = self.roll(4) == 0;
        event.receipt = (self.roll(4) == 0).then(|| ReceiptId::from_bytes(bytes(self.id())));
        event
    }

    fn expect(&mut self) -> Expect {
        let id = MemoryId::from_bytes(bytes(self.id()));
        match self.roll(6) {
            0 => Expect::Absent(id),
            1 => Expect::Version(id, 1),
            2 => Expect::NoDuplicate {
                place: self.place(),
                digest: mix(self.text().as_bytes()),
            },
            4 => Expect::Holding {
                place: self.place(),
                topic: Topic::new("port", self.pick(&["number", "name"])),
                memories: (0..self.roll(2))
                    .map(|_| MemoryId::from_bytes(bytes(self.id())))
                    .collect(),
            },
            3 => Expect::ReceiptOpen(ReceiptId::from_bytes(bytes(self.id())), name("planner")),
            _ => Expect::Head(mix(b"never")),
        }
    }

    fn place(&mut self) -> Place {
        Place {
            namespace: namespace("a"),
            owner: None,
            readers: if self.roll(3) == 0 {
                vec![name("alice")]
            } else {
                vec![]
            },
        }
    }

    fn commit(&mut self) -> Commit {
        let n = self.roll(40) as u64;
        let count = usize::from(self.roll(20) > 0) * (1 + self.roll(3));
        let mut commit = commit(n, (0..count).map(|_| self.change()).collect());
        commit.header.at = at(self.roll(100) as i64);
        if self.roll(5) == 0 {
            commit.expects.push(self.expect());
        }
        if self.roll(6) == 0 {
            commit.request = mix(b"another");
        }
        if self.roll(3) == 0 {
            commit.durability = Durability::Deferred;
        }
        commit
    }

    fn query(&mut self) -> RecallQuery {
        let kinds = match self.roll(3) {
            0 => vec![self.pick(Kind::ALL)],
            _ => Kind::ALL.to_vec(),
        };
        let mut filter = Filter::default();
        if self.roll(4) == 0 {
            filter.trust = Some(self.pick(Trust::ALL));
        }
        if self.roll(4) == 0 {
            filter.sources = vec![self.pick(Source::ALL), self.pick(Source::ALL)];
        }
        if self.roll(4) == 0 {
            filter.valid_at = Some(at(self.roll(100) as i64));
        }
        if self.roll(4) == 0 {
            filter.known_at = Some(at(self.roll(100) as i64));
        }
        if self.roll(4) == 0 {
            filter.states = State::ALL.to_vec();
        }
        if self.roll(6) == 0 {
            filter.tags = vec![clean(self.pick(&["tag \"quoted\"", "other"]))];
        }
        let space = if self.roll(6) == 0 {
            mix(b"other")
        } else {
            space().fingerprint
        };
        RecallQuery {
            scope: scope(self.pick(&NAMESPACES), self.pick(&AGENTS)),
            kinds,
            terms: analyze::query(&self.text()),
            vector: (self.roll(4) > 0).then(|| QueryVector {
                space,
                values: self.vector(),
            }),
            filter,
            depth: 1 + self.roll(9),
            limit: self.roll(6),
            fusion: Fusion::MEASURED,
            floor: Floor {
                cosine: 0.2,
                bm25: 0.1,
            },
        }
    }
}

fn mix_id(dice: &mut Dice<'_>) -> [u8; 16] {
    // Certificates are unique for their erasure: a number that each draw moves on.
    let mut id = bytes(dice.0.len() as u64);
    id[0] = 9;
    id
}

fn compare<S: Store + Recall>(store: &S, model: &MemStore, dice: &mut Dice<'_>) {
    let who = scope(dice.pick(&NAMESPACES), dice.pick(&AGENTS));
    let ids: Vec<MemoryId> = (0..14).map(|n| MemoryId::from_bytes(bytes(n))).collect();
    let read = |store: &dyn Store, dice: &mut Dice<'_>| {
        let mut told = vec![format!(
            "{:?}",
            block_on(store.memories(&who, &ids)).unwrap()
        )];
        let digest = (dice.roll(2) == 0).then(|| mix(b"deploy"));
        let source = MemoryId::from_bytes(bytes(dice.id()));
        let memories = MemoryQuery {
            digest,
            echo: (dice.roll(5) == 0).then(|| mix(b"d")),
            topic: (dice.roll(4) == 0).then(|| Topic::new("port", "number")),
            entity: (dice.roll(5) == 0).then(|| dice.entity()),
            derived_from: (dice.roll(5) == 0).then_some(source),
            states: if dice.roll(3) == 0 {
                vec![dice.pick(State::ALL), State::Active]
            } else {
                vec![]
            },
            ..MemoryQuery::all(who.clone(), dice.roll(6))
        };
        let memories = MemoryQuery {
            kinds: if dice.roll(2) == 0 {
                vec![]
            } else {
                vec![dice.pick(Kind::ALL)]
            },
            after: (dice.roll(2) == 0).then(|| MemoryId::from_bytes(bytes(dice.id()))),
            ..memories
        };
        for id in &ids {
            told.push(format!(
                "{:?}",
                block_on(store.revisions(&who, *id)).unwrap()
            ));
        }
        let key = match dice.roll(3) {
            0 => EntityKey::Names(NAMES.map(precedent_core::normalise)[..2].to_vec()),
            1 => EntityKey::Ids(vec![dice.entity(), dice.entity()]),
            _ => EntityKey::Any,
        };
        let entities = EntityQuery {
            scope: who.clone(),
            key,
            after: (dice.roll(3) == 0).then(|| dice.entity()),
            limit: dice.roll(5),
        };
        told.push(format!(
            "{:?}",
            block_on(store.entities(&entities)).unwrap()
        ));
        let contradictions = ContradictionQuery {
            scope: who.clone(),
            memory: (dice.roll(2) == 0).then(|| MemoryId::from_bytes(bytes(dice.id()))),
            open: dice.roll(2) == 0,
            after: (dice.roll(3) == 0).then(|| dice.contradiction()),
            limit: dice.roll(5),
        };
        let contradictions = block_on(store.contradictions(&contradictions)).unwrap();
        told.push(format!("{contradictions:?}"));
        let within = namespace(dice.pick(&NAMESPACES));
        told.push(format!(
            "{:?}",
            block_on(store.namespaces(&within)).unwrap()
        ));
        told.push(format!(
            "{:?}",
            block_on(store.find_memories(&memories)).unwrap()
        ));
        let key = match dice.roll(5) {
            0 => EventKey::Exact(keys("npm test").exact),
            1 => EventKey::Shape(keys("npm run build").shape),
            2 => EventKey::Family(keys("npm run build").family),
            3 => EventKey::Lookup(clean("program:npm")),
            _ => EventKey::Any,
        };
        let events = EventQuery {
            scope: who.clone(),
            key,
            outcomes: if dice.roll(2) == 0 {
                vec![]
            } else {
                vec![dice.pick(Outcome::ALL)]
            },
            since: (dice.roll(3) == 0).then(|| at(dice.roll(100) as i64)),
            limit: dice.roll(8),
        };
        told.push(format!("{:?}", block_on(store.events(&events)).unwrap()));
        let rules = RuleQuery {
            scope: who.clone(),
            keys: (dice.roll(2) == 0).then(|| vec![clean("any"), clean("program:npm")]),
            limit: dice.roll(6),
        };
        told.push(format!("{:?}", block_on(store.rules(&rules)).unwrap()));
        for query in [
            ReceiptQuery::Id(who.clone(), ReceiptId::from_bytes(bytes(dice.id()))),
            ReceiptQuery::ToolUse(who.clone(), clean("use-1")),
        ] {
            told.push(format!("{:?}", block_on(store.receipts(&query)).unwrap()));
        }
        for query in [
            CertificateQuery::All,
            CertificateQuery::Memory(MemoryId::from_bytes(bytes(dice.id()))),
        ] {
            told.push(format!(
                "{:?}",
                block_on(store.certificates(&query)).unwrap()
            ));
        }
        told.push(format!(
            "{:?}",
            block_on(store.audit_log(dice.roll(9) as u64, 4)).unwrap()
        ));
        let status = block_on(store.status()).unwrap();
        told.push(format!(
            "{:?} {} {} {} {} {} {:?} {:?}",
            status.kinds,
            status.entities,
            status.contradictions,
            status.events,
            status.rules,
            status.tombstones,
            status.head,
            status.faults
        ));
        told
    };
    let left = dice.0.clone();
    let ours = read(store, dice);
    let theirs = read(model, &mut Dice(left));
    assert_eq!(ours, theirs);
    for _ in 0..3 {
        let query = dice.query();
        let ours = block_on(store.candidates(&query));
        let theirs = block_on(model.candidates(&query));
        assert_eq!(ours, theirs, "{query:?}");
    }
}

fn open(folder: &Folder, staged: usize) -> crate::SqliteStore {
    let mut config = folder.config();
    config.staged = staged;
    crate::SqliteStore::open(config).unwrap()
}

fn run(history: &[u8]) {
    let folder = Folder::new();
    let mut dice = Dice(history.iter());
    // From folding at every write to folding never.
    let store = open(&folder, 1 + dice.roll(24));
    let model = MemStore::new(Some(space()));
    for _ in 0..25 {
        let commit = dice.commit();
        let ours = block_on(store.commit(commit.clone(), sink()));
        let theirs = block_on(model.commit(commit, sink()));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs),
            (Err(ours), Err(theirs)) => assert_eq!(ours.to_string(), theirs.to_string()),
            (ours, theirs) => panic!("{ours:?} against {theirs:?}"),
        }
    }
    compare(&store, &model, &mut dice);
    compare(&store, &model, &mut dice);
    drop(store);
    let reopened = open(&folder, 1 + dice.roll(24));
    compare(&reopened, &model, &mut dice);
    let before = block_on(reopened.status()).unwrap();
    let reindex = precedent_core::Maintain {
        task: precedent_core::MaintainTask::Reindex,
        header: header(90),
        certificate: CertificateId::from_bytes(bytes(1)),
    };
    block_on(reopened.maintain(reindex.clone(), sink())).unwrap();
    block_on(model.maintain(reindex, sink())).unwrap();
    assert_eq!(block_on(reopened.status()).unwrap().kinds, before.kinds);
    compare(&reopened, &model, &mut dice);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn histories_agree_with_the_reference_store(
        history in proptest::collection::vec(any::<u8>(), 3000..4000)
    ) {
        run(&history);
    }
}

#[test]
fn the_model_is_shared_between_threads() {
    fn check<T: Send + Sync + Clone>() {}
    check::<crate::SqliteStore>();
    let _: Arc<dyn precedent_core::Backend> = Arc::new(Folder::new().open());
}
