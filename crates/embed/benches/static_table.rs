//! Measures the built-in embedder: opening plus the first embedding in a new process, and a
//! sentence once warm.
//!
//! The cold figure is taken by starting this program again with an argument and letting the
//! child time itself, so that it holds the page faults a hook would pay. `cargo bench` is the
//! way to run it.
#![expect(
    clippy::print_stdout,
    reason = "a benchmark reports on its standard output"
)]

use std::{
    error::Error,
    hint::black_box,
    process::Command,
    time::{Duration, Instant},
};

use precedent_embed::StaticEmbedder;

/// Argument that makes the program the child.
const COLD: &str = "cold";

/// Argument `cargo bench` passes; a test runner, which does not, gets an empty run.
const BENCH: &str = "--bench";

/// New processes to start.
const COLD_RUNS: usize = 101;

/// Timed batches of warm calls, and the calls in one.
const BATCHES: usize = 101;
const CALLS: u32 = 100;

const SENTENCE: &str =
    "Before npm run deploy, run npm run db:generate; the Prisma client was stale.";

fn main() -> Result<(), Box<dyn Error>> {
    let asked = |name: &str| std::env::args().any(|argument| argument == name);
    if asked(COLD) {
        println!("{}", first()?.as_nanos());
        return Ok(());
    }
    if !asked(BENCH) {
        return Ok(());
    }
    let mut cold = Vec::new();
    for _ in 0..COLD_RUNS {
        let child = Command::new(std::env::current_exe()?).arg(COLD).output()?;
        let nanoseconds = String::from_utf8(child.stdout)?.trim().parse()?;
        cold.push(Duration::from_nanos(nanoseconds));
    }
    report("open and first embedding, new process", cold);

    let accented = SENTENCE.replace('e', "é");
    report("warm, 76 characters, ASCII", warm(SENTENCE)?);
    report("warm, 76 characters, accented", warm(&accented)?);
    let long: String = SENTENCE.chars().cycle().take(65_536).collect();
    report("warm, 64 KiB", warm(&long)?);
    Ok(())
}

/// Times opening the embedder and its first vector.
fn first() -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    let embedder = StaticEmbedder::new();
    black_box(embedder.embed_text(black_box(SENTENCE))?);
    Ok(start.elapsed())
}

/// Times batches of calls once everything is in the caches.
fn warm(text: &str) -> Result<Vec<Duration>, Box<dyn Error>> {
    let embedder = StaticEmbedder::new();
    let calls = if text.len() > 1_000 { 1 } else { CALLS };
    let mut times = Vec::new();
    for _ in 0..BATCHES {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(embedder.embed_text(black_box(text))?);
        }
        times.push(start.elapsed() / calls);
    }
    Ok(times)
}

/// Prints the middle and the ends of the times.
fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!(
        "{name}: median {:?}, 10% {:?}, 90% {:?}",
        at(50),
        at(10),
        at(90)
    );
}
