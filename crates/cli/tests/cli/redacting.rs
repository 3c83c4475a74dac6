//! `redact`: a filter for people and pipelines, without a store.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};

use serde_json::{Value, json};

use crate::support::{Done, PRECEDENT, Place, feed};

const MASKED: &str = "[REDACTED:password_assignment]";

#[track_caller]
fn filtered(args: &[&str], stdin: &[u8]) -> Done {
    let place = Place::new();
    let done = place.run_on(&[&["redact"][..], args].concat(), stdin);
    assert!(!place.store().exists(), "no store is made");
    done
}

/// Starts the filter with pipes at both ends.
fn start(place: &Place, args: &[&str]) -> (Child, ChildStdin) {
    let mut command = place.program(PRECEDENT);
    let mut child = command
        .arg("redact")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    (child, stdin)
}

fn write(place: &Place, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = place.project().join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn text_is_masked_and_the_rest_is_as_it_was() {
    for (text, expected) in [
        ("", String::new()),
        ("plain\r\n\ttext", "plain\r\n\ttext".to_owned()),
        (
            "\u{1b}[31mpassword=gr4nite-b1shop\u{1b}[0m end\n",
            format!("\u{1b}[31mpassword={MASKED}\u{1b}[0m end\n"),
        ),
    ] {
        let done = filtered(&[], text.as_bytes()).ended(0);
        assert_eq!((done.stdout, done.stderr), (expected, String::new()));
    }
}

#[test]
fn a_file_is_read_as_stdin_is() {
    let place = Place::new();
    let path = write(&place, "log", "password=gr4nite-b1shop\n");
    let done = place.run(&["redact", &path]).ended(0);
    assert_eq!(done.stdout, format!("password={MASKED}\n"));
    let done = place
        .run_on(&["redact", "-"], b"password=gr4nite-b1shop")
        .ended(0);
    assert_eq!(done.stdout, format!("password={MASKED}"));
}

/// Each line arrives while the writer is still there: `read_line` would wait forever otherwise.
#[test]
fn a_line_arrives_before_stdin_closes() {
    let place = Place::new();
    for args in [&[][..], &["--report"]] {
        let (mut child, mut stdin) = start(&place, args);
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        for (pieces, expected) in [
            (&["first\n"][..], "first\n".to_owned()),
            (
                &["pass", "word=gr4nite", "-b1shop\n"],
                format!("password={MASKED}\n"),
            ),
            (&["{\"a\": 1}\n"], "{\"a\": 1}\n".to_owned()),
        ] {
            for piece in pieces {
                stdin.write_all(piece.as_bytes()).unwrap();
                stdin.flush().unwrap();
            }
            line.clear();
            stdout.read_line(&mut line).unwrap();
            assert_eq!(line, expected);
        }
        stdin.write_all(b"no newline").unwrap();
        drop(stdin);
        line.clear();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, "no newline");
        assert!(child.wait().unwrap().success());
    }
}

/// An answer comes for each line while the writer waits for it.
#[test]
fn an_answer_arrives_before_the_next_line_is_asked() {
    let place = Place::new();
    let (mut child, mut stdin) = start(&place, &["--jsonl"]);
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(stdin, "{}", json!({ "id": id, "text": "plain" })).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], id);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Peak memory of the filter in KiB, once so much of both kinds of text has gone in.
#[cfg(target_os = "linux")]
fn peak_kib(bytes: usize) -> u64 {
    let (mut child, mut stdin) = start(&Place::new(), &[]);
    let mut stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 20];
        let mut total = 0;
        while let Ok(length @ 1..) = stdout.read(&mut buffer) {
            total += length;
        }
        total
    });
    let lines = format!(
        "password=gr4nite-b1shop\n{}",
        "a plain line of a trace\n".repeat(170)
    );
    // The first kind has lines and findings, the second is one endless line.
    for block in [lines, "word ".repeat(800)] {
        for _ in 0..bytes / block.len() {
            stdin.write_all(block.as_bytes()).unwrap();
        }
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(reader.join().unwrap() > bytes);
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    peak.parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_stream() {
    let (short, long) = (peak_kib(256 * 1024), peak_kib(6 * 1024 * 1024));
    assert!(long < short + 4 * 1024, "{short} KiB, then {long} KiB");
    assert!(long < 48 * 1024, "{long} KiB");
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let place = Place::new();
    for args in [&[][..], &["--jsonl"], &["--report"]] {
        let (mut child, mut stdin) = start(&place, args);
        drop(child.stdout.take());
        let line = json!({ "id": 1, "text": "plain" }).to_string() + "\n";
        // Sooner or later it is gone, and so is its stdin.
        while stdin.write_all(line.repeat(500).as_bytes()).is_ok() {}
        let mut told = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut told)
            .unwrap();
        assert_eq!((child.wait().unwrap().code(), told.as_str()), (Some(0), ""));
    }
}

