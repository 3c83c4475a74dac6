//! What the tasks print: results everywhere, progress and colour only on a
//! terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Prints results and remembers them for the summary.
pub(crate) struct Report {
    terminal: bool,
    colour: bool,
    passed: Vec<String>,
    failed: Vec<String>,
    skipped: Vec<String>,
    started: Instant,
}

impl Report {
    /// Looks at standard output once; `NO_COLOR` (no-color.org) is honoured.
    pub(crate) fn new() -> Self {
        let terminal = std::io::stdout().is_terminal();
        Self {
            terminal,
            colour: terminal && crate::cargo::environment("NO_COLOR").is_none(),
            passed: Vec::new(),
            failed: Vec::new(),
            skipped: Vec::new(),
            started: Instant::now(),
        }
    }

    /// Prints one line on standard output.
    pub(crate) fn line(&self, text: &str) {
        // A closed pipe is the reader's choice; the exit code still tells.
        let _ = writeln!(std::io::stdout().lock(), "{text}");
    }

    /// Prints an error on standard error.
    pub(crate) fn error(&self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "error: {text}");
    }

    /// Runs a step, prints its result and its complaints; true when it passed.
    pub(crate) fn step(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<Outcome, crate::Failure>,
    ) -> bool {
        if self.terminal {
            self.line(&self.paint("2", &format!("     {name} ...")));
        }
        let started = Instant::now();
        let outcome = work();
        let took = seconds(started.elapsed());
        match outcome {
            Ok(Outcome { complaints, notes }) => {
                for note in &notes {
                    self.line(&format!("note {name}: {note}"));
                }
                if complaints.is_empty() {
                    self.line(&format!("{} {name} ({took})", self.paint("32", "ok  ")));
                    self.passed.push(name.to_owned());
                    return true;
                }
                for complaint in &complaints {
                    self.line(&format!("     {name}: {complaint}"));
                }
            }
            Err(failure) => self.line(&format!("     {name}: {failure}")),
        }
        self.line(&format!("{} {name} ({took})", self.paint("31", "FAIL")));
        self.failed.push(name.to_owned());
        false
    }

    /// Records a step that was not run.
    pub(crate) fn skip(&mut self, name: &str) {
        self.skipped.push(name.to_owned());
    }

    /// True while no step has failed.
    pub(crate) fn is_clean(&self) -> bool {
        self.failed.is_empty()
    }

    /// Prints the closing line; true when every step passed.
    pub(crate) fn summary(&self, task: &str) -> bool {
        self.line(&summary_line(
            task,
            &self.passed,
            &self.failed,
            &self.skipped,
            self.started.elapsed(),
        ));
        self.is_clean()
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// What a step found: complaints fail it, notes do not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// What is wrong, one line each.
    pub(crate) complaints: Vec<String>,
    /// What is worth knowing, one line each.
    pub(crate) notes: Vec<String>,
}

impl Outcome {
    /// An outcome without notes.
    pub(crate) fn from_complaints(complaints: Vec<String>) -> Self {
        Self {
            complaints,
            notes: Vec::new(),
        }
    }
}

fn summary_line(
    task: &str,
    passed: &[String],
    failed: &[String],
    skipped: &[String],
    took: Duration,
) -> String {
    let took = seconds(took);
    if failed.is_empty() {
        return format!("{task}: passed in {took}: {}", passed.join(", "));
    }
    let mut line = format!("{task}: FAILED in {took}: {}", failed.join(", "));
    if !skipped.is_empty() {
        line.push_str(&format!("; not run: {}", skipped.join(", ")));
    }
    line
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn summary_names_what_passed() {
        let line = summary_line(
            "test",
            &owned(&["fmt", "tidy"]),
            &[],
            &[],
            Duration::from_secs(2),
        );
        assert_eq!(line, "test: passed in 2.0 s: fmt, tidy");
    }

    #[test]
    fn summary_names_what_failed_and_what_was_left_out() {
        let line = summary_line(
            "test",
            &owned(&["fmt"]),
            &owned(&["tidy"]),
            &owned(&["nextest"]),
            Duration::from_millis(1500),
        );
        assert_eq!(line, "test: FAILED in 1.5 s: tidy; not run: nextest");
    }
}
