//! Retire, restore, dispute, resolve, promote, revert: what they change, and what they refuse.

use crate::support::*;
use futures_executor::block_on;
use precedent_core::{
    ContradictionId, MemoryId, Principal, State, StoreErrorKind, Timestamp, Topic, Trust,
};
use precedent_engine::{
    Correction, Engine, EngineError, Forget, InputFault, Remember, RememberItem, Ruling,
};

type Outcome = Result<Correction, EngineError>;
type Change = fn(&Engine, MemoryId) -> Outcome;

fn retire(engine: &Engine, id: MemoryId) -> Outcome {
    block_on(engine.retire(&ada(), id))
}

fn restore(engine: &Engine, id: MemoryId) -> Outcome {
    block_on(engine.restore(&ada(), id))
}

fn dispute(engine: &Engine, a: MemoryId, b: MemoryId) -> Outcome {
    block_on(engine.dispute(&ada(), a, b))
}

fn resolve(engine: &Engine, id: ContradictionId, ruling: Ruling) -> Outcome {
    block_on(engine.resolve(&ada(), id, ruling))
}

fn revert(engine: &Engine, topic: &Topic, at: Timestamp) -> Outcome {
    block_on(engine.revert(&ada(), topic, at))
}

fn state(engine: &Engine, id: MemoryId) -> State {
    one(engine, id).state
}

fn vouched(item: RememberItem) -> RememberItem {
    RememberItem {
        trust: Trust::User,
        ..item
    }
}

/// A vouched value and one that contradicts it.
fn disputed(engine: &Engine) -> (MemoryId, MemoryId, ContradictionId) {
    let old = put(engine, vouched(fact("gate", "make")));
    let new = put(engine, fact("gate", "just"));
    (old, new, contradictions(engine)[0].id)
}

#[test]
fn each_change_is_lawful_from_its_states_alone() {
    use State::{Active, Disputed, Dormant, Quarantined, RolledBack, Superseded};
    let engine = engine();
    let make = |state: State| -> MemoryId {
        let id = put(
            &engine,
            item(&format!("{state} number {}", log(&engine).len())),
        );
        match state {
            Dormant => drop(retire(&engine, id).unwrap()),
            Quarantined => drop(block_on(engine.quarantine(&ada(), id)).unwrap()),
            Disputed => {
                let other = put(&engine, item(&format!("rival of {id}")));
                dispute(&engine, id, other).unwrap();
            }
            Superseded => {
                let new = RememberItem {
                    supersedes: Some(id),
                    ..item(&format!("successor of {id}"))
                };
                put(&engine, new);
            }
            RolledBack => unreachable!("only keys are reverted"),
            _ => {}
        }
        id
    };
    let changes: [(&str, Change, &[State]); 4] = [
        ("retire", retire, &[Active, Disputed]),
        ("restore", restore, &[Dormant]),
        (
            "quarantine",
            |e, id| block_on(e.quarantine(&ada(), id)),
            &[Active, Disputed],
        ),
        (
            "promote",
            |e, id| block_on(e.promote(&ada(), id)),
            &[Quarantined],
        ),
    ];
    for (what, change, lawful) in changes {
        for from in [Active, Disputed, Dormant, Quarantined, Superseded] {
            let id = make(from);
            let before = one(&engine, id);
            let result = change(&engine, id);
            if lawful.contains(&from) {
                assert_eq!(result.unwrap().changed, [id], "{what} from {from}");
            } else {
                assert_eq!(
                    input_fault(result),
                    InputFault::WrongState { state: from },
                    "{what}"
                );
                assert_eq!(one(&engine, id), before);
            }
        }
    }
}

