//! `maintain`: cleans up after erasures, rebuilds indexes.

use precedent::MaintainTask;
use serde_json::json;

use super::{Ended, wait};
use crate::args::{Global, MaintainCommand};
use crate::exit::Exit;
use crate::output::Output;
use crate::settings;

pub(super) fn run(global: &Global, output: Output, command: MaintainCommand) -> Ended {
    let memory = settings::open(global)?;
    let task = match command {
        MaintainCommand::Purge => MaintainTask::Purge,
        MaintainCommand::Reindex => MaintainTask::Reindex,
    };
    let report = wait(memory.maintain(task))?;
    let result = json!({
        "steps": report.steps,
        "certificates": report.certificates,
        "pending": report.pending,
        "head": report.head,
    });
    output.emit("maintain", &result, || {
        let mut lines: Vec<String> = report
            .steps
            .iter()
            .map(|step| {
                format!(
                    "{} {}",
                    if step.ok { "done   " } else { "pending" },
                    step.name
                )
            })
            .collect();
        lines.extend(
            report
                .certificates
                .iter()
                .map(|id| format!("certified {id}")),
        );
        if report.pending {
            lines.push(
                "something still reads an old state; run this again when it is gone".to_owned(),
            );
        }
        lines.join("\n")
    })?;
    Ok(if report.pending {
        Exit::Failure
    } else {
        Exit::Success
    })
}
