//! `remember`: stores a text and says what became of it.

use std::collections::BTreeMap;
use std::io::Read;

use precedent::{ClaimDraft, CleanText, RememberItem, Trust, WriteLane, WriteResult};
use serde_json::{Value, json};

use super::{Ended, wait};
use crate::args::{Global, RememberArgs};
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::settings;

/// Reading more than this from stdin is never meant; the store's own limit is far below.
const STDIN_BYTES: u64 = 64 * 1024 * 1024;

pub(super) fn run(global: &Global, output: Output, args: RememberArgs) -> Ended {
    let memory = settings::open(global)?;
    let mut request = memory.request(Vec::new());
    request.idempotency_key.clone_from(&args.idempotency_key);
    request.lane = lane(&args);
    request.extract = args.extract;
    request.max_facts = args.max_facts;
    let item = item(args)?;
    let vouched = item.trust == Trust::User;
    let understood = if vouched {
        memory.understood(&item.text)
    } else {
        Vec::new()
    };
    request.items.push(item);
    let result = wait(memory.remember_with(request))?;
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

const fn lane(args: &RememberArgs) -> WriteLane {
    if args.verbatim {
        WriteLane::Verbatim
    } else if args.local_only {
        WriteLane::LocalOnly
    } else {
        WriteLane::Normal
    }
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
    let (subject, value) = (args.subject, args.value);
    item.claim = args.key.map(|key| ClaimDraft {
        subject,
        key,
        value,
    });
    item.entities = args.entities;
    item.readers = args.readers;
    item.classification = args.classification;
    item.derived_from = args.derived_from;
    item.untrusted = args.untrusted;
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
        lines.extend(result.stored.iter().map(|stored| match stored.erased {
            false => format!("remembered {}", stored.id),
            true => format!("remembered {}, and erased since", stored.id),
        }));
        lines.extend(
            result
                .deduplicated
                .iter()
                .map(|id| format!("known already as {id}")),
        );
        lines.extend(result.superseded.iter().map(|id| format!("replaced {id}")));
        lines.extend(
            result
                .quarantined
                .iter()
                .map(|id| format!("held back {id}")),
        );
        let disputed = result.disputed.iter();
        lines.extend(
            disputed.map(|id| format!("{id} contradicts what is known; see `contradictions`")),
        );
        let similar = result.similar.iter();
        lines.extend(
            similar.map(|it| format!("{} says almost what {} says", it.id, it.near_duplicate_of)),
        );
        let rejected = result.rejected.iter();
        lines.extend(
            rejected.map(|it| format!("candidate {} not stored: {}", it.candidate + 1, it.reason)),
        );
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
