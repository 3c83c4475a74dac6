//! What each change does to the lists.

use precedent_core::audit::{FactResult, Op};
use precedent_core::{
    Alias, Change, Contradiction, Decision, Entity, EntityId, Erasure, Expect, Memory, MemoryId,
    Place, PutMemory, Receipt, Resolution, Revision, Rule, Standing, State, StoreErrorKind,
    Timestamp, ToolEvent, Transition,
};

use super::{Model, Row, plain};
use crate::data::DIMENSION;

/// What the log tells of a change.
type Told = (Op, FactResult, Option<MemoryId>);

const REFUSED: StoreErrorKind = StoreErrorKind::Conflict;

fn ok(op: Op, memory: Option<MemoryId>) -> Told {
    (op, FactResult::Ok, memory)
}

/// States in which a memory counts.
pub(super) fn counts(state: State) -> bool {
    [State::Active, State::Disputed, State::ContextDependent].contains(&state)
}

fn is_for(memory: &Memory, place: &Place) -> bool {
    let owner = memory.private.then_some(&memory.agent);
    memory.namespace == place.namespace
        && owner == place.owner.as_ref()
        && memory.readers == place.readers
}

impl Model {
    pub(super) fn holds(&self, expect: &Expect) -> bool {
        match expect {
            Expect::Absent(id) => {
                self.row(*id).is_none() && self.erased.iter().all(|(erased, _)| erased != id)
            }
            Expect::Version(id, version) => self
                .row(*id)
                .is_some_and(|row| row.life.len() as u64 == *version),
            Expect::NoDuplicate { place, digest } => !self.rows.iter().any(|row| {
                row.digest == *digest && is_for(&row.memory, place) && counts(row.now().state)
            }),
            Expect::Holding {
                place,
                topic,
                memories,
            } => {
                let mut held: Vec<MemoryId> = Vec::new();
                for row in &self.rows {
                    let about = row.memory.claim.as_ref().map(|claim| claim.topic());
                    if about.as_ref() == Some(topic)
                        && is_for(&row.memory, place)
                        && counts(row.now().state)
                    {
                        held.push(row.memory.id);
                    }
                }
                held.sort();
                held == *memories
            }
            Expect::Head(_) => false,
            Expect::ReceiptOpen(id, agent) => self.receipts.iter().any(|receipt| {
                receipt.id == *id && receipt.agent == *agent && receipt.closed_by.is_none()
            }),
        }
    }

    pub(super) fn apply(
        &mut self,
        change: &Change,
        now: Timestamp,
    ) -> Result<Told, StoreErrorKind> {
        match change {
            Change::Put(put) => self.put(put, now),
            Change::Supersede { old, new, ends } => self.supersede(*old, *new, *ends, now),
            Change::Transition(transition) => self.transition(transition, now),
            Change::Entity(entity) => self.entity(entity, now),
            Change::Alias { entity, alias } => self.alias(*entity, alias),
            Change::Contradict(contradiction) => self.contradict(contradiction, now),
            Change::Resolve {
                contradiction,
                resolution,
            } => self.resolve(*contradiction, resolution, now),
            Change::Event(event) => self.event(event, now),
            Change::Rule(rule) => self.rule(rule, now),
            Change::Receipt(receipt) => self.receipt(receipt, now),
            Change::Erase(erasure) => self.erase(erasure),
            Change::Note(fact) => Ok((fact.op, fact.result, fact.memory)),
        }
    }

    fn put(&mut self, put: &PutMemory, now: Timestamp) -> Result<Told, StoreErrorKind> {
        let memory = &put.memory;
        if !self.holds(&Expect::Absent(memory.id)) {
            return Err(REFUSED);
        }
        for mention in &memory.mentions {
            let known = self.entities.iter().any(|entity| {
                entity.id == mention.entity
                    && shares(entity, memory)
                    && has_name(entity, &mention.name)
            });
            if !known {
                return Err(REFUSED);
            }
        }
        let has_vector = put.vector.as_ref().is_some_and(|vector| {
            let length: f32 = vector.iter().map(|x| x * x).sum();
            vector.len() == DIMENSION && (length - 1.0).abs() < 0.001
        });
        let standing = Standing {
            state: memory.state,
            valid_to: memory.valid_to,
            superseded_by: memory.superseded_by,
        };
        let mut memory = memory.clone();
        memory.recorded_at = now;
        let told = ok(Op::Write, Some(memory.id));
        self.rows.push(Row {
            memory,
            has_vector,
            digest: put.digest,
            echo: put.echo,
            life: vec![Revision {
                version: 1,
                since: now,
                standing,
            }],
        });
        Ok(told)
    }

    fn supersede(
        &mut self,
        old: MemoryId,
        new: MemoryId,
        ends: Timestamp,
        now: Timestamp,
    ) -> Result<Told, StoreErrorKind> {
        let row = self.row(old).filter(|row| counts(row.now().state));
        let before = row.filter(|_| self.fits(new, old)).ok_or(REFUSED)?.now();
        let end = match before.valid_to {
            Some(earlier) if earlier < ends => earlier,
            _ => ends,
        };
        let to = Standing {
            state: State::Superseded,
            valid_to: Some(end),
            superseded_by: Some(new),
        };
        self.stand(old, to, now);
        Ok(ok(Op::Supersede, Some(old)))
    }

