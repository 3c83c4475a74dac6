//! `recall`: searches by meaning and by words, and says which lanes could not answer.

use precedent::{Hit, RecallOutcome};

use super::{Ended, wait};
use crate::args::{Global, RecallArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::settings;

/// Longest text of a hit on a terminal, in characters.
const SHOWN_CHARS: usize = 160;

pub(super) fn run(global: &Global, output: Output, args: &RecallArgs) -> Ended {
    let memory = settings::open(global)?;
    let mut request = memory.recall_request(&args.query);
    request.limit = args.limit.get();
    if !args.kinds.is_empty() {
        request.kinds.clone_from(&args.kinds);
    }
    request.filter.tags = args.tags.iter().map(|tag| memory.clean(tag)).collect();
    request.filter = request.filter.as_of(args.as_of, args.as_known_at);
    let outcome = wait(memory.recall_with(&request));
    output.emit("recall", &outcome, || describe(&outcome, args.explain))?;
    Ok(Exit::Success)
}

fn describe(outcome: &RecallOutcome, explain: bool) -> String {
    let mut lines = Vec::new();
    for (place, hit) in (1..).zip(&outcome.hits) {
        lines.push(format!(
            "{place:>3}  {}  {}",
            hit.memory.id,
            shorten(&hit.memory.text)
        ));
        if explain {
            lines.push(explain_hit(hit));
        }
    }
    if outcome.hits.is_empty() {
        lines.push(match outcome.below_floor {
            0 => "nothing found".to_owned(),
            count => format!("nothing found; {count} candidate(s) had too little evidence"),
        });
    }
    lines.extend(
        outcome
            .errors
            .iter()
            .map(|error| format!("degraded: {error}; {}", error.repair)),
    );
    lines.join("\n")
}

fn explain_hit(hit: &Hit) -> String {
    let lanes: Vec<String> = hit
        .lanes
        .iter()
        .map(|lane| {
            format!(
                "{} rank {} raw {:.4} part {:.5}",
                lane.lane, lane.rank, lane.raw, lane.part
            )
        })
        .collect();
    let memory = &hit.memory;
    format!(
        "     {}, {}, {}, recorded {}; score {:.5} = {}",
        memory.kind,
        memory.source,
        memory.state,
        memory.recorded_at,
        hit.score,
        lanes.join(" + ")
    )
}

pub(super) fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN_CHARS {
        return line;
    }
    let cut: String = line.chars().take(SHOWN_CHARS - 1).collect();
    format!("{cut}\u{2026}")
}
