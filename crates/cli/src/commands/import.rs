//! `import`: brings memories in from a file, one JSON object a line, batch by batch.
//!
//! A batch is one commit under a key made of what it holds, so that an import that was interrupted
//! goes on where it stopped when it is run again.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use precedent::{Memory, RememberItem, Timestamp, WriteOutcome, parse_line};
use serde_json::{Value, json};

use super::{Ended, wait};
use crate::args::{Global, ImportArgs};
use crate::exit::{Exit, Failure};
use crate::output::{Line, Output, Progress, note, print};
use crate::settings;

/// How many lines are brought in together.
const BATCH: usize = 256;
/// Longest line, in bytes; a memory's own limit is far below.
const LINE_BYTES: u64 = 1024 * 1024;
/// How many faults are told; `--jsonl` tells all of them.
const FAULTS_TOLD: usize = 100;

pub(super) fn run(global: &Global, output: Output, args: &ImportArgs) -> Ended {
    let memory = settings::open(global)?;
    let (mut lines, bytes) = open(&args.file)?;
    let mut import = Import {
        memory: &memory,
        output,
        jsonl: args.jsonl,
        untrusted: args.untrusted,
        progress: Progress::of_bytes(bytes),
        counts: Counts::default(),
        batches: 0,
        batch: Vec::new(),
    };
    let mut number = 0;
    while let Some(line) = next_line(&mut lines)? {
        number += 1;
        import.progress.add(line.bytes);
        import.take(number, line)?;
    }
    import.flush()?;
    import.finish()
}

/// Opens the file, or stdin, and tells how long it is where that is known.
fn open(path: &Path) -> Result<(Box<dyn BufRead>, Option<u64>), Failure> {
    if path.as_os_str() == "-" {
        return Ok((Box::new(BufReader::new(std::io::stdin())), None));
    }
    let failed = |error| Failure::Io("reading the file", error);
    let file = File::open(path).map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    Ok((Box::new(BufReader::new(file)), Some(bytes)))
}

/// A line as it was read.
struct Read1 {
    /// How many bytes it took, with its end.
    bytes: u64,
    /// The line, unless it is too long or no UTF-8.
    text: Result<String, &'static str>,
}

fn next_line(lines: &mut Box<dyn BufRead>) -> Result<Option<Read1>, Failure> {
    let failed = |error| Failure::Io("reading the file", error);
    let mut line = Vec::new();
    let mut bytes = lines
        .by_ref()
        .take(LINE_BYTES)
        .read_until(b'\n', &mut line)
        .map_err(failed)? as u64;
    if bytes == 0 {
        return Ok(None);
    }
    if bytes == LINE_BYTES && line.last() != Some(&b'\n') {
        bytes += lines.skip_until(b'\n').map_err(failed)? as u64;
        let text = Err("the line is longer than 1 MiB; split it");
        return Ok(Some(Read1 { bytes, text }));
    }
    let text = String::from_utf8(line).map_err(|_| "the line is not valid UTF-8; convert it first");
    Ok(Some(Read1 { bytes, text }))
}

#[derive(Default)]
struct Counts {
    stored: u64,
    deduplicated: u64,
    rejected: u64,
    failed: u64,
    /// The first lines that were left out, with the reason.
    faults: Vec<(u64, String)>,
}

/// A line on its way in.
struct Pending {
    number: u64,
    line: String,
    item: RememberItem,
}

struct Import<'a> {
    memory: &'a Memory,
    output: Output,
    jsonl: bool,
    untrusted: bool,
    progress: Progress,
    counts: Counts,
    batches: u64,
    batch: Vec<Pending>,
}

impl Import<'_> {
    fn take(&mut self, number: u64, line: Read1) -> Result<(), Failure> {
        let line = match line.text {
            Ok(line) if line.trim().is_empty() => return Ok(()),
            // Some editors begin a file with a byte order mark.
            Ok(line) => line
                .strip_prefix('\u{feff}')
                .map_or(line.clone(), str::to_owned),
            Err(fault) => return self.fault(number, fault),
        };
        match parse_line(line.trim(), now()) {
            Err(fault) => self.fault(number, &fault.to_string()),
            Ok(item) => {
                let item = RememberItem {
                    untrusted: self.untrusted,
                    ..item
                };
                self.batch.push(Pending { number, line, item });
                if self.batch.len() == BATCH {
                    self.flush()?;
                }
                Ok(())
            }
        }
    }

    /// Brings the batch in.
    fn flush(&mut self) -> Result<(), Failure> {
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        let lines: Vec<&str> = batch.iter().map(|pending| pending.line.as_str()).collect();
        let key = format!(
            "import/{}/{}\n{}",
            self.batches,
            self.untrusted,
            lines.join("\n")
        );
        self.batches += 1;
        let items = batch.iter().map(|pending| pending.item.clone()).collect();
        let outcomes = wait(self.memory.import(items, &key))?;
        for (pending, outcome) in batch.iter().zip(outcomes) {
            match outcome {
                Ok(outcome) => self.tell(pending.number, outcome)?,
                Err(error) => self.fault(pending.number, &error.to_string())?,
            }
        }
        Ok(())
    }

    fn tell(&mut self, number: u64, outcome: WriteOutcome) -> Result<(), Failure> {
        match outcome {
            WriteOutcome::Stored { .. } => self.counts.stored += 1,
            WriteOutcome::Deduplicated { .. } => self.counts.deduplicated += 1,
            WriteOutcome::Rejected { .. } => self.counts.rejected += 1,
        }
        if !self.jsonl {
            return Ok(());
        }
        let mut told = serde_json::to_value(outcome).unwrap_or_default();
        told["line"] = json!(number);
        print(&Line::json(&told))
    }

    /// Tells that a line is left out.
    fn fault(&mut self, number: u64, why: &str) -> Result<(), Failure> {
        self.counts.failed += 1;
        if self.counts.faults.len() < FAULTS_TOLD {
            self.counts.faults.push((number, why.to_owned()));
        }
        if self.jsonl {
            let told: Value = json!({ "line": number, "outcome": "failed", "why": why });
            return print(&Line::json(&told));
        }
        Ok(())
    }

    fn finish(mut self) -> Ended {
        self.progress.finish();
        self.counts.faults.sort();
        let counts = &self.counts;
        let told = format!(
            "{} stored, {} known already, {} rejected, {} left out",
            counts.stored, counts.deduplicated, counts.rejected, counts.failed
        );
        if self.jsonl {
            note(&Line::words(&told));
        } else {
            let fault = |(line, why): &(u64, String)| json!({ "line": line, "why": why });
            let result = json!({
                "stored": counts.stored,
                "deduplicated": counts.deduplicated,
                "rejected": counts.rejected,
                "failed": counts.failed,
                "faults": counts.faults.iter().map(fault).collect::<Vec<_>>(),
            });
            self.output.emit("import", &result, || {
                let faults = counts.faults.iter();
                let faults = faults.map(|(line, why)| format!("line {line}: {why}"));
                faults.chain([told]).collect::<Vec<_>>().join("\n")
            })?;
        }
        match counts.failed {
            0 => Ok(Exit::Success),
            failed => Err(Failure::BrokenLines(failed)),
        }
    }
}

/// The present instant, for telling what lies in the future.
fn now() -> Timestamp {
    use precedent::crates::core::Clock;
    precedent::SystemClock.now()
}
