//! The house linter: rules that neither the compiler nor clippy checks, over
//! the tracked files.

mod records;
mod rules;
mod scan;
mod text;

use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::report::Outcome;

/// A file's text and its path under the root, with `/` between segments.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    path: String,
    text: String,
}

/// Files that a reader expects at the root.
const EXPECTED: &[&str] = &["README.md", "ARCHITECTURE.md", "CHANGELOG.md"];

/// Checks every tracked file under `root`.
///
/// Where git cannot list them (an unpacked archive, a checkout that belongs to
/// another user), every file counts, and a note says so.
///
/// Errors: a file or a folder cannot be read.
pub(crate) fn check(root: &Path) -> Result<Outcome, Failure> {
    let (paths, note) = match tracked(root) {
        Some(paths) => (paths, None),
        None => (
            all_files(root)?,
            Some("git lists no files here; every file was checked"),
        ),
    };
    let mut files = Vec::new();
    for path in &paths {
        match std::fs::read(root.join(path)) {
            // Binary files have no lines to check.
            Ok(bytes) => files.extend(String::from_utf8(bytes).ok().map(|text| SourceFile {
                path: path.clone(),
                text,
            })),
            // Deleted in the working tree, symbolic links to folders, submodules.
            Err(_) if !root.join(path).is_file() => {}
            Err(error) => {
                return Err(Failure::new(format!("could not read {path}: {error}")));
            }
        }
    }
    let mut outcome = check_files(&files);
    outcome.notes.extend(note.map(str::to_owned));
    Ok(outcome)
}

/// The tracked files, or `None` where git cannot tell.
fn tracked(root: &Path) -> Option<Vec<String>> {
    let output = git(root).args(["ls-files", "-z"]).output().ok()?;
    let list = String::from_utf8(output.stdout).ok()?;
    let paths: Vec<String> = list
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    (output.status.success() && !paths.is_empty()).then_some(paths)
}

/// A git command in a folder, also when a hook's variables point elsewhere.
fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command
}

/// All files under `root`, save those of git and of builds.
fn all_files(root: &Path) -> Result<Vec<String>, Failure> {
    let cannot = |error: std::io::Error| Failure::new(format!("could not list the files: {error}"));
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().map_err(cannot)?;
            if kind.is_file() {
                found.push(format!("{folder}{name}"));
            } else if kind.is_dir() && name != ".git" && name != "target" {
                folders.push(format!("{folder}{name}/"));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Checks texts, whatever they came from.
fn check_files(files: &[SourceFile]) -> Outcome {
    let mut outcome = Outcome::default();
    for file in files {
        text::check(file, &mut outcome);
        if is_rust(&file.path) {
            rules::check(file, &mut outcome);
            records::check(file, &mut outcome);
        }
    }
    for name in EXPECTED {
        if !files.iter().any(|file| file.path == *name) {
            outcome
                .complaints
                .push(format!("{name} is missing; write it at the root"));
        }
    }
    outcome.complaints.extend(unlisted_migrations(files));
    outcome
}

/// Migrations that no source file of their crate names, so that none is
/// written and then never applied.
fn unlisted_migrations(files: &[SourceFile]) -> Vec<String> {
    let migrations = files.iter().filter(|file| {
        file.path.ends_with(".sql")
            && has_folder(&file.path, &["migrations"])
            && !has_folder(&file.path, TEST_DATA)
    });
    migrations
        .filter_map(|migration| {
            let (_, name) = migration.path.rsplit_once('/')?;
            let package: String = migration.path.split_inclusive('/').take(2).collect();
            let listed = files.iter().any(|file| {
                is_rust(&file.path) && file.path.starts_with(&package) && file.text.contains(name)
            });
            (!listed).then(|| format!("{}: no source file lists it", migration.path))
        })
        .collect()
}

/// Folders whose files are inputs or records of tests, not prose or code.
const TEST_DATA: &[&str] = &[
    "fixtures",
    "testdata",
    "vectors",
    "snapshots",
    "corpus",
    "proptest-regressions",
];

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

/// True when one of the path's folders has one of these names.
fn has_folder(path: &str, names: &[&str]) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| names.contains(&folder))
}

/// True for a file that is compiled into tests, benchmarks or examples only.
fn is_test_file(path: &str) -> bool {
    has_folder(path, &["tests", "benches", "examples", "fuzz"]) || path.ends_with("/tests.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn file(path: &str, text: &str) -> SourceFile {
        SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    fn present() -> Vec<SourceFile> {
        EXPECTED
            .iter()
            .map(|name| file(name, "# Title\n"))
            .collect()
    }

    #[test]
    fn expected_files_are_asked_for() {
        assert_eq!(check_files(&present()), Outcome::default());
        assert_eq!(
            check_files(&present()[1..]).complaints,
            ["README.md is missing; write it at the root"]
        );
    }

    #[test]
    fn migrations_must_be_listed() {
        let migration = file("crates/store-x/migrations/0002_rules.sql", "SELECT 1;\n");
        let schema = file(
            "crates/store-x/src/schema.rs",
            "//! Doc.\nconst M: &str = include_str!(\"../migrations/0002_rules.sql\");\n",
        );
        let elsewhere = file("crates/store-y/src/schema.rs", &schema.text);
        let with = |extra: &[&SourceFile]| {
            let mut files = present();
            files.extend(extra.iter().map(|file| (*file).clone()));
            check_files(&files).complaints
        };
        assert_eq!(with(&[&migration, &schema]), Vec::<String>::new());
        assert_eq!(
            with(&[&migration, &elsewhere]),
            ["crates/store-x/migrations/0002_rules.sql: no source file lists it"]
        );
    }

    #[test]
    fn test_files_are_told_apart() {
        assert!(is_test_file("crates/core/tests/laws.rs"));
        assert!(is_test_file("crates/core/src/rank/tests.rs"));
        assert!(!is_test_file("crates/core/src/rank.rs"));
        assert!(!is_test_file("crates/store-test/src/lib.rs"));
    }

    fn write(folder: &Path) {
        std::fs::write(folder.join("README.md"), "no newline").unwrap();
        std::fs::create_dir_all(folder.join("crates/x/src")).unwrap();
        std::fs::write(folder.join("crates/x/src/lib.rs"), "fn a() {}\n").unwrap();
        std::fs::write(folder.join("data.bin"), [0xff, 0xfe]).unwrap();
    }

    #[test]
    fn tracked_files_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        for args in ["init --quiet", "add README.md data.bin"] {
            let status = git(folder.path()).args(args.split(' ')).status().unwrap();
            assert!(status.success(), "git {args}");
        }
        let outcome = check(folder.path()).unwrap();
        assert_eq!(
            outcome.complaints[0],
            "README.md: end the file with a newline"
        );
        // The two other files of the root; the untracked source is left alone.
        assert_eq!(outcome.complaints.len(), 3, "{outcome:?}");
        assert_eq!(outcome.notes.len(), 0);
    }

    #[test]
    fn without_git_every_file_is_checked() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        let outcome = check(folder.path()).unwrap();
        assert_eq!(outcome.complaints.len(), 4, "{outcome:?}");
        assert_eq!(
            outcome.notes,
            ["git lists no files here; every file was checked"]
        );
    }
}
