//! The library's every way in, with secrets of every documented form, and everything that it gives
//! back: values, errors with their sources, debug lines, and each byte of the store's files.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod seeds;

use std::error::Error as _;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use futures_executor::block_on;
use precedent::{
    Action, Ending, Error, ErrorKind, EventKey, EventQuery, MaintainTask, Memory, Outcome,
    RememberItem, Trust,
};

use crate::seeds::{Search, Seed, seeds};

struct Hunt {
    seeds: Vec<Seed>,
    search: Search,
    leaks: Vec<String>,
}

impl Hunt {
    fn bytes(&mut self, place: &str, bytes: &[u8]) {
        self.leaks
            .extend(self.search.leaks(&self.seeds, place, bytes));
    }

    fn value(&mut self, place: &str, value: &impl Debug) {
        self.bytes(place, format!("{value:?}").as_bytes());
    }

    /// Looks at all that an error says, its causes included.
    fn error<T>(&mut self, place: &str, result: Result<T, Error>) {
        let Err(error) = result else { return };
        self.bytes(place, format!("{error} {error:?}").as_bytes());
        let mut cause = error.source();
        while let Some(next) = cause {
            self.bytes(place, format!("{next} {next:?}").as_bytes());
            cause = next.source();
        }
    }

    fn files(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("keys") {
                self.files(&path);
            } else if path.is_file() {
                let content = fs::read(&path).unwrap();
                self.bytes(&path.to_string_lossy(), &content);
            }
        }
    }
}

/// An item with the secret in every text and name.
fn item(seed: &Seed) -> RememberItem {
    let mut item = RememberItem::new(format!("kookaburra {}", seed.given));
    item.tags = vec![seed.given.clone()];
    item.context
        .insert(seed.given.clone(), format!("value {}", seed.form));
    item.context
        .insert("db_password".to_owned(), seed.private.clone());
    item
}

/// An action with the secret in every text.
fn action(seed: &Seed, folder: &Path) -> Action {
    let given = &seed.given;
    Action {
        tool: given.clone(),
        action: format!(
            "{{\"password\": \"{}\", \"note\": {given:?}}}",
            seed.private
        ),
        command: None,
        cwd: Some(format!("{}/x {given}", folder.display())),
        files: vec![given.clone(), format!("./{given}")],
        session: Some(given.clone()),
        host: None,
        tool_use: Some(given.clone()),
    }
}

/// An ending whose error names files and remedies made of the secret.
fn ending(seed: &Seed) -> Ending {
    let given = &seed.given;
    Ending {
        error: Some(format!("cannot read: {given}; run `fix {given}` first")),
        output: Some(format!("{{\"password\": \"{}\"}}", seed.private)),
        ..Ending::new(Outcome::Failed)
    }
}

async fn write(memory: &Memory, hunt: &mut Hunt, seed: &Seed, folder: &Path) {
    let item = item(seed);
    hunt.value("an item", &item);
    let key = Some(seed.given.clone());
    hunt.value("a write", &memory.remember(item.clone()).await.unwrap());
    hunt.value(
        "a keyed write",
        &memory.remember_all(vec![item], key.clone()).await,
    );
    let other = vec![RememberItem::new("other")];
    let reused = memory.remember_all(other, key).await;
    assert!(reused.is_err(), "the key was used for another request");
    hunt.error("a reused key", reused);
    let mut rule = RememberItem::new(format!("Never run `deploy {}`.", seed.given));
    rule.trust = Trust::User;
    hunt.value("a rule", &memory.understood(&rule.text));
    hunt.value("a rule", &memory.remember(rule).await.unwrap());
    let ended = ending(seed);
    for action in [
        action(seed, folder),
        Action::shell(format!("deploy {}", seed.given)),
    ] {
        hunt.value("an action", &(&action, &ended));
        let recorded = memory.after(&action, &ended, None).await.unwrap();
        hunt.value("a record", &recorded);
        hunt.value("a verdict", &memory.before(&action).await);
    }
    hunt.value(
        "a receipt",
        &memory.open_receipt(&seed.given).await.unwrap(),
    );
    hunt.value("a recall", &memory.recall(&seed.given).await);
    hunt.value("a request", &memory.recall_request(&seed.given));
    hunt.value(
        "a capsule",
        &memory.capsule(&seed.given, 4000).await.unwrap(),
    );
}

