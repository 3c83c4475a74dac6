//! The changes of a commit, one function each; each gives the fact that is sealed.

use precedent_core::audit::{Detail, Fact, FactResult, Op};
use precedent_core::{
    Change, Decision, MemoryId, PutMemory, Receipt, ReceiptId, Rule, State, StoreErrorKind,
    ToolEvent, analyze, lexical_text, vector,
};
use rusqlite::{OptionalExtension, params};

use super::expect::{check, exists, is_absent, is_live};
use super::{Section, erase, refuse};
use crate::codec::{int, json_files, json_list, json_map, owner_column};
use crate::error::{Failure, Fallible};
use crate::lanes::chunks::{self, Coded};
use crate::lanes::parts::{self, Part};
use crate::lanes::postings::{self, Document};
use crate::read::keys;
use crate::schema;

/// Applies one change.
pub(super) fn apply(section: &Section<'_>, change: Change) -> Fallible<Fact> {
    match change {
        Change::Put(put) => put_memory(section, *put),
        Change::Supersede { old, new } => supersede(section, old, new),
        Change::Event(event) => put_event(section, &event),
        Change::Rule(rule) => put_rule(section, &rule),
        Change::Receipt(receipt) => put_receipt(section, &receipt),
        Change::Erase(erasure) => erase::erase(section, erasure),
        Change::Note(fact) => Ok(fact),
    }
}

