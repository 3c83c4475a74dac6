//! `contradictions`: memories that cannot both hold.

use precedent::{Contradiction, ContradictionQuery, MemoryQuery};
use serde_json::json;

use super::recall::shorten;
use super::{Ended, wait};
use crate::args::{ContradictionsArgs, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::settings;

pub(super) fn run(global: &Global, output: Output, args: &ContradictionsArgs) -> Ended {
    let memory = settings::open(global)?;
    let query = ContradictionQuery {
        scope: memory.principal().scope(),
        memory: args.memory,
        open: !args.all,
        after: None,
        limit: MemoryQuery::NO_LIMIT,
    };
    let found = wait(memory.contradictions(query))?;
    let mut lines = Vec::new();
    if !output.json {
        for contradiction in &found {
            lines.push(head(contradiction));
            for side in wait(memory.memories(&contradiction.between))? {
                lines.push(format!("    {}  {}", side.id, shorten(&side.text)));
            }
        }
        if found.is_empty() {
            lines.push("nothing contradicts anything".to_owned());
        }
    }
    let result = json!({ "contradictions": found });
    output.emit("contradictions", &result, || lines.join("\n"))?;
    Ok(Exit::Success)
}

fn head(contradiction: &Contradiction) -> String {
    let state = match &contradiction.resolution {
        None => "open".to_owned(),
        Some(resolution) => format!("resolved, {}", resolution.verdict),
    };
    format!("{}  {} ({state})", contradiction.id, contradiction.basis)
}
