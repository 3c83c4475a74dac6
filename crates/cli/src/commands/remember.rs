//! `remember`: stores a text and says what became of it.

use std::collections::BTreeMap;
use std::io::Read;

use precedent::{CleanText, RememberItem, Trust, WriteResult};
use serde_json::{Value, json};

use super::{Ended, wait};
use crate::args::{Global, RememberArgs};
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::settings;

/// Reading more than this from stdin is never meant; the store's own limit is far below.
const STDIN_BYTES: u64 = 64 * 1024 * 1024;

pub(super) fn run(global: &Global, output: Output, args: RememberArgs) -> Ended {
    let idempotency_key = args.idempotency_key.clone();
    let item = item(args)?;
    let memory = settings::open(global)?;
    let vouched = item.trust == Trust::User;
    let understood = if vouched {
        memory.understood(&item.text)
    } else {
        Vec::new()
    };
    let result = wait(memory.remember_all(vec![item], idempotency_key))?;
    let told = Told {
        result: &result,
        understood,
    };
    output.emit("remember", &told.to_json(), || told.describe(vouched))?;
    Ok(Exit::Success)
}

/// What became of the text, and what was understood of it.
struct Told<'a> {
    result: &'a WriteResult,
    understood: Vec<CleanText>,
}

fn item(args: RememberArgs) -> Result<RememberItem, Failure> {
    let text = if args.text == "-" {
        read_stdin()?
    } else {
        args.text
    };
    let mut item = RememberItem::new(text);
    item.kind = args.kind;
    item.source = args.source;
    item.trust = if args.trust.is_some() {
        Trust::User
    } else {
        Trust::Unverified
    };
    item.tags = args.tags;
    item.context = context(args.context)?;
    item.salience = args.salience;
    item.private = args.private;
    item.valid_from = args.valid_from;
    item.valid_to = args.valid_to;
    item.supersedes = args.supersedes;
    Ok(item)
}

fn context(pairs: Vec<String>) -> Result<BTreeMap<String, String>, Failure> {
    pairs
        .into_iter()
        .map(|pair| {
            let (name, value) = pair.split_once('=').ok_or_else(|| {
                Failure::Usage(
                    "--context needs NAME=VALUE, such as --context host=build-7".to_owned(),
                )
            })?;
            Ok((name.to_owned(), value.to_owned()))
        })
        .collect()
}

/// Reads stdin as UTF-8 text.
pub(super) fn read_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(STDIN_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::Io("reading stdin", error))?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::Usage("stdin is not valid UTF-8; convert it first".to_owned()))
}

impl Told<'_> {
    fn to_json(&self) -> Value {
        let mut object = serde_json::to_value(self.result).unwrap_or_default();
        object["understood"] = json!(self.understood);
        object
    }

    fn describe(&self, vouched: bool) -> String {
        let result = self.result;
        let mut lines = Vec::new();
        lines.extend(
            result
                .stored
                .iter()
                .map(|stored| format!("remembered {}", stored.id)),
        );
        lines.extend(
            result
                .deduplicated
                .iter()
                .map(|id| format!("known already as {id}")),
        );
        lines.extend(result.superseded.iter().map(|id| format!("replaced {id}")));
        if result.rules > 0 {
            lines.extend(self.understood.iter().map(|rule| format!("rule: {rule}")));
        } else if vouched && !result.stored.is_empty() {
            lines.push("no rule was understood in it; it informs, it does not control".to_owned());
        }
        if result.replayed {
            lines.push("this request had been carried out before".to_owned());
        }
        lines.join("\n")
    }
}
