//! The staging area of the lexical index: the postings of the newest memories, one row a memory.
//!
//! A memory has some thirty terms, each in a block, hence mostly on a page, of its own. So its
//! postings are first written as one row, which recall reads beside the blocks, and are folded
//! into the blocks with those of many others, where each term that they share is written once.
//!
//! A row's data is one record a term, in the byte order of terms: the term's length (u8), the
//! term, how many postings it has (u16, little-endian), the postings as blocks hold them.

use std::collections::BTreeMap;

use precedent_core::{Kind, StoreErrorKind};
use rusqlite::{Connection, params};

use super::postings::{Document, POSTING_BYTES, Posting, decode};
use super::{index, tables};
use crate::codec::int;
use crate::error::{Failure, Fallible};

/// Bytes that a kind's staged rows may have together: a recall decodes them all.
const BYTES: i64 = 128 << 10;

/// What is staged of a partition for a query.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Staged {
    /// Chunks of all its staged memories.
    pub(super) documents: u64,
    /// Postings, as bytes, by the term's place in the query.
    pub(super) postings: BTreeMap<usize, Vec<u8>>,
}

/// A staged memory.
struct Row<'a> {
    part: i64,
    documents: u64,
    data: &'a [u8],
}

/// Stages a memory's postings.
pub(crate) fn put(
    database: &Connection,
    kind: Kind,
    part: i64,
    seq: u32,
    document: &Document,
) -> Fallible<()> {
    let data = encode(document)?;
    database
        .prepare_cached(tables::of(kind).stage)?
        .execute(params![seq, part, int(document.documents), data])?;
    Ok(())
}

/// Deletes a memory's staged postings; tells whether there were any.
pub(crate) fn erase(database: &Connection, kind: Kind, seq: u32) -> Fallible<bool> {
    let deleted = database
        .prepare_cached(tables::of(kind).unstage)?
        .execute([seq])?;
    Ok(deleted > 0)
}

/// Tells whether a kind's staged memories have reached `limit`, or the most bytes.
pub(crate) fn is_full(database: &Connection, kind: Kind, limit: usize) -> Fallible<bool> {
    let (rows, bytes): (i64, i64) = database
        .prepare_cached(tables::of(kind).staged_size)?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows >= int(limit as u64) || bytes >= BYTES)
}

/// Adds a kind's staged postings to the terms' blocks; they are to be [cleared](clear) then.
pub(crate) fn fold(database: &Connection, kind: Kind) -> Fallible<()> {
    let mut parts: BTreeMap<i64, Folding> = BTreeMap::new();
    each(database, kind, |row| {
        let part = parts.entry(row.part).or_default();
        part.documents += row.documents;
        for record in Records(row.data) {
            let (term, postings) = record?;
            let term = std::str::from_utf8(term).map_err(|_| Failure::Unreadable)?;
            let postings = decode(postings)?.iter().map(Posting::read);
            match part.terms.get_mut(term) {
                Some(held) => held.extend(postings),
                None => drop(part.terms.insert(term.to_owned(), postings.collect())),
            }
        }
        Ok(())
    })?;
    for (part, folding) in &parts {
        for (term, postings) in &folding.terms {
            index::append(database, kind, *part, term, postings)?;
        }
        if folding.documents > 0 {
            index::mark(database, kind, *part, folding.documents)?;
        }
    }
    Ok(())
}

/// What is to be folded into a partition.
#[derive(Default)]
struct Folding {
    documents: u64,
    terms: BTreeMap<String, Vec<Posting>>,
}

/// Deletes all that a kind has staged.
pub(crate) fn clear(database: &Connection, kind: Kind) -> Fallible<()> {
    database
        .prepare_cached(tables::of(kind).clear_staged)?
        .execute([])?;
    Ok(())
}

/// Looks terms up in what is staged of some partitions.
pub(super) fn look_up(
    database: &Connection,
    kind: Kind,
    parts: impl Iterator<Item = i64>,
    terms: &[String],
) -> Fallible<BTreeMap<i64, Staged>> {
    let mut found: BTreeMap<i64, Staged> = parts.map(|id| (id, Staged::default())).collect();
    let mut wanted: Vec<(&[u8], usize)> = terms
        .iter()
        .enumerate()
        .map(|(place, term)| (term.as_bytes(), place))
        .collect();
    wanted.sort_unstable();
    each(database, kind, |row| {
        let Some(staged) = found.get_mut(&row.part) else {
            return Ok(());
        };
        staged.documents += row.documents;
        collect(row.data, &wanted, &mut staged.postings)
    })?;
    Ok(found)
}

/// Collects the postings of the wanted terms; both sides are in the byte order of terms, so it
/// ends with the last of either.
fn collect(
    data: &[u8],
    wanted: &[(&[u8], usize)],
    found: &mut BTreeMap<usize, Vec<u8>>,
) -> Fallible<()> {
    let (mut wanted, mut records) = (wanted, Records(data));
    while !wanted.is_empty()
        && let Some(record) = records.next()
    {
        let (term, postings) = record?;
        while let [(first, _), rest @ ..] = wanted
            && *first < term
        {
            wanted = rest;
        }
        for (_, place) in wanted.iter().take_while(|(wanted, _)| *wanted == term) {
            found.entry(*place).or_default().extend_from_slice(postings);
        }
    }
    Ok(())
}

