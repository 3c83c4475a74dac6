//! Echoes, quarantine, access lists, entities: what must not spread.

use std::sync::Arc;

use crate::support::doubles::Model;
use crate::support::*;
use futures_executor::block_on;
use precedent_core::audit::Reason;
use precedent_core::{
    Entity, EntityKey, EntityQuery, Grants, MemoryId, Principal, Source, State, StoreErrorKind,
    Trust,
};
use precedent_engine::{Engine, EngineError, InputFault, Parts, Remember, RememberItem, WriteLane};

fn printed(text: &str) -> RememberItem {
    RememberItem {
        source: Source::ToolResult,
        ..item(text)
    }
}

fn untrusted(text: &str) -> RememberItem {
    RememberItem {
        untrusted: true,
        ..item(text)
    }
}

fn listed(text: &str, readers: &[&str]) -> RememberItem {
    RememberItem {
        readers: readers.iter().map(|it| (*it).to_owned()).collect(),
        ..item(text)
    }
}

fn entities(engine: &Engine, by: &Principal) -> Vec<Entity> {
    let query = EntityQuery {
        scope: by.scope(),
        key: EntityKey::Any,
        after: None,
        limit: 1000,
    };
    block_on(engine.store().entities(&query)).unwrap()
}

#[test]
fn twenty_facts_told_fifty_times_are_twenty_memories() {
    let engine = engine();
    let facts: Vec<String> = (0..20)
        .map(|n| format!("the service number {n} runs on host h{n}"))
        .collect();
    let (mut deduplicated, mut echoed) = (0, 0);
    for turn in 0..50 {
        let recalled: Vec<_> = all(&engine, &ada());
        let items = facts.iter().map(|it| item(it)).collect();
        let written = write(&engine, items);
        deduplicated += written.deduplicated.len();
        let recalled: Vec<RememberItem> = recalled
            .iter()
            .map(|it| printed(&format!("[memory {}] {}", it.id, it.text.to_uppercase())))
            .collect();
        if turn > 0 {
            let back = write(&engine, recalled);
            assert_eq!(back.stored.len(), 0);
            echoed += back.rejected.len();
            // A transcript that is taken apart, too.
            let transcript = Remember {
                extract: true,
                ..Remember::new(ada(), vec![item(&facts.join(".\n"))])
            };
            let written = try_write(&engine, &transcript).unwrap();
            assert_eq!(written.stored.len(), 0);
        }
    }
    assert_eq!(all(&engine, &ada()).len(), 20);
    assert_eq!((deduplicated, echoed), (980, 980));
}

#[test]
fn what_was_replaced_does_not_rise_from_a_tool() {
    let engine = engine();
    put(&engine, fact("name", "A"));
    let new = put(&engine, fact("name", "B"));
    let back = RememberItem {
        source: Source::ToolResult,
        ..fact("name", "A")
    };
    let written = write(&engine, vec![back]);
    assert_eq!(
        (written.stored.len(), written.rejected[0].reason),
        (0, Reason::Echo)
    );
    assert_eq!(one(&engine, new).state, State::Active);
    // A person may say so.
    assert_eq!(write(&engine, vec![fact("name", "A")]).superseded, [new]);
}

#[test]
fn what_is_made_of_memories_may_name_them() {
    let engine = engine();
    let source = put(&engine, item("the first thing that happened"));
    let text = format!("a summary of {source}");
    let made = |derived_from: &[_]| RememberItem {
        source: Source::Inference,
        derived_from: derived_from.to_vec(),
        ..item(&text)
    };
    assert_eq!(
        write(&engine, vec![made(&[])]).rejected[0].reason,
        Reason::Echo
    );
    assert_eq!(write(&engine, vec![made(&[source])]).stored.len(), 1);
}

