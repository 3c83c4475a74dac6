//! Rules for Rust files.

use super::{SourceFile, has_folder, is_test_file, scan};
use crate::report::Outcome;

/// Lines without tests from which a file is questioned.
const LONG_FILE: usize = 600;

/// Lines without tests from which a file is refused.
const TOO_LONG_FILE: usize = 1_000;

/// Lines of a function, signature and braces included (the limit of the
/// published TIGER_STYLE guide).
const LONG_FUNCTION: usize = 70;

/// Fragments of code that are refused, where, and what to do instead.
const BANNED: &[(&str, Where, &str)] = &[
    (
        ".unwrap()",
        Where::Product,
        "return the error, or `expect` why it cannot fail",
    ),
    (
        "#[allow(",
        Where::Everywhere,
        "use `#[expect(…, reason = \"…\")]`",
    ),
    (
        "#![allow(",
        Where::Everywhere,
        "use `#![expect(…, reason = \"…\")]`",
    ),
    ("todo!", Where::Everywhere, "leave out what is not built"),
    (
        "unimplemented!",
        Where::Everywhere,
        "leave out what is not built",
    ),
    (
        "#[ignore]",
        Where::Everywhere,
        "say why: `#[ignore = \"…\"]`",
    ),
];

/// Words of comments that mark unfinished work.
const MARKERS: &[&str] = &["FIXME", "XXX"];

/// Where a fragment is refused.
#[derive(Debug, PartialEq, Eq)]
enum Where {
    Everywhere,
    /// Outside tests.
    Product,
}

/// Checks one file.
pub(super) fn check(file: &SourceFile, outcome: &mut Outcome) {
    let SourceFile { path, text } = file;
    if needs_module_doc(path) && !text.starts_with("//!") {
        outcome.complaints.push(format!(
            "{path}:1: begin with a `//!` that says what it is for"
        ));
    }
    let masked = scan::mask(text);
    let mut tests = scan::test_lines(&masked.code);
    if is_test_file(path) {
        tests.fill(true);
    }
    file_length(path, &tests, outcome);
    function_lengths(path, &masked.code, &tests, outcome);
    banned(path, &masked.code, &tests, outcome);
    markers(path, &masked.comments, outcome);
}

fn needs_module_doc(path: &str) -> bool {
    let crates = path.starts_with("crates/") && has_folder(path, &["src"]);
    crates || path.starts_with("xtask/src/")
}

fn file_length(path: &str, tests: &[bool], outcome: &mut Outcome) {
    let lines = tests.iter().filter(|test| !**test).count();
    if lines > TOO_LONG_FILE {
        outcome.complaints.push(format!(
            "{path}: {lines} lines without tests; split it below {TOO_LONG_FILE}"
        ));
    } else if lines > LONG_FILE {
        outcome.notes.push(format!(
            "{path}: {lines} lines without tests; has it one purpose?"
        ));
    }
}

fn function_lengths(path: &str, code: &str, tests: &[bool], outcome: &mut Outcome) {
    for (name, first, last) in scan::functions(code) {
        let lines = last - first + 1;
        if lines > LONG_FUNCTION && !is_marked(tests, first) {
            outcome.complaints.push(format!(
                "{path}:{}: {name} has {lines} lines; split it to {LONG_FUNCTION} at most",
                first + 1
            ));
        }
    }
}

fn banned(path: &str, code: &str, tests: &[bool], outcome: &mut Outcome) {
    for (index, line) in code.lines().enumerate() {
        for (fragment, scope, advice) in BANNED {
            let applies = *scope == Where::Everywhere || !is_marked(tests, index);
            if applies && holds(line, fragment) {
                outcome.complaints.push(format!(
                    "{path}:{}: no `{fragment}` here; {advice}",
                    index + 1
                ));
            }
        }
    }
}

/// True when the line holds the fragment, and not as the end of a longer word.
fn holds(line: &str, fragment: &str) -> bool {
    line.match_indices(fragment).any(|(at, _)| {
        let inside = fragment.starts_with(char::is_alphabetic)
            && line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        !inside
    })
}

fn markers(path: &str, comments: &str, outcome: &mut Outcome) {
    for (index, line) in comments.lines().enumerate() {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        if let Some(marker) = words.find(|word| MARKERS.contains(word)) {
            outcome.complaints.push(format!(
                "{path}:{}: settle the {marker} or leave it out",
                index + 1
            ));
        }
    }
}

