//! What people read, as snapshots; and what programs read, by its schema.

use serde_json::Value;

use crate::support::{Place, mask};

#[track_caller]
fn shown(place: &Place, args: &[&str], code: i32) -> String {
    let done = place.run(args).ended(code);
    let text = format!("{}{}", done.stdout, done.stderr);
    assert!(!text.contains('\u{1b}'), "no colours in a pipe: {text:?}");
    mask(&text, place)
}

#[test]
fn help() {
    let place = Place::new();
    insta::assert_snapshot!("help", shown(&place, &["--help"], 0));
    insta::assert_snapshot!("help-remember", shown(&place, &["remember", "--help"], 0));
    insta::assert_snapshot!("help-redact", shown(&place, &["redact", "--help"], 0));
    insta::assert_snapshot!("no-command", shown(&place, &[], 64));
}

#[test]
fn remembering_and_recalling() {
    let place = Place::new();
    let kiln = ["remember", "The kiln fired at cone six.", "--tag", "kiln"];
    insta::assert_snapshot!("remember", shown(&place, &kiln, 0));
    insta::assert_snapshot!("remember-again", shown(&place, &kiln, 0));
    let rule = [
        "remember",
        "Never run `git push --force`.",
        "--trust",
        "user",
    ];
    insta::assert_snapshot!("remember-rule", shown(&place, &rule, 0));
    place.remember("Glazes are stored beside the kiln.");
    insta::assert_snapshot!("recall", shown(&place, &["recall", "kiln"], 0));
    let explain = ["recall", "kiln", "--explain"];
    insta::assert_snapshot!("recall-explain", shown(&place, &explain, 0));
    let push = ["guard", "--command", "git push --force"];
    insta::assert_snapshot!("guard-rule", shown(&place, &push, 2));
    insta::assert_snapshot!("capsule", shown(&place, &["capsule", "push the branch"], 0));
    insta::assert_snapshot!("status", shown(&place, &["status"], 0));
    insta::assert_snapshot!("audit-verify", shown(&place, &["audit", "verify"], 0));
}

#[test]
fn guarding() {
    let place = Place::new();
    let deploy = ["--command", "make deploy"];
    let ended = ["--outcome", "failed", "--error", "disk quota exceeded"];
    let observe = [&["observe"][..], &deploy, &ended].concat();
    insta::assert_snapshot!("observe", shown(&place, &observe, 0));
    let guard = [&["guard"][..], &deploy].concat();
    insta::assert_snapshot!("guard-failure", shown(&place, &guard, 2));
    insta::assert_snapshot!(
        "guard-allow",
        shown(&place, &["guard", "--command", "ls"], 0)
    );
}

#[test]
fn errors() {
    let place = Place::new();
    insta::assert_snapshot!("error-empty", shown(&place, &["remember", ""], 64));
    let unknown = ["forget", "01ARZ3NDEKTSV4RRFFQ69G5FAV"];
    insta::assert_snapshot!("error-unknown", shown(&place, &unknown, 1));
    let scheme = ["--store", "redis://h", "status"];
    insta::assert_snapshot!("error-scheme", shown(&place, &scheme, 64));
    let json = ["remember", "x", "--kind", "vague", "--json"];
    insta::assert_snapshot!("error-json", shown(&place, &json, 64));
}

/// Every command prints one object that names its schema.
#[test]
fn every_command_has_a_schema() {
    let place = Place::new();
    let id = place.remember("The kiln fired at cone six.");
    let key = place.home().join("key.pem");
    let pem = place.json(&["certificate", "key"]);
    std::fs::write(&key, pem["public_key_pem"].as_str().unwrap()).unwrap();
    let forgotten = place.json(&["forget", &id]);
    let envelope = place.home().join("certificate.json");
    std::fs::write(&envelope, forgotten["certificate"].to_string()).unwrap();
    let certificate = forgotten["certificate_id"].as_str().unwrap();
    let (key, envelope) = (key.to_str().unwrap(), envelope.to_str().unwrap());
    for (args, schema) in [
        (&["remember", "Another."][..], "remember"),
        (&["recall", "kiln"], "recall"),
        (
            &["observe", "--command", "ls", "--outcome", "succeeded"],
            "observe",
        ),
        (&["guard", "--command", "ls"], "guard"),
        (&["capsule", "fire the kiln"], "capsule"),
        (&["certificate", "show", certificate], "certificate.show"),
        (&["certificate", "key"], "certificate.key"),
        (
            &["certificate", "verify", envelope, "--trusted-key", key],
            "certificate.verify",
        ),
        (&["audit", "verify"], "audit.verify"),
        (&["audit", "list"], "audit.list"),
        (&["maintain", "purge"], "maintain"),
        (&["maintain", "reindex"], "maintain"),
        (&["redact"], "redact"),
        (&["redact", "--list-rules"], "redact.rules"),
        (&["status"], "status"),
    ] {
        assert_eq!(place.json(args)["schema"], format!("precedent.{schema}/1"));
    }
    assert_eq!(forgotten["schema"], "precedent.forget/1");
    let run = place
        .run(&["--json", "run", "--", "echo", "hello"])
        .ended(0);
    assert_eq!(run.stdout, "hello\n", "stdout is the command's own");
    let told: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(
        (&told["schema"], &told["status"]),
        (&"precedent.run/1".into(), &0.into())
    );
}
