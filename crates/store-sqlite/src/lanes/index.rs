//! The folded part of the lexical index: adding postings, taking a memory's out, telling whether
//! all is there.
//!
//! How often a term occurs is the number of its postings and is stored nowhere else, so that a
//! fold touches one page for a term that is known.

use precedent_core::{Kind, StoreErrorKind};
use rusqlite::{Connection, OptionalExtension, params};

use super::postings::{BLOCK, POSTING_BYTES, Posting, decode, keys_of};
use super::tables::{self, Tables};
use crate::codec::text_of;
use crate::error::{Failure, Fallible};

/// The term that stands for every folded chunk of a partition, so that the loss of the index shows.
const EVERY: &str = "";

fn find_or_make(database: &Connection, tables: &Tables, part: i64, term: &str) -> Fallible<i64> {
    if let Some(term) = find(database, tables, part, term)? {
        return Ok(term);
    }
    database
        .prepare_cached(tables.make_term)?
        .execute(params![part, term])?;
    Ok(database.last_insert_rowid())
}

/// Counts further documents under the term that stands for all.
pub(crate) fn mark(database: &Connection, kind: Kind, part: i64, documents: u64) -> Fallible<()> {
    let tables = tables::of(kind);
    let every = find_or_make(database, tables, part, EVERY)?;
    let held = marked(database, tables, every)?.unwrap_or(0);
    put_mark(database, tables, every, held + documents)
}

fn put_mark(database: &Connection, tables: &Tables, every: i64, documents: u64) -> Fallible<()> {
    database
        .prepare_cached(tables.put_block)?
        .execute(params![keys_of(every).0, documents.to_le_bytes()])?;
    Ok(())
}

fn marked(database: &Connection, tables: &Tables, every: i64) -> Fallible<Option<u64>> {
    let mark: Option<[u8; 8]> = database
        .prepare_cached(tables.last_block)?
        .query_row([keys_of(every).0, keys_of(every).1], |row| row.get(1))
        .optional()?;
    Ok(mark.map(u64::from_le_bytes))
}

/// Tells whether a partition's blocks hold as many documents as were folded by its records.
pub(crate) fn is_whole(
    database: &Connection,
    kind: Kind,
    part: i64,
    folded: u64,
) -> Fallible<bool> {
    let tables = tables::of(kind);
    match find(database, tables, part, EVERY)? {
        Some(every) => Ok(marked(database, tables, every)? == Some(folded)),
        None => Ok(folded == 0),
    }
}

/// Finds a term.
pub(crate) fn find(
    database: &Connection,
    tables: &Tables,
    part: i64,
    term: &str,
) -> Fallible<Option<i64>> {
    Ok(database
        .prepare_cached(tables.find_term)?
        .query_row(params![part, term], |row| row.get(0))
        .optional()?)
}

/// Reads a term's postings, as bytes, in the order of memories.
pub(crate) fn read(database: &Connection, tables: &Tables, term: i64) -> Fallible<Vec<u8>> {
    let (first, last) = keys_of(term);
    let mut statement = database.prepare_cached(tables.blocks)?;
    let mut rows = statement.query([first, last])?;
    let mut postings = Vec::new();
    while let Some(row) = rows.next()? {
        let block = row.get_ref(1)?.as_blob().map_err(|_| Failure::Unreadable)?;
        decode(block)?;
        postings.extend_from_slice(block);
    }
    Ok(postings)
}

