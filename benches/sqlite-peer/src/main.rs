//! Hybrid recall beside hand-written recall on sqlite-vec and FTS5: the same data, in one process,
//! question by question in turn, so that what else the machine does hits both.
//!
//! `sqlite-peer [--quick] [--stores FOLDER]`: `--quick` leaves out the large stores; a folder keeps
//! the stores for the next run, which has to be of the same version.
#![expect(
    clippy::print_stdout,
    reason = "the figures are the product of a benchmark"
)]

use std::error::Error;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};
use precedent_core::Lane;

use crate::data::{Data, Question};
use crate::measure::Samples;
use crate::ours::Ours;
use crate::peer::Peer;

mod data;
#[path = "../../measure.rs"]
mod measure;
mod ours;
mod peer;
#[path = "../../random.rs"]
mod random;

/// Hits that are asked for.
const LIMIT: usize = 12;
/// Candidates of a lane.
const DEPTH: usize = 50;
/// Questions that are asked before the clock runs.
const WARM_UP: usize = 5;

/// What is measured.
const TASKS: [(&str, Option<Lane>); 3] = [
    ("hybrid", None),
    ("vector", Some(Lane::Vector)),
    ("lexical", Some(Lane::Lexical)),
];

/// Time on the clock and on this thread's processor.
#[derive(Default)]
struct Times {
    wall: Samples,
    cpu: Samples,
}

impl Times {
    fn measure<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, Box<dyn Error>> {
        let (wall, cpu) = (Instant::now(), thread_time()?);
        let done = work();
        self.cpu.push(thread_time()?.saturating_sub(cpu));
        self.wall.push(wall.elapsed());
        Ok(done)
    }
}

fn thread_time() -> Result<Duration, Box<dyn Error>> {
    Ok(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?.into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let quick = words.iter().any(|word| word == "--quick");
    let kept = words.iter().position(|word| word == "--stores");
    let kept = kept.and_then(|at| words.get(at + 1)).map(PathBuf::from);
    peer::register()?;
    println!(
        "{}; times in ms, k = {LIMIT}, lanes of {DEPTH}",
        measure::machine()
    );
    println!(
        "{:>8} {:>4} {:8} {:>31} {:>31} {:>11}",
        "memories", "dim", "", "ours: p50, p95, cpu p50", "peer: p50, p95, cpu p50", "ratio, cpu"
    );
    let sizes: &[(usize, usize)] = if quick {
        &[(10_000, 200)]
    } else {
        &[(10_000, 200), (100_000, 100)]
    };
    for &(memories, questions) in sizes {
        for dimension in [384, 128] {
            let data = Data::new(memories, dimension, questions);
            let own = tempfile::tempdir()?;
            let folder = match &kept {
                Some(kept) => kept.join(format!("{memories}-{dimension}")),
                None => own.path().to_owned(),
            };
            std::fs::create_dir_all(&folder)?;
            compare(&data, &folder)?;
        }
    }
    Ok(())
}

fn compare(data: &Data, folder: &Path) -> Result<(), Box<dyn Error>> {
    let (memories, dimension) = (data.texts.len(), data.dimension);
    progress(&format!("filling stores of {memories} memories"));
    let ours = Ours::open(&folder.join("ours.db"), data)?;
    let peer = Peer::open(&folder.join("peer.db"), data)?;
    for (name, lane) in TASKS {
        progress(&format!("asking: {name}"));
        let (mut us, mut them) = (Times::default(), Times::default());
        for question in data.questions.iter().take(WARM_UP) {
            ask(
                &ours,
                &peer,
                question,
                lane,
                &mut Times::default(),
                &mut Times::default(),
            )?;
        }
        let mut shares = [0, 0];
        for question in &data.questions {
            let answers = ask(&ours, &peer, question, lane, &mut us, &mut them)?;
            if lane == Some(Lane::Vector) {
                let exact = data.nearest(question, LIMIT);
                for (share, answer) in shares.iter_mut().zip(&answers) {
                    *share += answer
                        .iter()
                        .filter(|number| exact.contains(number))
                        .count();
                }
            }
        }
        progress("");
        println!(
            "{memories:>8} {dimension:>4} {name:8} {} {} {:5.1} {:5.1}",
            row(&us),
            row(&them),
            them.wall.median() / us.wall.median(),
            them.cpu.median() / us.cpu.median()
        );
        if lane == Some(Lane::Vector) {
            let all = (data.questions.len() * LIMIT) as f64;
            let [us, them] = shares.map(|share| f64::from(share as u32) / all);
            println!("{memories:>8} {dimension:>4} recall@{LIMIT} ours {us:.4}, peer {them:.4}");
        }
    }
    Ok(())
}

/// Asks both sides the same; returns the answers of ours and the peer's.
fn ask(
    ours: &Ours,
    peer: &Peer,
    question: &Question,
    lane: Option<Lane>,
    us: &mut Times,
    them: &mut Times,
) -> Result<[Vec<usize>; 2], Box<dyn Error>> {
    let mine = us.measure(|| match lane {
        None => ours.hybrid(question),
        Some(lane) => ours.lane(question, lane),
    })??;
    let theirs = them.measure(|| match lane {
        None => peer.hybrid(question),
        Some(lane) => peer.lane(question, lane),
    })??;
    Ok([mine, theirs])
}

fn row(times: &Times) -> String {
    format!(
        "{:11.2} {:9.2} {:9.2}",
        times.wall.median(),
        times.wall.percentile(0.95),
        times.cpu.median()
    )
}

/// Overwrites a line on a terminal.
#[expect(clippy::print_stderr, reason = "progress goes to the terminal alone")]
fn progress(what: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{what}");
    }
}
