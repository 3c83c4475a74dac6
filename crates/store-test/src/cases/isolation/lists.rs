//! Access lists: a record that has one is for those it names, by every way that leads to it.

use precedent_core::{
    EntityKey, EntityQuery, Expect, Kind, Lane, Memory, MemoryId, MemoryQuery, NamespaceCount,
    Place, RuleQuery, Scope,
};

use super::AROUND;
use crate::case::stories;
use crate::data::{
    HOME, all_contradictions, all_entities, at, axis, claim, contradict, digest, entity, entity_id,
    erase, home, listed, memory, memory_id, mention, name_entity, namespace, place, put, put_with,
    readers, retire, rule, rule_change, scope, supersede, topic,
};
use crate::store::{TestStore, both_query, hits, ids};
use crate::view::Viewer;
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("isolation":
    a_list_admits_whom_it_names,
    a_list_narrows_what_a_namespace_admits,
    no_method_leads_to_what_a_list_hides,
    records_outside_the_audience_move_no_score,
    audiences_are_told_apart_by_whole_lists,
    namespaces_are_counted_by_whole_segments,
);

fn for_readers(n: u64, names: &[&str]) -> Memory {
    Memory {
        readers: readers(names),
        ..memory(n, "red fox")
    }
}

fn numbers(numbers: &[u64]) -> Vec<MemoryId> {
    numbers.iter().copied().map(memory_id).collect()
}

/// An empty list admits everybody; another one whom it names, as actor or as a group, by the whole
/// name.
async fn a_list_admits_whom_it_names(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let lists: [&[&str]; 5] = [&[], &["u1"], &["g1"], &["g1", "g2", "u2"], &["a1"]];
    let memories = (1..).zip(lists).map(|(n, list)| for_readers(n, list));
    store
        .commit(memories.map(|m| put_with(m, Some(axis(0)))).collect())
        .await;
    for (names, expected) in [
        (&["u1"][..], &[1, 2][..]),
        (&["u1", "g1"], &[1, 2, 3, 4]),
        (&["u2"], &[1, 4]),
        (&["u3", "g2"], &[1, 4]),
        (&[], &[1]),
        (&["u"], &[1]),
        (&["u11", "U1", "g", "g11"], &[1]),
    ] {
        let reader = listed(names);
        let seen = store.memories(&reader).await;
        let seen: Vec<MemoryId> = seen.iter().map(|m| m.id).collect();
        assert_eq!(seen, numbers(expected), "{names:?}");
        let all = numbers(&[1, 2, 3, 4, 5]);
        let by_id = store.backend.memories(&reader, &all).await;
        assert_eq!(by_id.expect("memories").len(), expected.len());
        assert_eq!(ids(&store.by_words(&reader, "fox").await), seen);
        assert_eq!(ids(&store.by_vector(&reader, axis(0)).await), seen);
    }
}

/// A list takes readers away, it brings none: whom it names has to stand where the record is seen
/// from, and be its owner where it is private.
async fn a_list_narrows_what_a_namespace_admits(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let private = Memory {
        private: true,
        ..for_readers(2, &["u2"])
    };
    store.put([for_readers(1, &["u2"]), private]).await;
    let reader = |path, agent, name| Scope {
        names: readers(&[name]),
        ..scope(path, agent)
    };
    for (reader, expected) in [
        (reader(HOME, "a1", "u2"), &[1, 2][..]),
        (reader("team/app/sub", "a1", "u2"), &[1, 2]),
        (reader(HOME, "a2", "u2"), &[1]),
        (reader(HOME, "a1", "u1"), &[]),
        (reader("team", "a1", "u2"), &[]),
        (reader("team/app2", "a1", "u2"), &[]),
    ] {
        let seen = store.memories(&reader).await;
        let seen: Vec<MemoryId> = seen.iter().map(|m| m.id).collect();
        assert_eq!(seen, numbers(expected), "{reader:?}");
    }
}

