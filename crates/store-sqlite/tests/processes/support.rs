//! What these tests share: how the store is opened, written and judged.

use std::path::Path;
use std::sync::Arc;

use futures_executor::block_on;
use precedent_core::audit::{Op, SealedEntry};
use precedent_core::{
    AuditSink, Change, Commit, Header, Kind, Maintain, MaintainReport, MaintainTask, MemoryId,
    MemoryQuery, Store, StoreId,
};
use precedent_store_sqlite::{SqliteConfig, SqliteStore};
use precedent_store_test::data::{
    ACTOR, AGENT, HOME, at, axis, certificate_id, commit_id, home, memory, name, namespace,
    put_with, space,
};
use precedent_store_test::sink::{fixed_keys, sealer};
use precedent_store_test::store::request;
use sha2::{Digest as _, Sha256};

/// More than any test writes.
const ALL: usize = 1 << 20;

/// Opens the store at `path`, as every process of these tests does.
pub fn open(path: &Path) -> SqliteStore {
    let mut config = SqliteConfig::new(path, StoreId::from_bytes([7; 16]));
    config.space = Some(space());
    // Low enough for kills and other processes to meet folds.
    config.staged = 5;
    SqliteStore::open(config).expect("the store opens")
}

/// The real sealer under the suite's fixed keys.
pub fn sink() -> Arc<dyn AuditSink> {
    Arc::new(sealer(fixed_keys()))
}

/// Commit number `n`.
pub fn commit(n: u64, changes: Vec<Change>) -> Commit {
    let header = Header {
        id: commit_id(n),
        at: at(0),
        actor: name(ACTOR),
        agent: name(AGENT),
        namespace: namespace(HOME),
        purpose: name("assist"),
    };
    request(header, Vec::new(), changes)
}

/// Writes memory number `n`, with words of its own and a vector.
pub fn put_number(n: u64) -> Change {
    let axis = axis(usize::try_from(n % 8).expect("a remainder is small"));
    put_with(memory(n, &format!("red number{n}")), Some(axis))
}

/// Runs maintenance under number `n`, which its certificates count on from.
pub fn maintain(store: &SqliteStore, n: u64, task: MaintainTask) -> MaintainReport {
    let request = Maintain {
        task,
        header: commit(n, Vec::new()).header,
        certificate: certificate_id(n),
    };
    block_on(store.maintain(request, sink())).expect("maintenance fails nobody")
}

/// Returns the ids of all memories, oldest first.
pub fn ids(store: &SqliteStore) -> Vec<MemoryId> {
    let query = MemoryQuery::all(home(), ALL);
    let found = block_on(store.find_memories(&query)).expect("memories can be read");
    found.iter().map(|memory| memory.id).collect()
}

/// Asserts that the log is one chain from its first entry to the head, by hashing it anew, and
/// that every index agrees with the records. Returns the log and the memories' ids.
pub fn assert_sound(store: &SqliteStore) -> (Vec<SealedEntry>, Vec<MemoryId>) {
    let page = block_on(store.audit_log(0, ALL)).expect("the log can be read");
    let mut before = None;
    for (seq, entry) in (0..).zip(&page.entries) {
        assert_eq!(entry.seq, seq);
        let told: serde_json::Value = serde_json::from_slice(&entry.bytes).expect("it is JSON");
        assert_eq!(told["seq"].as_u64(), Some(seq));
        assert_eq!(told["prev"].as_str(), before.as_deref());
        let leaf = Sha256::new().chain_update([0]).chain_update(&entry.bytes);
        assert_eq!(entry.leaf.as_bytes()[..], leaf.finalize()[..]);
        before = Some(entry.leaf.to_string());
    }
    let head = page.head.map(|head| (head.size, head.hash.to_string()));
    assert_eq!(head, before.map(|hash| (page.entries.len() as u64, hash)));
    let ids = ids(store);
    let status = block_on(store.status()).expect("the status can be read");
    assert_eq!(status.faults, [], "every index agrees with the records");
    let counts = status.kinds.iter().find(|it| it.kind == Kind::Episodic);
    let counts = counts.expect("every kind is counted");
    let rows = ids.len() as u64;
    assert_eq!(
        (counts.memories, counts.vectors, counts.chunks),
        (rows, rows, rows)
    );
    let facts = |op: Op| page.entries.iter().filter(|it| it.op == op).count() as u64;
    assert_eq!(facts(Op::Write) - facts(Op::Forget), rows);
    assert_eq!(facts(Op::Forget), status.tombstones);
    (page.entries, ids)
}
