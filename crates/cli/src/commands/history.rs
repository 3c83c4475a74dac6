//! `history`: what was ever stated under a key, or the life of one memory.

use precedent::{Lived, Memory, MemoryId, Revision, Timestamp};
use serde_json::json;

use super::recall::shorten;
use super::{Ended, wait};
use crate::args::{Global, HistoryArgs};
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::settings;

pub(super) fn run(global: &Global, output: Output, args: &HistoryArgs) -> Ended {
    let memory = settings::open(global)?;
    let lived = match args.key.parse::<MemoryId>() {
        Ok(id) if args.subject.is_none() => one(&memory, id)?,
        _ => wait(memory.history(args.subject.as_deref(), &args.key))?,
    };
    let result = json!({ "memories": lived });
    output.emit("history", &result, || describe(&lived))?;
    Ok(if lived.is_empty() {
        Exit::Failure
    } else {
        Exit::Success
    })
}

fn one(memory: &Memory, id: MemoryId) -> Result<Vec<Lived>, Failure> {
    let mut lived = Vec::new();
    for found in wait(memory.memories(&[id]))? {
        let revisions = wait(memory.revisions(id))?;
        lived.push(Lived {
            memory: found,
            revisions,
        });
    }
    Ok(lived)
}

fn describe(lived: &[Lived]) -> String {
    if lived.is_empty() {
        return "nothing is known under this key".to_owned();
    }
    let lines = lived.iter().flat_map(|life| {
        let memory = &life.memory;
        let text = shorten(&memory.text);
        let head = format!("{}  {text}", memory.id);
        let held = format!("    held {}", span(memory.valid_from, memory.valid_to));
        let stood = life.revisions.iter().map(stood);
        [head, held].into_iter().chain(stood)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn span(from: Option<Timestamp>, to: Option<Timestamp>) -> String {
    let told = |at: Option<Timestamp>| at.map_or_else(|| "always".to_owned(), |at| at.to_string());
    match to {
        None => format!("from {}", told(from)),
        Some(_) => format!("from {} to {}", told(from), told(to)),
    }
}

fn stood(revision: &Revision) -> String {
    let by = revision.standing.superseded_by;
    let by = by.map_or_else(String::new, |id| format!(" by {id}"));
    format!(
        "    {} since {}{by}",
        revision.standing.state, revision.since
    )
}