/// Memories 1 and 3 are for all, 2 is for `u2` alone: it has the same claim and text, mentions an
/// entity of its own, is made of 1, replaces 3, contradicts 1 and has a rule.
async fn entangled(harness: &dyn Harness) -> TestStore {
    let store = TestStore::open(harness).await;
    let stating = |memory| Memory {
        claim: Some(claim("user", "name", "Ann")),
        ..memory
    };
    let hidden = Memory {
        mentions: vec![mention(2, "Ann")],
        derived_from: vec![memory_id(1)],
        supersedes: Some(memory_id(3)),
        ..stating(for_readers(2, &["u2"]))
    };
    let replaced = Memory {
        text: memory(3, "red owl").text,
        ..for_readers(3, &["u2"])
    };
    let mut of_hidden = entity(2, &["Ann"]);
    of_hidden.readers = readers(&["u2"]);
    let changes = vec![
        put_with(stating(memory(1, "red fox")), Some(axis(0))),
        put_with(replaced, Some(axis(1))),
        name_entity(of_hidden),
        put_with(hidden, Some(axis(0))),
        supersede(memory_id(3), memory_id(2)),
        contradict(1, 1, 2),
        rule_change(rule(2, memory_id(2))),
    ];
    store.commit(changes).await;
    store
}

/// The attributes by which memory 2 is found.
fn attributes(reader: &Scope) -> Vec<(&'static str, MemoryQuery)> {
    let all = || MemoryQuery::all(reader.clone(), 100);
    let by_digest = MemoryQuery {
        digest: Some(digest("red fox")),
        ..all()
    };
    let by_echo = MemoryQuery {
        echo: Some(digest("echo red fox")),
        ..all()
    };
    let by_topic = MemoryQuery {
        topic: Some(topic("user", "name")),
        ..all()
    };
    let by_entity = MemoryQuery {
        entity: Some(entity_id(2)),
        ..all()
    };
    let by_origin = MemoryQuery {
        derived_from: Some(memory_id(1)),
        ..all()
    };
    vec![
        ("find_memories", all()),
        ("by digest", by_digest),
        ("by echo", by_echo),
        ("by topic", by_topic),
        ("by entity", by_entity),
        ("by origin", by_origin),
    ]
}

/// Whether each method shows a reader something of memory 2.
async fn shown(store: &TestStore, reader: &Scope) -> Vec<(&'static str, bool)> {
    let backend = store.backend.as_ref();
    let is_hidden = |memory: &Memory| memory.id == memory_id(2);
    let mut shown = Vec::new();
    for (name, query) in attributes(reader) {
        let found = backend.find_memories(&query).await.expect("memories");
        shown.push((name, found.iter().any(is_hidden)));
    }
    let by_name = EntityQuery {
        key: EntityKey::Names(vec!["ann".into()]),
        ..all_entities(reader)
    };
    let by_entity_id = EntityQuery {
        key: EntityKey::Ids(vec![entity_id(2)]),
        ..all_entities(reader)
    };
    let rules = RuleQuery {
        scope: reader.clone(),
        keys: None,
        limit: 100,
    };
    let entities = async |query| !backend.entities(&query).await.expect("entities").is_empty();
    let revisions = backend.revisions(reader, memory_id(2)).await;
    let contradictions = backend.contradictions(&all_contradictions(reader)).await;
    let candidates = both_query(reader, Kind::ALL, "fox", axis(0));
    let candidates = store.candidates(&candidates).await;
    let found = |lane| ids(&hits(&candidates, Kind::Episodic, lane)).contains(&memory_id(2));
    let rules = backend.rules(&rules).await.expect("rules");
    shown.extend([
        (
            "memories",
            store.memory(reader, memory_id(2)).await.is_some(),
        ),
        ("revisions", !revisions.expect("a life").is_empty()),
        ("entities", entities(all_entities(reader)).await),
        ("entities by name", entities(by_name).await),
        ("entities by id", entities(by_entity_id).await),
        ("contradictions", !contradictions.expect("them").is_empty()),
        ("rules", !rules.is_empty()),
        ("lexical lane", found(Lane::Lexical)),
        ("vector lane", found(Lane::Vector)),
        ("brought along", candidates.memories.iter().any(is_hidden)),
    ]);
    shown
}

/// What a list hides is found through no method, and through all of them by whom it names.
async fn no_method_leads_to_what_a_list_hides(harness: &dyn Harness) {
    let store = entangled(harness).await;
    for (names, expected) in [(&["u2"][..], true), (&["u1"], false), (&[], false)] {
        for (method, shown) in shown(&store, &listed(names)).await {
            assert_eq!(shown, expected, "{method} to {names:?}");
        }
    }
}

