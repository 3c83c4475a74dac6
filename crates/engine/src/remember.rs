//! Remembering: one request, one commit, every outcome in the log.

use std::collections::BTreeMap;

use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{
    Change, CleanText, Commit, Committed, Digest, Durability, EmbedKind, Expect, Header, Memory,
    MemoryId, MemoryQuery, Principal, PutMemory, Retry, Rule, RuleId, Scope, Timestamp,
};
use serde::Serialize;

use crate::{Engine, EngineError, InputFault, Remember, RememberItem, RuleDraft};

/// How often a commit is built again when another writer got in between.
const REBUILDS: usize = 8;

/// A stored memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stored {
    /// Its id.
    pub id: MemoryId,
    /// Whether it has been erased since; only a replayed request can tell.
    pub erased: bool,
}

/// What became of a write request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WriteResult {
    /// Memories that were stored.
    pub stored: Vec<Stored>,
    /// Memories that were there already, word for word.
    pub deduplicated: Vec<MemoryId>,
    /// Memories that were replaced.
    pub superseded: Vec<MemoryId>,
    /// How many rules were stored.
    pub rules: usize,
    /// The instant the store recorded.
    pub recorded_at: Timestamp,
    /// The sequence number of the last audit entry.
    pub seq: u64,
    /// Whether the request had been carried out before.
    pub replayed: bool,
}

/// An item on its way into a commit.
struct Candidate<'a> {
    memory: Memory,
    digest: Digest,
    vector: Option<Vec<f32>>,
    rules: &'a [RuleDraft],
}

impl Engine {
    /// Remembers: redacts, checks, embeds, finds exact repeats, supersedes, commits.
    ///
    /// A text that cannot be embedded is stored all the same and found by its words.
    ///
    /// # Errors
    /// [`EngineError`]; nothing is stored then.
    pub async fn remember(&self, request: &Remember) -> Result<WriteResult, EngineError> {
        let header = self.header(&request.by, request.idempotency_key.as_deref());
        let mut candidates = self.prepare(request, header.at)?;
        self.embed(&mut candidates).await;
        let request_digest = self.request_digest(request);
        let mut rebuilds = 0;
        loop {
            let commit = self
                .build(&header, request_digest, &candidates, &request.by)
                .await?;
            match self.store.commit(commit, self.sink.clone()).await {
                Ok(committed) => return Ok(result(&committed)),
                Err(error) if error.retry == Retry::Rebuild && rebuilds < REBUILDS => rebuilds += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn prepare<'a>(
        &self,
        request: &'a Remember,
        now: Timestamp,
    ) -> Result<Vec<Candidate<'a>>, InputFault> {
        let (count, limit) = (request.items.len(), self.limits.items);
        if count == 0 {
            return Err(InputFault::EmptyText);
        }
        if count > limit {
            return Err(InputFault::TooMany {
                what: "memories in one request",
                count,
                limit,
            });
        }
        let admit = |item: &'a RememberItem| {
            let memory = self.admit(item, &request.by, now)?;
            let digest = self.content_digest(&memory);
            Ok(Candidate {
                memory,
                digest,
                vector: None,
                rules: &item.rules,
            })
        };
        request.items.iter().map(admit).collect()
    }

