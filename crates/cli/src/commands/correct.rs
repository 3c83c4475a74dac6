//! `retire`, `restore`, `quarantine`, `promote`, `revert`, `dispute`, `resolve`: changes where
//! memories stand, and says which ones moved.

use precedent::{Correction, Error, Memory, MemoryId, Ruling};

use super::{Ended, wait};
use crate::args::{DisputeArgs, Global, ResolveArgs, RevertArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::settings;

/// What is to be corrected.
pub(super) enum Correct {
    Retire(MemoryId),
    Restore(MemoryId),
    Quarantine(MemoryId),
    Promote(MemoryId),
    Revert(RevertArgs),
    Dispute(DisputeArgs),
    Resolve(ResolveArgs),
}

impl Correct {
    /// Returns the command's name, and what it says of a memory that it moved.
    const fn words(&self) -> (&'static str, &'static str) {
        match self {
            Self::Retire(_) => ("retire", "retired"),
            Self::Restore(_) => ("restore", "restored"),
            Self::Quarantine(_) => ("quarantine", "held back"),
            Self::Promote(_) => ("promote", "vouched for"),
            Self::Revert(_) => ("revert", "changed"),
            Self::Dispute(_) => ("dispute", "disputed"),
            Self::Resolve(_) => ("resolve", "changed"),
        }
    }

    async fn carry_out(&self, memory: &Memory) -> Result<Correction, Error> {
        match self {
            Self::Retire(id) => memory.retire(*id).await,
            Self::Restore(id) => memory.restore(*id).await,
            Self::Quarantine(id) => memory.quarantine(*id).await,
            Self::Promote(id) => memory.promote(*id).await,
            Self::Revert(args) => {
                memory
                    .revert(args.subject.as_deref(), &args.key, args.to)
                    .await
            }
            Self::Dispute(args) => memory.dispute(args.first, args.second).await,
            Self::Resolve(args) => memory.resolve(args.id, ruling(args)).await,
        }
    }
}

pub(super) fn run(global: &Global, output: Output, what: &Correct) -> Ended {
    let memory = settings::open(global)?;
    let done = wait(what.carry_out(&memory))?;
    let (command, word) = what.words();
    output.emit(command, &done, || describe(&done, word))?;
    Ok(Exit::Success)
}

fn ruling(args: &ResolveArgs) -> Ruling {
    match args.keep {
        Some(id) => Ruling::Keep(id),
        None if args.both => Ruling::Both,
        None => Ruling::NewerTrusted,
    }
}

fn describe(done: &Correction, word: &str) -> String {
    let mut lines: Vec<String> = done
        .changed
        .iter()
        .map(|id| format!("{word} {id}"))
        .collect();
    lines.extend(done.contradiction.map(|id| format!("contradiction {id}")));
    lines.join("\n")
}
