//! Applying a commit inside the open transaction: preconditions, changes, seal, answer.

mod apply;
mod correct;
mod erase;
pub(crate) mod expect;
mod names;
mod records;
mod replay;
pub(crate) mod seal;

use precedent_core::audit::Fact;
use precedent_core::{
    AuditSink, Change, Commit, Committed, Kind, StoreError, StoreErrorKind, Timestamp,
};
use rusqlite::{Connection, params};

use crate::codec::int;
use crate::error::{Failure, Fallible};
use crate::points::fail_point;
use crate::store::Shared;

pub(crate) const OPERATION: &str = "committing";
/// Changes after which a large commit folds what it has staged, lest the pages of it outgrow the
/// page cache.
const FOLD_EVERY: usize = 1_024;

fn refuse(kind: StoreErrorKind) -> Failure {
    Failure::refuse(kind, OPERATION)
}

/// One commit's view of the open transaction.
pub(crate) struct Section<'a> {
    /// The writing connection.
    pub(crate) database: &'a Connection,
    /// What all parts of the store share.
    pub(crate) shared: &'a Shared,
    /// The instant that is recorded.
    pub(crate) at: Timestamp,
}

/// Applies a commit; on an error the caller rolls back to where it began.
pub(crate) fn commit(
    database: &Connection,
    shared: &Shared,
    commit: Commit,
    sink: &dyn AuditSink,
) -> Fallible<Committed> {
    if let Some(answer) = replay::replay(database, shared, &commit)? {
        return Ok(answer);
    }
    for expect in &commit.expects {
        expect::check(database, expect)?;
    }
    let head = seal::head(database)?;
    let at = head.map_or(commit.header.at, |head| head.at.max(commit.header.at));
    let section = Section {
        database,
        shared,
        at,
    };
    fail_point!(shared);
    let facts = apply_all(&section, commit.changes)?;
    if facts.is_empty() {
        let error = StoreError::new(StoreErrorKind::InvalidInput, OPERATION);
        return Err(error
            .advise("put at least one change into the commit")
            .into());
    }
    fail_point!(shared);
    let sealed = seal::seal(&section, &commit.header, &facts, sink, head)?;
    fail_point!(shared);
    let count = facts.len() as u64;
    let first_seq = sealed.head.size - count;
    database
        .prepare_cached(
            "INSERT INTO commit_log (id, request, recorded_at, first_seq, count) \
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            commit.header.id.as_bytes(),
            commit.request.as_bytes(),
            at.as_millis(),
            int(first_seq),
            int(count)
        ])?;
    fail_point!(shared);
    Ok(replay::first_answer(commit.header.id, &sealed, first_seq))
}

/// Applies the changes in order, and folds what they stage once, so that terms which they share
/// are written once.
fn apply_all(section: &Section<'_>, changes: Vec<Change>) -> Fallible<Vec<Fact>> {
    let written = |kind| {
        let is_written =
            |change: &Change| matches!(change, Change::Put(put) if put.memory.kind == kind);
        changes.iter().any(is_written)
    };
    let kinds: Vec<Kind> = Kind::ALL
        .iter()
        .copied()
        .filter(|kind| written(*kind))
        .collect();
    let fold = || {
        kinds
            .iter()
            .try_for_each(|kind| apply::fold(section, *kind))
    };
    let mut facts = Vec::with_capacity(changes.len());
    for change in changes {
        facts.push(apply::apply(section, change)?);
        fail_point!(section.shared);
        if facts.len().is_multiple_of(FOLD_EVERY) {
            fold()?;
            fail_point!(section.shared);
        }
    }
    fold()?;
    Ok(facts)
}
