//! Comparing a candidate with what is known: repeats, echoes, what it was made of.

use precedent_core::audit::Reason;
use precedent_core::{
    CertificateQuery, Expect, Memory, MemoryId, MemoryQuery, Place, Principal, Source, State,
};

use super::Candidate;
use super::draft::Draft;
use crate::{Engine, EngineError, InputFault};

/// More than any store holds: what decides whether something is stored may not be cut.
pub(super) const ALL: usize = usize::MAX >> 1;

/// What is known of a candidate's content.
pub(super) enum Known {
    /// It is there already.
    Repeat(Reason, MemoryId),
    /// It may not be stored: it came back from a recall, or was erased.
    Refused(Reason, MemoryId),
    /// It is new, among these claims under its subject and key.
    New(Vec<Memory>),
    /// It was there, and has ceased to hold.
    Expired(Box<Memory>),
}

impl Engine {
    /// Finds out whether a candidate says what is there already, or what came back.
    pub(super) async fn known(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        memory: &Memory,
        by: &Principal,
    ) -> Result<Known, EngineError> {
        if candidate.recorded {
            return self.known_record(draft, memory.id, by).await;
        }
        let known = match self.claims_beside(draft, memory, by).await? {
            Some(line) => Self::restated(draft, memory, line),
            None if memory.supersedes.is_some() => return Ok(Known::New(Vec::new())),
            None => self.repeated(draft, candidate, memory, by).await?,
        };
        if matches!(known, Known::Repeat(..)) || memory.supersedes.is_some() {
            return Ok(known);
        }
        let echo = self.echoed(candidate, memory, by).await?;
        Ok(echo.map_or(known, |of| Known::Refused(Reason::Echo, of)))
    }

    /// Finds the memory in force that a candidate repeats word for word.
    async fn repeated(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        memory: &Memory,
        by: &Principal,
    ) -> Result<Known, EngineError> {
        let from = memory.valid_from.unwrap_or(memory.recorded_at);
        let same = match draft.repeated(candidate.digest, memory.audience()) {
            Some(ours) => Some(ours.clone()),
            None => {
                let query = MemoryQuery {
                    digest: Some(candidate.digest),
                    ..MemoryQuery::all(by.scope(), ALL)
                };
                let found = self.store.find_memories(&query).await?;
                let mut ours = found
                    .into_iter()
                    .filter(|it| it.audience() == memory.audience());
                ours.next().map(|it| draft.seen(it))
            }
        };
        match same.filter(|same| same.state.is_in_force()) {
            Some(same) if same.valid_to.is_some_and(|end| end <= from) => {
                draft.pin(&same);
                Ok(Known::Expired(Box::new(same)))
            }
            Some(same) => Ok(Known::Repeat(Reason::ExactRepeat, same.id)),
            None => {
                draft.expect_new(Place::from(memory.audience()), candidate.digest);
                Ok(Known::New(Vec::new()))
            }
        }
    }

    /// Tells whether a record that is brought in is there already, or was erased.
    async fn known_record(
        &self,
        draft: &mut Draft,
        id: MemoryId,
        by: &Principal,
    ) -> Result<Known, EngineError> {
        let ours = draft.written(id).is_some();
        if ours || !self.store.memories(&by.scope(), &[id]).await?.is_empty() {
            return Ok(Known::Repeat(Reason::ExactRepeat, id));
        }
        let erased = CertificateQuery::Memory(id);
        if !self.store.certificates(&erased).await?.is_empty() {
            return Ok(Known::Refused(Reason::Erased, id));
        }
        draft.commit.expects.push(Expect::Absent(id));
        Ok(Known::New(Vec::new()))
    }

    /// Finds the memory whose text came back, where nobody says it of their own accord; also one
    /// that no longer holds, so that it does not rise again.
    async fn echoed(
        &self,
        candidate: &Candidate<'_>,
        memory: &Memory,
        by: &Principal,
    ) -> Result<Option<MemoryId>, EngineError> {
        let held_back = memory.state == State::Quarantined;
        if is_said(memory) && !candidate.extracted && !held_back {
            return Ok(None);
        }
        let query = MemoryQuery {
            echo: Some(candidate.echo),
            ..MemoryQuery::all(by.scope(), 1)
        };
        if let Some(found) = self.store.find_memories(&query).await?.first() {
            return Ok(Some(found.id));
        }
        // What was made of memories may name them.
        let mut cited = cited(&memory.text);
        cited.retain(|id| !memory.derived_from.contains(id));
        let seen = self.store.memories(&by.scope(), &cited).await?;
        Ok(seen.first().map(|memory| memory.id))
    }

    /// Holds back what was made of memories that are held back by now, and expects that none of
    /// them changes meanwhile.
    pub(super) async fn taint(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        memory: &mut Memory,
        by: &Principal,
    ) -> Result<(), EngineError> {
        for source in self.sources(memory, by).await? {
            draft.pin(&source);
            if source.state == State::Quarantined {
                memory.state = State::Quarantined;
            }
        }
        let state = memory.state;
        let replaces = memory.supersedes.is_some() && !candidate.recorded;
        if state == State::Quarantined && replaces {
            // What is held back may not hide anything either.
            return Err(InputFault::WrongState { state }.into());
        }
        Ok(())
    }

    /// Reads what a memory was made of; what the writer may not see does not exist.
    pub(super) async fn sources(
        &self,
        memory: &Memory,
        by: &Principal,
    ) -> Result<Vec<Memory>, EngineError> {
        let ids = &memory.derived_from;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let sources = self.store.memories(&by.scope(), ids).await?;
        if sources.len() == ids.len() {
            Ok(sources)
        } else {
            Err(EngineError::not_found("reading the sources of a memory"))
        }
    }
}

/// Tells whether somebody saw or said it, rather than that it was printed or concluded.
pub(super) fn is_said(memory: &Memory) -> bool {
    matches!(
        memory.source,
        Source::DirectObservation | Source::ToldByUser
    )
}

/// Returns the ids that a text cites.
fn cited(text: &str) -> Vec<MemoryId> {
    const LENGTH: usize = 26;
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let ids = words.filter(|word| word.len() == LENGTH);
    ids.filter_map(|word| word.parse().ok()).take(64).collect()
}
