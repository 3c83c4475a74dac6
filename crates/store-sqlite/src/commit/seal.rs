//! Sealing facts at the true head and appending what the sink made.

use precedent_core::audit::{BackendBlock, Fact, Head, SealedCertificate, SealedEntry};
use precedent_core::{AuditSink, Header, SealRequest, Sealed, StoreErrorKind};
use rusqlite::{Connection, OptionalExtension, params};

use super::{Section, refuse};
use crate::codec::{Reader, int};
use crate::error::{Failure, Fallible};
use crate::points::fail_point;
use crate::schema;

/// Reads the end of the log.
pub(crate) fn head(database: &Connection) -> Fallible<Option<Head>> {
    let columns: Option<(i64, [u8; 32], i64)> = database
        .prepare_cached("SELECT size, hash, at FROM audit_head WHERE k = 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    columns.map(head_of).transpose()
}

fn head_of((size, hash, at): (i64, [u8; 32], i64)) -> Fallible<Head> {
    Ok(Head {
        size: u64::try_from(size).map_err(|_| Failure::Unreadable)?,
        hash: precedent_core::Digest::from_bytes(hash),
        at: precedent_core::Timestamp::from_millis(at).map_err(|_| Failure::Unreadable)?,
    })
}

/// Seals `facts` after `head` and appends the entries, checking all that a sink promises.
pub(crate) fn seal(
    section: &Section<'_>,
    header: &Header,
    facts: &[Fact],
    sink: &dyn AuditSink,
    head: Option<Head>,
) -> Fallible<Sealed> {
    check_keys(section.database, sink)?;
    fail_point!(section.shared);
    let backend = section.shared.backend_block();
    let sealed = call(sink, head.as_ref(), header, facts, &backend)?;
    let before = head.map_or(0, |head| head.size);
    if !sealed.follows(before, facts.len()) || sealed.recorded_at != section.at {
        return Err(refuse(StoreErrorKind::Seal));
    }
    for entry in &sealed.entries {
        append(section.database, entry)?;
        fail_point!(section.shared);
    }
    for certificate in &sealed.certificates {
        keep(section.database, certificate)?;
        fail_point!(section.shared);
    }
    section
        .database
        .prepare_cached(
            "INSERT OR REPLACE INTO audit_head (k, size, hash, at) VALUES (1, ?1, ?2, ?3)",
        )?
        .execute(params![
            int(sealed.head.size),
            sealed.head.hash.as_bytes(),
            sealed.head.at.as_millis()
        ])?;
    fail_point!(section.shared);
    Ok(sealed)
}

fn call(
    sink: &dyn AuditSink,
    head: Option<&Head>,
    header: &Header,
    facts: &[Fact],
    backend: &BackendBlock,
) -> Fallible<Sealed> {
    let request = SealRequest {
        head,
        header,
        facts,
        backend,
    };
    sink.seal(&request).map_err(|error| {
        let told = precedent_core::StoreError::new(StoreErrorKind::Seal, super::OPERATION);
        told.caused_by(&error).into()
    })
}

/// Binds the store to the sink's keys at its first commit, and refuses other keys ever after.
fn check_keys(database: &Connection, sink: &dyn AuditSink) -> Fallible<()> {
    let ours = serde_json::to_string(&sink.key_ids()).map_err(|_| Failure::Unreadable)?;
    match schema::meta(database, schema::KEY_IDS)? {
        None => schema::set_meta(database, schema::KEY_IDS, &ours),
        Some(stored) if stored == ours => Ok(()),
        Some(_) => Err(refuse(StoreErrorKind::KeyMismatch)),
    }
}

fn append(database: &Connection, entry: &SealedEntry) -> Fallible<()> {
    database
        .prepare_cached(
            "INSERT INTO audit_log (seq, entry, leaf, op, result, memory, namespace, actor, at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            int(entry.seq),
            entry.bytes,
            entry.leaf.as_bytes(),
            entry.op.as_str(),
            entry.result.as_str(),
            entry.memory.as_ref().map(|id| id.as_bytes()),
            entry.namespace,
            entry.actor,
            entry.at.as_millis()
        ])?;
    Ok(())
}

fn keep(database: &Connection, certificate: &SealedCertificate) -> Fallible<()> {
    database
        .prepare_cached(
            "INSERT INTO certificate (id, stage, payload_sha256, envelope, seq, sanitised) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?2 <> 'logical')",
        )?
        .execute(params![
            certificate.id.as_bytes(),
            certificate.stage.as_str(),
            certificate.payload_sha256.as_bytes(),
            certificate.envelope,
            int(certificate.seq)
        ])?;
    Ok(())
}

/// Reads audit entries from `first` on, at most `limit`.
pub(crate) fn entries(
    database: &Connection,
    redactor: &precedent_core::Redactor,
    first: u64,
    limit: i64,
) -> Fallible<Vec<SealedEntry>> {
    let sql = concat_columns();
    let mut statement = database.prepare_cached(&sql)?;
    let mut rows = statement.query(params![int(first), limit])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(Reader::new(row, redactor).entry()?);
    }
    Ok(entries)
}

fn concat_columns() -> String {
    let columns = crate::codec::ENTRY;
    format!("SELECT {columns} FROM audit_log WHERE seq >= ?1 ORDER BY seq LIMIT ?2")
}
