//! The registry of entities: unique names within an audience, held by what mentions them.

use precedent_core::audit::Fact;
use precedent_core::{Alias, Entity, EntityId, Memory, StoreErrorKind, normalise};
use rusqlite::{OptionalExtension, params};

use super::expect::exists;
use super::{Section, refuse};
use crate::codec::{Reader, owner_column, readers_column};
use crate::error::Fallible;
use crate::points::fail_point;

/// Whom names are for, as columns.
struct Place {
    namespace: String,
    owner: String,
    readers: String,
}

impl Place {
    fn of_memory(memory: &Memory) -> Self {
        Self {
            namespace: memory.namespace.as_str().to_owned(),
            owner: owner_column(memory.private, &memory.agent).to_owned(),
            readers: readers_column(&memory.readers),
        }
    }

    fn of_entity(entity: &Entity) -> Self {
        Self {
            namespace: entity.namespace.as_str().to_owned(),
            owner: owner_column(entity.private, &entity.agent).to_owned(),
            readers: readers_column(&entity.readers),
        }
    }
}

/// Finds the entity that has a name, in normal form.
fn named(section: &Section<'_>, place: &Place, name: &str) -> Fallible<Option<EntityId>> {
    let id: Option<[u8; 16]> = section
        .database
        .prepare_cached(
            "SELECT entity FROM alias WHERE name = ?1 AND namespace = ?2 AND owner = ?3 \
             AND readers = ?4",
        )?
        .query_row(
            [name, &place.namespace, &place.owner, &place.readers],
            |row| row.get(0),
        )
        .optional()?;
    Ok(id.map(EntityId::from_bytes))
}

/// Writes what a memory mentions; refuses what is not there, or not under this name.
pub(super) fn mention(section: &Section<'_>, memory: &Memory) -> Fallible<()> {
    if memory.mentions.is_empty() {
        return Ok(());
    }
    let place = Place::of_memory(memory);
    for mention in &memory.mentions {
        let name = normalise(&mention.name);
        if named(section, &place, &name)? != Some(mention.entity) {
            return Err(refuse(StoreErrorKind::Conflict));
        }
        section
            .database
            .prepare_cached(
                "INSERT OR IGNORE INTO mention (entity, name, memory) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![
                mention.entity.as_bytes(),
                name,
                memory.id.as_bytes()
            ])?;
        fail_point!(section.shared);
    }
    Ok(())
}

/// Records an entity with its names.
pub(super) fn put(section: &Section<'_>, entity: &Entity) -> Fallible<Fact> {
    let known = exists(
        section.database,
        "SELECT 1 FROM entity WHERE id = ?1",
        params![entity.id.as_bytes()],
    )?;
    if known || entity.names.is_empty() {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    let place = Place::of_entity(entity);
    section
        .database
        .prepare_cached(
            "INSERT INTO entity (id, namespace, agent, owner, readers, recorded_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            entity.id.as_bytes(),
            place.namespace,
            entity.agent.as_str(),
            place.owner,
            place.readers,
            section.at.as_millis()
        ])?;
    fail_point!(section.shared);
    for (at, alias) in (0..).zip(&entity.names) {
        let name = normalise(&alias.name);
        if named(section, &place, &name)?.is_some() {
            return Err(refuse(StoreErrorKind::Conflict));
        }
        insert(section, &place, entity.id, alias, at)?;
    }
    Ok(Fact::named(&entity.namespace, entity.id))
}

fn insert(
    section: &Section<'_>,
    place: &Place,
    entity: EntityId,
    alias: &Alias,
    at: i64,
) -> Fallible<()> {
    section
        .database
        .prepare_cached(
            "INSERT INTO alias (namespace, owner, readers, name, entity, place, spelled, \
             registered) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            place.namespace,
            place.owner,
            place.readers,
            normalise(&alias.name),
            entity.as_bytes(),
            at,
            &*alias.name,
            alias.registered
        ])?;
    fail_point!(section.shared);
    Ok(())
}

/// Adds a name to an entity, or marks one as registered.
pub(super) fn add(section: &Section<'_>, id: EntityId, alias: &Alias) -> Fallible<Fact> {
    let entity = entity(section, id)?.ok_or_else(|| refuse(StoreErrorKind::Conflict))?;
    let (place, name) = (Place::of_entity(&entity), normalise(&alias.name));
    match named(section, &place, &name)? {
        None => {
            let last: i64 = section
                .database
                .prepare_cached("SELECT ifnull(max(place), -1) FROM alias WHERE entity = ?1")?
                .query_row([id.as_bytes()], |row| row.get(0))?;
            insert(section, &place, id, alias, last + 1)?;
        }
        Some(holder) if holder == id => {
            section
                .database
                .prepare_cached(
                    "UPDATE alias SET registered = registered OR ?3 WHERE entity = ?1 AND name = ?2",
                )?
                .execute(params![id.as_bytes(), name, alias.registered])?;
            fail_point!(section.shared);
        }
        Some(_) => return Err(refuse(StoreErrorKind::Conflict)),
    }
    Ok(Fact::named(&entity.namespace, id))
}

fn entity(section: &Section<'_>, id: EntityId) -> Fallible<Option<Entity>> {
    let sql = format!("SELECT {} FROM entity WHERE id = ?1", crate::codec::ENTITY);
    let mut statement = section.database.prepare_cached(&sql)?;
    let mut rows = statement.query([id.as_bytes()])?;
    let redactor = &section.shared.config.redactor;
    rows.next()?
        .map(|row| Reader::new(row, redactor).entity())
        .transpose()
}

/// Drops the names that only an erased memory mentioned, and the entities that have none left.
pub(super) fn forget(section: &Section<'_>, erased: &Memory) -> Fallible<()> {
    let database = section.database;
    for mention in &erased.mentions {
        let (entity, name) = (mention.entity.as_bytes(), normalise(&mention.name));
        database
            .prepare_cached("DELETE FROM mention WHERE entity = ?1 AND name = ?2 AND memory = ?3")?
            .execute(params![entity, name, erased.id.as_bytes()])?;
        fail_point!(section.shared);
        database
            .prepare_cached(
                "DELETE FROM alias WHERE entity = ?1 AND name = ?2 AND registered = 0 \
                 AND NOT EXISTS (SELECT 1 FROM mention WHERE entity = ?1 AND name = ?2)",
            )?
            .execute(params![entity, name])?;
        fail_point!(section.shared);
        database
            .prepare_cached(
                "DELETE FROM entity WHERE id = ?1 \
                 AND NOT EXISTS (SELECT 1 FROM alias WHERE entity = ?1)",
            )?
            .execute([entity])?;
        fail_point!(section.shared);
    }
    Ok(())
}
