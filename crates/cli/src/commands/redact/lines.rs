//! `redact --jsonl`: one JSON object a line in, one a line out, in order.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};

use precedent::Redactor;
use precedent::crates::redact::{Redacted, ReportSpan};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::exit::Failure;

/// Longest line in bytes.
const LINE_BYTES: u64 = 64 * 1024 * 1024;

/// What happened to the lines.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ended {
    /// Whether anything was masked.
    pub found: bool,
    /// How many lines were answered with an error.
    pub broken: u64,
}

/// Answers every line until the input ends or nobody reads the answers.
///
/// # Errors
/// Reading or writing failed.
pub fn run(
    redactor: &Redactor,
    input: &mut dyn Read,
    output: &mut dyn Write,
) -> Result<Ended, Failure> {
    let mut input = BufReader::new(input);
    let mut ended = Ended::default();
    let mut number: u64 = 0;
    while let Some(line) = read_line(&mut input).map_err(|error| Failure::Io("reading", error))? {
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let mut text = match answer(redactor, &line) {
            Ok((answer, found)) => {
                ended.found |= found;
                answer
            }
            Err(problem) => {
                ended.broken += 1;
                json!({ "id": null, "error": format!("line {number}: {problem}") }).to_string()
            }
        };
        text.push('\n');
        match output
            .write_all(text.as_bytes())
            .and_then(|()| output.flush())
        {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(ended),
            Err(error) => return Err(Failure::Io("writing", error)),
        }
    }
    Ok(ended)
}

/// Reads a line; of one that is too long, what shows that it is.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let length = input
        .by_ref()
        .take(LINE_BYTES + 1)
        .read_until(b'\n', &mut line)?;
    if is_too_long(&line) && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok((length > 0).then_some(line))
}

fn is_too_long(line: &[u8]) -> bool {
    u64::try_from(line.len()).is_ok_and(|length| length > LINE_BYTES)
}

/// What is asked of one line.
struct Request {
    id: Value,
    text: String,
    max_chars: Option<usize>,
    /// Where the text is divided, in bytes; a place inside a character divides that too.
    splits: Vec<usize>,
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a Value,
    output: &'a str,
    truncated: bool,
    findings: &'a [ReportSpan],
}

type Problem = &'static str;

/// Answers one line, and tells whether anything was masked; problems never quote the line.
fn answer(redactor: &Redactor, line: &[u8]) -> Result<(String, bool), Problem> {
    if is_too_long(line) {
        return Err("longer than 64 MiB; divide the text");
    }
    let request = parse(line)?;
    let redacted = redact(redactor, &request);
    let (id, found_in_id) = redact_id(redactor, request.id);
    let answer = Answer {
        id: &id,
        output: &redacted.text,
        truncated: redacted.report.truncated,
        findings: &redacted.report.spans,
    };
    let found = found_in_id || !redacted.report.is_clean();
    let answer = serde_json::to_string(&answer).map_err(|_| "the answer is no JSON; report it")?;
    Ok((answer, found))
}

fn redact(redactor: &Redactor, request: &Request) -> Redacted<'static> {
    let redacted = if request.splits.is_empty() {
        let Redacted { text, report } = redactor.redact(&request.text);
        Redacted {
            text: Cow::Owned(text.into_owned()),
            report,
        }
    } else {
        in_pieces(redactor, request.text.as_bytes(), &request.splits)
    };
    match request.max_chars {
        Some(max_chars) => redactor.truncate(redacted, max_chars),
        None => redacted,
    }
}

/// Redacts a text that is divided; places beyond its end or out of order divide nothing.
fn in_pieces(redactor: &Redactor, text: &[u8], splits: &[usize]) -> Redacted<'static> {
    let mut stream = redactor.stream();
    let mut output = String::with_capacity(text.len());
    let mut at = 0;
    for split in splits.iter().copied().chain([text.len()]) {
        if (at..=text.len()).contains(&split) {
            output.push_str(&stream.push_bytes(&text[at..split]));
            at = split;
        }
    }
    let (rest, report) = stream.finish();
    output.push_str(&rest);
    Redacted {
        text: Cow::Owned(output),
        report,
    }
}

