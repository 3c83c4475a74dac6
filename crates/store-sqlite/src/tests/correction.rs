//! Corrections that random histories seldom reach, each beside the reference store.

use futures_executor::block_on;
use precedent_core::audit::Op;
use precedent_core::{
    Basis, Change, Claim, Contradiction, ContradictionId, Expect, MemStore, Memory, MemoryId,
    Place, Revision, Standing, State, Store, StoreErrorKind, Topic, Transition,
};

use super::fixture::*;
use crate::SqliteStore;

fn id(n: u64) -> MemoryId {
    MemoryId::from_bytes(bytes(n))
}

fn moved(n: u64, state: State, superseded_by: Option<u64>) -> Change {
    Change::Transition(Transition {
        memory: id(n),
        op: match state {
            State::Superseded => Op::Resolve,
            State::Active => Op::Revert,
            _ => Op::Retire,
        },
        to: Standing {
            state,
            valid_to: None,
            superseded_by: superseded_by.map(id),
        },
    })
}

fn listed(n: u64, text: &str) -> Memory {
    Memory {
        readers: vec![name("alice")],
        ..memory(n, text)
    }
}

/// Runs commits on both stores, which have to answer alike.
struct Both {
    store: SqliteStore,
    model: MemStore,
    commits: u64,
}

impl Both {
    fn new(folder: &Folder) -> Self {
        Self {
            store: folder.open(),
            model: MemStore::new(Some(space())),
            commits: 0,
        }
    }

    /// Tells whether the commit was applied.
    fn apply(&mut self, expects: Vec<Expect>, changes: Vec<Change>) -> bool {
        self.commits += 1;
        let mut commit = commit(self.commits, changes);
        commit.expects = expects;
        let ours = block_on(self.store.commit(commit.clone(), sink()));
        let theirs = block_on(self.model.commit(commit, sink()));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs),
            (ours, theirs) => {
                let kinds = [ours, theirs].map(|it| it.map_err(|error| error.kind).err());
                assert_eq!(kinds, [Some(StoreErrorKind::Conflict); 2]);
                return false;
            }
        }
        true
    }

    fn revisions(&self, n: u64) -> Vec<Revision> {
        let scope = scope("a", "planner");
        let ours = block_on(self.store.revisions(&scope, id(n))).unwrap();
        assert_eq!(ours, block_on(self.model.revisions(&scope, id(n))).unwrap());
        ours
    }

    fn open_contradictions(&self) -> u64 {
        let ours = block_on(self.store.status()).unwrap().contradictions;
        assert_eq!(ours, block_on(self.model.status()).unwrap().contradictions);
        ours
    }
}

#[test]
fn the_past_forgets_an_erased_replacement_and_contradictions_go_with_either_side() {
    let folder = Folder::new();
    let mut both = Both::new(&folder);
    let put = |n| put(memory(n, &format!("note {n}")));
    let between = |n, older, younger| {
        Change::Contradict(Contradiction {
            id: ContradictionId::from_bytes(bytes(n)),
            between: [id(older), id(younger)],
            basis: Basis::Told,
            opened_at: at(0),
            resolution: None,
        })
    };
    assert!(both.apply(vec![], vec![put(1), put(2), put(3), put(4)]));
    assert!(both.apply(vec![], vec![moved(1, State::Superseded, Some(2))]));
    assert!(both.apply(vec![], vec![moved(1, State::Active, None)]));
    let pairs = vec![between(1, 1, 2), between(2, 2, 3), between(3, 3, 4)];
    assert!(both.apply(vec![], pairs));
    assert_eq!(both.revisions(1)[1].standing.superseded_by, Some(id(2)));
    assert_eq!(both.open_contradictions(), 3);
    assert!(both.apply(vec![], vec![erase(1, &[2])]));
    assert_eq!(both.revisions(1)[1].standing.superseded_by, None);
    assert_eq!(both.open_contradictions(), 1);
}

#[test]
fn a_life_ends_with_its_memory() {
    let folder = Folder::new();
    let mut both = Both::new(&folder);
    for n in [1, 2] {
        // The second takes the place in the file that the first left.
        assert!(both.apply(vec![], vec![put(memory(n, "note"))]));
        assert!(both.apply(vec![], vec![moved(n, State::Dormant, None)]));
        assert_eq!(both.revisions(n).len(), 2);
        if n == 1 {
            assert!(both.apply(vec![], vec![erase(n, &[n])]));
            assert_eq!(both.revisions(n), []);
        }
    }
}

#[test]
fn repeats_and_topics_are_those_of_one_audience_and_in_force() {
    let folder = Folder::new();
    let mut both = Both::new(&folder);
    let place = |listed: bool| Place {
        namespace: namespace("a"),
        owner: None,
        readers: listed.then(|| name("alice")).into_iter().collect(),
    };
    let claim = Claim {
        subject: clean("user"),
        key: clean("name"),
        value: None,
    };
    let stating = |mut memory: Memory, state| {
        (memory.claim, memory.state) = (Some(claim.clone()), state);
        put(memory)
    };
    let changes = vec![
        stating(listed(1, "a note"), State::Active),
        stating(memory(2, "retired"), State::Dormant),
    ];
    assert!(both.apply(vec![], changes));
    let repeat = |place, text: &str| Expect::NoDuplicate {
        place,
        digest: mix(text.as_bytes()),
    };
    let holding = |place, memories: &[u64]| Expect::Holding {
        place,
        topic: Topic::new("User", "name"),
        memories: memories.iter().copied().map(id).collect(),
    };
    let cases = [
        (repeat(place(false), "a note"), true),
        (repeat(place(true), "a note"), false),
        (repeat(place(false), "retired"), true),
        (holding(place(false), &[]), true),
        (holding(place(false), &[2]), false),
        (holding(place(true), &[1]), true),
        (holding(place(true), &[]), false),
    ];
    for (n, (expect, holds)) in (10..).zip(cases) {
        assert_eq!(
            both.apply(vec![expect], vec![put(memory(n, "next"))]),
            holds
        );
    }
}
