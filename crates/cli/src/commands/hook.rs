//! `hook`: answers an agent host's hook by the host's own contract.
//!
//! Claude Code (hooks reference, code.claude.com/docs): the event arrives as JSON on stdin; before
//! a tool the answer is `hookSpecificOutput.permissionDecision`, of which only `deny` is relied on,
//! or `{}`; exit status 0 with JSON, 2 to block by stderr. A silent allow is exactly `{}`.

use std::io::Read;

use clap::ValueEnum;
use precedent::{Action, Decision, Ending, Memory, Outcome, Verdict};
use serde_json::{Value, json};

use super::wait;
use crate::args::{Global, HookArgs, HookEvent};
use crate::exit::{Exit, Failure};
use crate::output::{Line, note, print};
use crate::settings;

/// Largest event, in bytes.
const EVENT_BYTES: u64 = 64 * 1024 * 1024;
/// The agent that a host's actions are recorded under, unless `--agent` names another.
const AGENT: &str = "claude-code";

pub(super) fn run(global: &Global, args: &HookArgs) -> Exit {
    let answer = read_event(args).and_then(|event| answer(global, args, &event));
    let answer = answer.unwrap_or_else(|failure| failed(args, &failure));
    match print(&Line::json(&answer)) {
        Ok(()) => Exit::Success,
        // Without an answer the host lets the tool run; in strict mode status 2 holds it back.
        Err(_) if args.strict => Exit::Block,
        Err(_) => Exit::Success,
    }
}

/// The hook itself failed: one visible line, and in strict mode the tool is held back.
fn failed(args: &HookArgs, failure: &Failure) -> Value {
    let failure = failure.told();
    note(&Line::words(&format!(
        "precedent hook: {failure}; the action was not checked"
    )));
    if args.strict && args.event == HookEvent::PreToolUse {
        deny(&format!(
            "the memory could not be asked ({failure}) and strict mode is on"
        ))
    } else {
        json!({})
    }
}

fn read_event(args: &HookArgs) -> Result<Value, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(EVENT_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::Io("reading the event", error))?;
    let event: Value = serde_json::from_slice(&bytes).map_err(|_| {
        Failure::Usage("the event on stdin is not JSON; pass the host's own".to_owned())
    })?;
    let named = event.get("hook_event_name").and_then(Value::as_str);
    let expected = event_name(args.event);
    match named {
        Some(name) if name != expected => Err(Failure::Usage(format!(
            "the event on stdin is {}, not {expected}; correct --event in the host's settings",
            known_event(name)
        ))),
        _ => Ok(event),
    }
}

const fn event_name(event: HookEvent) -> &'static str {
    match event {
        HookEvent::PreToolUse => "PreToolUse",
        HookEvent::PostToolUse => "PostToolUse",
        HookEvent::PostToolUseFailure => "PostToolUseFailure",
    }
}

/// Names an event that is known; another name is not said back.
fn known_event(name: &str) -> &'static str {
    let names = HookEvent::value_variants().iter().copied().map(event_name);
    names
        .into_iter()
        .find(|known| *known == name)
        .unwrap_or("another event")
}

fn answer(global: &Global, args: &HookArgs, event: &Value) -> Result<Value, Failure> {
    let mut builder = settings::builder(global)?;
    if global.agent.is_none() {
        builder = builder.agent(AGENT);
    }
    let memory = builder.open()?;
    let action = action(event)?;
    match args.event {
        HookEvent::PreToolUse => Ok(contract(&wait(memory.before(&action)))),
        HookEvent::PostToolUse | HookEvent::PostToolUseFailure => {
            wait(record(&memory, &action, &ending(args.event, event)))?;
            Ok(json!({}))
        }
    }
}

