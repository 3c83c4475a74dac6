//! From a request to candidates: classified, taken apart, verified.

use precedent_core::audit::Reason;
use precedent_core::{
    Claim, CleanText, Digest, Embedder, Memory, MemoryId, Name, Principal, Timestamp, Trust,
};

use super::Candidate;
use super::compare::is_said;
use crate::extract::{self, Extracted};
use crate::stated;
use crate::{
    Destination, Engine, EngineError, InputFault, ReasonError, Reasoner, Remember, RememberItem,
    RuleDraft, Stage, WriteLane,
};

/// An item that may be stored, with the names that it is said to be about.
struct Admitted<'a> {
    item: &'a RememberItem,
    memory: Memory,
    names: Vec<CleanText>,
}

impl<'a> Admitted<'a> {
    /// Tells whether the item is content to be taken apart; what comes with a claim, rules or a
    /// memory to replace is a fact already.
    fn is_content(&self, request: &Remember) -> bool {
        let made = self.memory.claim.is_some() || self.memory.supersedes.is_some();
        let made = made || self.item.record.is_some();
        request.extract && !made && self.item.rules.is_empty()
    }

    fn candidate(&self, memory: Memory, rules: &'a [RuleDraft]) -> Candidate<'a> {
        Candidate {
            digest: Digest::from_bytes([0; 32]),
            echo: Digest::from_bytes([0; 32]),
            vector: None,
            rules,
            contradicts: &self.item.contradicts,
            version: self.item.supersedes_version,
            recorded: self.item.record.is_some(),
            names: self.names.clone(),
            extracted: false,
            refused: None,
            memory,
        }
    }
}

/// Keeps what was made of memories among those who may see all of them, and as confidential as the
/// most confidential one.
fn inherit(memory: &mut Memory, sources: &[Memory], by: &Principal) -> Result<(), InputFault> {
    for source in sources {
        memory.classification = memory.classification.max(source.classification);
        memory.private |= source.private;
        let listed = |reader: &Name| source.readers.contains(reader);
        if memory.readers.is_empty() {
            memory.readers.clone_from(&source.readers);
        } else if !source.readers.is_empty() {
            memory.readers.retain(listed);
            if memory.readers.is_empty() {
                return Err(InputFault::NoReader);
            }
        }
    }
    if by.scope().is_listed(&memory.readers) {
        Ok(())
    } else {
        Err(InputFault::Unlisted)
    }
}

impl Engine {
    /// Returns the language model, if the lane admits one.
    pub(super) fn reasoner_of(&self, lane: WriteLane) -> Option<&dyn Reasoner> {
        self.reasoner
            .as_deref()
            .filter(|_| matches!(lane, WriteLane::Normal | WriteLane::DeterministicEntities))
    }

    /// Returns the embedder, if the lane admits it.
    pub(super) fn embedder_of(&self, lane: WriteLane) -> Option<&dyn Embedder> {
        self.embedder
            .as_deref()
            .filter(|it| lane != WriteLane::LocalOnly || !it.leaves_the_process())
    }

