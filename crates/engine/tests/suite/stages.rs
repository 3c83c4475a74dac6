//! Stages, providers that fail or misbehave, destinations, lanes and grants.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::support::doubles::{Answers, Model, Stages, Vectors, flat};
use crate::support::*;
use precedent_core::audit::Reason;
use precedent_core::{Classification, EmbedError, Grant, Grants, Trust};
use precedent_engine::{
    Destination, Engine, EngineError, InputFault, Parts, ReasonError, Remember, RememberItem,
    Stage, WriteLane,
};

const CONTENT: &str = "we met the whole team at noon";
const FACTS: [&str; 3] = [
    "the team met at noon",
    "the team is whole now",
    "lunch was at noon",
];

fn with(model: Model) -> (Engine, Arc<Model>) {
    let model = Arc::new(model);
    let reasoner = Some(model.clone() as Arc<dyn precedent_engine::Reasoner>);
    (
        Engine::new(Parts {
            reasoner,
            ..parts()
        }),
        model,
    )
}

fn embedding(vectors: Vectors) -> (Engine, Arc<Vectors>) {
    let vectors = Arc::new(vectors);
    let embedder = Some(vectors.clone() as Arc<dyn precedent_core::Embedder>);
    (
        Engine::new(Parts {
            embedder,
            ..parts()
        }),
        vectors,
    )
}

fn content(text: &str) -> Remember {
    Remember {
        extract: true,
        ..Remember::new(ada(), vec![item(text)])
    }
}

fn in_lane(lane: WriteLane, items: Vec<RememberItem>) -> Remember {
    Remember {
        lane,
        ..Remember::new(ada(), items)
    }
}

fn failed_at<T: std::fmt::Debug>(result: Result<T, EngineError>) -> (Stage, ReasonError) {
    match result {
        Err(EngineError::Reason { stage, error }) => (stage, error),
        other => panic!("{other:?} is no failure of a model"),
    }
}

fn refused_at<T: std::fmt::Debug>(result: Result<T, EngineError>) -> Destination {
    match result {
        Err(EngineError::Egress(egress)) => egress.destination,
        other => panic!("{other:?} is no refusal of a destination"),
    }
}

#[test]
fn stages_come_in_order_with_their_counts() {
    let (hook, model) = (
        Arc::new(Stages::default()),
        Model::new(&FACTS, &[Some(true); 3]),
    );
    let engine = Engine::new(Parts {
        reasoner: Some(Arc::new(model)),
        embedder: Some(Arc::new(Vectors::new(flat))),
        hook: Some(hook.clone()),
        ..parts()
    });
    try_write(&engine, &content(CONTENT)).unwrap();
    use Stage::{Classify, Commit, Compare, Embedding, Entities, Extraction, Verification};
    let expected = [
        (Classify, 1),
        (Extraction, 1),
        (Verification, 3),
        (Embedding, 3),
        (Entities, 3),
        (Compare, 3),
        (Commit, 3),
    ];
    assert_eq!(*hook.0.lock().unwrap(), expected);
}

#[test]
fn failures_of_a_model_are_charged_to_their_stage_and_store_nothing() {
    for error in [ReasonError::Unavailable, ReasonError::Malformed] {
        let (engine, model) = with(Model::new(&FACTS, &[]));
        *model.facts.lock().unwrap() = Err(error.clone());
        let failed = failed_at(try_write(&engine, &content(CONTENT)));
        assert_eq!(failed, (Stage::Extraction, error.clone()));
        assert_eq!((model.calls(), log(&engine).len()), ([1, 0, 0], 0));
        let (engine, model) = with(Model::new(&FACTS, &[]));
        *model.verdicts.lock().unwrap() = Err(error.clone());
        let failed = failed_at(try_write(&engine, &content(CONTENT)));
        assert_eq!(failed, (Stage::Verification, error));
        assert_eq!((model.calls(), log(&engine).len()), ([1, 1, 0], 0));
    }
}

#[test]
fn a_missing_verdict_is_a_no_and_too_many_are_none() {
    let (engine, model) = with(Model::new(&FACTS, &[Some(true), None]));
    let written = try_write(&engine, &content(CONTENT)).unwrap();
    assert_eq!(written.stored.len(), 1);
    let rejected: Vec<_> = written
        .rejected
        .iter()
        .map(|it| (it.candidate, it.reason))
        .collect();
    let no = Reason::FailedVerification;
    assert_eq!(rejected, [(1, no), (2, no)]);
    let denied = "reject denied failed-verification";
    assert_eq!(log(&engine), ["write ok", denied, denied]);
    assert_eq!(model.calls(), [1, 1, 0]);
    let (engine, _) = with(Model::new(&FACTS, &[Some(true); 4]));
    let failed = failed_at(try_write(&engine, &content(CONTENT)));
    assert_eq!(failed, (Stage::Verification, ReasonError::Malformed));
}

