//! The write path over the in-memory store: what is stored, what is not, and what the log says.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use async_trait::async_trait;
use futures_executor::block_on;
use precedent_audit::key::{CertificateKey, HmacKey, KeySet, TrustedKeys};
use precedent_audit::sealer::{Origin, Sealer};
use precedent_core::{
    CertificateQuery, CleanText, Clock, Digest, EmbedError, EmbedKind, Embedder, EmbeddingSpace,
    Grants, IdSource, Kind, MemStore, MemoryId, Name, Namespace, Principal, RecallRequest,
    Redactor, State, StoreErrorKind, Timestamp, Trust, recall,
};
use precedent_engine::{
    Engine, EngineError, Forget, InputFault, Limits, Parts, Remember, RememberItem, WritePolicy,
    WriteResult,
};

struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.fetch_add(1, Ordering::Relaxed)).unwrap()
    }
}

struct Counting(AtomicU64);

impl IdSource for Counting {
    fn next(&self, _now: Timestamp) -> [u8; 16] {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed)).to_be_bytes()
    }
}

/// Embeds every text to the same unit vector, and fails on the word `unreachable`.
struct Flat(EmbeddingSpace);

#[async_trait]
impl Embedder for Flat {
    fn space(&self) -> &EmbeddingSpace {
        &self.0
    }

    async fn embed(
        &self,
        _kind: EmbedKind,
        texts: &[&CleanText],
    ) -> Vec<Result<Vec<f32>, EmbedError>> {
        let one = |text: &&CleanText| {
            if text.contains("unreachable") {
                Err(EmbedError::Unavailable)
            } else {
                Ok(vec![0.6, 0.8])
            }
        };
        texts.iter().map(one).collect()
    }
}

fn keys() -> KeySet {
    KeySet {
        certificate: CertificateKey::from_bytes(&[1; 32]),
        hmac: HmacKey::from_bytes(&[2; 32]),
    }
}

fn engine() -> Engine {
    let fingerprint = Digest::from_bytes([3; 32]);
    let space = EmbeddingSpace {
        fingerprint,
        model: precedent_core::Redactor::new().clean("flat"),
        dimension: 2,
        floor: 0.5,
    };
    let origin = Origin::parse("test.local/engine").unwrap();
    Engine::new(Parts {
        store: Arc::new(MemStore::new(Some(space.clone()))),
        embedder: Some(Arc::new(Flat(space))),
        reasoner: None,
        sink: Arc::new(Sealer::new(origin, Arc::new(keys()))),
        key: Arc::new(keys().hmac),
        clock: Arc::new(Ticking(AtomicI64::new(1_700_000_000_000))),
        ids: Arc::new(Counting(AtomicU64::new(1))),
        redactor: Redactor::new(),
        limits: Limits {
            text_bytes: 100,
            items: 3,
            ..Limits::default()
        },
        policy: WritePolicy::default(),
        hook: None,
    })
}

fn principal(namespace: &str) -> Principal {
    let clean = |text: &str| Redactor::new().clean(text);
    let name = |text: &str| Name::parse(clean(text)).unwrap();
    Principal {
        actor: name("ada"),
        agent: name("local"),
        namespace: Namespace::parse(clean(namespace)).unwrap(),
        purpose: name("assist"),
        grants: Grants::all(),
    }
}

fn write(
    engine: &Engine,
    items: Vec<RememberItem>,
    key: Option<&str>,
) -> Result<WriteResult, EngineError> {
    let idempotency_key = key.map(str::to_owned);
    block_on(engine.remember(&Remember {
        idempotency_key,
        compare_meaning: false,
        ..Remember::new(principal("a/b"), items)
    }))
}

fn one(engine: &Engine, text: &str) -> WriteResult {
    write(engine, vec![text.into()], None).unwrap()
}

fn log_ops(engine: &Engine) -> Vec<&'static str> {
    let page = block_on(engine.store().audit_log(0, 1000)).unwrap();
    page.entries.iter().map(|entry| entry.op.as_str()).collect()
}

