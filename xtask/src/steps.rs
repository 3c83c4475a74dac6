//! The steps that `test` and `ci` are made of.

use std::io::IsTerminal;

use crate::Failure;
use crate::cargo::{Cargo, environment};
use crate::report::{Outcome, Report};
use crate::target_dir;
use crate::workspace::{Member, Workspace};
use crate::{layers, licences, tidy};

/// The gates that need no build, in the order they run.
const GATES: &[&str] = &["fmt", "tidy", "layers", "licences"];

/// Runs the gates, then the tests; true when everything passed.
///
/// Every gate runs even when one fails, so that one run shows all there is
/// to mend; tests run only behind clean gates.
pub(crate) fn test(cargo: &Cargo, quick: bool, report: &mut Report) -> Result<bool, Failure> {
    let workspace = Workspace::load(cargo)?;
    let claim = target_dir::claim(cargo, &workspace, report)?;
    gates(cargo, &workspace, report);
    // Hosted runners set `CI`; there one run shows all that is broken.
    let profile = environment("CI").map_or("default", |_| "ci");
    tests(cargo, &workspace, profile, report);
    if !quick {
        doctests(cargo, &workspace, report);
    }
    drop(claim);
    Ok(report.summary("test"))
}

/// Runs one gate on its own; true when it passed.
pub(crate) fn gate(cargo: &Cargo, name: &str, report: &mut Report) -> Result<bool, Failure> {
    let workspace = Workspace::load(cargo)?;
    Ok(report.step(name, || run_gate(cargo, &workspace, name)))
}

/// Runs all gates.
pub(crate) fn gates(cargo: &Cargo, workspace: &Workspace, report: &mut Report) {
    for name in GATES {
        report.step(name, || run_gate(cargo, workspace, name));
    }
}

fn run_gate(cargo: &Cargo, workspace: &Workspace, name: &str) -> Result<Outcome, Failure> {
    match name {
        "tidy" => tidy::check(cargo.root()),
        "layers" => Ok(Outcome::from_complaints(layers::check(&workspace.members))),
        "licences" => Ok(Outcome::from_complaints(licences::check(
            &workspace.packages,
        ))),
        // Unlike cargo, rustfmt colours its differences in a pipe as well.
        _ if !std::io::stdout().is_terminal() => {
            cargo.run(&["fmt", "--all", "--check", "--", "--color=never"])
        }
        _ => cargo.run(&["fmt", "--all", "--check"]),
    }
}

/// Runs the tests under a nextest profile, or records that they were not run.
pub(crate) fn tests(cargo: &Cargo, workspace: &Workspace, profile: &str, report: &mut Report) {
    if !report.is_clean() {
        report.skip("nextest");
        return;
    }
    report.step("openssl", install_openssl);
    report.step("nextest", || {
        install(cargo, "nextest")?;
        cargo.run(&workspace.light_words(&["nextest", "run", "--profile", profile]))
    });
}

/// Runs the doctests, which nextest leaves out, or records that they were not
/// run.
pub(crate) fn doctests(cargo: &Cargo, workspace: &Workspace, report: &mut Report) {
    let mut light = workspace.members.iter().filter(|member| !member.is_heavy());
    // Cargo refuses `--doc` where no package has a library.
    if !light.any(Member::has_library) {
        return;
    }
    if !report.is_clean() {
        report.skip("doctests");
        return;
    }
    report.step("doctests", || {
        cargo.run(&workspace.light_words(&["test", "--doc"]))
    });
}

/// Installs one of cargo's commands from the registry when it is missing.
pub(crate) fn install(cargo: &Cargo, command: &str) -> Result<(), Failure> {
    if cargo.succeeds(&[command, "--version"]) {
        return Ok(());
    }
    let package = format!("cargo-{command}");
    let outcome = cargo.run(&["install", &package, "--locked"])?;
    match outcome.complaints.into_iter().next() {
        None => Ok(()),
        Some(complaint) => Err(Failure::new(format!(
            "{package} is missing and could not be installed: {complaint}"
        ))),
    }
}

/// Installs the `openssl` program, by which a test verifies what this project signs, where it is
/// missing and Debian's package manager may be used; says what to do elsewhere.
fn install_openssl() -> Result<Outcome, Failure> {
    let ran = |program: &str, arguments: &[&str]| {
        std::process::Command::new(program)
            .args(arguments)
            .output()
            .is_ok_and(|output| output.status.success())
    };
    let there = || ran("openssl", &["version"]);
    let outcome = Outcome::from_complaints(Vec::new());
    if there() {
        return Ok(outcome);
    }
    let installed = ran("apt-get", &["update"]) && ran("apt-get", &["install", "-y", "openssl"]);
    if installed && there() {
        let notes = vec!["it was missing and was installed with apt-get".to_owned()];
        return Ok(Outcome { notes, ..outcome });
    }
    Err(Failure::new(
        "openssl is missing and could not be installed; install it with the system's package manager",
    ))
}
