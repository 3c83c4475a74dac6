//! What the tests share: a sink without cryptography, and records by number.

use std::collections::BTreeMap;
use std::sync::Arc;

use precedent_core::audit::{Detail, Head, SealedCertificate, SealedEntry, Stage};
use precedent_core::{
    ActionKeys, AuditSink, CertificateId, Change, CleanText, Commit, CommitId, Decision, Digest,
    Durability, EmbeddingSpace, Erasure, EventId, Header, Kind, Memory, MemoryId, Name, Namespace,
    Outcome, PutMemory, Receipt, ReceiptId, Redactor, Scope, SealError, SealRequest, Sealed,
    StoreId, Timestamp, ToolEvent, Trust,
};

use crate::{SqliteConfig, SqliteStore};

/// Mixes bytes into a digest; deterministic, and nothing more.
pub(super) fn mix(bytes: &[u8]) -> Digest {
    let mut words = [0xcbf2_9ce4_8422_2325u64, 7, 11, 13];
    for (at, byte) in bytes.iter().enumerate() {
        let word = &mut words[at % 4];
        *word = (*word ^ u64::from(*byte))
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(17);
        words[(at + 1) % 4] ^= words[at % 4];
    }
    let mut digest = [0; 32];
    for (part, word) in digest.chunks_exact_mut(8).zip(words) {
        part.copy_from_slice(&word.to_le_bytes());
    }
    Digest::from_bytes(digest)
}

/// A sink that chains by [`mix`]; `refuse` makes it fail.
#[derive(Default)]
pub(super) struct TestSink {
    pub(super) keys: Vec<String>,
    pub(super) refuse: bool,
}

impl AuditSink for TestSink {
    fn seal(&self, request: &SealRequest<'_>) -> Result<Sealed, SealError> {
        if self.refuse {
            return Err(SealError::Exhausted);
        }
        let mut size = request.head.map_or(0, |head| head.size);
        let mut hash = request
            .head
            .map_or(Digest::from_bytes([0; 32]), |head| head.hash);
        let at = request
            .head
            .map_or(request.header.at, |head| head.at.max(request.header.at));
        let mut entries = Vec::new();
        let mut certificates = Vec::new();
        let mut push = |text: String, op, result, memory, namespace: String| {
            let leaf = mix(format!("{hash}{text}{at}").as_bytes());
            entries.push(SealedEntry {
                seq: size,
                bytes: text.into_bytes(),
                leaf,
                op,
                result,
                memory,
                namespace,
                actor: request.header.actor.to_string(),
                at,
            });
            (size, hash) = (size + 1, leaf);
            size - 1
        };
        if request.head.is_none() {
            let ok = precedent_core::audit::FactResult::Ok;
            push(
                "genesis".into(),
                precedent_core::audit::Op::Genesis,
                ok,
                None,
                String::new(),
            );
        }
        for fact in request.facts {
            let text = format!("{fact:?}");
            let seq = push(
                text,
                fact.op,
                fact.result,
                fact.memory,
                fact.namespace.to_string(),
            );
            let made = match &fact.detail {
                Detail::Erased(erased) => Some((erased.certificate, Stage::Logical)),
                Detail::Sanitised(done) => Some((done.certificate, Stage::Sanitised)),
                _ => None,
            };
            certificates.extend(made.map(|(id, stage)| SealedCertificate {
                id,
                stage,
                payload_sha256: mix(id.as_bytes()),
                envelope: format!("{stage} {id}").into_bytes(),
                seq,
            }));
        }
        Ok(Sealed {
            entries,
            head: Head { size, hash, at },
            certificates,
            recorded_at: at,
        })
    }

    fn key_ids(&self) -> Vec<String> {
        self.keys.clone()
    }

    fn pseudonym(&self, actor: &Name) -> String {
        actor.to_string()
    }
}

pub(super) fn sink() -> Arc<dyn AuditSink> {
    Arc::new(TestSink::default())
}

pub(super) fn clean(text: &str) -> CleanText {
    Redactor::new().clean(text)
}

pub(crate) fn namespace(path: &str) -> Namespace {
    Namespace::parse(clean(path)).unwrap()
}

pub(crate) fn name(text: &str) -> Name {
    Name::parse(clean(text)).unwrap()
}

pub(super) fn scope(path: &str, agent: &str) -> Scope {
    Scope {
        namespace: namespace(path),
        agent: name(agent),
        names: vec![name("alice")],
    }
}

