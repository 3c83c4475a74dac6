//! The sealer alone, and inside the reference store.

use futures_executor::block_on;
use precedent_core::audit::{Detail, Erased, Residue, Sanitised, Stage};
use precedent_core::{
    CertificateId, Change, Commit, CommitId, ContradictionId, Decision, Durability, EntityId,
    Erasure, Header, Kind, MemStore, Memory, Namespace, PutMemory, ReceiptId, Redactor, RuleId,
    State, Store, StoreId, Verdict,
};
use proptest::prelude::*;

use super::*;
use crate::certificate::{Certificate, ClaimStatus, verify_certificate};
use crate::chain::{Mode, verify};
use crate::key::{CertificateKey, HmacKey, TrustedKeys};

const T0: i64 = 1_796_054_400_000;

fn keys() -> Arc<KeySet> {
    Arc::new(KeySet {
        certificate: CertificateKey::from_bytes(&[1; 32]),
        hmac: HmacKey::from_bytes(&[1; 32]),
    })
}

fn trusted() -> TrustedKeys {
    TrustedKeys::new([keys().certificate.public()])
}

fn sealer() -> Sealer {
    Sealer::new(
        Origin::parse("memory.example/audit/prod-1").unwrap(),
        keys(),
    )
}

fn name(text: &str) -> Name {
    Name::parse(Redactor::new().clean(text)).unwrap()
}

fn namespace(text: &str) -> Namespace {
    Namespace::parse(Redactor::new().clean(text)).unwrap()
}

fn time(ms: i64) -> Timestamp {
    Timestamp::from_millis(T0 + ms).unwrap()
}

fn header(ms: i64) -> Header {
    Header {
        id: CommitId::from_bytes([9; 16]),
        at: time(ms),
        actor: name("user:alice"),
        agent: name("agent-7"),
        namespace: namespace("org/acme"),
        purpose: name("assist"),
    }
}

fn memory(n: u64) -> MemoryId {
    MemoryId::from_bytes([1; 16]).offset(n)
}

fn fact(op: Op, memory: Option<MemoryId>, detail: Detail) -> Fact {
    let namespace = namespace("org/acme/team");
    Fact {
        op,
        result: FactResult::Ok,
        namespace,
        memory,
        detail,
    }
}

fn written(n: u64) -> Fact {
    let detail = Detail::Written {
        kind: Kind::Episodic,
        state: State::Active,
        pending_vector: false,
    };
    fact(Op::Write, Some(memory(n)), detail)
}

fn erased(ids: Vec<MemoryId>) -> Fact {
    let erased = Erased {
        certificate: CertificateId::from_bytes([2; 16]),
        memories: ids,
        derived: vec![RuleId::from_bytes([3; 16])],
        vectors: 1,
        postings: 12,
        reason: Some(Redactor::new().clean("gdpr.art17.1.b")),
    };
    fact(
        Op::Forget,
        Some(memory(0)),
        Detail::Erased(Box::new(erased)),
    )
}

fn block(kind: &'static str) -> BackendBlock {
    BackendBlock {
        kind,
        engine_version: precedent_core::Redactor::new().clean("3.54.1"),
        store_id: Some(StoreId::from_bytes([4; 16])),
        schema_version: 3,
    }
}

fn seal_with(sealer: &Sealer, head: Option<&Head>, ms: i64, facts: &[Fact]) -> Sealed {
    let header = header(ms);
    sealer
        .seal(&SealRequest {
            head,
            header: &header,
            facts,
            backend: &block("sqlite"),
        })
        .unwrap()
}

fn seal(head: Option<&Head>, ms: i64, facts: &[Fact]) -> Sealed {
    seal_with(&sealer(), head, ms, facts)
}

fn text(entry: &SealedEntry) -> &str {
    std::str::from_utf8(&entry.bytes).unwrap()
}

