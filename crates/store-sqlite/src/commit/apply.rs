//! The changes of a commit, and those of memories themselves; each gives the fact that is sealed.

use precedent_core::audit::Fact;
use precedent_core::{
    Change, Kind, MemoryId, PutMemory, StoreErrorKind, Timestamp, analyze, lexical_text, vector,
};
use rusqlite::params;

use super::expect::is_absent;
use super::{Section, correct, erase, names, records, refuse};
use crate::codec::{
    int, json_claim, json_ids, json_list, json_map, json_mentions, owner_column, readers_column,
};
use crate::error::Fallible;
use crate::lanes::chunks::{self, Coded};
use crate::lanes::parts::{self, Part};
use crate::lanes::postings::Document;
use crate::lanes::staged;
use crate::points::fail_point;
use crate::schema;

/// Applies one change.
pub(super) fn apply(section: &Section<'_>, change: Change) -> Fallible<Fact> {
    match change {
        Change::Put(put) => put_memory(section, *put),
        Change::Supersede { old, new, ends } => correct::supersede(section, old, new, ends),
        Change::Transition(transition) => correct::transition(section, &transition),
        Change::Entity(entity) => names::put(section, &entity),
        Change::Alias { entity, alias } => names::add(section, entity, &alias),
        Change::Contradict(contradiction) => correct::contradict(section, &contradiction),
        Change::Resolve {
            contradiction,
            resolution,
        } => correct::resolve(section, contradiction, &resolution),
        Change::Event(event) => records::put_event(section, &event),
        Change::Rule(rule) => records::put_rule(section, &rule),
        Change::Receipt(receipt) => records::put_receipt(section, &receipt),
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
    names::mention(section, memory)?;
    fail_point!(section.shared);
    let vector = accepted(section, put.vector.as_deref())?;
    let owner = owner_column(memory.private, &memory.agent);
    let readers = readers_column(&memory.readers);
    let namespace = memory.namespace.as_str();
    let mut part = parts::find_or_make(database, memory.kind, namespace, owner, &readers)?;
    fail_point!(section.shared);
    let chunks = analyze::document(&lexical_text(memory));
    let seq = next_seq(section)?;
    let document = Document::new(seq, chunks)?;
    insert_memory(section, &put, seq, part.id, &document)?;
    fail_point!(section.shared);
    part.memories += 1;
    part.documents += document.documents;
    part.length += document.length;
    unless_broken(section, "lexical", || {
        staged::put(database, memory.kind, part.id, seq, &document)
    })?;
    if let Some(vector) = vector {
        put_vector(section, &put, &mut part, seq, vector)?;
    }
    fail_point!(section.shared);
    parts::update(database, &part)?;
    Ok(Fact::written(memory, vector.is_none()))
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
            fail_point!(section.shared);
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
    let ms = |at: Option<Timestamp>| at.map(Timestamp::as_millis);
    section
        .database
        .prepare_cached(
            "INSERT INTO memory (seq, id, part, state, source, trust, valid_from, valid_to, since, \
             recorded_at, tags, kind, namespace, owner, readers, retired_at, salience, \
             classification, version, supersedes, superseded_by, digest, echo, topic, documents, \
             length, postings, agent, actor, claim, mentions, derived_from, context, text) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, \
             ?17, 1, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32)",
        )?
        .execute(params![
            seq,
            memory.id.as_bytes(),
            part,
            memory.state.as_str(),
            memory.source.as_str(),
            memory.trust.as_str(),
            ms(memory.valid_from),
            ms(memory.valid_to),
            section.at.as_millis(),
            json_list(&memory.tags),
            memory.kind.as_str(),
            memory.namespace.as_str(),
            owner_column(memory.private, &memory.agent),
            readers_column(&memory.readers),
            (!memory.state.is_in_force()).then(|| section.at.as_millis()),
            memory.salience.permille(),
            memory.classification.as_str(),
            memory.supersedes.as_ref().map(MemoryId::as_bytes),
            memory.superseded_by.as_ref().map(MemoryId::as_bytes),
            put.digest.as_bytes(),
            put.echo.as_bytes(),
            memory
                .claim
                .as_ref()
                .map(|claim| claim.topic().as_str().to_owned()),
            int(document.documents),
            int(document.length),
            int(document.postings),
            memory.agent.as_str(),
            memory.actor.as_str(),
            memory.claim.as_ref().map(json_claim),
            json_mentions(&memory.mentions),
            json_ids(&memory.derived_from),
            json_map(&memory.context),
            &*memory.text
        ])?;
    fail_point!(section.shared);
    for source in &memory.derived_from {
        section
            .database
            .prepare_cached("INSERT OR IGNORE INTO lineage (source, memory) VALUES (?1, ?2)")?
            .execute(params![source.as_bytes(), memory.id.as_bytes()])?;
        fail_point!(section.shared);
    }
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
    fail_point!(section.shared);
    part.slots += 1;
    part.vectors += 1;
    let (database, kind, part) = (section.database, put.memory.kind, part.id);
    unless_broken(section, "vector", || {
        chunks::write(database, kind, part, slot, seq, &Coded::new(vector))
    })
}

/// Folds a kind's staged postings if they have reached the limit. What a broken index cannot take
/// is dropped, or every later commit would try again: the lane is stale either way.
pub(super) fn fold(section: &Section<'_>, kind: Kind) -> Fallible<()> {
    let (database, limit) = (section.database, section.shared.config.staged());
    let full = match staged::is_full(database, kind, limit) {
        Err(failure) if failure.is_broken_index() => return Ok(()),
        full => full?,
    };
    if !full {
        return Ok(());
    }
    fail_point!(section.shared);
    unless_broken(section, "lexical", || staged::fold(database, kind))?;
    fail_point!(section.shared);
    unless_broken(section, "lexical", || staged::clear(database, kind))
}

/// Runs an update of an index; where the index is broken the write goes on without it, and the
/// counts that then differ make the lane answer that it is stale.
fn unless_broken(
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
    fail_point!(section.shared);
    match update() {
        Err(failure) if failure.is_broken_index() => run(back)?,
        done => done?,
    }
    fail_point!(section.shared);
    run(release)
}
