//! Finding memories by attributes.

use std::collections::BTreeSet;

use precedent_core::{Kind, Memory, MemoryId, MemoryQuery, Redactor};
use rusqlite::{Connection, ToSql, params};

use super::{all, memory};
use crate::codec::limit;
use crate::error::Fallible;
use crate::lanes::parts;

/// A partition's memories by id.
pub(crate) const MEMORY_IDS: &str =
    "SELECT id FROM memory WHERE part = ?1 AND (id > ?2 OR ?3) ORDER BY id LIMIT ?4";
/// Memories in force of one content.
pub(crate) const BY_DIGEST: &str = "SELECT id FROM memory WHERE digest = ?1 AND namespace = ?2 \
     AND state IN ('active', 'disputed', 'context-dependent')";
/// Memories of one text.
pub(crate) const BY_ECHO: &str = "SELECT id FROM memory WHERE echo = ?1";
/// Memories that state something under one topic.
pub(crate) const BY_TOPIC: &str = "SELECT id FROM memory WHERE topic = ?1";
/// Memories that mention an entity.
pub(crate) const BY_ENTITY: &str = "SELECT memory FROM mention WHERE entity = ?1";
/// Memories that were made of another one.
pub(crate) const BY_SOURCE: &str = "SELECT memory FROM lineage WHERE source = ?1";
/// How many ids are read of a partition at a time.
const PAGE: usize = 512;

/// Returns memories by attributes, oldest id first.
pub(crate) fn find_memories(
    database: &Connection,
    redactor: &Redactor,
    query: &MemoryQuery,
) -> Fallible<Vec<Memory>> {
    let mut found = Vec::new();
    if let Some(ids) = ids_of_attributes(database, query)? {
        let passed = |id: &MemoryId| query.after.is_some_and(|after| *id <= after);
        let ids = ids.into_iter().filter(|id| !passed(id));
        take(database, redactor, query, ids, &mut found)?;
        return Ok(found);
    }
    let mut after = query.after;
    while found.len() < query.limit {
        let (ids, more) = page(database, query, after)?;
        after = ids.last().copied();
        take(database, redactor, query, ids, &mut found)?;
        if !more {
            break;
        }
    }
    Ok(found)
}

/// Reads memories until there are enough that the reader sees and wants.
fn take(
    database: &Connection,
    redactor: &Redactor,
    query: &MemoryQuery,
    ids: impl IntoIterator<Item = MemoryId>,
    found: &mut Vec<Memory>,
) -> Fallible<()> {
    for id in ids {
        if found.len() >= query.limit {
            break;
        }
        let memory = memory(database, redactor, id)?.map(|(memory, ..)| memory);
        found.extend(memory.filter(|memory| {
            let states = &query.states;
            query.scope.is_in(&memory.audience())
                && kinds_of(query).contains(&memory.kind)
                && (states.is_empty() || states.contains(&memory.state))
        }));
    }
    Ok(())
}

fn kinds_of(query: &MemoryQuery) -> &[Kind] {
    if query.kinds.is_empty() {
        Kind::ALL
    } else {
        &query.kinds
    }
}

/// Lists the memories that have every attribute that is asked for, whoever sees them; nothing if
/// none is.
fn ids_of_attributes(
    database: &Connection,
    query: &MemoryQuery,
) -> Fallible<Option<BTreeSet<MemoryId>>> {
    let ids = |sql: &str, values: &[&dyn ToSql]| -> Fallible<BTreeSet<MemoryId>> {
        let found = all(database, sql, values, |row| {
            Ok(MemoryId::from_bytes(row.get(0)?))
        })?;
        Ok(found.into_iter().collect())
    };
    let mut lists = Vec::new();
    if let Some(digest) = &query.digest {
        let namespace = query.scope.namespace.as_str();
        lists.push(ids(BY_DIGEST, params![digest.as_bytes(), namespace])?);
    }
    if let Some(echo) = &query.echo {
        lists.push(ids(BY_ECHO, params![echo.as_bytes()])?);
    }
    if let Some(topic) = &query.topic {
        lists.push(ids(BY_TOPIC, params![topic.as_str()])?);
    }
    if let Some(entity) = &query.entity {
        lists.push(ids(BY_ENTITY, params![entity.as_bytes()])?);
    }
    if let Some(source) = &query.derived_from {
        lists.push(ids(BY_SOURCE, params![source.as_bytes()])?);
    }
    Ok(lists
        .into_iter()
        .reduce(|a, b| a.intersection(&b).copied().collect()))
}

/// Lists the next ids of every partition in sight, in order, as far as all of them were read, and
/// tells whether there may be more.
fn page(
    database: &Connection,
    query: &MemoryQuery,
    after: Option<MemoryId>,
) -> Fallible<(Vec<MemoryId>, bool)> {
    let above = after.map_or([0; 16], |id| *id.as_bytes());
    let size = query.limit.min(PAGE);
    let mut ids = Vec::new();
    // The lowest of the last ids of lists that were cut off.
    let mut horizon: Option<MemoryId> = None;
    for kind in Kind::ALL
        .iter()
        .filter(|kind| kinds_of(query).contains(kind))
    {
        for part in parts::visible(database, *kind, &query.scope)? {
            let values = params![part.id, above, after.is_none(), limit(size)];
            let list = all(database, MEMORY_IDS, values, |row| {
                Ok(MemoryId::from_bytes(row.get(0)?))
            })?;
            if list.len() == size {
                let last = list.last().copied();
                horizon = [horizon, last].into_iter().flatten().min();
            }
            ids.extend(list);
        }
    }
    ids.sort_unstable();
    if let Some(horizon) = horizon {
        ids.retain(|id| *id <= horizon);
    }
    Ok((ids, horizon.is_some()))
}
