//! Sentences, what they compile to, and the actions they concern.

use precedent_core::Control;
use precedent_redact::Redactor;
use proptest::prelude::*;

use super::*;
use crate::identity::{
    ActionInput, AlreadyMasked, CanonicalAction, canonicalise, canonicalise_command,
};
use crate::pattern::{concerns, lookup_keys, pattern_keys};

fn rule(text: &str) -> Vec<Control> {
    compile(text, &Redactor::new()).controls().to_vec()
}

/// Checks that a rule concerns the first actions and not the others.
#[track_caller]
fn check(text: &str, concerned: &[&str], free: &[&str]) {
    let controls = rule(text);
    let explained: Vec<String> = controls.iter().map(explain).collect();
    assert!(!controls.is_empty(), "not understood: {text}");
    for command in concerned {
        let action = canonicalise_command(command);
        assert!(
            controls.iter().any(|c| concerns(c, &action)),
            "{text} misses {command}: {explained:?}"
        );
    }
    for command in free {
        let action = canonicalise_command(command);
        assert!(
            !controls.iter().any(|c| concerns(c, &action)),
            "{text} hits {command}: {explained:?}"
        );
    }
    for command in concerned.iter().chain(free) {
        keys_meet(&controls, &canonicalise_command(command));
    }
}

#[track_caller]
fn keys_meet(controls: &[Control], action: &CanonicalAction) {
    let keys = lookup_keys(action);
    for control in controls {
        if crate::pattern::matches(control.trigger(), action) {
            let own = pattern_keys(control.trigger());
            assert!(own.iter().any(|k| keys.contains(k)), "{own:?} / {keys:?}");
        }
    }
}

fn tool(tool: &str, input: &str) -> CanonicalAction {
    let action = ActionInput {
        tool,
        input,
        directory: Some("/p"),
        project: Some("/p"),
        ..ActionInput::default()
    };
    canonicalise(&action, &AlreadyMasked, &|_| [0; 32])
}

#[test]
fn prerequisites() {
    let deploys = [
        "fly deploy",
        "cd app && fly deploy --now",
        "bash -c 'fly deploy'",
        "ENV=x sudo fly deploy",
    ];
    let others = [
        "./ci/smoke.sh",
        "ls third_party",
        "git commit -m 'fly deploy'",
        "grep -r 'fly deploy' .",
        "fly logs",
        "cat ci/smoke.sh",
        "./ci/smoke.sh && fly deploy",
        "echo fly deploy",
    ];
    for text in [
        "Before `fly deploy` run `./ci/smoke.sh`.",
        "Before `fly deploy`, run `./ci/smoke.sh`.",
        "Run `./ci/smoke.sh` before `fly deploy`.",
        "Always run `./ci/smoke.sh` before running `fly deploy`.",
        "`./ci/smoke.sh` must run before `fly deploy`.",
        "`fly deploy` requires `./ci/smoke.sh`.",
        "Never run `fly deploy` without `./ci/smoke.sh`.",
        "Do not run `fly deploy` before `./ci/smoke.sh`.",
        "Do not run `fly deploy` until `./ci/smoke.sh` has passed.",
        "Run `fly deploy` only after `./ci/smoke.sh`.",
        "Vor `fly deploy` immer `./ci/smoke.sh` ausführen.",
        "Bevor `fly deploy` läuft, muss `./ci/smoke.sh` laufen.",
        "`fly deploy` nicht ohne `./ci/smoke.sh` ausführen.",
        "`fly deploy` erfordert `./ci/smoke.sh`.",
        "Avant `fly deploy`, exécutez `./ci/smoke.sh`.",
        "Ne jamais lancer `fly deploy` sans `./ci/smoke.sh`.",
        "Antes de `fly deploy` ejecuta `./ci/smoke.sh`.",
        "Nunca ejecutes `fly deploy` sin `./ci/smoke.sh`.",
        "在运行 `fly deploy` 之前，先运行 `./ci/smoke.sh`。",
        "运行 `fly deploy` 前必须先运行 `./ci/smoke.sh`。",
        "`fly deploy` の前に `./ci/smoke.sh` を実行してください。",
        "`./ci/smoke.sh` なしで `fly deploy` を実行しないでください。",
    ] {
        check(text, &deploys, &others);
    }
}

