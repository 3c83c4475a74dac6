//! Statistics are summed over the partitions that a reader sees of the kinds asked for.

use precedent_core::{Kind, Memory, Scope, State};
use precedent_store_test::data::{memory, name, namespace, scope};
use precedent_store_test::store::TestStore;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::corpus::{documents, laws, questions, with_exact_lengths};
use crate::index::Oracle;
use crate::scores::{ask, compare};
use crate::stores::each;

/// Where memories are; the readers see the first two most of all.
const PATHS: &[&str] = &[
    "team",
    "team",
    "team/app",
    "team/app",
    "team/app/x",
    "team/ap",
    "teams",
    "other",
];
const READERS: &[(&str, &str)] = &[
    ("team/app/x", "a1"),
    ("team/app", "a2"),
    ("teams", "a1"),
    ("team", "a1"),
];

/// Tells whether a reader sees a memory, from the documented rule: a reader sees its own namespace
/// and those above it, by whole segments, and of private memories its own.
fn sees(reader: &Scope, memory: &Memory) -> bool {
    let segments = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
    let own = segments(reader.namespace.as_str());
    own.starts_with(&segments(memory.namespace.as_str()))
        && (!memory.private || memory.agent == reader.agent)
}

fn placed(n: u64) -> impl Strategy<Value = Memory> {
    let state = prop_oneof![
        6 => Just(State::Active),
        1 => select(vec![State::Disputed, State::Dormant, State::Quarantined]),
    ];
    let agent = select(vec!["a1", "a2"]);
    let private = prop::bool::weighted(0.3);
    (
        documents(),
        select(PATHS),
        agent,
        private,
        select(Kind::ALL),
        state,
    )
        .prop_map(move |(text, path, agent, private, kind, state)| {
            with_exact_lengths(Memory {
                namespace: namespace(path),
                agent: name(agent),
                private,
                kind,
                state,
                ..memory(n, &text)
            })
        })
}

/// Up to sixty memories anywhere, of any kind, shared and private, in several states.
pub fn population() -> impl Strategy<Value = Vec<Memory>> {
    (1..60u64).prop_flat_map(|count| (1..=count).map(placed).collect::<Vec<_>>())
}

/// What one reader sees of the kinds asked for, and an oracle that holds just that.
pub struct View {
    reader: Scope,
    seen: Vec<Memory>,
    oracle: Oracle,
}

/// Makes the views of readers below, beside and above, of two agents.
pub fn views(memories: &[Memory], kinds: &[Kind]) -> Vec<View> {
    READERS
        .iter()
        .map(|(path, agent)| {
            let reader = scope(path, agent);
            let seen: Vec<Memory> = memories
                .iter()
                .filter(|memory| sees(&reader, memory) && kinds.contains(&memory.kind))
                .cloned()
                .collect();
            let oracle = Oracle::new(&seen);
            View {
                reader,
                seen,
                oracle,
            }
        })
        .collect()
}

/// Compares what the readers find with what their oracles hold.
pub async fn compare_views(
    store: &TestStore,
    views: &[View],
    kinds: &[Kind],
    questions: &[String],
) {
    for (view, text) in views
        .iter()
        .flat_map(|view| questions.iter().map(move |text| (view, text)))
    {
        let mut query = ask(kinds, text);
        query.scope = view.reader.clone();
        compare(store, &view.oracle, &view.seen, &query).await;
    }
}

proptest! {
    #![proptest_config(laws(32))]

    #[test]
    fn each_reader_has_the_statistics_of_what_it_sees(
        memories in population(),
        kinds in subsequence(Kind::ALL, 1..=Kind::ALL.len()),
        questions in questions(16),
    ) {
        let views = views(&memories, &kinds);
        each(async |store| {
            store.put(memories.iter().cloned()).await;
            compare_views(store, &views, &kinds, &questions).await;
        });
    }
}
