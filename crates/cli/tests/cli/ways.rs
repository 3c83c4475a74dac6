//! Every way in and every way out, with secrets of every documented form at once: no fragment of
//! any of them is printed or in a file of the store, before and after a purge.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::seeds::{Search, Seed, seeds};
use crate::support::{Done, PRECEDENT, Place};

/// An id of the right form that nothing has.
const UNKNOWN: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// A word that is remembered beside the secrets.
const MARKER: &str = "kookaburra";

/// The secrets, what is looked for, and what was found so far.
struct Hunt {
    seeds: Vec<Seed>,
    search: Search,
    leaks: Vec<String>,
}

impl Hunt {
    fn new() -> Self {
        let seeds = seeds();
        Self {
            search: Search::new(&seeds),
            seeds,
            leaks: Vec::new(),
        }
    }

    fn bytes(&mut self, place: &str, bytes: &[u8]) {
        self.leaks
            .extend(self.search.leaks(&self.seeds, place, bytes));
    }

    fn done(&mut self, way: &str, done: &Done) {
        self.bytes(&format!("{way}, stdout"), done.stdout.as_bytes());
        self.bytes(&format!("{way}, stderr"), done.stderr.as_bytes());
    }

    /// Looks at the name and at every byte of every file; keys are random bytes of their own.
    fn files(&mut self, when: &str, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            self.bytes(&format!("a name {when}"), name.as_bytes());
            if path.is_dir() && !path.ends_with("keys") {
                self.files(when, &path);
            } else if path.is_file() {
                self.bytes(&format!("{name} {when}"), &fs::read(&path).unwrap());
            }
        }
    }

    #[track_caller]
    fn ends(self) {
        assert!(
            self.leaks.is_empty(),
            "{} leaks:\n{}",
            self.leaks.len(),
            self.leaks.join("\n")
        );
    }
}

/// Says the same flag once for every secret.
fn each(flag: &str, seeds: &[Seed]) -> Vec<String> {
    seeds
        .iter()
        .map(|seed| format!("{flag}={}", seed.given))
        .collect()
}

fn all(seeds: &[Seed]) -> String {
    let given: Vec<&str> = seeds.iter().map(|seed| seed.given.as_str()).collect();
    given.join("\n")
}

/// Runs the binary with arguments that were made up.
fn run(place: &Place, fixed: &[&str], more: &[String]) -> Done {
    let mut args = fixed.to_vec();
    args.extend(more.iter().map(String::as_str));
    place.run(&args)
}

/// What the host reports of a use of a tool, with the secret in every text and in every name.
fn event(name: &str, seed: &Seed, place: &Place) -> Value {
    let given = &seed.given;
    let mut input = json!({
        "command": format!("deploy '{given}'"), "description": given, "file_path": given,
        "note": [given, { "deep": given }], "password": seed.private, "timeout": 5,
    });
    input[given] = json!(given);
    // Sixteen digits that name a folder are no card's.
    let cwd = match seed.form {
        "card" => format!("card number {given}"),
        _ => format!("{}/{given}", place.project().display()),
    };
    let mut event = json!({
        "hook_event_name": name, "session_id": given, "tool_use_id": given,
        "transcript_path": given, "permission_mode": given, "agent_id": given,
        "cwd": cwd,
        "tool_input": input, "error": given, "prompt": given, "message": given,
        "tool_response": { "stdout": given, "stderr": given, "filePath": given },
    });
    event[given] = json!(given);
    event
}

/// Gives every secret to the hook, as a shell's command, as another tool's input and as a name.
fn hooks(place: &Place, hunt: &mut Hunt) {
    for (at, seed) in hunt.seeds.clone().iter().enumerate() {
        let tools = ["Bash", "mcp__db__query", "Write", &seed.given];
        let tool = tools[at / 2 % tools.len()];
        let first = ["PreToolUse", "PostToolUse"][at % 2];
        for name in [first, "PostToolUseFailure"] {
            let mut event = event(name, seed, place);
            event["tool_name"] = json!(tool);
            let done = place.hook(name, &[], &event).ended(0);
            hunt.done(&format!("hook {name} of {tool}"), &done);
        }
    }
}

