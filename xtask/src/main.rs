//! Development tasks of the workspace: `cargo xtask <command>`.
//!
//! Every gate is a pure function over plain data (a package graph, a file's
//! text); this crate's edges read `cargo metadata`, the tracked files and run
//! child processes. Exit codes: 0 passed, 1 a gate failed or could not run,
//! 64 usage (`EX_USAGE` of BSD `sysexits.h`).

mod args;
mod bench;
mod cargo;
mod ci;
mod fuzz;
mod layers;
mod licences;
mod report;
mod soak;
mod steps;
mod target_dir;
mod tidy;
mod workspace;

use std::process::ExitCode;

use crate::args::{Command, HELP};
use crate::cargo::Cargo;
use crate::report::Report;

/// Why a task could not be carried out, as a lowercase fragment that says
/// what to do next.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    /// Wraps a message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut report = Report::new();
    let command = match args::parse(&words) {
        Ok(command) => command,
        Err(message) => {
            report.error(&format!("{message}\n\n{HELP}"));
            return ExitCode::from(64);
        }
    };
    match run(&command, &words, &mut report) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            report.error(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Runs one command; true when everything passed.
fn run(command: &Command, words: &[String], report: &mut Report) -> Result<bool, Failure> {
    if *command == Command::Help {
        report.line(HELP);
        return Ok(true);
    }
    let cargo = Cargo::new();
    if let Some(passed) = target_dir::rerun_if_foreign(&cargo, words, report)? {
        return Ok(passed);
    }
    match command {
        Command::Help => Ok(true),
        Command::Test { quick } => steps::test(&cargo, *quick, report),
        Command::Ci => ci::ci(&cargo, report),
        Command::Layers => steps::gate(&cargo, "layers", report),
        Command::Tidy => Ok(report.step("tidy", || tidy::check(cargo.root()))),
        Command::Licences => steps::gate(&cargo, "licences", report),
        Command::Bench { list, name, rest } => {
            bench::bench(&cargo, *list, name.as_deref(), rest, report)
        }
        Command::Fuzz { target, minutes } => {
            fuzz::fuzz(&cargo, target.as_deref(), *minutes, report)
        }
        Command::Soak { package } => soak::soak(&cargo, package.as_deref(), report),
    }
}
