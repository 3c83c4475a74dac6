//! Requests that come again, meet a store that fails, or are at fault themselves.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use precedent_core::{MemStore, Trust};
use precedent_engine::{Engine, InputFault, Parts, Remember, RememberItem};

use crate::support::doubles::{Model, Vectors, flat, space};
use crate::support::fault::Faults;
use crate::support::*;

const CONTENT: &str = "we met the whole team at noon";
const FACTS: [&str; 3] = [
    "the team met at noon",
    "the team is whole now",
    "lunch was at noon",
];

fn content(text: &str) -> Remember {
    Remember {
        extract: true,
        ..Remember::new(ada(), vec![item(text)])
    }
}

#[test]
fn one_key_means_one_record_however_often_it_is_sent() {
    let store = Arc::new(Faults::new(MemStore::new(Some(space()))));
    let (model, vectors) = (
        Arc::new(Model::new(&FACTS, &[Some(true); 3])),
        Arc::new(Vectors::new(flat)),
    );
    let engine = Engine::new(Parts {
        reasoner: Some(model.clone()),
        embedder: Some(vectors.clone()),
        ..over(store.clone())
    });
    let request = Remember {
        idempotency_key: Some("k".to_owned()),
        ..content(CONTENT)
    };
    store.lose.store(1, Ordering::SeqCst);
    assert!(
        try_write(&engine, &request).is_err(),
        "the first answer is lost"
    );
    let calls = (model.calls(), vectors.calls());
    let mut answers = Vec::new();
    for _ in 0..5 {
        std::thread::scope(|scope| {
            let send = || scope.spawn(|| try_write(&engine, &request).unwrap());
            let sent: Vec<_> = (0..8).map(|_| send()).collect();
            answers.extend(sent.into_iter().map(|it| it.join().unwrap()));
        });
    }
    assert_eq!(answers.len(), 40);
    assert!(answers.iter().all(|it| *it == answers[0]));
    assert_eq!(answers[0].stored.len(), 3);
    assert_eq!(log(&engine).len(), 3);
    assert_eq!(
        (model.calls(), vectors.calls()),
        calls,
        "a replay asks nobody"
    );
    let other = Remember {
        max_facts: Some(1),
        ..request.clone()
    };
    let kind = store_kind(try_write(&engine, &other));
    assert_eq!(kind, precedent_core::StoreErrorKind::CommitReused);
    // Another actor's key is another key.
    let by = bob();
    let others = Remember { by, ..request };
    assert!(!try_write(&engine, &others).unwrap().replayed);
}

#[test]
fn first_sends_at_once_get_one_answer() {
    let engine = engine();
    let request = Remember {
        idempotency_key: Some("k".to_owned()),
        ..Remember::new(ada(), vec![fact("name", "Ann"), item("and a second thing")])
    };
    let mut answers = Vec::new();
    std::thread::scope(|scope| {
        let send = || scope.spawn(|| try_write(&engine, &request).unwrap());
        let sent: Vec<_> = (0..8).map(|_| send()).collect();
        answers.extend(sent.into_iter().map(|it| it.join().unwrap()));
    });
    assert_eq!(answers.iter().filter(|it| !it.replayed).count(), 1);
    for answer in &mut answers {
        answer.replayed = false;
    }
    assert!(answers.iter().all(|it| *it == answers[0]));
}

#[test]
fn a_replay_says_what_the_first_answer_said() {
    let mut parts = parts();
    parts.embedder = Some(Arc::new(Vectors::new(flat)));
    let engine = Engine::new(parts);
    let rule = RememberItem {
        trust: Trust::User,
        ..fact("gate", "make")
    };
    let old = write(
        &engine,
        vec![rule, fact("name", "A"), item("the very same words")],
    );
    let items = vec![
        fact("gate", "just"),
        fact("name", "B"),
        item("the very same words"),
        item("almost the same words"),
        RememberItem {
            untrusted: true,
            ..item("from somewhere on the web")
        },
        RememberItem {
            source: precedent_core::Source::ToolResult,
            ..fact("name", "A")
        },
    ];
    let request = Remember {
        idempotency_key: Some("k".to_owned()),
        ..Remember::new(ada(), items)
    };
    let first = try_write(&engine, &request).unwrap();
    let counts = [
        first.stored.len(),
        first.disputed.len(),
        first.superseded.len(),
        first.deduplicated.len(),
        first.quarantined.len(),
        first.rejected.len(),
    ];
    assert_eq!(counts, [4, 1, 1, 1, 1, 1], "{first:?}");
    assert_eq!(first.rejected[0].of, Some(old.stored[1].id));
    assert!(!first.similar.is_empty());
    let again = try_write(&engine, &request).unwrap();
    assert!(again.replayed);
    assert_eq!(
        precedent_engine::WriteResult {
            replayed: false,
            ..again
        },
        first
    );
}