    /// Makes the candidates of a request.
    pub(super) async fn gather<'a>(
        &self,
        request: &'a Remember,
        now: Timestamp,
    ) -> Result<Vec<Candidate<'a>>, EngineError> {
        self.begin(Stage::Classify, request.items.len());
        let mut admitted = Vec::with_capacity(request.items.len());
        for item in &request.items {
            let (mut memory, names) = self.admit(item, &request.by, now)?;
            let sources = self.sources(&memory, &request.by).await?;
            inherit(&mut memory, &sources, &request.by)?;
            admitted.push(Admitted {
                item,
                memory,
                names,
            });
        }
        for it in &admitted {
            self.may_travel(request, it)?;
        }
        self.begin(Stage::Extraction, admitted.len());
        let mut candidates = Vec::with_capacity(admitted.len());
        let mut unconfirmed = Vec::new();
        for it in &admitted {
            if !it.is_content(request) {
                candidates.push(self.whole(request, it));
                continue;
            }
            let start = candidates.len();
            candidates.extend(self.taken_apart(request, it).await?);
            unconfirmed.push((&it.memory.text, start..candidates.len()));
        }
        let (count, limit) = (candidates.len(), self.limits.items);
        if count > limit {
            let what = "facts in one request";
            return Err(InputFault::TooMany { what, count, limit }.into());
        }
        if let Some(reasoner) = self
            .reasoner_of(request.lane)
            .filter(|_| self.policy.verify)
        {
            self.verify(reasoner, &mut candidates, &unconfirmed).await?;
        }
        for candidate in &mut candidates {
            candidate.digest = self.content_digest(&candidate.memory);
            candidate.echo = self.echo_digest(&candidate.memory.text);
        }
        Ok(candidates)
    }

    /// Checks that an item may go to all places that its lane sends it to, before any of the
    /// request goes anywhere.
    fn may_travel(&self, request: &Remember, it: &Admitted<'_>) -> Result<(), EngineError> {
        let asks = it.is_content(request) && self.reasoner_of(request.lane).is_some();
        let embeds = self
            .embedder_of(request.lane)
            .is_some_and(Embedder::leaves_the_process);
        let stops = [
            (true, Destination::CanonicalStore),
            (asks, Destination::LlmExtraction),
            (embeds, Destination::EmbeddingProvider),
        ];
        for (_, destination) in stops.into_iter().filter(|(goes, _)| *goes) {
            self.policy.check(destination, it.memory.classification)?;
        }
        Ok(())
    }

    /// Takes an item as one candidate; its claim is read from the text where that is plain.
    fn whole<'a>(&self, request: &Remember, it: &Admitted<'a>) -> Candidate<'a> {
        let mut memory = it.memory.clone();
        let item = it.item;
        let plain = memory.claim.is_none() && memory.supersedes.is_none();
        let plain = plain && item.rules.is_empty() && item.record.is_none();
        if plain && is_said(&memory) && request.lane != WriteLane::Verbatim {
            memory.claim = stated::claim(&memory.text, memory.actor.as_str(), &self.redactor);
        }
        it.candidate(memory, &it.item.rules)
    }

    /// Takes an item's text apart into facts, by the model if the lane has one; the verbatim lane
    /// leaves it whole.
    async fn taken_apart<'a>(
        &self,
        request: &Remember,
        it: &Admitted<'a>,
    ) -> Result<Vec<Candidate<'a>>, EngineError> {
        let content = &it.memory;
        let whole = || Extracted {
            text: content.text.clone(),
            claim: None,
            entities: Vec::new(),
        };
        let mut content = content.clone();
        let mut facts = match self.reasoner_of(request.lane) {
            Some(reasoner) => {
                // Somebody vouched for the content, nobody for what a model makes of it.
                content.trust = Trust::Unverified;
                self.ask_for_facts(reasoner, &content).await?
            }
            None if request.lane == WriteLane::Verbatim => vec![whole()],
            None => extract::facts(&content.text, content.actor.as_str(), &self.redactor),
        };
        if facts.is_empty() {
            facts.push(whole());
        }
        let stated = is_said(&content) || self.reasoner_of(request.lane).is_some();
        let made = facts.into_iter().enumerate().map(|(place, fact)| {
            let claim = fact
                .claim
                .clone()
                .filter(|claim| stated && self.fits(claim));
            let memory = Memory {
                id: MemoryId::from_bytes(self.fresh_id(content.recorded_at)),
                text: fact.text.clone(),
                claim,
                ..content.clone()
            };
            let refused = self.refusal(&memory, place);
            let mut candidate = it.candidate(memory, &[]);
            let limit = self.limits.field_bytes;
            let names = fact.entities.into_iter().filter(|it| it.len() <= limit);
            candidate.names.extend(names);
            (candidate.refused, candidate.extracted) = (refused, true);
            candidate
        });
        Ok(made.collect())
    }

    async fn ask_for_facts(
        &self,
        reasoner: &dyn Reasoner,
        content: &Memory,
    ) -> Result<Vec<Extracted>, EngineError> {
        let facts = reasoner.extract(&content.text, self.limits.facts).await;
        facts.map_err(|error| EngineError::Reason {
            stage: Stage::Extraction,
            error,
        })
    }

    /// Tells whether a claim that was extracted can be one.
    fn fits(&self, claim: &Claim) -> bool {
        let texts = [Some(&claim.subject), Some(&claim.key), claim.value.as_ref()];
        let mut texts = texts.into_iter().flatten();
        texts.all(|text| {
            !text.trim().is_empty() && text.len() <= self.limits.field_bytes && !text.contains('\0')
        })
    }

    /// Tells why an extracted fact is not to be stored, if nobody has to be asked for that.
    fn refusal(&self, fact: &Memory, place: usize) -> Option<Reason> {
        if place >= self.limits.facts {
            Some(Reason::MaxFactsCap)
        } else if fact.text.len() > self.limits.text_bytes {
            Some(Reason::TooLarge)
        } else if fact.text.contains('\0') {
            Some(Reason::Malformed)
        } else {
            let little = fact.claim.is_none() && extract::is_low_information(&fact.text);
            little.then_some(Reason::LowInformation)
        }
    }

    /// Asks of all facts of a content at once whether it says so; a missing answer is a no.
    async fn verify(
        &self,
        reasoner: &dyn Reasoner,
        candidates: &mut [Candidate<'_>],
        contents: &[(&CleanText, std::ops::Range<usize>)],
    ) -> Result<(), EngineError> {
        let open = |it: &Candidate<'_>| it.extracted && it.refused.is_none();
        let count = candidates.iter().filter(|it| open(it)).count();
        if count > 0 {
            self.begin(Stage::Verification, count);
        }
        for (content, range) in contents {
            let ours = candidates.get_mut(range.clone()).into_iter().flatten();
            let mut asked: Vec<&mut Candidate<'_>> = ours.filter(|it| open(it)).collect();
            if asked.is_empty() {
                continue;
            }
            let texts: Vec<&CleanText> = asked.iter().map(|it| &it.memory.text).collect();
            let failed = |error| EngineError::Reason {
                stage: Stage::Verification,
                error,
            };
            let mut answers = reasoner.verify(content, &texts).await.map_err(failed)?;
            if answers.len() > texts.len() {
                return Err(failed(ReasonError::Malformed));
            }
            answers.resize(asked.len(), None);
            for (candidate, answer) in asked.iter_mut().zip(answers) {
                let confirmed = answer == Some(true);
                candidate.refused = (!confirmed).then_some(Reason::FailedVerification);
            }
        }
        Ok(())
    }
}
