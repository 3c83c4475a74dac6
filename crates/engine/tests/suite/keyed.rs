//! Facts under a key: what holds when, whatever the order of arrival and however many write.

use std::collections::BTreeMap;

use crate::support::*;
use precedent_core::{Memory, Revision, State, Timestamp, Trust};
use precedent_engine::{Engine, Remember, RememberItem};
use proptest::prelude::*;

fn value(memory: &Memory) -> String {
    memory
        .claim
        .as_ref()
        .unwrap()
        .value
        .as_ref()
        .unwrap()
        .to_string()
}

/// The values that hold at an instant, as was believed at another one.
fn holding(engine: &Engine, key: &str, valid: Timestamp, known: Timestamp) -> Vec<String> {
    let line = line(engine, &ada(), &topic(key)).into_iter();
    let then = |mut memory: Memory| {
        let scope = ada().scope();
        let read = engine.store().revisions(&scope, memory.id);
        let past: Vec<Revision> = futures_executor::block_on(read).unwrap();
        let then = past.iter().rfind(|it| it.since <= known)?;
        memory.stand(then.standing, then.since);
        let counts = memory.state.is_in_force() || memory.state == State::Superseded;
        (counts && memory.holds_at(valid)).then(|| value(&memory))
    };
    line.filter_map(then).collect()
}

fn from(item: RememberItem, ms: i64) -> RememberItem {
    RememberItem {
        valid_from: Some(at(ms)),
        ..item
    }
}

fn vouched(item: RememberItem) -> RememberItem {
    RememberItem {
        trust: Trust::User,
        ..item
    }
}

fn active(engine: &Engine, key: &str) -> Vec<String> {
    let line = line(engine, &ada(), &topic(key)).into_iter();
    line.filter(|it| it.state.is_in_force())
        .map(|it| value(&it))
        .collect()
}

#[test]
fn a_new_value_replaces_the_old_one_of_its_key_alone() {
    let engine = engine();
    let first = write(&engine, vec![fact("employer", "X"), fact("drink", "tea")]);
    let before = at(START + 1000);
    let moved = write(&engine, vec![fact("employer", "Y")]);
    assert_eq!(moved.superseded, [first.stored[0].id]);
    assert_eq!(active(&engine, "employer"), ["Y"]);
    assert_eq!(active(&engine, "drink"), ["tea"]);
    let old = one(&engine, first.stored[0].id);
    assert_eq!(old.superseded_by, Some(moved.stored[0].id));
    assert_eq!(one(&engine, moved.stored[0].id).supersedes, Some(old.id));
    assert_eq!(old.valid_to, one(&engine, moved.stored[0].id).valid_from);
    let now = at(START + 1_000_000);
    assert_eq!(holding(&engine, "employer", before, now), ["Y"]);
    assert_eq!(
        holding(&engine, "employer", old.valid_from.unwrap(), now),
        ["X"]
    );
}

#[test]
fn paraphrases_of_one_value_are_one_memory() {
    let engine = engine();
    let say = |text: &str| item(text).stating(Some("User"), "Editor", Some("vim"));
    let first = write(&engine, vec![say("I use vim"), say("my editor: vim")]);
    let again = write(&engine, vec![say("vim it is"), say("I use vim")]);
    assert_eq!((first.stored.len(), first.deduplicated.len()), (1, 1));
    assert_eq!((again.stored.len(), again.deduplicated.len()), (0, 2));
    assert_eq!(
        log(&engine),
        [
            "write ok",
            "dedupe ok same-claim",
            "dedupe ok same-claim",
            "dedupe ok exact-repeat"
        ]
    );
}

#[test]
fn masked_values_are_not_the_same_for_that() {
    let engine = engine();
    let code = |code: &str| {
        let text = format!(
            "open the door with {code} and push hard with {}",
            code.len()
        );
        item(&text).stating(Some("user"), "password", Some(code))
    };
    let first = put(&engine, code("hunter22"));
    let text = one(&engine, first).text;
    assert_eq!(&*text, "open the door with [REDACTED] and push hard with 8");
    assert_eq!(
        write(&engine, vec![code("correct horse")]).superseded,
        [first]
    );
    assert_eq!(
        write(&engine, vec![code("correct horse")])
            .deduplicated
            .len(),
        1
    );
}

#[test]
fn a_value_that_returns_is_a_memory_of_its_own() {
    let engine = engine();
    for value in ["A", "B", "A"] {
        assert_eq!(write(&engine, vec![fact("name", value)]).stored.len(), 1);
    }
    assert_eq!(active(&engine, "name"), ["A"]);
    assert_eq!(line(&engine, &ada(), &topic("name")).len(), 3);
}

