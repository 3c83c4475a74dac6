//! What a commit is answered, the first time and again.

use precedent_core::audit::{Head, SealedEntry};
use precedent_core::{
    CertificateId, Commit, CommitId, Committed, CommittedFact, Sealed, StoreErrorKind, Timestamp,
};
use rusqlite::{Connection, OptionalExtension, params};

use super::{expect, refuse, seal};
use crate::error::{Failure, Fallible};
use crate::store::Shared;

/// What is kept of a commit.
struct Kept {
    request: Option<[u8; 32]>,
    recorded_at: i64,
    first_seq: i64,
    count: i64,
}

/// Rebuilds the answer to a commit that was applied before.
pub(super) fn replay(
    database: &Connection,
    shared: &Shared,
    commit: &Commit,
) -> Fallible<Option<Committed>> {
    let Some(kept) = kept(database, commit.header.id)? else {
        return Ok(None);
    };
    if kept
        .request
        .is_some_and(|request| request != *commit.request.as_bytes())
    {
        return Err(refuse(StoreErrorKind::CommitReused));
    }
    let first = u64::try_from(kept.first_seq).map_err(|_| Failure::Unreadable)?;
    let entries = seal::entries(database, &shared.config.redactor, first, kept.count)?;
    Ok(Some(Committed {
        id: commit.header.id,
        recorded_at: Timestamp::from_millis(kept.recorded_at).map_err(|_| Failure::Unreadable)?,
        head: own_head(&entries)?,
        facts: facts(database, &entries)?,
        certificates: certificates(database, kept.first_seq, kept.count)?,
        replayed: true,
    }))
}

fn kept(database: &Connection, id: CommitId) -> Fallible<Option<Kept>> {
    Ok(database
        .prepare_cached(
            "SELECT request, recorded_at, first_seq, count FROM commit_log WHERE id = ?1",
        )?
        .query_row([id.as_bytes()], |row| {
            Ok(Kept {
                request: row.get(0)?,
                recorded_at: row.get(1)?,
                first_seq: row.get(2)?,
                count: row.get(3)?,
            })
        })
        .optional()?)
}

/// Returns the head that a commit left, which its last entry tells.
fn own_head(entries: &[SealedEntry]) -> Fallible<Head> {
    let last = entries.last().ok_or(Failure::Unreadable)?;
    Ok(Head {
        size: last.seq + 1,
        hash: last.leaf,
        at: last.at,
    })
}

/// Answers a commit that was just applied; nothing is erased in a first answer.
pub(super) fn first_answer(id: CommitId, sealed: &Sealed, first_seq: u64) -> Committed {
    let own = sealed.entries.iter().filter(|entry| entry.seq >= first_seq);
    Committed {
        id,
        recorded_at: sealed.recorded_at,
        head: sealed.head,
        facts: own.map(|entry| CommittedFact::of(entry, false)).collect(),
        certificates: sealed
            .certificates
            .iter()
            .map(|certificate| certificate.id)
            .collect(),
        replayed: false,
    }
}

fn facts(database: &Connection, entries: &[SealedEntry]) -> Fallible<Vec<CommittedFact>> {
    entries
        .iter()
        .map(|entry| {
            let erased = match entry.memory {
                Some(id) => expect::is_erased(database, id)?,
                None => false,
            };
            Ok(CommittedFact::of(entry, erased))
        })
        .collect()
}

fn certificates(database: &Connection, first: i64, count: i64) -> Fallible<Vec<CertificateId>> {
    let last = first.saturating_add(count) - 1;
    let mut statement = database.prepare_cached(
        "SELECT id FROM certificate WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq, rowid",
    )?;
    let ids = statement.query_map(params![first, last], |row| row.get(0))?;
    ids.map(|id| Ok(CertificateId::from_bytes(id?))).collect()
}

/// Forgets the digests of requests whose entries name a memory: they would tell its content.
pub(super) fn forget_requests(
    database: &Connection,
    memory: precedent_core::MemoryId,
) -> Fallible<()> {
    let mut statement = database.prepare_cached("SELECT seq FROM audit_log WHERE memory = ?1")?;
    let seqs: Vec<i64> = statement
        .query_map([memory.as_bytes()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for seq in seqs {
        database
            .prepare_cached(
                "UPDATE commit_log SET request = NULL WHERE first_seq = \
                 (SELECT max(first_seq) FROM commit_log WHERE first_seq <= ?1) \
                 AND first_seq + count > ?1",
            )?
            .execute([seq])?;
    }
    Ok(())
}
