//! Correction, history, transfer: what was wrong is put right without being overwritten, and what
//! goes out comes in again.

use serde_json::{Value, json};

use crate::support::{Place, stored, texts};

fn say(place: &Place, text: &str, more: &[&str]) -> Value {
    place.json(&[&["remember", text], more].concat())
}

fn recalled(place: &Place, narrow: &[&str]) -> Vec<String> {
    let found = place.json(&[&["recall", "what is the name"], narrow].concat());
    texts(&found["hits"], "/memory/text")
}

const NAME: [&str; 4] = ["--subject", "user", "--key", "name"];

#[test]
fn a_key_has_one_value_at_a_time_and_a_history() {
    let place = Place::new();
    let with = |value: &'static str, from: &'static str| {
        [&NAME[..], &["--value", value, "--valid-from", from]].concat()
    };
    let first = say(
        &place,
        "The name is Ann",
        &with("Ann", "2026-01-01T00:00:00Z"),
    );
    let second = say(
        &place,
        "The name is Bea",
        &with("Bea", "2026-03-01T00:00:00Z"),
    );
    assert_eq!(second["superseded"], json!([stored(&first)]));
    assert_eq!(recalled(&place, &[]), ["The name is Bea"]);
    let february = ["--as-of", "2026-02-01T00:00:00Z"];
    assert_eq!(recalled(&place, &february), ["The name is Ann"]);
    // The same value again is no news.
    let again = say(
        &place,
        "Her name is Bea",
        &with("Bea", "2026-04-01T00:00:00Z"),
    );
    assert_eq!(again["deduplicated"], json!([stored(&second)]));

    let history = place.json(&["history", "name", "--subject", "user"]);
    let lived = history["memories"].as_array().unwrap();
    assert_eq!(lived.len(), 2);
    assert_eq!(lived[0]["memory"]["superseded_by"], json!(stored(&second)));
    assert_eq!(lived[0]["memory"]["valid_to"], "2026-03-01T00:00:00.000Z");
    let states = texts(&lived[0]["revisions"], "/standing/state");
    assert_eq!(states, ["active", "superseded"]);

    // Back to what was believed before the second one was written.
    let known = first["recorded_at"].as_str().unwrap();
    place.json(&["revert", "name", "--subject", "user", "--to", known]);
    assert_eq!(recalled(&place, &[]), ["The name is Ann"]);
    place.run(&["history", "nickname"]).ended(1);
}

#[test]
fn retiring_hides_and_restoring_brings_back() {
    let place = Place::new();
    let id = place.remember("the name is kept in the vault");
    let before = place.json(&["history", &id])["memories"][0]["memory"]["recorded_at"].clone();
    assert_eq!(place.json(&["retire", &id])["changed"], json!([id]));
    assert!(recalled(&place, &[]).is_empty());
    let then = ["--as-known-at", before.as_str().unwrap()];
    assert_eq!(recalled(&place, &then).len(), 1, "it was known then");
    place.run(&["retire", &id]).ended(64);
    place.json(&["restore", &id]);
    assert_eq!(recalled(&place, &[]).len(), 1);
    let elsewhere = ["retire", &id, "--namespace", "elsewhere", "--json"];
    assert_eq!(place.run(&elsewhere).ended(1).error()["kind"], "not-found");
}

#[test]
fn a_contradiction_is_kept_until_it_is_resolved() {
    let place = Place::new();
    let vouched = say(
        &place,
        "The name is Ann",
        &[&NAME[..], &["--value", "Ann", "--trust", "user"]].concat(),
    );
    let claimed = say(
        &place,
        "The name is Eve",
        &[&NAME[..], &["--value", "Eve", "--source", "tool-result"]].concat(),
    );
    assert_eq!(claimed["disputed"], json!([stored(&claimed)]));
    let open = place.json(&["contradictions"]);
    let found = &open["contradictions"][0];
    assert_eq!(
        found["between"],
        json!([stored(&vouched), stored(&claimed)])
    );
    let id = found["id"].as_str().unwrap().to_owned();
    place.run(&["resolve", &id]).ended(64);
    place.json(&["resolve", &id, "--keep", &stored(&vouched)]);
    assert_eq!(recalled(&place, &[]), ["The name is Ann"]);
    assert_eq!(place.json(&["contradictions"])["contradictions"], json!([]));
    let all = place.json(&["contradictions", "--all"]);
    assert_eq!(all["contradictions"][0]["resolution"]["verdict"], "person");
}

