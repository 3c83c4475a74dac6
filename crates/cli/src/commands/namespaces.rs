//! `namespaces`: this namespace and those below it, with what they hold.

use serde_json::json;

use super::{Ended, wait};
use crate::args::Global;
use crate::exit::Exit;
use crate::output::Output;
use crate::settings;

pub(super) fn run(global: &Global, output: Output) -> Ended {
    let memory = settings::open(global)?;
    let found = wait(memory.namespaces())?;
    let result = json!({ "namespaces": found });
    output.emit("namespaces", &result, || {
        if found.is_empty() {
            return "no memories here or below".to_owned();
        }
        let line = |it: &precedent::NamespaceCount| {
            let (in_force, all) = (it.in_force, it.memories);
            format!("{in_force:>8} in force, {all:>8} in all  {}", it.namespace)
        };
        found.iter().map(line).collect::<Vec<_>>().join("\n")
    })?;
    Ok(Exit::Success)
}
