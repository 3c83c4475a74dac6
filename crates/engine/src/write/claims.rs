//! Adding a memory to a commit: with its rules, with what it replaces or contradicts.

use precedent_core::audit::{Op, Reason};
use precedent_core::{
    Basis, Change, Claim, Contradiction, ContradictionId, Memory, MemoryId, MemoryQuery, Place,
    Principal, PutMemory, Rule, RuleId, Standing, State, StoreError, StoreErrorKind, Timestamp,
    normalise,
};

use super::Candidate;
use super::compare::{ALL, Known};
use super::draft::Draft;
use super::timeline::{self, Meeting};
use crate::{Engine, EngineError, InputFault, RuleDraft};

impl Engine {
    /// Reads the claims of a memory's audience under its subject and key, those of this commit
    /// too, and expects that no other writer changes which of them are in force; none for a memory
    /// that takes no part in it.
    pub(super) async fn claims_beside(
        &self,
        draft: &mut Draft,
        memory: &Memory,
        by: &Principal,
    ) -> Result<Option<Vec<Memory>>, EngineError> {
        let topic = memory.claim.as_ref().map(Claim::topic);
        let Some(topic) = topic.filter(|_| timeline::takes_part(memory)) else {
            return Ok(None);
        };
        let query = MemoryQuery {
            topic: Some(topic.clone()),
            ..MemoryQuery::all(by.scope(), ALL)
        };
        let mut found = self.store.find_memories(&query).await?;
        found.retain(|it| it.audience() == memory.audience());
        let holding = found.iter().filter(|it| it.state.is_in_force());
        let holding = holding.map(|it| it.id).collect();
        let place = Place::from(memory.audience());
        draft.expect_holding(place, topic.clone(), holding);
        let mut line: Vec<Memory> = found.into_iter().map(|it| draft.seen(it)).collect();
        line.extend(draft.claims(&topic, memory.audience()).cloned());
        line.retain(|it| timeline::takes_part(it) && Some(it.id) != memory.supersedes);
        Ok(Some(line))
    }

    /// Tells whether a claim is made already.
    pub(super) fn restated(draft: &mut Draft, memory: &Memory, line: Vec<Memory>) -> Known {
        let same = timeline::meet(&line, memory).same;
        let Some(same) = same.filter(|_| memory.supersedes.is_none()) else {
            return Known::New(line);
        };
        draft.pin(same);
        let reason = if normalise(&same.text) == normalise(&memory.text) {
            Reason::ExactRepeat
        } else {
            Reason::SameClaim
        };
        Known::Repeat(reason, same.id)
    }

    /// Adds a memory to the commit, with its rules, beside the claims under its subject and key.
    pub(super) async fn add(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        mut memory: Memory,
        line: &[Memory],
        by: &Principal,
    ) -> Result<(), EngineError> {
        let replaced = match memory.supersedes {
            Some(old) if !candidate.recorded => Some(
                self.replaceable(draft, &memory, old, candidate.version, by)
                    .await?,
            ),
            _ => None,
        };
        let met = timeline::meet(line, &memory);
        settle(&mut memory, &met, draft);
        draft.put(PutMemory {
            memory: memory.clone(),
            vector: candidate.vector.clone(),
            digest: candidate.digest,
            echo: candidate.echo,
        });
        for old in replaced.iter().chain(met.before.iter().copied()) {
            end(draft, old, &memory);
        }
        for rival in met.rivals {
            self.contradict(draft, rival, &memory, Basis::Claim);
        }
        if memory.may_control() {
            let rules = candidate.rules.iter().map(|rule| self.rule(rule, &memory));
            let rules = rules.map(|rule| Change::Rule(Box::new(rule)));
            draft.commit.changes.extend(rules);
            self.contradict_rules(draft, candidate, &memory, by).await?;
        }
        Ok(())
    }

    /// Records which rules of the same place cannot be followed together with a memory's own.
    async fn contradict_rules(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        memory: &Memory,
        by: &Principal,
    ) -> Result<(), EngineError> {
        let ids = candidate.contradicts;
        for other in self.store.memories(&by.scope(), ids).await? {
            let other = draft.seen(other);
            let ours = draft.written(memory.id).unwrap_or(memory).clone();
            if other.state.is_in_force() && ours.may_replace(&other) {
                self.contradict(draft, &other, &ours, Basis::Rule);
            }
        }
        Ok(())
    }

    /// Records that two memories contradict each other, and flags those that are in force.
    pub(crate) fn contradict(&self, draft: &mut Draft, old: &Memory, new: &Memory, basis: Basis) {
        for memory in [old, new] {
            draft.pin(memory);
            let flagged = draft.written(memory.id).map(|it| it.state) == Some(State::Disputed);
            // Flagging again moves the version on, so that nobody unflags it meanwhile.
            if memory.state.is_in_force() && !flagged {
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
        new: &Memory,
        old: MemoryId,
        version: Option<u64>,
        by: &Principal,
    ) -> Result<Memory, EngineError> {
        const OPERATION: &str = "superseding a memory";
        let found = self.store.memories(&by.scope(), &[old]).await?;
        let replaced = found.into_iter().next().map(|memory| draft.seen(memory));
        let replaced = replaced
            .filter(|memory| new.may_replace(memory))
            .ok_or_else(|| EngineError::not_found(OPERATION))?;
        let state = replaced.state;
        if !state.is_in_force() {
            return Err(InputFault::WrongState { state }.into());
        }
        if version.is_some_and(|version| version != replaced.version) {
            return Err(StoreError::new(StoreErrorKind::Conflict, OPERATION).into());
        }
        if replaced.may_control() && !new.may_control() {
            return Err(InputFault::Unvouched.into());
        }
        Ok(replaced)
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

/// Puts a new memory where it belongs: after what it ends, before what ends it.
fn settle(memory: &mut Memory, met: &Meeting<'_>, draft: &mut Draft) {
    memory.supersedes = memory.supersedes.or(met.before.first().map(|old| old.id));
    let next = met.after.and_then(|next| next.valid_from);
    memory.valid_to = [memory.valid_to, next].into_iter().flatten().min();
    if !met.rivals.is_empty() {
        memory.state = State::Disputed;
    } else if let Some(next) = met.after
        && has_begun(next, draft.commit.header.at)
    {
        memory.state = State::Superseded;
        memory.superseded_by = Some(next.id);
        draft.pin(next);
    }
}

/// Tells whether a claim has begun; a writer whose clock is ahead recorded it when it had.
fn has_begun(memory: &Memory, now: Timestamp) -> bool {
    let now = now.max(memory.recorded_at);
    memory.valid_from.is_none_or(|from| from <= now)
}

/// Ends a memory where a new one begins: hides it if that is now, and else only says when.
fn end(draft: &mut Draft, old: &Memory, new: &Memory) {
    let from = new.valid_from.unwrap_or(new.recorded_at);
    let now = from <= draft.commit.header.at && new.state.is_in_force();
    if now && old.state.is_in_force() {
        draft.supersede(old, new, from);
    } else {
        draft.close(old, new, from);
    }
}
