//! Variations of one action: which are the same, which only look alike.

use proptest::prelude::*;

use super::*;

struct KeyWord;

/// A stand-in catalogue: the word after `Bearer ` or `KEY=` is a secret.
impl Mask for KeyWord {
    fn mask(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for range in self.secrets(text).into_iter().rev() {
            out.replace_range(range, "[REDACTED]");
        }
        out
    }

    fn secrets(&self, text: &str) -> Vec<std::ops::Range<usize>> {
        let mut found = Vec::new();
        for marker in ["Bearer ", "PGPASSWORD="] {
            for (at, _) in text.match_indices(marker) {
                let start = at + marker.len();
                let rest = &text[start..];
                let len = rest
                    .find(|c: char| !c.is_alphanumeric())
                    .unwrap_or(rest.len());
                found.push(start..start + len);
            }
        }
        found
    }
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).into()
}

fn act(tool: &str, input: &str) -> CanonicalAction {
    let action = ActionInput {
        tool,
        input,
        directory: Some("/p"),
        project: Some("/p"),
        ..ActionInput::default()
    };
    canonicalise(&action, &KeyWord, &digest)
}

fn bash(command: &str) -> CanonicalAction {
    act("Bash", command)
}

#[track_caller]
fn same(a: &str, b: &str) {
    let text = |command| String::from_utf8(bash(command).exact_bytes());
    assert_eq!(text(a), text(b), "{a} / {b}");
}

#[track_caller]
fn near(a: &str, b: &str) {
    assert_ne!(bash(a).keys().exact, bash(b).keys().exact, "{a} / {b}");
    assert_eq!(bash(a).shape_bytes(), bash(b).shape_bytes(), "{a} / {b}");
}

#[track_caller]
fn apart(a: &str, b: &str) {
    assert_ne!(bash(a).keys().exact, bash(b).keys().exact, "{a} / {b}");
    assert_ne!(bash(a).keys().shape, bash(b).keys().shape, "{a} / {b}");
}

#[test]
fn cosmetic_variations_are_the_same_action() {
    same("npm run deploy", "NODE_ENV=production npm run deploy");
    same("npm run deploy", "env NODE_ENV=production npm run deploy");
    same("npm run deploy", "cd . && npm run deploy");
    same("npm run deploy", "cd /p && npm run deploy");
    same("npm run deploy", "npm  run\tdeploy\n");
    same("npm run deploy", "npm run \"deploy\"");
    same("npm run deploy", "npm 'run' de'pl'oy");
    same(
        "npm run deploy --force --verbose",
        "npm run deploy --verbose --force",
    );
    same(
        "php artisan migrate --force --step",
        "bash -c 'php artisan migrate --step --force'",
    );
    same("npm run deploy", "npm run deploy # try again");
    same("npm run deploy", "npm run deploy 2>&1 | tail -20");
    same("npm run deploy", "npm run deploy > out.log 2>&1");
    same("npm run deploy", "npm run deploy | tee log.txt | head -n 5");
    same("npm run deploy", "bash -lc \"npm run deploy\"");
    same("npm run deploy", "npm run-script deploy");
    same("npm test", "npm t");
    same("npm test", "npm run test");
    same("npm run deploy", "npm run dерlоу");
    same("cat caf\u{e9}.txt", "cat cafe\u{301}.txt");
    same("sbt assembly", "nice sbt assembly 2>&1 | tail -30");
    same("make all", "time nice -n 10 nohup make all");
    same("make all", "timeout -k 5 60s make all || true");
    same("make all", "make \\\n  all; echo \"exit: $?\"");
    same("make all", "set -euo pipefail; command make all");
    same("make all", "/usr/bin/make all");
    same("make all", "sudo -u ci env CC=clang make all");
    same("make all", "echo 'make all' | bash");
    same("make all", "bash <<'EOF'\nmake all\nEOF\n");
    same("make all", "export CC=clang && make all");
    same("rm -rf build", "rm -fr build");
    same("rm -rf build", "rm -r -f build");
    same("cat a.ts", "cat sub/../a.ts");
    same("cat a.ts", "cat /p/a.ts");
    same("make -C web all", "cd web && make all");
}

#[test]
fn changes_of_meaning_keep_the_shape_only() {
    near("git branch -d topic", "git branch -D topic");
    near("./deploy.sh", "./Deploy.sh");
    near("echo 'a b'", "echo 'a  b'");
    near("./ingest --batch 10", "./ingest --batch 60");
    near("npm run deploy", "cd web && npm run deploy");
    near("echo '$HOME'", "echo \"$HOME\"");
    near("swift build -c release", "swift build -c debug");
}

#[test]
fn unrelated_commands_share_nothing() {
    apart("zig build test", "git commit -m 'add zig test'");
    apart("npm run deploy", "echo hello");
    apart("npm run deploy", "npm run build");
    apart("cat <<EOF > a\nx\nEOF\n", "cat b");
    assert_ne!(
        bash("npm run deploy").keys().family,
        bash("npm test").keys().family
    );
}

