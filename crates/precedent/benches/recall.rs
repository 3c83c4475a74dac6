//! Warm recall through the facade, with and without the embedder, over 10,000 memories.
#![expect(
    clippy::print_stdout,
    reason = "the figures are the product of a benchmark"
)]

use std::error::Error;
use std::time::Instant;

use futures_executor::block_on;
use precedent::{Kind, Memory, RememberItem};

use crate::measure::Samples;
use crate::random::Random;

#[path = "../../../benches/measure.rs"]
mod measure;
#[path = "../../../benches/random.rs"]
mod random;
#[path = "../../../benches/text.rs"]
mod text;

const MEMORIES: usize = 10_000;
/// Memories of a commit.
const BATCH: usize = 1_000;
const QUESTIONS: usize = 400;
/// Questions that are asked before the clock runs.
const WARM_UP: usize = 20;
/// Words of a question, out of those of a memory.
const WORDS: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut random = Random::new(2);
    println!("{}; {MEMORIES} memories, times in ms", measure::machine());
    println!("{:18} {:>8} {:>8}", "", "p50", "p95");
    for (name, embeds) in [("with embedder", true), ("words alone", false)] {
        let store = folder.path().join(name);
        let mut builder = Memory::builder(&store.to_string_lossy());
        if !embeds {
            builder = builder.embedder(None);
        }
        let memory = builder.open()?;
        fill(&memory, &mut random)?;
        let mut samples = Samples::default();
        for number in 0..WARM_UP + QUESTIONS {
            let sentence = text::sentence(random.below(MEMORIES), &mut random);
            let words: Vec<&str> = sentence.split(' ').step_by(2).take(WORDS).collect();
            let question = words.join(" ");
            let begun = Instant::now();
            let outcome = block_on(memory.recall(&question));
            if number >= WARM_UP {
                samples.push(begun.elapsed());
            }
            if outcome.hits.is_empty() || !outcome.errors.is_empty() {
                return Err("a recall failed or found nothing".into());
            }
        }
        println!(
            "{name:18} {:8.3} {:8.3}",
            samples.median(),
            samples.percentile(0.95)
        );
    }
    Ok(())
}

fn fill(memory: &Memory, random: &mut Random) -> Result<(), Box<dyn Error>> {
    let items: Vec<RememberItem> = (0..MEMORIES)
        .map(|number| RememberItem {
            kind: Kind::ALL[number % Kind::ALL.len()],
            ..RememberItem::new(text::sentence(number, random))
        })
        .collect();
    for batch in items.chunks(BATCH) {
        block_on(memory.remember_all(batch.to_vec(), None))?;
    }
    Ok(())
}