#[test]
fn an_empty_log_begins_with_its_genesis() {
    let sealed = seal(None, 0, &[written(0)]);
    let spki = keys().certificate.public().to_spki_base64();
    let genesis = format!(
        "{{\"actor\":\"system\",\"agent_id\":\"system\",\"detail\":{{\
         \"certificate_keys\":[\"{spki}\"],\"checkpoint_keys\":[],\
         \"format\":\"agent-memory-audit/v1\",\"origin\":\"memory.example/audit/prod-1\"}},\
         \"memory_id\":null,\"namespace\":\"\",\"op\":\"log.genesis\",\"prev\":null,\
         \"purpose\":\"genesis\",\"result\":\"ok\",\"seq\":0,\
         \"ts\":\"2026-11-30T16:00:00.000Z\",\"v\":1}}"
    );
    assert_eq!(text(&sealed.entries[0]), genesis);
    let prev = hash::leaf(genesis.as_bytes());
    // The pseudonym is the independent value of the key's own test.
    let actor = keys().hmac.pseudonym("user:alice");
    assert_eq!(
        text(&sealed.entries[1]),
        format!(
            "{{\"actor\":\"{actor}\",\"agent_id\":\"agent-7\",\"detail\":{{\
             \"kind\":\"episodic\",\"pending_vector\":false,\"state\":\"active\"}},\"memory_id\":\"{}\",\
             \"namespace\":\"org/acme/team\",\"op\":\"write\",\"prev\":\"{prev}\",\
             \"purpose\":\"assist\",\"result\":\"ok\",\"seq\":1,\
             \"ts\":\"2026-11-30T16:00:00.000Z\",\"v\":1}}",
            memory(0)
        )
    );
    assert_eq!(sealed.head.size, 2);
    assert_eq!(sealed.head.hash, hash::leaf(&sealed.entries[1].bytes));
    assert_eq!(sealed.recorded_at, time(0));
    assert!(verify(&sealed.entries, Some(&sealed.head), Mode::Full).is_ok());
}

#[test]
fn requests_of_one_time_make_one_log_however_they_are_cut() {
    let facts: Vec<Fact> = (0..4).map(written).collect();
    let whole = seal(None, 0, &facts);
    let first = seal(None, 0, &facts[..1]);
    let second = seal(Some(&first.head), 0, &facts[1..]);
    assert_eq!(second.head, whole.head);
    assert_eq!([first.entries, second.entries].concat(), whole.entries);
}

#[test]
fn time_never_goes_back_and_the_skew_is_noted() {
    let first = seal(None, 5_000, &[written(0)]);
    let second = seal(Some(&first.head), 1_500, &[written(1), written(2)]);
    assert_eq!(second.recorded_at, time(5_000));
    assert_eq!(second.head.at, time(5_000));
    assert!(text(&second.entries[0]).contains("\"clock_skew_ms\":3500,\"kind\""));
    assert!(!text(&second.entries[1]).contains("clock_skew_ms"));
    let third = seal(Some(&second.head), 6_000, &[written(3)]);
    assert!(!text(&third.entries[0]).contains("clock_skew_ms"));
    let log = [first.entries, second.entries, third.entries].concat();
    assert!(verify(&log, Some(&third.head), Mode::Full).is_ok());
}