#[test]
fn what_is_not_ones_own_looks_like_what_is_not_there() {
    let engine = engine();
    let private = RememberItem {
        private: true,
        ..item("a private thing")
    };
    let mine = put(&engine, item("a thing of mine"));
    let listed = RememberItem {
        readers: vec!["ada".to_owned()],
        ..item("a listed thing")
    };
    let private = put(&engine, private);
    let listed = put(&engine, listed);
    let nothing = MemoryId::from_bytes([77; 16]);
    let (_, _, contradiction) = disputed(&engine);
    let elsewhere = || principal("a");
    let cases: Vec<(Principal, MemoryId)> = vec![
        (ada(), nothing),
        (bob(), private),
        (bob(), listed),
        (elsewhere(), mine),
        (principal("a/b/c"), mine),
        (principal("a/bc"), mine),
    ];
    let said = |outcome: Outcome| match outcome {
        Err(EngineError::Store(error)) if error.kind == StoreErrorKind::NotFound => {
            error.to_string()
        }
        other => panic!("{other:?} is no not-found"),
    };
    let expected = said(retire(&engine, nothing));
    for (by, id) in cases {
        for outcome in [
            block_on(engine.retire(&by, id)),
            block_on(engine.restore(&by, id)),
            block_on(engine.quarantine(&by, id)),
            block_on(engine.promote(&by, id)),
            block_on(engine.dispute(&by, id, mine)),
        ] {
            assert_eq!(said(outcome), expected);
        }
    }
    let none = ContradictionId::from_bytes([9; 16]);
    for (by, id) in [
        (ada(), none),
        (elsewhere(), contradiction),
        (principal("a/b/c"), contradiction),
    ] {
        assert_eq!(
            said(block_on(engine.resolve(&by, id, Ruling::Both))),
            expected
        );
    }
    let foreign = resolve(&engine, contradiction, Ruling::Keep(mine));
    assert_eq!(said(foreign), expected);
    assert_eq!(
        said(block_on(engine.revert(&elsewhere(), &topic("gate"), at(0)))),
        expected
    );
}

#[test]
fn a_key_that_is_held_is_not_taken_by_a_return() {
    let engine = engine();
    let first = put(&engine, fact("gate", "make"));
    retire(&engine, first).unwrap();
    let second = put(&engine, fact("gate", "just"));
    assert_eq!(input_fault(restore(&engine, first)), InputFault::Held);
    retire(&engine, second).unwrap();
    restore(&engine, first).unwrap();
    assert_eq!(input_fault(restore(&engine, second)), InputFault::Held);
    assert_eq!(one(&engine, first).retired_at, None);
}

#[test]
fn a_promoted_value_ends_what_held_before_it() {
    let engine = engine();
    let first = put(&engine, fact("gate", "make"));
    let held = put(
        &engine,
        RememberItem {
            untrusted: true,
            ..fact("gate", "ninja")
        },
    );
    let third = put(&engine, fact("gate", "just"));
    assert_eq!(
        input_fault(block_on(engine.promote(&ada(), held))),
        InputFault::Held
    );
    retire(&engine, third).unwrap();
    block_on(engine.promote(&ada(), held)).unwrap();
    assert_eq!(one(&engine, first).valid_to, one(&engine, held).valid_from);
}

#[test]
fn contradictions_are_resolved_one_way_or_the_other() {
    let engine = engine();
    let (old, new, id) = disputed(&engine);
    resolve(&engine, id, Ruling::Keep(new)).unwrap();
    assert_eq!(
        (state(&engine, old), state(&engine, new)),
        (State::Superseded, State::Active)
    );
    assert_eq!(one(&engine, old).valid_to, one(&engine, new).valid_from);
    assert_eq!(
        store_kind(resolve(&engine, id, Ruling::Keep(old))),
        StoreErrorKind::NotFound
    );
    let engine = crate::support::engine();
    let (old, new, id) = disputed(&engine);
    resolve(&engine, id, Ruling::NewerTrusted).unwrap();
    assert_eq!(
        (state(&engine, old), state(&engine, new)),
        (State::Active, State::Superseded)
    );
    let never = one(&engine, new);
    assert_eq!(never.valid_to, never.valid_from, "it never held");
    let engine = crate::support::engine();
    let (old, new, id) = disputed(&engine);
    resolve(&engine, id, Ruling::Both).unwrap();
    let both = State::ContextDependent;
    assert_eq!((state(&engine, old), state(&engine, new)), (both, both));
    // Retired and restored, it stands beside the other as before.
    retire(&engine, old).unwrap();
    restore(&engine, old).unwrap();
    assert_eq!(state(&engine, old), both);
}

