//! Applying a commit to the state: preconditions, facts, seal, effects.

use std::sync::Arc;

use super::state::{CommitRow, Record, State, refuse};
use super::{correct, names};
use crate::audit::{Erased, Fact, Head, SealRequest};
use crate::{
    AuditSink, Change, Commit, Committed, CommittedFact, Erasure, Expect, Header, Maintain,
    MaintainReport, MaintainStep, MaintainTask, MemoryId, Place, PutMemory, ReceiptId, Rule,
    RuleId, Standing, State as Life, StoreError, StoreErrorKind, Timestamp, ToolEvent, analyze,
    lexical_text, vector,
};

/// Applies `commit` to `state`; on an error the caller throws the state away.
pub(super) fn commit(
    state: &mut State,
    commit: Commit,
    sink: &dyn AuditSink,
    dimension: Option<usize>,
) -> Result<Committed, StoreError> {
    if let Some(answer) = replay(state, &commit)? {
        return Ok(answer);
    }
    for expect in &commit.expects {
        check(state, expect)?;
    }
    let recorded_at = state
        .head
        .map_or(commit.header.at, |head| head.at.max(commit.header.at));
    let mut facts = Vec::new();
    for change in commit.changes {
        facts.extend(apply(state, change, recorded_at, dimension)?);
    }
    let sealed = seal(state, &commit.header, &facts, sink)?;
    let first_seq = sealed.first_seq;
    let row = CommitRow {
        request: Some(commit.request),
        recorded_at,
        first_seq,
        count: sealed.count,
    };
    state.commits.insert(commit.header.id, row.clone());
    let mut answer = answer(state, &commit.header.id, &row, false);
    answer.certificates = sealed.certificates;
    Ok(answer)
}

fn replay(state: &State, commit: &Commit) -> Result<Option<Committed>, StoreError> {
    let Some(row) = state.commits.get(&commit.header.id) else {
        return Ok(None);
    };
    if row.request.is_some_and(|request| request != commit.request) {
        return Err(refuse(StoreErrorKind::CommitReused));
    }
    Ok(Some(answer(state, &commit.header.id, row, true)))
}

fn answer(state: &State, id: &crate::CommitId, row: &CommitRow, replayed: bool) -> Committed {
    let range = row.first_seq..row.first_seq + row.count;
    let facts: Vec<CommittedFact> = state
        .log
        .iter()
        .filter(|entry| range.contains(&entry.seq))
        .map(|entry| CommittedFact {
            seq: entry.seq,
            op: entry.op,
            result: entry.result,
            memory: entry.memory,
            erased: entry
                .memory
                .is_some_and(|id| replayed && state.tombstones.contains_key(&id)),
        })
        .collect();
    let certificates = state
        .certificates
        .iter()
        .filter(|certificate| range.contains(&certificate.seq))
        .map(|certificate| certificate.id)
        .collect();
    // The head that this commit left behind, not the one that later commits did.
    let last = state
        .log
        .iter()
        .rfind(|entry| range.contains(&entry.seq))
        .expect("a commit seals at least one entry, and the log only grows");
    let head = Head {
        size: range.end,
        hash: last.leaf,
        at: last.at,
    };
    Committed {
        id: *id,
        recorded_at: row.recorded_at,
        head,
        facts,
        certificates,
        replayed,
    }
}

fn check(state: &State, expect: &Expect) -> Result<(), StoreError> {
    let holds = match expect {
        Expect::Absent(id) => {
            !state.memories.contains_key(id) && !state.tombstones.contains_key(id)
        }
        Expect::Version(id, version) => state
            .memories
            .get(id)
            .is_some_and(|record| record.memory.version == *version),
        Expect::NoDuplicate { place, digest } => {
            !in_force(state, place).any(|record| record.digest == *digest)
        }
        Expect::Holding {
            place,
            topic,
            memories,
        } => in_force(state, place)
            .filter(|record| {
                let claim = record.memory.claim.as_ref();
                claim.is_some_and(|claim| claim.topic() == *topic)
            })
            .map(|record| &record.memory.id)
            .eq(memories),
        Expect::Head(hash) => state.head.is_some_and(|head| head.hash == *hash),
        Expect::ReceiptOpen(id, agent) => state
            .receipts
            .get(id)
            .is_some_and(|receipt| receipt.closed_by.is_none() && receipt.agent == *agent),
    };
    if holds {
        Ok(())
    } else {
        Err(refuse(StoreErrorKind::Conflict))
    }
}

/// Returns the memories in force that are for exactly this place, by id.
fn in_force<'a>(state: &'a State, place: &'a Place) -> impl Iterator<Item = &'a Arc<Record>> {
    state.memories.values().filter(|record| {
        record.memory.audience() == place.audience() && record.memory.state.is_in_force()
    })
}

