//! Misuse: a clear message with the next step, 64, and a store that is as it was.

use std::ffi::OsStr;
use std::fs;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;

use crate::support::{Done, Place};

/// An id of the right form that nothing has.
const UNKNOWN: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

#[track_caller]
fn assert_misuse(done: Done, said: &str) {
    let done = done.ended(64);
    assert_eq!(done.stdout, "");
    let error = done.error();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(said), "{message}");
    assert!(
        !message.contains('\u{1b}'),
        "no colours in a pipe: {message:?}"
    );
    assert_eq!(error["retry"], "never");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    let head = place.head();
    let long = "x".repeat(65 * 1024);
    let tag = "x".repeat(5000);
    for (args, said) in [
        (
            &["remember", "x", "--kind", "vague"][..],
            "episodic, semantic, procedural",
        ),
        (&["remember", "x", "--source", "rumour"], "told-by-user"),
        (&["remember", "x", "--trust", "everyone"], "user"),
        (&["remember", "x", "--salience", "2"], "salience"),
        (&["remember", ""], "say what to remember"),
        (&["remember", " \n\t"], "say what to remember"),
        (&["remember", &long], "raise the limit"),
        (&["remember", "x", "--tag", &tag], "shorten it"),
        (&["remember", "x", "--context", "novalue"], "NAME=VALUE"),
        (
            &["remember", "x", "--valid-from", "2026-01-01T00:00:00"],
            "2026-11-30T16:00:01.000Z",
        ),
        (
            &["remember", "x", "--valid-to", "tomorrow"],
            "2026-11-30T16:00:01.000Z",
        ),
        (
            &[
                "remember",
                "x",
                "--valid-from",
                "2026-01-02T00:00:00Z",
                "--valid-to",
                "2026-01-01T00:00:00Z",
            ],
            "swap them",
        ),
        (&["remember", "x", "--supersedes", "42"], "--supersedes"),
        (&["remember"], "<TEXT>"),
        (&["recall"], "<QUERY>"),
        (&["recall", "x", "--limit", "many"], "--limit"),
        (
            &["recall", "x", "--kind", "vague"],
            "episodic, semantic, procedural",
        ),
        (&["forget", "42"], "<ID>"),
        (&["guard"], "--command"),
        (&["guard", "--command", ""], "the action is empty"),
        (&["guard", "--command", " \n "], "the action is empty"),
        (&["guard", "--action", ""], "the action is empty"),
        (
            &["observe", "--command", "", "--outcome", "failed"],
            "the action is empty",
        ),
        (
            &["observe", "--command", "ls", "--outcome", "meh"],
            "succeeded, failed",
        ),
        (&["observe", "--command", "ls"], "--outcome"),
        (&["run"], "<COMMAND>"),
        (&["run", "--", ""], "the action is empty"),
        (&["certificate", "show", UNKNOWN], "check its id"),
        (&["guardbench"], "--stdio"),
        (&["frobnicate"], "frobnicate"),
        (
            &["--store", "redis://h", "status"],
            "use a folder, sqlite:PATH or mem:",
        ),
        (
            &["--store", "postgres://h/db", "status"],
            "feature postgres",
        ),
        (&["--store", "", "status"], "give a folder"),
        (&["--store", "sqlite:", "status"], "needs a path"),
        (&["--namespace", "", "status"], "namespace"),
        (&["--namespace", "a//b", "status"], "namespace"),
        (&["--agent", "", "status"], "name"),
    ] {
        assert_misuse(place.run(&[&["--json"], args].concat()), said);
        let words = place.run(args).ended(64);
        assert_eq!(words.stdout, "");
        assert!(words.stderr.starts_with("error: "), "{}", words.stderr);
        assert!(words.stderr.contains(said), "{}", words.stderr);
    }
    assert_eq!(place.head(), head, "nothing was written");
}

#[test]
fn an_unknown_id_is_no_misuse_but_fails() {
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    let head = place.head();
    let supersede = ["remember", "x", "--supersedes", UNKNOWN, "--json"];
    let error = place.run(&supersede).ended(1).error();
    assert!(
        error["message"].as_str().unwrap().contains("check the id"),
        "{error}"
    );
    assert_eq!(place.head(), head);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    let head = place.head();
    let stdin = |bytes: &[u8]| place.run_on(&["remember", "-", "--json"], bytes);
    assert_misuse(stdin(b"caf\xe9"), "not valid UTF-8; convert it");
    assert_misuse(stdin(b"a\0b"), "NUL byte; remove it");
    assert_misuse(stdin(b""), "say what to remember");
    let text = OsStr::new("--json");
    let bytes = OsStr::from_bytes(b"caf\xe9");
    for args in [
        &[text, OsStr::new("remember"), bytes][..],
        &[text, OsStr::new("guard"), OsStr::new("--command"), bytes],
    ] {
        assert_misuse(place.run_raw(args), "UTF-8");
    }
    assert_eq!(place.head(), head);
}

#[test]
fn the_limit_is_raised_in_the_stores_settings() {
    let place = Place::new();
    let text = "word ".repeat(20_000);
    let long = |place: &Place| place.run_on(&["remember", "-", "--json"], text.as_bytes());
    assert_misuse(long(&place), "the limit is 65536");
    fs::write(
        place.store().join("config.toml"),
        "[limits]\ntext_bytes = 200000\n",
    )
    .unwrap();
    long(&place).ended(0);
}

#[test]
fn broken_settings_are_told_with_their_file() {
    let place = Place::new();
    place.remember("The kiln fired at cone six.");
    let head = place.head();
    let path = place.store().join("config.toml");
    for (settings, said) in [
        ("limits = [", "config.toml"),
        ("[limits]\ntext = 1\n", "text_bytes"),
        ("[guard]\nretry_limit = \"five\"\n", "config.toml"),
        ("[limits]\ntext_bytes = -1\n", "config.toml"),
    ] {
        fs::write(&path, settings).unwrap();
        assert_misuse(place.run(&["remember", "Another.", "--json"]), said);
    }
    fs::write(&path, b"\xff\xfe").unwrap();
    let done = place.run(&["remember", "Another.", "--json"]);
    assert_misuse(done, "config.toml");
    fs::remove_file(&path).unwrap();
    assert_eq!(place.head(), head);
}

/// Without a flag or a variable the store is in the user's data folder.
#[test]
fn the_store_is_found_without_being_named() {
    let place = Place::new();
    let mut command = place.program(crate::support::PRECEDENT);
    command
        .env_remove("PRECEDENT_STORE")
        .args(["remember", "At home."]);
    crate::support::feed(&mut command, b"").ended(0);
    let store = place.home().join("data/precedent");
    assert!(store.join("store.db").is_file());
    let named = place.run_in(&store, &["recall", "home"], b"").ended(0);
    assert!(named.stdout.contains("At home."));
    let flag = ["--store", store.to_str().unwrap(), "recall", "home"];
    assert!(
        place.run(&flag).ended(0).stdout.contains("At home."),
        "a flag wins"
    );
}
