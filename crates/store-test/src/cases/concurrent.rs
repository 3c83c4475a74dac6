//! Requests that are under way together end as if they had come one after the other.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::task::Poll;

use futures_util::future::join_all;
use precedent_core::{
    Change, Committed, EntityKey, EntityQuery, Expect, Memory, MemoryId, MemoryQuery, Mention,
    Retry, State, StoreError, StoreErrorKind,
};

use crate::case::stories;
use crate::data::{
    HOME, all_entities, claim, clean, entity, entity_id, erase, home, memory, memory_id,
    name_entity, place, put, supersede, topic,
};
use crate::store::TestStore;
use crate::view::Viewer;
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("concurrent":
    commits_form_one_chain,
    refused_commits_take_no_others_with_them,
    one_of_several_rivals_wins,
    the_same_request_is_applied_once,
    writers_of_one_topic_leave_one_line,
    writers_of_one_name_make_one_entity,
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

/// How many write at once.
const WRITERS: u64 = 16;
/// How often a writer builds its request anew at most; each round one of them succeeds.
const ROUNDS: u64 = 4 * WRITERS;

/// What writer `n` states under the topic that all of them write.
fn statement(n: u64) -> Memory {
    Memory {
        claim: Some(claim("user", "city", &format!("city {n}"))),
        ..memory(n, &format!("lives in city {n}"))
    }
}

/// Reads what is held under the topic, and replaces it by what writer `n` states; builds the
/// request anew whenever somebody came first. Returns what it replaced.
async fn replace_by_comparing(store: &TestStore, n: u64) -> (Committed, Option<MemoryId>) {
    for _ in 0..ROUNDS {
        let query = MemoryQuery {
            topic: Some(topic("user", "city")),
            states: vec![State::Active],
            ..MemoryQuery::all(home(), 100)
        };
        let held = store.backend.find_memories(&query).await;
        let held: Vec<MemoryId> = held.expect("memories").iter().map(|m| m.id).collect();
        assert!(held.len() <= 1, "two heads: {held:?}");
        pause().await;
        let mut new = statement(n);
        new.supersedes = held.first().copied();
        let replaced = new.supersedes;
        let mut changes = vec![put(new)];
        changes.extend(replaced.map(|old| supersede(old, memory_id(n))));
        let expect = Expect::Holding {
            place: place(HOME, None),
            topic: topic("user", "city"),
            memories: held,
        };
        match store.try_commit(vec![expect], changes).await {
            Ok(done) => return (done, replaced),
            Err(error) => {
                let advice = (error.kind, error.retry);
                assert_eq!(advice, (StoreErrorKind::Conflict, Retry::Rebuild));
            }
        }
    }
    unreachable!("one writer succeeds each round, so all have within as many rounds")
}

/// Lets the others go first once, so that all read before any writes.
async fn pause() {
    let mut waited = false;
    poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Sixteen writers who compare and swap on one topic leave one memory in force, and one line of
/// replacements that holds what each of them wrote.
async fn writers_of_one_topic_leave_one_line(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let writers = (1..=WRITERS).map(|n| replace_by_comparing(&store, n));
    let written = join_all(writers.collect::<Vec<_>>()).await;
    let memories = store.memories(&home()).await;
    assert_eq!(memories.len() as u64, WRITERS, "no write is lost");
    let heads: Vec<&Memory> = memories.iter().filter(|m| m.state.is_in_force()).collect();
    assert_eq!(heads.len(), 1, "one is in force");
    let mut line = vec![heads[0].id];
    while let Some(older) = memories
        .iter()
        .find(|m| m.superseded_by == line.last().copied())
    {
        line.push(older.id);
        assert!(line.len() <= memories.len(), "the line ends");
    }
    assert_eq!(line.len(), memories.len(), "all are on the line");
    for pair in line.windows(2) {
        let newer = memories.iter().find(|memory| memory.id == pair[0]);
        assert_eq!(newer.and_then(|newer| newer.supersedes), Some(pair[1]));
    }
    let replaced: BTreeSet<Option<MemoryId>> = written.iter().map(|(_, old)| *old).collect();
    assert_eq!(replaced.len() as u64, WRITERS, "nothing is replaced twice");
    let answers: Vec<Committed> = written.into_iter().map(|(done, _)| done).collect();
    assert_one_chain(&store, &answers).await;
}

/// Finds the entity of a name, or records it under an id of writer `n`, and writes a memory that
/// mentions it; looks again whenever somebody came first.
async fn mention_by_name(store: &TestStore, n: u64) -> Committed {
    for _ in 0..ROUNDS {
        let query = EntityQuery {
            key: EntityKey::Names(vec!["ann".into()]),
            ..all_entities(&home())
        };
        let known = store.backend.entities(&query).await.expect("entities");
        assert!(known.len() <= 1, "two entities of one name: {known:?}");
        pause().await;
        let mut changes = Vec::new();
        let known = known.first().map(|entity| entity.id);
        if known.is_none() {
            changes.push(name_entity(entity(n, &["Ann"])));
        }
        let mut memory = memory(n, "Ann was here");
        memory.mentions = vec![Mention {
            entity: known.unwrap_or(entity_id(n)),
            name: clean("Ann"),
        }];
        changes.push(put(memory));
        match store.try_commit(Vec::new(), changes).await {
            Ok(done) => return done,
            Err(error) => assert_eq!(error.kind, StoreErrorKind::Conflict),
        }
    }
    unreachable!("after the first success every writer finds the entity")
}

/// Sixteen writers who all meet a new name record one entity, and all mention that one.
async fn writers_of_one_name_make_one_entity(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let writers = (1..=WRITERS).map(|n| mention_by_name(&store, n));
    let answers = join_all(writers.collect::<Vec<_>>()).await;
    let known = store.backend.entities(&all_entities(&home())).await;
    let known = known.expect("entities");
    assert_eq!((known.len(), known[0].names.len()), (1, 1));
    let memories = store.memories(&home()).await;
    assert_eq!(memories.len() as u64, WRITERS, "no write is lost");
    for memory in memories {
        assert_eq!(memory.mentions[0].entity, known[0].id);
    }
    assert_one_chain(&store, &answers).await;
}
