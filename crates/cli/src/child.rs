//! Running a command: its output passes through as it comes, and its end is kept.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use precedent::{Ending, Outcome};

/// How much of the end of each stream is kept, in bytes; redaction looks at all of it.
const TAIL_BYTES: usize = 32 * 1024;
/// How much is read at a time, in bytes.
const READ_BYTES: usize = 8 * 1024;
/// How long an ended command's streams are waited for.
const GRACE: Duration = Duration::from_millis(500);
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

/// Runs a command to its end, passing its output on, and signals to it.
#[expect(
    clippy::disallowed_methods,
    reason = "a command's own output passes through as it is"
)]
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
    let forwarding = signals::forward(child.id());
    let stdout = child
        .stdout
        .take()
        .map(|from| Passed::on(from, io::stdout()));
    let stderr = child
        .stderr
        .take()
        .map(|from| Passed::on(from, io::stderr()));
    let status = child.wait();
    drop(forwarding);
    Finished {
        stdout: stdout.map(Passed::tail).unwrap_or_default(),
        stderr: stderr.map(Passed::tail).unwrap_or_default(),
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
    crate::output::note(&crate::output::Line::words(&stderr));
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

/// A stream on its way through us, whose end is kept.
struct Passed {
    tail: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<()>,
}

impl Passed {
    /// Copies a stream to ours on a thread of its own.
    fn on(from: impl Read + Send + 'static, to: impl Write + Send + 'static) -> Self {
        let tail = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = mpsc::channel();
        let kept = tail.clone();
        thread::spawn(move || {
            copy(from, to, &kept);
            // Nobody listens any more if the command ended without its stream.
            let _ = end.send(());
        });
        Self { tail, ended }
    }

    /// Returns the end of the stream as text. A process that the command left behind may hold the
    /// stream open for ever, so this does not wait for it long.
    fn tail(self) -> String {
        let _ = self.ended.recv_timeout(GRACE);
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(end_of(&tail)).into_owned()
    }
}

/// Returns the end of what was printed, from the beginning of a line or at least of a word: half a
/// secret is not recognised as one.
fn end_of(printed: &[u8]) -> &[u8] {
    let Some(cut) = printed.len().checked_sub(TAIL_BYTES + 1) else {
        return printed;
    };
    let end = &printed[cut..];
    let after = |is_end: fn(&u8) -> bool| end.iter().position(is_end).map(|at| &end[at + 1..]);
    after(|byte| *byte == b'\n')
        .or_else(|| after(u8::is_ascii_whitespace))
        .unwrap_or_default()
}

fn copy(mut from: impl Read, mut to: impl Write, tail: &Mutex<Vec<u8>>) {
    let mut buffer = [0; READ_BYTES];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let mut kept = tail.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(TAIL_BYTES);
        if surplus > TAIL_BYTES {
            kept.drain(..surplus - 1);
        }
        drop(kept);
        if to
            .write_all(&buffer[..count])
            .and_then(|()| to.flush())
            .is_err()
        {
            // Nobody reads us any more: closing our end tells the command, as a pipe would have.
            return;
        }
    }
}

/// Passing on signals: who stops us means the command, whose end is still to be recorded.
mod signals {
    #[cfg(unix)]
    mod unix {
        use std::thread;

        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::iterator::{Handle, Signals};

        /// Ends the forwarding when it is dropped.
        pub struct Forwarding(Handle);

        impl Drop for Forwarding {
            fn drop(&mut self) {
                self.0.close();
            }
        }

        /// Passes signals that would end this process on to another.
        pub fn forward(to: u32) -> Option<Forwarding> {
            let pid = Pid::from_raw(i32::try_from(to).ok()?);
            let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM]).ok()?;
            let handle = signals.handle();
            thread::spawn(move || {
                for number in signals.forever() {
                    if let Ok(signal) = Signal::try_from(number) {
                        // It may have ended in the meantime.
                        let _ = kill(pid, signal);
                    }
                }
            });
            Some(Forwarding(handle))
        }
    }

    #[cfg(unix)]
    pub(super) use unix::forward;

    /// Elsewhere the console tells both.
    #[cfg(not(unix))]
    pub(super) fn forward(_to: u32) {}
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
    fn a_process_that_is_left_behind_is_not_waited_for() {
        let finished = finished("sleep 30 & echo started");
        assert!(finished.duration < Duration::from_secs(20));
        assert_eq!(finished.stdout, "started\n");
    }

    #[test]
    fn the_end_begins_with_a_whole_line_or_word() {
        let filler = "x".repeat(TAIL_BYTES);
        let end = |printed: &str| String::from_utf8(end_of(printed.as_bytes()).to_vec()).unwrap();
        assert_eq!(end("short"), "short");
        assert_eq!(end(&format!("\n{}", &filler[1..])).len(), TAIL_BYTES);
        // Whatever of the token is beyond the cut, the rest of it goes too.
        for kept in 1..20 {
            let token = "password=Tr0ub4dorAnd3";
            let rest = &filler[..TAIL_BYTES - kept - 1];
            assert_eq!(end(&format!("{filler}{token}\n{rest}")), rest);
            assert_eq!(end(&format!("{filler}{token} {rest}")), rest);
        }
        assert_eq!(end(&filler.repeat(2)), "");
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        let long = finished(
            "i=0; while [ $i -lt 9000 ]; do echo 0123456789abcdef; i=$((i+1)); done; echo end",
        );
        assert!(long.stdout.len() <= TAIL_BYTES && long.stdout.ends_with("end\n"));
    }
}
