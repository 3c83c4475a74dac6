//! Disks that are full or may not be written, in a mount namespace of their own, which needs root
//! or user namespaces; and outputs that may not be written.
#![cfg(target_os = "linux")]

use std::fs;

use serde_json::Value;

use crate::support::{Done, PRECEDENT, Place, feed};

/// How a script ends that could not mount what it needs.
const NOT_MOUNTED: i32 = 99;

/// Runs a script that may mount; none, with the reason printed, where the system lets nobody.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn with_mounts(place: &Place, script: &str) -> Option<Done> {
    for flags in ["-m", "-Urm"] {
        let probe = "mount -t tmpfs -o size=64k none /tmp";
        let mut probing = place.program("unshare");
        let probed = probing.args([flags, "sh", "-c", probe]).output();
        if probed.is_ok_and(|output| output.status.success()) {
            let mut command = place.program("unshare");
            command.env("PRECEDENT", PRECEDENT);
            let done = feed(command.args([flags, "sh", "-c", script]), b"");
            if done.code != NOT_MOUNTED {
                return Some(done);
            }
        }
    }
    println!("skipped: neither root nor user namespaces may mount this here");
    None
}

fn errors(text: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Writes until the disk is full: every write is acknowledged and kept or refused and gone, the
/// store can be read meanwhile, and goes on once there is room.
#[test]
fn a_full_disk_loses_nothing_that_was_acknowledged() {
    let place = Place::new();
    fs::create_dir(place.store()).unwrap();
    let script = r#"
        mount -t tmpfs -o size=5m none "$PRECEDENT_STORE" || exit 99
        text=$(head -c 6000 /dev/zero | tr '\0' x)
        "$PRECEDENT" remember "The kiln fired at cone six." >&2 || exit 98
        dd if=/dev/zero of="$PRECEDENT_STORE/filler" bs=1k count=2600 2>/dev/null
        n=0
        while [ $n -lt 120 ]; do
            n=$((n+1))
            "$PRECEDENT" remember "number $n $text" --json >>"$HOME/done" || { code=$?; break; }
        done
        "$PRECEDENT" recall kiln >&2 || exit 97
        "$PRECEDENT" guard --command ls >&2 || exit 96
        "$PRECEDENT" audit verify --json >"$HOME/full-audit" || exit 95
        "$PRECEDENT" status --json >"$HOME/full-status" || exit 94
        rm "$PRECEDENT_STORE/filler"
        "$PRECEDENT" remember "There is room again." --json >>"$HOME/done" || exit 93
        "$PRECEDENT" audit verify --json >"$HOME/audit" || exit 92
        "$PRECEDENT" status --json >"$HOME/status" || exit 91
        exit $code
    "#;
    let Some(done) = with_mounts(&place, script) else {
        return;
    };
    let done = done.ended(1);
    let full = &errors(&done.stderr)[0];
    assert_eq!(
        (&full["kind"], &full["retry"]),
        (&"full".into(), &"later".into())
    );
    assert!(
        full["message"]
            .as_str()
            .unwrap()
            .contains("free some space")
    );
    let read = |name: &str| fs::read_to_string(place.home().join(name)).unwrap();
    let json = |name: &str| -> Value { serde_json::from_str(&read(name)).unwrap() };
    let acknowledged = errors(&read("done"))
        .iter()
        .filter(|told| told["stored"][0]["id"].is_string())
        .count() as u64;
    assert!(acknowledged > 2, "the disk was full from the start");
    let memories = |name: &str| json(name)["kinds"][0]["memories"].as_u64().unwrap();
    // The first memory was told on stderr; the last was written after there was room.
    assert_eq!(memories("full-status"), acknowledged);
    assert_eq!(memories("status"), acknowledged + 1);
    assert_eq!(json("audit")["ok"], true);
    assert_eq!(json("status")["faults"], Value::Array(vec![]));
}

#[test]
fn a_full_disk_takes_no_new_store() {
    let place = Place::new();
    fs::create_dir(place.store()).unwrap();
    let script = r#"
        mount -t tmpfs -o size=4m none "$PRECEDENT_STORE" || exit 99
        dd if=/dev/zero of="$PRECEDENT_STORE/filler" bs=1k 2>/dev/null
        "$PRECEDENT" remember "The kiln fired at cone six." --json
        code=$?
        rm "$PRECEDENT_STORE/filler"
        "$PRECEDENT" remember "There is room." || exit 98
        exit $code
    "#;
    let Some(done) = with_mounts(&place, script) else {
        return;
    };
    let done = done.ended(1);
    let error = &errors(&done.stderr)[0];
    assert!(
        ["full", "keys"].contains(&error["kind"].as_str().unwrap()),
        "{error}"
    );
}

/// A store on a disk that may only be read answers what it can, and refuses the rest in words.
#[test]
fn a_store_that_may_not_be_written_says_so() {
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    place.json(&["maintain", "purge"]);
    let head = place.head();
    let script = r#"
        mount --bind "$PRECEDENT_STORE" "$PRECEDENT_STORE" || exit 99
        mount -o remount,bind,ro "$PRECEDENT_STORE" || exit 99
        "$PRECEDENT" remember "Another." --json
        code=$?
        "$PRECEDENT" recall kiln --json >"$HOME/recalled" || exit 98
        "$PRECEDENT" guard --command ls --json >"$HOME/guarded" || exit 97
        exit $code
    "#;
    let Some(done) = with_mounts(&place, script) else {
        return;
    };
    let done = done.ended(1);
    let error = &errors(&done.stderr)[0];
    assert_eq!(error["kind"], "read-only", "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("make the store's folder writable"),
        "{error}"
    );
    let read = |name: &str| fs::read_to_string(place.home().join(name)).unwrap();
    let recalled = &errors(&read("recalled"))[0];
    assert_eq!(recalled["hits"].as_array().unwrap().len(), 1);
    let verdict = &errors(&read("guarded"))[0];
    assert_eq!(verdict["decision"], "allow");
    let degraded = verdict["recall_errors"].to_string();
    assert!(
        degraded.contains("receipt"),
        "the verdict says that it was not recorded: {verdict}"
    );
    assert_eq!(place.head(), head);
}

/// Output that cannot be written is a failure; a hook's is one that strict mode holds back.
#[test]
fn an_answer_that_cannot_be_written_is_told() {
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    let event = r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "ls"}}"#;
    let hook = "hook --host claude-code --event PreToolUse";
    for (command, code) in [
        ("recall kiln", 1),
        (hook, 0),
        (&format!("{hook} --strict"), 2),
    ] {
        let script = format!("{PRECEDENT} {command} >/dev/full");
        let done = feed(place.program("sh").args(["-c", &script]), event.as_bytes());
        let done = done.ended(code);
        assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
    }
}
