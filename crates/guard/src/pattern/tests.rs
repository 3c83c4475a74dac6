//! The law of keys, and matches that no sentence of the compiler covers.

use precedent_core::ActionPattern;
use precedent_redact::Redactor;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::identity::{ActionInput, AlreadyMasked, canonicalise, canonicalise_command};

fn pattern(
    tool: Option<&str>,
    program: Option<&str>,
    words: &[&str],
    flags: &[&str],
    paths: &[&str],
    environment: &[&str],
) -> ActionPattern {
    let redactor = Redactor::new();
    let all = |texts: &[&str]| texts.iter().map(|t| redactor.clean(t)).collect();
    ActionPattern {
        tool: tool.map(|t| redactor.clean(t)),
        program: program.map(|p| redactor.clean(p)),
        words: all(words),
        flags: all(flags),
        paths: all(paths),
        environment: all(environment),
    }
}

#[test]
fn an_empty_pattern_matches_nothing() {
    assert!(!matches(
        &ActionPattern::default(),
        &canonicalise_command("rm -rf /")
    ));
    assert!(pattern_keys(&ActionPattern::default()).is_empty());
}

#[test]
fn a_tool_pattern_matches_whatever_the_host_calls_it() {
    let shell = pattern(Some("Bash"), None, &[], &[], &[], &[]);
    assert!(matches(&shell, &canonicalise_command("ls")));
    let mail = pattern(Some("mcp__mail__send"), None, &[], &[], &[], &[]);
    assert!(!matches(&mail, &canonicalise_command("ls")));
}

#[test]
fn broken_syntax_does_not_hide_a_program() {
    let delete = pattern(None, Some("kubectl"), &["delete"], &[], &[], &[]);
    assert!(matches(
        &delete,
        &canonicalise_command("kubectl delete pod x 'open")
    ));
    assert!(!matches(
        &delete,
        &canonicalise_command("kubectl get pod x 'open")
    ));
}

#[test]
fn words_are_compared_whole_and_in_order() {
    let deploy = pattern(None, Some("npm"), &["run", "deploy"], &[], &[], &[]);
    for other in [
        "npm run deploy:docs",
        "npm run build deploy",
        "npm deploy run",
        "npm run",
    ] {
        assert!(!matches(&deploy, &canonicalise_command(other)), "{other}");
    }
    assert!(matches(
        &deploy,
        &canonicalise_command("npm --silent run deploy -- --now")
    ));
}

fn programs() -> impl Strategy<Value = Option<&'static str>> {
    select(vec![
        None,
        None,
        Some("npm"),
        Some("git"),
        Some("./ci/x.sh"),
        Some("x.sh"),
        Some("python"),
        Some("sudo"),
    ])
}

fn actions() -> impl Strategy<Value = CanonicalAction> {
    let shell = select(vec![
        "npm run deploy",
        "npx npm run deploy",
        "sudo npm run x",
        "git push -f origin main",
        "bash ci/x.sh a",
        "ci/x.sh deploy",
        "python3 -m x",
        "rm -rf src",
        "rm src/*",
        "echo x > src/gen/a",
        "cd src && rm gen",
        "psql -c 'drop table a; delete from b'",
        "npm run 'open",
        "kubectl --context prod delete x",
        "docker exec app npm run deploy",
        "git switch -c feature/x",
        "ls src",
        "node scripts/delete-data.js",
        "cat src/gen/a",
        "ssh live.example npm run deploy",
        "find . -exec rm {} +",
        "git commit --amend -m x",
    ]);
    let tools = select(vec![
        (
            "Edit",
            r#"{"file_path":"src/gen/a.rs","old_string":"a","new_string":"b"}"#,
        ),
        ("Write", r#"{"file_path":"/p/a/b/.env","content":"x"}"#),
        ("Read", r#"{"file_path":"src/a.rs"}"#),
        ("mcp__db__query", r#"{"sql":"DELETE FROM a"}"#),
        ("apply_patch", "*** Update File: src/gen/a\n"),
    ]);
    let act = |(tool, input): (&str, &str)| {
        let action = ActionInput {
            tool,
            input,
            intent: "delete the data",
            directory: Some("/p"),
            project: Some("/p"),
            ..ActionInput::default()
        };
        canonicalise(&action, &AlreadyMasked, &|_| [0; 32])
    };
    prop_oneof![
        shell.prop_map(move |command| act(("Bash", command))),
        tools.prop_map(act)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// If a pattern matches an action, they share a key.
    #[test]
    fn matching_implies_a_common_key(
        tool in select(vec![None, None, None, Some("Edit"), Some("Read"), Some("Bash")]),
        program in programs(),
        words in vec(select(vec!["run", "deploy", "push", "DROP", "DELETE", "TABLE", "delete", "data", "x"]), 0..3),
        flags in vec(select(vec!["--force", "-f", "--amend", "-rf", "--context=prod", "--recursive"]), 0..2),
        paths in vec(select(vec!["src/", "src/gen/", "*.env", "**/gen/*", ".env", "*", "src/**/a.rs", "a/b"]), 0..3),
        environment in vec(select(vec!["prod", "production", "branch:main", "branch:feature/*", "live", "context:prod", "directory:src"]), 0..2),
        action in actions(),
    ) {
        let pattern = pattern(tool, program, &words, &flags, &paths, &environment);
        if matches(&pattern, &action) {
            let keys = lookup_keys(&action);
            let own = pattern_keys(&pattern);
            prop_assert!(own.iter().any(|k| keys.contains(k)), "{own:?} / {keys:?}");
        }
    }
}