/// Masks what an id holds: it may have been formed from the text.
fn redact_id(redactor: &Redactor, id: Value) -> (Value, bool) {
    match id {
        Value::String(text) => {
            let redacted = redactor.redact(&text);
            let found = !redacted.report.is_clean();
            (Value::String(redacted.text.into_owned()), found)
        }
        Value::Array(_) | Value::Object(_) => {
            let (id, report) = redactor.redact_value(&id);
            (id, !report.is_clean())
        }
        plain => (plain, false),
    }
}

fn parse(line: &[u8]) -> Result<Request, Problem> {
    let value: Value = serde_json::from_slice(line)
        .map_err(|_| "not one JSON object; write {\"id\": ..., \"text\": \"...\"}")?;
    let Value::Object(mut fields) = value else {
        return Err("JSON, but no object; write {\"id\": ..., \"text\": \"...\"}");
    };
    let Some(Value::String(text)) = fields.remove("text") else {
        return Err("`text` is missing or no string; give the text to redact");
    };
    Ok(Request {
        id: fields.remove("id").unwrap_or_default(),
        text,
        max_chars: max_chars(&fields)?,
        splits: splits(&fields)?,
    })
}

fn max_chars(fields: &Map<String, Value>) -> Result<Option<usize>, Problem> {
    match fields.get("max_chars") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => whole(value)
            .map(Some)
            .ok_or("`max_chars` is no whole number; give characters"),
    }
}

fn splits(fields: &Map<String, Value>) -> Result<Vec<usize>, Problem> {
    let problem = "`splits` is no list of whole numbers; give ascending offsets";
    match fields.get("splits") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(list)) => list
            .iter()
            .map(|value| whole(value).ok_or(problem))
            .collect(),
        Some(_) => Err(problem),
    }
}

fn whole(value: &Value) -> Option<usize> {
    value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "a 密码：gr4nite-b1shop é\npassword:\n  gr4nite-b1shop\n{\"token\": \"x\"}\nend";

    fn answered(line: &Value) -> Value {
        let (answer, _) = answer(&Redactor::new(), line.to_string().as_bytes()).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    #[test]
    fn splits_make_no_difference_at_any_offset() {
        let whole = answered(&json!({ "id": 1, "text": TEXT }));
        assert_eq!(whole["findings"].as_array().unwrap().len(), 2);
        for at in 0..=TEXT.len() + 2 {
            for splits in [vec![at], vec![3, at, TEXT.len()], vec![at, 5, 5]] {
                let answer = answered(&json!({ "id": 1, "text": TEXT, "splits": splits }));
                assert_eq!(answer, whole, "{splits:?}");
            }
        }
    }

    #[test]
    fn a_cut_in_pieces_is_a_cut_of_the_whole() {
        for max in 0..TEXT.len() {
            let whole = answered(&json!({ "text": TEXT, "max_chars": max }));
            let pieces = json!({ "text": TEXT, "max_chars": max, "splits": [1, 9, 30] });
            assert_eq!(answered(&pieces), whole, "{max}");
            assert!(whole["output"].as_str().unwrap().chars().count() <= max);
        }
    }

    #[test]
    fn ids_come_back_as_they_are_but_for_secrets() {
        for id in [
            json!(null),
            json!(7),
            json!(-1.5),
            json!("a-1"),
            json!(["x", 1]),
            json!(true),
        ] {
            assert_eq!(answered(&json!({ "id": id, "text": "" }))["id"], id);
        }
        let secret = json!({ "id": "password=gr4nite-b1shop", "text": "plain" });
        assert_eq!(
            answered(&secret)["id"],
            "password=[REDACTED:password_assignment]"
        );
        let inside = json!({ "id": { "password": "gr4nite-b1shop" }, "text": "plain" });
        assert!(!answered(&inside).to_string().contains("gr4nite"));
    }

    #[test]
    fn lines_that_are_too_long_are_skipped() {
        let mut input: &[u8] = b"ab\ncd";
        assert_eq!(read_line(&mut input).unwrap().unwrap(), b"ab\n");
        assert_eq!(read_line(&mut input).unwrap().unwrap(), b"cd");
        assert_eq!(read_line(&mut input).unwrap(), None);
    }
}
