//! Every malformed change is refused as what it is, and leaves all that can be seen as it was.

use precedent_core::audit::Op;
use precedent_core::{Change, Entity, Expect, Memory, Scope, Standing, State, StoreErrorKind};

use crate::case::stories;
use crate::data::{
    AGENT, HOME, add_alias, at, axis, claim, contradict, decide, entity, erase, event, home,
    listed, memory, memory_id, mention, name, name_entity, observe, place, put, put_with, readers,
    receipt, receipt_id, resolve, restore, retire, rule, rule_change, scope, supersede, topic,
    transition,
};
use crate::store::{TestStore, request};
use crate::view::{StoreView, Viewer};
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("refuse":
    malformed_memories,
    malformed_replacements,
    malformed_transitions,
    malformed_entities,
    malformed_contradictions,
    malformed_records,
    malformed_erasures,
    preconditions_about_what_is_held,
);

use StoreErrorKind::{Conflict, NotFound};

/// Readers who together see every record of the furnished store.
fn readers_of_all() -> Vec<Scope> {
    vec![
        home(),
        scope("team", AGENT),
        scope("team/app/sub", "a2"),
        listed(&["u2"]),
    ]
}

async fn look(store: &TestStore) -> StoreView {
    let viewer = Viewer {
        scopes: readers_of_all(),
        texts: vec!["red", "probe"],
        receipts: 9,
    };
    viewer.look(store.backend.as_ref()).await
}

/// One of everything: memory 1 was replaced by 2, 3 is erased, 4 is for `u2` alone, 5 is private;
/// entity 1 is mentioned, 2 is not; contradiction 1 is open, 2 is resolved; receipt 1 is closed.
async fn furnished(harness: &dyn Harness) -> TestStore {
    let store = TestStore::open(harness).await;
    let stating = |memory| Memory {
        claim: Some(claim("user", "name", "Ann")),
        mentions: vec![mention(1, "Ann")],
        ..memory
    };
    let (mut listed, mut private) = (memory(4, "red owl"), memory(5, "red hen"));
    listed.readers = readers(&["u2"]);
    private.private = true;
    let mut closing = event(1, at(1000));
    closing.receipt = Some(receipt_id(1));
    let first = vec![
        name_entity(entity(1, &["Ann", "Annie"])),
        name_entity(entity(2, &["Bea"])),
        put_with(stating(memory(1, "red fox")), Some(axis(0))),
        put(memory(3, "gone")),
        put(listed),
        put(private),
        decide(receipt(1)),
        decide(receipt(2)),
        observe(closing),
    ];
    store.commit(first).await;
    let second = vec![
        put_with(stating(memory(2, "red cat")), Some(axis(1))),
        supersede(memory_id(1), memory_id(2)),
        rule_change(rule(1, memory_id(2))),
        contradict(1, 1, 2),
        contradict(2, 2, 4),
        resolve(2, Some(2)),
        erase(1, HOME, &[memory_id(3)]),
    ];
    store.commit(second).await;
    store
}

/// Changes that would all leave a trace if any part of a refused commit did.
fn innocent() -> Vec<Change> {
    vec![
        put_with(memory(90, "probe red"), Some(axis(0))),
        name_entity(entity(90, &["Probe"])),
        add_alias(1, "Probe too", true),
        contradict(90, 2, 90),
        resolve(1, None),
        retire(memory_id(2)),
        rule_change(rule(90, memory_id(90))),
        decide(receipt(9)),
        erase(90, "team", &[memory_id(5)]),
    ]
}

/// Sends each malformed change alone and after innocent ones, and last the innocent ones alone,
/// which succeed as if nothing had been before.
async fn assert_refused(harness: &dyn Harness, malformed: Vec<(Change, StoreErrorKind)>) {
    let store = furnished(harness).await;
    let before = look(&store).await;
    for (change, kind) in malformed {
        let context = format!("{change:?}");
        let mut changes = innocent();
        changes.retain(|innocent| !clashes(innocent, &change));
        changes.push(change.clone());
        for changes in [vec![change], changes] {
            let refused = store.try_commit(Vec::new(), changes).await;
            let refused = refused.err().map(|error| error.kind);
            assert_eq!(refused, Some(kind), "{context} (left: actual)");
            assert!(look(&store).await == before, "{context} left a trace");
        }
    }
    let header = store.header();
    let done = store.send(request(header, Vec::new(), innocent())).await;
    assert_eq!(done.expect("it is lawful").facts.len(), innocent().len());
}

/// Tells whether an innocent change would refuse or erase what a malformed one is about.
fn clashes(innocent: &Change, malformed: &Change) -> bool {
    match (innocent, malformed) {
        (Change::Resolve { .. }, Change::Resolve { .. })
        | (Change::Transition(_) | Change::Erase(_), _) => true,
        (innocent, malformed) => innocent == malformed,
    }
}

fn with_mentions(n: u64, mentions: &[(u64, &str)]) -> Memory {
    Memory {
        mentions: mentions.iter().map(|(n, text)| mention(*n, text)).collect(),
        ..memory(n, "probe")
    }
}

