//! The changes of events, rules and receipts; each gives the fact that is sealed.

use precedent_core::audit::Fact;
use precedent_core::{Receipt, ReceiptId, Rule, StoreErrorKind, ToolEvent};
use rusqlite::params;

use super::expect::{check, exists};
use super::{Section, refuse};
use crate::codec::{json_files, json_list, owner_column};
use crate::error::Fallible;
use crate::points::fail_point;
use crate::read::keys;

/// Writes an event.
pub(super) fn put_event(section: &Section<'_>, event: &ToolEvent) -> Fallible<Fact> {
    let known = exists(
        section.database,
        "SELECT 1 FROM event WHERE id = ?1",
        params![event.id.as_bytes()],
    )?;
    if known {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    if let Some(receipt) = event.receipt {
        close_receipt(section, receipt, event)?;
        fail_point!(section.shared);
    }
    insert_event(section, event)?;
    fail_point!(section.shared);
    let owner = owner_column(event.private, &event.agent);
    for key in keys::of_event(event) {
        section
            .database
            .prepare_cached(
                "INSERT OR IGNORE INTO event_key (key, namespace, owner, outcome, at, event) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                key,
                event.namespace.as_str(),
                owner,
                event.outcome.as_str(),
                section.at.as_millis(),
                event.id.as_bytes()
            ])?;
        fail_point!(section.shared);
    }
    Ok(Fact::observed(event))
}

fn insert_event(section: &Section<'_>, event: &ToolEvent) -> Fallible<()> {
    let columns = crate::codec::EVENT;
    let sql = format!(
        "INSERT INTO event ({columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, \
         ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)"
    );
    section.database.prepare_cached(&sql)?.execute(params![
        event.id.as_bytes(),
        event.namespace.as_str(),
        event.agent.as_str(),
        owner_column(event.private, &event.agent),
        event.session.as_deref(),
        event.host.as_ref().map(precedent_core::Name::as_str),
        &*event.tool,
        event.keys.exact.as_bytes(),
        event.keys.shape.as_bytes(),
        event.keys.family.as_bytes(),
        event.credential.as_ref().map(|digest| digest.as_bytes()),
        json_list(&event.lookup),
        &*event.command,
        event.cwd.as_deref(),
        event.project.as_deref(),
        json_files(&event.files),
        event.outcome.as_str(),
        event.error.as_deref(),
        event.output.as_deref(),
        event.input_digest.as_ref().map(|digest| digest.as_bytes()),
        event.output_digest.as_ref().map(|digest| digest.as_bytes()),
        event.exit_code,
        event.duration_ms.map(u64::cast_signed),
        event.receipt.as_ref().map(ReceiptId::as_bytes),
        section.at.as_millis()
    ])?;
    Ok(())
}

fn close_receipt(section: &Section<'_>, id: ReceiptId, event: &ToolEvent) -> Fallible<()> {
    let open = precedent_core::Expect::ReceiptOpen(id, event.agent.clone());
    check(section.database, &open)?;
    section
        .database
        .prepare_cached("UPDATE receipt SET closed_by = ?2 WHERE id = ?1")?
        .execute(params![id.as_bytes(), event.id.as_bytes()])?;
    Ok(())
}

/// Writes a rule.
pub(super) fn put_rule(section: &Section<'_>, rule: &Rule) -> Fallible<Fact> {
    let database = section.database;
    let known = exists(
        database,
        "SELECT 1 FROM rule WHERE id = ?1",
        params![rule.id.as_bytes()],
    )?;
    let rooted = exists(
        database,
        "SELECT 1 FROM memory WHERE id = ?1",
        params![rule.memory.as_bytes()],
    )?;
    if known || !rooted {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    let owner = owner_column(rule.private, &rule.agent);
    let columns = crate::codec::RULE;
    let sql =
        format!("INSERT INTO rule ({columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    database.prepare_cached(&sql)?.execute(params![
        rule.id.as_bytes(),
        rule.memory.as_bytes(),
        rule.namespace.as_str(),
        rule.agent.as_str(),
        owner,
        rule.project.as_deref(),
        rule.severity.as_str(),
        rule.control.to_json(),
        json_list(&rule.keys),
        section.at.as_millis()
    ])?;
    fail_point!(section.shared);
    for key in &rule.keys {
        database
            .prepare_cached(
                "INSERT OR IGNORE INTO rule_key (key, namespace, owner, rule) \
                 VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![
                &**key,
                rule.namespace.as_str(),
                owner,
                rule.id.as_bytes()
            ])?;
        fail_point!(section.shared);
    }
    Ok(Fact::ruled(rule))
}

/// Writes a receipt.
pub(super) fn put_receipt(section: &Section<'_>, receipt: &Receipt) -> Fallible<Fact> {
    let known = exists(
        section.database,
        "SELECT 1 FROM receipt WHERE id = ?1",
        params![receipt.id.as_bytes()],
    )?;
    if known {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    let columns = crate::codec::RECEIPT;
    let sql = format!(
        "INSERT INTO receipt ({columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, \
         ?12, ?13, NULL)"
    );
    section.database.prepare_cached(&sql)?.execute(params![
        receipt.id.as_bytes(),
        receipt.namespace.as_str(),
        receipt.agent.as_str(),
        receipt.session.as_deref(),
        receipt.tool_use.as_deref(),
        &*receipt.tool,
        receipt.keys.exact.as_bytes(),
        receipt.keys.shape.as_bytes(),
        receipt.keys.family.as_bytes(),
        receipt.decision.as_str(),
        receipt.risk_permille,
        json_list(&receipt.evidence),
        section.at.as_millis()
    ])?;
    fail_point!(section.shared);
    Ok(Fact::decided(receipt))
}
