//! A governed write against the bare store's, the same data one by one, and an import in batches.
#![expect(
    clippy::print_stdout,
    reason = "the figures are the product of a benchmark"
)]

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use futures_executor::block_on;
use precedent::crates::audit::key::KeySet;
use precedent::crates::audit::sealer::{Origin, Sealer};
use precedent::crates::core::{
    AuditSink, Change, Clock, Commit, CommitId, Digest, Durability, EmbedKind, Embedder, IdSource,
    Memory as Record, PutMemory, Store, StoreId,
};
use precedent::crates::embed::StaticEmbedder;
use precedent::{Memory, MemoryId, Principal, RememberItem, SystemClock, UlidSource, parse_line};
use precedent_store_sqlite::{SqliteConfig, SqliteStore};

use crate::measure::Samples;
use crate::random::Random;

#[path = "../../../benches/measure.rs"]
mod measure;
#[path = "../../../benches/random.rs"]
mod random;
#[path = "../../../benches/text.rs"]
mod text;

const WRITES: usize = 2_000;
/// Lines of the import, and how many of them go together.
const LINES: usize = 20_000;
const BATCH: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let memory = Memory::builder(&folder.path().join("governed").to_string_lossy()).open()?;
    let bare = Bare::open(&folder.path().join("bare.db"), memory.principal().clone())?;
    let mut random = Random::new(3);
    let (mut governed_ms, mut bare_ms) = (Samples::default(), Samples::default());
    for number in 0..WRITES {
        let sentence = text::sentence(number, &mut random);
        let begun = Instant::now();
        block_on(memory.remember(sentence.as_str()))?;
        governed_ms.push(begun.elapsed());
        bare_ms.push(bare.write(&sentence)?);
    }
    println!(
        "{}; {WRITES} durable writes, times in ms",
        measure::machine()
    );
    println!("{:18} {:>8} {:>8}", "", "p50", "p95");
    for (name, samples) in [("governed", &governed_ms), ("bare store", &bare_ms)] {
        println!(
            "{name:18} {:8.3} {:8.3}",
            samples.median(),
            samples.percentile(0.95)
        );
    }
    println!(
        "ratio of medians   {:8.2}",
        governed_ms.median() / bare_ms.median()
    );
    import(&memory, &mut random)
}

/// Brings in lines of which every fourth states something under a key.
fn import(memory: &Memory, random: &mut Random) -> Result<(), Box<dyn Error>> {
    let now = SystemClock.now();
    let line = |number: usize, random: &mut Random| {
        let text = text::sentence(number, random);
        let key = number % 1_000;
        if number.is_multiple_of(4) {
            format!(
                r#"{{"text":"{text}","claim":{{"subject":"service {key}","key":"owner","value":"{number}"}}}}"#
            )
        } else {
            format!(r#"{{"text":"{text}"}}"#)
        }
    };
    let lines: Vec<String> = (0..LINES).map(|number| line(number, random)).collect();
    let begun = Instant::now();
    for (place, batch) in lines.chunks(BATCH).enumerate() {
        let items: Result<Vec<RememberItem>, _> =
            batch.iter().map(|line| parse_line(line, now)).collect();
        block_on(memory.import(items?, &format!("bench/{place}")))?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a count of lines is small")]
    let rate = LINES as f64 / seconds;
    println!("import             {rate:8.0} lines a second");
    Ok(())
}

/// The store without what governs it: the vector is made, the row and its indexes are written, the
/// log is sealed.
struct Bare {
    store: SqliteStore,
    sink: Arc<dyn AuditSink>,
    embedder: StaticEmbedder,
    ids: UlidSource,
    by: Principal,
}

impl Bare {
    fn open(path: &std::path::Path, by: Principal) -> Result<Self, Box<dyn Error>> {
        let embedder = StaticEmbedder::new();
        let mut config = SqliteConfig::new(path, StoreId::from_bytes([7; 16]));
        config.space = Some(embedder.space().clone());
        let keys = KeySet::ephemeral()?;
        let sink = Sealer::new(Origin::parse("bench.local/write")?, Arc::new(keys));
        Ok(Self {
            store: SqliteStore::open(config)?,
            sink: Arc::new(sink),
            embedder,
            ids: UlidSource::default(),
            by,
        })
    }

    fn write(&self, sentence: &str) -> Result<std::time::Duration, Box<dyn Error>> {
        let begun = Instant::now();
        let at = SystemClock.now();
        let id = MemoryId::from_bytes(self.ids.next(at));
        let text = precedent::Redactor::new().clean(sentence);
        let vector = block_on(self.embedder.embed(EmbedKind::Document, &[&text])).pop();
        let digest = Digest::from_bytes([0; 32]);
        let (namespace, agent) = (self.by.namespace.clone(), self.by.agent.clone());
        let memory = Record::new(id, namespace, agent, self.by.actor.clone(), text);
        let put = PutMemory {
            memory,
            vector: vector.and_then(Result::ok),
            digest,
            echo: digest,
        };
        let commit = Commit {
            header: self.by.header(CommitId::from_bytes(self.ids.next(at)), at),
            durability: Durability::Full,
            request: digest,
            expects: Vec::new(),
            changes: vec![Change::Put(Box::new(put))],
        };
        block_on(self.store.commit(commit, self.sink.clone()))?;
        Ok(begun.elapsed())
    }
}