/// Sixteen bytes that end in a number.
pub(super) fn bytes(n: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[8..].copy_from_slice(&n.to_be_bytes());
    bytes
}

pub(super) fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(1_700_000_000_000 + ms).unwrap()
}

pub(super) fn header(n: u64) -> Header {
    Header {
        id: CommitId::from_bytes(bytes(n)),
        at: at(i64::try_from(n).unwrap()),
        actor: name("alice"),
        agent: name("planner"),
        namespace: namespace("a"),
        purpose: name("assist"),
    }
}

pub(super) fn commit(n: u64, changes: Vec<Change>) -> Commit {
    Commit {
        header: header(n),
        durability: Durability::Full,
        request: mix(&n.to_be_bytes()),
        expects: Vec::new(),
        changes,
    }
}

pub(super) fn memory(n: u64, text: &str) -> Memory {
    Memory {
        kind: Kind::Semantic,
        tags: vec![clean("tag \"quoted\"")],
        trust: Trust::User,
        context: BTreeMap::from([(clean("host"), clean("ci"))]),
        ..Memory::new(
            MemoryId::from_bytes(bytes(n)),
            namespace("a"),
            name("planner"),
            name("alice"),
            clean(text),
        )
    }
}

pub(super) fn put(memory: Memory) -> Change {
    Change::Put(Box::new(PutMemory {
        digest: mix(memory.text.as_bytes()),
        echo: mix(format!("echo {}", memory.text).as_bytes()),
        vector: None,
        memory,
    }))
}

pub(super) fn erase(certificate: u64, memories: &[u64]) -> Change {
    Change::Erase(Erasure {
        certificate: CertificateId::from_bytes(bytes(certificate)),
        memories: memories
            .iter()
            .map(|n| MemoryId::from_bytes(bytes(*n)))
            .collect(),
        within: namespace("a"),
        reason: None,
    })
}

pub(super) fn event(n: u64, command: &str, outcome: Outcome) -> ToolEvent {
    ToolEvent {
        id: EventId::from_bytes(bytes(n)),
        namespace: namespace("a"),
        agent: name("planner"),
        private: false,
        session: Some(clean("s1")),
        host: Some(name("claude-code")),
        tool: clean("Bash"),
        keys: keys(command),
        credential: None,
        lookup: vec![clean("program:npm"), clean("program:npm")],
        command: clean(command),
        cwd: None,
        project: Some(clean("/p")),
        files: vec![precedent_core::FileState {
            path: clean("src/a.rs"),
            content: Some(mix(b"content")),
            named_by_error: false,
        }],
        outcome,
        error: None,
        output: Some(clean("done")),
        input_digest: Some(mix(b"in")),
        output_digest: None,
        exit_code: Some(-1),
        duration_ms: Some(u64::MAX),
        receipt: None,
        at: Timestamp::EPOCH,
    }
}

pub(super) fn keys(command: &str) -> ActionKeys {
    ActionKeys {
        exact: mix(command.as_bytes()),
        shape: mix(&command.as_bytes()[..command.len().min(6)]),
        family: mix(&command.as_bytes()[..command.len().min(3)]),
    }
}

pub(super) fn receipt(n: u64) -> Receipt {
    Receipt {
        id: ReceiptId::from_bytes(bytes(n)),
        namespace: namespace("a"),
        agent: name("planner"),
        session: None,
        tool_use: Some(clean("use-1")),
        tool: clean("Bash"),
        keys: keys("npm test"),
        decision: Decision::Allow,
        risk_permille: 120,
        evidence: vec![clean("event:1")],
        at: Timestamp::EPOCH,
        closed_by: None,
    }
}

/// Components of the tests' vectors.
pub(super) const DIMENSION: usize = 24;

pub(super) fn space() -> EmbeddingSpace {
    EmbeddingSpace {
        fingerprint: mix(b"space"),
        model: precedent_core::Redactor::new().clean("test"),
        dimension: DIMENSION,
        floor: 0.25,
    }
}

/// A store in a folder of its own.
pub(super) struct Folder {
    pub(super) folder: tempfile::TempDir,
}

impl Folder {
    pub(super) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(super) fn config(&self) -> SqliteConfig {
        let path = self.folder.path().join("store.db");
        let mut config = SqliteConfig::new(path, StoreId::from_bytes([7; 16]));
        config.space = Some(space());
        #[cfg(feature = "testkit")]
        {
            config.testkit = true;
        }
        config
    }

    pub(super) fn open(&self) -> SqliteStore {
        SqliteStore::open(self.config()).unwrap()
    }
}