#[test]
fn what_is_not_trusted_is_held_back_until_somebody_vouches() {
    let place = Place::new();
    let told = say(&place, "the name is on the wiki page", &["--untrusted"]);
    let id = stored(&told);
    assert_eq!(told["quarantined"], json!([id]));
    assert!(recalled(&place, &[]).is_empty());
    let derived = say(&place, "so the name must be Ann", &["--derived-from", &id]);
    assert_eq!(derived["quarantined"], json!([stored(&derived)]));
    place.json(&["promote", &id]);
    assert_eq!(recalled(&place, &[]), ["the name is on the wiki page"]);
}

#[test]
fn content_is_taken_apart_where_that_is_asked_for() {
    let place = Place::new();
    let text = "The build needs Go 1.23. Ok. The cache lives on host seven!";
    let told = say(&place, text, &["--extract"]);
    assert_eq!(told["stored"].as_array().unwrap().len(), 2);
    assert_eq!(told["rejected"][0]["reason"], "low-information-fact");
    assert_eq!(told["rejected"][0]["candidate"], 1);
    let capped = say(
        &place,
        "One two three four. Five six seven eight.",
        &["--extract", "--max-facts", "1"],
    );
    assert_eq!(capped["rejected"][0]["reason"], "max-facts-cap");
}

#[test]
fn what_is_exported_comes_in_again_as_it_was() {
    let place = Place::new();
    let with = |value: &'static str| [&NAME[..], &["--value", value]].concat();
    say(&place, "The name is Ann", &with("Ann"));
    say(&place, "The name is Bea", &with("Bea"));
    let id = place.remember("the name is kept in the vault");
    place.json(&["retire", &id]);
    let exported = place.run(&["export"]).ended(0).stdout;
    assert_eq!(exported.lines().count(), 3);

    let other = Place::new();
    let file = other.home().join("memories.jsonl");
    std::fs::write(&file, &exported).unwrap();
    let import = ["import", file.to_str().unwrap()];
    let done = other.json(&import);
    assert_eq!((&done["stored"], &done["failed"]), (&json!(3), &json!(0)));
    let kept = |text: &str| -> Vec<Value> {
        text.lines()
            .map(|line| without_clocks(serde_json::from_str(line).unwrap()))
            .collect()
    };
    let again = other.run(&["export"]).ended(0).stdout;
    assert_eq!(kept(&again), kept(&exported));
    // An import that is run again goes on where it stopped: nothing is written.
    let head = other.head();
    other.json(&import);
    assert_eq!(other.head(), head);
    // What was erased does not come back.
    let bea = other.json(&["history", "name", "--subject", "user"])["memories"][1]["memory"]["id"]
        .clone();
    other.run(&["forget", bea.as_str().unwrap()]).ended(0);
    std::fs::write(
        &file,
        exported
            .lines()
            .rev()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    )
    .unwrap();
    let replayed = other.json(&import);
    assert_eq!(
        (&replayed["stored"], &replayed["rejected"]),
        (&json!(0), &json!(1))
    );
}

/// An imported record is recorded anew, as its first version.
fn without_clocks(mut memory: Value) -> Value {
    for name in ["recorded_at", "retired_at", "version", "trust"] {
        memory[name] = Value::Null;
    }
    memory
}