#[test]
fn encodings() {
    let done = filtered(&[], b"caf\xe9 password=gr4nite-b1shop\xff\n").ended(0);
    assert!(!done.stdout.contains("gr4nite"), "{}", done.stdout);
    assert!(done.stdout.starts_with("caf\u{fffd} password="));
    let text = "password=gr4nite-b1shop\r\n\u{5bc6}\u{1f600}\n";
    let expected = format!("password={MASKED}\r\n\u{5bc6}\u{1f600}\n");
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [
        [b"\xff\xfe", &little[..]].concat(),
        [b"\xfe\xff", &big[..]].concat(),
        little,
        big,
    ] {
        assert_eq!(filtered(&[], &bytes).ended(0).stdout, expected);
    }
}

#[test]
fn the_account_is_an_object() {
    let text = b"password=gr4nite-b1shop\n";
    let done = filtered(&["--report"], text).ended(0);
    assert_eq!(done.stdout, format!("password={MASKED}\n"));
    let report: Value = serde_json::from_str(&done.stderr).unwrap();
    assert_eq!(report["schema"], "precedent.redact.report/1");
    let done = filtered(&["--json"], text).ended(0);
    assert_eq!(done.stderr, "");
    let result = done.json();
    assert_eq!(result["schema"], "precedent.redact/1");
    assert_eq!(result["output"], format!("password={MASKED}\n"));
    for report in [&report, &result["report"]] {
        assert_eq!(report["state"], "redacted");
        assert_eq!(report["counts"], json!({ "password_assignment": 1 }));
        assert_eq!(
            (&report["bytes_in"], &report["bytes_out"]),
            (&json!(24), &json!(40))
        );
        assert_eq!(
            (&report["forced_cuts"], &report["truncated"]),
            (&json!(0), &json!(false))
        );
        assert_eq!(report["suppressed_by_allow"], 0);
        assert!(report["elapsed_ns"].as_u64().unwrap() > 0);
        assert_eq!(report["spans"][0]["out_offset"], 9);
        assert_eq!(report["spans"][0]["len"], MASKED.len());
        assert_eq!(report["spans"][0]["confidence"], "medium");
    }
}

#[test]
fn findings_end_it_with_10_on_demand() {
    let secret = b"password=gr4nite-b1shop\n";
    filtered(&["--fail-on-find"], secret).ended(10);
    filtered(&["--fail-on-find", "--json"], secret).ended(10);
    filtered(&["--fail-on-find"], b"plain\n").ended(0);
    let line = json!({ "id": 1, "text": "password=gr4nite-b1shop" }).to_string();
    filtered(&["--fail-on-find", "--jsonl"], line.as_bytes()).ended(10);
    filtered(&["--fail-on-find", "--jsonl"], b"{\"text\": \"plain\"}").ended(0);
    // An error keeps its own code.
    let broken = format!("{line}\nbroken");
    filtered(&["--fail-on-find", "--jsonl"], broken.as_bytes()).ended(1);
}

