//! Partitions: a kind, a namespace, an owner, and the counts that BM25 rests on.

use precedent_core::bm25::Collection;
use precedent_core::{Kind, Scope};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::codec::{int, text_of};
use crate::error::{Failure, Fallible};

/// A partition's row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its id.
    pub(crate) id: i64,
    /// Memories in it.
    pub(crate) memories: u64,
    /// Chunks of their texts.
    pub(crate) documents: u64,
    /// The sum of the chunks' lengths.
    pub(crate) length: u64,
    /// Memories with a vector.
    pub(crate) vectors: u64,
    /// Vector slots that were ever given out.
    pub(crate) slots: u64,
}

impl Part {
    /// Gives the counts that BM25 wants.
    pub(crate) const fn collection(&self) -> Collection {
        Collection {
            documents: self.documents,
            length: self.length,
        }
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<[i64; 6]> {
        Ok([
            row.get(0)?,
            row.get(1)?,
            row.get(2)?,
            row.get(3)?,
            row.get(4)?,
            row.get(5)?,
        ])
    }

    fn from_columns(columns: [i64; 6]) -> Fallible<Self> {
        let count = |n: i64| u64::try_from(n).map_err(|_| Failure::Unreadable);
        let [id, memories, documents, length, vectors, slots] = columns;
        Ok(Self {
            id,
            memories: count(memories)?,
            documents: count(documents)?,
            length: count(length)?,
            vectors: count(vectors)?,
            slots: count(slots)?,
        })
    }
}

/// Finds a partition.
pub(crate) const FIND: &str = "SELECT id, memories, documents, length, vectors, slots FROM part \
     WHERE kind = ?1 AND namespace = ?2 AND owner = ?3 AND readers = ?4";
/// Finds the partitions of a namespace and owner, each with its access list.
pub(crate) const OF_OWNER: &str = "SELECT id, memories, documents, length, vectors, slots, readers FROM part \
     WHERE kind = ?1 AND namespace = ?2 AND owner = ?3";

/// Finds a partition.
pub(crate) fn find(
    database: &Connection,
    kind: Kind,
    namespace: &str,
    owner: &str,
    readers: &str,
) -> Fallible<Option<Part>> {
    database
        .prepare_cached(FIND)?
        .query_row([kind.as_str(), namespace, owner, readers], Part::read)
        .optional()?
        .map(Part::from_columns)
        .transpose()
}

/// Finds a partition, or makes it.
pub(crate) fn find_or_make(
    database: &Connection,
    kind: Kind,
    namespace: &str,
    owner: &str,
    readers: &str,
) -> Fallible<Part> {
    if let Some(part) = find(database, kind, namespace, owner, readers)? {
        return Ok(part);
    }
    database
        .prepare_cached(
            "INSERT INTO part (kind, namespace, owner, readers) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute([kind.as_str(), namespace, owner, readers])?;
    Ok(Part {
        id: database.last_insert_rowid(),
        ..Part::default()
    })
}

/// Reads a partition by its id.
pub(crate) fn by_id(database: &Connection, id: i64) -> Fallible<Part> {
    let columns = database
        .prepare_cached(
            "SELECT id, memories, documents, length, vectors, slots FROM part WHERE id = ?1",
        )?
        .query_row([id], Part::read)?;
    Part::from_columns(columns)
}

/// Writes a partition's counts.
pub(crate) fn update(database: &Connection, part: &Part) -> Fallible<()> {
    database
        .prepare_cached(
            "UPDATE part SET memories = ?2, documents = ?3, length = ?4, vectors = ?5, slots = ?6 \
             WHERE id = ?1",
        )?
        .execute(params![
            part.id,
            int(part.memories),
            int(part.documents),
            int(part.length),
            int(part.vectors),
            int(part.slots)
        ])?;
    Ok(())
}

/// Deletes a partition that nothing is left of.
pub(crate) fn delete(database: &Connection, id: i64) -> Fallible<()> {
    database
        .prepare_cached("DELETE FROM part WHERE id = ?1")?
        .execute([id])?;
    Ok(())
}

/// Returns the partitions of a kind that a reader sees.
pub(crate) fn visible(database: &Connection, kind: Kind, scope: &Scope) -> Fallible<Vec<Part>> {
    let mut parts = Vec::new();
    for namespace in scope.namespace.visible() {
        for owner in ["", scope.agent.as_str()] {
            let mut statement = database.prepare_cached(OF_OWNER)?;
            let mut rows = statement.query([kind.as_str(), namespace, owner])?;
            while let Some(row) = rows.next()? {
                if is_listed(scope, text_of(row, 6)?) {
                    parts.push(Part::from_columns(Part::read(row)?)?);
                }
            }
        }
    }
    Ok(parts)
}

/// Tells whether an access list, as it is stored, admits a reader.
pub(crate) fn is_listed(scope: &Scope, readers: &str) -> bool {
    let named = |reader: &str| scope.names.iter().any(|name| name.as_str() == reader);
    readers.is_empty() || readers.lines().any(named)
}

/// Returns every partition of a kind.
pub(crate) fn all(database: &Connection, kind: Kind) -> Fallible<Vec<Part>> {
    let mut statement = database.prepare_cached(
        "SELECT id, memories, documents, length, vectors, slots FROM part WHERE kind = ?1",
    )?;
    let rows = statement.query_map([kind.as_str()], Part::read)?;
    rows.map(|row| Part::from_columns(row?)).collect()
}
