//! Rules about paths, places and activities, and how rules stand to each other.

use super::*;

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
            "rm third_party/a 'open",
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
}

#[test]
fn what_is_read_while_the_output_goes_elsewhere() {
    check(
        "Do not edit files under `src/generated/`.",
        &[
            "echo x > src/generated/a.ts",
            "cat x | tee src/generated/a.ts",
            "tee src/generated/a.ts < x",
            "sed -i s/a/b/ src/generated/a.ts",
            "rm src/generated/a.ts",
            "mv src/generated/a.ts x",
            "mv x src/generated/",
            "cp x src/generated/",
            "tar xzf a.tgz -C src/generated",
            "tar -xzf a.tgz -C src/generated",
            "cd src/generated && tar xf ../../a.tar",
            "unzip a.zip -d src/generated",
            "cat a > src/generated/a.ts 2> err",
            "perl -pi -e s/a/b/ src/generated/a.ts",
            "dd if=x of=src/generated/a",
        ],
        &[
            "cat src/generated/a.ts > /tmp/x",
            "cat src/generated/a.ts | tee /tmp/x",
            "grep x src/generated/a.ts > out.txt",
            "diff src/generated/a.ts b.ts > d.txt",
            "tar czf a.tgz src/generated",
            "tar -czf a.tgz src/generated",
            "tar tf src/generated/a.tgz",
            "zip -r a.zip src/generated",
            "node src/generated/run.js",
            "python3 src/generated/run.py > out",
            "cp src/generated/a.ts /tmp/",
            "wc -l src/generated/a.ts >> counts",
            "sort src/generated/a.ts > sorted",
            "sed -n 1,5p src/generated/a.ts > part",
        ],
    );
}

#[test]
fn paths_of_other_tools() {
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
}

#[test]
fn paths_that_are_read() {
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
    assert!(pair("Use yarn, not npm.", "Use npm, not yarn."));
    assert!(pair("Use yarn, not npm.", "Never use yarn."));
    assert!(pair("Deploy only from main.", "Never deploy from main."));
    assert!(pair("Only deploy from main.", "Never deploy from main."));
    assert!(pair(
        "Only run `fly deploy` from main.",
        "Never run `fly deploy`."
    ));
    assert!(pair(
        "`fly deploy` requires `make smoke`.",
        "Never run `make smoke`."
    ));
    assert!(pair(
        "Before `fly deploy` run `yarn db:generate`.",
        "Before `fly deploy` run `npm run db:generate`."
    ));
    assert!(!pair(
        "Deploy only from main.",
        "Never deploy from develop."
    ));
    assert!(!pair("Deploy only from main.", "Never push to main."));
    assert!(!pair("Use yarn, not npm.", "Never use npm."));
    assert!(!pair("Use yarn, not npm.", "Use yarn, not pnpm."));
    assert!(!pair(
        "Before `fly deploy` run `yarn db:generate`.",
        "Before `fly deploy` run `npm run lint`."
    ));
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
