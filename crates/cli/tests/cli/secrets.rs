//! No secret reaches a file of the store or an output, whatever it was given to the binary as.

use std::collections::hash_map::RandomState;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;

use serde_json::json;

use crate::support::{Done, Place};

/// A word that is to be found, in every output and file that the secrets are looked for in.
const MARKER: &str = "kookaburra";
/// How much of a secret counts as the secret.
const FRAGMENT: usize = 8;
const ALPHANUMERIC: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Random characters, so that this file holds no secret either.
fn random(alphabet: &[u8], length: usize) -> String {
    (0..length)
        .map(|_| {
            let number = RandomState::new().build_hasher().finish();
            let index = usize::try_from(number % alphabet.len() as u64).unwrap();
            char::from(alphabet[index])
        })
        .collect()
}

/// A secret as it is given, and the part of it that must not be seen again.
struct Secret {
    given: String,
    private: String,
}

fn secrets() -> Vec<Secret> {
    let upper = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let secret = |before: &str, private: String, after: &str| Secret {
        given: format!("{before}{private}{after}"),
        private,
    };
    // Real ones have digits; a word in capitals alone may be the name of a variable.
    let digits = || random(b"234567", 2);
    let alphanumeric = |length: usize| random(ALPHANUMERIC, length - 2) + &digits();
    vec![
        secret("AKIA", random(upper, 14) + &digits(), ""),
        secret("ghp_", alphanumeric(36), ""),
        secret("xoxb-123456789012-123456789012-", alphanumeric(24), ""),
        secret("sk_live_", alphanumeric(24), ""),
        secret("Authorization: Bearer ", alphanumeric(40), ""),
        secret("password=", alphanumeric(20), ""),
        secret("postgres://app:", alphanumeric(18), "@db.example.com/app"),
        secret(
            "-----BEGIN PRIVATE KEY-----\n",
            alphanumeric(64),
            "\n-----END PRIVATE KEY-----",
        ),
    ]
}

/// What was found of the secrets in a text, by the number of the secret.
fn leaks(secrets: &[Secret], bytes: &[u8]) -> BTreeSet<usize> {
    let mut fragments = HashMap::new();
    let mut starts = vec![false; 256];
    for (at, secret) in secrets.iter().enumerate() {
        for fragment in secret.private.as_bytes().windows(FRAGMENT) {
            fragments.insert(fragment, at);
            starts[usize::from(fragment[0])] = true;
        }
    }
    bytes
        .windows(FRAGMENT)
        .filter(|window| starts[usize::from(window[0])])
        .filter_map(|window| fragments.get(window).copied())
        .collect()
}

/// Returns what stands before the first fragment of a secret, to see how it came there.
fn around(private: &str, bytes: &[u8]) -> String {
    let at = |fragment: &[u8]| {
        bytes
            .windows(FRAGMENT)
            .position(|window| window == fragment)
    };
    let first = private
        .as_bytes()
        .windows(FRAGMENT)
        .find_map(at)
        .unwrap_or(0);
    String::from_utf8_lossy(&bytes[first.saturating_sub(80)..first]).into_owned()
}

/// Looks at the outputs of one way in.
#[track_caller]
fn assert_clean(secrets: &[Secret], way: &str, done: &Done) {
    for stream in [&done.stdout, &done.stderr] {
        let found = leaks(secrets, stream.as_bytes());
        assert!(found.is_empty(), "{way}: secrets {found:?}");
    }
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let content = fs::read(&path).unwrap();
            found.push((path.to_string_lossy().into_owned(), content));
        }
    }
    found
}