#[test]
fn details_name_ids_and_codes_only() {
    let receipt = ReceiptId::from_bytes([5; 16]);
    let contradiction = ContradictionId::from_bytes([6; 16]);
    let entity = EntityId::from_bytes([7; 16]);
    let guard = Detail::Guard {
        receipt,
        decision: Decision::Block,
        risk_permille: 900,
    };
    let cases = [
        (Detail::None, "null".to_owned()),
        (
            Detail::SupersededBy(memory(1)),
            format!("{{\"superseded_by\":\"{}\"}}", memory(1)),
        ),
        (
            Detail::Reason(precedent_core::audit::Reason::ExactRepeat, Some(memory(1))),
            format!(
                "{{\"reason\":\"exact-repeat\",\"repeats\":\"{}\"}}",
                memory(1)
            ),
        ),
        (
            guard,
            format!(
                "{{\"decision\":\"block\",\"receipt_id\":\"{receipt}\",\"risk_permille\":900}}"
            ),
        ),
        (
            Detail::Moved {
                from: State::Active,
                to: State::Dormant,
            },
            "{\"from\":\"active\",\"to\":\"dormant\"}".to_owned(),
        ),
        (
            Detail::Contradiction(contradiction, Some(Verdict::Person)),
            format!("{{\"contradiction_id\":\"{contradiction}\",\"verdict\":\"person\"}}"),
        ),
        (
            Detail::Entity(entity),
            format!("{{\"entity_id\":\"{entity}\"}}"),
        ),
        (Detail::Reindexed(7), "{\"memories\":7}".to_owned()),
    ];
    for (detail, expected) in cases {
        let sealed = seal(None, 0, &[fact(Op::Write, None, detail)]);
        let expected = format!("\"detail\":{expected},\"memory_id\"");
        assert!(
            text(&sealed.entries[1]).contains(&expected),
            "{}",
            text(&sealed.entries[1])
        );
    }
}

fn certificate(sealed: &Sealed) -> Certificate {
    let envelope = &sealed.certificates[0].envelope;
    verify_certificate(envelope, &trusted())
        .unwrap()
        .certificate
}

#[test]
fn an_erasure_gets_a_first_stage_certificate_that_its_entry_names() {
    let sealed = seal(None, 0, &[written(0), erased(vec![memory(0)])]);
    let [made] = &sealed.certificates[..] else {
        unreachable!("one erasure was sealed")
    };
    let verified = verify_certificate(&made.envelope, &trusted()).unwrap();
    assert_eq!((made.seq, made.stage), (2, Stage::Logical));
    assert_eq!(made.payload_sha256, verified.payload_sha256);
    assert!(text(&sealed.entries[2]).contains(&format!(
        "\"detail\":{{\"certificate_id\":\"{}\",\"certificate_sha256\":\"{}\",\"count\":1,\
         \"stage\":\"logical\"}}",
        made.id, verified.payload_sha256
    )));
    let certificate = verified.certificate;
    assert_eq!(certificate.certificate_id, made.id.to_string());
    assert_eq!(certificate.requester, keys().hmac.pseudonym("user:alice"));
    assert_eq!(certificate.target.value, memory(0).to_string());
    assert_eq!(certificate.target.namespace, "org/acme/team");
    assert_eq!(certificate.scope.counts.memories, 1);
    assert_eq!(certificate.scope.counts.fts_rows, 12);
    assert_eq!(certificate.scope.counts.derived, 1);
    assert_eq!(certificate.authority.unwrap().basis, "gdpr.art17.1.b");
    assert_eq!(certificate.backend.kind, "sqlite");
    let statuses: Vec<ClaimStatus> = certificate
        .claims
        .iter()
        .map(|claim| claim.status)
        .collect();
    assert_eq!(
        statuses,
        [
            ClaimStatus::Asserted,
            ClaimStatus::Pending,
            ClaimStatus::NotClaimed,
            ClaimStatus::NotClaimed
        ]
    );
}

#[test]
fn several_memories_are_named_by_the_tree_head_over_their_ids() {
    let sealed = seal(None, 0, &[erased(vec![memory(0), memory(1)])]);
    let texts = [memory(0).to_string(), memory(1).to_string()];
    let root = hash::node(
        &hash::leaf(texts[0].as_bytes()),
        &hash::leaf(texts[1].as_bytes()),
    );
    assert_eq!(certificate(&sealed).target.value, root.to_string());
}

#[test]
fn a_known_retention_promises_the_backups_expiry() {
    let sealer = sealer().with_backup_retention(30);
    let sealed = seal_with(&sealer, None, 0, &[erased(vec![memory(0)])]);
    let claim = &certificate(&sealed).claims[2];
    assert_eq!(claim.status, ClaimStatus::Pending);
    assert_eq!(claim.not_after.as_deref(), Some("2026-12-30T16:00:00.000Z"));
}

