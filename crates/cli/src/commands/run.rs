//! `run`: guards a command, runs it unless it is blocked, records its true outcome.

use precedent::{Action, Decision, Memory, Verdict};
use serde_json::json;

use super::action::{describe, empty_command, present_directory};
use super::{Ended, wait};
use crate::args::{Global, RunArgs};
use crate::child;
use crate::exit::{Exit, RUN_BLOCKED};
use crate::output::{Line, Output, note, with_schema};
use crate::{settings, shell_words};

pub(super) fn run(global: &Global, output: Output, args: &RunArgs) -> Ended {
    if args.command.iter().all(|word| word.trim().is_empty()) {
        return Err(empty_command());
    }
    let memory = settings::open(global)?;
    let action = Action {
        cwd: present_directory(),
        files: args.files.clone(),
        ..Action::shell(shell_words::join(&args.command))
    };
    let verdict = wait(memory.before(&action));
    let held_back = match verdict.decision {
        Decision::Block => true,
        Decision::Warn => args.fail_on_warn,
        Decision::Allow => false,
    };
    if verdict.decision != Decision::Allow {
        note(&Line::words(&describe(&verdict)));
    }
    if held_back {
        report(output, &verdict, None);
        return Ok(Exit::Child(RUN_BLOCKED));
    }
    let status = execute(&memory, &args.command, &action, &verdict);
    report(output, &verdict, Some(status));
    Ok(Exit::Child(status))
}

/// Runs the command and records how it ended; a record that fails is told and does not hide the
/// command's own status.
fn execute(memory: &Memory, command: &[String], action: &Action, verdict: &Verdict) -> u8 {
    let finished = child::run(command, |_| {});
    if let Err(error) = wait(memory.after(action, &finished.ending(), verdict.receipt)) {
        let said = format!("warning: the outcome was not recorded: {error}");
        note(&Line::words(&said));
    }
    finished.status
}

/// Under `--json` the result goes to stderr: stdout is the command's own.
fn report(output: Output, verdict: &Verdict, status: Option<u8>) {
    if output.json {
        let result = json!({ "verdict": verdict, "ran": status.is_some(), "status": status });
        note(&Line::json(&with_schema("run", &result)));
    }
}
