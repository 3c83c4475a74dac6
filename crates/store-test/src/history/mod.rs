//! Generated histories: commits over few ids, so that they meet, conflict and replay.

mod build;

use precedent_core::audit::Op;
use precedent_core::{Commit, State};
use proptest::prelude::*;

pub(crate) use self::build::{NAMES, TEXTS, TOPICS, request};

/// Where generated records are; the second is where most of them are.
pub(crate) const PLACES: [&str; 4] = ["team", "team/app", "team/app/sub", "team/app2"];
/// By whom.
pub(crate) const AGENTS: [&str; 2] = ["a1", "a2"];
/// For whom; the first admits everybody.
pub(crate) const LISTS: [&[&str]; 3] = [&[], &["u2"], &["g1", "u1"]];
/// How many ids there are of each sort of record.
pub(crate) const IDS: u64 = 10;
/// How many memories a history begins with.
const FOUND: u64 = 5;

/// Where a record is, whose it is, and which of the texts and vectors it has.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    id: u64,
    place: usize,
    agent: usize,
    private: bool,
    list: usize,
    choice: usize,
}

/// What a memory says beside its text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bonds {
    topic: Option<usize>,
    mention: Option<(u64, usize)>,
    origin: Option<u64>,
}

/// A change of standing.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    memory: u64,
    change: (Op, State),
    end: Option<i64>,
    by: Option<u64>,
}

/// One change, in terms of few numbers.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Put(Draft, Bonds),
    Supersede(u64, Draft, Bonds, i64),
    Move(Move),
    /// An entity, under its own name and another one if there is one.
    Entity(Draft, Option<usize>),
    Alias(u64, usize, bool),
    /// An entity and a memory that mentions it.
    Meet(u64, Draft),
    Contradict(u64, u64, u64),
    Resolve(u64, Option<u64>),
    /// A contradiction that is resolved at once, in favour of its older side or of both.
    Settle(u64, u64, u64, bool),
    Event(Draft, Option<u64>),
    Rule(Draft, u64),
    Receipt(Draft),
    Erase(Vec<u64>, usize),
    Note(u64),
}

/// A precondition, in terms of few numbers.
#[derive(Clone, Debug)]
pub(crate) enum Demand {
    Absent(u64),
    Version(u64, u64),
    ReceiptOpen(u64),
    NoDuplicate(Draft),
    Holding(Draft, usize, Vec<u64>),
}

/// One request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A new one, so many milliseconds after the start, with a precondition now and then.
    New(Vec<Deed>, i64, Option<Demand>),
    /// The last one again.
    Again,
    /// Another one under the id of the last.
    Reuse(Vec<Deed>),
}

fn id() -> impl Strategy<Value = u64> {
    1..=IDS
}

/// The id of a memory that is mostly there.
fn known() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 1..=FOUND, 1 => id()]
}

/// Where an erasure reaches; mostly everything.
fn within() -> impl Strategy<Value = usize> {
    prop_oneof![2 => Just(0usize), 1 => 0..PLACES.len()]
}

/// The id of a record that is mostly not there yet.
fn fresh() -> impl Strategy<Value = u64> {
    prop_oneof![8 => FOUND..=IDS, 1 => id()]
}

/// An instant around those of the history, in milliseconds from the suite's start.
fn instant() -> impl Strategy<Value = i64> {
    (0..6i64).prop_map(|second| second * 1000)
}

/// Most drafts are for the same readers, so that they repeat, mention and replace each other.
fn draft() -> impl Strategy<Value = Draft> {
    let place = prop_oneof![3 => Just(1usize), 2 => 0..PLACES.len()];
    let list = prop_oneof![4 => Just(0usize), 1 => 0..LISTS.len()];
    (
        fresh(),
        place,
        0..AGENTS.len(),
        prop::bool::weighted(0.2),
        list,
        0..60usize,
    )
        .prop_map(|(id, place, agent, private, list, choice)| Draft {
            id,
            place,
            agent,
            private,
            list,
            choice,
        })
}

fn bonds() -> impl Strategy<Value = Bonds> {
    (
        prop::option::weighted(0.5, 0..TOPICS.len()),
        prop::option::weighted(0.2, mention()),
        prop::option::weighted(0.3, known()),
    )
        .prop_map(|(topic, mention, origin)| Bonds {
            topic,
            mention,
            origin,
        })
}

/// Mostly an entity under its own name, now and then under any.
fn mention() -> impl Strategy<Value = (u64, usize)> {
    prop_oneof![
        4 => (1..=3u64).prop_map(|n| (n, build::own_name(n))),
        1 => (1..=3u64, 0..NAMES.len()),
    ]
}

fn movement() -> impl Strategy<Value = Deed> {
    // What each operation makes of a memory where it is lawful, and now and then anything else.
    let usual = prop::sample::select(
        &[
            (Op::Retire, State::Dormant),
            (Op::Restore, State::Active),
            (Op::Quarantine, State::Quarantined),
            (Op::Promote, State::Active),
            (Op::Dispute, State::Disputed),
            (Op::Resolve, State::ContextDependent),
            (Op::Resolve, State::Superseded),
            (Op::Revert, State::RolledBack),
            (Op::Revert, State::Active),
            (Op::Supersede, State::Active),
        ][..],
    );
    let operation = usual.clone().prop_map(|(op, _)| op);
    let any = (operation, prop::sample::select(State::ALL));
    let change = prop_oneof![6 => usual, 1 => any];
    let end = prop::option::weighted(0.3, instant());
    (known(), change, end, known(), 0..8u8).prop_map(|(memory, change, end, other, odd)| {
        let named = (change.1 == State::Superseded) != (odd == 0);
        Deed::Move(Move {
            memory,
            change,
            end,
            by: named.then_some(other),
        })
    })
}

