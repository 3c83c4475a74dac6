//! The peer: recall as it is usually written by hand, on sqlite-vec and FTS5.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use precedent_core::Lane;
use rusqlite::{Connection, params};

use crate::data::{Data, Question};
use crate::{DEPTH, LIMIT};

/// The usual constant of reciprocal rank fusion.
const K: f64 = 60.0;

/// The peer's store, filled.
pub struct Peer {
    database: Connection,
}

/// Registers sqlite-vec for every connection that is opened from now on.
#[expect(
    unsafe_code,
    reason = "an extension's entry point comes in without its signature"
)]
pub fn register() -> Result<(), Box<dyn Error>> {
    type Entry = rusqlite::auto_extension::RawAutoExtension;
    // SAFETY: `sqlite3_vec_init` is an SQLite extension's entry point, which has this signature
    // (https://www.sqlite.org/loadext.html); the binding declares it without arguments.
    unsafe {
        let entry: Entry = std::mem::transmute(sqlite_vec::sqlite3_vec_init as *const ());
        rusqlite::auto_extension::register_auto_extension(entry)?;
    }
    Ok(())
}

impl Peer {
    /// Opens the database at `path`, and fills it if it is new.
    pub fn open(path: &Path, data: &Data) -> Result<Self, Box<dyn Error>> {
        let new = !path.exists();
        let mut database = Connection::open(path)?;
        database.set_prepared_statement_cache_capacity(32);
        // What our reading connections have.
        database.execute_batch(
            "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA cache_size=-4096;
             PRAGMA temp_store=MEMORY;",
        )?;
        if new {
            fill(&mut database, data)?;
        }
        Ok(Self { database })
    }

    /// Recalls by both indexes and fuses by reciprocal rank; returns the memories' numbers, best
    /// first, read with their text.
    pub fn hybrid(&self, question: &Question) -> Result<Vec<usize>, Box<dyn Error>> {
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for lane in [Lane::Vector, Lane::Lexical] {
            for (rank, number) in self.search(question, lane)?.into_iter().enumerate() {
                *scores.entry(number).or_default() += 1.0 / (K + 1.0 + rank as f64);
            }
        }
        let mut ranked: Vec<_> = scores.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.truncate(LIMIT);
        let mut statement = self
            .database
            .prepare_cached("SELECT text, kind, state FROM memory WHERE seq = ?1")?;
        for (number, _) in &ranked {
            let read = |row: &rusqlite::Row<'_>| -> rusqlite::Result<[String; 3]> {
                Ok([row.get(0)?, row.get(1)?, row.get(2)?])
            };
            std::hint::black_box(statement.query_row([seq(*number)], read)?);
        }
        Ok(ranked.into_iter().map(|(number, _)| number).collect())
    }

    /// Asks one index alone.
    pub fn lane(&self, question: &Question, lane: Lane) -> Result<Vec<usize>, Box<dyn Error>> {
        let mut found = self.search(question, lane)?;
        found.truncate(LIMIT);
        Ok(found)
    }

    fn search(&self, question: &Question, lane: Lane) -> Result<Vec<usize>, Box<dyn Error>> {
        let read = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        let depth = i64::try_from(DEPTH)?;
        let rows: Vec<i64> = match lane {
            Lane::Vector => self
                .database
                .prepare_cached(
                    "SELECT seq, distance FROM embedding WHERE v MATCH ?1 AND k = ?2
                     ORDER BY distance",
                )?
                .query_map(params![bytes(&question.vector), depth], read)?
                .collect::<Result<_, _>>()?,
            Lane::Lexical => self
                .database
                .prepare_cached(
                    "SELECT rowid, rank FROM words WHERE words MATCH ?1 ORDER BY rank LIMIT ?2",
                )?
                .query_map(params![any_of(&question.text), depth], read)?
                .collect::<Result<_, _>>()?,
        };
        let numbers = rows.into_iter().map(|seq| usize::try_from(seq - 1));
        Ok(numbers.collect::<Result<_, _>>()?)
    }
}

/// Returns the row of the memory with this number; rows count from 1.
fn seq(number: usize) -> i64 {
    i64::try_from(number + 1).expect("there are fewer memories than rows can be counted")
}

/// Quotes each word and joins them with OR.
fn any_of(text: &str) -> String {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    words.join(" OR ")
}

fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn fill(database: &mut Connection, data: &Data) -> Result<(), Box<dyn Error>> {
    let dimension = data.dimension;
    let section = database.transaction()?;
    section.execute_batch(&format!(
        "CREATE TABLE memory (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, kind TEXT NOT NULL,
             state TEXT NOT NULL);
         CREATE VIRTUAL TABLE words USING fts5
             (text, content='memory', content_rowid='seq', tokenize='porter unicode61');
         CREATE VIRTUAL TABLE embedding USING vec0
             (seq INTEGER PRIMARY KEY, v float[{dimension}] distance_metric=cosine);"
    ))?;
    for (number, (text, vector)) in data.texts.iter().zip(&data.vectors).enumerate() {
        let seq = seq(number);
        section
            .prepare_cached("INSERT INTO memory VALUES (?1, ?2, 'episodic', 'active')")?
            .execute(params![seq, text])?;
        section
            .prepare_cached("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?
            .execute(params![seq, text])?;
        section
            .prepare_cached("INSERT INTO embedding (seq, v) VALUES (?1, ?2)")?
            .execute(params![seq, bytes(vector)])?;
    }
    section.commit()?;
    Ok(())
}
