//! A memory's record changes in its standing alone, and every stretch of it can be read.

use precedent_core::audit::Op;
use precedent_core::{
    Kind, Memory, MemoryQuery, Revision, Standing, State, StoreErrorKind, Timestamp,
};

use super::life_of;
use crate::case::stories;
use crate::data::{
    HOME, at, erase, home, memory, memory_id, put, restore, retire, revive, scope, standing,
    supersede, transition,
};
use crate::store::{TestStore, assert_refused, ids, lexical_query};
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("correct":
    superseding_ends_what_held,
    an_earlier_end_stays,
    transitions_set_the_whole_standing,
    unlawful_transitions_are_refused,
    a_life_is_told_oldest_first,
    restoring_undoes_retiring,
    what_is_written_out_of_force_is_retired,
    states_narrow_what_is_found,
    links_to_the_erased_are_cleared_in_present_and_past,
    the_erased_have_no_life,
    only_the_named_record_changes,
);

/// A memory that was replaced holds until the instant that the replacement names.
async fn superseding_ends_what_held(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(1, "old")]).await;
    let (old, new, ends) = (memory_id(1), memory_id(2), at(700));
    let changes = vec![
        put(memory(2, "new")),
        precedent_core::Change::Supersede { old, new, ends },
    ];
    let done = store.commit(changes).await;
    let found = store.memory(&home(), old).await.expect("it is kept");
    let expected = Standing {
        state: State::Superseded,
        valid_to: Some(ends),
        superseded_by: Some(new),
    };
    assert_eq!(found.standing(), expected);
    assert_eq!(
        (found.version, found.retired_at),
        (2, Some(done.recorded_at))
    );
    assert!(found.holds_at(at(699)) && !found.holds_at(ends));
    let new = store.memory(&home(), new).await.expect("it was written");
    assert_eq!((new.version, new.retired_at), (1, None));
}

/// An end that a memory has already is kept when it comes first, and brought forward when not.
async fn an_earlier_end_stays(harness: &dyn Harness) {
    for (own, expected) in [(300, 300), (900, 700)] {
        let store = TestStore::open(harness).await;
        let old = Memory {
            valid_to: Some(at(own)),
            ..memory(1, "old")
        };
        store.put([old]).await;
        let (old, new, ends) = (memory_id(1), memory_id(2), at(700));
        let changes = vec![
            put(memory(2, "new")),
            precedent_core::Change::Supersede { old, new, ends },
        ];
        store.commit(changes).await;
        let found = store.memory(&home(), old).await.expect("it is kept");
        assert_eq!(found.valid_to, Some(at(expected)));
    }
}

/// Every lawful change of standing: from where, as what, to where.
const LAWFUL: [(State, Op, State); 16] = [
    (State::Active, Op::Dispute, State::Disputed),
    (State::ContextDependent, Op::Dispute, State::Disputed),
    (State::Disputed, Op::Resolve, State::Active),
    (State::Disputed, Op::Resolve, State::ContextDependent),
    (State::Disputed, Op::Resolve, State::Superseded),
    (State::Active, Op::Retire, State::Dormant),
    (State::Disputed, Op::Retire, State::Dormant),
    (State::Dormant, Op::Restore, State::Active),
    (State::Disputed, Op::Restore, State::Active),
    (State::Active, Op::Quarantine, State::Quarantined),
    (State::Quarantined, Op::Promote, State::Active),
    (State::Active, Op::Revert, State::RolledBack),
    (State::RolledBack, Op::Revert, State::Active),
    (State::Superseded, Op::Revert, State::Disputed),
    (State::Active, Op::Supersede, State::Active),
    (State::Superseded, Op::Supersede, State::Superseded),
];

/// A transition sets state, end and replacement, whatever they were, and says so in the log; a
/// memory that is not in force is retired at that instant, one in force is not.
async fn transitions_set_the_whole_standing(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(99, "other")]).await;
    for (n, (from, op, state)) in (1..).zip(LAWFUL) {
        let written = Memory {
            state: from,
            valid_to: Some(at(10)),
            ..memory(n, "red fox")
        };
        store.put([written]).await;
        let to = Standing {
            state,
            valid_to: (n % 2 == 0).then(|| at(50)),
            superseded_by: (state == State::Superseded).then(|| memory_id(99)),
        };
        let before = store.memory(&home(), memory_id(n)).await.expect("there");
        let done = store.commit(vec![transition(memory_id(n), op, to)]).await;
        let found = store.memory(&home(), memory_id(n)).await.expect("there");
        let expected = Memory {
            state,
            valid_to: to.valid_to,
            superseded_by: to.superseded_by,
            retired_at: (!state.is_in_force()).then_some(done.recorded_at),
            version: 2,
            ..before
        };
        assert_eq!(found, expected, "{from} {op} {state}");
        let told = (done.facts[0].op, done.facts[0].memory);
        assert_eq!(told, (op, Some(memory_id(n))));
    }
}

