//! The lexical index as it is stored: blocks of fixed-width postings, a few hundred to a row.
//!
//! A posting is 10 bytes, little-endian: memory (u32), chunk of its text (u16), occurrences of the
//! term (u16), length of the chunk (u16). A term's blocks are keyed by its id and their number and
//! are in the order of (memory, chunk), since a new memory has the highest number.

use std::collections::BTreeMap;

use precedent_core::analyze::Chunk;
use precedent_core::{Kind, StoreErrorKind};
use rusqlite::{Connection, OptionalExtension, params};

use super::tables::{self, Tables};
use crate::codec::int;
use crate::error::{Failure, Fallible};

/// Bytes of a posting.
pub(crate) const POSTING_BYTES: usize = 10;
/// Postings of a full block: three such blocks fill a page.
pub(crate) const BLOCK: usize = 256;
/// Bits of a key that number a term's blocks.
const NUMBER_BITS: u32 = 20;
/// The term that stands for every chunk of a partition, so that the loss of the index shows.
pub(crate) const EVERY: &str = "";

/// One occurrence of a term in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting {
    /// The memory.
    pub(crate) seq: u32,
    /// Which chunk of its text.
    pub(crate) chunk: u16,
    /// How often the term occurs in the chunk.
    pub(crate) frequency: u16,
    /// How many terms the chunk has.
    pub(crate) length: u16,
}

impl Posting {
    /// Appends the posting to a block.
    pub(crate) fn write(self, block: &mut Vec<u8>) {
        block.extend_from_slice(&self.seq.to_le_bytes());
        block.extend_from_slice(&self.chunk.to_le_bytes());
        block.extend_from_slice(&self.frequency.to_le_bytes());
        block.extend_from_slice(&self.length.to_le_bytes());
    }

    /// Reads a posting.
    pub(crate) const fn read(bytes: &[u8; POSTING_BYTES]) -> Self {
        let [s0, s1, s2, s3, c0, c1, f0, f1, l0, l1] = *bytes;
        Self {
            seq: u32::from_le_bytes([s0, s1, s2, s3]),
            chunk: u16::from_le_bytes([c0, c1]),
            frequency: u16::from_le_bytes([f0, f1]),
            length: u16::from_le_bytes([l0, l1]),
        }
    }
}

/// Splits a block into postings; a rest means that the block is damaged.
pub(crate) fn decode(block: &[u8]) -> Fallible<&[[u8; POSTING_BYTES]]> {
    match block.as_chunks::<POSTING_BYTES>() {
        (postings, []) => Ok(postings),
        _ => Err(Failure::Unreadable),
    }
}

/// Returns the first and the last key that a term's blocks can have.
pub(crate) const fn keys_of(term: i64) -> (i64, i64) {
    let first = term << NUMBER_BITS;
    (first, first + (1 << NUMBER_BITS) - 1)
}

/// What a document adds to the index, term by term.
pub(crate) struct Document {
    /// Postings by term.
    terms: BTreeMap<String, Vec<Posting>>,
    /// Chunks.
    pub(crate) documents: u64,
    /// The sum of their lengths.
    pub(crate) length: u64,
    /// Postings.
    pub(crate) postings: u64,
}

impl Document {
    /// Turns an analysed text into postings of the memory `seq`.
    pub(crate) fn new(seq: u32, chunks: Vec<Chunk>) -> Fallible<Self> {
        let too_long = || {
            Failure::Store(
                precedent_core::StoreError::new(StoreErrorKind::InvalidInput, "indexing a text")
                    .advise("split the text into several memories"),
            )
        };
        let mut document = Self {
            terms: BTreeMap::new(),
            documents: chunks.len() as u64,
            length: chunks.iter().map(|chunk| u64::from(chunk.length)).sum(),
            postings: chunks.iter().map(|chunk| chunk.terms.len() as u64).sum(),
        };
        for (number, chunk) in chunks.into_iter().enumerate() {
            let number = u16::try_from(number).map_err(|_| too_long())?;
            let length = u16::try_from(chunk.length).map_err(|_| too_long())?;
            for (term, frequency) in chunk.terms {
                document.terms.entry(term).or_default().push(Posting {
                    seq,
                    chunk: number,
                    frequency: u16::try_from(frequency).map_err(|_| too_long())?,
                    length,
                });
            }
        }
        Ok(document)
    }

    /// Returns the terms with their postings.
    pub(crate) fn into_terms(self) -> BTreeMap<String, Vec<Posting>> {
        self.terms
    }
}

/// Adds a document to a partition's index.
pub(crate) fn add(
    database: &Connection,
    kind: Kind,
    part: i64,
    document: &Document,
) -> Fallible<()> {
    let tables = tables::of(kind);
    for (term, postings) in &document.terms {
        let term = count_term(database, tables, part, term, postings.len() as u64)?;
        append(database, tables, term, postings)?;
    }
    count_every(database, tables, part, document.documents)
}

