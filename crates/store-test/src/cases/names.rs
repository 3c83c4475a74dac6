//! The registry of entities: names that are unique among those who share them, and that live as
//! long as something mentions them.

use precedent_core::audit::Op;
use precedent_core::{
    Change, Entity, EntityId, EntityKey, EntityQuery, Memory, MemoryId, MemoryQuery, StoreErrorKind,
};

use crate::case::stories;
use crate::data::{
    AGENT, HOME, add_alias, alias, all_entities, entity, entity_id, entity_ids, erase, home,
    memory, memory_id, mention, name, name_entity, namespace, put, readers, retire, scope,
};
use crate::store::{TestStore, assert_refused};
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = stories!("names":
    entities_come_back_as_they_were_written,
    aliases_add_names_and_register_them,
    a_name_is_taken_within_its_audience,
    an_entity_has_a_name_of_its_own,
    an_alias_names_one_entity,
    a_mention_needs_the_entity_under_that_name,
    a_mention_is_of_the_memorys_audience,
    memories_are_found_by_mention,
    erasure_drops_names_that_nothing_mentions,
    erasure_keeps_registered_names,
    erasure_keeps_what_others_mention,
    retiring_keeps_names,
    a_dropped_name_may_be_given_again,
    entities_are_looked_up_by_name_and_id,
    entities_are_paged_by_id,
);

/// A memory that mentions entities under names.
fn about(n: u64, mentions: &[(u64, &str)]) -> Memory {
    Memory {
        mentions: mentions.iter().map(|(n, text)| mention(*n, text)).collect(),
        ..memory(n, "red fox")
    }
}

async fn all(store: &TestStore) -> Vec<Entity> {
    let found = store.backend.entities(&all_entities(&home())).await;
    found.expect("entities can be read")
}

async fn ids(store: &TestStore, query: &EntityQuery) -> Vec<EntityId> {
    let found = store.backend.entities(query).await;
    let found = found.expect("entities can be read");
    found.iter().map(|entity| entity.id).collect()
}

/// The names of each entity, as they were given.
async fn names(store: &TestStore) -> Vec<Vec<String>> {
    let text = |entity: Entity| {
        entity
            .names
            .iter()
            .map(|alias| alias.name.to_string())
            .collect()
    };
    all(store).await.into_iter().map(text).collect()
}

/// Every field survives, names in their order and spelling; the store sets the instant, and the
/// log tells of each without naming a memory.
async fn entities_come_back_as_they_were_written(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let full = Entity {
        private: true,
        readers: readers(&["u1", "u2"]),
        names: vec![
            alias("Zo\u{eb}  \u{ff33}mith", true),
            alias("\u{6570}\u{636e}", false),
        ],
        ..entity(2, &[])
    };
    let plain = entity(1, &["%_"]);
    let done = store
        .commit(vec![name_entity(full.clone()), name_entity(plain.clone())])
        .await;
    let mut expected = [plain, full];
    for entity in &mut expected {
        entity.recorded_at = done.recorded_at;
    }
    assert_eq!(all(&store).await, expected);
    for fact in done.facts {
        assert_eq!((fact.op, fact.memory), (Op::Entity, None));
    }
    let status = store.backend.status().await.expect("the status");
    assert_eq!(status.entities, 2);
}

/// A new name comes last; one that the entity has already can be registered, not unregistered,
/// and keeps its spelling and place.
async fn aliases_add_names_and_register_them(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(vec![name_entity(entity(1, &["Ann"]))]).await;
    for (change, expected) in [
        (
            add_alias(1, "Annie", false),
            vec![("Ann", false), ("Annie", false)],
        ),
        (
            add_alias(1, " ANN", true),
            vec![("Ann", true), ("Annie", false)],
        ),
        (
            add_alias(1, "ann", false),
            vec![("Ann", true), ("Annie", false)],
        ),
        (
            add_alias(1, "A.", true),
            vec![("Ann", true), ("Annie", false), ("A.", true)],
        ),
    ] {
        let done = store.commit(vec![change]).await;
        assert_eq!(done.facts[0].op, Op::Entity);
        let found = all(&store).await;
        let expected: Vec<_> = expected.into_iter().map(|(n, r)| alias(n, r)).collect();
        assert_eq!(found[0].names, expected);
    }
}

