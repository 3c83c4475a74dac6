//! Removing the erased from the file, and sealing the second stage of each erasure that waits.
//!
//! The order matters: statistics may hold values of erased rows, VACUUM rewrites every page, since
//! even with `secure_delete` page gaps keep copies, and only a truncating checkpoint that reports
//! (0, 0, 0) leaves no old page in the write-ahead log. See
//! <https://www.sqlite.org/pragma.html#pragma_wal_checkpoint> and
//! <https://www.sqlite.org/lang_vacuum.html>.

use std::time::Instant;

use precedent_core::audit::{Fact, Residue, Sanitised};
use precedent_core::{
    AuditSink, CertificateId, Maintain, MaintainReport, MaintainStep, MemoryId, Sealed, Timestamp,
};
use rusqlite::{Connection, params};

use super::{ids, seal_facts};
use crate::codec;
use crate::commit::seal;
use crate::error::{Failure, Fallible, file_error};
use crate::readers;
use crate::store::Shared;
use crate::writer::in_transaction;

/// The procedure, as certificates name it.
const PROCEDURE: &str = "sqlite/v1";
/// The check: no free pages, nothing in the log. What was erased is not known any more.
const METHOD: &str = "structure/v1";

/// An erasure whose second stage is due.
struct Pending {
    certificate: CertificateId,
    envelope: Vec<u8>,
    namespace: String,
    memory: Option<MemoryId>,
}

/// Cleans the file; where others are in the way, the task stays pending and nothing is sealed.
pub(super) fn run(
    database: &Connection,
    shared: &Shared,
    request: &Maintain,
    sink: &dyn AuditSink,
) -> Fallible<MaintainReport> {
    let began = Instant::now();
    // Erasures that come later than this are not covered by the steps below.
    let due = pending(database)?;
    let mut steps = Vec::new();
    for (name, run) in [
        (
            "stat_tables",
            clear_statistics as fn(&Connection) -> Fallible<bool>,
        ),
        ("vacuum", vacuum),
        ("wal_checkpoint_truncate", truncate_log),
    ] {
        let ok = unless_busy(run(database))?;
        steps.push(MaintainStep { name, ok });
        if !ok {
            return report(database, steps, Vec::new(), true);
        }
    }
    let residue = residue(database, shared)?;
    if residue.hits > 0 {
        return report(database, steps, Vec::new(), true);
    }
    let mut cleaned = Sanitised {
        certificate: request.certificate,
        previous: Vec::new(),
        procedure: PROCEDURE,
        steps: steps.iter().map(|step| (step.name, step.ok)).collect(),
        started_at: request.header.at,
        finished_at: request.header.at,
        residue,
    };
    cleaned.finished_at = later(request.header.at, began)?;
    let sealed = in_transaction(database, shared, || {
        certify(database, shared, request, sink, &due, &cleaned)
    })?;
    let certificates = sealed.as_ref().map(ids).unwrap_or_default();
    report(database, steps, certificates, false)
}

fn report(
    database: &Connection,
    steps: Vec<MaintainStep>,
    certificates: Vec<CertificateId>,
    pending: bool,
) -> Fallible<MaintainReport> {
    Ok(MaintainReport {
        steps,
        certificates,
        pending,
        head: seal::head(database)?,
    })
}

fn unless_busy(done: Fallible<bool>) -> Fallible<bool> {
    match done {
        Err(failure) if failure.is_busy() => Ok(false),
        done => done,
    }
}

fn later(at: Timestamp, since: Instant) -> Fallible<Timestamp> {
    let elapsed = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(at.as_millis().saturating_add(elapsed))
        .map_err(|_| Failure::refuse(precedent_core::StoreErrorKind::InvalidInput, "purging"))
}

fn clear_statistics(database: &Connection) -> Fallible<bool> {
    let tables: Vec<String> = database
        .prepare("SELECT name FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for table in tables {
        database.execute_batch(match table.as_str() {
            "sqlite_stat1" => "DELETE FROM sqlite_stat1",
            _ => "DELETE FROM sqlite_stat4",
        })?;
    }
    Ok(true)
}

fn vacuum(database: &Connection) -> Fallible<bool> {
    database.execute_batch("VACUUM")?;
    Ok(true)
}

fn truncate_log(database: &Connection) -> Fallible<bool> {
    let done: (i64, i64, i64) =
        database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    Ok(done == (0, 0, 0))
}

/// Looks at what could hold erased bytes: free pages and the write-ahead log.
fn residue(database: &Connection, shared: &Shared) -> Fallible<Residue> {
    let free: u32 = database.query_row("PRAGMA freelist_count", [], |row| row.get(0))?;
    let page: u32 = database.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let (files, wal_bytes) = match std::fs::metadata(readers::log_path(&shared.config)) {
        Ok(file) => (2, file.len()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => (1, 0),
        Err(error) => return Err(file_error(error, "purging").into()),
    };
    Ok(Residue {
        method: METHOD,
        files_scanned: files,
        hits: u64::from(free) + wal_bytes.div_ceil(u64::from(page.max(1))),
        freelist_bytes: u64::from(free) * u64::from(page),
        wal_bytes,
    })
}

fn pending(database: &Connection) -> Fallible<Vec<Pending>> {
    let mut statement = database.prepare_cached(
        "SELECT certificate.id, envelope, namespace, memory FROM certificate \
         JOIN audit_log USING (seq) WHERE sanitised = 0 ORDER BY certificate.seq",
    )?;
    let mut rows = statement.query([])?;
    let mut due = Vec::new();
    while let Some(row) = rows.next()? {
        due.push(Pending {
            certificate: CertificateId::from_bytes(row.get(0)?),
            envelope: row.get(1)?,
            namespace: codec::text_of(row, 2)?.to_owned(),
            memory: row.get::<_, Option<[u8; 16]>>(3)?.map(MemoryId::from_bytes),
        });
    }
    Ok(due)
}

/// Seals one second stage for each erasure that is still due; another process may have been here.
fn certify(
    database: &Connection,
    shared: &Shared,
    request: &Maintain,
    sink: &dyn AuditSink,
    due: &[Pending],
    cleaned: &Sanitised,
) -> Fallible<Option<Sealed>> {
    let mut facts = Vec::new();
    let mut covered = Vec::new();
    let still_due = pending(database)?;
    for erasure in due {
        if !still_due
            .iter()
            .any(|it| it.certificate == erasure.certificate)
        {
            continue;
        }
        let certificate = request.certificate.offset(facts.len() as u64);
        covered.push((erasure.certificate, certificate));
        facts.push({
            let sanitised = Sanitised {
                certificate,
                previous: erasure.envelope.clone(),
                ..cleaned.clone()
            };
            Fact::sanitised(
                &shared.namespace(&erasure.namespace)?,
                erasure.memory,
                sanitised,
            )
        });
    }
    if facts.is_empty() {
        return Ok(None);
    }
    let sealed = seal_facts(database, shared, &request.header, &facts, sink)?;
    for (first, second) in covered {
        database
            .prepare_cached("UPDATE certificate SET sanitised = 1 WHERE id = ?1")?
            .execute([first.as_bytes()])?;
        database
            .prepare_cached("UPDATE certificate SET first = ?1 WHERE id = ?2")?
            .execute(params![first.as_bytes(), second.as_bytes()])?;
    }
    Ok(Some(sealed))
}
