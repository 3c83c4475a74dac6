//! Remembering: one request, one commit, every outcome in the log.

mod admit;
mod compare;
pub(crate) mod draft;
mod entities;
mod gather;
mod mentions;
mod outcome;
mod timeline;

use precedent_core::audit::{Op, Reason};
use precedent_core::{
    CleanText, Commit, Committed, Digest, Durability, EmbedKind, Grant, Header, Kind, Lane, Memory,
    MemoryId, Principal, QueryVector, RecallQuery, Retry, Rule, RuleId, StoreError, StoreErrorKind,
    Trust, vector,
};

use self::draft::Draft;
pub use self::outcome::{Outcome, Rejected, Similar, Stored, WriteResult};
pub(crate) use self::timeline::may_overrule;
use crate::{Destination, Engine, EngineError, InputFault, Remember, RuleDraft, Stage};

/// How often a commit is built again when other writers got in between: more often than there are
/// writers that could be at the same key at once.
const REBUILDS: usize = 64;
/// The cosine from which two texts say almost the same; the threshold at which the reference
/// implementation merges (`spec`: consolidation, 0.92).
const ALMOST_THE_SAME: f64 = 0.92;

/// A memory on its way into a commit.
pub(super) struct Candidate<'a> {
    memory: Memory,
    digest: Digest,
    echo: Digest,
    vector: Option<Vec<f32>>,
    rules: &'a [RuleDraft],
    /// Memories whose rules cannot be followed together with its own.
    contradicts: &'a [MemoryId],
    /// The version of the memory that it replaces.
    version: Option<u64>,
    /// The names that it is said to be about.
    names: Vec<CleanText>,
    /// Whether it is put back as it stood in a store before.
    recorded: bool,
    /// Whether it was taken from a larger content.
    extracted: bool,
    /// Why it is not to be stored, whatever the store holds.
    refused: Option<Reason>,
}

impl Engine {
    /// Remembers: redacts, classifies, extracts, verifies, resolves entities, embeds, compares,
    /// commits.
    ///
    /// A text that cannot be embedded is stored all the same and found by its words. An outage of
    /// a language model after something was stored becomes the outcome of the candidate that it
    /// hit; before that, it is the request's error, and the caller may try again in the verbatim
    /// lane.
    ///
    /// # Errors
    /// [`EngineError`]; nothing is stored then.
    pub async fn remember(&self, request: &Remember) -> Result<WriteResult, EngineError> {
        self.admit_request(request)?;
        let header = self.header(&request.by, request.idempotency_key.as_deref());
        let digest = self.digest("precedent/request/v1", &[request.whole().as_bytes()]);
        if request.idempotency_key.is_some()
            && let Some(done) = self.replay(&header, digest).await?
        {
            return self.written(&done).await;
        }
        let mut candidates = self.gather(request, header.at).await?;
        self.embed(&mut candidates).await?;
        for _ in 0..REBUILDS {
            let draft = self.build(&header, digest, &candidates, request).await?;
            self.begin(Stage::Commit, candidates.len());
            match self.store.commit(draft, self.sink.clone()).await {
                Ok(committed) => return self.written(&committed).await,
                Err(error) if error.retry == Retry::Rebuild => {}
                Err(error) => return Err(error.into()),
            }
        }
        let contended = StoreError::new(StoreErrorKind::Busy, "remembering");
        Err(contended.into())
    }

    /// Refuses what the request as a whole may not ask for.
    fn admit_request(&self, request: &Remember) -> Result<(), EngineError> {
        let (count, limit) = (request.items.len(), self.limits.items);
        if count == 0 {
            return Err(InputFault::EmptyText.into());
        }
        if count > limit {
            return Err(InputFault::TooMany {
                what: "memories in one request",
                count,
                limit,
            }
            .into());
        }
        let vouched = request.items.iter().any(|item| item.trust == Trust::User);
        let vouch = vouched.then_some(Grant::Vouch);
        let asked = [request.lane.grant(), vouch, Some(Grant::Write)];
        let mut refused = asked.into_iter().flatten();
        match refused.find(|grant| !request.by.grants.has(*grant)) {
            Some(grant) => Err(InputFault::NotGranted(grant).into()),
            None => Ok(()),
        }
    }

