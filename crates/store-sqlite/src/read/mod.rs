//! Reading records, each call from one snapshot.

pub(crate) mod keys;

use precedent_core::audit::SealedCertificate;
use precedent_core::{
    AuditPage, CertificateQuery, EventQuery, Kind, Memory, MemoryId, MemoryQuery, Outcome, Receipt,
    ReceiptQuery, Redactor, Rule, RuleQuery, Scope, ToolEvent,
};
use rusqlite::{Connection, Row, ToSql, params};

use crate::codec::{self, Reader, limit};
use crate::commit::seal;
use crate::error::Fallible;
use crate::lanes::parts;

/// A partition's memories by id.
pub(crate) const MEMORY_IDS: &str =
    "SELECT id FROM memory WHERE part = ?1 AND (id > ?2 OR ?3) ORDER BY id LIMIT ?4";
/// Live memories of one content.
pub(crate) const MEMORY_BY_DIGEST: &str = "SELECT id, kind FROM memory WHERE digest = ?1 AND namespace = ?2 AND owner IN ('', ?3) \
         AND state IN ('active', 'disputed', 'context-dependent')";
/// The rules of one namespace and owner.
pub(crate) const RULES: &str = "SELECT id FROM rule WHERE namespace = ?1 AND owner = ?2";
/// Those of them that have a key.
pub(crate) const RULES_BY_KEY: &str = "SELECT rule FROM rule_key WHERE key = ?1 AND namespace = ?2 \
                         AND owner = ?3";