    fn transition(&mut self, to: &Transition, now: Timestamp) -> Result<Told, StoreErrorKind> {
        let from = self.row(to.memory).ok_or(REFUSED)?.now().state;
        if let Some(by) = to.to.superseded_by
            && !self.fits(by, to.memory)
        {
            return Err(REFUSED);
        }
        let names = to.to.superseded_by.is_some();
        if !lawful(to.op, from, to.to.state) || names != (to.to.state == State::Superseded) {
            return Err(REFUSED);
        }
        self.stand(to.memory, to.to, now);
        Ok(ok(to.op, Some(to.memory)))
    }

    /// Tells whether one memory may take the place of another: for the same readers, and about
    /// the same key where both are about one.
    fn fits(&self, new: MemoryId, old: MemoryId) -> bool {
        let (Some(new), Some(old)) = (self.row(new), self.row(old)) else {
            return false;
        };
        let about = |row: &Row| {
            let claim = row.memory.claim.as_ref();
            claim.map(|claim| (plain(&claim.subject), plain(&claim.key)))
        };
        let keys = about(new).zip(about(old));
        new.memory.id != old.memory.id
            && new.memory.audience() == old.memory.audience()
            && keys.is_none_or(|(new, old)| new == old)
    }

    fn stand(&mut self, id: MemoryId, standing: Standing, now: Timestamp) {
        for row in self.rows.iter_mut().filter(|row| row.memory.id == id) {
            row.life.push(Revision {
                version: row.life.len() as u64 + 1,
                since: now,
                standing,
            });
        }
    }

    fn entity(&mut self, entity: &Entity, now: Timestamp) -> Result<Told, StoreErrorKind> {
        let names: Vec<String> = entity
            .names
            .iter()
            .map(|alias| plain(&alias.name))
            .collect();
        let mut distinct = names.clone();
        distinct.sort();
        distinct.dedup();
        let id_taken = self.entities.iter().any(|known| known.id == entity.id);
        let name_taken = self.entities.iter().any(|known| {
            known.audience() == entity.audience()
                && entity
                    .names
                    .iter()
                    .any(|alias| has_name(known, &alias.name))
        });
        if names.is_empty() || distinct.len() < names.len() || id_taken || name_taken {
            return Err(REFUSED);
        }
        let mut entity = entity.clone();
        entity.recorded_at = now;
        self.entities.push(entity);
        Ok(ok(Op::Entity, None))
    }

    fn alias(&mut self, id: EntityId, alias: &Alias) -> Result<Told, StoreErrorKind> {
        let entities = self.entities.clone();
        let entity = self.entities.iter_mut().find(|entity| entity.id == id);
        let entity = entity.ok_or(REFUSED)?;
        let taken = entities.iter().any(|other| {
            other.id != id && other.audience() == entity.audience() && has_name(other, &alias.name)
        });
        if taken {
            return Err(REFUSED);
        }
        let same = |known: &&mut Alias| plain(&known.name) == plain(&alias.name);
        match entity.names.iter_mut().find(same) {
            Some(known) => known.registered = known.registered || alias.registered,
            None => entity.names.push(alias.clone()),
        }
        Ok(ok(Op::Entity, None))
    }

    fn contradict(&mut self, it: &Contradiction, now: Timestamp) -> Result<Told, StoreErrorKind> {
        let [older, younger] = it.between;
        let both = self.row(older).is_some() && self.row(younger).is_some();
        let taken = self.contradictions.iter().any(|known| known.id == it.id);
        if !both || older == younger || taken {
            return Err(REFUSED);
        }
        self.contradictions.push(Contradiction {
            opened_at: now,
            resolution: None,
            ..*it
        });
        Ok(ok(Op::Dispute, Some(younger)))
    }

    fn resolve(
        &mut self,
        id: precedent_core::ContradictionId,
        resolution: &Resolution,
        now: Timestamp,
    ) -> Result<Told, StoreErrorKind> {
        let known = self.contradictions.iter_mut().find(|known| known.id == id);
        let known = known.filter(|known| known.resolution.is_none());
        let known = known.ok_or(REFUSED)?;
        if let Some(kept) = resolution.kept
            && !known.between.contains(&kept)
        {
            return Err(REFUSED);
        }
        known.resolution = Some(Resolution {
            at: now,
            ..*resolution
        });
        Ok(ok(Op::Resolve, Some(known.between[1])))
    }

    fn event(&mut self, event: &ToolEvent, now: Timestamp) -> Result<Told, StoreErrorKind> {
        if self.events.iter().any(|known| known.id == event.id) {
            return Err(REFUSED);
        }
        if let Some(closes) = event.receipt {
            if !self.holds(&Expect::ReceiptOpen(closes, event.agent.clone())) {
                return Err(REFUSED);
            }
            for receipt in self.receipts.iter_mut().filter(|it| it.id == closes) {
                receipt.closed_by = Some(event.id);
            }
        }
        let mut event = event.clone();
        event.at = now;
        self.events.push(event);
        Ok(ok(Op::Observe, None))
    }