#[test]
fn exact_repeats_are_found_whatever_their_form() {
    let engine = engine();
    let first = one(&engine, "Deploy on Fridays");
    let again = one(&engine, "  deploy ON\nfridays ");
    assert_eq!(again.stored, []);
    assert_eq!(again.deduplicated, [first.stored[0].id]);
    // Another kind or standing says something else.
    let mut other = RememberItem::new("deploy on fridays");
    other.kind = Kind::Semantic;
    assert_eq!(write(&engine, vec![other], None).unwrap().stored.len(), 1);
    // Within one request, too.
    let batch = write(&engine, vec!["twice".into(), "Twice".into()], None).unwrap();
    assert_eq!((batch.stored.len(), batch.deduplicated.len()), (1, 1));
    assert_eq!(
        log_ops(&engine),
        ["log.genesis", "write", "dedupe", "write", "write", "dedupe"]
    );
}

#[test]
fn a_private_memory_and_a_shared_one_do_not_repeat_each_other() {
    let engine = engine();
    let private = RememberItem {
        private: true,
        ..RememberItem::new("the key is under the mat")
    };
    assert_eq!(
        write(&engine, vec![private.clone()], None)
            .unwrap()
            .stored
            .len(),
        1
    );
    assert_eq!(one(&engine, "the key is under the mat").stored.len(), 1);
    assert_eq!(write(&engine, vec![private], None).unwrap().stored.len(), 0);
}

#[test]
fn the_same_idempotency_key_means_the_same_request() {
    let engine = engine();
    let first = write(&engine, vec!["one".into()], Some("k")).unwrap();
    let again = write(&engine, vec!["one".into()], Some("k")).unwrap();
    assert_eq!(
        again,
        WriteResult {
            replayed: true,
            ..first
        }
    );
    let error = write(&engine, vec!["two".into()], Some("k")).unwrap_err();
    assert!(
        matches!(error, EngineError::Store(error) if error.kind == StoreErrorKind::CommitReused)
    );
    assert_eq!(log_ops(&engine).len(), 2);
}

#[test]
fn superseding_keeps_the_old_memory_and_hides_it() {
    let engine = engine();
    let old = one(&engine, "the gate is pnpm test").stored[0].id;
    let item = RememberItem {
        supersedes: Some(old),
        ..RememberItem::new("the gate is npm test")
    };
    let written = write(&engine, vec![item.clone()], None).unwrap();
    assert_eq!(written.superseded, [old]);
    let scope = principal("a/b").scope();
    let kept = block_on(engine.store().memories(&scope, &[old])).unwrap();
    assert_eq!(kept[0].superseded_by, Some(written.stored[0].id));
    let request = RecallRequest::new(scope, Redactor::new().clean("gate test"));
    let found = block_on(recall(engine.store().as_ref(), None, &request));
    let ids: Vec<MemoryId> = found.hits.iter().map(|hit| hit.memory.id).collect();
    assert_eq!(ids, [written.stored[0].id]);
    // It is superseded already; and what stands in another namespace does not exist here.
    assert!(matches!(
        write(&engine, vec![item.clone()], None),
        Err(EngineError::Input(InputFault::WrongState {
            state: State::Superseded
        }))
    ));
    let elsewhere = Remember::new(principal("a"), vec![item]);
    let error = block_on(engine.remember(&elsewhere)).unwrap_err();
    assert!(matches!(error, EngineError::Store(error) if error.kind == StoreErrorKind::NotFound));
}

#[test]
fn what_a_user_vouches_for_is_not_replaced_by_what_nobody_does() {
    let engine = engine();
    let rule = RememberItem {
        trust: Trust::User,
        ..RememberItem::new("never push on fridays")
    };
    let old = write(&engine, vec![rule], None).unwrap().stored[0].id;
    let mut item = RememberItem {
        supersedes: Some(old),
        ..RememberItem::new("we like cheese")
    };
    let error = write(&engine, vec![item.clone()], None).unwrap_err();
    assert!(matches!(error, EngineError::Input(InputFault::Unvouched)));
    item.trust = Trust::User;
    assert_eq!(write(&engine, vec![item], None).unwrap().superseded, [old]);
}