/// Within an audience, a namespace, an owner and an access list, a name in normal form belongs to
/// one entity; another audience may give it to another.
async fn a_name_is_taken_within_its_audience(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(vec![name_entity(entity(1, &["Ann"]))]).await;
    for names in [&["Ann"][..], &["ann "], &["\u{ff21}nn"], &["Bea", "ANN"]] {
        let taken = store.try_commit(vec![], vec![name_entity(entity(2, names))]);
        assert_refused(taken.await, StoreErrorKind::Conflict);
    }
    let mut elsewhere: Vec<Entity> = (2..=6).map(|n| entity(n, &["Ann"])).collect();
    elsewhere[0].namespace = namespace("team");
    elsewhere[1].namespace = namespace("team/app/sub");
    elsewhere[2].private = true;
    (elsewhere[3].private, elsewhere[3].agent) = (true, name("a2"));
    elsewhere[4].readers = readers(&["u1"]);
    let changes = elsewhere.iter().cloned().map(name_entity);
    store.commit(changes.collect()).await;
    for mut again in elsewhere {
        again.id = entity_id(9);
        let taken = store.try_commit(vec![], vec![name_entity(again)]);
        assert_refused(taken.await, StoreErrorKind::Conflict);
    }
    // Of a shared entity the agent says who named it first, not whose it is.
    let mut by_another = entity(9, &["Ann"]);
    by_another.agent = name("a2");
    let taken = store.try_commit(vec![], vec![name_entity(by_another)]);
    assert_refused(taken.await, StoreErrorKind::Conflict);
}

/// No name, the same name twice or an id that is taken make no entity.
async fn an_entity_has_a_name_of_its_own(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(vec![name_entity(entity(1, &["Ann"]))]).await;
    for wrong in [
        entity(2, &[]),
        entity(2, &["Bea", "bea"]),
        entity(1, &["Bea"]),
    ] {
        let refused = store.try_commit(vec![], vec![name_entity(wrong)]);
        assert_refused(refused.await, StoreErrorKind::Conflict);
    }
    let rivals = [2, 3].map(|n| name_entity(entity(n, &["Bea"])));
    let refused = store.try_commit(vec![], rivals.to_vec()).await;
    assert_refused(refused, StoreErrorKind::Conflict);
    assert_eq!(names(&store).await, [["Ann"]]);
}

/// A name of another entity of the audience, and a name for an entity that is not there, are
/// refused; a name of another audience's entity is not.
async fn an_alias_names_one_entity(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut above = entity(3, &["Cem"]);
    above.namespace = namespace("team");
    let shared = [entity(1, &["Ann"]), entity(2, &["Bea"]), above];
    store.commit(shared.map(name_entity).to_vec()).await;
    for change in [add_alias(1, "bea", false), add_alias(9, "Dan", true)] {
        let refused = store.try_commit(vec![], vec![change]).await;
        assert_refused(refused, StoreErrorKind::Conflict);
    }
    store.commit(vec![add_alias(1, "Cem", false)]).await;
    assert_eq!(
        names(&store).await,
        [vec!["Ann", "Cem"], vec!["Bea"], vec!["Cem"]]
    );
}

/// A memory mentions entities that are there, each under a name that it has, in whatever spelling;
/// an earlier change of the same commit may have made them so.
async fn a_mention_needs_the_entity_under_that_name(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let both = [entity(1, &["Ann"]), entity(2, &["Bea"])];
    store.commit(both.map(name_entity).to_vec()).await;
    for wrong in [&[(1, "Bea")][..], &[(9, "Ann")], &[(1, "Ann"), (2, "Cem")]] {
        let refused = store.try_commit(vec![], vec![put(about(1, wrong))]).await;
        assert_refused(refused, StoreErrorKind::Conflict);
    }
    let late = vec![put(about(1, &[(1, "Annie")])), add_alias(1, "Annie", false)];
    let refused = store.try_commit(vec![], late.clone()).await;
    assert_refused(refused, StoreErrorKind::Conflict);
    let in_time: Vec<Change> = late.into_iter().rev().collect();
    store.commit(in_time).await;
    let spelled = about(2, &[(1, "ANN "), (2, "bea")]);
    store.commit(vec![put(spelled.clone())]).await;
    let found = store.memory(&home(), memory_id(2)).await.expect("there");
    assert_eq!(found.mentions, spelled.mentions, "the spelling is kept");
}

