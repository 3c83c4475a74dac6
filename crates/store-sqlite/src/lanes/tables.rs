//! The statements on each kind's own index tables, spelled out at compile time.

use precedent_core::Kind;

/// Statements on one kind's tables.
pub(crate) struct Tables {
    /// The kind's table of chunk rows, for incremental writes.
    pub(crate) vector: &'static str,
    /// Makes a term: part, term.
    pub(crate) make_term: &'static str,
    /// Finds a term: part, term; gives its id.
    pub(crate) find_term: &'static str,
    /// Lists the terms of a part.
    pub(crate) terms_of_part: &'static str,
    /// Deletes a term: id.
    pub(crate) delete_term: &'static str,
    /// Reads a term's blocks in order: first and last possible key.
    pub(crate) blocks: &'static str,
    /// Reads a term's last block: first and last possible key.
    pub(crate) last_block: &'static str,
    /// Writes a block: key, data.
    pub(crate) put_block: &'static str,
    /// Deletes a block: key.
    pub(crate) delete_block: &'static str,
    /// Stages a memory: seq, part, documents, data.
    pub(crate) stage: &'static str,
    /// Reads the staged memories in order: seq, part, documents, data.
    pub(crate) staged: &'static str,
    /// Counts the staged memories and their bytes.
    pub(crate) staged_size: &'static str,
    /// Deletes a staged memory: seq.
    pub(crate) unstage: &'static str,
    /// Deletes every staged memory.
    pub(crate) clear_staged: &'static str,
    /// Makes an empty chunk row: key, bytes.
    pub(crate) make_chunk: &'static str,
    /// Reads chunk rows in order: first and last key.
    pub(crate) chunks: &'static str,
    /// Deletes chunk rows: first and last key.
    pub(crate) delete_chunks: &'static str,
    /// Makes the tables anew.
    pub(crate) recreate: &'static str,
    /// Drops the lexical tables.
    #[cfg(feature = "testkit")]
    pub(crate) drop_lexical: &'static str,
    /// Drops the vector table.
    #[cfg(feature = "testkit")]
    pub(crate) drop_vector: &'static str,
    /// Empties the lexical tables.
    #[cfg(feature = "testkit")]
    pub(crate) empty_lexical: &'static str,
    /// Empties the vector table.
    #[cfg(feature = "testkit")]
    pub(crate) empty_vector: &'static str,
}

macro_rules! tables {
    ($kind:literal) => {
        Tables {
            vector: concat!("vector_", $kind),
            make_term: concat!("INSERT INTO term_", $kind, " (part, term) VALUES (?1, ?2)"),
            find_term: concat!(
                "SELECT id FROM term_",
                $kind,
                " WHERE part = ?1 AND term = ?2"
            ),
            terms_of_part: concat!("SELECT id, term FROM term_", $kind, " WHERE part = ?1"),
            delete_term: concat!("DELETE FROM term_", $kind, " WHERE id = ?1"),
            blocks: concat!(
                "SELECT key, data FROM posting_",
                $kind,
                " WHERE key BETWEEN ?1 AND ?2 ORDER BY key"
            ),
            last_block: concat!(
                "SELECT key, data FROM posting_",
                $kind,
                " WHERE key BETWEEN ?1 AND ?2 ORDER BY key DESC LIMIT 1"
            ),
            put_block: concat!(
                "INSERT INTO posting_",
                $kind,
                " (key, data) VALUES (?1, ?2) ",
                "ON CONFLICT (key) DO UPDATE SET data = excluded.data"
            ),
            delete_block: concat!("DELETE FROM posting_", $kind, " WHERE key = ?1"),
            stage: concat!(
                "INSERT OR REPLACE INTO staged_",
                $kind,
                " (seq, part, documents, data) VALUES (?1, ?2, ?3, ?4)"
            ),
            staged: concat!(
                "SELECT seq, part, documents, data FROM staged_",
                $kind,
                " ORDER BY seq"
            ),
            staged_size: concat!(
                "SELECT count(*), ifnull(sum(length(data)), 0) FROM staged_",
                $kind
            ),
            unstage: concat!("DELETE FROM staged_", $kind, " WHERE seq = ?1"),
            clear_staged: concat!("DELETE FROM staged_", $kind),
            make_chunk: concat!(
                "INSERT INTO vector_",
                $kind,
                " (key, data) VALUES (?1, zeroblob(?2))"
            ),
            chunks: concat!(
                "SELECT key, data FROM vector_",
                $kind,
                " WHERE key BETWEEN ?1 AND ?2 ORDER BY key"
            ),
            delete_chunks: concat!("DELETE FROM vector_", $kind, " WHERE key BETWEEN ?1 AND ?2"),
            recreate: concat!(
                "DROP TABLE IF EXISTS term_",
                $kind,
                "; DROP TABLE IF EXISTS posting_",
                $kind,
                "; DROP TABLE IF EXISTS staged_",
                $kind,
                "; DROP TABLE IF EXISTS vector_",
                $kind,
                "; CREATE TABLE term_",
                $kind,
                " (id INTEGER PRIMARY KEY, part INTEGER NOT NULL, term TEXT NOT NULL, ",
                "UNIQUE (part, term)) STRICT; CREATE TABLE posting_",
                $kind,
                " (key INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT; CREATE TABLE staged_",
                $kind,
                " (seq INTEGER PRIMARY KEY, part INTEGER NOT NULL, documents INTEGER NOT NULL, ",
                "data BLOB NOT NULL) STRICT; CREATE TABLE vector_",
                $kind,
                " (key INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;"
            ),
            #[cfg(feature = "testkit")]
            drop_lexical: concat!(
                "DROP TABLE term_",
                $kind,
                "; DROP TABLE posting_",
                $kind,
                "; DROP TABLE staged_",
                $kind
            ),
            #[cfg(feature = "testkit")]
            drop_vector: concat!("DROP TABLE vector_", $kind),
            #[cfg(feature = "testkit")]
            empty_lexical: concat!(
                "DELETE FROM term_",
                $kind,
                "; DELETE FROM posting_",
                $kind,
                "; DELETE FROM staged_",
                $kind
            ),
            #[cfg(feature = "testkit")]
            empty_vector: concat!("DELETE FROM vector_", $kind),
        }
    };
}

static EPISODIC: Tables = tables!("episodic");
static SEMANTIC: Tables = tables!("semantic");
static PROCEDURAL: Tables = tables!("procedural");

/// Returns the statements on a kind's tables.
pub(crate) const fn of(kind: Kind) -> &'static Tables {
    match kind {
        Kind::Episodic => &EPISODIC,
        Kind::Semantic => &SEMANTIC,
        Kind::Procedural => &PROCEDURAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_core::StoreId;

    #[test]
    fn tables_made_anew_are_those_of_the_schema() {
        let mut database = rusqlite::Connection::open_in_memory().unwrap();
        let migrated =
            crate::schema::migrate(&mut database, StoreId::from_bytes([0; 16]), None, false);
        assert!(migrated.is_ok());
        let schema = |database: &rusqlite::Connection| -> Vec<String> {
            let mut rows = database
                .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql")
                .unwrap();
            rows.query_map([], |row| row.get(0))
                .unwrap()
                .map(Result::unwrap)
                .collect()
        };
        let before = schema(&database);
        for kind in Kind::ALL {
            assert_eq!(of(*kind).vector, format!("vector_{kind}"));
            database.execute_batch(of(*kind).recreate).unwrap();
        }
        assert_eq!(schema(&database), before);
    }
}