fn put_memory(section: &Section<'_>, put: PutMemory) -> Fallible<Fact> {
    let database = section.database;
    let memory = &put.memory;
    if !is_absent(database, memory.id)? {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    let vector = accepted(section, put.vector.as_deref())?;
    let owner = owner_column(memory.private, &memory.agent);
    let mut part = parts::find_or_make(database, memory.kind, memory.namespace.as_str(), owner)?;
    let chunks = analyze::document(&lexical_text(memory));
    let seq = next_seq(section)?;
    let document = Document::new(seq, chunks)?;
    insert_memory(section, &put, seq, part.id, &document)?;
    part.memories += 1;
    part.documents += document.documents;
    part.length += document.length;
    index(section, "lexical", || {
        postings::add(database, memory.kind, part.id, &document)
    })?;
    if let Some(vector) = vector {
        put_vector(section, &put, &mut part, seq, vector)?;
    }
    parts::update(database, &part)?;
    Ok(Fact {
        op: Op::Write,
        result: FactResult::Ok,
        namespace: memory.namespace.clone(),
        memory: Some(memory.id),
        detail: Detail::Written {
            kind: memory.kind,
            pending_vector: vector.is_none(),
        },
    })
}

/// Returns the vector if it is a unit vector of the store's own space.
fn accepted<'a>(section: &Section<'_>, vector: Option<&'a [f32]>) -> Fallible<Option<&'a [f32]>> {
    let (Some(vector), Some(space)) = (vector, &section.shared.config.space) else {
        return Ok(None);
    };
    let ours = match schema::space(section.database)? {
        Some(stored) => stored.fingerprint == space.fingerprint,
        None => {
            schema::set_space(section.database, space)?;
            true
        }
    };
    let fits = ours && vector::check_unit(vector, space.dimension).is_ok();
    Ok(fits.then_some(vector))
}

fn next_seq(section: &Section<'_>) -> Fallible<u32> {
    let highest: i64 = section
        .database
        .prepare_cached("SELECT ifnull(max(seq), 0) FROM memory")?
        .query_row([], |row| row.get(0))?;
    // Postings number memories in 32 bits.
    u32::try_from(highest + 1).map_err(|_| refuse(StoreErrorKind::Full))
}

fn insert_memory(
    section: &Section<'_>,
    put: &PutMemory,
    seq: u32,
    part: i64,
    document: &Document,
) -> Fallible<()> {
    let memory = &put.memory;
    section
        .database
        .prepare_cached(
            "INSERT INTO memory (seq, id, part, state, source, trust, valid_from, valid_to, tags, \
             kind, namespace, owner, recorded_at, retired_at, salience, version, supersedes, \
             superseded_by, digest, documents, length, postings, agent, actor, context, text) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 1, ?16, \
             ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)",
        )?
        .execute(params![
            seq,
            memory.id.as_bytes(),
            part,
            memory.state.as_str(),
            memory.source.as_str(),
            memory.trust.as_str(),
            memory.valid_from.map(precedent_core::Timestamp::as_millis),
            memory.valid_to.map(precedent_core::Timestamp::as_millis),
            json_list(&memory.tags),
            memory.kind.as_str(),
            memory.namespace.as_str(),
            owner_column(memory.private, &memory.agent),
            section.at.as_millis(),
            memory.retired_at.map(precedent_core::Timestamp::as_millis),
            memory.salience.permille(),
            memory.supersedes.as_ref().map(MemoryId::as_bytes),
            memory.superseded_by.as_ref().map(MemoryId::as_bytes),
            put.digest.as_bytes(),
            int(document.documents),
            int(document.length),
            int(document.postings),
            memory.agent.as_str(),
            memory.actor.as_str(),
            json_map(&memory.context),
            &*memory.text
        ])?;
    Ok(())
}

fn put_vector(
    section: &Section<'_>,
    put: &PutMemory,
    part: &mut Part,
    seq: u32,
    vector: &[f32],
) -> Fallible<()> {
    let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
    let slot = part.slots;
    section
        .database
        .prepare_cached("INSERT INTO embedding (seq, slot, v) VALUES (?1, ?2, ?3)")?
        .execute(params![seq, int(slot), bytes])?;
    part.slots += 1;
    part.vectors += 1;
    let (database, kind, part) = (section.database, put.memory.kind, part.id);
    index(section, "vector", || {
        chunks::write(database, kind, part, slot, seq, &Coded::new(vector))
    })
}

/// Runs an update of an index; where the index is broken the write goes on without it, and the
/// counts that then differ make the lane answer that it is stale.
fn index(
    section: &Section<'_>,
    name: &'static str,
    update: impl FnOnce() -> Fallible<()>,
) -> Fallible<()> {
    let (open, back, release) = match name {
        "lexical" => (
            "SAVEPOINT lexical",
            "ROLLBACK TO lexical",
            "RELEASE lexical",
        ),
        _ => ("SAVEPOINT vector", "ROLLBACK TO vector", "RELEASE vector"),
    };
    let run = |sql: &str| -> Fallible<()> {
        section.database.prepare_cached(sql)?.execute([])?;
        Ok(())
    };
    run(open)?;
    match update() {
        Err(failure) if failure.is_broken_index() => run(back)?,
        done => done?,
    }
    run(release)
}

fn supersede(section: &Section<'_>, old: MemoryId, new: MemoryId) -> Fallible<Fact> {
    let database = section.database;
    let known = exists(
        database,
        "SELECT 1 FROM memory WHERE id = ?1",
        params![new.as_bytes()],
    )?;
    let held: Option<(String, String)> = database
        .prepare_cached("SELECT state, namespace FROM memory WHERE id = ?1")?
        .query_row([old.as_bytes()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((state, namespace)) = held.filter(|_| known) else {
        return Err(refuse(StoreErrorKind::Conflict));
    };
    let state: State = state.parse().map_err(|_| Failure::Unreadable)?;
    if !is_live(state) {
        return Err(refuse(StoreErrorKind::Conflict));
    }
    database
        .prepare_cached(
            "UPDATE memory SET state = 'superseded', superseded_by = ?2, retired_at = ?3, \
             version = version + 1 WHERE id = ?1",
        )?
        .execute(params![
            old.as_bytes(),
            new.as_bytes(),
            section.at.as_millis()
        ])?;
    Ok(Fact {
        op: Op::Supersede,
        result: FactResult::Ok,
        namespace: section.shared.namespace(&namespace)?,
        memory: Some(old),
        detail: Detail::SupersededBy(new),
    })
}

fn put_event(section: &Section<'_>, event: &ToolEvent) -> Fallible<Fact> {
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
    }
    insert_event(section, event)?;
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
    }
    Ok(Fact {
        op: Op::Observe,
        result: FactResult::Ok,
        namespace: event.namespace.clone(),
        memory: None,
        detail: Detail::Event {
            event: event.id,
            outcome: event.outcome,
            receipt: event.receipt,
        },
    })
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

fn put_rule(section: &Section<'_>, rule: &Rule) -> Fallible<Fact> {
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
    }
    Ok(Fact {
        op: Op::Rule,
        result: FactResult::Ok,
        namespace: rule.namespace.clone(),
        memory: Some(rule.memory),
        detail: Detail::Rule(rule.id),
    })
}

fn put_receipt(section: &Section<'_>, receipt: &Receipt) -> Fallible<Fact> {
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
    let op = match receipt.decision {
        Decision::Allow => Op::GuardAllow,
        Decision::Warn => Op::GuardWarn,
        Decision::Block => Op::GuardBlock,
    };
    Ok(Fact {
        op,
        result: FactResult::Ok,
        namespace: receipt.namespace.clone(),
        memory: None,
        detail: Detail::Guard {
            receipt: receipt.id,
            decision: receipt.decision,
            risk_permille: receipt.risk_permille,
        },
    })
}