fn answers(done: &Done) -> Vec<Value> {
    let lines = done.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn lines_are_answered_in_order() {
    let token = format!("ghp_{}", "a1".repeat(18));
    let long = format!("{}password=gr4nite-b1shop", "word ".repeat(40));
    let requests = [
        json!({ "id": "one", "text": format!("é {token} x"), "splits": [1, 4, 20], "more": {} }),
        json!({ "id": 2, "text": long, "max_chars": 100 }),
        json!({ "id": null, "text": "plain", "max_chars": 100 }),
        json!({ "text": "", "max_chars": null, "splits": null }),
    ];
    let stdin: String = requests.iter().map(|line| format!("{line}\n\n")).collect();
    let done = filtered(&["--jsonl"], stdin.as_bytes()).ended(0);
    assert_eq!(done.stderr, "");
    let answers = answers(&done);
    let output = "é [REDACTED:github_token] x";
    let finding = json!({
        "class": "github_token", "rule": answers[0]["findings"][0]["rule"],
        "confidence": "high", "out_offset": 3, "len": 23,
    });
    let one = json!({ "id": "one", "output": output, "truncated": false, "findings": [finding] });
    assert_eq!(answers[0], one);
    let cut = answers[1]["output"].as_str().unwrap();
    assert_eq!(
        (answers[1]["id"].as_u64(), &answers[1]["truncated"]),
        (Some(2), &json!(true))
    );
    assert!(
        cut.chars().count() <= 100 && cut.ends_with("...[truncated]"),
        "{cut}"
    );
    let finding = &answers[1]["findings"][0];
    let place = usize::try_from(finding["out_offset"].as_u64().unwrap()).unwrap();
    assert!(cut[place..].starts_with(MASKED), "{cut}");
    let plain = json!({ "id": null, "output": "plain", "truncated": false, "findings": [] });
    assert_eq!(answers[2], plain);
    assert_eq!((answers.len(), &answers[3]["output"]), (4, &json!("")));
}

#[test]
fn broken_lines_are_answered_without_their_content() {
    let secret = "gr4nite-b1shop";
    let lines = [
        secret.to_owned(),
        json!(secret).to_string(),
        json!({ "id": secret }).to_string(),
        json!({ "text": [secret] }).to_string(),
        json!({ "text": secret, "max_chars": secret }).to_string(),
        json!({ "text": secret, "max_chars": -1 }).to_string(),
        json!({ "text": secret, "splits": [1, secret] }).to_string(),
        json!({ "text": secret, "splits": 4 }).to_string(),
    ];
    let mut stdin = lines.join("\n").into_bytes();
    stdin.extend(b"\n{\"text\": \"\xff\"}\n{\"text\": \"plain\"}\n");
    let done = filtered(&["--jsonl"], &stdin).ended(1);
    assert!(!done.stdout.contains(secret) && !done.stderr.contains(secret));
    assert!(
        done.stderr.starts_with("error: 9 lines were broken"),
        "{}",
        done.stderr
    );
    let answers = answers(&done);
    assert_eq!(answers.len(), 10);
    for (number, answer) in (1..).zip(&answers[..9]) {
        let error = answer["error"].as_str().unwrap();
        assert!(error.starts_with(&format!("line {number}: ")), "{error}");
        assert_eq!(answer, &json!({ "id": null, "error": error }));
    }
    assert_eq!(answers[9]["output"], "plain", "the rest is answered");
}

const RULES: &str = r#"
[[rules]]
id = "acme-ticket"
regex = 'ACME-[0-9]{6}'
keywords = ["ACME-"]
hit = ["ACME-123456"]
miss = ["ACME-12"]
"#;

#[test]
fn own_rules_are_joined() {
    let place = Place::new();
    let first = write(&place, "a.toml", RULES);
    let second = write(
        &place,
        "b.toml",
        RULES.replace("ACME", "UMBRA").replace("acme", "umbra"),
    );
    let args = ["redact", "--rules", &first, "--rules", &second];
    let done = place.run_on(&args, b"ACME-445566 UMBRA-445566").ended(0);
    assert_eq!(
        done.stdout,
        "[REDACTED:acme_ticket] [REDACTED:umbra_ticket]"
    );
    let twice = ["redact", "--rules", &first, "--rules", &first];
    let done = place.run_on(&twice, b"").ended(64);
    assert!(
        done.stderr.contains("rename one of the rules"),
        "{}",
        done.stderr
    );
}

#[test]
fn what_an_import_leaves_behind_is_told_once() {
    let place = Place::new();
    let path = write(
        &place,
        "gitleaks.toml",
        "[[rules]]\nid = \"acme\"\nregex = '''ACME-[0-9]{6}'''\nkeywords = [\"acme\"]\n\
         path = '''\\.env$'''\n",
    );
    let args = ["redact", "--gitleaks-rules", &path];
    let done = place.run_on(&args, b"ACME-445566\nACME-445566\n").ended(0);
    assert_eq!(done.stdout, "[REDACTED:acme]\n[REDACTED:acme]\n");
    let note = "note: rule `acme`: path filter left out, the rule applies to all text\n";
    assert_eq!(done.stderr, note);
    let done = place
        .run_on(&[&args[..], &["--json"]].concat(), b"")
        .ended(0);
    let notes: Value = serde_json::from_str(&done.stderr).unwrap();
    assert_eq!(notes["notes"].as_array().unwrap().len(), 1);
}

#[test]
fn an_allow_list_lets_pass_and_counts() {
    let place = Place::new();
    let text = b"password=gr4nite-b1shop build_password=m4rble-b1shop";
    let plain = write(
        &place,
        "plain.toml",
        "values = [\"gr4nite-b1shop\"]\nkeys = [\"build_password\"]\n",
    );
    let done = place
        .run_on(&["redact", "--json", "--allow", &plain], text)
        .ended(0);
    let result = done.json();
    assert_eq!(result["output"].as_str().unwrap().as_bytes(), text);
    assert_eq!(result["report"]["suppressed_by_allow"], 2);
    let mut list = precedent::crates::redact::AllowList::new(&[0xab; 32]);
    list.add_value("gr4nite-b1shop").unwrap();
    let coded = write(&place, "coded.toml", list.to_toml());
    let done = place.run_on(&["redact", "--allow", &coded], text).ended(64);
    assert!(done.stderr.contains("--allow-key-file"), "{}", done.stderr);
    let key = write(&place, "key", "ab".repeat(32) + "\n");
    let args = ["redact", "--allow", &coded, "--allow-key-file", &key];
    let done = place.run_on(&args, text).ended(0);
    assert_eq!(
        done.stdout,
        format!("password=gr4nite-b1shop build_password={MASKED}")
    );
    for (content, said) in [
        ("cd".repeat(32), "another key"),
        ("cd".to_owned(), "64 hexadecimal"),
    ] {
        let key = write(&place, "other", content);
        let args = ["redact", "--allow", &coded, "--allow-key-file", &key];
        let done = place.run_on(&args, text).ended(64);
        assert!(done.stderr.contains(said), "{}", done.stderr);
    }
}

#[test]
fn variables_with_sensitive_names_are_masked_anywhere() {
    let place = Place::new();
    let folder = place.project();
    let folder = folder.to_str().unwrap();
    let mut command = place.program(PRECEDENT);
    command
        .args(["redact", "--env"])
        .env("SIGNING_PASSPHRASE", "plain blue words")
        .env("EDITOR_NAME", "some editor name")
        .env("PWD", folder);
    let said = format!("say plain blue words to some editor name in {folder}");
    let done = feed(&mut command, said.as_bytes()).ended(0);
    let expected = format!("say [REDACTED:registered_literal] to some editor name in {folder}");
    assert_eq!(done.stdout, expected);
}

#[test]
fn files_that_cannot_be_used_are_refused() {
    let place = Place::new();
    let secret = "gr4nite-b1shop";
    let folder = place.project();
    let folder = folder.to_str().unwrap();
    let failing = RULES.replace("hit = [\"ACME-123456\"]", &format!("hit = [\"{secret}\"]"));
    let failing = write(&place, "failing.toml", failing);
    let broken = write(&place, "broken.toml", format!("[[rules]\nid = {secret}"));
    let bytes = write(&place, "bytes.toml", b"id = \"\xff\"");
    let long = write(&place, "long.toml", " ".repeat(1024 * 1024 + 1));
    for (args, said) in [
        (&["missing.log"][..], "does not exist"),
        (&[folder], "is a folder"),
        (&["--rules", "missing.toml"], "missing.toml: does not exist"),
        (&["--rules", folder], "is a folder"),
        (&["--rules", &failing], "acme-ticket"),
        (&["--rules", &broken], "not valid TOML at line 1"),
        (&["--rules", &bytes], "not valid UTF-8"),
        (&["--rules", &long], "1 MiB"),
        (&["--gitleaks-rules", &broken], "not valid TOML"),
        (&["--allow", &broken], "not valid TOML"),
        (&["--allow-key-file", "key"], "--allow"),
        (&["--jsonl", "--report"], "--report"),
        (&["--list-rules", "--env"], "--env"),
        (&["--frobnicate"], "--frobnicate"),
    ] {
        let args = [&["redact", "--json"][..], args].concat();
        let done = place.run_on(&args, b"plain").ended(64);
        assert_eq!(done.stdout, "");
        let error = done.error();
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(said), "{message}");
        assert!(!done.stderr.contains(secret), "{}", done.stderr);
    }
}

