//! Durable writes beside their floor: one `fdatasync` and a bare transaction of the same amount of
//! data; and what group commit makes of many callers. In turn, so that noise hits both.
//!
//! `durable [--writes N]`
#![expect(
    clippy::print_stdout,
    reason = "the figures are the product of a benchmark"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use futures_executor::block_on;
use precedent::{Memory, RememberItem};
use rusqlite::{Connection, params};

use crate::measure::Samples;
use crate::random::Random;

#[path = "../../../measure.rs"]
mod measure;
#[path = "../../../random.rs"]
mod random;
#[path = "../../../text.rs"]
mod text;

/// Writes before the clock runs, so that the indexes are no longer small.
const FILL: usize = 2_000;
/// Writes on the clock by default.
const WRITES: usize = 500;
/// Concurrent callers.
const CALLERS: usize = 64;
/// Writes of each of them.
const EACH: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let named = words.iter().position(|word| word == "--writes");
    let writes = named
        .and_then(|at| words.get(at + 1))
        .map_or(Ok(WRITES), |n| n.parse())?;
    let folder = tempfile::tempdir()?;
    let memory = precedent::open(&folder.path().join("ours").to_string_lossy())?;
    let mut bare = Bare::open(folder.path())?;
    let mut random = Random::new(1);
    let texts: Vec<String> = (0..FILL + writes)
        .map(|number| text::sentence(number, &mut random))
        .collect();
    let (fill, texts) = texts.split_at(FILL);
    block_on(memory.remember_all(fill.iter().map(RememberItem::new).collect(), None))?;
    bare.fill(fill)?;

    let (mut ours, mut sync, mut transaction) =
        (Samples::default(), Samples::default(), Samples::default());
    let mut floor = Samples::default();
    for text in texts {
        ours.push(timed(|| {
            block_on(memory.remember(RememberItem::new(text))).map(drop)
        })?);
        let synced = timed(|| bare.sync())?;
        let written = timed(|| bare.write(text))?;
        sync.push(synced);
        transaction.push(written);
        floor.push(synced + written);
    }
    println!(
        "{}; {writes} writes after {FILL}, times in ms",
        measure::machine()
    );
    println!("{:36} {:>8} {:>8}", "", "p50", "p95");
    for (name, samples) in [
        ("remember, durable, one at a time", &ours),
        ("floor: fdatasync of a small append", &sync),
        ("floor: bare transaction, not synced", &transaction),
        ("floor: both", &floor),
    ] {
        println!(
            "{name:36} {:8.3} {:8.3}",
            samples.median(),
            samples.percentile(0.95)
        );
    }
    println!("ratio of medians: {:.2}", ours.median() / floor.median());
    group_commit(&memory, &mut random, ours.median())
}

fn timed<E>(work: impl FnOnce() -> Result<(), E>) -> Result<Duration, E> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed())
}

fn group_commit(memory: &Memory, random: &mut Random, alone_ms: f64) -> Result<(), Box<dyn Error>> {
    let texts: Vec<String> = (0..CALLERS * EACH)
        .map(|n| text::sentence(1_000_000 + n, random))
        .collect();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let callers: Vec<_> = texts
            .chunks(EACH)
            .map(|texts| {
                scope.spawn(move || {
                    texts.iter().try_for_each(|text| {
                        block_on(memory.remember(RememberItem::new(text))).map(drop)
                    })
                })
            })
            .collect();
        callers.into_iter().try_for_each(|caller| {
            caller
                .join()
                .map_err(|_| "a caller panicked")?
                .map_err(Box::from)
        })
    })
    .map_err(|error: Box<dyn Error + Send + Sync>| error)?;
    let each_ms = begun.elapsed().as_secs_f64() * 1e3 / texts.len() as f64;
    println!(
        "{CALLERS} callers: {each_ms:.3} ms a write, {:.1} times the rate of one",
        alone_ms / each_ms
    );
    Ok(())
}

