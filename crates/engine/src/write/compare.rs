//! Comparing a candidate with what is known: repeats, echoes, claims under the same key.

use precedent_core::audit::{Op, Reason};
use precedent_core::{
    Basis, CertificateQuery, Change, Claim, Contradiction, ContradictionId, Expect, Memory,
    MemoryId, MemoryQuery, Place, Principal, PutMemory, Scope, Source, Standing, State, StoreError,
    StoreErrorKind, Timestamp,
};

use super::Candidate;
use super::draft::Draft;
use super::timeline::{self, Position};
use crate::{Engine, EngineError, InputFault};

/// Most memories under one subject and key that are read at once.
const TIMELINE: usize = 100_000;

impl Engine {
    /// Finds the memory that a candidate repeats or echoes, if any, and says which of the two.
    pub(super) async fn known(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        by: &Principal,
    ) -> Result<Option<(Reason, MemoryId)>, EngineError> {
        let memory = &candidate.memory;
        if candidate.recorded {
            return self.known_record(draft, memory.id, by).await;
        }
        if memory.supersedes.is_some() {
            return Ok(None);
        }
        let place = Place::from(memory.audience());
        if let Some(id) = draft.repeated(candidate.digest, &place) {
            return Ok(Some((Reason::ExactRepeat, id)));
        }
        let query = MemoryQuery {
            digest: Some(candidate.digest),
            ..MemoryQuery::all(by.scope(), usize::MAX >> 1)
        };
        let found = self.store.find_memories(&query).await?;
        let same = found.iter().find(|it| it.audience() == memory.audience());
        if let Some(same) = same
            .map(|it| draft.seen(it.clone()))
            .filter(|it| it.state.is_in_force())
        {
            return Ok(Some((Reason::ExactRepeat, same.id)));
        }
        draft.expect(Expect::NoDuplicate {
            place,
            digest: candidate.digest,
        });
        let echo = self.echoed(candidate, by).await?;
        Ok(echo.map(|id| (Reason::Echo, id)))
    }

    /// Tells whether a record that is brought in is there already, or was erased.
    async fn known_record(
        &self,
        draft: &mut Draft,
        id: MemoryId,
        by: &Principal,
    ) -> Result<Option<(Reason, MemoryId)>, EngineError> {
        let ours = draft.written.iter().any(|written| written.id == id);
        if ours || !self.store.memories(&by.scope(), &[id]).await?.is_empty() {
            return Ok(Some((Reason::ExactRepeat, id)));
        }
        let erased = self
            .store
            .certificates(&CertificateQuery::Memory(id))
            .await?;
        if !erased.is_empty() {
            return Ok(Some((Reason::Erased, id)));
        }
        draft.expect(Expect::Absent(id));
        Ok(None)
    }

    /// Finds the memory whose text came back, where nobody says it of their own accord; also one
    /// that no longer holds, so that it does not rise again.
    async fn echoed(
        &self,
        candidate: &Candidate<'_>,
        by: &Principal,
    ) -> Result<Option<MemoryId>, EngineError> {
        let said = matches!(
            candidate.memory.source,
            Source::DirectObservation | Source::ToldByUser
        );
        if said && !candidate.extracted {
            return Ok(None);
        }
        let query = MemoryQuery {
            echo: Some(candidate.echo),
            ..MemoryQuery::all(by.scope(), 1)
        };
        if let Some(found) = self.store.find_memories(&query).await?.first() {
            return Ok(Some(found.id));
        }
        let cited = cited(&candidate.memory.text);
        let seen = self.store.memories(&by.scope(), &cited).await?;
        Ok(seen.first().map(|memory| memory.id))
    }

