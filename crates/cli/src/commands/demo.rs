//! `demo`: the story of a repeated failure, on a real failing command in a temporary project.

use std::path::Path;

use precedent::crates::audit::chain::Mode;
use precedent::{Action, Decision, Memory, Verdict};

use super::action::describe;
use super::{Ended, wait};
use crate::child::{self, Finished};
use crate::exit::{Exit, Failure};
use crate::output::{Line, note, print};

/// The command of the story; it fails for want of a file that its error names.
const COMMAND: [&str; 2] = ["sh", "deploy.sh"];
const SCRIPT: &str = "region=$(cat config/region.txt) || exit 1\necho \"deployed to $region\"\n";

pub(super) fn run() -> Ended {
    let project =
        tempfile::tempdir().map_err(|error| Failure::Io("making a temporary project", error))?;
    std::fs::create_dir(project.path().join("config"))
        .and_then(|()| std::fs::write(project.path().join("deploy.sh"), SCRIPT))
        .map_err(|error| Failure::Io("writing the temporary project", error))?;
    let memory = precedent::open(&project.path().join("memory").to_string_lossy())?;
    let told = Story {
        memory: &memory,
        project: project.path(),
    }
    .tell()?;
    Ok(if told { Exit::Success } else { Exit::Failure })
}

struct Story<'a> {
    memory: &'a Memory,
    project: &'a Path,
}

impl Story<'_> {
    /// Plays the story and tells whether every step came out as it should.
    fn tell(&self) -> Result<bool, Failure> {
        say("An agent runs a deployment for the first time. Nothing is known against it:")?;
        let (first, failed) = self.attempt()?;
        say("\nIt failed, and that is remembered. The agent tries the very same again:")?;
        let (second, _) = self.attempt()?;
        say("\nThe cause is fixed: config/region.txt is written, the file that the error named.")?;
        std::fs::write(self.project.join("config/region.txt"), "eu-central\n")
            .map_err(|error| Failure::Io("writing the missing file", error))?;
        let (third, succeeded) = self.attempt()?;
        say("\nEvery write and every verdict is in a hash-chained log:")?;
        let report = wait(self.memory.verify_audit(Mode::Full))?;
        say(&format!(
            "  audit chain {}: {} entries",
            if report.is_ok() { "ok" } else { "NOT OK" },
            report.entries
        ))?;
        let statuses = (
            failed.map(|run| run.status),
            succeeded.map(|run| run.status),
        );
        Ok(
            (first, second, third) == (Decision::Allow, Decision::Block, Decision::Allow)
                && statuses == (Some(1), Some(0))
                && report.is_ok(),
        )
    }

    /// Asks the guard, runs the command unless it blocks, records how it ended.
    fn attempt(&self) -> Result<(Decision, Option<Finished>), Failure> {
        say(&format!("  $ precedent run -- {}", COMMAND.join(" ")))?;
        let action = Action {
            cwd: Some(self.project.to_string_lossy().into_owned()),
            ..Action::shell(COMMAND.join(" "))
        };
        let verdict = wait(self.memory.before(&action));
        say(&indent(&verdict))?;
        if verdict.decision == Decision::Block {
            return Ok((verdict.decision, None));
        }
        let command: Vec<String> = COMMAND.iter().map(|word| (*word).to_owned()).collect();
        let finished = child::run(&command, |child| {
            child.current_dir(self.project);
        });
        note(&Line::words(&format!(
            "  (exit status {})",
            finished.status
        )));
        wait(
            self.memory
                .after(&action, &finished.ending(), verdict.receipt),
        )?;
        Ok((verdict.decision, Some(finished)))
    }
}

fn say(text: &str) -> Result<(), Failure> {
    print(&Line::words(text))
}

fn indent(verdict: &Verdict) -> String {
    describe(verdict)
        .lines()
        .map(|line| format!("  {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
