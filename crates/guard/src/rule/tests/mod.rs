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

mod evasion;
mod qualifiers;
mod scope;

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
        "Release rule: before `fly deploy`, run `./ci/smoke.sh`.",
        "Before `fly deploy`, run `./ci/smoke.sh`, not `npm test`.",
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
fn other_wordings() {
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
