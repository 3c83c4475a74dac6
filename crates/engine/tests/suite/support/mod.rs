//! An engine over a store in memory, with doubles that count, fail and misbehave.

pub mod doubles;
pub mod fault;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use futures_executor::block_on;
use precedent_audit::key::{CertificateKey, HmacKey, KeySet};
use precedent_audit::sealer::{Origin, Sealer};
use precedent_core::{
    Backend, Clock, Contradiction, ContradictionQuery, Grants, IdSource, MemStore, Memory,
    MemoryId, MemoryQuery, Name, Namespace, Principal, Redactor, StoreErrorKind, Timestamp, Topic,
};
use precedent_engine::{
    Engine, EngineError, InputFault, Limits, Parts, Remember, RememberItem, WritePolicy,
    WriteResult,
};

/// The first instant of every test's clock.
pub const START: i64 = 1_700_000_000_000;

pub struct Ticking(pub AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        at(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

struct Counting(AtomicU64);

impl IdSource for Counting {
    fn next(&self, _now: Timestamp) -> [u8; 16] {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed)).to_be_bytes()
    }
}

pub fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(ms).unwrap()
}

pub fn keys() -> KeySet {
    KeySet {
        certificate: CertificateKey::from_bytes(&[1; 32]),
        hmac: HmacKey::from_bytes(&[2; 32]),
    }
}

/// The parts of an engine over a fresh store in memory.
pub fn parts() -> Parts {
    over(Arc::new(MemStore::new(Some(doubles::space()))))
}

/// The parts of an engine over a store.
pub fn over(store: Arc<dyn Backend>) -> Parts {
    let origin = Origin::parse("test.local/engine").unwrap();
    Parts {
        store,
        embedder: None,
        reasoner: None,
        sink: Arc::new(Sealer::new(origin, Arc::new(keys()))),
        key: Arc::new(keys().hmac),
        clock: Arc::new(Ticking(AtomicI64::new(START))),
        ids: Arc::new(Counting(AtomicU64::new(1))),
        redactor: Redactor::new(),
        limits: Limits::default(),
        policy: WritePolicy::default(),
        hook: None,
    }
}

pub fn engine() -> Engine {
    Engine::new(parts())
}

pub fn name(text: &str) -> Name {
    Name::parse(Redactor::new().clean(text)).unwrap()
}

/// Ada's agent `local` in a namespace, with all grants.
pub fn principal(namespace: &str) -> Principal {
    Principal {
        actor: name("ada"),
        agent: name("local"),
        namespace: Namespace::parse(Redactor::new().clean(namespace)).unwrap(),
        purpose: name("assist"),
        grants: Grants::all(),
    }
}

pub fn ada() -> Principal {
    principal("a/b")
}

/// Another person with another agent in the same namespace.
pub fn bob() -> Principal {
    Principal {
        actor: name("bob"),
        agent: name("other"),
        ..ada()
    }
}

pub fn item(text: &str) -> RememberItem {
    RememberItem::new(text)
}

/// A statement of `value` under `key` of `user`.
pub fn fact(key: &str, value: &str) -> RememberItem {
    let text = format!("the {key} of the user is {value}");
    RememberItem::new(text).stating(Some("user"), key, Some(value))
}

pub fn try_write(engine: &Engine, request: &Remember) -> Result<WriteResult, EngineError> {
    block_on(engine.remember(request))
}

pub fn write(engine: &Engine, items: Vec<RememberItem>) -> WriteResult {
    try_write(engine, &Remember::new(ada(), items)).unwrap()
}

pub fn put(engine: &Engine, item: RememberItem) -> MemoryId {
    write(engine, vec![item]).stored[0].id
}

pub fn topic(key: &str) -> Topic {
    Topic::new("user", key)
}

/// What a principal sees of a topic, by id.
pub fn line(engine: &Engine, by: &Principal, topic: &Topic) -> Vec<Memory> {
    let query = MemoryQuery {
        topic: Some(topic.clone()),
        ..MemoryQuery::all(by.scope(), usize::MAX >> 1)
    };
    block_on(engine.store().find_memories(&query)).unwrap()
}

pub fn all(engine: &Engine, by: &Principal) -> Vec<Memory> {
    let query = MemoryQuery::all(by.scope(), usize::MAX >> 1);
    block_on(engine.store().find_memories(&query)).unwrap()
}

pub fn one(engine: &Engine, id: MemoryId) -> Memory {
    let found = block_on(engine.store().memories(&ada().scope(), &[id])).unwrap();
    found.into_iter().next().unwrap()
}

pub fn contradictions(engine: &Engine) -> Vec<Contradiction> {
    let query = ContradictionQuery {
        scope: ada().scope(),
        memory: None,
        open: true,
        after: None,
        limit: 1000,
    };
    block_on(engine.store().contradictions(&query)).unwrap()
}

/// The log's operations with their results, the beginning left out.
pub fn log(engine: &Engine) -> Vec<String> {
    let page = block_on(engine.store().audit_log(1, 1_000_000)).unwrap();
    let row = |entry: &precedent_core::audit::SealedEntry| {
        let body: serde_json::Value = serde_json::from_slice(&entry.bytes).unwrap();
        let reason = body["detail"]["reason"].as_str().unwrap_or("");
        format!("{} {} {reason}", entry.op, entry.result)
            .trim_end()
            .to_owned()
    };
    page.entries.iter().map(row).collect()
}

pub fn input_fault<T: std::fmt::Debug>(result: Result<T, EngineError>) -> InputFault {
    match result {
        Err(EngineError::Input(fault)) => fault,
        other => panic!("{other:?} is no input fault"),
    }
}

pub fn store_kind<T: std::fmt::Debug>(result: Result<T, EngineError>) -> StoreErrorKind {
    match result {
        Err(EngineError::Store(error)) => error.kind,
        other => panic!("{other:?} is no failure of the store"),
    }
}
