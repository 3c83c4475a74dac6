//! An erased document leaves no statistic behind.
//!
//! tantivy counts deleted documents until their segment is merged, so the oracle is built without
//! them.

use precedent_core::{Kind, LaneAnswer, Memory, MemoryId};
use precedent_store_test::data::{erase, memory, scope};
use precedent_store_test::store::TestStore;
use proptest::prelude::*;

use crate::corpus::{documents, laws, questions, with_exact_lengths};
use crate::partitions::{compare_views, population, views};
use crate::scores::ask;
use crate::stores::each;

/// Erases memories wherever they are, those of each namespace under a certificate of its own.
async fn forget(store: &TestStore, memories: &[&Memory]) {
    for (n, memory) in (1..).zip(memories) {
        let within = memory.namespace.as_str();
        store.commit(vec![erase(n, within, &[memory.id])]).await;
    }
}

async fn answers(store: &TestStore, questions: &[String]) -> Vec<Vec<LaneAnswer>> {
    let mut answers = Vec::new();
    for text in questions {
        let mut query = ask(Kind::ALL, text);
        query.scope = scope("team/app/x", "a1");
        answers.push(store.candidates(&query).await.answers);
    }
    answers
}

proptest! {
    #![proptest_config(laws(24))]

    /// After an erasure every reader finds what an oracle finds that never held the erased.
    #[test]
    fn what_remains_is_scored_as_if_the_erased_had_never_been(
        memories in population(),
        keep in prop::collection::vec(prop::bool::weighted(0.7), 60),
        questions in questions(16),
    ) {
        let (kept, erased): (Vec<_>, Vec<_>) =
            memories.iter().zip(keep).partition(|(_, keep)| *keep);
        let kept: Vec<Memory> = kept.into_iter().map(|(memory, _)| memory.clone()).collect();
        let erased: Vec<&Memory> = erased.into_iter().map(|(memory, _)| memory).collect();
        let views = views(&kept, Kind::ALL);
        each(async |store| {
            store.put(memories.iter().cloned()).await;
            forget(store, &erased).await;
            compare_views(store, &views, Kind::ALL, &questions).await;
        });
    }

    /// Writing more and erasing it again leaves every score as it was, bit by bit.
    #[test]
    fn scores_are_bit_by_bit_those_of_before(
        memories in population(),
        passing in prop::collection::vec(documents(), 1..10),
        questions in questions(16),
    ) {
        let passing: Vec<Memory> = (100..)
            .zip(&passing)
            .map(|(n, text)| with_exact_lengths(memory(n, text)))
            .collect();
        let ids: Vec<MemoryId> = passing.iter().map(|memory| memory.id).collect();
        each(async |store| {
            store.put(memories.iter().cloned()).await;
            let before = answers(store, &questions).await;
            store.put(passing.iter().cloned()).await;
            store.commit(vec![erase(1, "team/app", &ids)]).await;
            assert_eq!(answers(store, &questions).await, before);
        });
    }
}