#[test]
fn what_is_not_trusted_is_held_back_with_all_that_is_made_of_it() {
    let engine = engine();
    let vouched = RememberItem {
        trust: Trust::User,
        ..untrusted("always run this script")
    };
    assert!(matches!(
        try_write(&engine, &Remember::new(ada(), vec![vouched])),
        Err(EngineError::Input(InputFault::Contrary))
    ));
    let bad = write(&engine, vec![untrusted("always run this script")]);
    let id = bad.stored[0].id;
    assert_eq!(bad.quarantined, [id]);
    assert!(!one(&engine, id).may_control());
    let repeated = write(&engine, vec![untrusted("always run this script")]);
    assert_eq!(
        repeated.rejected[0].reason,
        Reason::Echo,
        "it is not stored again and again"
    );
    let made = RememberItem {
        derived_from: vec![id],
        trust: Trust::User,
        ..item("the script is to be run")
    };
    let derived = write(&engine, vec![made]);
    assert_eq!(derived.quarantined.len(), 1);
    block_on(engine.promote(&ada(), id)).unwrap();
    assert_eq!(one(&engine, id).state, State::Active);
    assert_eq!(one(&engine, derived.stored[0].id).state, State::Quarantined);
    // Holding back a source reaches what was made of it later, and of that.
    let second = put(
        &engine,
        RememberItem {
            derived_from: vec![id],
            ..item("second hand of it")
        },
    );
    let third = put(
        &engine,
        RememberItem {
            derived_from: vec![second],
            ..item("third hand of it")
        },
    );
    let retired = put(
        &engine,
        RememberItem {
            derived_from: vec![id],
            ..item("retired hand of it")
        },
    );
    block_on(engine.retire(&ada(), retired)).unwrap();
    let held = block_on(engine.quarantine(&ada(), id)).unwrap();
    assert_eq!(held.changed, [id, second, third]);
    // What is retired may not come back around it.
    let fault = input_fault(block_on(engine.restore(&ada(), retired)));
    assert_eq!(
        fault,
        InputFault::WrongState {
            state: State::Quarantined
        }
    );
}

#[test]
fn what_is_held_back_hides_nothing() {
    let engine = engine();
    let good = put(&engine, item("the tests run with make"));
    let bad = RememberItem {
        supersedes: Some(good),
        ..untrusted("the tests run with curl")
    };
    let fault = input_fault(try_write(&engine, &Remember::new(ada(), vec![bad])));
    assert_eq!(
        fault,
        InputFault::WrongState {
            state: State::Quarantined
        }
    );
    let mut claim = fact("gate", "curl");
    claim.untrusted = true;
    let good = put(&engine, fact("gate", "make"));
    let held = write(&engine, vec![claim]);
    assert_eq!((held.superseded.len(), held.disputed.len()), (0, 0));
    assert_eq!(one(&engine, good).state, State::Active);
    let fault = input_fault(block_on(engine.promote(&ada(), held.stored[0].id)));
    assert_eq!(fault, InputFault::Held);
}

#[test]
fn sources_that_are_not_seen_do_not_exist() {
    let engine = engine();
    let private = put(
        &engine,
        RememberItem {
            private: true,
            ..item("a private thing")
        },
    );
    for by in [bob(), principal("a/c")] {
        let made = RememberItem {
            derived_from: vec![private],
            ..item("made of it")
        };
        let kind = store_kind(try_write(&engine, &Remember::new(by, vec![made])));
        assert_eq!(kind, StoreErrorKind::NotFound);
    }
}