    /// Returns the answer that the request got before, if it was carried out already.
    ///
    /// A commit without changes is refused unless its id is known.
    async fn replay(
        &self,
        header: &Header,
        request: Digest,
    ) -> Result<Option<Committed>, EngineError> {
        let probe = Commit {
            header: header.clone(),
            durability: Durability::Full,
            request,
            expects: Vec::new(),
            changes: Vec::new(),
        };
        match self.store.commit(probe, self.sink.clone()).await {
            Ok(committed) => Ok(Some(committed)),
            Err(error) if error.kind == StoreErrorKind::InvalidInput => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives every candidate its vector. An embedder that answers more or fewer texts than it was
    /// asked is not believed about any.
    async fn embed(&self, candidates: &mut [Candidate<'_>]) -> Result<(), EngineError> {
        let Some(embedder) = &self.embedder else {
            return Ok(());
        };
        self.begin(Stage::Embedding, candidates.len());
        if embedder.leaves_the_process() {
            for candidate in candidates.iter() {
                let class = candidate.memory.classification;
                self.policy.check(Destination::EmbeddingProvider, class)?;
            }
        }
        let texts: Vec<&CleanText> = candidates.iter().map(|it| &it.memory.text).collect();
        let vectors = embedder.embed(EmbedKind::Document, &texts).await;
        if vectors.len() != texts.len() {
            return Ok(());
        }
        let dimension = embedder.space().dimension;
        for (candidate, vector) in candidates.iter_mut().zip(vectors) {
            let sound = |values: &Vec<f32>| vector::check_unit(values, dimension).is_ok();
            candidate.vector = vector.ok().filter(sound);
        }
        Ok(())
    }

    /// Builds the commit from what the store holds now.
    async fn build(
        &self,
        header: &Header,
        digest: Digest,
        candidates: &[Candidate<'_>],
        request: &Remember,
    ) -> Result<Commit, EngineError> {
        let mut draft = Draft::new(header.clone(), digest);
        self.begin(Stage::Entities, candidates.len());
        let mut registry = self.registry(candidates, &request.by).await?;
        self.begin(Stage::Compare, candidates.len());
        let mut outage = None;
        for candidate in candidates {
            let refused = match candidate.refused {
                None if self.is_full(&draft, request) => Some(Reason::MaxFactsCap),
                refused => refused,
            };
            if let Some(reason) = refused {
                reject(&mut draft, candidate, reason, None);
                continue;
            }
            match self.known(&mut draft, candidate, &request.by).await? {
                Some((reason @ (Reason::Echo | Reason::Erased), of)) => {
                    reject(&mut draft, candidate, reason, Some(of));
                }
                Some((reason, of)) => {
                    let of = [Some(of), Some(of)];
                    draft.note(Op::Deduplicate, reason, &header.namespace, of);
                }
                None => match self
                    .mention(candidate, &mut registry, &mut draft, request.lane)
                    .await
                {
                    Err(error) => {
                        outage = Some(error);
                        reject(&mut draft, candidate, Reason::LlmUnavailable, None);
                    }
                    Ok(mentions) => {
                        let memory = Memory {
                            mentions,
                            ..candidate.memory.clone()
                        };
                        self.add(&mut draft, candidate, memory).await?;
                        self.report_similar(&mut draft, candidate, request).await;
                    }
                },
            }
        }
        match outage {
            Some(error) if draft.stored == 0 => Err(EngineError::Reason {
                stage: Stage::Entities,
                error,
            }),
            _ => Ok(draft.commit),
        }
    }

    fn is_full(&self, draft: &Draft, request: &Remember) -> bool {
        request.max_facts.is_some_and(|most| draft.stored >= most)
    }

    /// Tells the log of the memory that says almost the same as the one just added, if there is
    /// one; what has a key is compared by that.
    async fn report_similar(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        request: &Remember,
    ) {
        let Some(added) = draft
            .written
            .last()
            .filter(|it| it.id == candidate.memory.id)
        else {
            return;
        };
        let (Some(embedder), Some(values)) = (&self.embedder, &candidate.vector) else {
            return;
        };
        if !request.compare_meaning
            || added.claim.is_some()
            || added.supersedes.is_some()
            || candidate.recorded
        {
            return;
        }
        let (id, namespace) = (added.id, added.namespace.clone());
        let query = RecallQuery {
            vector: Some(QueryVector {
                space: embedder.space().fingerprint,
                values: values.clone(),
            }),
            ..similar_to(&request.by, added.kind)
        };
        let found = self.store.candidates(&query).await;
        let nearest = found
            .answers
            .iter()
            .filter(|answer| answer.lane == Lane::Vector)
            .filter_map(|answer| answer.result.as_ref().ok()?.first())
            .find(|nearest| nearest.raw >= ALMOST_THE_SAME);
        if let Some(nearest) = nearest {
            let of = [Some(id), Some(nearest.id)];
            draft.note(Op::NearDuplicate, Reason::NearDuplicate, &namespace, of);
        }
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

/// Asks for the nearest memories in force of one kind; the vector is the caller's.
fn similar_to(by: &Principal, kind: Kind) -> RecallQuery {
    RecallQuery {
        scope: by.scope(),
        kinds: vec![kind],
        terms: Vec::new(),
        vector: None,
        filter: precedent_core::Filter::default(),
        depth: 1,
        // The id and the score are enough.
        limit: 0,
        fusion: precedent_core::fusion::Fusion::MEASURED,
        floor: precedent_core::Floor::NONE,
    }
}

fn reject(draft: &mut Draft, candidate: &Candidate<'_>, reason: Reason, of: Option<MemoryId>) {
    let namespace = &candidate.memory.namespace;
    draft.note(Op::Reject, reason, namespace, [of, of]);
}
