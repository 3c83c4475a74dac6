//! The filter: bytes in, redacted text out, as soon as it is decided.

use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use precedent::Redactor;
use precedent::crates::redact::{Report, ReportSpan, StreamRedactor};
use serde_json::{Value, json};

use super::decode::{Decoder, Piece};
use crate::exit::Failure;

/// How much is read at once, in bytes.
const READ_BYTES: usize = 64 * 1024;

/// The account of a run.
#[derive(Debug)]
pub struct Account {
    pub report: Report,
    /// Time spent on redaction, without waiting for input and output.
    pub elapsed_ns: u64,
}

impl Account {
    /// Returns the report with the time as one more field.
    pub fn to_json(&self) -> Value {
        let mut object = serde_json::to_value(&self.report).unwrap_or_default();
        object["elapsed_ns"] = json!(self.elapsed_ns);
        object
    }
}

/// How a run of the filter ended.
#[derive(Debug)]
pub enum Flow {
    /// Everything was written.
    Done(Account),
    /// Whoever read the output went away; tells whether anything was masked until then.
    ReaderGone(bool),
}

/// Passes everything from `input` to `output`, redacted.
///
/// With `keep_spans` the account locates each finding and grows with their number; without it
/// memory is bounded.
///
/// # Errors
/// Reading or writing failed. After a failed read, what was read before is written.
pub fn run(
    redactor: &Redactor,
    input: &mut dyn Read,
    output: &mut dyn Write,
    keep_spans: bool,
) -> Result<Flow, Failure> {
    let mut filter = Filter::new(redactor, keep_spans);
    let mut buffer = vec![0; READ_BYTES];
    let failed = loop {
        let length = match input.read(&mut buffer) {
            Ok(0) => break None,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => break Some(error),
        };
        let text = filter.push(&buffer[..length]);
        if !write(output, &text)? {
            return Ok(Flow::ReaderGone(filter.found));
        }
    };
    let (rest, account) = filter.finish();
    let reaches = write(output, &rest)?;
    match failed {
        Some(error) => Err(Failure::Io("reading", error)),
        None if reaches => Ok(Flow::Done(account)),
        None => Ok(Flow::ReaderGone(!account.report.is_clean())),
    }
}

/// Writes text and sends it off; returns whether it was still wanted.
fn write(output: &mut dyn Write, text: &str) -> Result<bool, Failure> {
    if text.is_empty() {
        return Ok(true);
    }
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::Io("writing", error)),
    }
}

/// The pure part: decodes, redacts, and keeps the time.
struct Filter {
    decoder: Decoder,
    stream: StreamRedactor,
    spans: Vec<ReportSpan>,
    keep_spans: bool,
    /// Whether anything was masked so far.
    found: bool,
    elapsed: Duration,
}

impl Filter {
    fn new(redactor: &Redactor, keep_spans: bool) -> Self {
        Self {
            decoder: Decoder::default(),
            stream: redactor.stream(),
            spans: Vec::new(),
            keep_spans,
            found: false,
            elapsed: Duration::ZERO,
        }
    }

    fn push(&mut self, bytes: &[u8]) -> String {
        let start = Instant::now();
        let text = match self.decoder.push(bytes) {
            Piece::Bytes(bytes) => self.stream.push_bytes(&bytes),
            Piece::Text(text) => self.stream.push(&text),
        };
        let spans = self.stream.take_spans();
        self.found |= !spans.is_empty();
        if self.keep_spans {
            self.spans.extend(spans);
        }
        self.elapsed += start.elapsed();
        text
    }

    fn finish(mut self) -> (String, Account) {
        let start = Instant::now();
        let mut text = match self.decoder.finish() {
            Piece::Bytes(bytes) => self.stream.push_bytes(&bytes),
            Piece::Text(text) => self.stream.push(&text),
        };
        let (rest, mut report) = self.stream.finish();
        text.push_str(&rest);
        self.spans.append(&mut report.spans);
        if self.keep_spans {
            report.spans = self.spans;
        }
        let elapsed = self.elapsed + start.elapsed();
        let elapsed_ns = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        (text, Account { report, elapsed_ns })
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Gives its pieces one by one, then fails.
    struct Breaking(Vec<&'static [u8]>);

    impl Read for Breaking {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::Error::other("the disk is gone"));
            }
            self.0.remove(0).read(buffer)
        }
    }

    #[test]
    fn what_was_read_before_a_failure_is_written() {
        let mut output = Vec::new();
        let mut input = Breaking(vec![b"password=gr4nite", b"-b1shop and\nmore"]);
        let ended = run(&Redactor::new(), &mut input, &mut output, false);
        assert!(matches!(ended, Err(Failure::Io("reading", _))));
        let output = String::from_utf8(output).unwrap();
        assert_eq!(output, "password=[REDACTED:password_assignment] and\nmore");
    }

    #[test]
    fn spans_are_kept_on_demand_and_counts_always() {
        let text = "password=gr4nite-b1shop\n".repeat(3000);
        for keep in [false, true] {
            let mut output = Vec::new();
            let flow = run(&Redactor::new(), &mut text.as_bytes(), &mut output, keep);
            let Ok(Flow::Done(account)) = flow else {
                panic!("nothing fails here");
            };
            assert_eq!(account.report.counts.values().sum::<u64>(), 3000);
            assert_eq!(account.report.spans.len(), if keep { 3000 } else { 0 });
            assert_eq!(account.report.bytes_out, output.len());
        }
    }
}