    fn rule(&mut self, rule: &Rule, now: Timestamp) -> Result<Told, StoreErrorKind> {
        let taken = self.rules.iter().any(|known| known.id == rule.id);
        if taken || self.row(rule.memory).is_none() {
            return Err(REFUSED);
        }
        let mut rule = rule.clone();
        rule.recorded_at = now;
        let told = ok(Op::Rule, Some(rule.memory));
        self.rules.push(rule);
        Ok(told)
    }

    fn receipt(&mut self, receipt: &Receipt, now: Timestamp) -> Result<Told, StoreErrorKind> {
        if self.receipts.iter().any(|known| known.id == receipt.id) {
            return Err(REFUSED);
        }
        let mut receipt = receipt.clone();
        (receipt.at, receipt.closed_by) = (now, None);
        let op = match receipt.decision {
            Decision::Allow => Op::GuardAllow,
            Decision::Warn => Op::GuardWarn,
            Decision::Block => Op::GuardBlock,
        };
        self.receipts.push(receipt);
        Ok(ok(op, None))
    }

    fn erase(&mut self, erasure: &Erasure) -> Result<Told, StoreErrorKind> {
        let within = erasure.within.as_str();
        let mut gone: Vec<MemoryId> = Vec::new();
        for row in &self.rows {
            let namespace = row.memory.namespace.as_str();
            let below = namespace == within || namespace.starts_with(&format!("{within}/"));
            if below && erasure.memories.contains(&row.memory.id) {
                gone.push(row.memory.id);
            }
        }
        if gone.is_empty() {
            return Err(StoreErrorKind::NotFound);
        }
        let erased: Vec<Row> = self
            .rows
            .iter()
            .filter(|row| gone.contains(&row.memory.id))
            .cloned()
            .collect();
        self.rows.retain(|row| !gone.contains(&row.memory.id));
        self.rules.retain(|rule| !gone.contains(&rule.memory));
        self.contradictions
            .retain(|it| !it.between.iter().any(|side| gone.contains(side)));
        self.drop_names(&erased);
        self.unlink(&gone);
        for id in &gone {
            self.erased.push((*id, erasure.certificate));
        }
        for done in &mut self.commits {
            let mut lines = done.answer.lines.iter();
            if lines.any(|line| line.memory.is_some_and(|id| gone.contains(&id))) {
                done.request = None;
            }
        }
        let single = if gone.len() == 1 { Some(gone[0]) } else { None };
        Ok(ok(Op::Forget, single))
    }

    /// A name that is not registered goes with the last memory that mentions it.
    fn drop_names(&mut self, erased: &[Row]) {
        let mentions = |rows: &[Row], id: EntityId, name: &str| {
            rows.iter().any(|row| {
                let mut mentions = row.memory.mentions.iter();
                mentions.any(|it| it.entity == id && plain(&it.name) == plain(name))
            })
        };
        for entity in &mut self.entities {
            let id = entity.id;
            entity.names.retain(|alias| {
                alias.registered
                    || !mentions(erased, id, &alias.name)
                    || mentions(&self.rows, id, &alias.name)
            });
        }
        self.entities.retain(|entity| !entity.names.is_empty());
    }

    /// Nothing that is left names the erased.
    fn unlink(&mut self, gone: &[MemoryId]) {
        let clear = |link: &mut Option<MemoryId>| {
            if link.is_some_and(|id| gone.contains(&id)) {
                *link = None;
            }
        };
        for row in &mut self.rows {
            clear(&mut row.memory.supersedes);
            row.memory.derived_from.retain(|id| !gone.contains(id));
            for stretch in &mut row.life {
                clear(&mut stretch.standing.superseded_by);
            }
        }
    }
}

fn has_name(entity: &Entity, name: &str) -> bool {
    entity
        .names
        .iter()
        .any(|alias| plain(&alias.name) == plain(name))
}

fn shares(entity: &Entity, memory: &Memory) -> bool {
    entity.namespace == memory.namespace
        && entity.private == memory.private
        && (!entity.private || entity.agent == memory.agent)
        && entity.readers == memory.readers
}

/// Tells which changes of state each operation may make.
fn lawful(op: Op, from: State, to: State) -> bool {
    match op {
        Op::Dispute => counts(from) && to == State::Disputed,
        Op::Resolve => {
            let ends = [State::Active, State::ContextDependent, State::Superseded];
            counts(from) && ends.contains(&to)
        }
        Op::Retire => counts(from) && to == State::Dormant,
        Op::Restore => [State::Dormant, State::Disputed].contains(&from) && counts(to),
        Op::Quarantine => counts(from) && to == State::Quarantined,
        Op::Promote => from == State::Quarantined && to == State::Active,
        Op::Revert => from != State::Quarantined && to != State::Quarantined,
        Op::Supersede => from == to && (counts(from) || from == State::Superseded),
        _ => false,
    }
}
