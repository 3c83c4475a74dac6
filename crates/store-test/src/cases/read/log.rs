//! The log, the certificates and the status are read as they were sealed and counted.

use precedent_core::{CertificateQuery, Kind};

use crate::case::stories;
use crate::data::{
    HOME, at, axis, certificate_id, decide, erase, event, home, memory, memory_id, namespace,
    observe, put, put_with, receipt, rule, rule_change,
};
use crate::store::TestStore;
use crate::{Case, Harness};

pub(in crate::cases) const CASES: &[Case] = stories!("read":
    an_empty_store_answers_with_nothing,
    certificates_are_found_by_id_and_memory,
    the_log_is_paged,
    the_status_counts,
);

/// A store without a commit has no records, no head and no faults.
async fn an_empty_store_answers_with_nothing(harness: &dyn Harness) {
    let viewer = crate::view::Viewer {
        scopes: vec![home()],
        texts: vec!["red"],
        receipts: 1,
    };
    let store = TestStore::open(harness).await;
    let view = viewer.look(store.backend.as_ref()).await;
    assert_eq!((view.log.len(), view.head), (0, None));
    assert_eq!((view.certificates.len(), view.counts), (0, [0; 5]));
    let seen = &view.scopes[0];
    assert!(seen.memories.is_empty() && seen.events.is_empty() && seen.rules.is_empty());
    for (answers, memories) in &seen.recalls {
        assert_eq!(answers.len(), 2 * Kind::ALL.len());
        for answer in answers {
            assert_eq!((answer.result.as_deref(), answer.pending), (Ok(&[][..]), 0));
        }
        assert!(memories.is_empty());
    }
    let status = store
        .backend
        .status()
        .await
        .expect("the status can be read");
    assert!(status.faults.is_empty());
    assert_eq!(store.backend.capabilities(), store.backend.capabilities());
}

/// A certificate is found by its id, by each memory that it tells of, and among all.
async fn certificates_are_found_by_id_and_memory(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    store.put((1..=4).map(|n| memory(n, "red"))).await;
    let first = store
        .commit(vec![erase(9, HOME, &[memory_id(1), memory_id(3)])])
        .await;
    let second = store.commit(vec![erase(5, HOME, &[memory_id(2)])]).await;
    assert_eq!(first.certificates, [certificate_id(9)]);
    assert_eq!(second.certificates, [certificate_id(5)]);
    let cases = [
        (CertificateQuery::All, vec![9, 5]),
        (CertificateQuery::Id(certificate_id(5)), vec![5]),
        (CertificateQuery::Id(certificate_id(1)), vec![]),
        (CertificateQuery::Memory(memory_id(1)), vec![9]),
        (CertificateQuery::Memory(memory_id(3)), vec![9]),
        (CertificateQuery::Memory(memory_id(2)), vec![5]),
        (CertificateQuery::Memory(memory_id(4)), vec![]),
    ];
    for (query, expected) in cases {
        let found = store.backend.certificates(&query).await;
        let found = found.expect("certificates");
        let ids: Vec<_> = found.iter().map(|certificate| certificate.id).collect();
        let expected: Vec<_> = expected.into_iter().map(certificate_id).collect();
        assert_eq!(ids, expected, "{query:?}");
    }
    let all = store.backend.certificates(&CertificateQuery::All).await;
    let sequence: Vec<u64> = all.expect("certificates").iter().map(|c| c.seq).collect();
    assert_eq!(sequence, [first.facts[0].seq, second.facts[0].seq]);
}

/// The log is read from any entry on, as it was sealed.
async fn the_log_is_paged(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let done = store.commit((1..=4).map(|n| put(memory(n, "red"))).collect());
    let done = done.await;
    let whole = store.backend.audit_log(0, 100).await.expect("the log");
    assert_eq!(whole.entries.len(), 5);
    assert_eq!(whole.head, Some(done.head));
    for (from, limit) in [
        (0, 2),
        (2, 2),
        (4, 2),
        (5, 2),
        (1, 0),
        (u64::from(u32::MAX), 1),
    ] {
        let page = store.backend.audit_log(from, limit).await.expect("a page");
        let start = usize::try_from(from).map_or(5, |from| from.min(5));
        let end = (start + limit).min(5);
        assert_eq!(page.entries, whole.entries[start..end], "{from}, {limit}");
        assert_eq!(page.head, whole.head);
    }
    let first = &whole.entries[0];
    assert_eq!(first.op, precedent_core::audit::Op::Genesis);
    assert!(
        whole.entries[1..]
            .iter()
            .all(|entry| entry.namespace == namespace(HOME).as_str())
    );
}

/// The status counts what is held, over all namespaces and owners.
async fn the_status_counts(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let mut private = memory(2, "word ".repeat(81).trim());
    private.private = true;
    private.namespace = namespace("elsewhere");
    store
        .commit(vec![
            put_with(memory(1, "red"), Some(axis(0))),
            put(private),
            put(memory(3, "gone")),
            rule_change(rule(1, memory_id(1))),
            rule_change(rule(2, memory_id(3))),
            decide(receipt(1)),
            observe(event(1, at(1000))),
        ])
        .await;
    let done = store.commit(vec![erase(1, HOME, &[memory_id(3)])]).await;
    let status = store.backend.status().await.expect("the status");
    let counts: Vec<_> = status
        .kinds
        .iter()
        .map(|counts| (counts.kind, counts.memories, counts.vectors, counts.chunks))
        .collect();
    // 81 words and the actor's name are 82 words: two chunks.
    let expected = [
        (Kind::Episodic, 2, 1, 3),
        (Kind::Semantic, 0, 0, 0),
        (Kind::Procedural, 0, 0, 0),
    ];
    assert_eq!(counts, expected);
    assert_eq!((status.events, status.rules, status.tombstones), (1, 1, 1));
    assert_eq!(status.head, Some(done.head));
    assert_eq!(status.space, Some(crate::data::space()));
    assert!(status.faults.is_empty());
}
