//! Random commits and queries, drawn from bytes.

use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{
    ActionPattern, Alias, Basis, CertificateId, Change, Claim, Classification, Commit,
    Contradiction, ContradictionId, Control, Durability, Entity, EntityId, Erasure, Expect, Filter,
    Floor, Kind, MemoryId, MemoryQuery, Mention, Name, Outcome, Place, PutMemory, QueryVector,
    RecallQuery, ReceiptId, Resolution, Rule, RuleId, Scope, Severity, Source, Standing, State,
    Topic, Transition, Trust, Verdict, analyze, fusion::Fusion,
};

use super::fixture::*;

pub(super) const NAMESPACES: [&str; 4] = ["a", "a/b", "a/bc", "c"];
const AGENTS: [&str; 2] = ["planner", "coder"];
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
pub(super) struct Dice<'a>(pub(super) std::slice::Iter<'a, u8>);

impl Dice<'_> {
    pub(super) fn is_used_up(&self) -> bool {
        self.0.len() == 0
    }

    pub(super) fn roll(&mut self, sides: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % sides
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }

    pub(super) fn id(&mut self) -> u64 {
        self.roll(14) as u64
    }

    pub(super) fn text(&mut self) -> String {
        let long = if self.roll(12) == 0 { 100 } else { 0 };
        let count = 1 + self.roll(8) + long;
        let words: Vec<&str> = (0..count).map(|_| self.pick(&WORDS)).collect();
        words.join(" ")
    }

    pub(super) fn vector(&mut self) -> Vec<f32> {
        let mut vector: Vec<f32> = (0..DIMENSION)
            .map(|_| f32::from(u8::try_from(self.roll(200)).unwrap()) - 99.5)
            .collect();
        let length = precedent_core::vector::dot(&vector, &vector).sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
        vector
    }

    /// One of four access lists; two of them share a name.
    pub(super) fn readers(&mut self) -> Vec<Name> {
        let lists: [&[&str]; 6] = [&[], &[], &[], &["alice"], &["alice", "sales"], &["sales"]];
        self.pick(&lists).iter().map(|text| name(text)).collect()
    }

    pub(super) fn scope(&mut self) -> Scope {
        let mut scope = scope(self.pick(&NAMESPACES), self.pick(&AGENTS));
        let names: [&[&str]; 4] = [&[], &["alice"], &["bob", "sales"], &["alice", "sales"]];
        scope.names = self.pick(&names).iter().map(|text| name(text)).collect();
        scope
    }

    pub(super) fn memory_id(&mut self) -> MemoryId {
        MemoryId::from_bytes(bytes(self.id()))
    }

    pub(super) fn entity_id(&mut self) -> EntityId {
        EntityId::from_bytes(bytes(self.roll(6) as u64))
    }

    pub(super) fn contradiction_id(&mut self) -> ContradictionId {
        ContradictionId::from_bytes(bytes(self.roll(8) as u64))
    }

    pub(super) fn claim(&mut self) -> Option<Claim> {
        let subject = clean(self.pick(&["user", "User ", "build"]));
        let key = clean(self.pick(&["name", "port"]));
        let value = (self.roll(3) > 0).then(|| clean(self.pick(&["Ann", "8080"])));
        (self.roll(2) == 0).then_some(Claim {
            subject,
            key,
            value,
        })
    }

    pub(super) fn topic(&mut self) -> Topic {
        Topic::new(self.pick(&["user", "build"]), self.pick(&["name", "port"]))
    }

    pub(super) fn alias(&mut self) -> Alias {
        Alias {
            name: clean(self.pick(&["Ann", "ANN", "Bo", "the office", "HQ"])),
            registered: self.roll(3) == 0,
        }
    }

    /// Where entities and what mentions them are for; few places, so that they meet.
    pub(super) fn place(&mut self) -> Place {
        let owners = [None, None, Some(name("planner"))];
        Place {
            namespace: namespace(self.pick(&["a", "a", "a/b"])),
            owner: owners[self.roll(owners.len())].clone(),
            readers: self.readers(),
        }
    }

    pub(super) fn entity(&mut self) -> Entity {
        let place = self.place();
        Entity {
            id: self.entity_id(),
            namespace: place.namespace,
            private: place.owner.is_some(),
            agent: name("planner"),
            readers: place.readers,
            names: (0..self.roll(4)).map(|_| self.alias()).collect(),
            recorded_at: at(0),
        }
    }

    pub(super) fn standing(&mut self) -> Standing {
        Standing {
            state: self.pick(State::ALL),
            valid_to: (self.roll(3) == 0).then(|| at(self.roll(90) as i64)),
            superseded_by: (self.roll(4) == 0).then(|| self.memory_id()),
        }
    }

    pub(super) fn contradiction(&mut self) -> Contradiction {
        Contradiction {
            id: self.contradiction_id(),
            between: [self.memory_id(), self.memory_id()],
            basis: self.pick(Basis::ALL),
            opened_at: at(0),
            resolution: None,
        }
    }

    /// An entity, and mostly a memory of the same audience that mentions it.
    pub(super) fn mentioned(&mut self) -> Vec<Change> {
        let entity = self.entity();
        let mut put = self.memory();
        let memory = &mut put.memory;
        memory.namespace = entity.namespace.clone();
        memory.agent = entity.agent.clone();
        memory.private = entity.private;
        memory.readers.clone_from(&entity.readers);
        let mention = |alias: &Alias| Mention {
            entity: entity.id,
            name: alias.name.clone(),
        };
        memory.mentions = entity.names.iter().map(mention).collect();
        if self.roll(3) == 0 {
            // Perhaps of an entity that an earlier commit recorded.
            return vec![Change::Put(Box::new(put))];
        }
        vec![Change::Entity(Box::new(entity)), Change::Put(Box::new(put))]
    }

    pub(super) fn memory(&mut self) -> PutMemory {
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
        memory.supersedes = (self.roll(5) == 0).then(|| self.memory_id());
        memory.readers = self.readers();
        memory.classification = self.pick(Classification::ALL);
        memory.claim = self.claim();
        memory.derived_from = match self.roll(3) {
            0 => (0..=self.roll(3)).map(|_| self.memory_id()).collect(),
            _ => vec![],
        };
        memory.derived_from.sort_unstable();
        if self.roll(6) == 0 {
            memory.mentions = vec![Mention {
                entity: self.entity_id(),
                name: self.alias().name,
            }];
        }
        let vector = match self.roll(5) {
            0 => None,
            1 => Some(vec![0.0; DIMENSION]),
            _ => Some(self.vector()),
        };
        PutMemory {
            digest: mix(memory.text.as_bytes()),
            echo: mix(format!("echo {}", memory.text).as_bytes()),
            vector,
            memory,
        }
    }

    pub(super) fn rule(&mut self) -> Rule {
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

    pub(super) fn change(&mut self) -> Change {
        match self.roll(24) {
            0..=4 => Change::Put(Box::new(self.memory())),
            5 => Change::Supersede {
                old: self.memory_id(),
                new: self.memory_id(),
                ends: at(self.roll(90) as i64),
            },
            11..=14 => Change::Transition(Transition {
                memory: self.memory_id(),
                op: self.pick(&[Op::Retire, Op::Restore, Op::Revert, Op::Quarantine]),
                to: self.standing(),
            }),
            15 => Change::Entity(Box::new(self.entity())),
            16 | 17 => Change::Alias {
                entity: self.entity_id(),
                alias: self.alias(),
            },
            18 | 19 => Change::Contradict(self.contradiction()),
            20 => Change::Resolve {
                contradiction: self.contradiction_id(),
                resolution: Resolution {
                    kept: (self.roll(4) == 0).then(|| self.memory_id()),
                    verdict: self.pick(Verdict::ALL),
                    at: at(0),
                },
            },
            6 | 7 => Change::Event(Box::new(self.event())),
            8 => Change::Rule(Box::new(self.rule())),
            9 => Change::Receipt(Box::new(receipt(self.id()))),
            10 | 21 | 22 => Change::Erase(Erasure {
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

    pub(super) fn event(&mut self) -> precedent_core::ToolEvent {
        let command = self.pick(&["npm test", "npm run build", "git push"]);
        let mut event = event(self.roll(60) as u64, command, self.pick(Outcome::ALL));
        event.namespace = namespace(self.pick(&NAMESPACES));
        event.agent = name(self.pick(&AGENTS));
        event.private = self.roll(4) == 0;
        event.receipt = (self.roll(4) == 0).then(|| ReceiptId::from_bytes(bytes(self.id())));
        event
    }

    pub(super) fn expect(&mut self) -> Expect {
        let id = MemoryId::from_bytes(bytes(self.id()));
        match self.roll(7) {
            5 | 6 => Expect::Holding {
                place: self.place(),
                topic: self.topic(),
                // Mostly there are none.
                memories: vec![id][..self.roll(5) / 4].to_vec(),
            },
            0 => Expect::Absent(id),
            1 => Expect::Version(id, 1),
            2 => Expect::NoDuplicate {
                place: self.place(),
                digest: mix(self.text().as_bytes()),
            },
            3 => Expect::ReceiptOpen(ReceiptId::from_bytes(bytes(self.id())), name("planner")),
            _ => Expect::Head(mix(b"never")),
        }
    }

    pub(super) fn commit(&mut self) -> Commit {
        let n = self.roll(150) as u64;
        let count = usize::from(self.roll(20) > 0) * (1 + self.roll(3));
        let mut commit = match self.roll(7) {
            0 => commit(n, self.mentioned()),
            _ => commit(n, (0..count).map(|_| self.change()).collect()),
        };
        commit.header.at = at(self.roll(100) as i64);
        if self.roll(4) == 0 {
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

    pub(super) fn memory_query(&mut self, who: &Scope) -> MemoryQuery {
        let mut query = MemoryQuery::all(who.clone(), self.roll(9));
        match self.roll(6) {
            0 => query.digest = Some(mix(self.text().as_bytes())),
            1 => query.echo = Some(mix(format!("echo {}", self.text()).as_bytes())),
            _ => {}
        }
        query.topic = (self.roll(4) == 0).then(|| self.topic());
        query.entity = (self.roll(4) == 0).then(|| self.entity_id());
        query.derived_from = (self.roll(5) == 0).then(|| self.memory_id());
        if self.roll(3) == 0 {
            query.states = vec![self.pick(State::ALL), State::Active];
        }
        if self.roll(2) == 0 {
            query.kinds = vec![self.pick(Kind::ALL)];
        }
        query.after = (self.roll(2) == 0).then(|| self.memory_id());
        query
    }

    pub(super) fn query(&mut self) -> RecallQuery {
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
        if self.roll(3) == 0 {
            let valid_at = (self.roll(2) == 0).then(|| at(self.roll(100) as i64));
            filter = filter.as_of(valid_at, Some(at(self.roll(100) as i64)));
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
            scope: self.scope(),
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