#[test]
fn faults_of_the_store_store_nothing_or_all() {
    let store = Arc::new(Faults::new(MemStore::new(Some(space()))));
    let engine = Engine::new(over(store.clone()));
    let request = Remember::new(ada(), vec![fact("name", "Ann")]);
    for fault in [&store.refuse, &store.reads] {
        fault.store(1, Ordering::SeqCst);
        assert!(try_write(&engine, &request).is_err());
        assert_eq!(log(&engine).len(), 0);
    }
    store.conflict.store(20, Ordering::SeqCst);
    store.logs.store(1, Ordering::SeqCst);
    let written = try_write(&engine, &request).unwrap();
    assert_eq!(
        written.stored.len(),
        1,
        "conflicts are resolved, and the answer needs no read"
    );
    store.logs.store(0, Ordering::SeqCst);
    store.conflict.store(1000, Ordering::SeqCst);
    let request = Remember::new(ada(), vec![fact("name", "Bea")]);
    assert_eq!(
        store_kind(try_write(&engine, &request)),
        precedent_core::StoreErrorKind::Conflict,
        "what others kept changing is said as it is"
    );
    store.conflict.store(0, Ordering::SeqCst);
    assert_eq!(log(&engine), ["write ok"]);
}

#[test]
fn bad_input_is_told_apart() {
    let engine = engine();
    let fault =
        |item: RememberItem| input_fault(try_write(&engine, &Remember::new(ada(), vec![item])));
    let many = |n: usize| (0..n).map(|n| format!("n{n}")).collect::<Vec<_>>();
    assert_eq!(
        fault(item("x").stating(Some(" "), "k", None)),
        InputFault::EmptyClaim
    );
    assert_eq!(
        fault(item("x").stating(None, "\t", None)),
        InputFault::EmptyClaim
    );
    let nul = item("x").stating(None, "a\0b", None);
    assert_eq!(fault(nul), InputFault::NulByte("key"));
    let long = item("x").stating(None, "k", Some(&"v".repeat(5000)));
    assert!(matches!(
        fault(long),
        InputFault::FieldTooLong {
            what: "value",
            bytes: 5000,
            ..
        }
    ));
    let of = |what: &'static str, count| InputFault::TooMany {
        what,
        count,
        limit: count - 1,
    };
    let entities = RememberItem {
        entities: many(65),
        ..item("x")
    };
    assert_eq!(fault(entities), of("entities", 65));
    let readers = RememberItem {
        readers: many(65),
        ..item("x")
    };
    assert_eq!(fault(readers), of("readers", 65));
    let id = |n: u8| precedent_core::MemoryId::from_bytes([n; 16]);
    let sources = (0..=255)
        .map(id)
        .chain([precedent_core::MemoryId::from_bytes([9; 16])]);
    let sources = RememberItem {
        derived_from: sources.collect(),
        ..item("x")
    };
    assert_eq!(fault(sources), of("sources", 257));
    let readers = RememberItem {
        readers: vec!["b\0b".to_owned()],
        ..item("x")
    };
    assert_eq!(fault(readers), InputFault::NulByte("reader"));
    let strangers = RememberItem {
        readers: vec!["bob".to_owned()],
        ..item("x")
    };
    assert_eq!(fault(strangers), InputFault::Unlisted);
    let past = RememberItem {
        valid_to: Some(at(1)),
        ..item("x")
    };
    assert_eq!(fault(past), InputFault::EmptyValidity);
    assert_eq!(log(&engine), Vec::<String>::new());
}
