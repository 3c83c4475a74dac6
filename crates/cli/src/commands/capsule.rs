//! `capsule`: what an agent should have in mind for a task.

use precedent::Capsule;

use super::{Ended, wait};
use crate::args::{CapsuleArgs, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::settings;

pub(super) fn run(global: &Global, output: Output, args: &CapsuleArgs) -> Ended {
    let memory = settings::open(global)?;
    let capsule = wait(memory.capsule(&args.task, args.budget))?;
    output.emit("capsule", &capsule, || describe(&capsule))?;
    Ok(Exit::Success)
}

/// Renders the capsule as data: every line a JSON string with its id, so that nothing in a memory
/// can pass for an instruction of the host.
fn describe(capsule: &Capsule) -> String {
    capsule.to_string()
}