#[test]
fn every_fact_of_a_model_has_an_outcome() {
    let long = "word ".repeat(20_000);
    let facts = [
        &long,
        "ok",
        "nul \0 in the text",
        "the team met at noon",
        "beyond the limit it is",
    ];
    let (mut parts, model) = (parts(), Model::new(&facts, &[Some(true)]));
    parts.limits.facts = 4;
    parts.reasoner = Some(Arc::new(model));
    let engine = Engine::new(parts);
    let written = try_write(&engine, &content(CONTENT)).unwrap();
    let reasons: Vec<_> = written.rejected.iter().map(|it| it.reason).collect();
    use Reason::{LowInformation, Malformed, MaxFactsCap, TooLarge};
    assert_eq!(reasons, [TooLarge, LowInformation, Malformed, MaxFactsCap]);
    assert_eq!(written.stored.len(), 1);
    // None at all is an outcome of the content.
    let (engine, _) = with(Model::new(&[], &[]));
    let written = try_write(&engine, &content("hm ok")).unwrap();
    assert_eq!(written.rejected[0].reason, LowInformation);
}

#[test]
fn the_cap_counts_what_is_stored() {
    let engine = engine();
    put(&engine, item("the first of all facts"));
    let items = [
        "the first of all facts",
        "the second of all facts",
        "the third of all facts",
    ];
    let request = Remember {
        max_facts: Some(1),
        ..Remember::new(ada(), items.iter().map(|it| item(it)).collect())
    };
    let written = try_write(&engine, &request).unwrap();
    assert_eq!((written.deduplicated.len(), written.stored.len()), (1, 1));
    assert_eq!(written.rejected[0].reason, Reason::MaxFactsCap);
    assert_eq!(written.rejected[0].candidate, 2);
}

#[test]
fn an_outage_after_progress_is_one_candidates_outcome() {
    let met = || item("they met Bea Smith there");
    let items = |texts: &[&str]| texts.iter().map(|it| item(it)).collect::<Vec<_>>();
    let (engine, model) = with(Model::new(&[], &[]));
    write(&engine, vec![met()]);
    let outage = || Err(ReasonError::Unavailable);
    // Before: the request's.
    *model.same.lock().unwrap() = vec![outage()];
    let request = Remember::new(
        ada(),
        items(&["then Bea Smith met Bea Jones", "and went home soon"]),
    );
    let failed = failed_at(try_write(&engine, &request));
    assert_eq!(failed, (Stage::Entities, ReasonError::Unavailable));
    // After: the candidate's, and nothing of it stays.
    *model.same.lock().unwrap() = vec![outage()];
    let texts = [
        "and went home soon",
        "Carl Moe and Bea Smith met Bea Jones",
        "that is all of it",
    ];
    let written = try_write(&engine, &Remember::new(ada(), items(&texts))).unwrap();
    assert_eq!(written.stored.len(), 2);
    assert_eq!(written.rejected[0].reason, Reason::LlmUnavailable);
    assert_eq!(written.rejected[0].candidate, 1);
    let rows = log(&engine);
    let expected = ["write ok", "reject error llm-unavailable", "write ok"];
    assert_eq!(rows[rows.len() - 3..], expected);
    assert_eq!(
        rows.iter().filter(|row| *row == "entity ok").count(),
        1,
        "no orphans"
    );
}

#[test]
fn vectors_that_are_none_leave_texts_pending() {
    let nan: Answers = |n| vec![Ok(vec![f32::NAN, 0.8]); n];
    let answers: [Answers; 6] = [
        |_| Vec::new(),
        |n| flat(n - 1),
        |n| flat(n + 1),
        nan,
        |n| vec![Ok(vec![0.0, 0.0]); n],
        |n| vec![Err(EmbedError::Unavailable); n],
    ];
    for (at, answer) in answers.into_iter().enumerate() {
        let (engine, _) = embedding(Vectors::new(answer));
        let written = write(
            &engine,
            vec![item("one thing"), item("another"), item("third")],
        );
        assert_eq!(written.stored.len(), 3);
        assert!(written.stored.iter().all(|it| it.pending_vector), "{at}");
    }
    let (engine, vectors) = embedding(Vectors::new(|n| {
        let mut answers = flat(n);
        answers[0] = Ok(vec![1.0]);
        answers
    }));
    let written = write(&engine, vec![item("one thing"), item("another")]);
    let pending: Vec<bool> = written.stored.iter().map(|it| it.pending_vector).collect();
    assert_eq!((pending, vectors.calls()), (vec![true, false], 1));
}

#[test]
fn refused_candidates_are_not_embedded() {
    let model = Arc::new(Model::new(&FACTS, &[Some(true)]));
    let vectors = Arc::new(Vectors::new(flat));
    let engine = Engine::new(Parts {
        reasoner: Some(model),
        embedder: Some(vectors.clone()),
        ..parts()
    });
    try_write(&engine, &content(CONTENT)).unwrap();
    assert_eq!(vectors.texts.load(Ordering::SeqCst), 1);
}