/// Opens quickly, for what is refused.
fn mem() -> precedent::Builder {
    Memory::builder("mem:").embedder(None)
}

/// Names and addresses that are refused, or that hold no secret.
fn refused(memory: &Memory, hunt: &mut Hunt, seed: &Seed) {
    let given = seed.given.as_str();
    let (inside, other) = (memory.in_namespace(given), memory.for_agent(given));
    assert!(inside.is_err() && other.is_err(), "{}", seed.form);
    hunt.error("a namespace", inside);
    hunt.error("an agent", other);
    let opened = mem().actor(given).open();
    hunt.error("an actor", opened);
    hunt.error(
        "an address",
        Memory::builder(&format!("redis:{given}")).open(),
    );
    // Sixteen digits that name a file are no card's.
    let nowhere = match seed.form {
        "card" => format!("/dev/null/card number {given}"),
        _ => format!("/dev/null/{given}"),
    };
    let opened = Memory::builder(&nowhere).existing_only().open();
    hunt.error("a place", opened);
    let opened = mem().keys(&nowhere).open();
    assert!(
        opened
            .as_ref()
            .is_err_and(|error| error.kind == ErrorKind::Keys)
    );
    hunt.error("keys", opened);
}

#[test]
fn no_secret_comes_out_of_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let seeds = seeds();
    let mut hunt = Hunt {
        search: Search::new(&seeds),
        seeds: seeds.clone(),
        leaks: Vec::new(),
    };
    let memory = precedent::open(&store.to_string_lossy()).unwrap();
    block_on(async {
        for seed in &seeds {
            write(&memory, &mut hunt, seed, folder.path()).await;
            refused(&memory, &mut hunt, seed);
        }
        let query = EventQuery {
            scope: memory.principal().scope(),
            key: EventKey::Any,
            outcomes: Vec::new(),
            since: None,
            limit: 10_000,
        };
        let events = memory.events(query).await.unwrap();
        assert_eq!(events.len(), seeds.len() * 2);
        hunt.value("events", &events);
        hunt.value("rules", &memory.rules(10_000).await.unwrap());
        let mut request = memory.recall_request("kookaburra");
        request.limit = 1000;
        let found = memory.recall_with(&request).await;
        assert!(found.hits.len() > seeds.len() / 2);
        for hit in found.hits.iter().step_by(8) {
            let ground = seeds[0].given.as_str();
            let forgotten = memory.forget(hit.memory.id, Some(ground)).await.unwrap();
            hunt.bytes("a certificate", &forgotten.certificate.envelope);
        }
        hunt.value("a recall", &found);
        hunt.value("the log", &memory.audit_log(0, 100_000).await.unwrap());
        hunt.files(&store);
        hunt.value(
            "a purge",
            &memory.maintain(MaintainTask::Purge).await.unwrap(),
        );
        hunt.value("the state", &memory.status().await.unwrap());
    });
    hunt.files(&store);
    assert!(
        hunt.leaks.is_empty(),
        "{} leaks:\n{}",
        hunt.leaks.len(),
        hunt.leaks.join("\n")
    );
}

