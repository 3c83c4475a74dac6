//! Erasing memories: everything that was made of them goes, a tombstone without content stays.

use precedent_core::audit::{Erased, Fact};
use precedent_core::{Erasure, Memory, MemoryId, RuleId, StoreErrorKind, analyze, lexical_text};
use rusqlite::{OptionalExtension, params};

use super::replay::forget_requests;
use super::{Section, correct, names, refuse};
use crate::codec::Reader;
use crate::error::{Failure, Fallible};
use crate::lanes::index::{self, Removal};
use crate::lanes::{chunks, parts, staged};
use crate::points::fail_point;

/// What is known of a memory that is to be erased.
struct Doomed {
    memory: Memory,
    seq: u32,
    part: i64,
    documents: u64,
    length: u64,
    postings: u64,
}

/// Erases what a selector names within the requester's subtree.
pub(super) fn erase(section: &Section<'_>, erasure: Erasure) -> Fallible<Fact> {
    let mut doomed = Vec::new();
    let mut named = erasure.memories;
    named.sort_unstable();
    named.dedup();
    for id in named {
        let found = find(section, id)?;
        doomed.extend(found.filter(|it| erasure.within.contains(it.memory.namespace.as_str())));
    }
    if doomed.is_empty() {
        return Err(refuse(StoreErrorKind::NotFound));
    }
    let mut erased = Erased {
        certificate: erasure.certificate,
        memories: doomed.iter().map(|it| it.memory.id).collect(),
        derived: Vec::new(),
        vectors: 0,
        postings: 0,
        reason: erasure.reason,
    };
    for it in &doomed {
        erase_one(section, it, &mut erased)?;
    }
    erased.derived.sort_unstable();
    Ok(Fact::erased(&erasure.within, erased))
}

fn find(section: &Section<'_>, id: MemoryId) -> Fallible<Option<Doomed>> {
    let columns = crate::codec::MEMORY;
    let sql = format!(
        "SELECT {columns}, seq, part, documents, length, postings FROM memory WHERE id = ?1"
    );
    let mut statement = section.database.prepare_cached(&sql)?;
    let mut rows = statement.query([id.as_bytes()])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let count = |column: &str| -> Fallible<u64> {
        let number: i64 = row.get(column)?;
        u64::try_from(number).map_err(|_| Failure::Unreadable)
    };
    Ok(Some(Doomed {
        memory: Reader::new(row, &section.shared.config.redactor).memory()?,
        seq: row.get("seq")?,
        part: row.get("part")?,
        documents: count("documents")?,
        length: count("length")?,
        postings: count("postings")?,
    }))
}

fn erase_one(section: &Section<'_>, it: &Doomed, erased: &mut Erased) -> Fallible<()> {
    let database = section.database;
    let had_vector = erase_vector(section, it)?;
    fail_point!(section.shared);
    erase_postings(section, it)?;
    fail_point!(section.shared);
    erased.vectors += u64::from(had_vector);
    erased.postings += it.postings;
    erased.derived.extend(erase_rules(section, it.memory.id)?);
    fail_point!(section.shared);
    database
        .prepare_cached("DELETE FROM memory WHERE seq = ?1")?
        .execute([it.seq])?;
    fail_point!(section.shared);
    database
        .prepare_cached("DELETE FROM revision WHERE seq = ?1")?
        .execute([it.seq])?;
    fail_point!(section.shared);
    for clear in [
        "UPDATE memory SET supersedes = NULL WHERE supersedes = ?1",
        "UPDATE memory SET superseded_by = NULL WHERE superseded_by = ?1",
        "UPDATE revision SET superseded_by = NULL WHERE superseded_by = ?1",
        "DELETE FROM contradiction WHERE older = ?1",
        "DELETE FROM contradiction WHERE younger = ?1",
    ] {
        database
            .prepare_cached(clear)?
            .execute([it.memory.id.as_bytes()])?;
        fail_point!(section.shared);
    }
    correct::forget_source(section, &it.memory)?;
    fail_point!(section.shared);
    names::forget(section, &it.memory)?;
    fail_point!(section.shared);
    shrink_part(section, it, had_vector)?;
    fail_point!(section.shared);
    database
        .prepare_cached("INSERT INTO tombstone (memory, certificate) VALUES (?1, ?2)")?
        .execute(params![
            it.memory.id.as_bytes(),
            erased.certificate.as_bytes()
        ])?;
    fail_point!(section.shared);
    forget_requests(database, it.memory.id)?;
    fail_point!(section.shared);
    Ok(())
}