/// The floor: similar tables with the same amount of data, written without a sync, and a small
/// file that is appended to and synced.
struct Bare {
    database: Connection,
    file: File,
    rows: i64,
}

impl Bare {
    fn open(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let database = Connection::open(folder.join("bare.db"))?;
        database.set_prepared_statement_cache_capacity(32);
        database.execute_batch(
            "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
             PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=256;
             CREATE TABLE memory (seq INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, part INTEGER,
                 attributes TEXT NOT NULL, digest BLOB NOT NULL, text TEXT NOT NULL);
             CREATE INDEX memory_part ON memory (part, id);
             CREATE INDEX memory_digest ON memory (digest);
             CREATE TABLE embedding (seq INTEGER PRIMARY KEY, codes BLOB NOT NULL, v BLOB NOT NULL);
             CREATE TABLE term (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, df INTEGER);
             CREATE TABLE posting (term INTEGER, seq INTEGER, tf INTEGER, len INTEGER,
                 PRIMARY KEY (term, seq)) WITHOUT ROWID;
             CREATE TABLE audit (seq INTEGER PRIMARY KEY, entry BLOB NOT NULL, leaf BLOB NOT NULL);
             CREATE TABLE head (k INTEGER PRIMARY KEY, size INTEGER, hash BLOB);
             CREATE TABLE request (id BLOB PRIMARY KEY, digest BLOB);",
        )?;
        let file = File::options()
            .create(true)
            .append(true)
            .open(folder.join("appended"))?;
        Ok(Self {
            database,
            file,
            rows: 0,
        })
    }

    fn sync(&mut self) -> Result<(), Box<dyn Error>> {
        self.file.write_all(&[1; 4_096])?;
        Ok(self.file.sync_data()?)
    }

    fn fill(&mut self, texts: &[String]) -> Result<(), Box<dyn Error>> {
        self.database.execute_batch("BEGIN IMMEDIATE")?;
        texts.iter().try_for_each(|text| self.insert(text))?;
        Ok(self.database.execute_batch("COMMIT")?)
    }

    fn write(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.database
            .prepare_cached("BEGIN IMMEDIATE")?
            .execute([])?;
        self.insert(text)?;
        self.database.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }

    fn insert(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.rows += 1;
        let (seq, run) = (self.rows, &self.database);
        // As scattered as random ids and digests are.
        let scattered = seq
            .wrapping_mul(0x9e37_79b9_7f4a_7c15_u64.cast_signed())
            .to_be_bytes();
        run.prepare_cached("INSERT INTO memory VALUES (?1, ?2, 1, ?3, ?4, ?5)")?
            .execute(params![
                seq,
                [scattered, scattered].concat(),
                "a".repeat(120),
                [scattered; 4].concat(),
                text
            ])?;
        run.prepare_cached("INSERT INTO embedding VALUES (?1, ?2, ?3)")?
            .execute(params![seq, [1u8; 136], [2u8; 512]])?;
        let mut terms: BTreeMap<&str, i64> = BTreeMap::new();
        for word in text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
        {
            *terms.entry(word).or_default() += 1;
        }
        for (term, frequency) in &terms {
            let id: i64 = run
                .prepare_cached(
                    "INSERT INTO term (term, df) VALUES (?1, 1)
                     ON CONFLICT (term) DO UPDATE SET df = df + 1 RETURNING id",
                )?
                .query_row([term], |row| row.get(0))?;
            run.prepare_cached("INSERT INTO posting VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![id, seq, frequency, terms.len()])?;
        }
        run.prepare_cached("INSERT INTO audit VALUES (?1, ?2, ?3)")?
            .execute(params![seq, [3u8; 480], [4u8; 32]])?;
        run.prepare_cached("INSERT OR REPLACE INTO head VALUES (1, ?1, ?2)")?
            .execute(params![seq, [5u8; 32]])?;
        run.prepare_cached("INSERT INTO request VALUES (?1, ?2)")?
            .execute(params![[scattered, scattered].concat(), [6u8; 32]])?;
        Ok(())
    }
}