#[test]
fn nothing_leaves_before_all_of_it_may() {
    let secret = RememberItem {
        classification: Classification::Restricted,
        ..item("the restricted thing")
    };
    let model = Arc::new(Model::new(&FACTS, &[Some(true); 3]));
    let vectors = Arc::new(Vectors {
        remote: true,
        ..Vectors::new(flat)
    });
    let both = || Parts {
        reasoner: Some(model.clone()),
        embedder: Some(vectors.clone()),
        ..parts()
    };
    let engine = Engine::new(both());
    let items = || vec![item(CONTENT), secret.clone()];
    let request = Remember {
        extract: true,
        ..Remember::new(ada(), items())
    };
    assert_eq!(
        refused_at(try_write(&engine, &request)),
        Destination::LlmExtraction
    );
    let plain = Remember::new(ada(), items());
    assert_eq!(
        refused_at(try_write(&engine, &plain)),
        Destination::EmbeddingProvider
    );
    let verbatim = in_lane(WriteLane::Verbatim, items());
    assert_eq!(
        refused_at(try_write(&engine, &verbatim)),
        Destination::EmbeddingProvider
    );
    let mut elsewhere = both();
    elsewhere.policy.region = Some("eu".to_owned());
    for clearance in elsewhere.policy.clearances.values_mut() {
        clearance.region = Some("us".to_owned());
    }
    let abroad = try_write(
        &Engine::new(elsewhere),
        &Remember::new(ada(), vec![item("plain")]),
    );
    assert_eq!(refused_at(abroad), Destination::CanonicalStore);
    assert_eq!((model.calls(), vectors.calls()), ([0, 0, 0], 0));
    assert_eq!(log(&engine), Vec::<String>::new());
    // Within the process, everything may be stored.
    let local = in_lane(WriteLane::LocalOnly, items());
    let written = try_write(&engine, &local).unwrap();
    assert!(written.stored.iter().all(|it| it.pending_vector));
    assert_eq!((model.calls(), vectors.calls()), ([0, 0, 0], 0));
}

#[test]
fn a_tie_break_is_an_egress_too() {
    let (engine, model) = with(Model::new(&[], &[]));
    write(&engine, vec![item("they met Bea Smith there")]);
    let secret = RememberItem {
        classification: Classification::Confidential,
        ..item("then Bea Smith met Bea Jones")
    };
    let request = Remember::new(ada(), vec![secret]);
    assert_eq!(
        refused_at(try_write(&engine, &request)),
        Destination::LlmExtraction
    );
    assert_eq!(model.calls(), [0, 0, 0]);
}

#[test]
fn what_had_to_be_masked_is_classified_higher() {
    let secret = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let mut tagged = item("a note with a tag");
    tagged.tags = vec![secret.clone()];
    let mut about = item("a note with a context");
    about
        .context
        .insert("password".to_owned(), "hunter2hunter2".to_owned());
    let stated = item("a note with a claim").stating(Some("user"), "token", Some(&secret));
    for item in [item(&format!("token {secret}")), tagged, about, stated] {
        let engine = engine();
        let request = in_lane(WriteLane::Verbatim, vec![item]);
        let id = try_write(&engine, &request).unwrap().stored[0].id;
        let memory = one(&engine, id);
        assert_eq!(memory.classification, Classification::Confidential);
        assert!(!format!("{memory:?}{:?}", memory.claim).contains("16C7e42F"));
    }
}

#[test]
fn lanes_and_standings_have_to_be_granted() {
    let engine = engine();
    let as_granted = |grants: &[Grant], lane, trust| {
        let mut by = ada();
        by.grants = Grants::of(grants);
        let item = RememberItem {
            trust,
            ..item("a thing to remember")
        };
        let request = Remember {
            lane,
            ..Remember::new(by, vec![item])
        };
        try_write(&engine, &request)
    };
    use Grant::{LocalOnly, Verbatim, Vouch, Write};
    let (no, user) = (Trust::Unverified, Trust::User);
    for (grants, lane, trust, missing) in [
        (&[][..], WriteLane::Normal, no, Write),
        (&[Write], WriteLane::Verbatim, no, Verbatim),
        (&[Write], WriteLane::LocalOnly, no, LocalOnly),
        (&[Write], WriteLane::Normal, user, Vouch),
    ] {
        let fault = input_fault(as_granted(grants, lane, trust));
        assert_eq!(fault, InputFault::NotGranted(missing));
    }
    assert!(as_granted(&[Write, Verbatim, Vouch], WriteLane::Verbatim, user).is_ok());
}

#[test]
fn the_verbatim_lane_asks_no_model_and_filters_what_says_nothing() {
    let (engine, model) = with(Model::new(&FACTS, &[Some(true); 3]));
    let ingest = |text: &str| Remember {
        lane: WriteLane::Verbatim,
        ..content(text)
    };
    let text = "My name is Ann. I like tea [entities: tea]";
    let written = try_write(&engine, &ingest(text)).unwrap();
    let memory = one(&engine, written.stored[0].id);
    assert_eq!((&*memory.text, memory.claim), (text, None));
    let little = try_write(&engine, &ingest("ok then")).unwrap();
    assert_eq!(little.rejected[0].reason, Reason::LowInformation);
    assert_eq!(model.calls(), [0, 0, 0]);
}