#[test]
fn a_blank_backend_makes_logs_of_different_backends_equal() {
    let sealer = sealer().with_blank_backend();
    let header = header(0);
    let facts = [written(0), erased(vec![memory(0)])];
    let heads = ["mem", "sqlite", "lance"].map(|kind| {
        let backend = block(kind);
        let request = SealRequest {
            head: None,
            header: &header,
            facts: &facts,
            backend: &backend,
        };
        sealer.seal(&request).unwrap().head
    });
    assert!(heads.iter().all(|head| *head == heads[0]));
}

fn sanitised(previous: &Sealed, change: impl FnOnce(&mut Sanitised)) -> Fact {
    let mut sanitised = Sanitised {
        certificate: CertificateId::from_bytes([6; 16]),
        previous: previous.certificates[0].envelope.clone(),
        procedure: "sqlite/v1",
        steps: vec![("vacuum", true)],
        started_at: time(1),
        finished_at: time(2),
        residue: Residue {
            method: "structure/v1",
            files_scanned: 2,
            hits: 0,
            freelist_bytes: 0,
            wal_bytes: 0,
        },
    };
    change(&mut sanitised);
    fact(
        Op::ForgetSanitised,
        None,
        Detail::Sanitised(Box::new(sanitised)),
    )
}

#[test]
fn a_clean_up_gets_a_second_stage_certificate() {
    let first = seal(None, 0, &[erased(vec![memory(0)])]);
    let second = seal(Some(&first.head), 3, &[sanitised(&first, |_| {})]);
    let certificate = certificate(&second);
    assert_eq!(second.certificates[0].stage, Stage::Sanitised);
    assert_eq!(
        certificate.previous_certificate_sha256,
        Some(first.certificates[0].payload_sha256.to_string())
    );
    assert_eq!(certificate.claims[1].status, ClaimStatus::Verified);
    assert_eq!(certificate.scope.memory_ids.count(), 1);
    let recorded = Entry::parse(&second.entries[0].bytes).unwrap();
    let verified = verify_certificate(&second.certificates[0].envelope, &trusted()).unwrap();
    assert!(verified.is_recorded_by(&recorded));
    // Bytes on free pages could be anything: the claim waits.
    let waiting = sanitised(&first, |sanitised| sanitised.residue.freelist_bytes = 1);
    let second = seal(Some(&first.head), 3, &[waiting]);
    let certificate = verify_certificate(&second.certificates[0].envelope, &trusted()).unwrap();
    assert_eq!(
        certificate.certificate.claims[1].status,
        ClaimStatus::Pending
    );
}

#[test]
fn a_clean_up_that_failed_gets_none() {
    let first = seal(None, 0, &[erased(vec![memory(0)])]);
    let header = header(3);
    let changes: [fn(&mut Sanitised); 4] = [
        |sanitised| sanitised.steps[0].1 = false,
        |sanitised| sanitised.residue.hits = 1,
        |sanitised| sanitised.previous.truncate(9),
        // A certificate under another key is not one of this log.
        |sanitised| {
            let vector = include_str!("../../tests/vectors/certificate.dsse.json");
            sanitised.previous = vector.as_bytes().to_vec();
        },
    ];
    for change in changes {
        let facts = [sanitised(&first, change)];
        let request = SealRequest {
            head: Some(&first.head),
            header: &header,
            facts: &facts,
            backend: &block("sqlite"),
        };
        assert!(matches!(
            sealer().seal(&request),
            Err(SealError::NotCanonical { .. })
        ));
    }
}