    /// Adds a memory to the commit, with what it replaces or contradicts.
    pub(super) async fn add(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        mut memory: Memory,
    ) -> Result<(), EngineError> {
        if candidate.recorded {
            self.put(draft, candidate, memory.clone());
        } else if let Some(old) = memory.supersedes {
            let old = self
                .replaceable(draft, &memory, old, candidate.version)
                .await?;
            let ends = memory.valid_from.unwrap_or(memory.recorded_at);
            self.put(draft, candidate, memory.clone());
            draft.supersede(&old, &memory, ends);
        } else if let Some(claim) = memory
            .claim
            .clone()
            .filter(|_| timeline::takes_part(&memory))
        {
            let line = self.timeline(draft, &memory, &claim).await?;
            self.add_claim(draft, candidate, &mut memory, &line);
        } else {
            self.put(draft, candidate, memory.clone());
        }
        if memory.may_control() {
            let rules = candidate.rules.iter().map(|rule| self.rule(rule, &memory));
            let rules: Vec<Change> = rules.map(|rule| Change::Rule(Box::new(rule))).collect();
            draft.commit.changes.extend(rules);
            self.contradict_rules(draft, candidate, &memory).await?;
        }
        Ok(())
    }

    /// Records which rules of the same place cannot be followed together with a memory's own.
    async fn contradict_rules(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        memory: &Memory,
    ) -> Result<(), EngineError> {
        let others = self
            .store
            .memories(&scope_of(memory), candidate.contradicts)
            .await?;
        for other in others {
            let (other, ours) = (draft.seen(other), draft.seen_own(memory));
            if other.state.is_in_force() && ours.may_replace(&other) {
                self.contradict(draft, &other, &ours, Basis::Rule);
            }
        }
        Ok(())
    }

    fn put(&self, draft: &mut Draft, candidate: &Candidate<'_>, memory: Memory) {
        draft.put(PutMemory {
            memory,
            vector: candidate.vector.clone(),
            digest: candidate.digest,
            echo: candidate.echo,
        });
    }

    /// Reads the claims of a memory's place under its subject and key, those of this commit too,
    /// and expects that no other writer changes which of them hold.
    async fn timeline(
        &self,
        draft: &mut Draft,
        memory: &Memory,
        claim: &Claim,
    ) -> Result<Vec<Memory>, EngineError> {
        let topic = claim.topic();
        let query = MemoryQuery {
            topic: Some(topic.clone()),
            ..MemoryQuery::all(scope_of(memory), TIMELINE)
        };
        let mut found = self.store.find_memories(&query).await?;
        found.retain(|it| it.audience() == memory.audience());
        let holding = found.iter().filter(|it| it.state.is_in_force());
        draft.expect(Expect::Holding {
            place: Place::from(memory.audience()),
            topic: topic.clone(),
            memories: holding.map(|it| it.id).collect(),
        });
        let ours = draft.written.iter().filter(|it| {
            let same = it
                .claim
                .as_ref()
                .is_some_and(|claim| claim.topic() == topic);
            same && it.audience() == memory.audience()
        });
        let ours: Vec<Memory> = ours.cloned().collect();
        let mut line: Vec<Memory> = found.into_iter().map(|it| draft.seen(it)).collect();
        line.extend(ours);
        line.retain(timeline::takes_part);
        Ok(line)
    }

    /// Puts a claim where it belongs: after what it replaces, before what replaces it, beside what
    /// it contradicts.
    fn add_claim(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        memory: &mut Memory,
        line: &[Memory],
    ) {
        let from = memory.valid_from.unwrap_or(memory.recorded_at);
        let now = draft.commit.header.at;
        let Position { before, after } = timeline::position(line, from);
        if let Some(old) = before
            && agree(memory, old)
        {
            let of = [Some(old.id), Some(old.id)];
            draft.pin(old);
            draft.note(Op::Deduplicate, Reason::SameClaim, &memory.namespace, of);
            return;
        }
        let contradicts = before.filter(|old| !timeline::may_overrule(memory, old));
        if let Some(next) = after {
            let starts = next.valid_from;
            memory.valid_to = [memory.valid_to, starts].into_iter().flatten().min();
            if starts.is_some_and(|at| at <= now) && contradicts.is_none() {
                memory.state = State::Superseded;
                memory.superseded_by = Some(next.id);
                draft.pin(next);
            }
        }
        match (before, contradicts) {
            (_, Some(old)) => self.dispute_with(draft, candidate, memory, old),
            (Some(old), None) => {
                memory.supersedes = Some(old.id);
                self.put(draft, candidate, memory.clone());
                if old.state.is_in_force() && from <= now && memory.state.is_in_force() {
                    draft.supersede(old, memory, from);
                } else {
                    close(draft, old, memory, from);
                }
            }
            (None, None) => self.put(draft, candidate, memory.clone()),
        }
    }

