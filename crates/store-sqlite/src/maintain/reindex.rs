//! Rebuilding the indexes from the records, in one transaction.

use std::collections::BTreeMap;

use precedent_core::audit::Fact;
use precedent_core::{
    AuditSink, Kind, Maintain, MaintainReport, MaintainStep, analyze, lexical_text,
};
use rusqlite::{Connection, params};

use super::seal_facts;
use crate::codec::{self, Reader, int};
use crate::error::{Failure, Fallible};
use crate::lanes::chunks::{self, Coded};
use crate::lanes::parts::{self, Part};
use crate::lanes::postings::{Document, Posting};
use crate::lanes::{index, tables};
use crate::schema;
use crate::store::Shared;
use crate::writer::in_transaction;

/// Makes every index table anew.
pub(super) fn run(
    database: &Connection,
    shared: &Shared,
    request: &Maintain,
    sink: &dyn AuditSink,
) -> Fallible<MaintainReport> {
    let sealed = in_transaction(database, shared, || {
        let memories = rebuild(database, shared)?;
        let fact = Fact::reindexed(&request.header.namespace, memories);
        seal_facts(database, shared, &request.header, &[fact], sink)
    })?;
    Ok(MaintainReport {
        steps: vec![MaintainStep {
            name: "reindex",
            ok: true,
        }],
        certificates: Vec::new(),
        pending: false,
        head: Some(sealed.head),
    })
}

fn rebuild(database: &Connection, shared: &Shared) -> Fallible<u64> {
    let mut memories = 0;
    for &kind in Kind::ALL {
        database.execute_batch(tables::of(kind).recreate)?;
        for part in parts::all(database, kind)? {
            let mut part = Part {
                id: part.id,
                ..Part::default()
            };
            rebuild_lexical(database, shared, kind, &mut part)?;
            rebuild_vectors(database, kind, &mut part)?;
            parts::update(database, &part)?;
            memories += part.memories;
        }
    }
    let version = analyze::VERSION.to_string();
    schema::set_meta(database, schema::ANALYZER, &version)?;
    Ok(memories)
}

fn rebuild_lexical(
    database: &Connection,
    shared: &Shared,
    kind: Kind,
    part: &mut Part,
) -> Fallible<()> {
    let sql = format!(
        "SELECT {}, seq FROM memory WHERE part = ?1 ORDER BY seq",
        codec::MEMORY
    );
    let mut statement = database.prepare(&sql)?;
    let mut rows = statement.query([part.id])?;
    let mut terms: BTreeMap<String, Vec<Posting>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let memory = Reader::new(row, &shared.config.redactor).memory()?;
        let seq: u32 = row.get("seq")?;
        let document = Document::new(seq, analyze::document(&lexical_text(&memory)))?;
        count(database, part, seq, &document)?;
        for (term, postings) in document.terms {
            terms.entry(term).or_default().extend(postings);
        }
    }
    for (term, postings) in &terms {
        index::append(database, kind, part.id, term, postings)?;
    }
    if part.documents > 0 {
        index::mark(database, kind, part.id, part.documents)?;
    }
    Ok(())
}

fn count(database: &Connection, part: &mut Part, seq: u32, document: &Document) -> Fallible<()> {
    part.memories += 1;
    part.documents += document.documents;
    part.length += document.length;
    database
        .prepare_cached(
            "UPDATE memory SET documents = ?2, length = ?3, postings = ?4 WHERE seq = ?1",
        )?
        .execute(params![
            seq,
            int(document.documents),
            int(document.length),
            int(document.postings)
        ])?;
    Ok(())
}

fn rebuild_vectors(database: &Connection, kind: Kind, part: &mut Part) -> Fallible<()> {
    let mut statement = database.prepare(
        "SELECT seq, v FROM memory JOIN embedding USING (seq) WHERE part = ?1 ORDER BY seq",
    )?;
    let mut rows = statement.query([part.id])?;
    while let Some(row) = rows.next()? {
        let seq: u32 = row.get(0)?;
        let bytes = row.get_ref(1)?.as_blob().map_err(|_| Failure::Unreadable)?;
        let (words, _) = bytes.as_chunks::<4>();
        let vector: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
        let slot = part.slots;
        chunks::write(database, kind, part.id, slot, seq, &Coded::new(&vector))?;
        database
            .prepare_cached("UPDATE embedding SET slot = ?2 WHERE seq = ?1")?
            .execute(params![seq, int(slot)])?;
        part.slots += 1;
        part.vectors += 1;
    }
    Ok(())
}
