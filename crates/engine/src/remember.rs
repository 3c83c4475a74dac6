//! Remembering: one request, one commit, every outcome in the log.

use std::collections::BTreeMap;

use precedent_core::audit::{Detail, Fact, FactResult, Op, Reason};
use precedent_core::{
    ActionPattern, Change, CleanText, Commit, Committed, Control, Digest, Durability, EmbedKind,
    Expect, Header, Kind, Memory, MemoryId, MemoryQuery, Principal, PutMemory, Retry, Rule, RuleId,
    Salience, Scope, Severity, Source, Timestamp, Trust,
};
use serde::Serialize;

use crate::{Engine, EngineError, InputFault};

/// How often a commit is built again when another writer got in between.
const REBUILDS: usize = 8;

/// The control part of a memory, compiled by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDraft {
    /// What it demands.
    pub control: Control,
    /// Keys under which an action finds it.
    pub keys: Vec<CleanText>,
    /// How strongly it speaks.
    pub severity: Severity,
    /// The project that it is confined to, if any.
    pub project: Option<CleanText>,
}

impl RuleDraft {
    /// Returns the pattern of the actions that the rule is about.
    pub fn trigger(&self) -> &ActionPattern {
        self.control.trigger()
    }
}

/// One thing to remember, as the caller said it.
#[derive(Clone, Debug)]
pub struct RememberItem {
    /// The content, not yet redacted.
    pub text: String,
    /// What it is about.
    pub kind: Kind,
    /// Where it comes from.
    pub source: Source,
    /// What the host grants it.
    pub trust: Trust,
    /// Labels.
    pub tags: Vec<String>,
    /// Further facts by name.
    pub context: BTreeMap<String, String>,
    /// How much it matters.
    pub salience: Salience,
    /// Whether only the writing agent may see it.
    pub private: bool,
    /// When it began to hold; the present by default.
    pub valid_from: Option<Timestamp>,
    /// When it ceases to hold.
    pub valid_to: Option<Timestamp>,
    /// The memory that it replaces.
    pub supersedes: Option<MemoryId>,
    /// Its control part; kept only if the memory may control.
    pub rules: Vec<RuleDraft>,
}

impl RememberItem {
    /// Makes an episodic memory that a user told, without any trust beyond that.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind: Kind::Episodic,
            source: Source::ToldByUser,
            trust: Trust::Unverified,
            tags: Vec::new(),
            context: BTreeMap::new(),
            salience: Salience::DEFAULT,
            private: false,
            valid_from: None,
            valid_to: None,
            supersedes: None,
            rules: Vec::new(),
        }
    }
}

/// A write request.
#[derive(Clone, Debug)]
pub struct Remember {
    /// Who writes; the memories go to this principal's namespace.
    pub by: Principal,
    /// What to remember, all of it or nothing.
    pub items: Vec<RememberItem>,
    /// The same key means the same request, however often it is sent.
    pub idempotency_key: Option<String>,
}

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

    fn request_digest(&self, request: &Remember) -> Digest {
        let items = format!("{:?}", request.items);
        self.digest("precedent/request/v1", &[items.as_bytes()])
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

impl<T: Into<String>> From<T> for RememberItem {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}
