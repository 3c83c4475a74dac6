//! Random histories against the reference store: same answers, same errors, same results.

use std::sync::Arc;

use futures_executor::block_on;
use precedent_core::{
    CertificateId, CertificateQuery, ContradictionQuery, EntityKey, EntityQuery, EventKey,
    EventQuery, MemStore, MemoryId, Outcome, Recall, ReceiptId, ReceiptQuery, RuleQuery, Scope,
    Store,
};
use proptest::prelude::*;

use super::dice::{Dice, NAMESPACES};
use super::fixture::*;

/// Entities by every sort of key, and contradictions.
fn read_names(store: &dyn Store, dice: &mut Dice<'_>, who: &Scope) -> Vec<String> {
    let mut told = Vec::new();
    for key in [
        EntityKey::Names(vec!["ann".to_owned(), "hq".to_owned()]),
        EntityKey::Ids(vec![dice.entity_id(), dice.entity_id()]),
        EntityKey::Any,
    ] {
        let entities = EntityQuery {
            scope: who.clone(),
            key,
            after: (dice.roll(3) == 0).then(|| dice.entity_id()),
            limit: dice.roll(7),
        };
        told.push(format!(
            "{:?}",
            block_on(store.entities(&entities)).unwrap()
        ));
    }
    for memory in [None, Some(dice.memory_id())] {
        let contradictions = ContradictionQuery {
            scope: who.clone(),
            memory,
            open: dice.roll(2) == 0,
            after: (dice.roll(3) == 0).then(|| dice.contradiction_id()),
            limit: dice.roll(7),
        };
        let found = block_on(store.contradictions(&contradictions)).unwrap();
        told.push(format!("{found:?}"));
    }
    told
}

fn compare<S: Store + Recall>(store: &S, model: &MemStore, dice: &mut Dice<'_>) {
    let who = dice.scope();
    let ids: Vec<MemoryId> = (0..14).map(|n| MemoryId::from_bytes(bytes(n))).collect();
    let read = |store: &dyn Store, dice: &mut Dice<'_>| {
        let mut told = vec![format!(
            "{:?}",
            block_on(store.memories(&who, &ids)).unwrap()
        )];
        for _ in 0..4 {
            let memories = dice.memory_query(&who);
            let found = block_on(store.find_memories(&memories)).unwrap();
            told.push(format!("{found:?} {memories:?}"));
        }
        for id in &ids {
            told.push(format!(
                "{:?}",
                block_on(store.revisions(&who, *id)).unwrap()
            ));
        }
        told.extend(read_names(store, dice, &who));
        let within = namespace(dice.pick(&NAMESPACES));
        told.push(format!(
            "{:?}",
            block_on(store.namespaces(&within)).unwrap()
        ));
        let key = match dice.roll(5) {
            0 => EventKey::Exact(keys("npm test").exact),
            1 => EventKey::Shape(keys("npm run build").shape),
            2 => EventKey::Family(keys("npm run build").family),
            3 => EventKey::Lookup(clean("program:npm")),
            _ => EventKey::Any,
        };
        let events = EventQuery {
            scope: who.clone(),
            key,
            outcomes: if dice.roll(2) == 0 {
                vec![]
            } else {
                vec![dice.pick(Outcome::ALL)]
            },
            since: (dice.roll(3) == 0).then(|| at(dice.roll(100) as i64)),
            limit: dice.roll(8),
        };
        told.push(format!("{:?}", block_on(store.events(&events)).unwrap()));
        let rules = RuleQuery {
            scope: who.clone(),
            keys: (dice.roll(2) == 0).then(|| vec![clean("any"), clean("program:npm")]),
            limit: dice.roll(6),
        };
        told.push(format!("{:?}", block_on(store.rules(&rules)).unwrap()));
        for query in [
            ReceiptQuery::Id(who.clone(), ReceiptId::from_bytes(bytes(dice.id()))),
            ReceiptQuery::ToolUse(who.clone(), clean("use-1")),
        ] {
            told.push(format!("{:?}", block_on(store.receipts(&query)).unwrap()));
        }
        for query in [
            CertificateQuery::All,
            CertificateQuery::Memory(MemoryId::from_bytes(bytes(dice.id()))),
        ] {
            told.push(format!(
                "{:?}",
                block_on(store.certificates(&query)).unwrap()
            ));
        }
        told.push(format!(
            "{:?}",
            block_on(store.audit_log(dice.roll(9) as u64, 4)).unwrap()
        ));
        let status = block_on(store.status()).unwrap();
        told.push(format!(
            "{:?} {} {} {} {} {} {:?} {:?}",
            status.kinds,
            status.events,
            status.rules,
            status.entities,
            status.contradictions,
            status.tombstones,
            status.head,
            status.faults
        ));
        told
    };
    let left = dice.0.clone();
    let ours = read(store, dice);
    let theirs = read(model, &mut Dice(left));
    assert_eq!(ours, theirs);
    for _ in 0..3 {
        let query = dice.query();
        let ours = block_on(store.candidates(&query));
        let theirs = block_on(model.candidates(&query));
        assert_eq!(ours, theirs, "{query:?}");
    }
}

/// Commits of a history, many of which are refused.
const COMMITS: usize = 80;
/// Bytes that a history and what is asked of it are drawn from, enough for both.
const BYTES: std::ops::Range<usize> = 14_000..15_000;

fn open(folder: &Folder, staged: usize) -> crate::SqliteStore {
    let mut config = folder.config();
    config.staged = staged;
    crate::SqliteStore::open(config).unwrap()
}

fn run(history: &[u8]) {
    let folder = Folder::new();
    let mut dice = Dice(history.iter());
    // From folding at every write to folding never.
    let store = open(&folder, 1 + dice.roll(24));
    let model = MemStore::new(Some(space()));
    for n in 0..COMMITS {
        if n % 20 == 19 {
            compare(&store, &model, &mut dice);
        }
        let commit = dice.commit();
        let ours = block_on(store.commit(commit.clone(), sink()));
        let theirs = block_on(model.commit(commit, sink()));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs),
            (Err(ours), Err(theirs)) => assert_eq!(ours.to_string(), theirs.to_string()),
            (ours, theirs) => panic!("{ours:?} against {theirs:?}"),
        }
    }
    compare(&store, &model, &mut dice);
    compare(&store, &model, &mut dice);
    drop(store);
    let reopened = open(&folder, 1 + dice.roll(24));
    compare(&reopened, &model, &mut dice);
    let before = block_on(reopened.status()).unwrap();
    let reindex = precedent_core::Maintain {
        task: precedent_core::MaintainTask::Reindex,
        header: header(90),
        certificate: CertificateId::from_bytes(bytes(1)),
    };
    block_on(reopened.maintain(reindex.clone(), sink())).unwrap();
    block_on(model.maintain(reindex, sink())).unwrap();
    assert_eq!(block_on(reopened.status()).unwrap().kinds, before.kinds);
    compare(&reopened, &model, &mut dice);
    assert!(
        !dice.is_used_up(),
        "what is drawn from nothing is all alike"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn histories_agree_with_the_reference_store(
        history in proptest::collection::vec(any::<u8>(), BYTES)
    ) {
        run(&history);
    }
}

#[test]
fn the_model_is_shared_between_threads() {
    fn check<T: Send + Sync + Clone>() {}
    check::<crate::SqliteStore>();
    let _: Arc<dyn precedent_core::Backend> = Arc::new(Folder::new().open());
}