#[test]
fn more_ways_to_say_it() {
    for text in [
        "First `make test`, then `make deploy`.",
        "Run `make test` and only then `make deploy`.",
        "`make deploy` must come after `make test`.",
        "`make test` is a prerequisite for `make deploy`.",
        "Whenever you run `make deploy`, run `make test` first.",
        "Primero `make test`, luego `make deploy`.",
        "Erst `make test`, dann `make deploy`.",
        "必须先运行 `make test` 才能运行 `make deploy`。",
        "`make test` を実行してから `make deploy` を実行すること。",
        "`make deploy` is not allowed until `make test` passes.",
        "Vor dem Deployment (`make deploy`) ist `make test` Pflicht.",
    ] {
        check(
            text,
            &["make deploy"],
            &["make test", "make test && make deploy", "make lint"],
        );
    }
    check(
        "Benutze nie `npm`, sondern `pnpm`.",
        &["npm i"],
        &["pnpm i"],
    );
    check(
        "`npm` は使わず、`pnpm` を使うこと。",
        &["npm i"],
        &["pnpm i"],
    );
    check(
        "All kubectl commands must use `--context staging`.",
        &["kubectl get pods", "kubectl --context prod get pods"],
        &[
            "kubectl --context staging get pods",
            "kubectl get pods --context=staging",
        ],
    );
    check(
        "Generated code lives in gen/; never edit it by hand.",
        &["rm gen/a"],
        &["cat gen/a"],
    );
    check(
        "Leave `legacy/` alone.",
        &["rm legacy/a"],
        &["cat legacy/a"],
    );
    check(
        "Never name a branch `wip`.",
        &["git switch -c wip"],
        &["git switch -c topic"],
    );
    check(
        "Always create branches with prefix `fix/`.",
        &["git checkout -b topic"],
        &["git checkout -b fix/topic"],
    );
    let commits = rule("Commits go to `develop`, never to `main`.");
    let on = |branch| {
        let action = ActionInput {
            tool: "Bash",
            input: "git commit -m x",
            branch: Some(branch),
            ..ActionInput::default()
        };
        canonicalise(&action, &AlreadyMasked, &|_| [0; 32])
    };
    assert!(commits.iter().any(|c| concerns(c, &on("main"))));
    assert!(!commits.iter().any(|c| concerns(c, &on("develop"))));
    let mail = rule("Never call `mcp__mail__send`.");
    assert!(
        mail.iter()
            .any(|c| concerns(c, &tool("mcp__mail__send", "{}")))
    );
    assert!(
        !mail
            .iter()
            .any(|c| concerns(c, &tool("mcp__mail__list", "{}")))
    );
}

#[test]
fn carriers_do_not_hide_what_they_run() {
    check(
        "Before `rails db:migrate` run `make backup`.",
        &[
            "docker compose exec app rails db:migrate",
            "docker exec -it app bundle exec rails db:migrate",
            "ssh -p 22 web 'cd /srv && rails db:migrate'",
            "kubectl exec pod -- bin/rails db:migrate",
            "echo x | xargs -n1 sh -c 'rails db:migrate'",
            "sudo -u app bin/rails db:migrate",
            "eval 'rails db:migrate'",
            "if true; then rails db:migrate; fi",
            "echo \"$(rails db:migrate)\"",
            "(rails db:migrate) &",
            "make backup; rails db:migrate",
            "make backup || rails db:migrate",
            "rails db:migrate && make backup",
            "echo 'open; rails db:migrate",
        ],
        &[
            "make backup && rails db:migrate",
            "rails db:rollback",
            "rails db:migrate --help",
            "docker compose exec app rails console",
            "ssh web ls",
            "cat <<'EOF' > notes\nrails db:migrate\nEOF",
        ],
    );
    check(
        "Never run `deploy.sh`.",
        &[
            "./deploy.sh",
            "bash deploy.sh",
            "sh ./ops/deploy.sh x",
            "source deploy.sh",
        ],
        &[
            "cat deploy.sh",
            "vim deploy.sh",
            "chmod +x deploy.sh",
            "git add deploy.sh",
            "./deploy.sh --help",
        ],
    );
    check(
        "Never use `sudo`.",
        &["sudo make install"],
        &["make install", "echo sudo"],
    );
    check(
        "Never run `jest`.",
        &["npx jest a", "pnpm exec jest", "yarn exec jest"],
        &["npx vitest", "cat jest.config.js"],
    );
}

#[test]
fn half_understood_sentences_forbid_nothing_else() {
    for text in [
        "If `npm test` fails, do not commit.",
        "Run the app with `npm start`, not with node.",
        "Never approve a release without running `make audit`.",
        "You need not run `make x` before `make y`.",
        "`make x` is no longer needed.",
        "Don't worry about `make lint` warnings.",
        "No `console.log` in src/.",
        "There is no staging server.",
        "`make deploy` failed because the disk was full.",
        "Never touch the `users` table.",
    ] {
        assert_eq!(compile(text, &Redactor::new()), Compiled::Advice, "{text}");
    }
}

