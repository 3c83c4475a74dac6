//! Asking a language model the questions of the write path.

use std::sync::Arc;

use async_trait::async_trait;
use precedent_core::{Claim, CleanText, LanguageModel, ModelError, ModelErrorKind, Redactor};
use precedent_engine::{Extracted, ReasonError, Reasoner};
use precedent_llm::tasks::{CandidateFact, Extract, SameEntity, Verdict, Verify};

/// The most tokens of an answer that lists facts or verdicts.
const MAX_TOKENS: u32 = 8_192;
/// The most tokens of an answer that names one of several.
const CHOICE_TOKENS: u32 = 256;

/// A language model as the write path asks it.
pub(crate) struct ModelReasoner {
    pub(crate) model: Arc<dyn LanguageModel>,
    pub(crate) redactor: Redactor,
}

#[async_trait]
impl Reasoner for ModelReasoner {
    async fn extract(
        &self,
        content: &CleanText,
        max_facts: usize,
    ) -> Result<Vec<Extracted>, ReasonError> {
        let task = Extract {
            content,
            max_facts,
            max_tokens: MAX_TOKENS,
        };
        let found = task.ask(self.model.as_ref(), &self.redactor).await;
        let found = found.map_err(|error| reason(&error))?;
        // What is beyond the cap is the engine's to refuse, fact by fact.
        let facts = found.facts.into_iter().chain(found.beyond_cap);
        Ok(facts.map(extracted).collect())
    }

    async fn verify(
        &self,
        content: &CleanText,
        facts: &[&CleanText],
    ) -> Result<Vec<Option<bool>>, ReasonError> {
        let task = Verify {
            content,
            candidates: facts,
            max_tokens: MAX_TOKENS,
        };
        let verdicts = task.ask(self.model.as_ref(), &self.redactor).await;
        let verdict = |verdict: Verdict| match verdict {
            Verdict::Supported => Some(true),
            Verdict::Unsupported => Some(false),
            Verdict::Missing => None,
        };
        let verdicts = verdicts.map_err(|error| reason(&error))?;
        Ok(verdicts.into_iter().map(verdict).collect())
    }

    async fn same_entity(
        &self,
        mention: &CleanText,
        text: &CleanText,
        known: &[CleanText],
    ) -> Result<Option<usize>, ReasonError> {
        let candidates: Vec<&CleanText> = known.iter().collect();
        let task = SameEntity {
            mention,
            context: text,
            candidates: &candidates,
            max_tokens: CHOICE_TOKENS,
        };
        let same = task.ask(self.model.as_ref(), &self.redactor).await;
        same.map_err(|error| reason(&error))
    }
}

/// A claim needs a subject and a key; with less, the text stands alone.
fn extracted(fact: CandidateFact) -> Extracted {
    let claim = fact.subject.zip(fact.key);
    Extracted {
        text: fact.text,
        claim: claim.map(|(subject, key)| Claim {
            subject,
            key,
            value: fact.value,
        }),
        entities: fact.entities,
    }
}

fn reason(error: &ModelError) -> ReasonError {
    match error.kind {
        ModelErrorKind::Malformed | ModelErrorKind::CutOff => ReasonError::Malformed,
        _ => ReasonError::Unavailable,
    }
}
