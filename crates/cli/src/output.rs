//! Printing results: words for people, one JSON object for programs.

use std::io::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::exit::Failure;

/// Where results go, and in what form.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Whether to print JSON.
    pub json: bool,
}

impl Output {
    /// Prints a result: as `precedent.<command>/1` in JSON, or by `text` in words.
    pub fn emit<T: Serialize>(
        &self,
        command: &str,
        value: &T,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        let line = if self.json {
            with_schema(command, value).to_string()
        } else {
            text()
        };
        print(&line)
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
pub fn print(line: &str) -> Result<(), Failure> {
    let written = writeln!(anstream::stdout(), "{}", line.trim_end());
    match written {
        // Whoever read our output has read enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|error| Failure::Io("printing", error)),
    }
}

/// Prints a line to stderr.
pub fn note(line: &str) {
    // Nothing can be said if stderr is gone.
    let _ = writeln!(anstream::stderr(), "{}", line.trim_end());
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
        note(&error.to_string());
    } else {
        note(&format!("error: {}", failure.told()));
    }
}