fn memories() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => (draft(), bonds()).prop_map(|(draft, bonds)| Deed::Put(draft, bonds)),
        5 => (known(), draft(), bonds(), instant()).prop_map(|(old, new, bonds, ends)| {
            Deed::Supersede(old, new, bonds, ends)
        }),
        4 => movement(),
        4 => (1..=3u64, draft()).prop_map(|(n, draft)| Deed::Meet(n, draft)),
    ]
}

fn bookkeeping() -> impl Strategy<Value = Deed> {
    prop_oneof![
        2 => (draft(), prop::option::weighted(0.4, 0..NAMES.len()))
            .prop_map(|(draft, name)| Deed::Entity(draft, name)),
        2 => (1..=3u64, 0..NAMES.len(), any::<bool>())
            .prop_map(|(n, name, registered)| Deed::Alias(n, name, registered)),
        4 => (1..=3u64, known(), known()).prop_map(|(n, a, b)| Deed::Contradict(n, a, b)),
        3 => (1..=3u64, prop::option::weighted(0.3, known())).prop_map(|(n, kept)| {
            Deed::Resolve(n, kept)
        }),
        1 => (1..=3u64, known(), known(), any::<bool>())
            .prop_map(|(n, a, b, older)| Deed::Settle(n, a, b, older)),
        3 => (draft(), prop::option::weighted(0.4, fresh())).prop_map(|(event, receipt)| {
            Deed::Event(event, receipt)
        }),
        2 => (draft(), known()).prop_map(|(rule, memory)| Deed::Rule(rule, memory)),
        2 => draft().prop_map(Deed::Receipt),
        3 => (prop::collection::vec(id(), 1..3), within()).prop_map(|(ids, place)| {
            Deed::Erase(ids, place)
        }),
        1 => id().prop_map(Deed::Note),
    ]
}

fn demand() -> impl Strategy<Value = Demand> {
    prop_oneof![
        id().prop_map(Demand::Absent),
        (id(), 1..4u64).prop_map(|(id, version)| Demand::Version(id, version)),
        id().prop_map(Demand::ReceiptOpen),
        draft().prop_map(Demand::NoDuplicate),
        (
            draft(),
            0..TOPICS.len(),
            prop::collection::btree_set(id(), 0..2)
        )
            .prop_map(|(draft, topic, ids)| Demand::Holding(
                draft,
                topic,
                ids.into_iter().collect()
            )),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let deed = || prop_oneof![memories(), bookkeeping()];
    let deeds = move || {
        prop_oneof![
            3 => prop::collection::vec(deed(), 1..2),
            2 => prop::collection::vec(deed(), 1..4),
        ]
    };
    prop_oneof![
        12 => (deeds(), 0..5000i64, prop::option::weighted(0.2, demand()))
            .prop_map(|(deeds, ms, demand)| Step::New(deeds, ms, demand)),
        2 => Just(Step::Again),
        1 => deeds().prop_map(Step::Reuse),
    ]
}

/// Histories of up to forty requests, the first of which writes some memories.
pub(crate) fn histories() -> impl Strategy<Value = Vec<Step>> {
    let memories = prop::collection::vec((draft(), bonds()), 3..=5);
    (memories, prop::collection::vec(step(), 1..40)).prop_map(|(memories, steps)| {
        let found = (1..).zip(memories).map(|(id, (draft, bonds))| {
            let bonds = Bonds {
                mention: None,
                ..bonds
            };
            Deed::Put(Draft { id, ..draft }, bonds)
        });
        let found = Step::New(found.collect(), 0, None);
        std::iter::once(found).chain(steps).collect()
    })
}

/// Builds all requests of a history; each may repeat the one before it.
pub(crate) fn requests(history: &[Step]) -> Vec<Commit> {
    let mut requests: Vec<Commit> = Vec::new();
    for (place, step) in (1..).zip(history) {
        requests.push(request(place, step, requests.last()));
    }
    requests
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use precedent_core::MemStore;
    use precedent_core::audit::Op;

    use super::*;
    use crate::data::space;
    use crate::law::config;
    use crate::sink::ChainSink;
    use crate::store::{KEY, TestStore};

    /// A history that never succeeds in something tests nothing of it.
    #[test]
    fn histories_do_everything_and_fail_at_everything() {
        let mut done: BTreeMap<Op, u32> = BTreeMap::new();
        let (mut refused, mut replayed) = (0, 0);
        let tally = std::cell::RefCell::new((&mut done, &mut refused, &mut replayed));
        crate::law::assert_law(&config(128), &histories(), |history| {
            let store = TestStore::over(Arc::new(MemStore::new(Some(space()))));
            let store = store.with_sink(Arc::new(ChainSink::new(KEY)));
            for request in requests(&history) {
                let answer = futures_executor::block_on(store.send(request));
                let (done, refused, replayed) = &mut *tally.borrow_mut();
                match answer {
                    Ok(answer) if answer.replayed => **replayed += 1,
                    Ok(answer) => {
                        for fact in answer.facts {
                            *done.entry(fact.op).or_default() += 1;
                        }
                    }
                    Err(_) => **refused += 1,
                }
            }
        });
        for op in [
            Op::Write,
            Op::Supersede,
            Op::Retire,
            Op::Dispute,
            Op::Resolve,
            Op::Entity,
            Op::Observe,
            Op::Rule,
            Op::GuardBlock,
            Op::Forget,
            Op::Deduplicate,
        ] {
            let times = done.get(&op).copied().unwrap_or_default();
            assert!(
                times >= 10,
                "{op} only {times} times: {done:?}, {refused} {replayed}"
            );
        }
        assert!(refused >= 100 && replayed >= 40, "{refused} {replayed}");
    }
}
