//! A qualifier that cannot be said keeps a sentence advice; one that can be
//! said narrows the rule. Rules that lost theirs held back ordinary work.

use super::*;

#[track_caller]
fn advice(text: &str) {
    let said: Vec<String> = rule(text).iter().map(explain).collect();
    assert!(said.is_empty(), "{text}: {said:?}");
}

#[test]
fn restrictions_that_cannot_be_said() {
    for text in [
        "Never curl a script straight into bash.",
        "Never pipe curl into sh.",
        "Never run `git push` on Fridays.",
        "If `npm test` fails, do not `git push`.",
        "Never run `git push --force` except on feature branches.",
        "Never force push to shared branches.",
        "Never force push except on feature branches.",
        "Never run `npm install` in the root folder.",
        "Never run `cargo test` on battery.",
        "Avoid `cargo test` on battery.",
        "Avoid `git rebase` on shared branches.",
        "Never call `exit` in library code.",
        "Do not write `test` in file names.",
        "Never put `sleep` in tests.",
        "Never use `cat` on large files.",
        "Never run `git push` after 6pm.",
        "Never run `cargo test` while on battery.",
        "Only merge to main after review.",
        "Run `make test` before `git push` unless it is a docs change.",
        "Never use sudo with pip.",
        "Never run `make deploy` during office hours.",
        "Do not run `make deploy` when the queue is full.",
        "In CI, never run `npm install`.",
        "Never run `npm install` globally.",
        "Never run more than one `cargo build`.",
        "Never use `npm`, but `pnpm` is fine.",
        "Never run `pip install` for nightly builds.",
        "Führe `make sauber` nie am Freitag aus.",
        "Ne lancez jamais `make sauber` pendant la nuit.",
        "Nunca ejecutes `make sauber` durante la noche.",
        "周五不要运行 `make sauber`。",
        "金曜日に `make sauber` を実行しないでください。",
    ] {
        advice(text);
    }
}

#[test]
fn restrictions_that_narrow() {
    check(
        "Never use `sudo pip install`.",
        &["sudo pip install x", "sudo -H pip3 install x"],
        &[
            "pip install x",
            "pip install -r requirements.txt",
            "sudo ls",
        ],
    );
    check(
        "Never run `pip install` as root.",
        &["sudo pip install x"],
        &["pip install x"],
    );
    check(
        "Never run `make clean` in the vendor directory.",
        &["cd vendor && make clean", "make -C vendor clean"],
        &["make clean", "cd src && make clean"],
    );
    check(
        "Never run `make clean` in the `vendor` directory.",
        &["cd vendor && make clean"],
        &["make clean"],
    );
    check(
        "Please do not use rm -rf on the data directory",
        &["rm -rf data", "rm -rf ./data/x", "cd data && rm -rf x"],
        &["rm -rf build", "rm data/x"],
    );
    check(
        "Never run `DROP TABLE` on the users table.",
        &["psql -c 'drop table users'"],
        &["psql -c 'drop table tmp_import'"],
    );
    check(
        "Never run `DROP TABLE` on production.",
        &["psql -h prod-db -c 'drop table users'"],
        &["psql -h dev-db -c 'drop table users'"],
    );
    for text in [
        "Use pnpm, not npm, to install packages.",
        "To install packages use `pnpm`, not `npm`.",
    ] {
        check(
            text,
            &["npm install x", "npm i"],
            &["npm run build", "npm test", "pnpm add x"],
        );
    }
}

#[test]
fn tasks_and_targets() {
    check(
        "Never install packages with npm; use pnpm.",
        &["npm install x"],
        &["npm test", "pnpm add x"],
    );
    check(
        "Use `make deploy`, never `fly deploy`, for production.",
        &["ENV=production fly deploy"],
        &["fly deploy", "make deploy"],
    );
}

#[test]
fn exceptions_and_lists() {
    check(
        "Do not delete files in `data/`, except `data/tmp`.",
        &["rm data/a", "rm -rf data/keep"],
        &["rm data/tmp/a", "ls data"],
    );
    check(
        "Never run `make nuke` on staging or production.",
        &["make nuke ENV=staging", "ENV=production make nuke"],
        &["make nuke", "ENV=dev make nuke"],
    );
    check(
        "Never stage files with `git add .`.",
        &["git add ."],
        &["git add a"],
    );
    check(
        "Never run anything as root.",
        &["sudo make install"],
        &["make install", "ls"],
    );
    advice("Never log in as root.");
}