#[test]
fn late_arrivals_and_future_values_take_their_place() {
    let engine = engine();
    write(&engine, vec![from(fact("home", "Rome"), 100)]);
    write(&engine, vec![from(fact("home", "Oslo"), 300)]);
    let late = write(&engine, vec![from(fact("home", "Bern"), 200)]);
    assert_eq!(one(&engine, late.stored[0].id).state, State::Superseded);
    let future = START + 1_000_000_000;
    write(&engine, vec![from(fact("home", "Kyiv"), future)]);
    let known = at(START + 10_000);
    for (valid, expected) in [
        (99, vec![]),
        (100, vec!["Rome"]),
        (200, vec!["Bern"]),
        (299, vec!["Bern"]),
        (300, vec!["Oslo"]),
        (START, vec!["Oslo"]),
        (future, vec!["Kyiv"]),
    ] {
        assert_eq!(
            holding(&engine, "home", at(valid), known),
            expected,
            "{valid}"
        );
    }
}

#[test]
fn what_is_not_vouched_for_disputes_what_is() {
    let engine = engine();
    let old = put(&engine, vouched(fact("gate", "make")));
    let new = write(&engine, vec![fact("gate", "just")]);
    assert_eq!(new.disputed, [new.stored[0].id]);
    assert_eq!(new.superseded, []);
    assert_eq!(contradictions(&engine)[0].between, [old, new.stored[0].id]);
    // A third one replaces its equal, and contradicts what it may not replace.
    let third = write(&engine, vec![fact("gate", "ninja")]);
    assert_eq!(third.superseded, [new.stored[0].id]);
    assert_eq!(third.disputed, [third.stored[0].id]);
    assert_eq!(one(&engine, old).state, State::Disputed);
    // What is vouched for replaces them all.
    let last = write(&engine, vec![vouched(fact("gate", "cargo"))]);
    assert_eq!(last.superseded.len(), 2);
    assert_eq!(active(&engine, "gate"), ["cargo"]);
}

#[test]
fn vouching_for_a_known_value_is_kept() {
    let engine = engine();
    put(&engine, fact("gate", "make"));
    let vouched = write(&engine, vec![vouched(fact("gate", "make"))]);
    assert_eq!((vouched.stored.len(), vouched.superseded.len()), (1, 1));
    // A late, vouched one is not ended by what nobody vouches for.
    let engine = crate::support::engine();
    put(&engine, from(fact("gate", "make"), 200));
    let late = write(
        &engine,
        vec![self::vouched(from(fact("gate", "just"), 100))],
    );
    assert_eq!(late.disputed, [late.stored[0].id]);
    // A past one that was replaced since can be contradicted too.
    let engine = crate::support::engine();
    put(&engine, self::vouched(from(fact("gate", "make"), 100)));
    put(&engine, self::vouched(from(fact("gate", "just"), 200)));
    let late = write(&engine, vec![from(fact("gate", "ninja"), 150)]);
    assert_eq!(late.disputed, [late.stored[0].id]);
    assert_eq!(active(&engine, "gate").len(), 2);
}

#[test]
fn an_explicit_replacement_takes_its_place_under_its_key_too() {
    let engine = engine();
    put(&engine, fact("gate", "make"));
    let plain = put(&engine, item("something quite different"));
    let replacing = RememberItem {
        supersedes: Some(plain),
        ..fact("gate", "just")
    };
    assert_eq!(write(&engine, vec![replacing]).superseded.len(), 2);
    assert_eq!(active(&engine, "gate"), ["just"]);
    assert_eq!(one(&engine, plain).state, State::Superseded);
}

#[test]
fn a_backdated_replacement_leaves_no_inverted_interval() {
    let engine = engine();
    let old = put(&engine, item("the office is open"));
    let new = RememberItem {
        supersedes: Some(old),
        ..from(item("the office is closed"), 100)
    };
    write(&engine, vec![new]);
    let old = one(&engine, old);
    assert_eq!(old.valid_to, old.valid_from, "it never held");
}

#[test]
fn what_ceased_to_hold_can_be_said_again() {
    let engine = engine();
    let first = RememberItem {
        valid_to: Some(at(START + 3)),
        ..item("the office is closed")
    };
    let first = put(&engine, first);
    for _ in 0..5 {
        engine.now();
    }
    let again = write(&engine, vec![item("the office is closed")]);
    assert_eq!((again.stored.len(), again.superseded.len()), (1, 1));
    assert_eq!(one(&engine, first).valid_to, Some(at(START + 3)));
    assert_eq!(
        write(&engine, vec![item("the office is closed")])
            .deduplicated
            .len(),
        1
    );
}