#[test]
fn a_side_that_is_retired_cannot_win_and_comes_back_disputed() {
    let engine = engine();
    let (old, new, id) = disputed(&engine);
    retire(&engine, new).unwrap();
    let wrong = InputFault::WrongState {
        state: State::Dormant,
    };
    assert_eq!(input_fault(resolve(&engine, id, Ruling::Keep(new))), wrong);
    assert_eq!(input_fault(resolve(&engine, id, Ruling::Both)), wrong);
    restore(&engine, new).unwrap();
    assert_eq!(state(&engine, new), State::Disputed);
    retire(&engine, new).unwrap();
    resolve(&engine, id, Ruling::NewerTrusted).unwrap();
    assert_eq!(state(&engine, old), State::Active);
}

#[test]
fn a_memory_in_two_contradictions_is_free_after_the_second() {
    let engine = engine();
    let [a, b, c] = ["the first", "the second", "the third"].map(|it| put(&engine, item(it)));
    dispute(&engine, a, b).unwrap();
    assert_eq!(
        input_fault(dispute(&engine, b, a)),
        InputFault::WrongState {
            state: State::Disputed
        }
    );
    dispute(&engine, a, c).unwrap();
    let open = contradictions(&engine);
    resolve(&engine, open[0].id, Ruling::Keep(a)).unwrap();
    assert_eq!(
        (state(&engine, a), state(&engine, b)),
        (State::Disputed, State::Superseded)
    );
    resolve(&engine, open[1].id, Ruling::Keep(a)).unwrap();
    assert_eq!(state(&engine, a), State::Active);
    assert_eq!(input_fault(dispute(&engine, a, a)), InputFault::Unrelated);
    let other = put(&engine, fact("drink", "tea"));
    let keyed = put(&engine, fact("gate", "make"));
    assert_eq!(
        input_fault(dispute(&engine, other, keyed)),
        InputFault::Unrelated
    );
}

#[test]
fn what_contradicted_the_erased_can_be_restored() {
    let engine = engine();
    let (old, new, _) = disputed(&engine);
    assert_eq!(
        input_fault(restore(&engine, old)),
        InputFault::WrongState {
            state: State::Disputed
        }
    );
    let forget = Forget {
        by: ada(),
        memories: vec![new],
        reason: None,
    };
    block_on(engine.forget(&forget)).unwrap();
    assert_eq!(state(&engine, old), State::Disputed);
    restore(&engine, old).unwrap();
    assert_eq!(state(&engine, old), State::Active);
}

#[test]
fn a_key_goes_back_to_any_instant() {
    let engine = engine();
    let mut snapshots = Vec::new();
    let snapshot = |engine: &Engine| {
        let line = line(engine, &ada(), &topic("gate")).into_iter();
        let live = line.filter(|it| it.state.is_in_force() || it.state == State::Superseded);
        let held = live.filter(|it| it.valid_to.is_none_or(|end| Some(end) > it.valid_from));
        held.map(|it| (it.id, it.standing())).collect::<Vec<_>>()
    };
    let from = |item: RememberItem, ms| RememberItem {
        valid_from: Some(at(ms)),
        ..item
    };
    let steps = [
        from(fact("gate", "make"), 100),
        from(fact("gate", "just"), 300),
        from(fact("gate", "ninja"), 200),
        vouched(from(fact("gate", "cargo"), 400)),
        fact("gate", "bazel"),
    ];
    let mut recorded = Vec::new();
    for step in steps {
        recorded.push(write(&engine, vec![step]).recorded_at);
        snapshots.push(snapshot(&engine));
    }
    for place in [0, 3, 1, 4, 2, 0, 4] {
        revert(&engine, &topic("gate"), recorded[place]).unwrap();
        assert_eq!(snapshot(&engine), snapshots[place], "back to {place}");
        let again = revert(&engine, &topic("gate"), recorded[place]);
        let unchanged = matches!(again, Err(EngineError::Input(InputFault::Unchanged)));
        assert!(unchanged, "nothing would change");
    }
    revert(&engine, &topic("gate"), at(START - 1)).unwrap();
    assert_eq!(snapshot(&engine), []);
    assert_eq!(
        line(&engine, &ada(), &topic("gate")).len(),
        5,
        "all of it is kept"
    );
    let elsewhere = revert(&engine, &topic("drink"), recorded[0]);
    assert_eq!(store_kind(elsewhere), StoreErrorKind::NotFound);
}

