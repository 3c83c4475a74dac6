//! `hook`: the host's contract, to the byte.

use serde_json::{Value, json};

use crate::support::{Done, Place};

const PRE: &str = "PreToolUse";
const POST: &str = "PostToolUse";
const FAILURE: &str = "PostToolUseFailure";

/// An event as the host sends it.
fn event(place: &Place, name: &str, tool_use: &str, more: &Value) -> Value {
    let mut event = json!({
        "session_id": "s1",
        "transcript_path": "/tmp/transcript.jsonl",
        "cwd": place.project(),
        "permission_mode": "default",
        "hook_event_name": name,
        "tool_name": "Bash",
        "tool_input": { "command": "make deploy", "description": "Deploys" },
        "tool_use_id": tool_use,
    });
    let members = event.as_object_mut().unwrap();
    members.extend(more.as_object().unwrap().clone());
    event
}

fn ask(place: &Place, name: &str, tool_use: &str, more: &Value) -> Done {
    let event = event(place, name, tool_use, more);
    place.hook(name, &[], &event).ended(0)
}

#[track_caller]
fn assert_silent_allow(done: &Done) {
    assert_eq!((&*done.stdout, &*done.stderr), ("{}\n", ""));
}

#[track_caller]
fn assert_denied(done: &Done) -> String {
    let answer: Value = serde_json::from_str(&done.stdout).unwrap();
    let output = &answer["hookSpecificOutput"];
    assert_eq!(answer.as_object().unwrap().len(), 1);
    assert_eq!(output["hookEventName"], PRE);
    assert_eq!(output["permissionDecision"], "deny");
    output["permissionDecisionReason"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_failure_that_the_host_reported_is_denied_next_time() {
    let place = Place::new();
    assert_silent_allow(&ask(&place, PRE, "use-1", &json!({})));
    let failed = json!({ "error": "Error: disk quota exceeded", "is_interrupt": false });
    assert_silent_allow(&ask(&place, FAILURE, "use-1", &failed));
    let reason = assert_denied(&ask(&place, PRE, "use-2", &json!({})));
    assert!(reason.starts_with("precedent: "), "{reason}");
    assert!(reason.contains("Evidence: "), "{reason}");
    // Another command of the same session goes through.
    let other = json!({ "tool_input": { "command": "ls -la" } });
    assert_silent_allow(&ask(&place, PRE, "use-3", &other));
}

#[test]
fn receipts_are_closed_by_the_tool_use() {
    let place = Place::new();
    ask(&place, PRE, "use-1", &json!({}));
    let response =
        json!({ "tool_response": { "stdout": "ok", "stderr": "", "interrupted": false } });
    assert_silent_allow(&ask(&place, POST, "use-1", &response));
    let log = place.json(&["audit", "list"]);
    let entries = log["entries"].as_array().unwrap();
    let of = |op: &str| entries.iter().find(|entry| entry["op"] == op).unwrap();
    let receipt = of("guard.allow")["detail"]["receipt_id"].clone();
    let closed = of("observe")["detail"]["receipt_id"].clone();
    assert!(receipt.is_string(), "{entries:?}");
    assert_eq!(closed, receipt);
    assert_silent_allow(&ask(&place, PRE, "use-2", &json!({})));
}

#[test]
fn edits_are_told_apart_by_their_file() {
    let place = Place::new();
    let edit = |path: &str| {
        let input = json!({ "file_path": path, "old_string": "a", "new_string": "b" });
        json!({ "tool_name": "Edit", "tool_input": input, "error": "String to replace not found" })
    };
    ask(&place, FAILURE, "use-1", &edit("src/a.rs"));
    assert_denied(&ask(&place, PRE, "use-2", &edit("src/a.rs")));
    assert_silent_allow(&ask(
        &place,
        PRE,
        "use-3",
        &json!({
            "tool_name": "Read", "tool_input": { "file_path": "src/b.rs" }
        }),
    ));
}

/// A hook that fails itself lets the tool run, says so in one line, and writes nothing.
#[track_caller]
fn assert_opens_or_denies(place: &Place, stdin: &[u8], said: &str) {
    let args = ["hook", "--host", "claude-code", "--event", PRE];
    let open = place.run_on(&args, stdin).ended(0);
    assert_eq!(open.stdout, "{}\n");
    assert_eq!(open.stderr.lines().count(), 1, "{}", open.stderr);
    assert!(
        open.stderr.starts_with("precedent hook: "),
        "{}",
        open.stderr
    );
    assert!(open.stderr.contains(said), "{}", open.stderr);
    let strict = place
        .run_on(&[&args[..], &["--strict"]].concat(), stdin)
        .ended(0);
    assert!(assert_denied(&strict).contains("strict"));
    assert!(strict.stderr.contains(said), "{}", strict.stderr);
}

#[test]
fn a_hook_that_fails_says_so_and_denies_only_when_strict() {
    let place = Place::new();
    assert_opens_or_denies(&place, b"{not json", "is not JSON");
    assert_opens_or_denies(&place, b"", "is not JSON");
    assert_opens_or_denies(&place, b"\xff\xfe", "is not JSON");
    assert_opens_or_denies(&place, b"{}", "tool_name");
    let wrong = event(&place, POST, "use-1", &json!({})).to_string();
    assert_opens_or_denies(&place, wrong.as_bytes(), "is PostToolUse, not PreToolUse");
}

#[test]
fn a_store_that_cannot_be_opened_is_told_by_the_hook() {
    let place = Place::new();
    std::fs::create_dir(place.store()).unwrap();
    std::fs::write(place.store().join("store.db"), "no database").unwrap();
    let stdin = event(&place, PRE, "use-1", &json!({})).to_string();
    assert_opens_or_denies(&place, stdin.as_bytes(), "not a precedent store");
}

#[test]
fn strict_holds_back_before_a_tool_only() {
    let place = Place::new();
    let done = place.run_on(
        &["hook", "--host", "claude-code", "--event", POST, "--strict"],
        b"{not json",
    );
    assert_eq!(done.ended(0).stdout, "{}\n", "the tool has run already");
}
