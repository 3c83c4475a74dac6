//! Preconditions of a commit.

use precedent_core::{Expect, MemoryId, State, StoreErrorKind};
use rusqlite::{Connection, OptionalExtension, params};

use super::refuse;
use crate::codec::int;
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
        Expect::NoDuplicate {
            namespace,
            owner,
            digest,
        } => {
            let owner = owner.as_ref().map_or("", |owner| owner.as_str());
            !exists(
                database,
                "SELECT 1 FROM memory WHERE digest = ?1 AND namespace = ?2 AND owner = ?3 \
                 AND state IN ('active', 'disputed', 'context-dependent')",
                params![digest.as_bytes(), namespace.as_str(), owner],
            )?
        }
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

/// Tells whether a memory in this state is in force for repeats and replacements.
pub(super) const fn is_live(state: State) -> bool {
    matches!(
        state,
        State::Active | State::Disputed | State::ContextDependent
    )
}