/// Adds postings to a term, after those that it has.
pub(crate) fn append(
    database: &Connection,
    kind: Kind,
    part: i64,
    term: &str,
    mut postings: &[Posting],
) -> Fallible<()> {
    let tables = tables::of(kind);
    let (first, last) = keys_of(find_or_make(database, tables, part, term)?);
    let held: Option<(i64, Vec<u8>)> = database
        .prepare_cached(tables.last_block)?
        .query_row([first, last], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (mut key, mut block) = held.unwrap_or((first, Vec::new()));
    while !postings.is_empty() {
        let room = BLOCK.saturating_sub(block.len() / POSTING_BYTES);
        if room == 0 {
            key += 1;
            block.clear();
            if key > last {
                return Err(Failure::refuse(StoreErrorKind::Full, "indexing a text"));
            }
            continue;
        }
        let (now, later) = postings.split_at(room.min(postings.len()));
        now.iter().for_each(|posting| posting.write(&mut block));
        database
            .prepare_cached(tables.put_block)?
            .execute(params![key, block])?;
        postings = later;
    }
    Ok(())
}

/// What is to be taken out of a partition's index.
pub(crate) struct Removal {
    /// The partition.
    pub(crate) part: i64,
    /// The memory.
    pub(crate) seq: u32,
    /// How many chunks it has.
    pub(crate) documents: u64,
    /// How many postings it has.
    pub(crate) postings: u64,
    /// The terms that its text has by today's reading.
    pub(crate) terms: Vec<String>,
}

/// Takes a folded memory out of its partition's index.
///
/// Should the text be read differently today than when it was indexed, the whole partition is
/// searched, so that nothing of it stays.
pub(crate) fn remove(database: &Connection, kind: Kind, removal: &Removal) -> Fallible<()> {
    let tables = tables::of(kind);
    let mut removed = 0;
    for term in &removal.terms {
        if let Some(id) = find(database, tables, removal.part, term)? {
            removed += remove_from_term(database, tables, id, removal.seq)?;
        }
    }
    if removed != removal.postings {
        for id in terms(database, tables, removal.part)? {
            remove_from_term(database, tables, id, removal.seq)?;
        }
    }
    unmark(database, tables, removal)
}

/// Lists a partition's terms.
pub(crate) fn terms(database: &Connection, tables: &Tables, part: i64) -> Fallible<Vec<i64>> {
    let mut statement = database.prepare_cached(tables.terms_of_part)?;
    let mut rows = statement.query([part])?;
    let mut terms = Vec::new();
    while let Some(row) = rows.next()? {
        if text_of(row, 1)? != EVERY {
            terms.push(row.get(0)?);
        }
    }
    Ok(terms)
}

/// Rewrites the blocks of a term that hold the memory, and deletes the term with its last block;
/// returns how many postings went.
fn remove_from_term(database: &Connection, tables: &Tables, term: i64, seq: u32) -> Fallible<u64> {
    let mut removed = 0;
    for (key, block) in blocks_with(database, tables, term, seq)? {
        let mut kept = Vec::with_capacity(block.len());
        for posting in decode(&block)?.iter().map(Posting::read) {
            if posting.seq == seq {
                removed += 1;
            } else {
                posting.write(&mut kept);
            }
        }
        let put = params![key, kept];
        if kept.is_empty() {
            database
                .prepare_cached(tables.delete_block)?
                .execute([key])?;
        } else {
            database.prepare_cached(tables.put_block)?.execute(put)?;
        }
    }
    let (first, last) = keys_of(term);
    let left: Option<i64> = database
        .prepare_cached(tables.last_block)?
        .query_row([first, last], |row| row.get(0))
        .optional()?;
    if left.is_none() {
        database
            .prepare_cached(tables.delete_term)?
            .execute([term])?;
    }
    Ok(removed)
}

fn blocks_with(
    database: &Connection,
    tables: &Tables,
    term: i64,
    seq: u32,
) -> Fallible<Vec<(i64, Vec<u8>)>> {
    let (first, last) = keys_of(term);
    let mut statement = database.prepare_cached(tables.blocks)?;
    let mut rows = statement.query([first, last])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let block = row.get_ref(1)?.as_blob().map_err(|_| Failure::Unreadable)?;
        let mut postings = decode(block)?.iter().map(Posting::read);
        if postings.any(|posting| posting.seq == seq) {
            found.push((row.get(0)?, block.to_vec()));
        }
    }
    Ok(found)
}

fn unmark(database: &Connection, tables: &Tables, removal: &Removal) -> Fallible<()> {
    let Some(every) = find(database, tables, removal.part, EVERY)? else {
        return Ok(());
    };
    let held = marked(database, tables, every)?.unwrap_or(0);
    let left = held.saturating_sub(removal.documents);
    if left > 0 {
        return put_mark(database, tables, every, left);
    }
    database
        .prepare_cached(tables.delete_term)?
        .execute([every])?;
    database
        .prepare_cached(tables.delete_block)?
        .execute([keys_of(every).0])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::postings::Document;
    use super::*;
    use precedent_core::{StoreId, analyze};

    fn database() -> Connection {
        let mut database = Connection::open_in_memory().unwrap();
        assert!(
            crate::schema::migrate(&mut database, StoreId::from_bytes([0; 16]), None, false)
                .is_ok()
        );
        database
    }

    fn document(seq: u32, text: &str) -> Document {
        Document::new(seq, analyze::document(text)).ok().unwrap()
    }

    fn add(database: &Connection, kind: Kind, part: i64, document: &Document) -> Fallible<()> {
        for (term, postings) in &document.terms {
            append(database, kind, part, term, postings)?;
        }
        mark(database, kind, part, document.documents)
    }

    fn count(database: &Connection, sql: &str) -> i64 {
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn postings_continue_in_further_blocks() {
        let database = database();
        for seq in 1..=600 {
            assert!(add(&database, Kind::Semantic, 1, &document(seq, "kettle")).is_ok());
        }
        // "kettle" and its stem have 600 postings each in blocks of 256: three and three, and
        // the partition's mark.
        assert_eq!(count(&database, "SELECT count(*) FROM posting_semantic"), 7);
        let bytes = count(&database, "SELECT sum(length(data)) FROM posting_semantic");
        assert_eq!(bytes, 2 * 600 * 10 + 8);
        assert!(is_whole(&database, Kind::Semantic, 1, 600).ok().unwrap());
        assert!(!is_whole(&database, Kind::Semantic, 1, 601).ok().unwrap());
    }

    #[test]
    fn removing_leaves_what_was_there_before() {
        let database = database();
        assert!(add(&database, Kind::Episodic, 1, &document(1, "red kettle")).is_ok());
        let second = document(2, "blue kettle boils kettles");
        let removal = Removal {
            part: 1,
            seq: 2,
            documents: second.documents,
            postings: second.postings,
            terms: second.terms.keys().cloned().collect(),
        };
        for terms in [removal.terms.clone(), Vec::new()] {
            assert!(add(&database, Kind::Episodic, 1, &second).is_ok());
            let removal = Removal { terms, ..removal };
            assert!(remove(&database, Kind::Episodic, &removal).is_ok());
            let terms = "SELECT group_concat(term, ' ') FROM \
                 (SELECT term FROM term_episodic ORDER BY term)";
            let held: String = database.query_row(terms, [], |row| row.get(0)).unwrap();
            assert_eq!(held, " =kettle kettl red");
            assert_eq!(
                count(&database, "SELECT sum(length(data)) FROM posting_episodic"),
                38
            );
            assert!(is_whole(&database, Kind::Episodic, 1, 1).ok().unwrap());
        }
    }
}