fn is_marked(tests: &[bool], index: usize) -> bool {
    tests.get(index).copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    const PATH: &str = "crates/x/src/a.rs";

    fn outcome(path: &str, text: &str) -> Outcome {
        let mut outcome = Outcome::default();
        check(&file(path, text), &mut outcome);
        outcome
    }

    fn complaints(code: &str) -> Vec<String> {
        outcome(PATH, &format!("//! Doc.\n{code}")).complaints
    }

    #[test]
    fn module_docs_come_first() {
        let wanted = ["crates/x/src/a.rs:1: begin with a `//!` that says what it is for"];
        assert_eq!(outcome(PATH, "\n//! Late.\n").complaints, wanted);
        assert_eq!(outcome(PATH, "//! Doc.\n"), Outcome::default());
        assert_eq!(
            outcome("crates/x/tests/a.rs", "fn a() {}\n"),
            Outcome::default()
        );
        assert_eq!(outcome("xtask/src/a.rs", "fn a() {}\n").complaints.len(), 1);
    }

    #[test]
    fn long_files_are_noted_then_refused() {
        let lines = |count: usize| format!("//! Doc.\n{}", "const A: u8 = 1;\n".repeat(count - 1));
        assert_eq!(outcome(PATH, &lines(600)), Outcome::default());
        assert_eq!(
            outcome(PATH, &lines(601)).notes,
            ["crates/x/src/a.rs: 601 lines without tests; has it one purpose?"]
        );
        assert_eq!(outcome(PATH, &lines(1_000)).complaints.len(), 0);
        assert_eq!(
            outcome(PATH, &lines(1_001)).complaints,
            ["crates/x/src/a.rs: 1001 lines without tests; split it below 1000"]
        );
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "\n".repeat(2_000));
        assert_eq!(
            outcome(PATH, &format!("{}{tests}", lines(600))),
            Outcome::default()
        );
    }

    #[test]
    fn long_functions_are_refused() {
        let function =
            |lines: usize| format!("fn f() {{\n{}}}\n", "    a(\"{\");\n".repeat(lines - 2));
        assert_eq!(complaints(&function(70)), Vec::<String>::new());
        assert_eq!(
            complaints(&function(71)),
            ["crates/x/src/a.rs:2: f has 71 lines; split it to 70 at most"]
        );
        let test = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", function(71));
        assert_eq!(complaints(&test), Vec::<String>::new());
    }

    #[test]
    fn unwrap_is_for_tests() {
        assert_eq!(
            complaints("fn f() {\n    a.unwrap();\n}\n"),
            [
                "crates/x/src/a.rs:3: no `.unwrap()` here; return the error, or `expect` why it \
                 cannot fail"
            ]
        );
        for code in [
            "fn f() { a.unwrap_or(1); }\n",
            "/// `a.unwrap()`\nfn f() { b(\".unwrap()\"); }\n",
            "#[cfg(test)]\nmod tests {\n    fn f() { a.unwrap(); }\n}\n",
        ] {
            assert_eq!(complaints(code), Vec::<String>::new(), "{code}");
        }
        assert_eq!(
            outcome("crates/x/tests/a.rs", "fn f() { a.unwrap(); }\n"),
            Outcome::default()
        );
    }

    #[test]
    fn lints_are_expected_not_allowed() {
        assert_eq!(complaints("#[allow(dead_code)]\nfn f() {}\n").len(), 1);
        assert_eq!(complaints("#![allow(dead_code)]\n").len(), 1);
        assert_eq!(
            complaints("#[expect(dead_code, reason = \"x\")]\nfn f() {}\n").len(),
            0
        );
        let test = "#[cfg(test)]\nmod tests {\n    #[allow(dead_code)]\n    fn f() {}\n}\n";
        assert_eq!(complaints(test).len(), 1);
    }

    #[test]
    fn stubs_are_refused() {
        assert_eq!(complaints("fn f() { todo!() }\n").len(), 1);
        assert_eq!(complaints("fn f() { unimplemented!(\"x\") }\n").len(), 1);
        assert_eq!(complaints("fn f() { my_todo!() }\n").len(), 0);
        assert_eq!(complaints("// todo! is refused\n").len(), 0);
    }

    #[test]
    fn ignored_tests_say_why() {
        assert_eq!(complaints("#[test]\n#[ignore]\nfn f() {}\n").len(), 1);
        assert_eq!(
            complaints("#[test]\n#[ignore = \"needs a server\"]\nfn f() {}\n").len(),
            0
        );
    }

    #[test]
    fn markers_of_unfinished_work_are_refused() {
        assert_eq!(
            complaints("// FIXME: later\n"),
            ["crates/x/src/a.rs:2: settle the FIXME or leave it out"]
        );
        assert_eq!(complaints("/* XXX */\n").len(), 1);
        assert_eq!(complaints("const A: &str = \"XXX\"; // AXXXA\n").len(), 0);
    }
}