#[test]
fn sixteen_writers_leave_one_head_and_one_chain() {
    let engine = engine();
    std::thread::scope(|scope| {
        for n in 0..16 {
            let engine = engine.clone();
            scope.spawn(move || write(&engine, vec![fact("name", &format!("N{n}"))]));
        }
    });
    let line = line(&engine, &ada(), &topic("name"));
    assert_eq!(line.len(), 16, "nothing is lost");
    let heads: Vec<&Memory> = line.iter().filter(|it| it.state == State::Active).collect();
    assert_eq!(heads.len(), 1);
    let mut successors = BTreeMap::new();
    for memory in line.iter().filter(|it| it.id != heads[0].id) {
        assert_eq!(memory.state, State::Superseded);
        let twice = successors.insert(memory.superseded_by.unwrap(), memory.id);
        assert_eq!(twice, None, "the chain does not fork");
    }
    let (mut at, mut length) = (heads[0].id, 1);
    while let Some(before) = successors.get(&at) {
        (at, length) = (*before, length + 1);
    }
    assert_eq!(length, 16);
}

#[test]
fn a_large_request_of_claims_is_not_quadratic() {
    let engine = engine();
    let items = (0..2000).map(|n| fact(&format!("k{n}"), "v")).collect();
    let begun = std::time::Instant::now();
    assert_eq!(write(&engine, items).stored.len(), 2000);
    let once = begun.elapsed().as_secs();
    assert!(once < 30, "it took {once} seconds");
}

/// One statement: its key, its value, from when on, and whether it goes with the one before.
type Said = (u8, u8, i64, bool);

fn said() -> impl Strategy<Value = Vec<Said>> {
    let from = prop_oneof![0..6i64, Just(START * 2)];
    proptest::collection::vec((0..2u8, 0..4u8, from, any::<bool>()), 1..14)
}

/// What holds under a key according to a list of statements: the one that begins last holds, of
/// those that begin together the last said; one that says what holds already says nothing.
#[derive(Clone, Default)]
struct Intervals(Vec<(i64, u8)>);

impl Intervals {
    fn holds(&self, at: i64) -> Option<u8> {
        let begun = self.0.iter().rfind(|(from, _)| *from <= at);
        begun.map(|(_, value)| *value)
    }

    fn say(&mut self, from: i64, value: u8) {
        if self.holds(from) != Some(value) {
            self.0.retain(|(at, _)| *at != from);
            self.0.push((from, value));
            self.0.sort_unstable();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn at_most_one_value_holds_at_any_two_instants(said in said()) {
        let engine = engine();
        let mut models = vec![(START - 1, [Intervals::default(), Intervals::default()])];
        let mut requests: Vec<Vec<Said>> = Vec::new();
        for it in said {
            match requests.last_mut().filter(|_| it.3) {
                Some(last) => last.push(it),
                None => requests.push(vec![it]),
            }
        }
        for request in requests {
            let mut model = models.last().unwrap().1.clone();
            let mut items = Vec::new();
            for (key, value, begins, _) in request {
                model[usize::from(key)].say(begins, value);
                items.push(from(fact(&format!("k{key}"), &format!("v{value}")), begins));
            }
            let others: Vec<Memory> = all(&engine, &ada());
            let written = write(&engine, items.clone());
            for memory in others {
                let mentioned = items.iter().any(|it| it.claim.as_ref().unwrap().key == *memory.claim.as_ref().unwrap().key);
                prop_assert!(mentioned || one(&engine, memory.id) == memory, "another key changed");
            }
            models.push((written.recorded_at.as_millis(), model));
        }
        for (known, model) in &models {
            for (key, model) in model.iter().enumerate() {
                for valid in [-1, 0, 1, 2, 3, 4, 5, 6, START, START * 2, START * 3] {
                    let expected: Vec<String> = model.holds(valid).iter().map(|it| format!("v{it}")).collect();
                    let held = holding(&engine, &format!("k{key}"), at(valid), at(*known));
                    prop_assert_eq!(held, expected, "key {} at {} known at {}", key, valid, known);
                }
            }
        }
    }
}

#[test]
fn a_version_that_was_read_is_the_version_that_is_replaced() {
    let engine = engine();
    let old = put(&engine, item("the summary of the week"));
    let version = one(&engine, old).version;
    futures_executor::block_on(engine.retire(&ada(), old)).unwrap();
    futures_executor::block_on(engine.restore(&ada(), old)).unwrap();
    let rewritten = RememberItem {
        supersedes: Some(old),
        supersedes_version: Some(version),
        ..item("a better summary of the week")
    };
    let request = Remember::new(ada(), vec![rewritten]);
    let kind = store_kind(try_write(&engine, &request));
    assert_eq!(kind, precedent_core::StoreErrorKind::Conflict);
    assert_eq!(one(&engine, old).state, State::Active);
}
