//! Changes of standing, and contradictions; each gives the fact that is sealed.

use precedent_core::audit::Fact;
use precedent_core::{
    Contradiction, ContradictionId, Memory, MemoryId, Resolution, Standing, State, StoreErrorKind,
    Timestamp, Transition,
};
use rusqlite::{OptionalExtension, params};

use super::expect::exists;
use super::{Section, refuse};
use crate::codec::{self, Reader, int, json_ids};
use crate::error::{Failure, Fallible};
use crate::points::fail_point;

/// A memory as it stands.
struct Held {
    memory: Memory,
    seq: u32,
    since: i64,
}

fn held(section: &Section<'_>, id: MemoryId) -> Fallible<Option<Held>> {
    let sql = format!(
        "SELECT {}, seq, since FROM memory WHERE id = ?1",
        codec::MEMORY
    );
    let mut statement = section.database.prepare_cached(&sql)?;
    let mut rows = statement.query([id.as_bytes()])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    Ok(Some(Held {
        memory: Reader::new(row, &section.shared.config.redactor).memory()?,
        seq: row.get("seq")?,
        since: row.get("since")?,
    }))
}

/// Returns a memory that has to be there.
fn existing(section: &Section<'_>, id: MemoryId) -> Fallible<Held> {
    held(section, id)?.ok_or_else(|| refuse(StoreErrorKind::Conflict))
}

/// Puts a memory where it stands from now on, and keeps where it stood.
fn stand(section: &Section<'_>, held: &Held, to: &Standing) -> Fallible<()> {
    let was = held.memory.standing();
    let ms = |at: Option<Timestamp>| at.map(Timestamp::as_millis);
    section
        .database
        .prepare_cached(
            "INSERT INTO revision (seq, version, since, state, valid_to, superseded_by) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            held.seq,
            int(held.memory.version),
            held.since,
            was.state.as_str(),
            ms(was.valid_to),
            was.superseded_by.as_ref().map(MemoryId::as_bytes)
        ])?;
    fail_point!(section.shared);
    let at = section.at.as_millis();
    section
        .database
        .prepare_cached(
            "UPDATE memory SET state = ?2, valid_to = ?3, superseded_by = ?4, retired_at = ?5, \
             since = ?6, version = version + 1 WHERE seq = ?1",
        )?
        .execute(params![
            held.seq,
            to.state.as_str(),
            ms(to.valid_to),
            to.superseded_by.as_ref().map(MemoryId::as_bytes),
            (!to.state.is_in_force()).then_some(at),
            at
        ])?;
    fail_point!(section.shared);
    Ok(())
}

/// Tells whether `new` may take the place of `old`.
fn may_replace(section: &Section<'_>, new: MemoryId, old: &Memory) -> Fallible<bool> {
    Ok(held(section, new)?.is_some_and(|new| new.memory.may_replace(old)))
}

