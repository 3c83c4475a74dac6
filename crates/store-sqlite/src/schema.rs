//! The schema: what makes a file ours, and the migrations that bring it up to date.

use precedent_core::{
    Digest, EmbeddingSpace, Redactor, StoreError, StoreErrorKind, StoreId, analyze,
};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use serde_json::Value;

use crate::error::{Failure, Fallible};

/// Marks the file as a store of Precedent: `Prcd` in ASCII, see
/// <https://www.sqlite.org/pragma.html#pragma_application_id>.
const APPLICATION_ID: i32 = 0x5072_6364;
/// What leads from each version to the next; only ever appended to.
const MIGRATIONS: &[(i32, &str)] = &[
    (1, include_str!("../migrations/0001.sql")),
    (2, include_str!("../migrations/0002.sql")),
];
/// Bytes of a page; scanning vector chunks is a third faster than with SQLite's 4096.
pub(crate) const PAGE_BYTES: u32 = 8192;
/// The version that this code reads and writes.
pub(crate) const VERSION: u32 = 2;

const OPERATION: &str = "opening the store";

/// What a database file is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Nobody has written to it.
    Blank,
    /// Ours, of an older schema.
    Outdated,
    /// Ours, up to date.
    Current,
}

/// Looks at a file's marks without changing anything, all of them in one snapshot: another process
/// may be creating the store.
pub(crate) fn present_condition(database: &Connection) -> Fallible<Condition> {
    let snapshot = database.unchecked_transaction()?;
    let found = condition(&snapshot);
    snapshot.finish()?;
    found
}

/// Looks at a file's marks within a transaction.
fn condition(database: &Connection) -> Fallible<Condition> {
    let mark: i32 = database.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let version: i32 = database.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if mark != APPLICATION_ID {
        let tables: i64 =
            database.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        return if (mark, version, tables) == (0, 0, 0) {
            Ok(Condition::Blank)
        } else {
            Err(not_a_store().into())
        };
    }
    let newest = MIGRATIONS.last().map_or(0, |(version, _)| *version);
    match version.cmp(&newest) {
        std::cmp::Ordering::Less => Ok(Condition::Outdated),
        std::cmp::Ordering::Equal => Ok(Condition::Current),
        std::cmp::Ordering::Greater => Err(Failure::refuse(StoreErrorKind::NewerSchema, OPERATION)),
    }
}

/// Says that a file is somebody else's.
pub(crate) fn not_a_store() -> StoreError {
    StoreError::new(StoreErrorKind::Corrupt, OPERATION)
        .advise("the file is not a precedent store; choose another path or restore a backup")
}

/// Creates or updates the tables; several processes may try at once, one of them does it.
pub(crate) fn migrate(
    database: &mut Connection,
    store_id: StoreId,
    space: Option<&EmbeddingSpace>,
    breakable: bool,
) -> Fallible<()> {
    let section = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let before = condition(&section)?;
    if before == Condition::Current {
        return Ok(());
    }
    let version: i32 = section.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for (step, sql) in MIGRATIONS.iter().filter(|(step, _)| *step > version) {
        section.execute_batch(sql)?;
        section.pragma_update(None, "user_version", step)?;
    }
    if before == Condition::Blank {
        section.pragma_update(None, "application_id", APPLICATION_ID)?;
        set_meta(&section, STORE_ID, &store_id.to_string())?;
        set_meta(&section, ANALYZER, &analyze::VERSION.to_string())?;
        if let Some(space) = space {
            set_space(&section, space)?;
        }
        if breakable {
            set_meta(&section, BREAKABLE, "yes")?;
        }
    }
    section.commit()?;
    Ok(())
}

/// Whether the store was made for tests that break it, in `meta`.
pub(crate) const BREAKABLE: &str = "breakable";
/// The store's id, in `meta`.
const STORE_ID: &str = "store_id";
/// The embedding space, in `meta`.
const SPACE: &str = "space";
/// The ids of the sink's keys, in `meta`.
pub(crate) const KEY_IDS: &str = "key_ids";
/// The version of the analyser that made the lexical index, in `meta`.
pub(crate) const ANALYZER: &str = "analyzer";