#[test]
fn different_payloads_are_no_variants() {
    apart("python3 -c 'import a'", "python3 -c 'import b'");
    apart("node -e 'f()'", "node -e 'g()'");
    apart(
        "python3 <<'EOF'\nimport a\nEOF\n",
        "python3 <<'EOF'\nimport b\nEOF\n",
    );
    apart(
        "python3 - <<'EOF'\na()\nEOF\n",
        "python3 - <<'EOF'\nb()\nEOF\n",
    );
    apart("psql -c 'select a from b'", "psql -c 'select c from d'");
    apart("psql -tAc 'select a from b'", "psql -tAc 'select c from d'");
    apart("mysql -e 'show tables'", "mysql -e 'show status'");
    apart("curl https://a.example/x", "curl https://b.example/x");
    apart(
        "curl --url=https://a.example/x",
        "curl --url=https://b.example/x",
    );
    apart(
        "curl -d a=b https://x.example",
        "curl -d c=d https://x.example",
    );
    apart("git commit -m 'one thing'", "git commit -m other");
    near("python3 -c 'f(10)'", "python3 -c 'f(20)'");
    near("psql -c 'select 1 from a'", "psql -c 'select 2 from a'");
    near("git commit -m 'try 1'", "git commit -m 'try 2'");
    near(
        "curl --retry 3 https://a.example",
        "curl --retry 5 https://a.example",
    );
    let mail = |input| act("mcp__mail__send", input).keys().shape;
    assert_ne!(
        mail(r#"{"to":"a@x","subject":"s"}"#),
        mail(r#"{"to":"a@x","subject":"t"}"#)
    );
    assert_eq!(
        mail(r#"{"to":"a@x","retry":1}"#),
        mail(r#"{"to":"a@x","retry":2}"#)
    );
}

#[test]
fn a_new_secret_changes_the_fingerprint_only() {
    let old = bash("curl -H 'Authorization: Bearer aaa' https://x.example");
    let new = bash("curl -H 'Authorization: Bearer bbb' https://x.example");
    assert_eq!(old.keys(), new.keys());
    assert!(new.credential_changed(&old));
    assert!(!old.text.contains("aaa"), "{}", old.text);
    let old = bash("PGPASSWORD=one psql -h db");
    let new = bash("PGPASSWORD=two psql -h db");
    assert_eq!(old.keys().exact, new.keys().exact);
    assert!(new.credential_changed(&old));
    assert_eq!(bash("make").fingerprint, None);
}

#[test]
fn environment_and_user_are_compared_beside_the_key() {
    let plain = bash("npm run deploy");
    assert!(!bash("NODE_ENV=production npm run deploy").environment_changed(&plain));
    let test = bash("NODE_ENV=test npm run deploy");
    assert!(bash("NODE_ENV=production npm run deploy").environment_changed(&test));
    assert!(bash("sudo npm run deploy").environment_changed(&plain));
}

#[test]
fn heredoc_bodies_are_data_unless_a_shell_reads_them() {
    let data = bash("cat > notes.md <<'EOF'\nnpm run deploy\nEOF\n");
    assert_eq!(data.commands.len(), 1);
    assert_eq!(data.commands[0].outputs, ["notes.md"]);
    let other = bash("cat > notes.md <<'EOF'\nnpm run build\nEOF\n");
    assert_ne!(data.keys().exact, other.keys().exact);
    let run = bash("cat <<'EOF' | sh\nnpm run deploy\nEOF\n");
    assert_eq!(run.commands[0].program, "npm");
}

#[test]
fn other_tools_compare_by_meaningful_fields() {
    let mail = |text| act("mcp__mail__send", text).keys().exact;
    assert_eq!(
        mail(r#"{"to":"a@x","subject":"s"}"#),
        mail(r#"{"subject": "s", "to": "a@x"}"#)
    );
    assert_ne!(
        mail(r#"{"to":"a@x","subject":"s"}"#),
        mail(r#"{"to":"b@x","subject":"s"}"#)
    );
    let shell = |text| act("Bash", text).keys().exact;
    assert_eq!(
        shell(r#"{"command":"make","description":"build"}"#),
        shell("make")
    );
    assert_eq!(
        shell(r#"{"command":"make","timeout":5}"#),
        act("shell", "make").keys().exact
    );
    assert_eq!(
        act("shell", r#"{"command":["bash","-lc","make"]}"#)
            .keys()
            .exact,
        shell("make")
    );
    let edit = |text| act("Edit", text);
    let absolute = edit(r#"{"file_path":"/p/a.rs","old_string":"x","new_string":"y"}"#);
    let relative = edit(r#"{"new_string":"y","file_path":"./a.rs","old_string":"x"}"#);
    assert_eq!(absolute.keys(), relative.keys());
    assert_eq!(absolute.files, ["a.rs"]);
    let other = edit(r#"{"file_path":"a.rs","old_string":"x","new_string":"z"}"#);
    assert_ne!(absolute.keys().exact, other.keys().exact);
    assert_ne!(absolute.keys().shape, other.keys().shape);
    let cap = |n| {
        let input =
            format!(r#"{{"file_path":"a.rs","old_string":"cap(1)","new_string":"cap({n})"}}"#);
        act("Edit", &input).keys().shape
    };
    assert_eq!(cap(10), cap(20));
}

#[test]
fn patches_name_their_files() {
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n*** Add File: b.rs\n+z\n*** End Patch";
    assert_eq!(act("apply_patch", patch).files, ["b.rs", "src/a.rs"]);
    let json = serde_json::json!({ "command": patch }).to_string();
    assert_eq!(act("apply_patch", &json).files, ["b.rs", "src/a.rs"]);
    let shell = format!("apply_patch <<'EOF'\n{patch}\nEOF\n");
    assert_eq!(bash(&shell).files, ["b.rs", "src/a.rs"]);
    assert_eq!(patch_paths("--- a/x.c\n+++ b/x.c\n"), ["x.c"]);
}

#[test]
fn file_scope_is_normalised_and_compared_when_both_name_it() {
    let with = |files: &[&str]| {
        let files: Vec<String> = files.iter().map(|f| (*f).to_owned()).collect();
        let action = ActionInput {
            tool: "Bash",
            input: "make",
            directory: Some("/p/sub"),
            project: Some("/p"),
            files: &files,
            ..ActionInput::default()
        };
        canonicalise(&action, &AlreadyMasked, &digest)
    };
    assert_eq!(with(&["/p/sub/a.ts"]).files, with(&["./x/../a.ts"]).files);
    assert!(!with(&["a.ts"]).scope_changed(&with(&[])));
    assert!(with(&["a.ts"]).scope_changed(&with(&["b.ts"])));
    assert_eq!(with(&["a.ts"]).keys(), with(&[]).keys());
}

#[test]
fn unparsed_text_is_kept() {
    let broken = bash("echo 'open; rm -rf x");
    assert!(!broken.unparsed.is_empty());
    assert_ne!(
        broken.keys().exact,
        bash("echo 'open; rm -rf y").keys().exact
    );
    assert!(broken.text.contains("open"));
}

#[test]
fn the_readable_text_is_the_same_action() {
    for command in [
        "grep -E 'a|b' f",
        "npm run build -- --env=prod --force",
        "git commit -m \"it's done\"",
        "rm -rf ./build/*",
        "make all && echo 'a  b' | sort",
        "cat \"$HOME/x\" ''",
        "sbt assembly",
    ] {
        let action = bash(command);
        assert_eq!(action.text, bash(&action.text).text, "{command}");
        assert_eq!(
            action.keys().shape,
            bash(&action.text).keys().shape,
            "{command}"
        );
    }
}

#[test]
fn facts_name_places() {
    let has = |command: &str, kind: FactKind, value: &str| {
        let facts = bash(command).facts();
        assert!(
            facts.iter().any(|f| f.kind == kind && f.value == value),
            "{command}: {facts:?}"
        );
    };
    has("git switch -c feature/881", FactKind::Branch, "feature/881");
    has("git push origin HEAD:main", FactKind::Branch, "main");
    has(
        "kubectl --context prod-eu get pods",
        FactKind::Context,
        "prod-eu",
    );
    has("kubectl -n live delete pod x", FactKind::Namespace, "live");
    has(
        "nomad job run -address=https://nomad.live.example api.nomad",
        FactKind::Host,
        "nomad.live.example",
    );
    has(
        "RAILS_ENV=production rails db:migrate",
        FactKind::Stage,
        "production",
    );
    has("./deploy.sh production", FactKind::Stage, "production");
    assert!(same_environment("live", "nomad.live.example"));
    assert!(same_environment("production", "prod-eu"));
    assert!(!same_environment("production", "reproduction"));
}

proptest! {
    #[test]
    fn canonicalisation_never_panics(text in "\\PC{0,80}") {
        let _keys = bash(&text).keys();
        let _keys = act("Edit", &text).keys();
    }

    #[test]
    fn quoting_a_word_changes_nothing(words in proptest::collection::vec("[a-z]{2,6}x", 1..5), at in 0usize..5) {
        let at = at % words.len();
        let mut quoted = words.clone();
        quoted[at] = format!("'{}'", quoted[at]);
        prop_assert_eq!(bash(&words.join(" ")).exact_bytes(), bash(&quoted.join(" ")).exact_bytes());
    }

    #[test]
    fn different_words_have_different_keys(a in "[a-z]{1,8}", b in "[a-z]{1,8}") {
        prop_assume!(a != b);
        prop_assert_ne!(
            bash(&format!("frob {a}")).keys().exact,
            bash(&format!("frob {b}")).keys().exact
        );
    }
}