/// A store with records for others answers, scores and counts included, like one without them,
/// whatever becomes of those records.
async fn records_outside_the_audience_move_no_score(harness: &dyn Harness) {
    let (full, twin) = (
        TestStore::open(harness).await,
        TestStore::open(harness).await,
    );
    let seen = vec![
        put_with(memory(1, "red fox"), Some(axis(0))),
        put(memory(2, "red red cat")),
        put_with(for_readers(3, &["g1", "u1"]), Some(axis(1))),
    ];
    full.commit(seen.clone()).await;
    twin.commit(seen).await;
    let viewer = Viewer {
        scopes: Vec::new(),
        texts: vec!["red", "red fox", "cat"],
        receipts: 0,
    };
    let look = async |store: &TestStore| viewer.look_from(store.backend.as_ref(), &home()).await;
    let lists: [&[&str]; 3] = [&["u2"], &["g1", "u2"], &["a1"]];
    let mut hidden = Vec::new();
    for (n, list) in (10..).zip(lists) {
        let mut of_list = entity(n, &["Ann"]);
        of_list.readers = readers(list);
        hidden.push(name_entity(of_list));
        hidden.push(put_with(for_readers(n, list), Some(axis(0))));
        hidden.push(rule_change(rule(n, memory_id(n))));
    }
    full.commit(hidden).await;
    assert_eq!(look(&full).await, look(&twin).await);
    full.commit(vec![retire(memory_id(10)), contradict(1, 11, 12)])
        .await;
    assert_eq!(look(&full).await, look(&twin).await);
    full.commit(vec![erase(1, HOME, &[memory_id(11)])]).await;
    assert_eq!(look(&full).await, look(&twin).await);
}

/// Repeats are of one list: those of a longer, a shorter or another one are none.
async fn audiences_are_told_apart_by_whole_lists(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put([for_readers(1, &["u1", "u2"])]).await;
    let lists: [(&[&str], bool); 6] = [
        (&["u1", "u2"], false),
        (&[], true),
        (&["u1"], true),
        (&["u2"], true),
        (&["u1", "u2", "u3"], true),
        (&["u1u2"], true),
    ];
    for (n, (list, free)) in (50..).zip(lists) {
        let expect = Expect::NoDuplicate {
            place: Place {
                readers: readers(list),
                ..place(HOME, None)
            },
            digest: digest("red fox"),
        };
        let probe = vec![put(memory(n, &format!("probe {n}")))];
        let accepted = store.try_commit(vec![expect], probe).await.is_ok();
        assert_eq!(accepted, free, "{list:?}");
    }
}

/// Namespaces are listed from one downwards, by name and by whole segments, with what they hold
/// in force and in all; one that is empty, or empty again, is not.
async fn namespaces_are_counted_by_whole_segments(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut changes = Vec::new();
    for (n, path) in (0..).zip(AROUND.into_iter().chain(["team/app/sub/deeper"])) {
        for k in 0..=n % 3 {
            let mut memory = memory(n * 10 + k, "red");
            memory.namespace = namespace(path);
            (memory.private, memory.valid_from) = (k == 1, Some(at(0)));
            changes.push(put(memory));
        }
    }
    store.commit(changes).await;
    let retired = vec![retire(memory_id(10)), retire(memory_id(20))];
    store.commit(retired).await;
    store
        .commit(vec![erase(1, "stranger", &[memory_id(90)])])
        .await;
    let count = |path: &str, in_force, memories| NamespaceCount {
        namespace: namespace(path),
        in_force,
        memories,
    };
    let below_app = vec![
        count("team/app", 1, 2),
        count("team/app/sub", 2, 3),
        count("team/app/sub/deeper", 2, 2),
    ];
    let mut below_team = vec![count("team", 1, 1), count("team/ap", 3, 3)];
    below_team.extend(below_app.clone());
    below_team.extend([count("team/app2", 2, 2), count("team/other", 1, 1)]);
    for (within, expected) in [
        ("team/app", below_app),
        ("team", below_team),
        (
            "team/app/sub/deeper",
            vec![count("team/app/sub/deeper", 2, 2)],
        ),
        ("team-app", vec![count("team-app", 1, 1)]),
        ("tea", vec![]),
        ("stranger", vec![]),
        ("team/app/sub/deeper/still", vec![]),
    ] {
        let found = store.backend.namespaces(&namespace(within)).await;
        assert_eq!(found.expect("namespaces"), expected, "{within}");
    }
}