fn apply(
    state: &mut State,
    change: Change,
    at: Timestamp,
    dimension: Option<usize>,
) -> Result<Vec<Fact>, StoreError> {
    match change {
        Change::Put(put) => put_memory(state, *put, at, dimension).map(|fact| vec![fact]),
        Change::Supersede { old, new, ends } => {
            supersede(state, old, new, ends, at).map(|fact| vec![fact])
        }
        Change::Transition(to) => correct::transition(state, to, at).map(|fact| vec![fact]),
        Change::Entity(entity) => names::put(state, *entity, at).map(|fact| vec![fact]),
        Change::Alias { entity, alias } => names::add(state, entity, alias).map(|fact| vec![fact]),
        Change::Contradict(it) => correct::contradict(state, it, at).map(|fact| vec![fact]),
        Change::Resolve {
            contradiction,
            resolution,
        } => correct::resolve(state, contradiction, resolution, at).map(|fact| vec![fact]),
        Change::Event(event) => put_event(state, *event, at).map(|fact| vec![fact]),
        Change::Rule(rule) => put_rule(state, *rule, at).map(|fact| vec![fact]),
        Change::Receipt(receipt) => put_receipt(state, *receipt, at).map(|fact| vec![fact]),
        Change::Erase(erasure) => erase(state, erasure).map(|fact| vec![fact]),
        Change::Note(fact) => Ok(vec![fact]),
    }
}

fn put_memory(
    state: &mut State,
    put: PutMemory,
    at: Timestamp,
    dimension: Option<usize>,
) -> Result<Fact, StoreError> {
    let PutMemory {
        mut memory,
        vector,
        digest,
        echo,
    } = put;
    check(state, &Expect::Absent(memory.id))?;
    names::check(state, &memory)?;
    (memory.recorded_at, memory.version) = (at, 1);
    memory.stand(memory.standing(), at);
    let vector = vector.filter(|values| {
        dimension.is_some_and(|dimension| vector::check_unit(values, dimension).is_ok())
    });
    let fact = Fact::written(&memory, vector.is_none());
    let chunks = analyze::document(&lexical_text(&memory));
    state.memories.insert(
        memory.id,
        Arc::new(Record {
            memory,
            vector,
            digest,
            echo,
            past: Vec::new(),
            since: at,
            chunks,
        }),
    );
    Ok(fact)
}

fn supersede(
    state: &mut State,
    old: MemoryId,
    new: MemoryId,
    ends: Timestamp,
    at: Timestamp,
) -> Result<Fact, StoreError> {
    let replacement = state.memories.get(&new).cloned();
    let record = state
        .memories
        .get_mut(&old)
        .filter(|record| {
            let fits = replacement.is_some_and(|it| it.memory.may_replace(&record.memory));
            fits && record.memory.state.is_in_force()
        })
        .ok_or_else(|| refuse(StoreErrorKind::Conflict))?;
    let valid_to = record.memory.valid_to;
    let to = Standing {
        state: Life::Superseded,
        valid_to: Some(valid_to.map_or(ends, |end| end.min(ends))),
        superseded_by: Some(new),
    };
    correct::stand(record, to, at);
    Ok(Fact::superseded(&record.memory.namespace, old, new))
}

