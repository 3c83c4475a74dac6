//! A commit in the making: what the store holds, and what this commit has changed of it already.

use std::collections::{BTreeMap, BTreeSet};

use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{
    Audience, Change, Claim, Commit, Digest, Durability, Expect, Header, Memory, MemoryId, Name,
    Namespace, Place, PutMemory, Standing, State, Timestamp, Topic, Transition,
};

/// A place, as a key.
type PlaceKey = (Namespace, Option<Name>, Vec<Name>);

/// A commit in the making.
pub(crate) struct Draft {
    pub(crate) commit: Commit,
    /// The memories that it writes, in order.
    written: Vec<Memory>,
    /// Where in `written` a memory is.
    places: BTreeMap<MemoryId, usize>,
    /// Where in `written` the claims of a topic are.
    claims: BTreeMap<(Topic, PlaceKey), Vec<usize>>,
    /// Under what content digest each place has a memory by then.
    repeats: BTreeMap<(Digest, PlaceKey), MemoryId>,
    /// Where it leaves memories that were there before.
    moved: BTreeMap<MemoryId, Standing>,
    /// The memories whose version it expects.
    pinned: BTreeSet<MemoryId>,
    /// The topics whose holders it expects.
    held: BTreeSet<(Topic, PlaceKey)>,
    /// How many candidates it stores.
    pub(crate) stored: usize,
    /// How many candidates it stores or finds there already.
    pub(crate) landed: usize,
}

impl Draft {
    pub(crate) const fn new(header: Header, request: Digest) -> Self {
        Self {
            commit: Commit {
                header,
                durability: Durability::Full,
                request,
                expects: Vec::new(),
                changes: Vec::new(),
            },
            written: Vec::new(),
            places: BTreeMap::new(),
            claims: BTreeMap::new(),
            repeats: BTreeMap::new(),
            moved: BTreeMap::new(),
            pinned: BTreeSet::new(),
            held: BTreeSet::new(),
            stored: 0,
            landed: 0,
        }
    }

    /// Returns a memory of before as this commit leaves it.
    pub(crate) fn seen(&self, mut memory: Memory) -> Memory {
        if let Some(standing) = self.moved.get(&memory.id) {
            memory.stand(*standing, self.commit.header.at);
        }
        memory
    }

    /// Returns a memory that this commit writes.
    pub(crate) fn written(&self, id: MemoryId) -> Option<&Memory> {
        self.places.get(&id).and_then(|at| self.written.get(*at))
    }

