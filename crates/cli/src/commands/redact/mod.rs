//! `redact`: masks secrets in a file or a pipe, without a store.

mod decode;
mod filter;
mod lines;
mod setup;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use precedent::Redactor;
use serde_json::{Value, json};

use super::Ended;
use crate::args::RedactArgs;
use crate::exit::{Exit, Failure};
use crate::output::{Output, Sealed, note_account, redacted_output, with_schema};
use filter::Flow;

pub(super) fn run(output: Output, args: &RedactArgs) -> Ended {
    if args.list_rules {
        return list(output);
    }
    let setup = setup::setup(args)?;
    setup.tell(output);
    let redactor = setup.redactor;
    let mut input = open(args.file.as_deref())?;
    let found = if args.jsonl {
        let ended = lines::run(&redactor, &mut *input, &mut redacted_output())?;
        if ended.broken > 0 {
            return Err(Failure::BrokenLines(ended.broken));
        }
        ended.found
    } else if output.json {
        whole(output, &redactor, &mut *input)?
    } else {
        pass(&redactor, &mut *input, args.report)?
    };
    Ok(if found && args.fail_on_find {
        Exit::Found
    } else {
        Exit::Success
    })
}

/// Passes the input on as it comes, and returns whether anything was masked.
fn pass(redactor: &Redactor, input: &mut dyn Read, report: bool) -> Result<bool, Failure> {
    match filter::run(redactor, input, &mut redacted_output(), report)? {
        Flow::Done(account) => {
            if report {
                note_account(&with_schema("redact.report", &account.to_json()));
            }
            Ok(!account.report.is_clean())
        }
        Flow::ReaderGone(found) => Ok(found),
    }
}

/// Prints one object with the text and the account.
fn whole(output: Output, redactor: &Redactor, input: &mut dyn Read) -> Result<bool, Failure> {
    let mut text = Vec::new();
    let Flow::Done(account) = filter::run(redactor, input, &mut text, true)? else {
        return Ok(false); // Memory takes every write.
    };
    let text = String::from_utf8_lossy(&text);
    let result = json!({ "output": text, "report": account.to_json() });
    output.emit_sealed("redact", &result, &Sealed(String::new()))?;
    Ok(!account.report.is_clean())
}

/// Opens what is to be redacted.
fn open(file: Option<&Path>) -> Result<Box<dyn Read>, Failure> {
    let Some(path) = file.filter(|path| *path != Path::new("-")) else {
        return Ok(Box::new(std::io::stdin().lock()));
    };
    let opened = File::open(path).and_then(|file| {
        // A folder opens and fails later, where the failure would be the system's.
        let is_dir = file.metadata()?.is_dir();
        Ok((file, is_dir))
    });
    match opened {
        Ok((file, false)) => Ok(Box::new(file)),
        Ok((_, true)) => Err(setup::unusable(path, "is a folder; give a file")),
        Err(error) => Err(setup::unreadable(path, &error)),
    }
}

fn list(output: Output) -> Ended {
    let redactor = Redactor::new();
    let rules = redactor.rules();
    let described: Vec<Value> = rules
        .iter()
        .map(|rule| json!({ "id": rule.id, "class": rule.class, "source": rule.source }))
        .collect();
    let ruleset = redactor.redact("").report.ruleset_id;
    let result = json!({ "ruleset_id": ruleset, "rules": described });
    output.emit("redact.rules", &result, || {
        let (ids, classes) = rules.iter().fold((0, 0), |(ids, classes), rule| {
            (
                ids.max(rule.id.len()),
                classes.max(rule.class.as_str().len()),
            )
        });
        let lines = rules.iter().map(|rule| {
            let class = rule.class.as_str();
            let line = format!("{:ids$}  {class:classes$}  {}", rule.id, rule.source);
            line.trim_end().to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    })?;
    Ok(Exit::Success)
}