/// Marks a memory as replaced.
pub(super) fn supersede(
    section: &Section<'_>,
    old: MemoryId,
    new: MemoryId,
    ends: Timestamp,
) -> Fallible<Fact> {
    let replaced = existing(section, old)?;
    let memory = &replaced.memory;
    if !memory.state.is_in_force() || !may_replace(section, new, memory)? {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    let to = Standing {
        state: State::Superseded,
        valid_to: Some(memory.valid_to.map_or(ends, |end| end.min(ends))),
        superseded_by: Some(new),
    };
    stand(section, &replaced, &to)?;
    Ok(Fact::superseded(&memory.namespace, old, new))
}

/// Changes where a memory stands.
pub(super) fn transition(section: &Section<'_>, transition: &Transition) -> Fallible<Fact> {
    let moved = existing(section, transition.memory)?;
    let memory = &moved.memory;
    let replaced = match transition.to.superseded_by {
        Some(new) => may_replace(section, new, memory)?,
        None => true,
    };
    if !replaced || !transition.is_legal_from(&memory.standing()) {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    stand(section, &moved, &transition.to)?;
    Ok(Fact::moved(&memory.namespace, transition, memory.state))
}

/// Records that two memories contradict each other.
pub(super) fn contradict(section: &Section<'_>, contradiction: &Contradiction) -> Fallible<Fact> {
    let [older, younger] = contradiction.between;
    let known = exists(
        section.database,
        "SELECT 1 FROM contradiction WHERE id = ?1",
        params![contradiction.id.as_bytes()],
    )?;
    if known || older == younger || held(section, older)?.is_none() {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    let younger = existing(section, younger)?;
    section
        .database
        .prepare_cached(
            "INSERT INTO contradiction (id, older, younger, basis, opened_at) \
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            contradiction.id.as_bytes(),
            older.as_bytes(),
            younger.memory.id.as_bytes(),
            contradiction.basis.as_str(),
            section.at.as_millis()
        ])?;
    fail_point!(section.shared);
    Ok(Fact::disputed(&younger.memory.namespace, contradiction))
}

/// Resolves a contradiction that is open.
pub(super) fn resolve(
    section: &Section<'_>,
    id: ContradictionId,
    resolution: &Resolution,
) -> Fallible<Fact> {
    let contradiction = open(section, id)?.ok_or_else(|| refuse(StoreErrorKind::Conflict))?;
    let of_it = |kept: &MemoryId| contradiction.between.contains(kept);
    if !resolution.kept.as_ref().is_none_or(of_it) {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    section
        .database
        .prepare_cached(
            "UPDATE contradiction SET kept = ?2, verdict = ?3, resolved_at = ?4 WHERE id = ?1",
        )?
        .execute(params![
            id.as_bytes(),
            resolution.kept.as_ref().map(MemoryId::as_bytes),
            resolution.verdict.as_str(),
            section.at.as_millis()
        ])?;
    fail_point!(section.shared);
    let younger = existing(section, contradiction.between[1])?;
    let namespace = &younger.memory.namespace;
    Ok(Fact::resolved(
        namespace,
        &contradiction,
        resolution.verdict,
    ))
}

fn open(section: &Section<'_>, id: ContradictionId) -> Fallible<Option<Contradiction>> {
    let columns = codec::CONTRADICTION;
    let sql = format!("SELECT {columns} FROM contradiction WHERE id = ?1 AND verdict IS NULL");
    let mut statement = section.database.prepare_cached(&sql)?;
    let mut rows = statement.query([id.as_bytes()])?;
    let redactor = &section.shared.config.redactor;
    rows.next()?
        .map(|row| Reader::new(row, redactor).contradiction())
        .transpose()
}

/// Clears what an erased memory was made of, and that others were made of it.
pub(super) fn forget_source(section: &Section<'_>, erased: &Memory) -> Fallible<()> {
    let database = section.database;
    for source in &erased.derived_from {
        database
            .prepare_cached("DELETE FROM lineage WHERE source = ?1 AND memory = ?2")?
            .execute(params![source.as_bytes(), erased.id.as_bytes()])?;
        fail_point!(section.shared);
    }
    let mut statement = database.prepare_cached("SELECT memory FROM lineage WHERE source = ?1")?;
    let derived: Vec<[u8; 16]> = statement
        .query_map([erased.id.as_bytes()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for memory in derived {
        let held: Option<String> = database
            .prepare_cached("SELECT derived_from FROM memory WHERE id = ?1")?
            .query_row([memory], |row| row.get(0))
            .optional()?;
        let Some(sources) = held else { continue };
        let sources: Vec<String> =
            serde_json::from_str(&sources).map_err(|_| Failure::Unreadable)?;
        let ids: Result<Vec<MemoryId>, _> = sources.iter().map(|id| id.parse()).collect();
        let mut ids = ids.map_err(|_| Failure::Unreadable)?;
        ids.retain(|id| *id != erased.id);
        database
            .prepare_cached("UPDATE memory SET derived_from = ?2 WHERE id = ?1")?
            .execute(params![memory, json_ids(&ids)])?;
        fail_point!(section.shared);
    }
    database
        .prepare_cached("DELETE FROM lineage WHERE source = ?1")?
        .execute([erased.id.as_bytes()])?;
    Ok(())
}
