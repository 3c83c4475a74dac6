//! Size, depth and indirection may not turn a held action into a free one.

use super::*;
use crate::shell::MAX_BYTES;

#[test]
fn beyond_the_bounds_the_text_is_searched() {
    let filler = "echo filler\n".repeat(MAX_BYTES / 12 + 10);
    let hits = |text: &str, command: &str| {
        let action = canonicalise_command(command);
        let rules = rule(text);
        keys_meet(&rules, &action);
        rules.iter().any(|c| concerns(c, &action))
    };
    let force = "Never run `git push --force`.";
    assert!(hits(force, &format!("{filler}git push --force")));
    assert!(hits(force, &format!("{filler}git push -f origin main")));
    assert!(hits(force, &format!("{filler}git push \\\n --force")));
    assert!(!hits(force, &format!("{filler}git push origin main")));
    assert!(!hits(force, &format!("git status\n{filler}push --force")));
    assert!(hits("Never run `rm -rf`.", &format!("{filler}rm -rf x")));
    let drop = "Never run DROP TABLE.";
    assert!(hits(
        drop,
        &format!("{filler}psql --command 'drop table users'")
    ));
    assert!(!hits(drop, &format!("{filler}psql -c 'select 1'")));
    assert!(!hits(drop, &format!("{filler}git commit -m 'drop table'")));
    assert!(hits(
        "Never touch `vendor/`.",
        &format!("{filler}rm vendor/a")
    ));
}

#[test]
fn depth_hides_nothing() {
    let mut line = "git push --force".to_owned();
    for _ in 0..7 {
        line = format!("bash -c '{}'", line.replace('\'', r"'\''"));
    }
    let deep = format!("echo {}git push --force{}", "$(".repeat(90), ")".repeat(90));
    check(
        "Never run `git push --force`.",
        &[&line, &deep],
        &["bash -c 'bash -c \"git push\"'"],
    );
}

#[test]
fn carriers_of_text_are_opened() {
    check(
        "Never run `git push --force`.",
        &[
            "eval git push --force",
            "eval \"git push\" --force",
            "watch -n 5 git push --force",
            "watch 'git push --force'",
            "coproc git push --force",
            "coproc NAME { git push --force; }",
            "coproc { git push --force; }",
            "trap 'git push --force' EXIT",
            "parallel git push --force {} ::: a b",
            "parallel -j 4 'git push --force {}' ::: a",
            "echo origin | xargs git push --force",
            "flock /tmp/l git push --force",
            "flock /tmp/l -c 'git push --force'",
            "su ci -c 'git push --force'",
            "git push origin +main",
            "alias g='git push --force'; g origin",
            "alias g=git; g push --force",
            "f=--force; git push $f",
            "f=--force && git push ${f} origin",
            "g='git push --force'; $g",
            "export X=push; git $X --force",
        ],
        &[
            "f=--tags; git push $f",
            "git push $f",
            "$g",
            "alias g='git status'; g",
            "trap 'git push' EXIT",
            "watch git status",
            "eval git push",
            "git push origin main",
            "parallel git push {} ::: a",
        ],
    );
}

#[test]
fn a_carrier_is_a_command_too() {
    check(
        "Never use `eval`.",
        &["eval ls", "eval \"$x\""],
        &["ls", "echo eval"],
    );
    check(
        "Never touch `vendor/`.",
        &["eval rm vendor/a", "trap 'rm vendor/a' EXIT"],
        &["eval cat vendor/a", "watch ls vendor", "trap - EXIT"],
    );
}

#[test]
fn expansion_is_bounded() {
    let value = "$a ".repeat(70);
    let line = format!("a='{value}'; {}", "$a; ".repeat(15_000));
    let action = canonicalise_command(&line);
    assert!(action.commands.len() < 100_000 && !action.unparsed.is_empty());
    let unread = "git status ".repeat(200_000);
    let rules = rule("Never run `git push --force`.");
    let action = canonicalise_command(&unread);
    assert!(!rules.iter().any(|c| concerns(c, &action)));
}

#[test]
fn shells_of_other_hosts_are_shells() {
    let rules = rule("Never run `git push --force`.");
    for (name, input) in [
        (
            "mcp__shell__run_command",
            r#"{"command": "git push --force"}"#,
        ),
        ("mcp__box__exec", r#"{"cmd": "git push --force"}"#),
        (
            "mcp__desk__start_process",
            r#"{"command": "git push --force"}"#,
        ),
        (
            "mcp__desk__remote-shell",
            r#"{"command": "git push --force"}"#,
        ),
        (" Bash ", "git push --force"),
        ("bash\n", r#"{"command": "git push --force"}"#),
    ] {
        let action = tool(name, input);
        assert!(rules.iter().any(|c| concerns(c, &action)), "{name}");
        keys_meet(&rules, &action);
    }
    let banned = rule("Never call `mcp__box__exec`.");
    let action = tool("mcp__box__exec", r#"{"cmd": "ls"}"#);
    assert!(banned.iter().any(|c| concerns(c, &action)));
    keys_meet(&banned, &action);
    assert!(
        !banned
            .iter()
            .any(|c| concerns(c, &canonicalise_command("ls")))
    );
}