/// Gives hooks what they cannot read.
fn broken_hooks(place: &Place, hunt: &mut Hunt) {
    let everything = all(&hunt.seeds);
    let unnamed = json!({ "tool_input": everything });
    let other = json!({ "hook_event_name": everything, "tool_name": "Bash" });
    for input in [
        everything.clone(),
        format!("{{\"tool_name\": \"{everything}"),
        json!(everything).to_string(),
        unnamed.to_string(),
        other.to_string(),
    ] {
        for strict in [&[][..], &["--strict"]] {
            let args = ["hook", "--host=claude-code", "--event=PreToolUse"];
            let done = place.run_on(&[&args, strict].concat(), input.as_bytes());
            hunt.done("broken hook", &done);
        }
    }
}

/// Gives every secret by itself to the benchmark's protocol: as a memory, as an event, as an action
/// and as everything that the protocol does not know.
fn protocol(place: &Place, hunt: &mut Hunt) {
    let mut lines = vec![json!({ "id": 0, "op": "reset", "store_dir": place.store() })];
    for (at, seed) in (1..).zip(&hunt.seeds) {
        let given = &seed.given;
        let action = json!({
            "kind": "tool_event", "tool": given, "command": format!("fetch {given}"),
            "action": given, "cwd": place.project().join("sub"), "files": [given],
            "session_id": given, "outcome": "failed",
            "error_summary": format!("could not read {given}"), "output": given,
        });
        let memory = json!({ "kind": "memory", "content": given, "tags": [given] });
        let told = json!({
            "kind": "memory", "content": format!("Never run `deploy {given}`."),
            "context": { "precedent_trust": "user-verified" },
        });
        for request in [
            json!({ "op": "seed", "item": memory }),
            json!({ "op": "seed", "item": told }),
            json!({ "op": "seed", "item": action }),
            json!({ "op": "act", "action": action }),
            json!({ "op": "act", "action": { "namespace": given, "command": "ls" } }),
            json!({ "op": "act", "action": { "agent": given, "command": "ls" } }),
            json!({ "op": given }),
            json!({ "op": "seed", "item": { "kind": given } }),
            json!({ "op": "seed", "item": { "kind": "memory", "content": "x", "source": given } }),
            json!({ "op": "seed", "item": { "kind": "tool_event", "outcome": given } }),
            json!({ "op": "fault", "kind": given }),
            json!({ "op": "fault", "kind": "vector_index_missing", "memory_type": given }),
        ] {
            let mut request = request;
            request["id"] = json!(at);
            lines.push(request);
        }
        lines.push(json!({ "id": given, "op": "ping" }));
    }
    let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    text.push_str(&all(&hunt.seeds));
    // Answers come while requests are read, so the requests come from a file.
    let requests = place.home().join("requests");
    fs::write(&requests, text).unwrap();
    let mut command = place.program(PRECEDENT);
    command
        .args(["guardbench", "--stdio"])
        .stdin(fs::File::open(requests).unwrap());
    hunt.done("protocol", &Done::from(command.output().unwrap()).ended(0));
}