/// The entity is of the memory's own audience: what others share is not mentioned here.
async fn a_mention_is_of_the_memorys_audience(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut audiences: Vec<Entity> = (1..=4).map(|n| entity(n, &["Ann"])).collect();
    audiences[1].namespace = namespace("team");
    audiences[2].private = true;
    audiences[3].readers = readers(&["u1"]);
    let changes = audiences.iter().cloned().map(name_entity);
    store.commit(changes.collect()).await;
    for (n, own) in (1..).zip(&audiences) {
        for other in (1..=4).filter(|other| *other != n) {
            let mut stray = about(n, &[(other, "Ann")]);
            stray.namespace = own.namespace.clone();
            (stray.private, stray.readers) = (own.private, own.readers.clone());
            let refused = store.try_commit(vec![], vec![put(stray.clone())]).await;
            assert_refused(refused, StoreErrorKind::Conflict);
        }
        let mut fitting = about(n, &[(n, "Ann")]);
        fitting.namespace = own.namespace.clone();
        (fitting.private, fitting.readers) = (own.private, own.readers.clone());
        store.commit(vec![put(fitting)]).await;
    }
}

/// By an entity its memories are found, in any state and under any of its names.
async fn memories_are_found_by_mention(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let both = [entity(1, &["Ann", "Annie"]), entity(2, &["Bea"])];
    store.commit(both.map(name_entity).to_vec()).await;
    let told = [
        about(1, &[(1, "Ann")]),
        about(2, &[(1, "Annie"), (2, "Bea")]),
        memory(3, "Ann"),
    ];
    store.put(told).await;
    store.commit(vec![retire(memory_id(1))]).await;
    for (n, expected) in [(1, &[1, 2][..]), (2, &[2]), (9, &[])] {
        let query = MemoryQuery {
            entity: Some(entity_id(n)),
            ..MemoryQuery::all(home(), 100)
        };
        let found = store.backend.find_memories(&query).await;
        let found: Vec<MemoryId> = found.expect("memories").iter().map(|m| m.id).collect();
        let expected: Vec<MemoryId> = expected.iter().copied().map(memory_id).collect();
        assert_eq!(found, expected, "entity {n}");
    }
}

/// With the last memory that mentions it a name goes, and with its last name the entity.
async fn erasure_drops_names_that_nothing_mentions(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let both = [entity(1, &["Ann", "Annie"]), entity(2, &["Bea"])];
    store.commit(both.map(name_entity).to_vec()).await;
    let told = [
        about(1, &[(1, "ann"), (2, "Bea")]),
        about(2, &[(1, "Annie")]),
    ];
    store.put(told).await;
    store.commit(vec![erase(1, HOME, &[memory_id(1)])]).await;
    assert_eq!(names(&store).await, [["Annie"]]);
    store.commit(vec![erase(2, HOME, &[memory_id(2)])]).await;
    assert_eq!(all(&store).await, []);
    let status = store.backend.status().await.expect("the status");
    assert_eq!(status.entities, 0);
}

/// A registered name stays without a mention; so does one that never had any, until one is erased.
async fn erasure_keeps_registered_names(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut ann = entity(1, &["Annie", "A."]);
    ann.names.push(alias("Ann", true));
    store.commit(vec![name_entity(ann)]).await;
    store.put([about(1, &[(1, "Ann"), (1, "Annie")])]).await;
    store.commit(vec![erase(1, HOME, &[memory_id(1)])]).await;
    assert_eq!(names(&store).await, [["A.", "Ann"]]);
}

/// What another memory mentions stays, in whatever state that memory is and however it spells it;
/// two memories that are erased together do not keep it for each other.
async fn erasure_keeps_what_others_mention(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(vec![name_entity(entity(1, &["Ann"]))]).await;
    let told = [(1, "Ann"), (2, "ANN"), (3, "ann")].map(|(n, text)| about(n, &[(1, text)]));
    store.put(told).await;
    store.commit(vec![retire(memory_id(2))]).await;
    store.commit(vec![erase(1, HOME, &[memory_id(1)])]).await;
    assert_eq!(names(&store).await, [["Ann"]]);
    let rest = [memory_id(2), memory_id(3)];
    store.commit(vec![erase(2, HOME, &rest)]).await;
    assert_eq!(all(&store).await, []);
}

