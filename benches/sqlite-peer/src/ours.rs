//! Our side: the store as it is, asked without an embedder.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use futures_executor::block_on;
use precedent_audit::key::KeySet;
use precedent_audit::sealer::{Origin, Sealer};
use precedent_core::fusion::{Fusion, fuse};
use precedent_core::{
    AuditSink, Candidate, Change, Commit, CommitId, Digest, Durability, EmbeddingSpace, Filter,
    Floor, Header, Kind, Lane, Memory, MemoryId, Name, Namespace, PutMemory, QueryVector, Recall,
    RecallQuery, Redactor, Scope, Store, StoreId, Timestamp, analyze,
};
use precedent_store_sqlite::{SqliteConfig, SqliteStore};

use crate::data::{Data, Question};
use crate::{DEPTH, LIMIT};

/// Memories of a commit.
const BATCH: usize = 1_000;
const SPACE: Digest = Digest::from_bytes([9; 32]);

/// Our store, filled.
pub struct Ours {
    store: SqliteStore,
    scope: Scope,
}

impl Ours {
    /// Opens the store at `path`, and fills it if it is new; memories take the kinds in turn.
    pub fn open(path: &Path, data: &Data) -> Result<Self, Box<dyn Error>> {
        let redactor = Redactor::new();
        let mut config = SqliteConfig::new(path, StoreId::from_bytes([7; 16]));
        config.space = Some(EmbeddingSpace {
            fingerprint: SPACE,
            model: redactor.clean("generated"),
            dimension: data.dimension,
            floor: 0.0,
        });
        let scope = Scope {
            namespace: Namespace::parse(redactor.clean("bench"))?,
            agent: Name::parse(redactor.clean("bench"))?,
            names: Vec::new(),
        };
        let new = !path.exists();
        let store = SqliteStore::open(config)?;
        if new {
            fill(&store, &scope, &redactor, data)?;
        }
        Ok(Self { store, scope })
    }

    /// Recalls by both lanes; returns the memories' numbers, best first, read with their text.
    pub fn hybrid(&self, question: &Question) -> Result<Vec<usize>, Box<dyn Error>> {
        let query = self.query(question, true, true);
        let found = block_on(self.store.candidates(&query));
        let ranked = fuse(&found.answers, &query.fusion, &query.floor);
        if found.memories.len() < LIMIT {
            return Err("recall returned too few memories".into());
        }
        Ok(ranked
            .iter()
            .take(LIMIT)
            .map(|hit| number(hit.id))
            .collect())
    }

    /// Asks one lane alone.
    pub fn lane(&self, question: &Question, lane: Lane) -> Result<Vec<usize>, Box<dyn Error>> {
        let query = self.query(question, lane == Lane::Vector, lane == Lane::Lexical);
        let mut found: Vec<Candidate> = Vec::new();
        for answer in block_on(self.store.candidates(&query)).answers {
            found.extend(answer.result.map_err(|error| error.to_string())?);
        }
        found.sort_by(|a, b| b.raw.total_cmp(&a.raw));
        Ok(found.iter().take(LIMIT).map(|hit| number(hit.id)).collect())
    }

    fn query(&self, question: &Question, vector: bool, lexical: bool) -> RecallQuery {
        let words = if lexical { question.text.as_str() } else { "" };
        RecallQuery {
            scope: self.scope.clone(),
            kinds: Kind::ALL.to_vec(),
            terms: analyze::query(words),
            vector: vector.then(|| QueryVector {
                space: SPACE,
                values: question.vector.clone(),
            }),
            filter: Filter::default(),
            depth: DEPTH,
            limit: LIMIT,
            fusion: Fusion::default(),
            floor: Floor::NONE,
        }
    }
}

/// Returns the number that [`id`] was made of.
fn number(id: MemoryId) -> usize {
    let number = u128::from_be_bytes(*id.as_bytes());
    usize::try_from(number).expect("ids are made of the numbers of memories")
}

fn id(number: usize) -> [u8; 16] {
    (number as u128).to_be_bytes()
}

fn fill(
    store: &SqliteStore,
    scope: &Scope,
    redactor: &Redactor,
    data: &Data,
) -> Result<(), Box<dyn Error>> {
    let origin = Origin::parse("bench.local/store")?;
    let sink: Arc<dyn AuditSink> = Arc::new(Sealer::new(origin, Arc::new(KeySet::ephemeral()?)));
    let numbers: Vec<usize> = (0..data.texts.len()).collect();
    for batch in numbers.chunks(BATCH) {
        let changes = batch
            .iter()
            .map(|&number| put(number, scope, redactor, data))
            .collect();
        let commit = Commit {
            header: Header {
                id: CommitId::from_bytes(id(batch[0])),
                at: Timestamp::EPOCH,
                actor: scope.agent.clone(),
                agent: scope.agent.clone(),
                namespace: scope.namespace.clone(),
                purpose: scope.agent.clone(),
            },
            durability: Durability::Full,
            request: Digest::from_bytes([0; 32]),
            expects: Vec::new(),
            changes,
        };
        block_on(store.commit(commit, Arc::clone(&sink)))?;
    }
    Ok(())
}

fn put(number: usize, scope: &Scope, redactor: &Redactor, data: &Data) -> Change {
    let mut digest = [0; 32];
    digest[..16].copy_from_slice(&id(number));
    Change::Put(Box::new(PutMemory {
        memory: Memory {
            kind: Kind::ALL[number % Kind::ALL.len()],
            ..Memory::new(
                MemoryId::from_bytes(id(number)),
                scope.namespace.clone(),
                scope.agent.clone(),
                scope.agent.clone(),
                redactor.clean(&data.texts[number]),
            )
        },
        vector: Some(data.vectors[number].clone()),
        digest: Digest::from_bytes(digest),
        echo: Digest::from_bytes(digest),
    }))
}