#[test]
fn rules_are_listed() {
    let listed = filtered(&["--list-rules", "--json"], b"").ended(0).json();
    assert_eq!(listed["schema"], "precedent.redact.rules/1");
    let rules = listed["rules"].as_array().unwrap();
    assert!(rules.len() > 100);
    let strings = |rule: &Value| {
        ["id", "class", "source"]
            .iter()
            .all(|name| rule[name].is_string())
    };
    assert!(rules.iter().all(strings));
    let words = filtered(&["--list-rules"], b"").ended(0).stdout;
    assert_eq!(words.lines().count(), rules.len());
    let first = words.lines().next().unwrap();
    assert!(
        first.starts_with(rules[0]["id"].as_str().unwrap()),
        "{first}"
    );
}

/// What the README shows is what happens.
#[test]
fn the_readme_shows_what_happens() {
    let readme =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let request = readme
        .lines()
        .find_map(|line| line.strip_prefix("$ echo '"))
        .unwrap();
    let (request, _) = request.split_once('\'').unwrap();
    let answer = filtered(&["--jsonl"], request.as_bytes()).ended(0).stdout;
    assert!(readme.contains(&answer), "{answer}");
    let block = |name: &str| {
        let (_, rest) = readme.split_once(&format!("# {name}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    let place = Place::new();
    let rules = write(&place, "rules.toml", block("rules.toml"));
    let allow = write(&place, "allow.toml", block("allow.toml"));
    let args = ["redact", "--rules", &rules, "--allow", &allow];
    let done = place
        .run_on(&args, b"ACME-445566 build_password=gr4nite-b1shop")
        .ended(0);
    assert_eq!(
        done.stdout,
        "[REDACTED:acme_ticket] build_password=gr4nite-b1shop"
    );
}
