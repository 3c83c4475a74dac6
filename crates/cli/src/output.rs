//! Printing results: words for people, one JSON object for programs.
//!
//! Everything that the binary says itself passes the redactor here, whatever it was made of, since
//! the catalogue may have grown since it was stored. What is signed or hashed is said as it is: a
//! changed byte would make it worthless.

use std::fmt;
use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};
use precedent::Redactor;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::exit::Failure;

/// Where results go, and in what form.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Whether to print JSON.
    pub json: bool,
}

/// A line that has passed the redactor; there is no other way to make one.
#[derive(Debug)]
pub struct Line(String);

impl Line {
    /// Makes a line of words, without the secrets in them.
    pub fn words(text: &str) -> Self {
        Self(Redactor::new().clean(text).trim_end().to_owned())
    }

    /// Writes JSON on one line, without the secrets in its names and strings.
    pub fn json(value: &Value) -> Self {
        Self(Redactor::new().redact_value(value).0.to_string())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A document that is printed as it is: its bytes are signed, are a key, or have passed the
/// redactor that the user described.
pub struct Sealed(pub String);

/// Returns the standard output for text that has passed the redactor that the user described.
#[expect(
    clippy::disallowed_methods,
    reason = "the filter writes the redactor's own output, as it comes"
)]
pub fn redacted_output() -> std::io::StdoutLock<'static> {
    std::io::stdout().lock()
}

impl Output {
    /// Prints a result: as `precedent.<command>/1` in JSON, or by `text` in words.
    pub fn emit<T: Serialize>(
        &self,
        command: &str,
        value: &T,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json {
            print(&Line::json(&with_schema(command, value)))
        } else {
            print(&Line::words(&text()))
        }
    }

    /// Prints a result that holds a sealed document, as it is.
    pub fn emit_sealed(
        &self,
        command: &str,
        value: &Value,
        document: &Sealed,
    ) -> Result<(), Failure> {
        if self.json {
            write_out(&with_schema(command, value).to_string())
        } else {
            write_out(&document.0)
        }
    }
}

/// Puts the schema's name into a result; a result that is no object becomes its `result`.
pub fn with_schema<T: Serialize>(command: &str, value: &T) -> Value {
    let mut object = Map::new();
    object.insert("schema".to_owned(), json!(format!("precedent.{command}/1")));
    match serde_json::to_value(value).unwrap_or(Value::Null) {
        Value::Object(fields) => object.extend(fields),
        other => {
            object.insert("result".to_owned(), other);
        }
    }
    Value::Object(object)
}

/// Prints a line to stdout; colours reach terminals only.
pub fn print(line: &Line) -> Result<(), Failure> {
    write_out(&line.0)
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place that prints what passed the redactor"
)]
fn write_out(line: &str) -> Result<(), Failure> {
    let written = writeln!(anstream::stdout(), "{}", line.trim_end());
    match written {
        // Whoever read our output has read enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|error| Failure::Io("printing", error)),
    }
}

/// Prints a line to stderr.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place that prints what passed the redactor"
)]
pub fn note(line: &Line) {
    // Nothing can be said if stderr is gone.
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Prints an object to stderr that holds nothing of what was redacted.
#[expect(
    clippy::disallowed_methods,
    reason = "the account names classes and rules, which read like keys of secrets"
)]
pub fn note_account(account: &Value) {
    // Nothing can be said if stderr is gone.
    let _ = writeln!(anstream::stderr(), "{account}");
}

/// Reports a failure on stderr.
pub fn report(failure: &Failure, as_json: bool) {
    if as_json {
        let error = json!({
            "schema": "precedent.error/1",
            "kind": failure.kind(),
            "retry": failure.retry(),
            "message": failure.told(),
        });
        note(&Line::json(&error));
    } else {
        note(&Line::words(&format!("error: {}", failure.told())));
    }
}

/// How far a long command has come: a bar on a terminal, nothing in a pipe.
pub struct Progress(ProgressBar);

impl Progress {
    /// Counts bytes up to a total, if that is known.
    pub fn of_bytes(total: Option<u64>) -> Self {
        let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let template = "{bar:32} {bytes} of {total_bytes}, {elapsed}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Tells that so much more is done.
    pub fn add(&self, done: u64) {
        self.0.inc(done);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_cleaned_by_its_structure_and_stays_json() {
        let value = json!({ "password": "correct horse", "id": "01K1BZ3Y9H5V0000000000000A" });
        let clean = Line::json(&value).to_string();
        assert!(!clean.contains("horse"));
        let read: Value = serde_json::from_str(&clean).unwrap();
        assert_eq!(read["id"], value["id"]);
    }
}