#[test]
fn broken_lines_are_left_out_and_told() {
    let place = Place::new();
    let lines = [
        r#"{"text":"the kettle is red"}"#,
        "",
        "{\"text\":",
        r#"{"text":"  "}"#,
        r#"{"text":"x","recorded_at":"2999-01-01T00:00:00Z"}"#,
        r#"{"text":"the kettle is blue","trust":"user"}"#,
        r#"{"text":"the kettle is red"}"#,
    ];
    let input = lines.join("\n");
    let done = place
        .run_on(&["import", "-", "--jsonl"], input.as_bytes())
        .ended(1);
    let mut told: Vec<(u64, String)> = done
        .stdout
        .lines()
        .map(|line| {
            let told: Value = serde_json::from_str(line).unwrap();
            (
                told["line"].as_u64().unwrap(),
                told["outcome"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    told.sort();
    let expected = [
        (1, "stored"),
        (3, "failed"),
        (4, "failed"),
        (5, "failed"),
        (6, "stored"),
        (7, "deduplicated"),
    ];
    assert_eq!(
        told,
        expected.map(|(line, outcome)| (line, outcome.to_owned()))
    );
    let hits = place.json(&["recall", "kettle"])["hits"].clone();
    assert_eq!(texts(&hits, "/memory/trust"), ["unverified", "unverified"]);
}

#[test]
fn namespaces_count_from_here_down() {
    let place = Place::new();
    for namespace in ["acme", "acme/kitchen", "acme_", "other 100%"] {
        say(&place, "the kettle is red", &["--namespace", namespace]);
    }
    let found = place.json(&["namespaces", "--namespace", "acme"]);
    assert_eq!(
        texts(&found["namespaces"], "/namespace"),
        ["acme", "acme/kitchen"]
    );
    let found = place.json(&["namespaces", "--namespace", "other 100%"]);
    assert_eq!(found["namespaces"][0]["in_force"], 1);
}

/// An export that is brought in where its ids are taken leaves those lines out, and says so.
#[test]
fn ids_that_are_taken_elsewhere_are_left_out() {
    let place = Place::new();
    for text in ["the kettle is red", "the kettle is blue"] {
        place.remember(text);
    }
    let exported = place.run(&["export"]).ended(0).stdout;
    let input = format!("\u{feff}{exported}{{\"text\":\"a third kettle\"}}\n");
    let elsewhere = ["import", "-", "--namespace", "elsewhere", "--json"];
    let done = place.run_on(&elsewhere, input.as_bytes()).ended(1).json();
    assert_eq!((&done["stored"], &done["failed"]), (&json!(1), &json!(2)));
    assert_eq!(texts(&done["faults"], "/line"), Vec::<String>::new());
    assert_eq!(done["faults"][0]["line"], 1);
}

/// What a file cannot say of a memory that never was in a store is refused.
#[test]
fn lines_that_make_no_sense_are_refused() {
    let place = Place::new();
    let id = "01K1BZ3Y9H5V0000000000000A";
    let lines = [
        r#"{"text":"held back","state":"quarantined"}"#.to_owned(),
        r#"{"text":"of another kind","schema":"precedent.memory/2"}"#.to_owned(),
        format!(r#"{{"text":"its own successor","id":"{id}","superseded_by":"{id}"}}"#),
    ];
    let input = lines.join("\n");
    let done = place
        .run_on(&["import", "-", "--json"], input.as_bytes())
        .ended(1)
        .json();
    assert_eq!((&done["stored"], &done["failed"]), (&json!(0), &json!(3)));
}

/// What is private to another agent can be erased by nobody else, and looks like nothing.
#[test]
fn nobody_erases_what_they_may_not_see() {
    let place = Place::new();
    let told = place.json(&[
        "remember",
        "the kettle is mine",
        "--private",
        "--agent",
        "a1",
    ]);
    let forget = |id: &str| {
        let by = ["forget", id, "--agent", "a2", "--json"];
        place.run(&by).ended(1).error()
    };
    let hidden = forget(&stored(&told));
    assert_eq!(hidden, forget("01K1BZ3Y9H5V0000000000000A"));
    place
        .run(&["forget", &stored(&told), "--agent", "a1"])
        .ended(0);
}