#[test]
fn plain_text_commands() {
    check(
        "Before npm run deploy, run npm run db:generate and npm pack --dry-run.",
        &[
            "npm run deploy",
            "npm run-script deploy",
            "npm run db:generate && npm run deploy",
        ],
        &[
            "npm run db:generate",
            "npm pack --dry-run",
            "npm run build",
            "cat deploy.sh",
            "npm run deploy --help",
            "npm run db:generate && npm pack --dry-run && npm run deploy",
            "grep -r \"npm run deploy\" .",
        ],
    );
    let Some(Control::Requires { prerequisites, .. }) =
        rule("Before npm run deploy, run npm run db:generate and npm pack --dry-run.").pop()
    else {
        panic!("a prerequisite rule");
    };
    assert_eq!(prerequisites.len(), 2);
    check(
        "From now on, always run npm run db:generate before npm run deploy",
        &["npm run deploy"],
        &["npm run db:generate"],
    );
    check(
        "Never run zig build.",
        &["zig build"],
        &["git commit -m 'zig build'", "zig fmt src"],
    );
    check(
        "Must-follow: never run zig build.",
        &["zig build -Dx"],
        &["ls"],
    );
    check(
        "Before `./fleet drain`, run `./fleet snapshot`.",
        &["./fleet drain --all", "fleet drain x"],
        &["./fleet snapshot", "./fleet list"],
    );
    check(
        "Don't use kubectl delete",
        &["kubectl delete pod x", "sudo kubectl -n a delete pod x"],
        &["kubectl get pods"],
    );
}

#[test]
fn prohibitions() {
    check(
        "Please never amend commits that are already pushed (`git commit --amend`).",
        &["git commit --amend --no-edit", "git -C . commit --amend"],
        &["git commit -m 'second part'", "git commit -m 'amend'"],
    );
    for text in [
        "Nie `make sauber` ausführen, solange der Dienst läuft.",
        "`make sauber` ist verboten.",
        "Ne lancez jamais `make sauber`.",
        "Nunca ejecutes `make sauber`.",
        "不要运行 `make sauber`。",
        "禁止运行 `make sauber`",
        "`make sauber` を実行しないでください。",
        "`make sauber` 禁止",
        "Führe niemals `make sauber` aus.",
        "Il est interdit de lancer `make sauber`.",
        "Prohibido ejecutar `make sauber`.",
    ] {
        check(
            text,
            &["make sauber", "time make sauber | tail"],
            &["make", "echo make sauber", "make test"],
        );
    }
    check(
        "Codename Linnet: never run `make party`.",
        &["make party"],
        &["make cake"],
    );
    check(
        "Never `rm -rf` anything.",
        &[
            "rm -rf build",
            "rm -fr x",
            "rm -r -f x",
            "find . -exec rm -rf {} +",
        ],
        &["rm x", "ls -rf"],
    );
    check(
        "Never use `--no-verify`.",
        &["git commit --no-verify -m x", "git commit -n -m x"],
        &["git commit -m 'no --no-verify'"],
    );
    check(
        "Never force push.",
        &["git push --force", "git push -f origin x"],
        &["git push"],
    );
    check(
        "Never push to main.",
        &["git push origin main", "git push origin HEAD:main"],
        &["git push origin topic", "git log main"],
    );
    check(
        "Do not `git push --force` to `main`.",
        &["git push -f origin main"],
        &["git push origin main", "git push -f origin topic"],
    );
    check(
        "Never commit .env files.",
        &["git add .env", "git add conf/.env", "git commit .env"],
        &["git add src", "cat .env.example"],
    );
}