/// Hiding a memory is not erasing it: its names stay.
async fn retiring_keeps_names(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(vec![name_entity(entity(1, &["Ann"]))]).await;
    store.put([about(1, &[(1, "Ann")])]).await;
    let before = all(&store).await;
    store.commit(vec![retire(memory_id(1))]).await;
    assert_eq!(all(&store).await, before);
}

/// A name that an erasure dropped is free, for an entity of any id, also within one commit.
async fn a_dropped_name_may_be_given_again(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.commit(vec![name_entity(entity(1, &["Ann"]))]).await;
    store.put([about(1, &[(1, "Ann")])]).await;
    let changes = vec![
        erase(1, HOME, &[memory_id(1)]),
        name_entity(entity(2, &["ann"])),
        name_entity(entity(1, &["Bea"])),
    ];
    store.commit(changes).await;
    assert_eq!(names(&store).await, [["Bea"], ["ann"]]);
}

fn by(key: EntityKey) -> EntityQuery {
    EntityQuery {
        key,
        ..all_entities(&home())
    }
}

/// Names are asked for in normal form; several keys are a union, each entity comes once, by id.
async fn entities_are_looked_up_by_name_and_id(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let three = [
        entity(3, &["Ann", "Annie"]),
        entity(1, &["Bea 100%"]),
        entity(2, &["Cem_"]),
    ];
    store.commit(three.map(name_entity).to_vec()).await;
    let names = |names: &[&str]| by(EntityKey::Names(names.iter().map(|&n| n.into()).collect()));
    for (asked, expected) in [
        (&["ann"][..], &[3][..]),
        (&["annie", "ann", "bea 100%"], &[1, 3]),
        (&["bea"], &[]),
        (&["%", "cem%", "ce_", "ann*"], &[]),
        (&[], &[]),
    ] {
        let found = ids(&store, &names(asked)).await;
        assert_eq!(found, entity_ids(expected), "{asked:?}");
    }
    let by_id = by(EntityKey::Ids(entity_ids(&[3, 9, 1, 3])));
    assert_eq!(ids(&store, &by_id).await, entity_ids(&[1, 3]));
    let none = by(EntityKey::Ids(Vec::new()));
    assert_eq!(ids(&store, &none).await, []);
    // More than a driver binds at once.
    let crowd = (0..40_000)
        .map(|n| format!("name {n}"))
        .chain(["cem_".into()]);
    let crowd = by(EntityKey::Names(crowd.collect()));
    assert_eq!(ids(&store, &crowd).await, entity_ids(&[2]));
}

/// Pages follow each other by id and count what is seen, whatever the key.
async fn entities_are_paged_by_id(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let texts = ["a", "b", "c", "d", "e"];
    let numbered = (1..)
        .zip(texts)
        .map(|(n, text)| name_entity(entity(n, &[text])));
    let mut changes: Vec<Change> = numbered.collect();
    changes.reverse();
    for n in 10..20 {
        let mut unseen = entity(n, &[&format!("unseen {n}")]);
        unseen.namespace = namespace("team/other");
        changes.push(name_entity(unseen));
    }
    store.commit(changes).await;
    let named = EntityKey::Names(texts.map(String::from).to_vec());
    for key in [
        EntityKey::Any,
        named,
        EntityKey::Ids(entity_ids(&[1, 2, 3, 4, 5])),
    ] {
        let mut query = by(key);
        query.limit = 2;
        for page in [&[1, 2][..], &[3, 4], &[5], &[]] {
            let found = ids(&store, &query).await;
            assert_eq!(found, entity_ids(page));
            query.after = found.last().copied().or(query.after);
        }
        (query.limit, query.after) = (0, None);
        assert_eq!(ids(&store, &query).await, []);
    }
    let above = all_entities(&scope("team", AGENT));
    assert_eq!(
        ids(&store, &above).await,
        [],
        "a reader above sees nothing of it"
    );
}
