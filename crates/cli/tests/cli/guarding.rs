//! `observe`, `guard`, `run`: what failed is held back until its cause is gone.

use std::fs;

use serde_json::json;

use crate::support::{PRECEDENT, Place, feed, texts};

const FAILED: [&str; 8] = [
    "observe",
    "--command",
    "make deploy",
    "--outcome",
    "failed",
    "--error",
    "disk quota exceeded",
    "--json",
];

#[test]
fn an_observed_failure_blocks_its_exact_repeat_and_nothing_else() {
    let place = Place::new();
    let allowed = place.json(&["guard", "--command", "make deploy"]);
    assert_eq!(
        (&allowed["schema"], &allowed["decision"]),
        (&json!("precedent.guard/1"), &json!("allow"))
    );
    let observed = place.run(&FAILED).ended(0).json();
    assert_eq!(observed["schema"], "precedent.observe/1");
    assert_eq!(observed["outcome"], "failed");
    let blocked = place
        .run(&["guard", "--command", "make deploy", "--json"])
        .ended(2);
    let verdict = blocked.json();
    assert_eq!(verdict["decision"], "block");
    let event = observed["event"].as_str().unwrap().to_owned();
    assert!(texts(&verdict["evidence"], "/id").contains(&event));
    for benign in ["ls -la", "make", "cat deploy", "git status"] {
        place
            .run(&["guard", "--command", benign, "--fail-on-warn"])
            .ended(0);
    }
}

#[test]
fn a_success_clears_the_failure() {
    let place = Place::new();
    place.run(&FAILED).ended(0);
    place.run(&["guard", "--command", "make deploy"]).ended(2);
    place.json(&[
        "observe",
        "--command",
        "make deploy",
        "--outcome",
        "succeeded",
    ]);
    place.run(&["guard", "--command", "make deploy"]).ended(0);
}

#[test]
fn a_warning_ends_with_ten_only_where_asked() {
    let place = Place::new();
    place.run(&FAILED).ended(0);
    // Another flag of the same program and sub-command: a near miss.
    let near = ["guard", "--command", "make deploy --jobs 4"];
    let done = place.run(&near).ended(0);
    assert!(done.stdout.starts_with("warn"), "{}", done.stdout);
    place
        .run(&[&near[..], &["--fail-on-warn"]].concat())
        .ended(10);
}

#[test]
fn only_a_vouched_rule_controls() {
    let place = Place::new();
    let rule = "Never run `git push --force`.";
    let push = ["guard", "--command", "git push --force origin main"];
    place.remember(rule);
    assert_ne!(
        place.run(&push).code,
        2,
        "a text does not grant itself trust"
    );
    let told = place.json(&["remember", rule, "--trust", "user"]);
    assert_eq!(told["rules"], 1);
    place.run(&push).ended(2);
    place
        .run(&[
            "guard",
            "--command",
            "git push origin main",
            "--fail-on-warn",
        ])
        .ended(0);
}

#[test]
fn run_passes_everything_through() {
    let place = Place::new();
    let script = "read line; echo \"out $line\"; echo \"err $line\" >&2; exit 7";
    let done = place
        .run_on(&["run", "--", "sh", "-c", script], b"word\n")
        .ended(7);
    assert_eq!((&*done.stdout, &*done.stderr), ("out word\n", "err word\n"));
    let bytes = [
        "run",
        "--",
        "sh",
        "-c",
        "head -c 200000 /dev/zero | tr '\\0' x",
    ];
    assert_eq!(place.run(&bytes).ended(0).stdout.len(), 200_000);
    place.run(&["run", "--", "no-such-command-here"]).ended(127);
    place
        .run(&["run", "--", "sh", "-c", "kill -9 $$"])
        .ended(137);
    assert_eq!(
        place.json(&["status"])["events"],
        4,
        "each outcome is recorded"
    );
}

/// The story of the README: fails, is held back, the file that the error named appears, runs.
#[test]
fn run_holds_back_a_repeat_until_the_named_file_changes() {
    let place = Place::new();
    fs::write(place.project().join("deploy.sh"), "cat config/region.txt\n").unwrap();
    let deploy = ["run", "--", "sh", "deploy.sh"];
    let failed = place.run(&deploy).ended(1);
    assert!(failed.stderr.contains("region.txt"), "{}", failed.stderr);
    let blocked = place.run(&deploy).ended(125);
    assert_eq!(blocked.stdout, "", "it did not run");
    assert!(blocked.stderr.starts_with("block"), "{}", blocked.stderr);
    let json = place
        .run(&["--json", "run", "--", "sh", "deploy.sh"])
        .ended(125);
    let last = json.stderr.lines().last().unwrap();
    let told: serde_json::Value = serde_json::from_str(last).unwrap();
    assert_eq!(
        (&told["schema"], &told["ran"], &told["verdict"]["decision"]),
        (&json!("precedent.run/1"), &json!(false), &json!("block"))
    );
    fs::create_dir(place.project().join("config")).unwrap();
    fs::write(place.project().join("config/region.txt"), "eu\n").unwrap();
    assert_eq!(place.run(&deploy).ended(0).stdout, "eu\n");
    assert_eq!(place.run(&deploy).ended(0).stdout, "eu\n");
}

#[test]
fn run_with_a_warning_runs_unless_told_not_to() {
    let place = Place::new();
    place.run(&FAILED).ended(0);
    fs::write(
        place.project().join("Makefile"),
        "deploy:\n\t@echo deployed\n",
    )
    .unwrap();
    let held = ["run", "--fail-on-warn", "--", "make", "deploy", "--silent"];
    let done = place.run(&held).ended(125);
    assert_eq!(done.stdout, "");
    assert!(done.stderr.starts_with("warn"), "{}", done.stderr);
}

/// What a command under guard writes reaches a closed pipe or not; it ends as it ends.
#[test]
fn run_survives_a_reader_that_leaves() {
    let place = Place::new();
    let script = format!("{PRECEDENT} run -- sh -c 'seq 1 100000; exit 3' | head -n 1; echo done");
    let done = feed(place.program("sh").args(["-c", &script]), b"").ended(0);
    assert_eq!(done.stdout, "1\ndone\n");
    assert_eq!(place.json(&["status"])["events"], 1);
}
