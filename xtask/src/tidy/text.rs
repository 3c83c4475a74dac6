//! Rules for every text file: whitespace and paths of one machine.

use super::{SourceFile, TEST_DATA, has_folder, is_rust, is_test_file, scan};
use crate::report::Outcome;

/// Folders of one machine's root that no committed text should point into.
const MACHINE_ROOTS: &[&str] = &["home", "root", "Users"];

/// User names that stand for anyone.
const EXAMPLE_USERS: &[&str] = &["user", "you", "me", "alice", "bob", "dev", "runner", "..."];

/// Kinds of file that programs write: data and pictures, taken as they come.
const DATA: &[&str] = &[
    ".json",
    ".jsonl",
    ".csv",
    ".tsv",
    ".svg",
    ".snap",
    "Cargo.lock",
];

/// Checks one file.
pub(super) fn check(file: &SourceFile, outcome: &mut Outcome) {
    let SourceFile { path, text } = file;
    if has_folder(path, TEST_DATA) || DATA.iter().any(|kind| path.ends_with(kind)) {
        return;
    }
    if !text.is_empty() && !text.ends_with('\n') {
        outcome
            .complaints
            .push(format!("{path}: end the file with a newline"));
    }
    let tests = if is_rust(path) {
        scan::test_lines(&scan::mask(text).code)
    } else {
        Vec::new()
    };
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.ends_with([' ', '\t']) {
            outcome
                .complaints
                .push(format!("{path}:{number}: remove the trailing whitespace"));
        }
        let tested = is_test_file(path) || tests.get(index).copied().unwrap_or(false);
        if let Some(found) = machine_path(line).filter(|_| !tested) {
            outcome.complaints.push(format!(
                "{path}:{number}: do not name {found}, a path of one machine"
            ));
        }
    }
}

/// The start of a path that exists on one machine only, if the line has one.
fn machine_path(line: &str) -> Option<String> {
    MACHINE_ROOTS.iter().find_map(|root| {
        let needle = format!("/{root}/");
        let hit = line.match_indices(&needle).find(|(at, _)| {
            let before = line[..*at].chars().next_back();
            let after = &line[at + needle.len()..];
            before.is_none_or(starts_a_path)
                && after.starts_with(|c: char| c.is_alphanumeric() || "._".contains(c))
                && !(*root == "home" && is_example(after))
        });
        hit.map(|_| needle)
    })
}

/// True when a slash after this character begins an absolute path.
fn starts_a_path(before: char) -> bool {
    !before.is_alphanumeric() && !"_-./~$*})]>\\".contains(before)
}

fn is_example(after: &str) -> bool {
    EXAMPLE_USERS.iter().any(|user| {
        after
            .strip_prefix(user)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        let mut outcome = Outcome::default();
        check(&file(path, text), &mut outcome);
        outcome.complaints
    }

    #[test]
    fn whitespace_is_checked() {
        assert_eq!(complaints("a.md", "one\n\ntwo\n"), Vec::<String>::new());
        assert_eq!(complaints("a.md", ""), Vec::<String>::new());
        assert_eq!(
            complaints("a.md", "one \ntwo\n"),
            ["a.md:1: remove the trailing whitespace"]
        );
        assert_eq!(
            complaints("a.md", "one"),
            ["a.md: end the file with a newline"]
        );
    }

    #[test]
    fn data_is_left_alone() {
        for path in [
            "crates/x/tests/fixtures/a.txt",
            "crates/x/src/a.snap",
            "crates/x/model/a.json",
        ] {
            assert_eq!(
                complaints(path, "one \n/root/x"),
                Vec::<String>::new(),
                "{path}"
            );
        }
    }

    #[test]
    fn machine_paths_are_found() {
        for line in [
            "see /Users/jsmith/notes",
            "(/root/.cargo)",
            "\"/home/jsmith/x\"",
            "/home/userland",
        ] {
            assert!(machine_path(line).is_some(), "{line}");
        }
        for line in [
            "target/root/x",
            "~/root/notes",
            "$HOME/root/x",
            "/home/user/project",
            "https://example.org/home/x",
            "read /home/ and /root/ only",
            "/workspace/a",
        ] {
            assert_eq!(machine_path(line), None, "{line}");
        }
    }

    #[test]
    fn machine_paths_are_allowed_in_tests() {
        let code = "//! Doc.\n#[cfg(test)]\nmod tests {\n    const P: &str = \"/root/x\";\n}\n";
        assert_eq!(
            complaints("crates/x/src/lib.rs", code),
            Vec::<String>::new()
        );
        let code = "//! Doc.\nconst P: &str = \"/root/x\";\n";
        assert_eq!(
            complaints("crates/x/src/lib.rs", code),
            ["crates/x/src/lib.rs:2: do not name /root/, a path of one machine"]
        );
        assert_eq!(
            complaints("crates/x/tests/a.rs", code),
            Vec::<String>::new()
        );
    }
}