#[test]
fn clauses_that_may_be_lost() {
    for text in [
        "Nie `make sauber` ausführen, solange der Dienst läuft.",
        "Never run `make sauber` while the service is running.",
        "Never run `make sauber` because it breaks in the cache folder.",
        "Never run `make sauber`, it takes an hour on CI.",
        "In this repo, never run `make sauber`.",
        "The team said \"ship it\". Never run `make sauber`.",
        "Never run `make sauber` under any circumstances.",
        "Never run `make sauber` without asking me first.",
        "Never run `make sauber` for any reason.",
        "`make sauber` is forbidden while the app is live.",
        "Never run `make sauber` in this checkout.",
    ] {
        check(text, &["make sauber"], &["make test"]);
    }
}

#[test]
fn an_activity_is_no_mention_of_its_name() {
    let rules = rule("Only deploy from the main branch.");
    assert!(!rules.is_empty());
    let act = |tool, input: &str, intent: &str| {
        let action = ActionInput {
            tool,
            input,
            intent,
            branch: Some("topic"),
            ..ActionInput::default()
        };
        canonicalise(&action, &AlreadyMasked, &|_| [0; 32])
    };
    let same = [
        ("Bash", "ssh deploy@h uptime"),
        ("Bash", "kubectl rollout status deploy/web"),
        ("Bash", "git checkout deploy"),
        ("Bash", "touch deploy.log"),
        ("Bash", "vim docs/deploy.md"),
        (
            "Write",
            r#"{"file_path": "docs/deploy.md", "content": "deploy"}"#,
        ),
        ("TodoWrite", r#"{"todos": ["deploy"]}"#),
        ("Task", r#"{"prompt": "explain the deploy"}"#),
    ];
    for (tool, input) in same {
        let action = act(tool, input, input);
        assert!(!rules.iter().any(|c| concerns(c, &action)), "{input}");
    }
    let action = act(
        "Write",
        r#"{"file_path": "docs/deploy.md"}"#,
        "describe how to deploy",
    );
    assert!(!rules.iter().any(|c| concerns(c, &action)));
    let action = act("Bash", "fly deploy", "fly deploy");
    assert!(rules.iter().any(|c| concerns(c, &action)));
    let input = ActionInput {
        tool: "Bash",
        input: "fly deploy",
        branch: Some("main"),
        ..ActionInput::default()
    };
    let action = canonicalise(&input, &AlreadyMasked, &|_| [0; 32]);
    assert!(!rules.iter().any(|c| concerns(c, &action)));
}

#[test]
fn what_denies_a_denial() {
    for text in [
        "Never skip `npm test` before `git push`.",
        "Never forget to run `npm test` before `git push`.",
        "Never fail to run `npm test` before `git push`.",
        "Do not omit `npm test` before `git push`.",
    ] {
        check(
            text,
            &["git push"],
            &["npm test", "npm test && git push", "git status"],
        );
    }
    for text in [
        "Do not stop running `npm test`.",
        "Don't hesitate to run `npm test`.",
        "We never had problems with `npm test`.",
        "I never run `npm test` myself, you should.",
        "Never ignore a failing `npm test`.",
        "\"Never run `npm test`\" is wrong.",
        "Somebody said \"never run `npm test`\".",
        "\"Never run npm test.\" That was wrong.",
        "Before `make deploy` never run `make migrate`.",
        "`npm test` never fails.",
    ] {
        advice(text);
    }
}

#[test]
fn rules_about_version_control_in_words() {
    check(
        "NEVER RUN GIT PUSH --FORCE",
        &["git push --force", "git push -f"],
        &["git push"],
    );
    check(
        "Tests must pass before pushing.",
        &["git push", "git push origin x"],
        &["git status", "git commit -m x"],
    );
    let rules = rule("No commits to master, ever.");
    let on = |input, branch| {
        let action = ActionInput {
            tool: "Bash",
            input,
            branch: Some(branch),
            ..ActionInput::default()
        };
        let action = canonicalise(&action, &AlreadyMasked, &|_| [0; 32]);
        rules.iter().any(|c| concerns(c, &action))
    };
    assert!(on("git commit -m x", "master"));
    assert!(on("git push origin master", "topic"));
    assert!(!on("git commit -m x", "topic"));
    assert!(!on("git push origin topic", "topic"));
}