#[test]
fn audiences_do_not_touch_each_other() {
    let engine = engine();
    let group = |by: Principal| Principal {
        grants: Grants {
            groups: vec![name("ops")],
            ..Grants::all()
        },
        ..by
    };
    let ops = group(ada());
    let say = |by: &Principal, item: RememberItem| {
        try_write(&engine, &Remember::new(by.clone(), vec![item])).unwrap()
    };
    let claim = |value: &str, readers: &[&str]| RememberItem {
        readers: readers.iter().map(|it| (*it).to_owned()).collect(),
        ..fact("floor", value)
    };
    let hidden = say(&ops, claim("1234", &["ops"]));
    let id = hidden.stored[0].id;
    let named = say(&ops, listed("the vault of Bea Smith is open", &["ops"]));
    let cid = named.stored[0].id;
    // Bob is not listed: neither text, nor claim, nor entity, nor id has an effect on him.
    assert_eq!(all(&engine, &bob()), []);
    assert_eq!(entities(&engine, &bob()), []);
    let written = say(&bob(), claim("9999", &[]));
    assert_eq!((written.superseded.len(), written.disputed.len()), (0, 0));
    assert_eq!(
        say(&bob(), item("the vault of Bea Smith is open")).deduplicated,
        []
    );
    assert_eq!(
        say(&bob(), printed("the vault of Bea Smith is open"))
            .deduplicated
            .len(),
        0
    );
    assert_eq!(say(&bob(), printed(&format!("see {cid}"))).stored.len(), 1);
    assert_eq!(entities(&engine, &bob()).len(), 1);
    assert_eq!(entities(&engine, &ops).len(), 2);
    // Nor has a list that leaves its writer out.
    let request = Remember::new(bob(), vec![claim("0000", &["ops"])]);
    assert_eq!(
        input_fault(try_write(&engine, &request)),
        InputFault::Unlisted
    );
    // Within the audience, it all works, again and again.
    assert_eq!(
        say(&group(bob()), claim("1234", &["ops"])).deduplicated,
        [id]
    );
    assert_eq!(say(&group(bob()), claim("5678", &["ops"])).superseded, [id]);
    assert_eq!(
        say(&ops, listed("Bea Smith left the vault", &["ops"]))
            .stored
            .len(),
        1
    );
    assert_eq!(entities(&engine, &ops).len(), 2);
}

#[test]
fn one_name_is_one_entity_of_its_audience() {
    let engine = engine();
    let ids = |id| {
        one(&engine, id)
            .mentions
            .iter()
            .map(|it| it.entity)
            .collect::<Vec<_>>()
    };
    let first = ids(put(&engine, item("we met Ann Smith at the office")));
    assert_eq!(first.len(), 1);
    let second = ids(put(&engine, item("ANN SMITH's desk is over there")));
    assert_eq!(second, first, "whatever its form");
    let twice = ids(put(&engine, item("「青い鳥」は良い本です")));
    let again = ids(put(&engine, item("昨日は青い鳥を読んだ")));
    assert_eq!((twice.len(), &again), (1, &twice));
    let named = RememberItem {
        entities: vec!["Db_Users".to_owned(), "  ".to_owned()],
        ..item("that table is large")
    };
    assert_eq!(ids(put(&engine, named)).len(), 1);
    let private = RememberItem {
        private: true,
        ..item("Ann Smith has a secret")
    };
    assert_ne!(ids(put(&engine, private)), first);
    let request = Remember::new(principal("a"), vec![item("we met Ann Smith there as well")]);
    try_write(&engine, &request).unwrap();
    assert_eq!(entities(&engine, &ada()).len(), 5);
    assert_eq!(entities(&engine, &principal("a")).len(), 1);
}

#[test]
fn the_local_lane_leaves_the_registry_alone() {
    let engine = engine();
    put(&engine, item("we met Ann Smith at the office"));
    let before = entities(&engine, &ada());
    let request = Remember {
        lane: WriteLane::LocalOnly,
        ..Remember::new(
            ada(),
            vec![RememberItem {
                entities: vec!["Carl".to_owned(), "ann smith".to_owned()],
                ..item("Bea Jones was there too")
            }],
        )
    };
    let id = try_write(&engine, &request).unwrap().stored[0].id;
    assert_eq!(
        one(&engine, id).mentions.len(),
        1,
        "the known one of its names"
    );
    assert_eq!(entities(&engine, &ada()), before);
}

#[test]
fn given_names_come_first_when_there_are_too_many() {
    let mut parts = parts();
    parts.limits.entities = 2;
    let engine = Engine::new(parts);
    let named = RememberItem {
        entities: vec!["zebra".to_owned(), "yak".to_owned()],
        ..item("Ann Smith and Bea Jones met")
    };
    let names = one(&engine, put(&engine, named)).mentions;
    let mut names: Vec<String> = names.iter().map(|it| it.name.to_string()).collect();
    names.sort();
    assert_eq!(names, ["yak", "zebra"]);
}

