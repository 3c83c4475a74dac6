//! A commit in the making: what the store holds, and what this commit has changed of it already.

use std::collections::{BTreeMap, BTreeSet};

use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{
    Change, Commit, Digest, Durability, Expect, Header, Memory, MemoryId, Namespace, Place,
    PutMemory, Standing, State, Timestamp, Transition,
};

/// A commit in the making.
pub(crate) struct Draft {
    pub(crate) commit: Commit,
    /// The memories that it writes, in order.
    pub(crate) written: Vec<Memory>,
    /// Where it leaves memories that were there before.
    moved: BTreeMap<MemoryId, Standing>,
    /// The memories whose version it expects.
    pinned: BTreeSet<MemoryId>,
    /// Under what content digest each place has a memory by then.
    repeats: BTreeMap<(Digest, String), MemoryId>,
    /// How many candidates it stores.
    pub(crate) stored: usize,
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
            moved: BTreeMap::new(),
            pinned: BTreeSet::new(),
            repeats: BTreeMap::new(),
            stored: 0,
        }
    }

    /// Returns the memory as this commit leaves it.
    pub(crate) fn seen(&self, mut memory: Memory) -> Memory {
        if let Some(standing) = self.moved.get(&memory.id) {
            memory.stand(*standing, self.commit.header.at);
        }
        memory
    }

    /// Returns a memory that this commit writes, as the commit leaves it.
    pub(crate) fn seen_own(&self, memory: &Memory) -> Memory {
        let ours = self.written.iter().find(|it| it.id == memory.id);
        ours.unwrap_or(memory).clone()
    }

    /// Expects that a memory of before is as it was read.
    pub(crate) fn pin(&mut self, memory: &Memory) {
        let ours = self.written.iter().any(|it| it.id == memory.id);
        if !ours && self.pinned.insert(memory.id) {
            self.commit
                .expects
                .push(Expect::Version(memory.id, memory.version));
        }
    }

    /// Expects something of the store.
    pub(crate) fn expect(&mut self, expect: Expect) {
        if !self.commit.expects.contains(&expect) {
            self.commit.expects.push(expect);
        }
    }

    /// Returns the memory that this commit writes with this content and leaves in force.
    pub(crate) fn repeated(&self, digest: Digest, place: &Place) -> Option<MemoryId> {
        let id = self.repeats.get(&(digest, spelled(place)))?;
        let holds = |memory: &&Memory| memory.id == *id && memory.state.is_in_force();
        self.written.iter().find(holds).map(|memory| memory.id)
    }

    /// Writes a memory.
    pub(crate) fn put(&mut self, put: PutMemory) {
        let place = Place::from(put.memory.audience());
        self.repeats
            .insert((put.digest, spelled(&place)), put.memory.id);
        self.written.push(put.memory.clone());
        self.commit.changes.push(Change::Put(Box::new(put)));
        self.stored += 1;
    }

    /// Replaces a memory by one that this commit has written.
    pub(crate) fn supersede(&mut self, old: &Memory, new: &Memory, ends: Timestamp) {
        self.pin(old);
        self.stands(
            old.id,
            Standing {
                state: State::Superseded,
                valid_to: Some(old.valid_to.map_or(ends, |end| end.min(ends))),
                superseded_by: Some(new.id),
            },
        );
        self.commit.changes.push(Change::Supersede {
            old: old.id,
            new: new.id,
            ends,
        });
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
        match self.written.iter_mut().find(|it| it.id == memory) {
            Some(ours) => ours.stand(standing, at),
            None => {
                self.moved.insert(memory, standing);
            }
        }
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

/// Spells a place, as a key.
fn spelled(place: &Place) -> String {
    format!("{place:?}")
}
