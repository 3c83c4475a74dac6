//! The guard as hosts call it: a process for each action, on stores of 10,000 memories and 50 rules
//! with ever more events. `--version` is what starting the program alone costs.
#![expect(
    clippy::print_stdout,
    reason = "the figures are the product of a benchmark"
)]

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use futures_executor::block_on;
use futures_util::future::try_join_all;
use nix::sys::resource::{UsageWho, getrusage};
use precedent::{Action, Ending, Memory, Outcome, RememberItem, Trust};

use crate::measure::Samples;
use crate::random::Random;

#[path = "../../../benches/measure.rs"]
mod measure;
#[path = "../../../benches/random.rs"]
mod random;
#[path = "../../../benches/text.rs"]
mod text;

const PROGRAM: &str = env!("CARGO_BIN_EXE_precedent");
const MEMORIES: usize = 10_000;
const RULES: usize = 50;
const EVENTS: [usize; 3] = [1_000, 10_000, 50_000];
/// Memories of a commit, and events that are written at once.
const BATCH: usize = 500;
/// Runs of each call on the clock.
const RUNS: usize = 200;
/// Calls before the clock runs.
const WARM_UP: usize = 5;
/// The word that makes this program start another one and print its peak memory: what a process
/// inherits of its parent's peak is then small.
const PEAK: &str = "--peak-of";

const PROGRAMS: [&str; 8] = [
    "npm run build",
    "cargo test",
    "git push",
    "terraform apply",
    "pytest",
    "make",
    "docker build",
    "kubectl apply",
];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some((PEAK, call)) = words
        .split_first()
        .map(|(first, rest)| (first.as_str(), rest))
    {
        return print_peak(call);
    }
    let bytes = std::fs::metadata(PROGRAM)?.len();
    println!(
        "{}; binary {:.1} MiB, {RUNS} runs, times in ms",
        measure::machine(),
        mib(bytes)
    );
    println!(
        "{:>7} {:18} {:>8} {:>8} {:>9}",
        "events", "", "p50", "p95", "peak MiB"
    );
    let folder = tempfile::tempdir()?;
    let store = folder.path().to_string_lossy().into_owned();
    let memory = Memory::builder(&store).agent("claude-code").open()?;
    remember(&memory)?;
    let mut written = 0;
    for events in EVENTS {
        observe(&memory, written..events)?;
        written = events;
        for call in calls(&store, folder.path()) {
            measure(events, &call)?;
        }
    }
    Ok(())
}

/// A call of the program.
struct Call {
    name: &'static str,
    words: Vec<String>,
    stdin: String,
}

fn calls(store: &str, folder: &Path) -> Vec<Call> {
    let call = |name, words: &[&str], stdin: String| Call {
        name,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        stdin,
    };
    let event = |command: &str| {
        let cwd = folder.to_string_lossy();
        format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_use_id":"t","cwd":"{cwd}",
            "tool_name":"Bash","tool_input":{{"command":"{command}"}}}}"#
        )
    };
    let hook = [
        "hook",
        "--store",
        store,
        "--host",
        "claude-code",
        "--event",
        "PreToolUse",
    ];
    let guard = |command| {
        [
            "guard",
            "--store",
            store,
            "--agent",
            "claude-code",
            "--command",
            command,
        ]
    };
    vec![
        call("--version", &["--version"], String::new()),
        call(
            "guard, new",
            &guard("rustup component add clippy"),
            String::new(),
        ),
        call(
            "guard, known",
            &guard("cargo test -p package7"),
            String::new(),
        ),
        call("hook, read-only", &hook, event("ls -la")),
        call("hook, known", &hook, event("cargo test -p package7")),
    ]
}

fn measure(events: usize, call: &Call) -> Result<(), Box<dyn Error>> {
    let mut samples = Samples::default();
    for number in 0..WARM_UP + RUNS {
        let took = run(PROGRAM, &call.words, &call.stdin)?;
        if number >= WARM_UP {
            samples.push(took);
        }
    }
    let peak = peak(call)?;
    let (median, high) = (samples.median(), samples.percentile(0.95));
    println!(
        "{events:>7} {:18} {median:8.2} {high:8.2} {peak:9.1}",
        call.name
    );
    Ok(())
}

/// Runs a program to its end.
fn run(program: &str, words: &[String], stdin: &str) -> Result<Duration, Box<dyn Error>> {
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // A call that takes no input may be gone before it is written.
        drop(pipe.write_all(stdin.as_bytes()));
    }
    let status = child.wait()?;
    let took = begun.elapsed();
    // 2 is the guard's answer `block`.
    match status.code() {
        Some(0 | 2) => Ok(took),
        _ => Err(format!("{} ended with {status}", words.join(" ")).into()),
    }
}

/// Returns the peak resident memory of a call, in MiB.
fn peak(call: &Call) -> Result<f64, Box<dyn Error>> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(PEAK)
        .args(&call.words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(call.stdin.as_bytes())?;
    }
    let kib: f64 = String::from_utf8(child.wait_with_output()?.stdout)?
        .trim()
        .parse()?;
    Ok(kib / 1024.0)
}

fn print_peak(call: &[String]) -> Result<(), Box<dyn Error>> {
    let stdin = std::io::read_to_string(std::io::stdin())?;
    run(PROGRAM, call, &stdin)?;
    println!("{}", getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss());
    Ok(())
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn remember(memory: &Memory) -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(3);
    let rules = (0..RULES).map(|number| RememberItem {
        trust: Trust::User,
        ..RememberItem::new(format!("Never run deploy{number} --force"))
    });
    let texts =
        (RULES..MEMORIES).map(|number| RememberItem::new(text::sentence(number, &mut random)));
    let items: Vec<RememberItem> = rules.chain(texts).collect();
    for batch in items.chunks(BATCH) {
        block_on(memory.remember_all(batch.to_vec(), None))?;
    }
    Ok(())
}

/// Records events, one in ten of them a failure; what is written at once shares a transaction.
fn observe(memory: &Memory, numbers: std::ops::Range<usize>) -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(numbers.start as u64);
    let actions: Vec<(Action, Ending)> = numbers.map(|n| action(n, &mut random)).collect();
    for batch in actions.chunks(BATCH) {
        let writes = batch
            .iter()
            .map(|(action, ending)| memory.after(action, ending, None));
        block_on(try_join_all(writes))?;
    }
    Ok(())
}

fn action(number: usize, random: &mut Random) -> (Action, Ending) {
    let program = PROGRAMS[random.below(PROGRAMS.len())];
    let command = format!("{program} -p package{}", random.below(2_000));
    let action = Action {
        tool: "Bash".to_owned(),
        action: command.clone(),
        command: Some(command),
        cwd: Some("/srv/project".to_owned()),
        session: Some(format!("session{}", number / 100)),
        ..Action::default()
    };
    let failed = random.below(10) == 0;
    let ending = Ending {
        error: failed.then(|| format!("exit code 1: step {} failed", random.below(50))),
        ..Ending::new(if failed {
            Outcome::Failed
        } else {
            Outcome::Succeeded
        })
    };
    (action, ending)
}