/// Reads every row of a query.
fn all<T>(
    database: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
    mut read: impl FnMut(&Row<'_>) -> Fallible<T>,
) -> Fallible<Vec<T>> {
    let mut statement = database.prepare_cached(sql)?;
    let mut rows = statement.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Returns the namespaces and owners whose records a reader sees.
fn visible(scope: &Scope) -> impl Iterator<Item = (&str, &str)> {
    let namespaces = scope.namespace.visible();
    namespaces
        .into_iter()
        .flat_map(|namespace| ["", scope.agent.as_str()].map(|owner| (namespace, owner)))
}

/// Reads a memory by its id, whoever asks.
fn memory(database: &Connection, redactor: &Redactor, id: MemoryId) -> Fallible<Option<Memory>> {
    let sql = format!("SELECT {} FROM memory WHERE id = ?1", codec::MEMORY);
    let found = all(database, &sql, params![id.as_bytes()], |row| {
        Reader::new(row, redactor).memory()
    })?;
    Ok(found.into_iter().next())
}

/// Returns those of the memories that exist and are visible.
pub(crate) fn memories(
    database: &Connection,
    redactor: &Redactor,
    scope: &Scope,
    ids: &[MemoryId],
) -> Fallible<Vec<Memory>> {
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let memory = memory(database, redactor, *id)?;
        found.extend(memory.filter(|memory| scope.sees(&memory.namespace, memory.owner())));
    }
    Ok(found)
}

/// Returns memories by attributes, oldest id first.
pub(crate) fn find_memories(
    database: &Connection,
    redactor: &Redactor,
    query: &MemoryQuery,
) -> Fallible<Vec<Memory>> {
    let mut ids = match query.digest {
        Some(digest) => ids_of_digest(database, query, digest)?,
        None => ids_of_parts(database, query)?,
    };
    ids.sort_unstable();
    let mut found = Vec::new();
    for id in ids.into_iter().take(query.limit) {
        found.extend(memory(database, redactor, id)?);
    }
    Ok(found)
}

fn kinds_of(query: &MemoryQuery) -> &[Kind] {
    if query.kinds.is_empty() {
        Kind::ALL
    } else {
        &query.kinds
    }
}

/// Lists the first ids of every partition in sight; each list is in order and long enough.
fn ids_of_parts(database: &Connection, query: &MemoryQuery) -> Fallible<Vec<MemoryId>> {
    let after = query.after.map_or([0; 16], |id| *id.as_bytes());
    let mut ids = Vec::new();
    for kind in Kind::ALL
        .iter()
        .filter(|kind| kinds_of(query).contains(kind))
    {
        for part in parts::visible(database, *kind, &query.scope)? {
            ids.extend(all(
                database,
                MEMORY_IDS,
                params![part.id, after, query.after.is_none(), limit(query.limit)],
                |row| Ok(MemoryId::from_bytes(row.get(0)?)),
            )?);
        }
    }
    Ok(ids)
}

fn ids_of_digest(
    database: &Connection,
    query: &MemoryQuery,
    digest: precedent_core::Digest,
) -> Fallible<Vec<MemoryId>> {
    let found = all(
        database,
        MEMORY_BY_DIGEST,
        params![
            digest.as_bytes(),
            query.scope.namespace.as_str(),
            query.scope.agent.as_str()
        ],
        |row| {
            let kind = codec::text_of(row, 1)?.to_owned();
            Ok((MemoryId::from_bytes(row.get(0)?), kind))
        },
    )?;
    let wanted = |kind: &str| kinds_of(query).iter().any(|k| k.as_str() == kind);
    Ok(found
        .into_iter()
        .filter(|(id, kind)| wanted(kind) && query.after.is_none_or(|after| *id > after))
        .map(|(id, _)| id)
        .collect())
}

/// The newest events of one key, namespace, owner and outcome: one range of the index.
pub(crate) const EVENTS: &str = "SELECT at, event FROM event_key WHERE key = ?1 \
     AND namespace = ?2 AND owner = ?3 AND outcome = ?4 AND at >= ?5 \
     ORDER BY at DESC, event DESC LIMIT ?6";

/// Returns tool events, newest first.
///
/// Each combination of namespace, owner and outcome is a range of the index of which only the end
/// is read, so the cost does not grow with the number of events.
pub(crate) fn events(
    database: &Connection,
    redactor: &Redactor,
    query: &EventQuery,
) -> Fallible<Vec<ToolEvent>> {
    let key = keys::of_query(&query.key);
    let since = query.since.map_or(i64::MIN, |since| since.as_millis());
    let outcomes = Outcome::ALL
        .iter()
        .filter(|outcome| query.outcomes.is_empty() || query.outcomes.contains(outcome));
    let mut found: Vec<(i64, [u8; 16])> = Vec::new();
    for (namespace, owner) in visible(&query.scope) {
        for outcome in outcomes.clone() {
            found.extend(all(
                database,
                EVENTS,
                params![
                    key,
                    namespace,
                    owner,
                    outcome.as_str(),
                    since,
                    limit(query.limit)
                ],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?);
        }
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    let sql = format!("SELECT {} FROM event WHERE id = ?1", codec::EVENT);
    let mut events = Vec::new();
    for (_, id) in found.into_iter().take(query.limit) {
        events.extend(all(database, &sql, params![id], |row| {
            Reader::new(row, redactor).event()
        })?);
    }
    Ok(events)
}

/// Returns rules whose memory is in force, by id.
pub(crate) fn rules(
    database: &Connection,
    redactor: &Redactor,
    query: &RuleQuery,
) -> Fallible<Vec<Rule>> {
    let mut ids: Vec<[u8; 16]> = Vec::new();
    for (namespace, owner) in visible(&query.scope) {
        match &query.keys {
            None => ids.extend(all(database, RULES, params![namespace, owner], |row| {
                Ok(row.get::<_, [u8; 16]>(0)?)
            })?),
            Some(keys) => {
                for key in keys {
                    ids.extend(all(
                        database,
                        RULES_BY_KEY,
                        params![&**key, namespace, owner],
                        |row| Ok(row.get::<_, [u8; 16]>(0)?),
                    )?);
                }
            }
        }
    }
    ids.sort_unstable();
    ids.dedup();
    let sql = format!(
        "SELECT {} FROM rule WHERE id = ?1 AND EXISTS (SELECT 1 FROM memory \
         WHERE memory.id = rule.memory AND memory.state IN ('active', 'disputed'))",
        codec::RULE
    );
    let mut rules = Vec::new();
    for id in ids {
        if rules.len() == query.limit {
            break;
        }
        rules.extend(all(database, &sql, params![id], |row| {
            Reader::new(row, redactor).rule()
        })?);
    }
    Ok(rules)
}

/// Returns guard decisions, newest first.
pub(crate) fn receipts(
    database: &Connection,
    redactor: &Redactor,
    query: &ReceiptQuery,
) -> Fallible<Vec<Receipt>> {
    let columns = codec::RECEIPT;
    let (scope, sql, value): (_, _, &dyn ToSql) = match query {
        ReceiptQuery::Id(scope, id) => (
            scope,
            format!("SELECT {columns} FROM receipt WHERE id = ?1"),
            &id.as_bytes(),
        ),
        ReceiptQuery::ToolUse(scope, tool_use) => (
            scope,
            format!("SELECT {columns} FROM receipt WHERE tool_use = ?1"),
            &&**tool_use,
        ),
    };
    let mut found = all(database, &sql, &[value], |row| {
        Reader::new(row, redactor).receipt()
    })?;
    found.retain(|receipt| scope.sees(&receipt.namespace, Some(&receipt.agent)));
    found.sort_by_key(|receipt| std::cmp::Reverse((receipt.at, receipt.id)));
    Ok(found)
}

/// Returns certificates in the order of their audit entries.
pub(crate) fn certificates(
    database: &Connection,
    redactor: &Redactor,
    query: &CertificateQuery,
) -> Fallible<Vec<SealedCertificate>> {
    let columns = codec::CERTIFICATE;
    let read = |row: &Row<'_>| Reader::new(row, redactor).certificate();
    match query {
        CertificateQuery::Id(id) => {
            let sql = format!("SELECT {columns} FROM certificate WHERE id = ?1");
            all(database, &sql, params![id.as_bytes()], read)
        }
        CertificateQuery::Memory(id) => {
            let sql = format!(
                "SELECT {columns} FROM certificate WHERE id = \
                 (SELECT certificate FROM tombstone WHERE memory = ?1) \
                 UNION ALL SELECT {columns} FROM certificate WHERE first = \
                 (SELECT certificate FROM tombstone WHERE memory = ?1)"
            );
            let mut found = all(database, &sql, params![id.as_bytes()], read)?;
            found.sort_by_key(|certificate| certificate.seq);
            Ok(found)
        }
        CertificateQuery::All => {
            let sql = format!("SELECT {columns} FROM certificate ORDER BY seq, rowid");
            all(database, &sql, params![], read)
        }
    }
}

/// Returns a stretch of the audit log, and the head.
pub(crate) fn audit_log(
    database: &Connection,
    redactor: &Redactor,
    from: u64,
    count: usize,
) -> Fallible<AuditPage> {
    Ok(AuditPage {
        entries: seal::entries(database, redactor, from, limit(count))?,
        head: seal::head(database)?,
    })
}