fn put_event(state: &mut State, mut event: ToolEvent, at: Timestamp) -> Result<Fact, StoreError> {
    if state.events.contains_key(&event.id) {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    if let Some(receipt) = event.receipt {
        close_receipt(state, receipt, &event)?;
    }
    event.at = at;
    let fact = Fact::observed(&event);
    state.events.insert(event.id, Arc::new(event));
    Ok(fact)
}

fn close_receipt(state: &mut State, id: ReceiptId, event: &ToolEvent) -> Result<(), StoreError> {
    check(state, &Expect::ReceiptOpen(id, event.agent.clone()))?;
    let receipt = state
        .receipts
        .get_mut(&id)
        .ok_or_else(|| refuse(StoreErrorKind::Conflict))?;
    Arc::make_mut(receipt).closed_by = Some(event.id);
    Ok(())
}

fn put_rule(state: &mut State, mut rule: Rule, at: Timestamp) -> Result<Fact, StoreError> {
    if state.rules.contains_key(&rule.id) || !state.memories.contains_key(&rule.memory) {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    rule.recorded_at = at;
    let fact = Fact::ruled(&rule);
    state.rules.insert(rule.id, Arc::new(rule));
    Ok(fact)
}

fn put_receipt(
    state: &mut State,
    mut receipt: crate::Receipt,
    at: Timestamp,
) -> Result<Fact, StoreError> {
    if state.receipts.contains_key(&receipt.id) {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    (receipt.at, receipt.closed_by) = (at, None);
    let fact = Fact::decided(&receipt);
    state.receipts.insert(receipt.id, Arc::new(receipt));
    Ok(fact)
}

fn erase(state: &mut State, erasure: Erasure) -> Result<Fact, StoreError> {
    let mut memories: Vec<MemoryId> = erasure
        .memories
        .into_iter()
        .filter(|id| {
            let record = state.memories.get(id);
            record.is_some_and(|record| erasure.within.contains(record.memory.namespace.as_str()))
        })
        .collect();
    memories.sort_unstable();
    memories.dedup();
    if memories.is_empty() {
        return Err(refuse(StoreErrorKind::NotFound));
    }
    let mut erased = Erased {
        certificate: erasure.certificate,
        memories,
        derived: Vec::new(),
        vectors: 0,
        postings: 0,
        reason: erasure.reason,
    };
    for id in erased.memories.clone() {
        erase_one(state, id, &mut erased);
    }
    erased.derived.sort_unstable();
    Ok(Fact::erased(&erasure.within, erased))
}

fn erase_one(state: &mut State, id: MemoryId, erased: &mut Erased) {
    if let Some(record) = state.memories.remove(&id) {
        names::forget(state, &record.memory);
        erased.vectors += u64::from(record.vector.is_some());
        erased.postings += record
            .chunks
            .iter()
            .map(|chunk| chunk.terms.len() as u64)
            .sum::<u64>();
    }
    let rules: Vec<RuleId> = state
        .rules
        .values()
        .filter(|rule| rule.memory == id)
        .map(|rule| rule.id)
        .collect();
    for rule in rules {
        state.rules.remove(&rule);
        erased.derived.push(rule);
    }
    for record in state.memories.values_mut() {
        correct::unlink(record, id);
    }
    state
        .contradictions
        .retain(|_, contradiction| !contradiction.between.contains(&id));
    state.tombstones.insert(id, erased.certificate);
    let written: Vec<u64> = state
        .log
        .iter()
        .filter(|entry| entry.memory == Some(id))
        .map(|entry| entry.seq)
        .collect();
    for row in state.commits.values_mut() {
        if written
            .iter()
            .any(|seq| (row.first_seq..row.first_seq + row.count).contains(seq))
        {
            row.request = None;
        }
    }
}

/// Where a seal put its entries.
struct Placed {
    first_seq: u64,
    count: u64,
    certificates: Vec<crate::CertificateId>,
}

/// Seals `facts` and appends the entries, checking all that a sink promises.
fn seal(
    state: &mut State,
    header: &Header,
    facts: &[Fact],
    sink: &dyn AuditSink,
) -> Result<Placed, StoreError> {
    if facts.is_empty() {
        return Err(
            refuse(StoreErrorKind::InvalidInput).advise("put at least one change into the commit")
        );
    }
    let key_ids = sink.key_ids();
    if state.key_ids.get_or_insert_with(|| key_ids.clone()) != &key_ids {
        return Err(refuse(StoreErrorKind::KeyMismatch));
    }
    let backend = super::MemStore::backend_block();
    let request = SealRequest {
        head: state.head.as_ref(),
        header,
        facts,
        backend: &backend,
    };
    let sealed = sink
        .seal(&request)
        .map_err(|error| refuse(StoreErrorKind::Seal).caused_by(&error))?;
    let before = state.head.map_or(0, |head| head.size);
    if !sealed.follows(before, facts.len()) {
        return Err(refuse(StoreErrorKind::Seal));
    }
    let count = facts.len() as u64;
    let placed = Placed {
        first_seq: sealed.head.size - count,
        count,
        certificates: sealed
            .certificates
            .iter()
            .map(|certificate| certificate.id)
            .collect(),
    };
    state.log.extend(sealed.entries);
    state.head = Some(sealed.head);
    state.certificates.extend(sealed.certificates);
    Ok(placed)
}

/// Runs maintenance: there are no files to clean, and the indexes are the records.
pub(super) fn maintain(
    state: &mut State,
    request: &Maintain,
    sink: &dyn AuditSink,
) -> Result<MaintainReport, StoreError> {
    match request.task {
        MaintainTask::Purge => Err(StoreError::new(StoreErrorKind::Unsupported, "purging")
            .advise("a store in memory has no files; close it instead")),
        MaintainTask::Reindex => {
            state.faults.clear();
            let fact = Fact::reindexed(&request.header.namespace, state.memories.len() as u64);
            seal(state, &request.header, &[fact], sink)?;
            let steps = vec![MaintainStep {
                name: "reindex",
                ok: true,
            }];
            Ok(MaintainReport {
                steps,
                certificates: vec![],
                pending: false,
                head: state.head,
            })
        }
    }
}
