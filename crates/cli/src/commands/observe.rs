//! `observe`: records how a use of a tool ended.

use precedent::{Ending, Observed};
use serde_json::json;

use super::action::action;
use super::{Ended, wait};
use crate::args::{Global, ObserveArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::settings;

pub(super) fn run(global: &Global, output: Output, args: ObserveArgs) -> Ended {
    let ending = Ending {
        error: args.error,
        output: args.output,
        exit_code: args.exit_code,
        ..Ending::new(args.outcome)
    };
    let action = action(args.action)?;
    let memory = settings::open(global)?;
    let Observed { event, learned } = wait(memory.after(&action, &ending, None))?;
    let result = json!({ "event": event, "outcome": ending.outcome, "learned": learned });
    output.emit("observe", &result, || {
        format!("recorded {event} ({})", ending.outcome)
    })?;
    Ok(Exit::Success)
}
