//! `audit`: verifies the chain, lists entries.

use precedent::crates::audit::chain::{Mode, Report};
use serde_json::{Value, json};

use super::{Ended, wait};
use crate::args::{AuditCommand, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::settings;

pub(super) fn run(global: &Global, output: Output, command: &AuditCommand) -> Ended {
    match command {
        AuditCommand::Verify { fast } => verify(global, output, *fast),
        AuditCommand::List { from, limit } => list(global, output, *from, *limit),
    }
}

fn verify(global: &Global, output: Output, fast: bool) -> Ended {
    let memory = settings::open(global)?;
    let mode = if fast { Mode::Fast } else { Mode::Full };
    let report = wait(memory.verify_audit(mode))?;
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| json!({ "seq": finding.seq, "finding": finding.kind.to_string() }))
        .collect();
    let result = json!({
        "ok": report.is_ok(),
        "entries": report.entries,
        "findings": findings,
        "omitted": report.omitted,
        "head": report.computed,
    });
    output.emit("audit.verify", &result, || describe(&report))?;
    Ok(if report.is_ok() {
        Exit::Success
    } else {
        Exit::Failure
    })
}

fn describe(report: &Report) -> String {
    let mut lines: Vec<String> = report
        .findings
        .iter()
        .map(|finding| format!("{finding}"))
        .collect();
    let verdict = if report.is_ok() { "ok" } else { "NOT OK" };
    lines.push(format!("audit chain {verdict}: {} entries", report.entries));
    lines.join("\n")
}

fn list(global: &Global, output: Output, from: u64, limit: usize) -> Ended {
    let memory = settings::open(global)?;
    let page = wait(memory.audit_log(from, limit))?;
    let texts: Vec<String> = page
        .entries
        .iter()
        .map(|entry| String::from_utf8_lossy(&entry.bytes).into_owned())
        .collect();
    let entries: Vec<Value> = texts
        .iter()
        .map(|text| serde_json::from_str(text).unwrap_or_default())
        .collect();
    let result = json!({ "entries": entries, "head": page.head });
    output.emit("audit.list", &result, || texts.join("\n"))?;
    Ok(Exit::Success)
}