/// Ways to write a secret into an action: tool and input, with `@` for it.
const FORMS_OF_USE: &[(&str, &str)] = &[
    ("Bash", "curl -sS -H '@' https://example.com/x"),
    ("Bash", "deploy \"@\" --region eu"),
    ("Bash", "cd /srv/app && T='@' ./run.sh > out.log 2>&1"),
    ("Bash", "echo '@' | tee -a notes.txt"),
    ("Bash", "cat > .env <<'EOF'\n@\nEOF"),
    ("Bash", "ssh host 'export X=\"@\"; make deploy'"),
    ("Bash", "python3 -c 'print(\"@\")'"),
    ("Bash", "git commit -m 'use @ for now'"),
    ("Bash", "psql -c \"select '@' from t\""),
    ("Bash", "git clone @ src/vendor"),
    ("Bash", "rm -rf '@'"),
    ("Bash", "if [ -n '@' ]; then npm publish; fi"),
    ("shell", "{\"command\": [\"bash\", \"-lc\", \"fetch @\"]}"),
    (
        "Write",
        "{\"file_path\": \"src/a.rs\", \"content\": \"let x = 1;\\n@\\n\"}",
    ),
    (
        "Edit",
        "{\"file_path\": \"@\", \"old_string\": \"a\", \"new_string\": \"@\"}",
    ),
    (
        "mcp__gh__create",
        "{\"owner\": \"@\", \"repo\": \"x\", \"body\": {\"text\": [\"@\"]}}",
    ),
    (
        "mcp__sql__query",
        "{\"query\": \"insert into t values ('@')\", \"id\": \"@\"}",
    ),
    ("mcp__x__y", "{\"nested\": \"{\\\"inner\\\": \\\"@\\\"}\"}"),
    (
        "apply_patch",
        "*** Begin Patch\n*** Update File: src/@.rs\n-a\n+@\n*** End Patch",
    ),
    ("WebFetch", "{\"url\": \"@\", \"prompt\": \"read\"}"),
    ("Task", "look at @ and report"),
];

/// Acts, and returns everything that is told and kept of it.
async fn acted(memory: &Memory, action: &Action, ending: &Ending) -> String {
    let verdict = memory.before(action).await;
    memory.after(action, ending, None).await.unwrap();
    let query = EventQuery {
        scope: memory.principal().scope(),
        key: EventKey::Any,
        outcomes: Vec::new(),
        since: None,
        limit: 1,
    };
    format!("{verdict:?} {:?}", memory.events(query).await.unwrap())
}

/// What is made of an action gives away nothing that its redacted text does not; what the catalogue
/// itself does not know is for its own tests. Each secret meets a quarter of the forms, each form a
/// quarter of the secrets.
#[test]
fn nothing_that_is_derived_from_an_action_gives_away_more_than_its_text() {
    let seeds = seeds();
    let search = Search::new(&seeds);
    let mut leaks = Vec::new();
    let pairs = (seeds.iter().enumerate()).flat_map(|seed| {
        FORMS_OF_USE
            .iter()
            .enumerate()
            .map(move |form| (seed, form))
    });
    for ((at, seed), (number, (tool, form))) in pairs.filter(|(a, b)| (a.0 + b.0) % 4 == 0) {
        let quoted = format!("{:?}", seed.given);
        let given = match form.starts_with('{') {
            true => &quoted[1..quoted.len() - 1],
            false => seed.given.as_str(),
        };
        let input = form.replace('@', given);
        let memory = precedent::open("mem:").unwrap();
        let redacted = memory.redactor().redact_json_text(&input).text.into_owned();
        let action = Action {
            tool: (*tool).to_owned(),
            command: (*tool == "Bash").then(|| input.clone()),
            action: input,
            cwd: Some("/srv/app".to_owned()),
            ..Action::default()
        };
        let mut ending = Ending::new(Outcome::Failed);
        ending.error = Some(format!("failed at {}: no such file", seed.given));
        let told = block_on(acted(&memory, &action, &ending));
        let known = !search.find(redacted.as_bytes()).contains_key(&at);
        if known && search.find(told.as_bytes()).contains_key(&at) {
            leaks.extend(search.leaks(&seeds, &format!("form {number}"), told.as_bytes()));
        }
    }
    assert!(
        leaks.is_empty(),
        "{} leaks:\n{}",
        leaks.len(),
        leaks.join("\n")
    );
}