    async fn embed(&self, candidates: &mut [Candidate<'_>]) {
        let Some(embedder) = &self.embedder else {
            return;
        };
        let texts: Vec<&CleanText> = candidates
            .iter()
            .map(|candidate| &candidate.memory.text)
            .collect();
        let vectors = embedder.embed(EmbedKind::Document, &texts).await;
        for (candidate, vector) in candidates.iter_mut().zip(vectors) {
            candidate.vector = vector.ok();
        }
    }

    /// Digests what was asked for as it was said: two secrets are two requests.
    fn request_digest(&self, request: &Remember) -> Digest {
        let items: Vec<String> = request.items.iter().map(RememberItem::whole).collect();
        let parts: Vec<&[u8]> = items.iter().map(String::as_bytes).collect();
        self.digest("precedent/request/v1", &parts)
    }

    /// Builds the commit from what the store holds now.
    async fn build(
        &self,
        header: &Header,
        request: Digest,
        candidates: &[Candidate<'_>],
        by: &Principal,
    ) -> Result<Commit, EngineError> {
        let mut commit = Commit {
            header: header.clone(),
            durability: Durability::Full,
            request,
            expects: Vec::new(),
            changes: Vec::new(),
        };
        let mut seen: BTreeMap<(Digest, bool), MemoryId> = BTreeMap::new();
        for candidate in candidates {
            let memory = &candidate.memory;
            let place = (candidate.digest, memory.private);
            let repeated = match seen.get(&place) {
                Some(id) => Some(*id),
                None => self.find_repeat(candidate, &by.scope()).await?,
            };
            match repeated {
                Some(id) if memory.supersedes.is_none() => {
                    commit.changes.push(repeat_note(memory, id));
                }
                _ => {
                    seen.insert(place, memory.id);
                    self.add(&mut commit, candidate).await?;
                }
            }
        }
        Ok(commit)
    }

    async fn find_repeat(
        &self,
        candidate: &Candidate<'_>,
        scope: &Scope,
    ) -> Result<Option<MemoryId>, EngineError> {
        let query = MemoryQuery {
            scope: scope.clone(),
            digest: Some(candidate.digest),
            kinds: Vec::new(),
            after: None,
            limit: 8,
        };
        let owner = candidate.memory.owner();
        let found = self.store.find_memories(&query).await?;
        Ok(found
            .iter()
            .find(|memory| memory.owner() == owner)
            .map(|memory| memory.id))
    }

    /// Adds a memory, what it replaces and its rules to the commit.
    async fn add(&self, commit: &mut Commit, candidate: &Candidate<'_>) -> Result<(), EngineError> {
        let memory = &candidate.memory;
        match memory.supersedes {
            None => commit.expects.push(Expect::NoDuplicate {
                namespace: memory.namespace.clone(),
                owner: memory.owner().cloned(),
                digest: candidate.digest,
            }),
            Some(old) => commit
                .expects
                .push(self.expect_replaceable(memory, old).await?),
        }
        commit.changes.push(Change::Put(Box::new(PutMemory {
            memory: memory.clone(),
            vector: candidate.vector.clone(),
            digest: candidate.digest,
        })));
        if let Some(old) = memory.supersedes {
            commit.changes.push(Change::Supersede {
                old,
                new: memory.id,
            });
        }
        if memory.may_control() {
            let rules = candidate.rules.iter().map(|draft| self.rule(draft, memory));
            commit
                .changes
                .extend(rules.map(|rule| Change::Rule(Box::new(rule))));
        }
        Ok(())
    }

    /// Pins the replaced memory; a writer replaces only what stands in its own namespace, and
    /// what it may not see does not exist.
    async fn expect_replaceable(&self, by: &Memory, old: MemoryId) -> Result<Expect, EngineError> {
        let scope = Scope {
            namespace: by.namespace.clone(),
            agent: by.agent.clone(),
        };
        let found = self.store.memories(&scope, &[old]).await?;
        let replaced = found
            .iter()
            .find(|memory| memory.namespace == by.namespace)
            .ok_or_else(|| {
                precedent_core::StoreError::new(
                    precedent_core::StoreErrorKind::NotFound,
                    "superseding a memory",
                )
            })?;
        if replaced.may_control() && !by.may_control() {
            return Err(InputFault::Unvouched.into());
        }
        Ok(Expect::Version(old, replaced.version))
    }

    fn rule(&self, draft: &RuleDraft, memory: &Memory) -> Rule {
        Rule {
            id: RuleId::from_bytes(self.fresh_id(memory.recorded_at)),
            memory: memory.id,
            namespace: memory.namespace.clone(),
            agent: memory.agent.clone(),
            private: memory.private,
            project: draft.project.clone(),
            severity: draft.severity,
            control: draft.control.clone(),
            keys: draft.keys.clone(),
            recorded_at: memory.recorded_at,
        }
    }
}

fn repeat_note(memory: &Memory, of: MemoryId) -> Change {
    Change::Note(Fact {
        op: Op::Deduplicate,
        result: FactResult::Ok,
        namespace: memory.namespace.clone(),
        memory: Some(of),
        detail: Detail::Reason(Reason::ExactRepeat, Some(of)),
    })
}

fn result(committed: &Committed) -> WriteResult {
    let of = |op: Op| committed.facts.iter().filter(move |fact| fact.op == op);
    let ids = |op: Op| of(op).filter_map(|fact| fact.memory).collect::<Vec<_>>();
    WriteResult {
        stored: of(Op::Write)
            .filter_map(|fact| {
                Some(Stored {
                    id: fact.memory?,
                    erased: fact.erased,
                })
            })
            .collect(),
        deduplicated: ids(Op::Deduplicate),
        superseded: ids(Op::Supersede),
        rules: of(Op::Rule).count(),
        recorded_at: committed.recorded_at,
        seq: committed.facts.last().map_or(0, |fact| fact.seq),
        replayed: committed.replayed,
    }
}
