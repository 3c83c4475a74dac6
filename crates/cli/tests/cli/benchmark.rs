//! `guardbench --stdio` and `demo`.

use serde_json::{Value, json};

use crate::support::{Place, mask};

/// Plays lines to the subject and returns its replies.
fn play(place: &Place, lines: &[String]) -> Vec<Value> {
    let stdin = lines.join("\n") + "\n";
    let done = place
        .run_on(&["guardbench", "--stdio"], stdin.as_bytes())
        .ended(0);
    assert_eq!(done.stderr, "");
    let replies = done.stdout.lines();
    replies
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Numbers requests from 1.
fn requests(bodies: &[Value]) -> Vec<String> {
    let number = |(id, body): (u64, &Value)| {
        let mut request = body.clone();
        request["id"] = json!(id);
        request.to_string()
    };
    (1..).zip(bodies).map(number).collect()
}

#[test]
fn a_scenario_is_played_from_hello_to_close() {
    let place = Place::new();
    let folder = place.home().join("scenario");
    let act = json!({ "op": "act", "action": { "tool": "Bash", "command": "npm run deploy" } });
    let failed = json!({
        "kind": "tool_event", "tool": "Bash", "command": "npm run deploy",
        "action": "npm run deploy", "outcome": "failed", "error_summary": "missing client",
    });
    let bodies = [
        json!({ "op": "hello", "protocol": "guardbench-jsonl/1" }),
        json!({ "op": "reset", "store_dir": folder, "agent": "a1", "seed": 1 }),
        act.clone(),
        json!({ "op": "seed", "item": failed }),
        json!({ "op": "settle" }),
        act.clone(),
        json!({ "op": "act", "action": { "tool": "Bash", "command": "ls" } }),
        json!({ "op": "fault", "kind": "vector_index_missing", "memory_type": "episodic" }),
        json!({ "op": "act", "action": { "tool": "Bash", "command": "npm run build" } }),
        json!({ "op": "close" }),
        act,
    ];
    let replies = play(&place, &requests(&bodies));
    assert!(
        (1..)
            .zip(&replies)
            .all(|(id, reply)| reply["id"] == json!(id))
    );
    let ok = |reply: &Value| reply["ok"] == json!(true);
    assert!(replies[..10].iter().all(ok), "{replies:#?}");
    assert_eq!(replies[0]["result"]["protocol"], "guardbench-jsonl/1");
    let decision = |n: usize| &replies[n]["result"]["decision"];
    assert_eq!(
        (decision(2), decision(5), decision(6)),
        (&json!("allow"), &json!("block"), &json!("allow"))
    );
    let event = &replies[3]["result"]["ids"][0];
    assert!(
        replies[5]["result"]["evidenceIds"]
            .as_array()
            .unwrap()
            .contains(event)
    );
    assert_ne!(
        replies[8]["result"]["recallErrors"],
        json!([]),
        "the fault is told"
    );
    assert_eq!(replies[10]["ok"], false, "after close there is no memory");
}

#[test]
fn wrong_requests_are_answered_one_by_one() {
    let place = Place::new();
    let lines = [
        r#"{"id": 1, "op": "dance"}"#,
        "{not json",
        "",
        r#"{"id": 2, "op": "act", "action": {}}"#,
        r#"{"id": 3, "op": "ping"}"#,
    ];
    let replies = play(&place, &lines.map(str::to_owned));
    let ok: Vec<_> = replies
        .iter()
        .map(|reply| (&reply["id"], &reply["ok"]))
        .collect();
    let (yes, no) = (json!(true), json!(false));
    let expected = [
        (&json!(1), &no),
        (&Value::Null, &no),
        (&json!(2), &no),
        (&json!(3), &yes),
    ];
    assert_eq!(ok, expected);
    assert!(replies[..3].iter().all(|reply| reply["error"].is_string()));
}

#[test]
fn the_demo_tells_its_story() {
    let place = Place::new();
    let done = place.run(&["demo"]).ended(0);
    insta::assert_snapshot!("demo", mask(&done.stdout, &place));
    assert!(!place.store().exists(), "it leaves the user's store alone");
}
