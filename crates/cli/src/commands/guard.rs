//! `guard`: rules on an action before it runs.

use precedent::Decision;

use super::action::{action, describe};
use super::{Ended, wait};
use crate::args::{Global, GuardArgs};
use crate::exit::Exit;
use crate::output::{Output, report};
use crate::settings;

pub(super) fn run(global: &Global, output: Output, args: GuardArgs) -> Ended {
    let action = action(args.action)?;
    let memory = settings::open(global)?;
    let verdict = wait(memory.before(&action));
    if let Err(failure) = output.emit("guard", &verdict, || describe(&verdict)) {
        // The exit code says it all the same.
        report(&failure, output.json);
    }
    Ok(match verdict.decision {
        Decision::Block => Exit::Block,
        Decision::Warn if args.fail_on_warn => Exit::Warn,
        Decision::Allow | Decision::Warn => Exit::Success,
    })
}