    fn dispute_with(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        memory: &mut Memory,
        old: &Memory,
    ) {
        memory.state = State::Disputed;
        self.put(draft, candidate, memory.clone());
        self.contradict(draft, old, memory, Basis::Claim);
    }

    /// Records that two memories contradict each other, and flags the older one.
    pub(crate) fn contradict(&self, draft: &mut Draft, old: &Memory, new: &Memory, basis: Basis) {
        for memory in [old, new] {
            if memory.state != State::Disputed {
                let to = Standing {
                    state: State::Disputed,
                    ..memory.standing()
                };
                draft.transition(memory, Op::Dispute, to);
            }
        }
        let at = draft.commit.header.at;
        draft.commit.changes.push(Change::Contradict(Contradiction {
            id: ContradictionId::from_bytes(self.fresh_id(at)),
            between: [old.id, new.id],
            basis,
            opened_at: at,
            resolution: None,
        }));
    }

    /// Reads the memory that is to be replaced; a writer replaces only what stands in its own
    /// place, and what it may not see does not exist.
    async fn replaceable(
        &self,
        draft: &mut Draft,
        by: &Memory,
        old: MemoryId,
        version: Option<u64>,
    ) -> Result<Memory, EngineError> {
        const OPERATION: &str = "superseding a memory";
        let found = self.store.memories(&scope_of(by), &[old]).await?;
        let replaced = found.into_iter().next().map(|memory| draft.seen(memory));
        let replaced = replaced
            .filter(|memory| by.may_replace(memory))
            .ok_or_else(|| EngineError::not_found(OPERATION))?;
        let state = replaced.state;
        if !state.is_in_force() {
            return Err(InputFault::WrongState { state }.into());
        }
        if version.is_some_and(|version| version != replaced.version) {
            let conflict = StoreError::new(StoreErrorKind::Conflict, "superseding a memory");
            return Err(conflict.into());
        }
        if replaced.may_control() && !by.may_control() {
            return Err(InputFault::Unvouched.into());
        }
        draft.pin(&replaced);
        Ok(replaced)
    }
}

/// Ends a claim where a later one begins, without hiding it before its time.
fn close(draft: &mut Draft, old: &Memory, by: &Memory, ends: Timestamp) {
    let was = old.standing();
    let to = Standing {
        valid_to: Some(was.valid_to.map_or(ends, |end| end.min(ends))),
        superseded_by: if was.state == State::Superseded {
            Some(by.id)
        } else {
            was.superseded_by
        },
        ..was
    };
    if to != was {
        draft.transition(old, Op::Supersede, to);
    }
}

fn agree(new: &Memory, old: &Memory) -> bool {
    let (new, old) = (new.claim.as_ref(), old.claim.as_ref());
    new.zip(old).is_some_and(|(new, old)| new.agrees_with(old))
}

/// What a memory's writer may read, as far as the memory itself tells.
fn scope_of(memory: &Memory) -> Scope {
    let mut names = memory.readers.clone();
    names.push(memory.actor.clone());
    Scope {
        namespace: memory.namespace.clone(),
        agent: memory.agent.clone(),
        names,
    }
}

/// Returns the ids that a text cites.
fn cited(text: &str) -> Vec<MemoryId> {
    const LENGTH: usize = 26;
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let ids = words.filter(|word| word.len() == LENGTH);
    ids.filter_map(|word| word.parse().ok()).take(64).collect()
}