    /// Returns the claims that this commit writes under a topic of an audience.
    pub(crate) fn claims<'a>(
        &'a self,
        topic: &Topic,
        audience: Audience<'_>,
    ) -> impl Iterator<Item = &'a Memory> + use<'a> {
        let places = self.claims.get(&(topic.clone(), key_of(audience)));
        let places = places.into_iter().flatten();
        places.filter_map(|at| self.written.get(*at))
    }

    /// Expects that a memory of before is as it was read.
    pub(crate) fn pin(&mut self, memory: &Memory) {
        if !self.places.contains_key(&memory.id) && self.pinned.insert(memory.id) {
            self.commit
                .expects
                .push(Expect::Version(memory.id, memory.version));
        }
    }

    /// Expects that no memory in force of a place has this content.
    pub(crate) fn expect_new(&mut self, place: Place, digest: Digest) {
        let expect = Expect::NoDuplicate { place, digest };
        self.commit.expects.push(expect);
    }

    /// Expects that these memories and no others are in force under a topic.
    pub(crate) fn expect_holding(&mut self, place: Place, topic: Topic, memories: Vec<MemoryId>) {
        if self.held.insert((topic.clone(), key_of(place.audience()))) {
            self.commit.expects.push(Expect::Holding {
                place,
                topic,
                memories,
            });
        }
    }

    /// Returns the memory that this commit writes with this content and leaves in force.
    pub(crate) fn repeated(&self, digest: Digest, audience: Audience<'_>) -> Option<&Memory> {
        let id = self.repeats.get(&(digest, key_of(audience)))?;
        self.written(*id).filter(|it| it.state.is_in_force())
    }

    /// Writes a memory.
    pub(crate) fn put(&mut self, put: PutMemory) {
        let memory = &put.memory;
        let (at, key) = (self.written.len(), key_of(memory.audience()));
        self.places.insert(memory.id, at);
        if let Some(topic) = memory.claim.as_ref().map(Claim::topic) {
            let claims = self.claims.entry((topic, key.clone())).or_default();
            claims.push(at);
        }
        self.repeats.insert((put.digest, key), memory.id);
        self.written.push(memory.clone());
        self.commit.changes.push(Change::Put(Box::new(put)));
        self.stored += 1;
        self.landed += 1;
    }

    /// Replaces a memory in force by one that this commit has written. What would end before it
    /// began never held.
    pub(crate) fn supersede(&mut self, old: &Memory, new: &Memory, ends: Timestamp) {
        self.pin(old);
        let ends = old.valid_from.map_or(ends, |from| from.max(ends));
        let to = Standing {
            state: State::Superseded,
            valid_to: Some(old.valid_to.map_or(ends, |end| end.min(ends))),
            superseded_by: Some(new.id),
        };
        self.stands(old.id, to);
        self.commit.changes.push(Change::Supersede {
            old: old.id,
            new: new.id,
            ends,
        });
    }

    /// Ends a memory where another one begins, without hiding it before its time.
    pub(crate) fn close(&mut self, old: &Memory, by: &Memory, ends: Timestamp) {
        self.pin(old);
        let was = old.standing();
        let ends = old.valid_from.map_or(ends, |from| from.max(ends));
        let to = Standing {
            valid_to: Some(was.valid_to.map_or(ends, |end| end.min(ends))),
            superseded_by: (was.state == State::Superseded).then_some(by.id),
            ..was
        };
        if to != was {
            self.transition(old, Op::Supersede, to);
        }
    }

    /// Changes where a memory stands.
    pub(crate) fn transition(&mut self, memory: &Memory, op: Op, to: Standing) {
        self.pin(memory);
        self.stands(memory.id, to);
        self.commit.changes.push(Change::Transition(Transition {
            memory: memory.id,
            op,
            to,
        }));
    }

    fn stands(&mut self, memory: MemoryId, standing: Standing) {
        let at = self.commit.header.at;
        let ours = self.places.get(&memory).copied();
        match ours.and_then(|place| self.written.get_mut(place)) {
            Some(ours) => ours.stand(standing, at),
            None => {
                self.moved.insert(memory, standing);
            }
        }
    }

    /// Tells the log that a candidate is there already.
    pub(crate) fn deduplicate(&mut self, reason: Reason, namespace: &Namespace, of: MemoryId) {
        self.landed += 1;
        let of = [Some(of), Some(of)];
        self.note(Op::Deduplicate, reason, namespace, of);
    }

    /// Tells the log what came of a candidate that is not stored, or not as it was meant.
    pub(crate) fn note(
        &mut self,
        op: Op,
        reason: Reason,
        namespace: &Namespace,
        of: [Option<MemoryId>; 2],
    ) {
        let result = match reason {
            Reason::LlmUnavailable | Reason::EmbedderFailed => FactResult::Error,
            _ if op == Op::Reject => FactResult::Denied,
            _ => FactResult::Ok,
        };
        self.commit.changes.push(Change::Note(Fact {
            op,
            result,
            namespace: namespace.clone(),
            memory: of[0],
            detail: Detail::Reason(reason, of[1]),
        }));
    }
}

fn key_of(audience: Audience<'_>) -> PlaceKey {
    let Audience {
        namespace,
        owner,
        readers,
    } = audience;
    (namespace.clone(), owner.cloned(), readers.to_vec())
}