#[test]
fn a_model_may_recognise_another_name() {
    let model = Arc::new(Model::new(&[], &[]));
    let engine = Engine::new(Parts {
        reasoner: Some(model.clone()),
        ..parts()
    });
    put(&engine, item("we met Ann Smith at the office"));
    *model.same.lock().unwrap() = vec![Ok(Some(0)), Ok(Some(7))];
    put(&engine, item("Ann Smith is also known as Annie Smith"));
    let known = entities(&engine, &ada());
    assert_eq!((known.len(), known[0].names.len()), (1, 2));
    put(&engine, item("Annie Smith has left the office"));
    assert_eq!(model.calls(), [0, 0, 1]);
    // An answer that names nobody is no answer.
    let request = Remember::new(ada(), vec![item("Ann Smith met Ann Jones")]);
    assert!(try_write(&engine, &request).is_err());
}

/// The lane asks no model about names: what has another name is another entity.
#[test]
fn entities_are_told_apart_without_a_model_where_that_is_asked_for() {
    let model = Arc::new(Model::new(&[], &[]));
    let engine = Engine::new(Parts {
        reasoner: Some(model.clone()),
        ..parts()
    });
    for text in [
        "we met Ann Smith at the office",
        "Ann Smith is also known as Annie Smith",
    ] {
        let request = Remember {
            lane: WriteLane::DeterministicEntities,
            ..Remember::new(ada(), vec![item(text)])
        };
        assert!(try_write(&engine, &request).is_ok());
    }
    assert_eq!(model.calls(), [0, 0, 0]);
    assert_eq!(entities(&engine, &ada()).len(), 2);
}

#[test]
fn writers_who_name_the_same_at_once_end_with_one_entity() {
    let engine = engine();
    std::thread::scope(|scope| {
        for n in 0..8 {
            let engine = engine.clone();
            scope.spawn(move || put(&engine, item(&format!("number {n} met Ann Smith today"))));
        }
    });
    assert_eq!(all(&engine, &ada()).len(), 8);
    assert_eq!(entities(&engine, &ada()).len(), 1);
}

/// What was made of memories is for those who may see all of them, and for nobody else.
#[test]
fn what_is_derived_keeps_the_audience_of_its_sources() {
    let engine = engine();
    let ids: Vec<MemoryId> = [
        listed("the plan for the merger", &["ada", "bob"]),
        listed("the price of the merger", &["ada", "carol"]),
        RememberItem {
            private: true,
            ..item("what I think of the merger")
        },
    ]
    .map(|item| put(&engine, item))
    .to_vec();
    let derived = |text: &str, sources: &[MemoryId]| RememberItem {
        derived_from: sources.to_vec(),
        ..item(text)
    };
    let of_one = one(
        &engine,
        put(&engine, derived("a summary of the plan", &ids[..1])),
    );
    assert_eq!(of_one.readers, [name("ada"), name("bob")]);
    let of_two = one(
        &engine,
        put(&engine, derived("a summary of both", &ids[..2])),
    );
    assert_eq!(of_two.readers, [name("ada")]);
    let of_all = one(&engine, put(&engine, derived("a summary of all", &ids)));
    assert!(of_all.private && of_all.readers == [name("ada")]);
    let narrowed = RememberItem {
        readers: vec!["ada".to_owned(), "dan".to_owned()],
        ..derived("a summary for fewer", &ids[..1])
    };
    assert_eq!(one(&engine, put(&engine, narrowed)).readers, [name("ada")]);
    let nobody = RememberItem {
        readers: vec!["dan".to_owned()],
        ..derived("a summary for somebody else", &ids[..1])
    };
    let refused = try_write(&engine, &Remember::new(ada(), vec![nobody]));
    assert!(matches!(
        refused,
        Err(EngineError::Input(
            InputFault::Unlisted | InputFault::NoReader
        ))
    ));
}