#[test]
fn a_full_log_is_refused() {
    let head = Head {
        size: MAX_INTEGER,
        hash: hash::sha256(b""),
        at: time(0),
    };
    let (header, facts) = (header(0), [written(0)]);
    let backend = block("sqlite");
    let request = SealRequest {
        head: Some(&head),
        header: &header,
        facts: &facts,
        backend: &backend,
    };
    assert_eq!(sealer().seal(&request), Err(SealError::Exhausted));
}

#[test]
fn key_ids_name_both_keys() {
    let ids = sealer().key_ids();
    assert_eq!(
        ids,
        [keys().certificate.public().key_id(), keys().hmac.key_id()]
    );
    assert_eq!(
        sealer().pseudonym(&name("user:alice")),
        keys().hmac.pseudonym("user:alice")
    );
}

fn commit(n: u8, ms: i64, changes: Vec<Change>) -> Commit {
    let mut header = header(ms);
    header.id = CommitId::from_bytes([n; 16]);
    Commit {
        header,
        durability: Durability::Full,
        request: hash::sha256(&[n]),
        expects: Vec::new(),
        changes,
    }
}

fn put(n: u64) -> Change {
    let clean = |text: &str| Redactor::new().clean(text);
    Change::Put(Box::new(PutMemory {
        memory: Memory {
            kind: Kind::Semantic,
            ..Memory::new(
                memory(n),
                namespace("org/acme"),
                name("agent-7"),
                name("user:alice"),
                clean("the release branch is cut on fridays"),
            )
        },
        vector: None,
        digest: hash::sha256(b"content"),
        echo: hash::sha256(b"text"),
    }))
}

#[test]
fn the_reference_store_writes_a_log_that_verifies() {
    let store = MemStore::new(None);
    let sink: Arc<dyn AuditSink> = Arc::new(sealer());
    block_on(async {
        store
            .commit(commit(1, 0, vec![put(0), put(1)]), sink.clone())
            .await
            .unwrap();
        let erasure = Erasure {
            certificate: CertificateId::from_bytes([2; 16]),
            memories: vec![memory(0)],
            within: namespace("org"),
            reason: None,
        };
        let answer = store
            .commit(commit(2, 5, vec![Change::Erase(erasure)]), sink)
            .await
            .unwrap();
        let page = store.audit_log(0, 100).await.unwrap();
        let report = verify(&page.entries, page.head.as_ref(), Mode::Full);
        assert!(report.is_ok(), "{report:?}");
        assert_eq!(report.computed, Some(answer.head));
        let query = precedent_core::CertificateQuery::Memory(memory(0));
        let kept = store.certificates(&query).await.unwrap();
        let verified = verify_certificate(&kept[0].envelope, &trusted()).unwrap();
        assert_eq!(verified.certificate.backend.kind, "mem");
        // A store without files makes no claim about files.
        assert_eq!(
            verified.certificate.claims[1].status,
            ClaimStatus::NotClaimed
        );
        assert!(verified.is_recorded_by(&Entry::parse(&page.entries[3].bytes).unwrap()));
        assert!(
            page.entries
                .iter()
                .all(|entry| !text(entry).contains("alice"))
        );
    });
}

proptest! {
    #[test]
    fn any_sequence_of_requests_makes_a_log_that_verifies(
        requests in prop::collection::vec((0..10_000_i64, prop::collection::vec(0..50_u64, 1..4)), 1..8),
    ) {
        let mut head = None;
        let mut log = Vec::new();
        for (ms, ids) in requests {
            let facts: Vec<Fact> = ids
                .into_iter()
                .map(|n| if n % 5 == 0 { erased(vec![memory(n)]) } else { written(n) })
                .collect();
            let sealed = seal(head.as_ref(), ms, &facts);
            prop_assert!(sealed.recorded_at >= time(ms));
            head = Some(sealed.head);
            log.extend(sealed.entries);
        }
        for mode in [Mode::Fast, Mode::Full] {
            let report = verify(&log, head.as_ref(), mode);
            prop_assert!(report.is_ok(), "{:?}", report);
            prop_assert_eq!(report.computed, head);
        }
    }
}