fn count_term(
    database: &Connection,
    tables: &Tables,
    part: i64,
    term: &str,
    chunks: u64,
) -> Fallible<i64> {
    Ok(database
        .prepare_cached(tables.count_term)?
        .query_row(params![part, term, int(chunks)], |row| row.get(0))?)
}

/// Counts a document under the term that stands for all, and marks the table of blocks too.
fn count_every(database: &Connection, tables: &Tables, part: i64, chunks: u64) -> Fallible<()> {
    let every = count_term(database, tables, part, EVERY, chunks)?;
    let held: Option<i64> = database
        .prepare_cached(tables.find_term)?
        .query_row(params![part, EVERY], |row| row.get(1))
        .optional()?;
    database
        .prepare_cached(tables.put_block)?
        .execute(params![keys_of(every).0, held.unwrap_or(0).to_le_bytes()])?;
    Ok(())
}

/// Tells whether a partition's index holds as many documents as its records say.
pub(crate) fn is_whole(
    database: &Connection,
    kind: Kind,
    part: i64,
    documents: u64,
) -> Fallible<bool> {
    let tables = tables::of(kind);
    let Some((every, counted)) = find(database, tables, part, EVERY)? else {
        return Ok(false);
    };
    let mark: Option<Vec<u8>> = database
        .prepare_cached(tables.last_block)?
        .query_row([keys_of(every).0, keys_of(every).1], |row| row.get(1))
        .optional()?;
    Ok(counted == documents && mark.as_deref() == Some(&int(documents).to_le_bytes()))
}