#[test]
fn a_revert_releases_nothing_from_quarantine() {
    let engine = engine();
    let written = write(&engine, vec![fact("gate", "make")]);
    let id = written.stored[0].id;
    block_on(engine.quarantine(&ada(), id)).unwrap();
    put(&engine, fact("gate", "just"));
    revert(&engine, &topic("gate"), written.recorded_at).unwrap();
    assert_eq!(state(&engine, id), State::Quarantined);
}

#[test]
fn a_revert_survives_the_erasure_of_a_successor() {
    let engine = engine();
    let old = put(&engine, fact("gate", "make"));
    let new = write(&engine, vec![fact("gate", "just")]);
    put(&engine, fact("gate", "ninja"));
    let before = write(&engine, vec![item("an unrelated thing")]).recorded_at;
    revert(&engine, &topic("gate"), one(&engine, old).recorded_at).unwrap();
    let forget = Forget {
        by: ada(),
        memories: vec![new.stored[0].id],
        reason: None,
    };
    block_on(engine.forget(&forget)).unwrap();
    revert(&engine, &topic("gate"), before).unwrap();
    assert_eq!(state(&engine, old), State::RolledBack);
}

#[test]
fn corrections_at_once_lose_nothing() {
    let engine = engine();
    let ids: Vec<MemoryId> = (0..8)
        .map(|n| put(&engine, item(&format!("thing {n}"))))
        .collect();
    std::thread::scope(|scope| {
        for id in &ids {
            let engine = engine.clone();
            scope.spawn(move || retire(&engine, *id).unwrap());
        }
    });
    assert!(ids.iter().all(|id| state(&engine, *id) == State::Dormant));
    let restored: Vec<bool> = std::thread::scope(|scope| {
        let one = |_| scope.spawn(|| restore(&engine, ids[0]).is_ok());
        let all: Vec<_> = (0..8).map(one).collect();
        all.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(restored.iter().filter(|it| **it).count(), 1);
    // A write that was thought of before does not undo it.
    let request = Remember::new(ada(), vec![item("thing 0")]);
    assert_eq!(try_write(&engine, &request).unwrap().deduplicated, [ids[0]]);
}

/// A contradiction whose sides were both replaced since can be closed, and nothing moves.
#[test]
fn an_overtaken_contradiction_can_be_closed() {
    let engine = engine();
    let vouched = |value: &str| RememberItem {
        trust: Trust::User,
        ..fact("port", value)
    };
    let first = put(&engine, vouched("3"));
    let second = put(&engine, fact("port", "5"));
    let last = put(&engine, vouched("9"));
    let open = contradictions(&engine);
    assert_eq!(open.len(), 1);
    let states = |engine: &Engine| [first, second, last].map(|id| one(engine, id).state);
    let before = states(&engine);
    assert_eq!(before[2], State::Active);
    block_on(engine.resolve(&ada(), open[0].id, Ruling::Both)).unwrap();
    assert_eq!(states(&engine), before);
    assert!(contradictions(&engine).is_empty());
}