#[test]
fn a_text_that_cannot_be_embedded_is_found_by_its_words() {
    let engine = engine();
    let id = one(&engine, "the unreachable star").stored[0].id;
    let request = RecallRequest::new(principal("a/b").scope(), Redactor::new().clean("star"));
    let found = block_on(recall(
        engine.store().as_ref(),
        engine.embedder().map(AsRef::as_ref),
        &request,
    ));
    assert_eq!(found.hits[0].memory.id, id);
    assert_eq!((found.errors, found.pending), (vec![], 1));
}

#[test]
fn bad_requests_store_nothing() {
    let engine = engine();
    let fault = |items: Vec<RememberItem>| match write(&engine, items, None) {
        Err(EngineError::Input(fault)) => fault,
        other => panic!("{other:?} is no input fault"),
    };
    let at = |ms| Some(Timestamp::from_millis(ms).unwrap());
    assert_eq!(fault(vec![" \n".into()]), InputFault::EmptyText);
    assert_eq!(
        fault(vec!["x".repeat(101).into()]),
        InputFault::TextTooLong {
            bytes: 101,
            limit: 100
        }
    );
    assert_eq!(fault(vec!["a\0b".into()]), InputFault::NulByte("text"));
    let backwards = RememberItem {
        valid_from: at(2),
        valid_to: at(1),
        ..RememberItem::new("x")
    };
    // The good item beside the bad one is not stored either.
    assert_eq!(
        fault(vec!["good".into(), backwards]),
        InputFault::EmptyValidity
    );
    let many = (0..4).map(|n| n.to_string().into()).collect();
    assert!(matches!(
        fault(many),
        InputFault::TooMany {
            count: 4,
            limit: 3,
            ..
        }
    ));
    let tagged = RememberItem {
        tags: vec!["t".repeat(5000)],
        ..RememberItem::new("x")
    };
    assert!(matches!(
        fault(vec![tagged]),
        InputFault::FieldTooLong { what: "tag", .. }
    ));
    assert_eq!(log_ops(&engine), Vec::<&str>::new());
}

#[test]
fn secrets_stay_out_of_text_tags_and_context() {
    let secret = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let engine = engine();
    let mut item = RememberItem::new(format!("token {secret}"));
    item.tags = vec![secret];
    item.context
        .insert("password".to_owned(), "hunter2hunter2".to_owned());
    let id = write(&engine, vec![item], None).unwrap().stored[0].id;
    let stored = block_on(engine.store().memories(&principal("a/b").scope(), &[id])).unwrap();
    let shown = format!("{stored:?}");
    assert!(
        !shown.contains("16C7e42F") && !shown.contains("hunter2"),
        "{shown}"
    );
    assert!(stored[0].text.contains("[REDACTED:"));
}

#[test]
fn forgetting_reaches_down_and_never_up_or_sideways() {
    let engine = engine();
    let id = one(&engine, "forget me").stored[0].id;
    let forget = |namespace: &str| {
        let by = principal(namespace);
        block_on(engine.forget(&Forget {
            by,
            memories: vec![id],
            reason: None,
        }))
    };
    for elsewhere in ["a/b/c", "a/bc", "a/c"] {
        let error = forget(elsewhere).unwrap_err();
        assert!(
            matches!(error, EngineError::Store(error) if error.kind == StoreErrorKind::NotFound)
        );
    }
    let forgotten = forget("a").unwrap();
    let trusted = TrustedKeys::new([keys().certificate.public()]);
    let verified =
        precedent_audit::certificate::verify_certificate(&forgotten.certificate.envelope, &trusted);
    assert!(verified.is_ok());
    let by_memory = block_on(engine.store().certificates(&CertificateQuery::Memory(id))).unwrap();
    assert_eq!(by_memory, [forgotten.certificate]);
    assert!(forget("a").is_err(), "it is gone already");
    assert_eq!(
        one(&engine, "forget me").stored.len(),
        1,
        "it can be told anew, under a new id"
    );
}
