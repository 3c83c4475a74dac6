//! Reading records, each call from one snapshot.

pub(crate) mod find;
pub(crate) mod keys;
pub(crate) mod names;

use precedent_core::audit::SealedCertificate;
use precedent_core::{
    AuditPage, CertificateQuery, Contradiction, ContradictionQuery, EventQuery, Memory, MemoryId,
    Namespace, NamespaceCount, Outcome, Receipt, ReceiptQuery, Redactor, Revision, Rule, RuleQuery,
    Scope, Timestamp, ToolEvent,
};
use rusqlite::{Connection, Row, ToSql, params};

use crate::codec::{self, Reader, limit};
use crate::commit::seal;
use crate::error::{Failure, Fallible};
use crate::lanes::parts;
pub(crate) use find::find_memories;

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

/// Reads a memory by its id, whoever asks, with its row's number.
fn memory(
    database: &Connection,
    redactor: &Redactor,
    id: MemoryId,
) -> Fallible<Option<(Memory, u32, Timestamp)>> {
    let sql = format!(
        "SELECT {}, seq, since FROM memory WHERE id = ?1",
        codec::MEMORY
    );
    let found = all(database, &sql, params![id.as_bytes()], |row| {
        let memory = Reader::new(row, redactor).memory()?;
        let since = Timestamp::from_millis(row.get("since")?).map_err(|_| Failure::Unreadable)?;
        Ok((memory, row.get("seq")?, since))
    })?;
    Ok(found.into_iter().next())
}

/// Returns those of the memories that exist and are visible, as they stand or stood.
pub(crate) fn memories(
    database: &Connection,
    redactor: &Redactor,
    scope: &Scope,
    ids: &[MemoryId],
    known_at: Option<Timestamp>,
) -> Fallible<Vec<Memory>> {
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let Some((memory, seq, since)) = memory(database, redactor, *id)? else {
            continue;
        };
        if !scope.is_in(&memory.audience()) {
            continue;
        }
        match known_at.filter(|at| since > *at) {
            None => found.push(memory),
            Some(at) => found.extend(as_known(database, redactor, memory, seq, at)?),
        }
    }
    Ok(found)
}

/// Puts a memory back to where it stood at an instant of the store's clock, if it was there.
fn as_known(
    database: &Connection,
    redactor: &Redactor,
    mut memory: Memory,
    seq: u32,
    at: Timestamp,
) -> Fallible<Option<Memory>> {
    let past = past(database, redactor, seq)?;
    Ok(past.iter().rfind(|past| past.since <= at).map(|then| {
        memory.stand(then.standing, then.since);
        memory.version = then.version;
        memory
    }))
}

/// The stretches of a memory's life that are over.
pub(crate) const PAST: &str = "SELECT version, since, state, valid_to, superseded_by FROM revision \
     WHERE seq = ?1 ORDER BY version";

fn past(database: &Connection, redactor: &Redactor, seq: u32) -> Fallible<Vec<Revision>> {
    all(database, PAST, params![seq], |row| {
        Reader::new(row, redactor).revision()
    })
}

/// Returns the life of a memory, the present stretch last; nothing for what is not visible.
pub(crate) fn revisions(
    database: &Connection,
    redactor: &Redactor,
    scope: &Scope,
    id: MemoryId,
) -> Fallible<Vec<Revision>> {
    let Some((memory, seq, since)) = memory(database, redactor, id)? else {
        return Ok(Vec::new());
    };
    if !scope.is_in(&memory.audience()) {
        return Ok(Vec::new());
    }
    let mut revisions = past(database, redactor, seq)?;
    revisions.push(Revision {
        version: memory.version,
        since,
        standing: memory.standing(),
    });
    Ok(revisions)
}

/// The contradictions that a memory is part of.
pub(crate) const CONTRADICTIONS_OF: &str = "SELECT id FROM contradiction WHERE older = ?1 \
     UNION SELECT id FROM contradiction WHERE younger = ?1";

/// Returns contradictions of which the reader sees both sides, by id.
pub(crate) fn contradictions(
    database: &Connection,
    redactor: &Redactor,
    query: &ContradictionQuery,
) -> Fallible<Vec<Contradiction>> {
    let id = |row: &Row<'_>| Ok(row.get::<_, [u8; 16]>(0)?);
    let mut ids = match query.memory {
        Some(memory) => all(database, CONTRADICTIONS_OF, params![memory.as_bytes()], id)?,
        None => all(database, "SELECT id FROM contradiction", params![], id)?,
    };
    ids.sort_unstable();
    let columns = codec::CONTRADICTION;
    let sql =
        format!("SELECT {columns} FROM contradiction WHERE id = ?1 AND (verdict IS NULL OR ?2)");
    let mut found = Vec::new();
    for id in ids {
        let passed = query.after.is_some_and(|after| id <= *after.as_bytes());
        if passed || found.len() == query.limit {
            continue;
        }
        for contradiction in all(database, &sql, params![id, !query.open], |row| {
            Reader::new(row, redactor).contradiction()
        })? {
            let both = memories(
                database,
                redactor,
                &query.scope,
                &contradiction.between,
                None,
            )?;
            found.extend((both.len() == 2).then_some(contradiction));
        }
    }
    Ok(found)
}

/// Returns the namespaces from `within` downwards that hold memories, by name.
pub(crate) fn namespaces(
    database: &Connection,
    redactor: &Redactor,
    within: &Namespace,
) -> Fallible<Vec<NamespaceCount>> {
    let names = all(
        database,
        "SELECT DISTINCT namespace FROM part",
        params![],
        |row| Ok(row.get::<_, String>(0)?),
    )?;
    let mut counts = Vec::new();
    for name in names.iter().filter(|name| within.contains(name)) {
        let count = |row: &Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?));
        let sql = "SELECT count(*), ifnull(sum(state IN ('active', 'disputed', \
             'context-dependent')), 0) FROM memory WHERE part IN \
             (SELECT id FROM part WHERE namespace = ?1)";
        for (memories, in_force) in all(database, sql, params![name], count)? {
            counts.push(NamespaceCount {
                namespace: Namespace::parse(redactor.clean(name))
                    .map_err(|_| Failure::Unreadable)?,
                in_force: u64::from(in_force),
                memories: u64::from(memories),
            });
        }
    }
    counts.sort_by(|a, b| a.namespace.cmp(&b.namespace));
    Ok(counts)
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
    let sql = format!("SELECT {} FROM rule WHERE id = ?1", codec::RULE);
    let mut rules = Vec::new();
    for id in ids {
        if rules.len() == query.limit {
            break;
        }
        let found = all(database, &sql, params![id], |row| {
            is_controlled(database, &query.scope, row.get("memory")?)?
                .then(|| Reader::new(row, redactor).rule())
                .transpose()
        })?;
        rules.extend(found.into_iter().flatten());
    }
    Ok(rules)
}

/// Tells whether a rule's memory is in force and visible.
fn is_controlled(database: &Connection, scope: &Scope, memory: [u8; 16]) -> Fallible<bool> {
    let sql = "SELECT namespace, owner, readers FROM memory WHERE id = ?1 \
         AND state IN ('active', 'disputed')";
    let seen = all(database, sql, params![memory], |row| {
        let (namespace, owner) = (codec::text_of(row, 0)?, codec::text_of(row, 1)?);
        let placed = visible(scope).any(|place| place == (namespace, owner));
        Ok(placed && parts::is_listed(scope, codec::text_of(row, 2)?))
    })?;
    Ok(seen.contains(&true))
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
