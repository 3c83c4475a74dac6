//! Running a command: its output passes through as it comes, and its end is kept.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use precedent::{Ending, Outcome};

/// How much of the end of each stream is kept, in bytes; redaction looks at all of it.
const TAIL_BYTES: usize = 32 * 1024;
/// How much is read at a time, in bytes.
const READ_BYTES: usize = 8 * 1024;
/// What a shell reports for a command that does not exist.
const NOT_FOUND: u8 = 127;
/// What a shell reports for a command that cannot be executed.
const NOT_EXECUTABLE: u8 = 126;
/// What a shell adds to the number of the signal that ended a command.
#[cfg(unix)]
const SIGNAL_BASE: i32 = 128;

/// How a command ended.
#[derive(Debug)]
pub struct Finished {
    /// The status to pass on.
    pub status: u8,
    /// The end of what it printed to stdout.
    pub stdout: String,
    /// The end of what it printed to stderr.
    pub stderr: String,
    /// How long it took.
    pub duration: Duration,
}

impl Finished {
    /// Returns the ending to record.
    pub fn ending(&self) -> Ending {
        let outcome = if self.status == 0 {
            Outcome::Succeeded
        } else {
            Outcome::Failed
        };
        let said = if self.stderr.trim().is_empty() {
            &self.stdout
        } else {
            &self.stderr
        };
        Ending {
            error: (outcome == Outcome::Failed).then(|| said.clone()),
            output: Some(self.stdout.clone()).filter(|output| !output.is_empty()),
            exit_code: Some(i32::from(self.status)),
            duration_ms: u64::try_from(self.duration.as_millis()).ok(),
            ..Ending::new(outcome)
        }
    }
}

/// Runs a command to its end, passing its output on.
pub fn run(command: &[String], configure: impl FnOnce(&mut Command)) -> Finished {
    let started = Instant::now();
    let mut child = Command::new(&command[0]);
    child
        .args(&command[1..])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    configure(&mut child);
    let mut child = match child.spawn() {
        Ok(child) => child,
        Err(error) => return not_started(&error, started),
    };
    let stdout = child
        .stdout
        .take()
        .map(|stream| thread::spawn(|| pass_on(stream, io::stdout())));
    let stderr = child
        .stderr
        .take()
        .map(|stream| thread::spawn(|| pass_on(stream, io::stderr())));
    let status = child.wait();
    let tail = |thread: Option<thread::JoinHandle<String>>| {
        thread
            .and_then(|thread| thread.join().ok())
            .unwrap_or_default()
    };
    Finished {
        stdout: tail(stdout),
        stderr: tail(stderr),
        status: status.map_or(NOT_EXECUTABLE, |status| code(&status)),
        duration: started.elapsed(),
    }
}

fn not_started(error: &io::Error, started: Instant) -> Finished {
    let status = match error.kind() {
        io::ErrorKind::NotFound => NOT_FOUND,
        _ => NOT_EXECUTABLE,
    };
    let stderr = format!("the command could not be started: {error}");
    crate::output::note(&stderr);
    Finished {
        status,
        stdout: String::new(),
        stderr,
        duration: started.elapsed(),
    }
}

/// Returns the exit status; of a command that a signal ended, what a shell would report.
fn code(status: &ExitStatus) -> u8 {
    #[cfg(unix)]
    let signal =
        std::os::unix::process::ExitStatusExt::signal(status).map(|signal| SIGNAL_BASE + signal);
    #[cfg(not(unix))]
    let signal = None;
    status
        .code()
        .or(signal)
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(1)
}

/// Copies a stream to ours and returns its end as text.
fn pass_on(mut from: impl Read, mut to: impl Write) -> String {
    let mut tail = Vec::new();
    let mut buffer = [0; READ_BYTES];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        // The command is to run to its end even when nobody reads us any more.
        let _ = to.write_all(&buffer[..count]).and_then(|()| to.flush());
        tail.extend_from_slice(&buffer[..count]);
        if tail.len() > 2 * TAIL_BYTES {
            tail.drain(..tail.len() - TAIL_BYTES);
        }
    }
    tail.drain(..tail.len().saturating_sub(TAIL_BYTES));
    String::from_utf8_lossy(&tail).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn finished(script: &str) -> Finished {
        run(
            &["sh".to_owned(), "-c".to_owned(), script.to_owned()],
            |_| {},
        )
    }

    #[test]
    fn true_status_and_both_streams_are_kept() {
        let failed = finished("echo out; echo err >&2; exit 3");
        assert_eq!(
            (
                failed.status,
                failed.stdout.as_str(),
                failed.stderr.as_str()
            ),
            (3, "out\n", "err\n")
        );
        let ending = failed.ending();
        assert_eq!(
            (ending.outcome, ending.error.as_deref()),
            (Outcome::Failed, Some("err\n"))
        );
        assert_eq!(finished("kill -9 $$").status, 137);
        assert_eq!(
            run(&["no-such-command-here".to_owned()], |_| {}).status,
            127
        );
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        let long = finished(
            "i=0; while [ $i -lt 9000 ]; do echo 0123456789abcdef; i=$((i+1)); done; echo end",
        );
        assert!(long.stdout.len() <= TAIL_BYTES && long.stdout.ends_with("end\n"));
    }
}
