//! What a store says of itself: counts, and indexes compared with the records entry by entry.

use precedent_core::{Kind, KindCounts, Lane, RecallCode, RecallError, StoreStatus, analyze};
use rusqlite::Connection;

use crate::commit::seal;
use crate::error::{Failure, Fallible};
use crate::lanes::parts::{self, Part};
use crate::lanes::postings::POSTING_BYTES;
use crate::lanes::{chunks, index, staged, tables};
use crate::schema;
use crate::store::Shared;

/// Counts records and compares every index with them.
pub(crate) fn status(database: &Connection, shared: &Shared) -> Fallible<StoreStatus> {
    let mut kinds = Vec::new();
    let mut faults = Vec::new();
    for &kind in Kind::ALL {
        let (counts, parts) = counts(database, kind)?;
        kinds.push(counts);
        for (lane, check) in [
            (Lane::Lexical, check_lexical(database, kind, &parts)),
            (Lane::Vector, check_vector(database, kind, &parts)),
        ] {
            if let Err(code) = check {
                faults.push(RecallError::new(kind, lane, code));
            }
        }
    }
    let stored = schema::space(database)?;
    Ok(StoreStatus {
        backend: shared.backend_block(),
        kinds,
        events: count(database, "SELECT count(*) FROM event")?,
        rules: count(database, "SELECT count(*) FROM rule")?,
        entities: count(database, "SELECT count(*) FROM entity")?,
        contradictions: count(
            database,
            "SELECT count(*) FROM contradiction WHERE verdict IS NULL",
        )?,
        tombstones: count(database, "SELECT count(*) FROM tombstone")?,
        pending_sanitisation: count(
            database,
            "SELECT count(*) FROM certificate WHERE sanitised = 0",
        )?,
        head: seal::head(database)?,
        space: stored.or_else(|| shared.config.space.clone()),
        faults,
    })
}

fn count(database: &Connection, sql: &str) -> Fallible<u64> {
    let number: i64 = database.query_row(sql, [], |row| row.get(0))?;
    u64::try_from(number).map_err(|_| Failure::Unreadable)
}

/// A partition with what the records themselves say of it.
struct Counted {
    part: Part,
    postings: u64,
    agrees: bool,
}

fn counts(database: &Connection, kind: Kind) -> Fallible<(KindCounts, Vec<Counted>)> {
    let mut counts = KindCounts {
        kind,
        memories: 0,
        vectors: 0,
        chunks: 0,
    };
    let mut counted = Vec::new();
    for part in parts::all(database, kind)? {
        let (memories, documents, length, postings, vectors): (u32, u32, i64, i64, u32) = database
            .prepare_cached(
                "SELECT count(*), ifnull(sum(documents), 0), ifnull(sum(length), 0), \
                 ifnull(sum(postings), 0), count(embedding.seq) \
                 FROM memory LEFT JOIN embedding USING (seq) WHERE part = ?1",
            )?
            .query_row([part.id], |row| {
                Ok((
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                ))
            })?;
        let (memories, documents) = (u64::from(memories), u64::from(documents));
        let vectors = u64::from(vectors);
        counts.memories += memories;
        counts.vectors += vectors;
        counts.chunks += documents;
        let agrees = (memories, documents, vectors)
            == (part.memories, part.documents, part.vectors)
            && length.unsigned_abs() == part.length;
        counted.push(Counted {
            part,
            postings: postings.unsigned_abs(),
            agrees,
        });
    }
    Ok((counts, counted))
}

fn check_lexical(database: &Connection, kind: Kind, parts: &[Counted]) -> Result<(), RecallCode> {
    let analyzer = schema::meta(database, schema::ANALYZER).map_err(Failure::into_code)?;
    let current = analyzer.is_some_and(|version| version == analyze::VERSION.to_string());
    let mut staged = staged::count(database, kind).map_err(Failure::into_code)?;
    for counted in parts.iter().filter(|counted| counted.part.documents > 0) {
        let part = &counted.part;
        let (documents, postings) = staged.remove(&part.id).unwrap_or_default();
        let folded = part.documents.saturating_sub(documents);
        let whole = index::is_whole(database, kind, part.id, folded).map_err(Failure::into_code)?
            && documents <= part.documents;
        let held = count_postings(database, kind, part.id).map_err(Failure::into_code)?;
        if !(current && whole && counted.agrees && held + postings == counted.postings) {
            return Err(RecallCode::Stale);
        }
    }
    Ok(())
}

fn count_postings(database: &Connection, kind: Kind, part: i64) -> Fallible<u64> {
    let tables = tables::of(kind);
    let mut total = 0;
    for term in index::terms(database, tables, part)? {
        total += (index::read(database, tables, term)?.len() / POSTING_BYTES) as u64;
    }
    Ok(total)
}

fn check_vector(database: &Connection, kind: Kind, parts: &[Counted]) -> Result<(), RecallCode> {
    for counted in parts.iter().filter(|counted| counted.part.vectors > 0) {
        let live = count_live(database, kind, &counted.part).map_err(Failure::into_code)?;
        if !(counted.agrees && live == counted.part.vectors) {
            return Err(RecallCode::Stale);
        }
    }
    Ok(())
}

fn count_live(database: &Connection, kind: Kind, part: &Part) -> Fallible<u64> {
    let (first, last) = chunks::keys_of(part.id, part.slots);
    let mut statement = database.prepare_cached(tables::of(kind).chunks)?;
    let mut rows = statement.query([first, last])?;
    let mut live = 0;
    while let Some(row) = rows.next()? {
        live += chunks::live(row.get_ref(1)?.as_blob().map_err(|_| Failure::Unreadable)?);
    }
    Ok(live)
}
