//! Reading entities with their names.

use precedent_core::{Entity, EntityId, EntityKey, EntityQuery, Redactor};
use rusqlite::{Connection, params};

use super::{all, visible};
use crate::codec::{self, Reader, limit};
use crate::error::{Failure, Fallible};

/// The entities of one place, by id.
pub(crate) const ENTITIES: &str = "SELECT id FROM entity WHERE namespace = ?1 AND owner = ?2 AND (id > ?3 OR ?4) \
     ORDER BY id LIMIT ?5";
/// The entities that have one of many names, given as a JSON array; who may know them is asked
/// later.
pub(crate) const BY_NAMES: &str =
    "SELECT DISTINCT entity FROM alias WHERE name IN (SELECT value FROM json_each(?1))";
/// The names of an entity, the canonical one first.
pub(crate) const NAMES: &str =
    "SELECT spelled, registered FROM alias WHERE entity = ?1 ORDER BY place";

/// Returns entities of the audiences that the scope belongs to, by id.
pub(crate) fn entities(
    database: &Connection,
    redactor: &Redactor,
    query: &EntityQuery,
) -> Fallible<Vec<Entity>> {
    let mut ids = match &query.key {
        EntityKey::Ids(ids) => ids.clone(),
        EntityKey::Names(names) => by_names(database, names)?,
        EntityKey::Any => in_sight(database, query)?,
    };
    ids.sort_unstable();
    ids.dedup();
    let mut found = Vec::new();
    for id in ids {
        if found.len() == query.limit {
            break;
        }
        if query.after.is_some_and(|after| id <= after) {
            continue;
        }
        let entity = entity(database, redactor, id)?;
        found.extend(entity.filter(|entity| query.scope.is_in(&entity.audience())));
    }
    Ok(found)
}

fn by_names(database: &Connection, names: &[String]) -> Fallible<Vec<EntityId>> {
    let names = serde_json::to_string(names).map_err(|_| Failure::Unreadable)?;
    all(database, BY_NAMES, params![names], |row| {
        Ok(EntityId::from_bytes(row.get(0)?))
    })
}

/// Lists the entities of every place in sight. Access lists are looked at later, so all are
/// listed.
fn in_sight(database: &Connection, query: &EntityQuery) -> Fallible<Vec<EntityId>> {
    let after = query.after.map_or([0; 16], |id| *id.as_bytes());
    let mut ids = Vec::new();
    for (namespace, owner) in visible(&query.scope) {
        let values = params![
            namespace,
            owner,
            after,
            query.after.is_none(),
            limit(usize::MAX)
        ];
        ids.extend(all(database, ENTITIES, values, |row| {
            Ok(EntityId::from_bytes(row.get(0)?))
        })?);
    }
    Ok(ids)
}

fn entity(database: &Connection, redactor: &Redactor, id: EntityId) -> Fallible<Option<Entity>> {
    let sql = format!("SELECT {} FROM entity WHERE id = ?1", codec::ENTITY);
    let found = all(database, &sql, params![id.as_bytes()], |row| {
        Reader::new(row, redactor).entity()
    })?;
    let Some(entity) = found.into_iter().next() else {
        return Ok(None);
    };
    let names = all(database, NAMES, params![id.as_bytes()], |row| {
        Reader::new(row, redactor).alias()
    })?;
    Ok(Some(Entity { names, ..entity }))
}