/// Reads a value of `meta`.
pub(crate) fn meta(database: &Connection, key: &str) -> Fallible<Option<String>> {
    Ok(database
        .prepare_cached("SELECT value FROM meta WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?)
}

/// Writes a value of `meta`.
pub(crate) fn set_meta(database: &Connection, key: &str, value: &str) -> Fallible<()> {
    database
        .prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)")?
        .execute([key, value])?;
    Ok(())
}

/// Reads the store's id.
pub(crate) fn store_id(database: &Connection) -> Fallible<StoreId> {
    let text = meta(database, STORE_ID)?.ok_or(Failure::Unreadable)?;
    text.parse().map_err(|_| Failure::Unreadable)
}

/// Reads the embedding space that the store's vectors are of.
pub(crate) fn space(database: &Connection) -> Fallible<Option<EmbeddingSpace>> {
    let Some(text) = meta(database, SPACE)? else {
        return Ok(None);
    };
    let parsed: Value = serde_json::from_str(&text).map_err(|_| Failure::Unreadable)?;
    read_space(&parsed).map(Some).ok_or(Failure::Unreadable)
}

fn read_space(value: &Value) -> Option<EmbeddingSpace> {
    let fingerprint: Digest = value.get("fingerprint")?.as_str()?.parse().ok()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the floor was written from an f32"
    )]
    let floor = value.get("floor")?.as_f64()? as f32;
    Some(EmbeddingSpace {
        fingerprint,
        model: Redactor::new().clean(value.get("model")?.as_str()?),
        dimension: usize::try_from(value.get("dimension")?.as_u64()?).ok()?,
        floor,
    })
}

/// Fixes the embedding space of a store that has none yet.
pub(crate) fn set_space(database: &Connection, space: &EmbeddingSpace) -> Fallible<()> {
    let text = serde_json::to_string(space).map_err(|_| Failure::Unreadable)?;
    set_meta(database, SPACE, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blank() -> Connection {
        Connection::open_in_memory().unwrap()
    }

    #[test]
    fn a_migrated_file_is_current_and_keeps_its_identity() {
        let mut database = blank();
        assert_eq!(condition(&database).ok(), Some(Condition::Blank));
        let space = EmbeddingSpace {
            fingerprint: Digest::from_bytes([7; 32]),
            model: Redactor::new().clean("m \"quoted\""),
            dimension: 128,
            floor: 0.35,
        };
        let id = StoreId::from_bytes([3; 16]);
        migrate(&mut database, id, Some(&space), false)
            .ok()
            .unwrap();
        migrate(&mut database, StoreId::from_bytes([4; 16]), None, false)
            .ok()
            .unwrap();
        assert_eq!(condition(&database).ok(), Some(Condition::Current));
        assert_eq!(store_id(&database).ok(), Some(id));
        assert_eq!(super::space(&database).ok().unwrap(), Some(space));
    }

    #[test]
    fn versions_count_up_to_the_one_that_is_written() {
        let versions: Vec<i32> = MIGRATIONS.iter().map(|(version, _)| *version).collect();
        let expected: Vec<i32> = (1..=i32::try_from(VERSION).unwrap()).collect();
        assert_eq!(versions, expected);
    }

    #[test]
    fn newer_and_foreign_files_are_refused() {
        let mut newer = blank();
        migrate(&mut newer, StoreId::from_bytes([3; 16]), None, false)
            .ok()
            .unwrap();
        newer
            .pragma_update(None, "user_version", VERSION + 1)
            .unwrap();
        let foreign = blank();
        foreign.execute_batch("CREATE TABLE theirs (x)").unwrap();
        for (database, kind) in [
            (newer, StoreErrorKind::NewerSchema),
            (foreign, StoreErrorKind::Corrupt),
        ] {
            let error = condition(&database).err().unwrap().into_error("opening");
            assert_eq!(error.kind, kind);
        }
    }
}