/// What is not lawful is refused, from every state, as every operation, to every state.
async fn unlawful_transitions_are_refused(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(99, "other")]).await;
    let operations = [
        Op::Dispute,
        Op::Resolve,
        Op::Retire,
        Op::Restore,
        Op::Quarantine,
        Op::Promote,
        Op::Write,
        Op::Forget,
    ];
    for (n, &from) in (1..).zip(State::ALL) {
        let written = Memory {
            state: from,
            ..memory(n, "red fox")
        };
        store.put([written]).await;
        for (op, &to) in operations
            .iter()
            .flat_map(|op| State::ALL.iter().map(move |to| (*op, to)))
        {
            let in_force = |state: State| {
                matches!(
                    state,
                    State::Active | State::Disputed | State::ContextDependent
                )
            };
            // Said once more, by operation, in other words than the contract's table.
            let lawful = match op {
                Op::Dispute => in_force(from) && to == State::Disputed,
                Op::Resolve => {
                    let ends = [State::Active, State::ContextDependent, State::Superseded];
                    in_force(from) && ends.contains(&to)
                }
                Op::Retire => in_force(from) && to == State::Dormant,
                Op::Restore => [State::Dormant, State::Disputed].contains(&from) && in_force(to),
                Op::Quarantine => in_force(from) && to == State::Quarantined,
                Op::Promote => from == State::Quarantined && to == State::Active,
                _ => false,
            };
            if lawful {
                continue;
            }
            let standing = Standing {
                state: to,
                valid_to: None,
                superseded_by: (to == State::Superseded).then(|| memory_id(99)),
            };
            let change = transition(memory_id(n), op, standing);
            let refused = store.try_commit(Vec::new(), vec![change]).await;
            assert_refused(refused, StoreErrorKind::Conflict);
        }
        let found = store.memory(&home(), memory_id(n)).await.expect("there");
        assert_eq!((found.state, found.version), (from, 1));
    }
}

fn revision(version: u64, since: Timestamp, standing: Standing) -> Revision {
    Revision {
        version,
        since,
        standing,
    }
}

/// Revisions come oldest first with the present one last; versions count up from 1, and each
/// stretch begins when the store recorded it.
async fn a_life_is_told_oldest_first(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut born = memory(1, "red fox");
    born.valid_to = Some(at(9000));
    let written = store.commit(vec![put(born)]).await.recorded_at;
    let disputed = standing(State::Disputed, Some(at(9000)));
    let change = transition(memory_id(1), Op::Dispute, disputed);
    let second = store.commit(vec![change]).await.recorded_at;
    let replaced = vec![put(memory(2, "new")), supersede(memory_id(1), memory_id(2))];
    let third = store.commit(replaced).await.recorded_at;
    let again = vec![
        revive(memory_id(1), State::Superseded),
        retire(memory_id(1)),
    ];
    let fourth = store.commit(again).await.recorded_at;
    let superseded = Standing {
        state: State::Superseded,
        valid_to: Some(at(0)),
        superseded_by: Some(memory_id(2)),
    };
    let expected = [
        revision(1, written, standing(State::Active, Some(at(9000)))),
        revision(2, second, disputed),
        revision(3, third, superseded),
        revision(4, fourth, standing(State::Active, None)),
        revision(5, fourth, standing(State::Dormant, None)),
    ];
    assert_eq!(life_of(&store, memory_id(1)).await, expected);
    let single = [revision(1, third, standing(State::Active, None))];
    assert_eq!(life_of(&store, memory_id(2)).await, single);
}

/// Retiring hides a memory from recall and restoring brings it back with its content; only the
/// version tells that something happened.
async fn restoring_undoes_retiring(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store
        .put([memory(1, "red fox"), memory(2, "red cat")])
        .await;
    let before = store.memory(&home(), memory_id(1)).await.expect("there");
    let found = store.by_words(&home(), "fox").await;
    store.commit(vec![retire(memory_id(1))]).await;
    assert_eq!(store.by_words(&home(), "fox").await, []);
    let retired = store.memory(&home(), memory_id(1)).await.expect("kept");
    assert!(retired.retired_at.is_some() && retired.text == before.text);
    store.commit(vec![restore(memory_id(1))]).await;
    let expected = Memory {
        version: 3,
        ..before
    };
    let restored = store.memory(&home(), memory_id(1)).await;
    assert_eq!(restored, Some(expected));
    assert_eq!(store.by_words(&home(), "fox").await, found);
}