/// Gives one secret to every way in, and returns what each printed.
fn give(place: &Place, secret: &Secret) -> Vec<(&'static str, Done)> {
    let given = &secret.given;
    let said = format!("{MARKER} {given}");
    let context = format!("api_key={}", secret.private);
    let curl = format!("curl -H '{given}' https://example.com/{MARKER}");
    let script = format!("mkdir -p kept; echo '{said}' >&2; exit 3");
    let event = json!({
        "session_id": said, "cwd": place.project(), "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash", "tool_use_id": "use-1", "error": said,
        "tool_input": { "command": curl, "description": said },
    });
    let write = json!({
        "tool_name": "Write", "tool_use_id": "use-2", "cwd": place.project(),
        "tool_input": { "file_path": "config.env", "content": said },
    });
    let line = json!({ "id": said, "text": said, "max_chars": 200, "splits": [9, 20] });
    let mut done = vec![
        ("filter", place.run_on(&["redact"], said.as_bytes())),
        (
            "filter as JSON",
            place.run_on(&["redact", "--json"], said.as_bytes()),
        ),
        (
            "lines",
            place.run_on(&["redact", "--jsonl"], line.to_string().as_bytes()),
        ),
        (
            "file that does not exist",
            place.run(&["redact", given, &format!("--rules={given}")]),
        ),
        ("text", place.run(&["remember", &said])),
        (
            "text as JSON",
            place.run(&["remember", &format!("{said} again"), "--json"]),
        ),
        (
            "stdin",
            place.run_on(&["remember", "-"], format!("{said} once more").as_bytes()),
        ),
        (
            "tag",
            place.run(&["remember", "a tag", &format!("--tag={given}"), "--json"]),
        ),
        (
            "context",
            place.run(&["remember", "a context", "--context", &context]),
        ),
        (
            "key",
            place.run(&["remember", "a key", &format!("--idempotency-key={given}")]),
        ),
        (
            "rule",
            place.run(&[
                "remember",
                &format!("Never run `{curl}`."),
                "--trust",
                "user",
            ]),
        ),
        ("query", place.run(&["recall", &said, "--json"])),
        ("query in words", place.run(&["recall", &said, "--explain"])),
        (
            "failure",
            place.run(&[
                "observe",
                "--command",
                &curl,
                "--outcome",
                "failed",
                "--error",
                &said,
                "--output",
                &said,
                &format!("--session={given}"),
                "--json",
            ]),
        ),
        ("guard", place.run(&["guard", "--command", &curl, "--json"])),
        (
            "guard in words",
            place.run(&["guard", "--command", &curl, &format!("--cwd={given}")]),
        ),
        (
            "file",
            place.run(&[
                "guard",
                "--action",
                "read",
                "--tool",
                "Read",
                &format!("--file={given}"),
            ]),
        ),
        ("capsule", place.run(&["capsule", &said])),
        ("kind", place.run(&["remember", "x", "--kind", given])),
        ("id", place.run(&["forget", given, "--json"])),
        (
            "address",
            place.run(&["status", &format!("--store={given}:")]),
        ),
        ("flag", place.run(&["status", &format!("--{given}")])),
        (
            "agent",
            place.run(&["status", &format!("--agent={given}"), "--json"]),
        ),
        (
            "namespace",
            place.run(&["remember", "y", &format!("--namespace={given}")]),
        ),
        ("hook after", place.hook("PostToolUseFailure", &[], &event)),
        ("hook before", place.hook("PreToolUse", &[], &write)),
    ];
    // The command's own output is passed on as it is; only ours is looked at.
    let _ = place.run(&["run", "--", "sh", "-c", &script]);
    let repeat = place.run(&["run", "--", "sh", "-c", &script]).ended(125);
    done.push(("run", repeat));
    done
}

#[test]
fn no_secret_is_kept_or_printed() {
    let place = Place::new();
    let secrets = secrets();
    for secret in &secrets {
        for (way, done) in give(&place, secret) {
            assert_clean(&secrets, way, &done);
        }
    }
    for args in [
        &["recall", MARKER, "--json", "--limit", "100"][..],
        &["audit", "list", "--limit", "1000"],
        &["capsule", MARKER, "--budget", "20000"],
        &["status", "--json"],
    ] {
        assert_clean(&secrets, args[0], &place.run(args).ended(0));
    }
    let recalled = place.run(&["recall", MARKER, "--json"]).ended(0);
    assert!(
        recalled.stdout.contains(MARKER),
        "the marker is found in the same places"
    );
    let files = files(&place.store());
    assert!(files.iter().any(|(name, _)| name.ends_with("store.db-wal")));
    for (name, content) in &files {
        let found = leaks(&secrets, content);
        let places: Vec<String> = found
            .iter()
            .map(|at| around(&secrets[*at].private, content))
            .collect();
        assert!(
            found.is_empty(),
            "in {name}: secrets {found:?} after {places:?}"
        );
    }
    let everything: Vec<u8> = files.into_iter().flat_map(|(_, content)| content).collect();
    let marker = everything.windows(MARKER.len());
    assert!(marker.filter(|window| *window == MARKER.as_bytes()).count() > 10);
}

/// A secret without a form of its own is one by its name.
#[test]
fn a_context_value_is_a_secret_by_its_name() {
    let place = Place::new();
    let private = random(&ALPHANUMERIC[26..52], 12);
    let pair = format!("db_password={private}");
    let done = place.run(&[
        "remember",
        "The pool is small.",
        "--context",
        &pair,
        "--json",
    ]);
    let secrets = [Secret {
        given: pair,
        private,
    }];
    assert_clean(&secrets, "context", &done.ended(0));
    for (name, content) in files(&place.store()) {
        let found = leaks(&secrets, &content);
        assert!(found.is_empty(), "in {name}: secrets {found:?}");
    }
}