async fn record(memory: &Memory, action: &Action, ending: &Ending) -> Result<(), precedent::Error> {
    let receipt = match &action.tool_use {
        Some(tool_use) => memory.open_receipt(tool_use).await?,
        None => None,
    };
    memory.after(action, ending, receipt).await.map(|_| ())
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// Makes the action of an event: the command of a shell, the JSON input of every other tool.
fn action(event: &Value) -> Result<Action, Failure> {
    let tool = text(event, "tool_name").ok_or_else(|| {
        Failure::Usage("the event on stdin names no tool_name; pass the host's own JSON".to_owned())
    })?;
    let input = event.get("tool_input").cloned().unwrap_or(Value::Null);
    let command = text(&input, "command").filter(|_| tool == "Bash");
    let path = ["file_path", "notebook_path", "path"]
        .iter()
        .find_map(|name| text(&input, name));
    let action = match &command {
        Some(command) => text(&input, "description").unwrap_or_else(|| command.clone()),
        None => input.to_string(),
    };
    Ok(Action {
        tool,
        action,
        command,
        cwd: text(event, "cwd"),
        files: path.into_iter().collect(),
        session: text(event, "session_id"),
        tool_use: text(event, "tool_use_id"),
        ..Action::default()
    })
}

/// Reads the outcome: failures arrive as an event of their own.
fn ending(event: HookEvent, value: &Value) -> Ending {
    let response = value.get("tool_response");
    let field = |name: &str| response.and_then(|response| text(response, name));
    let interrupted = response
        .and_then(|response| response.get("interrupted"))
        .and_then(Value::as_bool)
        == Some(true);
    let outcome = match event {
        HookEvent::PostToolUseFailure => Outcome::Failed,
        _ if interrupted => Outcome::Unknown,
        _ => Outcome::Succeeded,
    };
    let error = text(value, "error").or_else(|| field("stderr"));
    Ending {
        error: error.filter(|_| outcome == Outcome::Failed),
        output: field("stdout").or_else(|| response.and_then(Value::as_str).map(str::to_owned)),
        duration_ms: value.get("duration_ms").and_then(Value::as_u64),
        ..Ending::new(outcome)
    }
}

/// Puts a verdict into the host's contract.
fn contract(verdict: &Verdict) -> Value {
    match verdict.decision {
        Decision::Allow => json!({}),
        Decision::Warn => json!({
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "additionalContext": reason(verdict),
            }
        }),
        Decision::Block => deny(&reason(verdict)),
    }
}

fn deny(reason: &str) -> Value {
    json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    })
}

fn reason(verdict: &Verdict) -> String {
    let mut reason = format!("precedent: {}", verdict.summary);
    for advice in &verdict.recommendations {
        reason.push_str("\nDo: ");
        reason.push_str(advice);
    }
    let evidence: Vec<&str> = verdict.evidence_ids().map(|id| &**id).collect();
    if !evidence.is_empty() {
        reason.push_str("\nEvidence: ");
        reason.push_str(&evidence.join(", "));
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_events_carry_the_command_and_others_their_input() {
        let event = json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/p", "session_id": "s",
            "tool_use_id": "t1", "tool_input": {"command": "npm ci", "description": "install"},
        });
        let shell = action(&event).unwrap();
        assert_eq!(
            (shell.command.as_deref(), shell.action.as_str()),
            (Some("npm ci"), "install")
        );
        assert_eq!(shell.tool_use.as_deref(), Some("t1"));
        let event =
            json!({"tool_name": "Edit", "tool_input": {"file_path": "a.rs", "new_string": "x"}});
        let edit = action(&event).unwrap();
        assert_eq!((edit.command, edit.files), (None, vec!["a.rs".to_owned()]));
        assert!(action(&json!({})).is_err());
    }

    #[test]
    fn outcomes_are_the_hosts_own() {
        let failed = ending(
            HookEvent::PostToolUseFailure,
            &json!({"error": "exit code 1"}),
        );
        assert_eq!(
            (failed.outcome, failed.error.as_deref()),
            (Outcome::Failed, Some("exit code 1"))
        );
        let done = json!({"tool_response": {"stdout": "ok", "stderr": "note"}, "duration_ms": 12});
        let done = ending(HookEvent::PostToolUse, &done);
        assert_eq!(
            (done.outcome, done.error, done.output.as_deref()),
            (Outcome::Succeeded, None, Some("ok"))
        );
        assert_eq!(done.duration_ms, Some(12));
        let cut = ending(
            HookEvent::PostToolUse,
            &json!({"tool_response": {"interrupted": true}}),
        );
        assert_eq!(cut.outcome, Outcome::Unknown);
    }
}
