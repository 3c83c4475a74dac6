//! Requests that are under way together end as if they had come one after the other.

use futures_util::future::join_all;
use precedent_core::{Change, Committed, Expect, StoreError, StoreErrorKind};

use crate::case::stories;
use crate::data::{erase, home, memory, memory_id, put};
use crate::store::TestStore;
use crate::view::Viewer;
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("concurrent":
    commits_form_one_chain,
    refused_commits_take_no_others_with_them,
    one_of_several_rivals_wins,
    the_same_request_is_applied_once,
);

async fn send_all(
    store: &TestStore,
    bodies: impl IntoIterator<Item = (Vec<Expect>, Vec<Change>)>,
) -> Vec<Result<Committed, StoreError>> {
    let requests = bodies
        .into_iter()
        .map(|(expects, changes)| store.send(store.request(expects, changes)));
    join_all(requests.collect::<Vec<_>>()).await
}

/// Asserts that the log is one unbroken chain that holds the facts of each answer in one run, and
/// that it holds nothing else.
async fn assert_one_chain(store: &TestStore, answers: &[Committed]) {
    let viewer = Viewer {
        scopes: Vec::new(),
        texts: Vec::new(),
        receipts: 0,
    };
    let view = viewer.look(store.backend.as_ref()).await;
    assert!((0..).zip(&view.log).all(|(seq, entry)| entry.seq == seq));
    let facts: usize = answers.iter().map(|answer| answer.facts.len()).sum();
    assert_eq!(view.log.len(), 1 + facts, "the opening entry and the facts");
    for answer in answers {
        let last = answer.facts.last().map(|fact| fact.seq + 1);
        assert_eq!(last, Some(answer.head.size));
        let run = answer.facts.iter().map(|fact| fact.seq);
        let first = answer.facts[0].seq;
        assert!(
            run.eq(first..answer.head.size),
            "a commit's facts stand together"
        );
        for fact in &answer.facts {
            let entry = view.log.iter().find(|entry| entry.seq == fact.seq);
            let entry = entry.map(|entry| (entry.op, entry.memory));
            assert_eq!(entry, Some((fact.op, fact.memory)));
        }
    }
    let end = answers
        .iter()
        .map(|answer| answer.head)
        .max_by_key(|head| head.size);
    assert_eq!(view.head, end);
}

/// Thirty-two commits that do not touch each other all succeed, in one chain.
async fn commits_form_one_chain(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let bodies = (0..32).map(|n| {
        let pair = [2 * n, 2 * n + 1].map(|n| put(memory(n, "red")));
        (Vec::new(), pair.to_vec())
    });
    let answers: Result<Vec<Committed>, _> = send_all(&store, bodies).await.into_iter().collect();
    let answers = answers.expect("nothing stands in the way of any");
    assert_one_chain(&store, &answers).await;
    assert_eq!(store.memories(&home()).await.len(), 64);
}

/// Refused commits among others leave the others, and the chain, whole.
async fn refused_commits_take_no_others_with_them(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let bodies = (1..=24).map(|n| {
        let mut changes = vec![put(memory(n, "red"))];
        let mut expects = Vec::new();
        match n % 4 {
            0 => changes.push(erase(n, "team", &[memory_id(900)])),
            1 => expects.push(Expect::Version(memory_id(900), 1)),
            2 => changes.push(put(memory(n, "twice"))),
            _ => {}
        }
        (expects, changes)
    });
    let answers = send_all(&store, bodies).await;
    let mut done = Vec::new();
    for (n, answer) in (1..).zip(answers) {
        let expected = match n % 4 {
            0 => Some(StoreErrorKind::NotFound),
            1 | 2 => Some(StoreErrorKind::Conflict),
            _ => None,
        };
        let refusal = answer.as_ref().err().map(|error| error.kind);
        assert_eq!(refusal, expected, "number {n}");
        done.extend(answer);
    }
    assert_one_chain(&store, &done).await;
    let left: Vec<_> = store.memories(&home()).await.iter().map(|m| m.id).collect();
    let expected: Vec<_> = (1..=24).filter(|n| n % 4 == 3).map(memory_id).collect();
    assert_eq!(left, expected);
}

/// Of several commits that each expect an id to be absent, exactly one writes it.
async fn one_of_several_rivals_wins(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let rivals = (0..16).map(|n| {
        let text = format!("rival {n}");
        (
            vec![Expect::Absent(memory_id(1))],
            vec![put(memory(1, &text))],
        )
    });
    let answers = send_all(&store, rivals).await;
    let refused = answers.iter().filter_map(|answer| answer.as_ref().err());
    assert!(
        refused
            .clone()
            .all(|error| error.kind == StoreErrorKind::Conflict)
    );
    assert_eq!(refused.count(), 15);
    let won: Vec<Committed> = answers.into_iter().flatten().collect();
    assert_one_chain(&store, &won).await;
}

/// The same request several times at once is applied once, and all get the same answer.
async fn the_same_request_is_applied_once(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let request = store.request(Vec::new(), vec![put(memory(1, "red"))]);
    let sent = (0..8).map(|_| store.send(request.clone()));
    let answers = join_all(sent.collect::<Vec<_>>()).await;
    let answers: Result<Vec<Committed>, _> = answers.into_iter().collect();
    let mut answers = answers.expect("a replay is answered");
    let first = answers.iter().filter(|answer| !answer.replayed).count();
    assert_eq!(first, 1, "one of them was the first");
    for answer in &mut answers {
        answer.replayed = false;
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_one_chain(&store, &answers[..1]).await;
}
