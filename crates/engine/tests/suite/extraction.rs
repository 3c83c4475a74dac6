//! Extraction without a model: what ordinary notes state, and that it takes linear time.

use std::time::{Duration, Instant};

use crate::support::{engine, item, write};
use precedent_core::Redactor;
use precedent_engine::{claim, facts, sentences};

/// Sentences of memories, commit messages and documents, none of which states a property of
/// something that has one of it.
const NOTES: &[&str] = &[
    "The owner of the repo is away",
    "The author of the PR is out today",
    "The rest of the team is in Berlin",
    "The first of the two migrations is 0002",
    "The point of the meeting is clear",
    "The output of cargo test is green",
    "The top of the file is Markdown",
    "The result of the benchmark is 3x slower",
    "The build of the day is broken",
    "The cause of the outage is Redis",
    "The reason of the delay is QA",
    "The port of the app is open",
    "The name of the branch in CI is main",
    "The size of the index is growing",
    "The end of the sprint is near",
    "The majority of the tests are slow",
    "The state of the queue is unknown",
    "The purpose of the script is to rename files",
    "My guess is Redis",
    "My guess is that the cache is stale",
    "My understanding is that the port is 80",
    "My plan is to ship on Friday",
    "My point is simple",
    "My build is broken",
    "My laptop is slow",
    "My colleague is Ann",
    "My brother is Tom",
    "My PR is #123",
    "My next ticket is ABC-12",
    "My tests are failing on main",
    "My editor is broken",
    "My name is not Ann",
    "My name was Ann",
    "My name is Ann, I think",
    "My name is Ann. I like tea",
    "My name in the CLI is ada2",
    "Our CI is flaky",
    "Our goal is Q3",
    "Our tests are at 80% coverage",
    "Our customers are Acme and Beta",
    "Our users are happy",
    "Our database is on fire",
    "Our deploy is blocked",
    "Our problem is DNS",
    "Your code is wrong",
    "Your name is Claude",
    "It's clear that the port is 80",
    "That's why the test is flaky",
    "Let's see what is up",
    "There's one thing that is broken",
    "Here's what the port is",
    "What's important is Safety",
    "He's the one whose name is Bob",
    "Who's there is Bob",
    "Today's build is 1.2.3",
    "This week's goal is Q3",
    "Friday's deploy is v2",
    "Everyone's laptop is Apple",
    "Ann's working on it and is happy",
    "Ann's out and is sick",
    "Ann's editor is slow",
    "Ann's editor is hanging",
    "Ann's editor is vim, mostly",
    "Ann's editor is usually vim",
    "Ann's editor is like mine",
    "Ann's PR is ready",
    "Ann's idea is Good",
    "Ann's fix is in",
    "Bob said Ann's editor is vim",
    "Unlike Bob, Ann's editor is vim",
    "docs: Ann's name is now Bea",
    "fix: the port of the API is 8080",
    "feat(api): the port of the API is 8080",
    "Note: my key is a",
    "Is my name Ann?",
    "If my port is 80, stop",
    "When the port of the API is 8080 it works",
    "Maybe the port of the API is 8080",
    "The port of the API should be 8080",
    "The port of the API is 8080 in production",
    "The port of the API in staging is 8081",
    "The port of the API is probably 8080",
    "The port of the API is still 8080",
    "The port of the API is 8080 or 8081",
    "The prompt says \"My name is Bob\"",
    "Set the port of the API to 8080",
    "`my name is Ann` is the test input",
    "x = my name is Ann",
    "It works for me",
    "This works for all cases",
    "That works at scale",
    "Nothing works at the moment",
    "The fix works for now",
    "Rust works for embedded",
    "Caching works for GET requests",
    "Caching works for Safari",
    "Ann works at night",
    "Ann works at home on Fridays",
    "I work at night",
    "I work for hours",
    "She works at Acme when it rains",
    "She works at Acme",
    "They work at Acme",
    "The hook is called before commit",
    "The function is called twice",
    "The function is called By React",
    "This endpoint is called by the frontend",
    "I am called into a meeting",
    "It is called React",
    "The config lives in /etc/app",
    "The team lives in fear",
    "I live in fear of this test",
    "We live in Interesting times",
    "Everyone moved to Slack",
    "We moved to Postgres",
    "CI moved to GitHub Actions",
    "Deploy moved to Tuesday",
    "Ann moved to Marketing",
    "Ann has moved to Oslo",
    "The job reports to Slack",
    "Prometheus reports to Grafana",
    "The file is owned by root",
    "Ann likes tea",
    "Ann knows Bob",
    "Ann and Bob live in Oslo",
    "never push to main",
    "Never push to main on Fridays",
    "Use pnpm, never npm",
    "Prefer rebase over merge",
    "Run make test before each commit",
    "Always run the linter first",
    "Tests need a database on port 5433",
    "The release is late",
    "the build of yesterday was red",
    "Add retries to the client",
    "Remove the unused flag",
    "Bump serde from 1.0.1 to 1.0.2",
    "Merge branch main into dev",
    "Revert \"Add retries\"",
    "This reverts commit 1a2b3c4",
    "TODO: the owner of the module is Ann",
    "See the README for details",
    "Docker is required on CI",
    "Redis is down",
    "Postgres is the primary database",
    "The API is REST",
    "The service is Hermes",
    "The answer is 42",
    "42 is the answer",
    "The user prefers dark mode",
    "The user asked for a summary",
    "The user's request is unclear",
    "The user's question is Why",
    "The test's output is too long",
    "The server's down and the port is 80",
    "One of the hosts is 10.0.0.1",
    "All of the names are Ann",
    "None of this is True",
    "There are 3 replicas",
    "Half of the work is Done",
    "Here is my name",
    "Call me Ann",
    "今日は雨です",
    "我的名字是小明",
    "他的编辑器是vim",
    "私の名前は太郎です",
    "我的 name is Ann？",
    "",
    " is ",
    "My is x",
    "'s is x",
    "The of is x",
    "My name is",
    "is is is is",
];

