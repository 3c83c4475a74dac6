//! The recall filter on a memory's first columns, without reading its text.

use precedent_core::{Filter, MemoryId};
use rusqlite::{CachedStatement, Connection, Row};

use crate::codec::text_of;
use crate::error::{Failure, Fallible};

/// A filter with its statement, for many memories one after the other.
pub(super) struct Narrow<'a> {
    statement: CachedStatement<'a>,
    filter: &'a Filter,
}

impl<'a> Narrow<'a> {
    /// Prepares the filter.
    pub(super) fn new(database: &'a Connection, filter: &'a Filter) -> Fallible<Self> {
        let statement = database.prepare_cached(
            "SELECT id, state, source, trust, valid_from, valid_to, tags FROM memory WHERE seq = ?1",
        )?;
        Ok(Self { statement, filter })
    }

    /// Returns the memory's id if the filter admits it.
    ///
    /// # Errors
    /// [`Failure::Unreadable`] when an index names a memory that does not exist.
    pub(super) fn admitted(&mut self, seq: u32) -> Fallible<Option<MemoryId>> {
        let mut rows = self.statement.query([seq])?;
        let row = rows.next()?.ok_or(Failure::Unreadable)?;
        if !admits(self.filter, row)? {
            return Ok(None);
        }
        Ok(Some(MemoryId::from_bytes(row.get(0)?)))
    }
}

fn admits(filter: &Filter, row: &Row<'_>) -> Fallible<bool> {
    let state = text_of(row, 1)?;
    if !filter
        .states
        .iter()
        .any(|admitted| admitted.as_str() == state)
    {
        return Ok(false);
    }
    let source = text_of(row, 2)?;
    let sources = &filter.sources;
    if !sources.is_empty() && !sources.iter().any(|admitted| admitted.as_str() == source) {
        return Ok(false);
    }
    let trust = text_of(row, 3)?;
    if filter
        .trust
        .is_some_and(|required| required.as_str() != trust)
    {
        return Ok(false);
    }
    Ok(holds(filter, row)? && is_tagged(filter, row)?)
}

fn holds(filter: &Filter, row: &Row<'_>) -> Fallible<bool> {
    let Some(at) = filter.valid_at else {
        return Ok(true);
    };
    let (from, to): (Option<i64>, Option<i64>) = (row.get(4)?, row.get(5)?);
    let at = at.as_millis();
    Ok(from.is_none_or(|from| from <= at) && to.is_none_or(|to| at < to))
}

fn is_tagged(filter: &Filter, row: &Row<'_>) -> Fallible<bool> {
    if filter.tags.is_empty() {
        return Ok(true);
    }
    let tags: Vec<String> =
        serde_json::from_str(text_of(row, 6)?).map_err(|_| Failure::Unreadable)?;
    Ok(filter
        .tags
        .iter()
        .all(|wanted| tags.iter().any(|tag| **tag == **wanted)))
}