#[test]
fn paths() {
    check(
        "Never touch files under third_party/.",
        &[
            "rm third_party/a.c",
            "sed -i s/a/b/ third_party/x.c",
            "echo x > third_party/y",
            "cp a third_party/b",
            "cd third_party && rm a.c",
            "rm -rf third_party",
            "git rm third_party/a",
            "echo x | tee third_party/z",
        ],
        &[
            "ls third_party",
            "cat third_party/a.c",
            "grep -r x third_party",
            "rm third_party2/a",
            "git add third_party",
            "cp third_party/a b",
            "git diff third_party",
            "git commit -m 'touch third_party/'",
        ],
    );
    let brand = rule("Keep out of assets/brand/.");
    let edits = [
        tool(
            "Write",
            r#"{"file_path": "assets/brand/logo.svg", "content": "<svg/>"}"#,
        ),
        tool(
            "Edit",
            r#"{"file_path": "/p/assets/brand/a", "old_string": "a", "new_string": "b"}"#,
        ),
        tool(
            "apply_patch",
            "*** Begin Patch\n*** Update File: assets/brand/a\n*** End Patch",
        ),
        canonicalise_command("rm -rf assets"),
    ];
    for action in &edits {
        assert!(brand.iter().any(|c| concerns(c, action)), "{action:?}");
        keys_meet(&brand, action);
    }
    let free = [
        tool("Read", r#"{"file_path": "assets/brand/logo.svg"}"#),
        tool(
            "Write",
            r#"{"file_path": "assets/logo.svg", "content": "assets/brand/"}"#,
        ),
        canonicalise_command("ls assets/brand"),
    ];
    for action in &free {
        assert!(!brand.iter().any(|c| concerns(c, action)), "{action:?}");
    }
    let secret = rule("Never read or print `secrets/prod.env`.");
    assert!(
        secret
            .iter()
            .any(|c| concerns(c, &canonicalise_command("cat secrets/prod.env")))
    );
    assert!(
        secret
            .iter()
            .any(|c| concerns(c, &tool("Read", r#"{"file_path": "/p/secrets/prod.env"}"#)))
    );
    check(
        "`src/generated/` is read-only.",
        &["rm src/generated/a.rs"],
        &["rm src/a.rs"],
    );
    check(
        "Dateien unter `vendor/` nicht anfassen.",
        &["rm vendor/x"],
        &["ls vendor"],
    );
    check(
        "不要修改 `vendor/` 下的文件。",
        &["rm vendor/x"],
        &["ls vendor"],
    );
}

#[test]
fn preferences() {
    for text in [
        "Use `pnpm`, not `npm`.",
        "Use pnpm instead of npm.",
        "Prefer `pnpm` over `npm`.",
        "Instead of `npm` use `pnpm`.",
        "Never use npm, use pnpm.",
        "Verwende `pnpm` statt `npm`.",
        "Utilisez `pnpm` au lieu de `npm`.",
        "Usa `pnpm` en lugar de `npm`.",
        "使用 `pnpm` 而不是 `npm`。",
        "`npm` ではなく `pnpm` を使ってください。",
        "不要用 `npm`，用 `pnpm`。",
    ] {
        check(
            text,
            &["npm install x", "sudo npm i"],
            &["pnpm install x", "cat npm.txt", "git commit -m 'npm'"],
        );
    }
    check(
        "Use `git switch`, not `git checkout`.",
        &["git checkout main"],
        &["git switch main"],
    );
}

#[test]
fn forms_that_lift_a_prohibition() {
    check(
        "Never run `terraform apply` without `-target`.",
        &["terraform apply"],
        &["terraform apply -target=a", "terraform plan"],
    );
    check(
        "No DELETE without WHERE.",
        &[
            "psql -c 'DELETE FROM users'",
            "echo 'delete from users' | psql",
        ],
        &[
            "psql -c 'DELETE FROM users WHERE id = 1'",
            "psql -c 'SELECT 1'",
            "grep DELETE x",
        ],
    );
    check(
        "Never run DROP TABLE.",
        &[
            "psql -c \"drop table users\"",
            "mysql -e 'SELECT 1; DROP TABLE x'",
        ],
        &["git commit -m 'DROP TABLE'", "psql -c 'select 1'"],
    );
    check(
        "Only run `npm publish` from `packages/core`.",
        &["npm publish", "cd web && npm publish"],
        &["cd packages/core && npm publish"],
    );
    check(
        "Run `git push` only on branch `release`.",
        &["git push origin main"],
        &["git push origin release"],
    );
}

#[test]
fn places() {
    check(
        "This session is about the test cluster; do not touch live.",
        &["nomad job run -address=https://nomad.live.example api.nomad"],
        &[
            "nomad job run -address=https://nomad.test.example api.nomad",
            "ls live",
        ],
    );
    check(
        "Never use the prod context.",
        &["kubectl --context prod delete pod x"],
        &["kubectl --context dev delete pod x"],
    );
    check(
        "Never run `kubectl delete` against production.",
        &["kubectl --context prod-eu delete pod x"],
        &[
            "kubectl --context dev delete pod x",
            "kubectl --context prod-eu get pods",
        ],
    );
    check(
        "Branch names have no prefix: never feature/.",
        &["git switch -c feature/881"],
        &["git switch -c 881", "git commit -m 'feature/x'"],
    );
    check(
        "Name branches feature/<id>.",
        &["git switch -c topic"],
        &["git switch -c feature/881"],
    );
}

#[test]
fn activities_in_words() {
    let rules = rule("Export a snapshot before deleting customer data.");
    assert_eq!(rules.len(), 1);
    let intent = |intent, command| {
        let action = ActionInput {
            tool: "Bash",
            input: command,
            intent,
            ..ActionInput::default()
        };
        canonicalise(&action, &AlreadyMasked, &|_| [0; 32])
    };
    let hits = [
        intent("delete customer data", "node scripts/run.js"),
        intent("", "node scripts/delete-customer.js"),
    ];
    for action in &hits {
        assert!(rules.iter().any(|c| concerns(c, action)), "{rules:?}");
        keys_meet(&rules, action);
    }
    for command in [
        "ls",
        "cat scripts/delete-customer.js",
        "git commit -m 'delete customer data'",
        "node scripts/list-customer.js",
        "npm test",
    ] {
        assert!(
            !rules
                .iter()
                .any(|c| concerns(c, &canonicalise_command(command))),
            "{command}"
        );
    }
}

#[test]
fn what_is_not_understood_is_advice() {
    for text in [
        "The cache has a ttl of ten minutes.",
        "Be careful with deployments.",
        "We like tabs.",
        "",
        "Release 9 renamed the flag.",
        "Make sure the tests are green.",
        "The fleet has nine nodes.",
    ] {
        assert_eq!(compile(text, &Redactor::new()), Compiled::Advice, "{text}");
    }
}

#[test]
fn contradictions() {
    let pair = |a: &str, b: &str| {
        rule(a)
            .iter()
            .any(|x| rule(b).iter().any(|y| conflicts(x, y) && conflicts(y, x)))
    };
    assert!(pair(
        "Run `npm test` before `npm publish`.",
        "Run `pnpm test` before `npm publish`."
    ));
    assert!(pair(
        "Name branches feature/<id>.",
        "Branch names have no prefix: never feature/."
    ));
    assert!(pair(
        "Before `fly deploy` run `make smoke`.",
        "Never run `make smoke`."
    ));
    assert!(pair("Use `npm`, not `pnpm`.", "Use `pnpm`, not `npm`."));
    assert!(pair(
        "Use `npm` instead of `yarn`.",
        "Use `pnpm` instead of `yarn`."
    ));
    assert!(pair("Use `pnpm`, not `npm`.", "Never run `pnpm`."));
    assert!(!pair(
        "Before `fly deploy` run `make smoke`.",
        "Before `fly deploy` run `make lint`."
    ));
    assert!(!pair(
        "Run `npm test` before `npm publish`.",
        "Run `pnpm test` before `pnpm publish`."
    ));
    assert!(!pair("Never run `make clean`.", "Never run `make smoke`."));
    assert!(!pair("Never touch `a/`.", "Never touch `b/`."));
    assert!(!pair(
        "Run `npm test` before `npm publish`.",
        "Run `npm test` before `npm publish`."
    ));
}

#[test]
fn explanations() {
    let said = |text: &str| {
        rule(text)
            .iter()
            .map(explain)
            .collect::<Vec<_>>()
            .join("; ")
    };
    assert_eq!(
        said("Before `fly deploy` run `./ci/smoke.sh`."),
        "when the command `fly deploy`, then first require success of the command `./ci/smoke.sh`"
    );
    assert_eq!(
        said("Keep out of assets/brand/."),
        "when changing `assets/brand/`, then hold it back"
    );
    assert_eq!(
        said("Use pnpm, not npm."),
        "when the command `npm`, then use the command `pnpm` in its place"
    );
}

proptest! {
    #[test]
    fn compiling_never_panics(text in "\\PC{0,60}") {
        let _rules = rule(&text);
    }

    #[test]
    fn compiling_marks_and_code_never_panics(
        parts in proptest::collection::vec(prop_oneof![
            Just("never"), Just("before"), Just("without"), Just("`npm run x`"), Just("use"), Just("not"),
            Just("only"), Just("main"), Just("src/"), Just("之前"), Just("を実行しない"), Just(","), Just("--force"),
            Just("instead of"), Just("requires"), Just("branch"), Just("DROP TABLE"), Just("run")], 0..9),
        command in prop_oneof![
            Just("npm run x"), Just("rm -rf src"), Just("git push origin main"), Just("echo 'open"),
            Just("psql -c 'drop table a'"), Just("npx npm run x"), Just("cd src && rm a")],
    ) {
        let controls = rule(&parts.join(" "));
        keys_meet(&controls, &canonicalise_command(command));
    }
}
