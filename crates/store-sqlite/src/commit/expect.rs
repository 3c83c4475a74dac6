//! Preconditions of a commit.

use precedent_core::{Expect, MemoryId, Place, StoreErrorKind, Topic};
use rusqlite::{Connection, OptionalExtension, params};

use super::refuse;
use crate::codec::{int, readers_column};
use crate::error::Fallible;

/// Refuses unless the precondition holds.
pub(super) fn check(database: &Connection, expect: &Expect) -> Fallible<()> {
    let holds = match expect {
        Expect::Absent(id) => is_absent(database, *id)?,
        Expect::Version(id, version) => exists(
            database,
            "SELECT 1 FROM memory WHERE id = ?1 AND version = ?2",
            params![id.as_bytes(), int(*version)],
        )?,
        Expect::NoDuplicate { place, digest } => !exists(
            database,
            "SELECT 1 FROM memory WHERE digest = ?1 AND namespace = ?2 AND owner = ?3 \
             AND readers = ?4 AND state IN ('active', 'disputed', 'context-dependent')",
            params![
                digest.as_bytes(),
                place.namespace.as_str(),
                owner_of(place),
                readers_column(&place.readers)
            ],
        )?,
        Expect::Holding {
            place,
            topic,
            memories,
        } => holding(database, place, topic)? == *memories,
        Expect::Head(hash) => exists(
            database,
            "SELECT 1 FROM audit_head WHERE k = 1 AND hash = ?1",
            params![hash.as_bytes()],
        )?,
        Expect::ReceiptOpen(id, agent) => exists(
            database,
            "SELECT 1 FROM receipt WHERE id = ?1 AND agent = ?2 AND closed_by IS NULL",
            params![id.as_bytes(), agent.as_str()],
        )?,
    };
    if holds {
        Ok(())
    } else {
        Err(refuse(StoreErrorKind::Conflict))
    }
}

/// The memories in force of one place that state something under one topic.
pub(crate) const HOLDING: &str = "SELECT id FROM memory WHERE topic = ?1 AND namespace = ?2 AND owner = ?3 \
     AND readers = ?4 AND state IN ('active', 'disputed', 'context-dependent') ORDER BY id";

fn holding(database: &Connection, place: &Place, topic: &Topic) -> Fallible<Vec<MemoryId>> {
    let mut statement = database.prepare_cached(HOLDING)?;
    let found = statement.query_map(
        params![
            topic.as_str(),
            place.namespace.as_str(),
            owner_of(place),
            readers_column(&place.readers)
        ],
        |row| row.get(0).map(MemoryId::from_bytes),
    )?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn owner_of(place: &Place) -> &str {
    place.owner.as_ref().map_or("", |owner| owner.as_str())
}

/// Tells whether no memory and no tombstone has the id.
pub(super) fn is_absent(database: &Connection, id: MemoryId) -> Fallible<bool> {
    let known = exists(
        database,
        "SELECT 1 FROM memory WHERE id = ?1",
        params![id.as_bytes()],
    )?;
    Ok(!known && !is_erased(database, id)?)
}

/// Tells whether a memory was erased.
pub(super) fn is_erased(database: &Connection, id: MemoryId) -> Fallible<bool> {
    exists(
        database,
        "SELECT 1 FROM tombstone WHERE memory = ?1",
        params![id.as_bytes()],
    )
}

/// Tells whether a query has a row.
pub(super) fn exists(
    database: &Connection,
    sql: &'static str,
    values: &[&dyn rusqlite::ToSql],
) -> Fallible<bool> {
    let found: Option<i64> = database
        .prepare_cached(sql)?
        .query_row(values, |row| row.get(0))
        .optional()?;
    Ok(found.is_some())
}