/// Gives every secret to the flags of the commands.
fn commands(place: &Place, hunt: &mut Hunt) {
    let seeds = hunt.seeds.clone();
    let everything = all(&seeds);
    let context = seeds
        .iter()
        .map(|seed| format!("--context={}={}", seed.given.replace('=', ":"), seed.given));
    let names = seeds
        .iter()
        .map(|seed| format!("--context={} password={}", seed.form, seed.private));
    let values: Vec<String> = context.chain(names).collect();
    let said = ["remember", "kookaburra", "--json"];
    hunt.done("tags", &run(place, &said, &each("--tag", &seeds)).ended(0));
    for values in values.chunks(seeds.len()) {
        let said = format!("kookaburra {}", values.len());
        hunt.done(
            "context",
            &run(place, &["remember", &said], values).ended(0),
        );
    }
    let rule = format!("Before `npm publish` run `check {everything}`.");
    hunt.done("rule", &place.run(&["remember", &rule, "--trust=user"]));
    let key = format!("--idempotency-key={everything}");
    hunt.done("key", &place.run(&["remember", "a key", &key]).ended(0));
    hunt.done("key again", &place.run(&["remember", "other", &key]));
    hunt.done("query", &place.run(&["recall", &everything, "--json"]));
    let filter = each("--tag", &seeds);
    hunt.done("filter", &run(place, &["recall", "kookaburra"], &filter));
    hunt.done("capsule", &place.run(&["capsule", &everything]).ended(0));
    let files = each("--file", &seeds);
    for (tool, event) in [("Read", "guard"), (everything.as_str(), "observe")] {
        let told = ["--action=look", "--tool", tool, "--session", &everything];
        let ends = ["--outcome=failed", "--error", &everything];
        let args = match event {
            "guard" => [&["guard", "--json"], &told[..]].concat(),
            _ => [&["observe", "--json"], &told[..], &ends].concat(),
        };
        hunt.done(event, &run(place, &args, &files));
    }
    hunt.done(
        "stdin",
        &place.run_on(&["remember", "-"], everything.as_bytes()),
    );
    let cwd = format!("--cwd={everything}");
    hunt.done("cwd", &place.run(&["guard", "--command", "ls", &cwd]));
    let id = place.remember("to be erased");
    hunt.done(
        "reason",
        &place
            .run(&["forget", &id, "--reason", &everything])
            .ended(0),
    );
}

/// Gives every secret where it cannot be meant.
fn misuse(place: &Place, hunt: &mut Hunt) {
    for (number, seed) in hunt.seeds.clone().iter().enumerate() {
        let given = &seed.given;
        let flag = format!("--{given}");
        let pair = format!("--context={}", given.replace('=', ":"));
        let address = format!("--store={}/{given}", place.project().display());
        let args: [&[&str]; 12] = [
            &["remember", "x", "--kind", given],
            &["remember", "x", "--salience", given],
            &["remember", "x", "--valid-from", given],
            &["remember", "x", "--supersedes", given],
            &["remember", "x", &pair],
            &["recall", "x", "--limit", given],
            &["forget", given],
            &["status", &flag],
            &["--namespace", given, "status"],
            &["--agent", given, "status"],
            &["--actor", given, "status"],
            &[&address, "certificate", "show", UNKNOWN],
        ];
        // Each form of misuse meets every sixth secret.
        for (at, args) in args.iter().enumerate() {
            if (at + number) % 6 == 0 {
                hunt.done(args.last().unwrap_or(&""), &place.run(args));
            }
        }
    }
    let everything = all(&hunt.seeds);
    for args in [
        &[everything.as_str()][..],
        &["--store", &everything, "status"],
        &["certificate", "verify", &everything, "--trusted-key=x"],
        &["certificate", "verify", "-", "--trusted-key", &everything],
        &["run", "--", &everything],
    ] {
        hunt.done("misuse", &place.run(args));
        hunt.done("misuse", &place.run(&[&["--json"], args].concat()));
    }
}