/// A memory that is written in a state that is not in force is retired from the start, and its
/// life says the same later on.
async fn what_is_written_out_of_force_is_retired(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    for (n, &state) in (1..).zip(State::ALL) {
        let written = Memory {
            state,
            ..memory(n, "red fox")
        };
        let done = store.commit(vec![put(written)]).await;
        let found = store.memory(&home(), memory_id(n)).await.expect("there");
        let retired = (!state.is_in_force()).then_some(done.recorded_at);
        assert_eq!(found.retired_at, retired, "{state}");
        let change = if state.is_in_force() {
            retire(memory_id(n))
        } else {
            revive(memory_id(n), state)
        };
        let later = store.commit(vec![change]).await.recorded_at;
        let mut query = lexical_query(&home(), Kind::ALL, "fox");
        (query.filter.states, query.limit) = (State::ALL.to_vec(), 100);
        query.filter.known_at = Some(later.minus_millis(1));
        let known = store.candidates(&query).await.memories;
        let known = known.into_iter().find(|memory| memory.id == found.id);
        assert_eq!(known, Some(found), "as it was read before");
    }
}

/// States narrow what is found; several are a union, none is no restriction.
async fn states_narrow_what_is_found(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    for (n, &state) in (1..).zip(State::ALL) {
        let written = Memory {
            state,
            ..memory(n, "red")
        };
        store.put([written]).await;
    }
    let found = async |states: Vec<State>| {
        let query = MemoryQuery {
            states,
            ..MemoryQuery::all(home(), 100)
        };
        let found = store.backend.find_memories(&query).await;
        let found = found.expect("memories can be found");
        found.iter().map(|m| (m.id, m.state)).collect::<Vec<_>>()
    };
    let numbered: Vec<_> = (1..)
        .map(memory_id)
        .zip(State::ALL.iter().copied())
        .collect();
    assert_eq!(found(Vec::new()).await, numbered);
    for (n, &state) in State::ALL.iter().enumerate() {
        assert_eq!(found(vec![state]).await, numbered[n..=n]);
    }
    let pair = found(vec![State::RolledBack, State::Active]).await;
    assert_eq!(pair, [numbered[0], numbered[6]]);
}

/// When a memory is erased, what others say of it is cleared, now and in every stretch of their
/// past; nothing else of them changes, the version neither.
async fn links_to_the_erased_are_cleared_in_present_and_past(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(1, "old")]).await;
    let mut new = memory(2, "new");
    new.supersedes = Some(memory_id(1));
    let mut made = memory(3, "made of both");
    made.derived_from = vec![memory_id(1), memory_id(2)];
    let changes = vec![put(new), put(made), supersede(memory_id(1), memory_id(2))];
    store.commit(changes).await;
    store
        .commit(vec![revive(memory_id(1), State::Superseded)])
        .await;
    let mut expected = life_of(&store, memory_id(1)).await;
    let before = store.memory(&home(), memory_id(1)).await;
    assert_eq!(expected[1].standing.superseded_by, Some(memory_id(2)));
    store.commit(vec![erase(1, HOME, &[memory_id(2)])]).await;
    expected[1].standing.superseded_by = None;
    assert_eq!(life_of(&store, memory_id(1)).await, expected);
    assert_eq!(store.memory(&home(), memory_id(1)).await, before);
    let made = store.memory(&home(), memory_id(3)).await.expect("kept");
    assert_eq!((made.derived_from, made.version), (vec![memory_id(1)], 1));
    store.commit(vec![erase(2, HOME, &[memory_id(1)])]).await;
    let made = store.memory(&home(), memory_id(3)).await.expect("kept");
    assert_eq!(made.derived_from, []);
}

/// There is no life of what is erased, never was, or is not seen.
async fn the_erased_have_no_life(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([memory(1, "gone"), memory(2, "kept")]).await;
    store.commit(vec![retire(memory_id(1))]).await;
    store.commit(vec![erase(1, HOME, &[memory_id(1)])]).await;
    assert_eq!(life_of(&store, memory_id(1)).await, []);
    assert_eq!(life_of(&store, memory_id(9)).await, []);
    let stranger = scope("team/app2", "a1");
    let unseen = store.backend.revisions(&stranger, memory_id(2)).await;
    assert_eq!(unseen.expect("no life is no error"), []);
}

/// A change of one memory's standing leaves all others, and every score, as they were.
async fn only_the_named_record_changes(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put((1..=3).map(|n| memory(n, "red fox"))).await;
    let before = store.memories(&home()).await;
    let scores = store.by_words(&home(), "fox").await;
    store.commit(vec![retire(memory_id(2))]).await;
    let after = store.memories(&home()).await;
    assert_eq!([&after[0], &after[2]], [&before[0], &before[2]]);
    let left = store.by_words(&home(), "fox").await;
    assert_eq!(
        left,
        [scores[0], scores[2]],
        "a retired memory still counts"
    );
    assert_eq!(ids(&left), [1, 3].map(memory_id));
}