/// Finds a term: its id and in how many chunks it occurs.
pub(crate) fn find(
    database: &Connection,
    tables: &Tables,
    part: i64,
    term: &str,
) -> Fallible<Option<(i64, u64)>> {
    let found: Option<(i64, i64)> = database
        .prepare_cached(tables.find_term)?
        .query_row(params![part, term], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    found
        .map(|(id, count)| match u64::try_from(count) {
            Ok(count) => Ok((id, count)),
            Err(_) => Err(Failure::Unreadable),
        })
        .transpose()
}

fn append(
    database: &Connection,
    tables: &Tables,
    term: i64,
    mut postings: &[Posting],
) -> Fallible<()> {
    let (first, last) = keys_of(term);
    let held: Option<(i64, Vec<u8>)> = database
        .prepare_cached(tables.last_block)?
        .query_row([first, last], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (mut key, mut block) = held.unwrap_or((first, Vec::new()));
    while !postings.is_empty() {
        let room = BLOCK.saturating_sub(block.len() / POSTING_BYTES);
        let (now, later) = postings.split_at(room.min(postings.len()));
        if room == 0 {
            key += 1;
            block.clear();
            if key > last {
                return Err(Failure::refuse(StoreErrorKind::Full, "indexing a text"));
            }
            continue;
        }
        now.iter().for_each(|posting| posting.write(&mut block));
        database
            .prepare_cached(tables.put_block)?
            .execute(params![key, block])?;
        postings = later;
    }
    Ok(())
}

/// Writes a new term with all its postings, for rebuilding an index.
pub(crate) fn write_term(
    database: &Connection,
    kind: Kind,
    part: i64,
    term: &str,
    postings: &[Posting],
) -> Fallible<()> {
    let tables = tables::of(kind);
    let term = count_term(database, tables, part, term, postings.len() as u64)?;
    append(database, tables, term, postings)
}

/// Writes the mark of a partition whose index was rebuilt.
pub(crate) fn write_mark(
    database: &Connection,
    kind: Kind,
    part: i64,
    documents: u64,
) -> Fallible<()> {
    count_every(database, tables::of(kind), part, documents)
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

/// Takes a memory out of its partition's index.
///
/// Should the text be read differently today than when it was indexed, the whole partition is
/// searched, so that nothing of it stays.
pub(crate) fn remove(database: &Connection, kind: Kind, removal: &Removal) -> Fallible<()> {
    let tables = tables::of(kind);
    let mut removed = 0;
    for term in &removal.terms {
        if let Some((id, count)) = find(database, tables, removal.part, term)? {
            removed += remove_from_term(database, tables, id, count, removal.seq)?;
        }
    }
    if removed != removal.postings {
        for (id, count) in terms(database, tables, removal.part)? {
            remove_from_term(database, tables, id, count, removal.seq)?;
        }
    }
    lower_every(database, tables, removal)
}

/// Lists a partition's terms: id, and in how many chunks each should occur.
pub(crate) fn terms(
    database: &Connection,
    tables: &Tables,
    part: i64,
) -> Fallible<Vec<(i64, u64)>> {
    let mut statement = database.prepare_cached(tables.terms_of_part)?;
    let mut rows = statement.query([part])?;
    let mut terms = Vec::new();
    while let Some(row) = rows.next()? {
        let count: i64 = row.get(1)?;
        if crate::codec::text_of(row, 2)? != EVERY {
            terms.push((row.get(0)?, count.unsigned_abs()));
        }
    }
    Ok(terms)
}

/// Counts a term's postings.
pub(crate) fn count(database: &Connection, tables: &Tables, term: i64) -> Fallible<u64> {
    let (first, last) = keys_of(term);
    let mut statement = database.prepare_cached(tables.blocks)?;
    let mut rows = statement.query([first, last])?;
    let mut held = 0;
    while let Some(row) = rows.next()? {
        let block = row.get_ref(1)?.as_blob().map_err(|_| Failure::Unreadable)?;
        held += decode(block)?.len() as u64;
    }
    Ok(held)
}

/// Rewrites the blocks of a term that hold the memory; returns how many postings went.
fn remove_from_term(
    database: &Connection,
    tables: &Tables,
    term: i64,
    count: u64,
    seq: u32,
) -> Fallible<u64> {
    let mut removed = 0;
    for (key, block) in blocks_with(database, tables, term, seq)? {
        let postings = decode(&block)?;
        let mut kept = Vec::with_capacity(block.len());
        for bytes in postings {
            let posting = Posting::read(bytes);
            if posting.seq == seq {
                removed += 1;
            } else {
                posting.write(&mut kept);
            }
        }
        if kept.is_empty() {
            database
                .prepare_cached(tables.delete_block)?
                .execute([key])?;
        } else {
            database
                .prepare_cached(tables.put_block)?
                .execute(params![key, kept])?;
        }
    }
    if removed >= count {
        database
            .prepare_cached(tables.delete_term)?
            .execute([term])?;
    } else if removed > 0 {
        database
            .prepare_cached(tables.lower_term)?
            .execute([term, int(removed)])?;
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
        if decode(block)?
            .iter()
            .any(|bytes| Posting::read(bytes).seq == seq)
        {
            found.push((row.get(0)?, block.to_vec()));
        }
    }
    Ok(found)
}

fn lower_every(database: &Connection, tables: &Tables, removal: &Removal) -> Fallible<()> {
    let Some((every, count)) = find(database, tables, removal.part, EVERY)? else {
        return Ok(());
    };
    let left = count.saturating_sub(removal.documents);
    let key = keys_of(every).0;
    if left == 0 {
        database
            .prepare_cached(tables.delete_term)?
            .execute([every])?;
        database
            .prepare_cached(tables.delete_block)?
            .execute([key])?;
    } else {
        database
            .prepare_cached(tables.lower_term)?
            .execute([every, int(removal.documents)])?;
        database
            .prepare_cached(tables.put_block)?
            .execute(params![key, int(left).to_le_bytes()])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_core::{StoreId, analyze};
    use proptest::prelude::*;

    fn posting(seq: u32) -> Posting {
        Posting {
            seq,
            chunk: 3,
            frequency: 258,
            length: 160,
        }
    }

    fn database() -> Connection {
        let mut database = Connection::open_in_memory().unwrap();
        assert!(crate::schema::migrate(&mut database, StoreId::from_bytes([0; 16]), None).is_ok());
        database
    }

    fn document(seq: u32, text: &str) -> Document {
        Document::new(seq, analyze::document(text)).ok().unwrap()
    }

    fn count(database: &Connection, sql: &str) -> i64 {
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_posting_is_ten_bytes_little_endian() {
        let mut block = Vec::new();
        posting(0x0102_0304).write(&mut block);
        assert_eq!(block, [4, 3, 2, 1, 3, 0, 2, 1, 160, 0]);
        assert!(decode(&block[..9]).is_err());
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
            let terms = "SELECT group_concat(term || df, ' ') FROM \
                 (SELECT term, df FROM term_episodic ORDER BY term)";
            let held: String = database.query_row(terms, [], |row| row.get(0)).unwrap();
            assert_eq!(held, "1 kettl1 kettle1 red1");
            assert!(is_whole(&database, Kind::Episodic, 1, 1).ok().unwrap());
        }
    }

    proptest! {
        #[test]
        fn postings_round_trip(seq: u32, chunk: u16, frequency: u16, length: u16) {
            let posting = Posting { seq, chunk, frequency, length };
            let mut block = Vec::new();
            posting.write(&mut block);
            let read: Vec<Posting> = decode(&block).ok().unwrap().iter().map(Posting::read).collect();
            prop_assert_eq!(read, vec![posting]);
        }
    }
}