/// Counts the documents and the postings that are staged, partition by partition.
pub(crate) fn count(database: &Connection, kind: Kind) -> Fallible<BTreeMap<i64, (u64, u64)>> {
    let mut counts: BTreeMap<i64, (u64, u64)> = BTreeMap::new();
    each(database, kind, |row| {
        let (documents, postings) = counts.entry(row.part).or_default();
        *documents += row.documents;
        for record in Records(row.data) {
            *postings += (record?.1.len() / POSTING_BYTES) as u64;
        }
        Ok(())
    })?;
    Ok(counts)
}

fn each(
    database: &Connection,
    kind: Kind,
    mut visit: impl FnMut(Row<'_>) -> Fallible<()>,
) -> Fallible<()> {
    let mut statement = database.prepare_cached(tables::of(kind).staged)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let documents: i64 = row.get(2)?;
        visit(Row {
            part: row.get(1)?,
            documents: u64::try_from(documents).map_err(|_| Failure::Unreadable)?,
            data: row.get_ref(3)?.as_blob().map_err(|_| Failure::Unreadable)?,
        })?;
    }
    Ok(())
}

fn encode(document: &Document) -> Fallible<Vec<u8>> {
    let too_long = || Failure::refuse(StoreErrorKind::InvalidInput, "indexing a text");
    let mut data = Vec::new();
    for (term, postings) in &document.terms {
        let length = u8::try_from(term.len()).map_err(|_| too_long())?;
        let count = u16::try_from(postings.len()).map_err(|_| too_long())?;
        data.push(length);
        data.extend_from_slice(term.as_bytes());
        data.extend_from_slice(&count.to_le_bytes());
        postings.iter().for_each(|posting| posting.write(&mut data));
    }
    Ok(data)
}

/// The records of a row: terms with their postings; one that is cut short ends them as an error.
struct Records<'a>(&'a [u8]);

impl<'a> Records<'a> {
    fn split(&self) -> Option<(&'a [u8], &'a [u8], &'a [u8])> {
        let (length, rest) = self.0.split_first()?;
        let (term, rest) = rest.split_at_checked(usize::from(*length))?;
        let (count, rest) = rest.split_first_chunk()?;
        let bytes = usize::from(u16::from_le_bytes(*count)) * POSTING_BYTES;
        let (postings, rest) = rest.split_at_checked(bytes)?;
        Some((term, postings, rest))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Fallible<(&'a [u8], &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let Some((term, postings, rest)) = self.split() else {
            self.0 = &[];
            return Some(Err(Failure::Unreadable));
        };
        self.0 = rest;
        Some(Ok((term, postings)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_core::analyze;
    use proptest::prelude::*;

    fn document(text: &str) -> Document {
        Document::new(7, analyze::document(text)).ok().unwrap()
    }

    fn by_term(data: &[u8]) -> Option<Vec<(String, Vec<Posting>)>> {
        Records(data)
            .map(|record| {
                let (term, postings) = record.ok()?;
                let postings = decode(postings).ok()?.iter().map(Posting::read).collect();
                Some((String::from_utf8(term.to_vec()).ok()?, postings))
            })
            .collect()
    }

    #[test]
    fn a_record_is_a_term_and_its_postings() {
        let data = encode(&document("ab ab")).ok().unwrap();
        assert_eq!(data, [2, b'a', b'b', 1, 0, 7, 0, 0, 0, 0, 0, 2, 0, 2, 0]);
        for cut in 1..data.len() {
            assert_eq!(by_term(&data[..cut]), None);
        }
        assert_eq!(by_term(&[]), Some(Vec::new()));
    }

    #[test]
    fn wanted_terms_are_found_in_any_order_and_as_often_as_they_are_asked_for() {
        let data = encode(&document("red kettle on a mat")).ok().unwrap();
        let terms = ["zoo", "mat", "", "kettl", "mat", "air"];
        let mut wanted: Vec<(&[u8], usize)> = terms
            .iter()
            .enumerate()
            .map(|(place, term)| (term.as_bytes(), place))
            .collect();
        wanted.sort_unstable();
        let mut found = BTreeMap::new();
        assert!(collect(&data, &wanted, &mut found).is_ok());
        let places: Vec<usize> = found.keys().copied().collect();
        assert_eq!(places, [1, 3, 4]);
        assert_eq!(found[&1], found[&4]);
        assert_eq!(found[&1].len(), POSTING_BYTES);
    }

    proptest! {
        #[test]
        fn documents_round_trip(text in "([a-z]{1,3} ){0,200}") {
            let document = document(&text);
            let expected: Vec<_> = document.terms.clone().into_iter().collect();
            prop_assert_eq!(by_term(&encode(&document).ok().unwrap()), Some(expected));
        }

        #[test]
        fn no_bytes_make_it_panic(data: Vec<u8>) {
            let mut found = BTreeMap::new();
            let wanted: [(&[u8], usize); 2] = [(b"a", 0), (b"b", 1)];
            drop(collect(&data, &wanted, &mut found));
        }
    }
}