fn erase_vector(section: &Section<'_>, it: &Doomed) -> Fallible<bool> {
    let database = section.database;
    let held: Option<(i64, i64)> = database
        .prepare_cached("SELECT slot, length(v) / 4 FROM embedding WHERE seq = ?1")?
        .query_row([it.seq], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((slot, dimension)) = held else {
        return Ok(false);
    };
    let slot = u64::try_from(slot).map_err(|_| Failure::Unreadable)?;
    let dimension = usize::try_from(dimension).map_err(|_| Failure::Unreadable)?;
    unless_gone(chunks::erase(
        database,
        it.memory.kind,
        it.part,
        slot,
        dimension,
    ))?;
    fail_point!(section.shared);
    database
        .prepare_cached("DELETE FROM embedding WHERE seq = ?1")?
        .execute([it.seq])?;
    Ok(true)
}

fn erase_postings(section: &Section<'_>, it: &Doomed) -> Fallible<()> {
    let (database, kind) = (section.database, it.memory.kind);
    match staged::erase(database, kind, it.seq) {
        Ok(true) => return Ok(()),
        Ok(false) => {}
        Err(failure) => unless_gone(Err(failure))?,
    }
    let mut terms: Vec<String> = analyze::document(&lexical_text(&it.memory))
        .into_iter()
        .flat_map(|chunk| chunk.terms)
        .map(|(term, _)| term)
        .collect();
    terms.sort_unstable();
    terms.dedup();
    let removal = Removal {
        part: it.part,
        seq: it.seq,
        documents: it.documents,
        postings: it.postings,
        terms,
    };
    unless_gone(index::remove(database, kind, &removal))
}

/// An index that is not there holds nothing that would have to be erased.
fn unless_gone(done: Fallible<()>) -> Fallible<()> {
    match done {
        Err(failure) if failure.is_missing() => Ok(()),
        done => done,
    }
}

fn erase_rules(section: &Section<'_>, memory: MemoryId) -> Fallible<Vec<RuleId>> {
    let database = section.database;
    let mut statement = database.prepare_cached("SELECT id FROM rule WHERE memory = ?1")?;
    let rules: Vec<[u8; 16]> = statement
        .query_map([memory.as_bytes()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for rule in &rules {
        for delete in [
            "DELETE FROM rule_key WHERE rule = ?1",
            "DELETE FROM rule WHERE id = ?1",
        ] {
            database.prepare_cached(delete)?.execute([rule])?;
            fail_point!(section.shared);
        }
    }
    Ok(rules.into_iter().map(RuleId::from_bytes).collect())
}

fn shrink_part(section: &Section<'_>, it: &Doomed, had_vector: bool) -> Fallible<()> {
    let database = section.database;
    let mut part = parts::by_id(database, it.part)?;
    part.memories = part.memories.saturating_sub(1);
    part.documents = part.documents.saturating_sub(it.documents);
    part.length = part.length.saturating_sub(it.length);
    part.vectors = part.vectors.saturating_sub(u64::from(had_vector));
    if part.memories > 0 {
        return parts::update(database, &part);
    }
    unless_gone(chunks::delete(database, it.memory.kind, part.id))?;
    fail_point!(section.shared);
    parts::delete(database, part.id)
}
