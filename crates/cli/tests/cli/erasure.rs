//! `forget`, `certificate`, `audit`, `maintain`, `status`: what is gone is provably gone.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Place, texts};

#[test]
fn a_forgotten_memory_is_certified_and_the_certificate_verifies() {
    let place = Place::new();
    let id = place.remember("The kiln fired at cone six.");
    let kept = place.remember("The kiln needs a vent.");
    let certificate = place
        .run(&["forget", &id, "--reason", "gdpr.art17.1.b"])
        .ended(0)
        .stdout;
    let hits = place.json(&["recall", "kiln"])["hits"].clone();
    assert_eq!(texts(&hits, "/memory/id"), [kept]);

    let file = |name: &str, content: &str| {
        let path = place.home().join(name);
        fs::write(&path, content).unwrap();
        path.to_string_lossy().into_owned()
    };
    let path = file("certificate.json", &certificate);
    let key = file(
        "trusted.pem",
        &place.run(&["certificate", "key"]).ended(0).stdout,
    );
    let verify = |path: &str, key: &str| {
        place.run(&[
            "certificate",
            "verify",
            path,
            "--trusted-key",
            key,
            "--json",
        ])
    };
    let valid = verify(&path, &key).ended(0).json();
    assert_eq!(valid["valid"], true);
    assert!(valid.to_string().contains(&id), "it names what went");
    let from_stdin = ["certificate", "verify", "-", "--trusted-key", &key];
    place.run_on(&from_stdin, certificate.as_bytes()).ended(0);

    let payload = certificate.find("\"payload\"").unwrap() + 30;
    for at in [payload, certificate.len() / 2, certificate.len() - 20] {
        let mut changed = certificate.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let changed = file("changed.json", &String::from_utf8(changed).unwrap());
        let told = verify(&changed, &key).ended(1).json();
        assert_eq!(told["valid"], false, "byte {at}");
    }
    let stranger = Place::new();
    let strange = file(
        "strange.pem",
        &stranger.run(&["certificate", "key"]).ended(0).stdout,
    );
    assert_eq!(verify(&path, &strange).ended(1).json()["valid"], false);
    verify(&path, &path).ended(64);
}

#[test]
fn what_is_not_there_cannot_be_forgotten() {
    let place = Place::new();
    let id = place.json(&["remember", "Theirs.", "--namespace", "acme/kitchen"]);
    let id = id["stored"][0]["id"].as_str().unwrap();
    let head = place.head();
    for (id, namespace) in [
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "default"),
        // It exists, and a sibling must not learn that.
        (id, "acme/garden"),
        (id, "acme/kitchen/stove"),
    ] {
        let done = place
            .run(&["forget", id, "--namespace", namespace, "--json"])
            .ended(1);
        assert_eq!(done.error()["kind"], "not-found");
        assert_eq!(done.stdout, "");
    }
    assert_eq!(place.head(), head);
    place.run(&["forget", id, "--namespace", "acme"]).ended(0);
    place.run(&["forget", id, "--namespace", "acme"]).ended(1);
}

#[test]
fn purge_certifies_the_second_stage_once() {
    let place = Place::new();
    let id = place.remember("The kiln fired at cone six.");
    let first = place.json(&["forget", &id]);
    assert_eq!(first["stage"], "logical");
    assert_eq!(place.json(&["status"])["pending_sanitisation"], 1);
    let purged = place.json(&["maintain", "purge"]);
    assert_eq!(
        (&purged["schema"], &purged["pending"]),
        (&json!("precedent.maintain/1"), &json!(false))
    );
    let second = purged["certificates"][0].as_str().unwrap();
    let shown = place.run(&["certificate", "show", second]).ended(0).stdout;
    let key = place.home().join("key.pem");
    fs::write(&key, place.run(&["certificate", "key"]).stdout).unwrap();
    let verify = [
        "certificate",
        "verify",
        "-",
        "--json",
        "--trusted-key",
        key.to_str().unwrap(),
    ];
    let valid = place.run_on(&verify, shown.as_bytes()).ended(0).json();
    assert_eq!(valid["certificate"]["stage"], "sanitised");
    let status = place.json(&["status"]);
    assert_eq!(
        (&status["pending_sanitisation"], &status["tombstones"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(
        place.json(&["maintain", "purge"])["certificates"],
        json!([])
    );
}

#[test]
fn reindexing_changes_no_answer() {
    let place = Place::new();
    for n in 0..12 {
        place.remember(&format!("Batch {n} of the kiln was fired."));
    }
    let asked = ["recall", "kiln batch 7", "--limit", "5"];
    let before = place.json(&asked);
    let told = place.json(&["maintain", "reindex"]);
    assert_eq!(told["pending"], false);
    assert_eq!(place.json(&asked), before);
    assert_eq!(place.json(&["status"])["faults"], json!([]));
}

#[test]
fn the_log_lists_every_change_in_one_chain() {
    let place = Place::new();
    let id = place.remember("The kiln fired at cone six.");
    place.run(&["guard", "--command", "ls"]).ended(0);
    place.json(&["observe", "--command", "ls", "--outcome", "succeeded"]);
    place.json(&["forget", &id]);
    let log = place.json(&["audit", "list"]);
    let entries = log["entries"].as_array().unwrap();
    let ops = texts(&log["entries"], "/op");
    assert_eq!(
        ops,
        ["log.genesis", "write", "guard.allow", "observe", "forget"]
    );
    assert!(
        (0..)
            .zip(entries)
            .all(|(seq, entry)| entry["seq"] == json!(seq))
    );
    assert!(
        entries.iter().all(|entry| entry["actor"] != "local"),
        "actors are pseudonyms"
    );
    let page = place.json(&["audit", "list", "--from", "2", "--limit", "2"]);
    assert_eq!(texts(&page["entries"], "/op"), ops[2..4]);
    assert_eq!(page["head"], log["head"]);
    for mode in [&["audit", "verify"][..], &["audit", "verify", "--fast"]] {
        let told = place.json(mode);
        assert_eq!((&told["ok"], &told["entries"]), (&json!(true), &json!(5)));
        assert_eq!(told["findings"], json!([]));
    }
}

/// One line of the file is enough to see that the log was tampered with.
#[test]
fn a_changed_entry_is_found() {
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    place.json(&["maintain", "purge"]);
    let path = place.store().join("store.db");
    let mut bytes = fs::read(&path).unwrap();
    let needle = b"\"op\":\"write\"";
    let found: Vec<usize> = (0..bytes.len() - needle.len())
        .filter(|at| bytes[*at..].starts_with(needle))
        .collect();
    assert!(!found.is_empty());
    for at in found {
        bytes[at + 6..at + 11].copy_from_slice(b"erase");
    }
    fs::write(&path, bytes).unwrap();
    let told: Value = place.run(&["audit", "verify", "--json"]).ended(1).json();
    assert_eq!(told["ok"], false);
    assert_ne!(told["findings"], json!([]));
}
