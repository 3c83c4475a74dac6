//! What redaction costs: throughput beside scans and copies of the same bytes, latency,
//! allocations, hostile inputs, streams, documents, and the first call of a process.
//!
//! Times are of this thread's processor; what is compared takes turns in one run, and ratios are
//! of medians. Prints a table, or with `--json` one JSON object. Missed targets are told, not
//! failed: timing is no test.
//!
//! `redact [--json]`
#![expect(
    clippy::print_stdout,
    reason = "the figures are the product of a benchmark"
)]

mod figure;
mod hostile;
#[path = "../../../../benches/measure.rs"]
mod measure;
#[path = "../../tests/pieces/mod.rs"]
mod pieces;
#[path = "../../../../benches/random.rs"]
mod random;
mod speed;
#[path = "../../../../benches/trace/mod.rs"]
mod trace;
mod turns;

use std::error::Error;
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use precedent_redact::Redactor;
use serde_json::json;

use figure::{Figure, Target};
use measure::Samples;
use random::Random;

/// Argument that makes the program the child whose first call is timed.
const COLD: &str = "cold";
/// The same with a text that needs every table.
const COLD_FULL: &str = "cold-full";
/// Argument `cargo bench` passes; a test runner, which does not, gets an empty run.
const BENCH: &str = "--bench";
/// New processes to start.
const COLD_RUNS: usize = 15;
/// Argument for JSON in place of the table.
const JSON: &str = "--json";
const SEED: u64 = 20_261_130;
const SIZES: [usize; 4] = [2048, 4096, 8192, 16_384];
/// Milliseconds until the tables are built.
const BUILD: Target = Target::AtMost(50.0);

fn main() -> Result<(), Box<dyn Error>> {
    let asked = |name: &str| std::env::args().any(|argument| argument == name);
    for (name, is_full) in [(COLD, false), (COLD_FULL, true)] {
        if asked(name) {
            println!("{}", first_call(is_full)?.as_nanos());
            return Ok(());
        }
    }
    if !asked(BENCH) {
        return Ok(());
    }
    let as_json = asked(JSON);
    let mut all = Vec::new();
    let mut tell = |title: &str, figures: Vec<Figure>| {
        if !as_json {
            println!("\n{title}");
            for figure in &figures {
                println!("{}", figure.line());
            }
        }
        all.push((title.to_owned(), figures));
    };
    let random = || Random::new(SEED);
    tell(
        "throughput; the goal is 250 MB/s",
        speed::throughputs(&SIZES, &mut random())?,
    );
    tell(
        "latency of one trace of 2 KiB",
        speed::latency(&mut random())?,
    );
    tell("allocations", speed::allocations(&SIZES, &mut random())?);
    tell("first call of a process", cold()?);
    tell("long texts", speed::streams(&mut random())?);
    tell("JSON documents", speed::documents(&mut random())?);
    tell(
        "hostile inputs of 1 MiB, times clean text",
        hostile::figures(&mut random())?,
    );
    summarise(&all, as_json);
    Ok(())
}

/// Ends the table, or prints the whole as JSON.
fn summarise(all: &[(String, Vec<Figure>)], as_json: bool) {
    if as_json {
        let groups = all.iter().map(|(title, figures)| {
            let figures: Vec<_> = figures.iter().map(Figure::json).collect();
            json!({"title": title, "figures": figures})
        });
        let groups: Vec<_> = groups.collect();
        let schema = "precedent.bench-redact/1";
        let machine = measure::machine();
        println!(
            "{}",
            json!({"schema": schema, "machine": machine, "seed": SEED, "groups": groups})
        );
        return;
    }
    let figures = all.iter().flat_map(|(_, figures)| figures);
    let missed = figures.filter(|figure| figure.is_missed()).count();
    println!(
        "\n{}; seed {SEED}; {missed} targets missed",
        measure::machine()
    );
}

/// Times the first redaction of this process.
fn first_call(is_full: bool) -> Result<Duration, Box<dyn Error>> {
    let mut random = Random::new(SEED);
    let mut text = trace::clean(2048, &mut random);
    if is_full {
        for form in 0..trace::FORMS {
            text.push_str(&trace::formed(form, &mut random));
            text.push('\n');
        }
    }
    turns::timed(|| drop(black_box(Redactor::new().redact(&text))))
}

fn cold() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = Vec::new();
    for (name, what) in [(COLD, "clean trace"), (COLD_FULL, "every form of secret")] {
        let mut samples = Samples::default();
        for _ in 0..COLD_RUNS {
            let child = Command::new(std::env::current_exe()?).arg(name).output()?;
            let nanoseconds = String::from_utf8(child.stdout)?.trim().parse()?;
            samples.push(Duration::from_nanos(nanoseconds));
        }
        let name = format!("  {what}");
        figures.push(Figure::new(name, samples.median(), "ms").target(BUILD));
    }
    Ok(figures)
}