#[test]
fn ordinary_notes_state_nothing() {
    let redactor = Redactor::new();
    let wrong: Vec<String> = NOTES
        .iter()
        .filter_map(|note| {
            let claim = claim(note, "ada", &redactor)?;
            let value = claim.value.as_deref().unwrap_or_default();
            let (subject, key) = (&*claim.subject, &*claim.key);
            Some(format!("{note}: {subject} / {key} / {value}"))
        })
        .collect();
    assert!(NOTES.len() >= 150, "{}", NOTES.len());
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_is_literal_is_stated() {
    for (note, expected) in [
        ("My name is Ann Smith", ["ada", "name", "Ann Smith"]),
        ("my pronouns are she/her", ["ada", "pronouns", "she/her"]),
        ("The port of the API is 8080", ["API", "port", "8080"]),
        ("the API's port is now 8081.", ["API", "port", "8081"]),
        (
            "Ann’s preferred shell is fish",
            ["Ann", "preferred shell", "fish"],
        ),
        ("The user's timezone is CET", ["user", "timezone", "CET"]),
        (
            "The url of the wiki is https://wiki.local/x",
            ["wiki", "url", "https://wiki.local/x"],
        ),
        ("The owner of the repo is Ann", ["repo", "owner", "Ann"]),
        ("Ann lives in New York", ["Ann", "home", "New York"]),
        ("I work for Acme", ["ada", "employer", "Acme"]),
    ] {
        let claim = claim(note, "ada", &Redactor::new()).expect(note);
        let value = claim.value.as_deref().unwrap_or_default();
        assert_eq!([&*claim.subject, &*claim.key, value], expected, "{note}");
    }
}

#[test]
fn secrets_are_no_subjects_or_keys() {
    let secret = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    assert_eq!(
        claim(&format!("{secret}'s port is 80"), "ada", &Redactor::new()),
        None
    );
    let stated = claim(&format!("My token is {secret}"), "ada", &Redactor::new());
    assert!(!format!("{stated:?}").contains("16C7e42F"));
}

/// Asserts that eight times as much takes less than forty times as long; sixty-four times is what
/// quadratic work would take.
fn is_linear(what: &str, unit: &str, work: impl Fn(&str)) {
    let time = |bytes: usize| {
        let text = unit.repeat(bytes / unit.len());
        let once = || {
            let begun = Instant::now();
            work(&text);
            begun.elapsed()
        };
        once()
    };
    let (small, large) = (time(1 << 17), time(1 << 20));
    let most = (small * 40).max(Duration::from_secs(1));
    assert!(
        large < most,
        "{what} of {unit:?}: {small:?}, then {large:?}"
    );
}

#[test]
fn a_mebibyte_takes_linear_time() {
    let redactor = Redactor::new();
    for unit in [
        "word ",
        "a",
        "A. ",
        "名",
        "`",
        "e.g. ",
        "Ann Smith ",
        "「",
        "my x is ",
        ". ",
        "\n",
        "'s ",
    ] {
        is_linear("sentences", unit, |text| drop(sentences(text)));
        is_linear("claim", unit, |text| drop(claim(text, "ada", &redactor)));
    }
    is_linear("facts", "Ann is here. ", |text| {
        drop(facts(text, "ada", &redactor));
    });
}

#[test]
fn names_of_the_longest_text_are_found_in_time() {
    let text = |unit: &str| unit.repeat((1 << 16) / unit.len());
    for unit in ["名", "Ann Smith met ", "A. ", "「x", "a-"] {
        let begun = Instant::now();
        let written = write(&engine(), vec![item(&text(unit))]);
        assert_eq!(written.stored.len(), 1);
        assert!(
            begun.elapsed() < Duration::from_secs(8),
            "{unit}: {:?}",
            begun.elapsed()
        );
    }
}
