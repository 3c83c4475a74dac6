//! The recall filter on a memory's first columns, without reading its text.

use precedent_core::{Filter, MemoryId, State};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row};

use crate::codec::text_of;
use crate::error::{Failure, Fallible};

/// A filter with its statement, for many memories one after the other.
pub(super) struct Narrow<'a> {
    database: &'a Connection,
    statement: CachedStatement<'a>,
    filter: &'a Filter,
}

impl<'a> Narrow<'a> {
    /// Prepares the filter.
    pub(super) fn new(database: &'a Connection, filter: &'a Filter) -> Fallible<Self> {
        let statement = database.prepare_cached(
            "SELECT id, state, source, trust, valid_from, valid_to, since, recorded_at, tags \
             FROM memory WHERE seq = ?1",
        )?;
        Ok(Self {
            database,
            statement,
            filter,
        })
    }

    /// Returns the memory's id if the filter admits it.
    ///
    /// # Errors
    /// [`Failure::Unreadable`] when an index names a memory that does not exist.
    pub(super) fn admitted(&mut self, seq: u32) -> Fallible<Option<MemoryId>> {
        let mut rows = self.statement.query([seq])?;
        let row = rows.next()?.ok_or(Failure::Unreadable)?;
        let Some(stood) = standing(self.database, self.filter, row, seq)? else {
            return Ok(None);
        };
        if !admits(self.filter, row, &stood)? {
            return Ok(None);
        }
        Ok(Some(MemoryId::from_bytes(row.get(0)?)))
    }
}

/// Where a memory stood at the instant that is asked about.
struct Stood {
    state: State,
    valid_to: Option<i64>,
}

/// Returns where a memory stands, or stood at [`Filter::known_at`]; nothing if it was not there.
fn standing(
    database: &Connection,
    filter: &Filter,
    row: &Row<'_>,
    seq: u32,
) -> Fallible<Option<Stood>> {
    let now = || -> Fallible<Stood> {
        Ok(Stood {
            state: text_of(row, 1)?.parse().map_err(|_| Failure::Unreadable)?,
            valid_to: row.get(5)?,
        })
    };
    let Some(at) = filter.known_at.map(precedent_core::Timestamp::as_millis) else {
        return now().map(Some);
    };
    if row.get::<_, i64>(6)? <= at {
        return now().map(Some);
    }
    if row.get::<_, i64>(7)? > at {
        return Ok(None);
    }
    let past: Option<(String, Option<i64>)> = database
        .prepare_cached(
            "SELECT state, valid_to FROM revision WHERE seq = ?1 AND since <= ?2 \
             ORDER BY version DESC LIMIT 1",
        )?
        .query_row([i64::from(seq), at], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    past.map(|(state, valid_to)| {
        let state = state.parse().map_err(|_| Failure::Unreadable)?;
        Ok(Stood { state, valid_to })
    })
    .transpose()
}

fn admits(filter: &Filter, row: &Row<'_>, stood: &Stood) -> Fallible<bool> {
    if !filter.states.contains(&stood.state) {
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
    Ok(holds(filter, row, stood)? && is_tagged(filter, row)?)
}

fn holds(filter: &Filter, row: &Row<'_>, stood: &Stood) -> Fallible<bool> {
    let Some(at) = filter.valid_at else {
        return Ok(true);
    };
    let from: Option<i64> = row.get(4)?;
    let at = at.as_millis();
    Ok(from.is_none_or(|from| from <= at) && stood.valid_to.is_none_or(|to| at < to))
}

fn is_tagged(filter: &Filter, row: &Row<'_>) -> Fallible<bool> {
    if filter.tags.is_empty() {
        return Ok(true);
    }
    let tags: Vec<String> =
        serde_json::from_str(text_of(row, 8)?).map_err(|_| Failure::Unreadable)?;
    Ok(filter
        .tags
        .iter()
        .all(|wanted| tags.iter().any(|tag| **tag == **wanted)))
}