/// A taken id, an erased one, and mentions of what is not there, not so called, or not for these.
async fn malformed_memories(harness: &dyn Harness) {
    let mut private = with_mentions(91, &[(1, "Ann")]);
    private.private = true;
    let mut listed = with_mentions(91, &[(1, "Ann")]);
    listed.readers = readers(&["u1"]);
    let malformed = [
        memory(1, "probe"),
        memory(3, "gone"),
        with_mentions(91, &[(9, "Ann")]),
        with_mentions(91, &[(1, "Bea")]),
        with_mentions(91, &[(1, "Ann"), (2, "Ann")]),
        private,
        listed,
    ];
    let malformed = malformed.map(|memory| (put(memory), Conflict));
    assert_refused(harness, malformed.to_vec()).await;
}

/// A replacement of what is replaced, erased, unknown or itself, or by what is not there.
async fn malformed_replacements(harness: &dyn Harness) {
    let pairs = [(1, 2), (3, 2), (9, 2), (2, 2), (2, 3), (2, 9), (1, 9)];
    let malformed = pairs.map(|(old, new)| (supersede(memory_id(old), memory_id(new)), Conflict));
    assert_refused(harness, malformed.to_vec()).await;
}

/// A change of standing of what is not there, and one that names a replacement that is not there
/// or the memory itself.
async fn malformed_transitions(harness: &dyn Harness) {
    let replaced_by = |n, by| {
        let to = Standing {
            state: State::Superseded,
            valid_to: None,
            superseded_by: Some(memory_id(by)),
        };
        transition(memory_id(n), Op::Revert, to)
    };
    let malformed = [
        restore(memory_id(3)),
        retire(memory_id(9)),
        replaced_by(2, 9),
        replaced_by(2, 3),
        replaced_by(2, 2),
        replaced_by(9, 2),
    ];
    assert_refused(harness, malformed.map(|change| (change, Conflict)).to_vec()).await;
}

/// Entities without a name of their own, and aliases that are another's or nobody's.
async fn malformed_entities(harness: &dyn Harness) {
    let by_another = Entity {
        agent: name("a2"),
        ..entity(91, &["Ann"])
    };
    let malformed = [
        name_entity(entity(91, &[])),
        name_entity(entity(91, &["x", "X"])),
        name_entity(entity(91, &["x", "bea"])),
        name_entity(entity(1, &["x"])),
        name_entity(by_another),
        add_alias(9, "x", true),
        add_alias(1, "BEA", false),
        add_alias(2, "annie", true),
    ];
    assert_refused(harness, malformed.map(|change| (change, Conflict)).to_vec()).await;
}

/// Contradictions with one side, with a side that is not there, under a taken id; resolutions of
/// what is resolved or unknown, or in favour of a third.
async fn malformed_contradictions(harness: &dyn Harness) {
    let malformed = [
        contradict(91, 2, 2),
        contradict(91, 2, 9),
        contradict(91, 3, 2),
        contradict(1, 4, 5),
        resolve(2, None),
        resolve(2, Some(2)),
        resolve(9, None),
        resolve(1, Some(4)),
        resolve(1, Some(9)),
    ];
    assert_refused(harness, malformed.map(|change| (change, Conflict)).to_vec()).await;
}

/// Events, rules and receipts under taken ids, of memories that are not there, or that close what
/// is closed, another agent's or nobody's.
async fn malformed_records(harness: &dyn Harness) {
    let closing = |n, receipt, agent: &str| {
        let mut event = event(n, at(9000));
        (event.receipt, event.agent) = (Some(receipt_id(receipt)), name(agent));
        observe(event)
    };
    let malformed = [
        observe(event(1, at(9000))),
        closing(91, 1, AGENT),
        closing(91, 2, "a2"),
        closing(91, 8, AGENT),
        rule_change(rule(1, memory_id(2))),
        rule_change(rule(91, memory_id(3))),
        rule_change(rule(91, memory_id(99))),
        decide(receipt(1)),
    ];
    assert_refused(harness, malformed.map(|change| (change, Conflict)).to_vec()).await;
}

/// Erasures that reach nothing: unknown, erased before, above, beside, none at all.
async fn malformed_erasures(harness: &dyn Harness) {
    let malformed = [
        erase(91, HOME, &[memory_id(99)]),
        erase(91, HOME, &[memory_id(3)]),
        erase(91, "team/app/sub", &[memory_id(2)]),
        erase(91, "team/app2", &[memory_id(2), memory_id(4)]),
        erase(91, HOME, &[]),
    ];
    assert_refused(harness, malformed.map(|change| (change, NotFound)).to_vec()).await;
}

/// A precondition about what is held refuses the whole commit when it does not hold.
async fn preconditions_about_what_is_held(harness: &dyn Harness) {
    let store = furnished(harness).await;
    let before = look(&store).await;
    for memories in [vec![], vec![memory_id(1)], vec![memory_id(1), memory_id(2)]] {
        let expect = Expect::Holding {
            place: place(HOME, None),
            topic: topic("user", "name"),
            memories,
        };
        let refused = store.try_commit(vec![expect], innocent()).await;
        crate::store::assert_refused(refused, Conflict);
        assert!(look(&store).await == before);
    }
    let expect = Expect::Holding {
        place: place(HOME, None),
        topic: topic("user", "name"),
        memories: vec![memory_id(2)],
    };
    let done = store.try_commit(vec![expect], innocent()).await;
    assert!(done.is_ok());
}
