//! Remembering: one request, one commit, every outcome in the log.

mod admit;
mod claims;
mod compare;
pub(crate) mod draft;
mod entities;
mod gather;
mod mentions;
mod outcome;
mod similar;
mod timeline;

use precedent_core::audit::{Op, Reason};
use precedent_core::{
    CleanText, Commit, Committed, Digest, Durability, EmbedKind, Grant, Header, Memory, MemoryId,
    Retry, StoreError, StoreErrorKind, Trust, vector,
};

use self::compare::Known;
use self::draft::Draft;
use self::entities::{Answers, Registry};
pub use self::outcome::{Outcome, Rejected, Similar, Stored, WriteResult};
pub(crate) use self::timeline::may_overrule;
use crate::{Engine, EngineError, InputFault, Remember, RuleDraft, Stage, WriteLane};

/// How often a commit is built again when other writers got in between: more often than there are
/// writers that could be at the same key at once.
const REBUILDS: usize = 64;
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
        self.embed(&mut candidates, request.lane).await?;
        let mut answers = Answers::default();
        let mut contended = StoreError::new(StoreErrorKind::Busy, "remembering");
        for _ in 0..REBUILDS {
            let mut draft = Draft::new(header.clone(), digest);
            self.build(&mut draft, &candidates, request, &mut answers)
                .await?;
            self.begin(Stage::Commit, candidates.len());
            let told = outcome::told(&draft.commit.changes);
            match self.store.commit(draft.commit, self.sink.clone()).await {
                Ok(committed) if committed.replayed => return self.written(&committed).await,
                Ok(committed) => return Ok(outcome::result(&committed, &told)),
                Err(error) if error.retry == Retry::Rebuild => contended = error,
                Err(error) => return Err(error.into()),
            }
        }
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
    /// asked is not believed about any; one that is not part of the process is not asked in the
    /// lane that stays within it.
    async fn embed(
        &self,
        candidates: &mut [Candidate<'_>],
        lane: WriteLane,
    ) -> Result<(), EngineError> {
        let Some(embedder) = self.embedder_of(lane) else {
            return Ok(());
        };
        let mut open: Vec<&mut Candidate<'_>> = candidates
            .iter_mut()
            .filter(|it| it.refused.is_none())
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        self.begin(Stage::Embedding, open.len());
        let texts: Vec<&CleanText> = open.iter().map(|it| &it.memory.text).collect();
        let vectors = embedder.embed(EmbedKind::Document, &texts).await;
        if vectors.len() != texts.len() {
            return Ok(());
        }
        let dimension = embedder.space().dimension;
        for (candidate, vector) in open.iter_mut().zip(vectors) {
            let sound = |values: &Vec<f32>| vector::check_unit(values, dimension).is_ok();
            candidate.vector = vector.ok().filter(sound);
        }
        Ok(())
    }

    /// Builds the commit from what the store holds now.
    async fn build(
        &self,
        draft: &mut Draft,
        candidates: &[Candidate<'_>],
        request: &Remember,
        answers: &mut Answers,
    ) -> Result<(), EngineError> {
        self.begin(Stage::Entities, candidates.len());
        let mut registry = self.registry(candidates, &request.by, answers).await?;
        self.begin(Stage::Compare, candidates.len());
        for candidate in candidates {
            let full = request.max_facts.is_some_and(|most| draft.stored >= most);
            let cap = full.then_some(Reason::MaxFactsCap);
            match cap.or(candidate.refused) {
                Some(reason) => reject(draft, candidate, reason, None),
                None => {
                    self.compare(draft, candidate, request, &mut registry)
                        .await?;
                }
            }
        }
        Ok(())
    }

    /// Adds a candidate to the commit, or what became of it instead.
    async fn compare(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        request: &Remember,
        registry: &mut Registry<'_>,
    ) -> Result<(), EngineError> {
        let by = &request.by;
        let mut memory = candidate.memory.clone();
        self.taint(draft, candidate, &mut memory, by).await?;
        let line = match self.known(draft, candidate, &memory, by).await? {
            Known::Refused(reason, of) => {
                reject(draft, candidate, reason, Some(of));
                return Ok(());
            }
            Known::Repeat(reason, of) => {
                draft.deduplicate(reason, &memory.namespace, of);
                return Ok(());
            }
            Known::Expired(old) => {
                memory.supersedes = Some(old.id);
                Vec::new()
            }
            Known::New(line) => line,
        };
        match self.mention(candidate, registry, draft, request.lane).await {
            Ok(mentions) => memory.mentions = mentions,
            // An outage before anything landed is the request's: the caller may send all again.
            Err(EngineError::Reason { .. }) if draft.landed > 0 => {
                reject(draft, candidate, Reason::LlmUnavailable, None);
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        self.add(draft, candidate, memory, &line, by).await?;
        if request.compare_meaning {
            self.report_similar(draft, candidate, by).await;
        }
        Ok(())
    }
}

fn reject(draft: &mut Draft, candidate: &Candidate<'_>, reason: Reason, of: Option<MemoryId>) {
    let namespace = &candidate.memory.namespace;
    draft.note(Op::Reject, reason, namespace, [of, of]);
}
