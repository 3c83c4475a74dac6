//! From a request to candidates: classified, taken apart, verified.

use precedent_core::audit::Reason;
use precedent_core::{CleanText, Memory, MemoryId, Principal, Source, State, Timestamp};

use super::Candidate;
use crate::extract::{self, Extracted};
use crate::{
    Destination, Engine, EngineError, InputFault, Reasoner, Remember, RememberItem, Stage,
    WriteLane,
};

impl Engine {
    /// Makes the candidates of a request.
    pub(super) async fn gather<'a>(
        &self,
        request: &'a Remember,
        now: Timestamp,
    ) -> Result<Vec<Candidate<'a>>, EngineError> {
        self.begin(Stage::Classify, request.items.len());
        let mut admitted = Vec::with_capacity(request.items.len());
        for item in &request.items {
            let mut memory = self.admit(item, &request.by, now)?;
            self.policy
                .check(Destination::CanonicalStore, memory.classification)?;
            self.inherit(&mut memory, &request.by).await?;
            admitted.push((item, memory));
        }
        self.begin(Stage::Extraction, admitted.len());
        let mut candidates = Vec::with_capacity(admitted.len());
        for (item, memory) in admitted {
            if request.extract {
                candidates.extend(self.taken_apart(request, item, &memory).await?);
            } else {
                candidates.push(self.whole(request, item, memory));
            }
        }
        let limit = self.limits.items;
        if candidates.len() > limit {
            let count = candidates.len();
            let what = "facts in one request";
            return Err(InputFault::TooMany { what, count, limit }.into());
        }
        Ok(candidates)
    }

    /// Holds back what was made of memories that are held back; sources that the writer may not
    /// see do not exist.
    async fn inherit(&self, memory: &mut Memory, by: &Principal) -> Result<(), EngineError> {
        if memory.derived_from.is_empty() {
            return Ok(());
        }
        let ids: &[MemoryId] = &memory.derived_from;
        let sources = self.store.memories(&by.scope(), ids).await?;
        if sources.len() != ids.len() {
            return Err(EngineError::not_found("reading the sources of a memory"));
        }
        if sources
            .iter()
            .any(|source| source.state == State::Quarantined)
        {
            memory.state = State::Quarantined;
        }
        let class = sources.iter().map(|source| source.classification).max();
        memory.classification = memory
            .classification
            .max(class.unwrap_or(memory.classification));
        Ok(())
    }

    /// Takes an item as one candidate; its claim is read from the text where that is plain.
    fn whole<'a>(
        &self,
        request: &Remember,
        item: &'a RememberItem,
        mut memory: Memory,
    ) -> Candidate<'a> {
        let said = matches!(
            memory.source,
            Source::DirectObservation | Source::ToldByUser
        );
        let plain = memory.claim.is_none()
            && memory.supersedes.is_none()
            && item.record.is_none()
            && item.rules.is_empty();
        if plain && said && request.lane != WriteLane::Verbatim {
            memory.claim = extract::claim(&memory.text, memory.actor.as_str(), &self.redactor);
        }
        let names = item
            .entities
            .iter()
            .map(|name| self.redactor.clean(name))
            .collect();
        self.candidate(item, memory, names, false)
    }

    fn candidate<'a>(
        &self,
        item: &'a RememberItem,
        memory: Memory,
        names: Vec<CleanText>,
        extracted: bool,
    ) -> Candidate<'a> {
        Candidate {
            digest: self.content_digest(&memory),
            echo: self.echo_digest(&memory.text),
            vector: None,
            rules: &item.rules,
            contradicts: &item.contradicts,
            version: item.supersedes_version,
            recorded: item.record.is_some(),
            names,
            extracted,
            refused: None,
            memory,
        }
    }

    /// Takes an item's text apart into facts, by the model if the lane has one.
    async fn taken_apart<'a>(
        &self,
        request: &Remember,
        item: &'a RememberItem,
        content: &Memory,
    ) -> Result<Vec<Candidate<'a>>, EngineError> {
        let reasoner = self
            .reasoner
            .as_deref()
            .filter(|_| request.lane == WriteLane::Normal);
        let facts = match reasoner {
            Some(reasoner) => self.ask_for_facts(reasoner, content).await?,
            None => {
                let mut facts =
                    extract::facts(&content.text, content.actor.as_str(), &self.redactor);
                facts.truncate(self.limits.facts);
                facts
            }
        };
        let confirmed = match reasoner {
            Some(reasoner) if self.policy.verify => self.confirm(reasoner, content, &facts).await?,
            _ => vec![true; facts.len()],
        };
        let made = facts.into_iter().zip(confirmed).map(|(fact, confirmed)| {
            let refused = refusal(&fact, confirmed);
            let memory = Memory {
                id: MemoryId::from_bytes(self.fresh_id(content.recorded_at)),
                text: fact.text,
                claim: fact.claim,
                ..content.clone()
            };
            let given = item.entities.iter().map(|name| self.redactor.clean(name));
            let names = fact.entities.into_iter().chain(given).collect();
            Candidate {
                refused,
                ..self.candidate(item, memory, names, true)
            }
        });
        Ok(made.collect())
    }

    async fn ask_for_facts(
        &self,
        reasoner: &dyn Reasoner,
        content: &Memory,
    ) -> Result<Vec<Extracted>, EngineError> {
        self.policy
            .check(Destination::LlmExtraction, content.classification)?;
        let facts = reasoner.extract(&content.text, self.limits.facts).await;
        let mut facts = facts.map_err(|error| EngineError::Reason {
            stage: Stage::Extraction,
            error,
        })?;
        facts.truncate(self.limits.facts);
        facts.retain(|fact| fact.text.len() <= self.limits.text_bytes);
        Ok(facts)
    }

    /// Asks of all facts of a content at once whether it says so; a missing answer is a no.
    async fn confirm(
        &self,
        reasoner: &dyn Reasoner,
        content: &Memory,
        facts: &[Extracted],
    ) -> Result<Vec<bool>, EngineError> {
        if facts.is_empty() {
            return Ok(Vec::new());
        }
        self.begin(Stage::Verification, facts.len());
        let texts: Vec<&CleanText> = facts.iter().map(|fact| &fact.text).collect();
        let answers = reasoner.verify(&content.text, &texts).await;
        let mut answers = answers.map_err(|error| EngineError::Reason {
            stage: Stage::Verification,
            error,
        })?;
        answers.resize(facts.len(), None);
        Ok(answers
            .into_iter()
            .map(|answer| answer == Some(true))
            .collect())
    }
}

fn refusal(fact: &Extracted, confirmed: bool) -> Option<Reason> {
    if fact.claim.is_none() && extract::is_low_information(&fact.text) {
        return Some(Reason::LowInformation);
    }
    (!confirmed).then_some(Reason::FailedVerification)
}
