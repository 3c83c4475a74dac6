//! Maintenance: physical steps that are safe to repeat, then one section that seals what they did.

mod purge;
mod reindex;

use precedent_core::audit::Fact;
use precedent_core::{
    AuditSink, CertificateId, Header, Maintain, MaintainReport, MaintainTask, Sealed,
};
use rusqlite::Connection;

use crate::commit::{Section, seal};
use crate::error::Fallible;
use crate::store::Shared;

/// Names the task for errors.
pub(crate) const fn operation(task: MaintainTask) -> &'static str {
    match task {
        MaintainTask::Purge => "purging",
        MaintainTask::Reindex => "rebuilding the indexes",
    }
}

/// Runs a task on the writing connection, outside any transaction.
pub(crate) fn run(
    database: &mut Connection,
    shared: &Shared,
    request: &Maintain,
    sink: &dyn AuditSink,
) -> Fallible<MaintainReport> {
    match request.task {
        MaintainTask::Purge => purge::run(database, shared, request, sink),
        MaintainTask::Reindex => reindex::run(database, shared, request, sink),
    }
}

/// Seals facts at the true head, inside the open transaction.
fn seal_facts(
    database: &Connection,
    shared: &Shared,
    header: &Header,
    facts: &[Fact],
    sink: &dyn AuditSink,
) -> Fallible<Sealed> {
    let head = seal::head(database)?;
    let section = Section {
        database,
        shared,
        at: head.map_or(header.at, |head| head.at.max(header.at)),
    };
    seal::seal(&section, header, facts, sink, head)
}

/// Lists the ids of sealed certificates.
fn ids(sealed: &Sealed) -> Vec<CertificateId> {
    sealed
        .certificates
        .iter()
        .map(|certificate| certificate.id)
        .collect()
}
