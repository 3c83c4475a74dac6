//! `cargo xtask ci`: every check there is.

use crate::Failure;
use crate::cargo::Cargo;
use crate::report::Report;
use crate::steps;
use crate::target_dir;
use crate::workspace::{Member, Workspace};

/// The package whose features choose the backends.
const FACADE: &str = "precedent";

/// Runs everything; true when everything passed.
pub(crate) fn ci(cargo: &Cargo, report: &mut Report) -> Result<bool, Failure> {
    let workspace = Workspace::load(cargo)?;
    let claim = target_dir::claim(cargo, &workspace, report)?;
    steps::gates(cargo, &workspace, report);
    for (name, words) in clippy_runs(&workspace) {
        report.step(&name, || cargo.run(&words));
    }
    let doc = workspace.light_words(&["doc", "--no-deps"]);
    report.step("doc", || {
        cargo.run_with(&doc, &[("RUSTDOCFLAGS", "-D warnings")])
    });
    // Alone, a package cannot borrow features that another one turned on.
    for member in &workspace.members {
        let words = ["build", "--package", &member.name];
        report.step(&format!("build {}", member.name), || cargo.run(&words));
    }
    steps::tests(cargo, &workspace, "ci", report);
    steps::doctests(cargo, &workspace, report);
    for member in workspace
        .members
        .iter()
        .filter(|m| m.is_heavy() && !m.is_bench())
    {
        let words = [
            "nextest",
            "run",
            "--profile",
            "ci",
            "--package",
            &member.name,
        ];
        report.step(&format!("nextest {}", member.name), || cargo.run(&words));
    }
    drop(claim);
    Ok(report.summary("ci"))
}

/// The clippy runs: the light members, each heavy one, and the facade with no
/// feature and with each feature alone.
fn clippy_runs(workspace: &Workspace) -> Vec<(String, Vec<String>)> {
    const HEAD: &[&str] = &["clippy", "--all-targets"];
    let mut runs = vec![("clippy".to_owned(), denying(workspace.light_words(HEAD)))];
    let mut add = |name: String, rest: &[&str]| {
        let words = [HEAD, rest].concat().into_iter().map(str::to_owned);
        runs.push((name, denying(words.collect())));
    };
    for Member { name, .. } in workspace.members.iter().filter(|member| member.is_heavy()) {
        add(format!("clippy {name}"), &["--package", name]);
    }
    let Some(facade) = workspace
        .members
        .iter()
        .find(|member| member.name == FACADE)
    else {
        return runs;
    };
    let bare = ["--package", FACADE, "--no-default-features"];
    add(format!("clippy {FACADE} without features"), &bare);
    for feature in single_features(facade) {
        let alone = [bare.as_slice(), &["--features", feature]].concat();
        add(format!("clippy {FACADE} with {feature} alone"), &alone);
    }
    runs
}

/// Adds the words by which clippy denies warnings.
fn denying(mut words: Vec<String>) -> Vec<String> {
    words.extend(["--", "-D", "warnings"].map(str::to_owned));
    words
}

/// The features that can be turned on alone, in the manifest's order.
fn single_features(member: &Member) -> impl Iterator<Item = &str> {
    let features = member.features.iter().map(String::as_str);
    features.filter(|feature| *feature != "default")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_feature_of_the_facade_is_linted_alone() {
        let facade = Member {
            name: FACADE.to_owned(),
            folder: "crates/precedent".to_owned(),
            features: vec!["default".to_owned(), "sqlite".to_owned()],
            ..Member::default()
        };
        let workspace = Workspace {
            members: vec![facade],
            packages: Vec::new(),
        };
        let lines: Vec<String> = clippy_runs(&workspace)
            .into_iter()
            .map(|(_, words)| words.join(" "))
            .collect();
        assert_eq!(
            lines,
            [
                "clippy --all-targets --workspace -- -D warnings",
                "clippy --all-targets --package precedent --no-default-features -- -D warnings",
                "clippy --all-targets --package precedent --no-default-features \
                 --features sqlite -- -D warnings",
            ]
        );
    }

    #[test]
    fn without_a_facade_only_the_workspace_is_linted() {
        assert_eq!(clippy_runs(&Workspace::default()).len(), 1);
    }
}