/// Puts every secret into files that are to be read, and takes away what is to be read.
fn files(place: &Place, hunt: &mut Hunt) {
    let everything = all(&hunt.seeds);
    let written = place.home().join("written");
    fs::write(&written, &everything).unwrap();
    let written = written.to_string_lossy().into_owned();
    let verify = ["certificate", "verify", &written, "--trusted-key", &written];
    hunt.done("no certificate", &place.run(&verify));
    for (at, seed) in hunt.seeds.clone().iter().enumerate() {
        let folder = place.home().join(format!("other{at}"));
        fs::create_dir(&folder).unwrap();
        let quoted = json!(seed.private);
        let config = match at % 3 {
            0 => format!("[limits]\ntext_bytes = {quoted}\n"),
            1 => format!("{quoted} = 1\n"),
            _ => seed.given.clone(),
        };
        fs::write(folder.join("config.toml"), config).unwrap();
        let done = place.run_in(&folder, &["status"], b"").ended(64);
        hunt.done("config", &done);
    }
    let key = place.run(&["certificate", "key"]).ended(0);
    let trusted = place.home().join("trusted.pem");
    fs::write(&trusted, &key.stdout).unwrap();
    let trusted = trusted.to_string_lossy().into_owned();
    for envelope in [&everything, &json!({ "payload": everything }).to_string()] {
        let verify = ["certificate", "verify", "-", "--trusted-key", &trusted];
        hunt.done(
            "envelope",
            &place.run_on(&verify, envelope.as_bytes()).ended(1),
        );
    }
    // The command's own output is passed on as it is; what is kept of it and the next answer are not.
    let script = format!("mkdir -p kept; cat '{written}' >&2; exit 3");
    let _ = place.run(&["run", "--", "sh", "-c", &script]).ended(3);
    hunt.done(
        "run",
        &place
            .run(&["run", "--json", "--", "sh", "-c", &script])
            .ended(125),
    );
    let damaged = place.home().join("damaged");
    fs::create_dir(&damaged).unwrap();
    fs::write(damaged.join("store.db"), everything.repeat(8)).unwrap();
    hunt.done("damage", &place.run_in(&damaged, &["status"], b""));
}

/// Reads everything back.
fn outputs(place: &Place, hunt: &mut Hunt) {
    for args in [
        &["recall", "kookaburra", "--json", "--limit=1000"][..],
        &["recall", "deploy fetch", "--explain", "--limit=1000"],
        &["audit", "list", "--limit=100000"],
        &["audit", "list", "--limit=100000", "--json"],
        &["audit", "verify", "--json"],
        &["capsule", "deploy", "--budget=100000"],
        &["capsule", "deploy", "--budget=100000", "--json"],
        &["status", "--json"],
        &["guard", "--json", "--command", "npm publish"],
    ] {
        hunt.done(args[0], &place.run(args));
    }
}

/// What is not secret is where the secrets would be: the search looks at the right files.
fn finds_a_word(place: &Place) {
    place.remember(&format!("{MARKER}, the last of them"));
    let recalled = place.run(&["recall", MARKER, "--json"]).ended(0);
    assert!(recalled.stdout.contains(MARKER));
    for file in ["store.db", "store.db-wal"] {
        let bytes = fs::read(place.store().join(file)).unwrap();
        let mut windows = bytes.windows(MARKER.len());
        assert!(windows.any(|window| window == MARKER.as_bytes()), "{file}");
    }
}

#[test]
fn no_way_in_or_out_bypasses_the_redactor() {
    let place = Place::new();
    let mut hunt = Hunt::new();
    protocol(&place, &mut hunt);
    commands(&place, &mut hunt);
    hooks(&place, &mut hunt);
    broken_hooks(&place, &mut hunt);
    misuse(&place, &mut hunt);
    files(&place, &mut hunt);
    outputs(&place, &mut hunt);
    finds_a_word(&place);
    hunt.files("before purge", &place.store());
    hunt.done("purge", &place.run(&["maintain", "purge"]).ended(0));
    outputs(&place, &mut hunt);
    hunt.files("after purge", &place.store());
    hunt.ends();
}

/// A secret without a form of its own is one by its name.
#[test]
fn a_context_value_is_a_secret_by_its_name() {
    let place = Place::new();
    let mut hunt = Hunt::new();
    hunt.seeds.truncate(1);
    hunt.seeds[0].private = "quokkalemurs".to_owned();
    hunt.search = Search::new(&hunt.seeds);
    let pair = "db_password=quokkalemurs";
    let said = [
        "remember",
        "The pool is small.",
        "--json",
        "--context",
        pair,
    ];
    hunt.done("context", &place.run(&said).ended(0));
    hunt.files("after it", &place.store());
    hunt.ends();
}

#[test]
fn the_search_finds_what_is_there() {
    let hunt = Hunt::new();
    for (at, seed) in hunt.seeds.iter().enumerate() {
        let text = json!({ "x": seed.given }).to_string();
        assert!(hunt.search.find(text.as_bytes()).contains_key(&at));
    }
    assert!(hunt.search.find(b"nothing at all").is_empty());
}
