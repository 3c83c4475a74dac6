//! One file a command.

mod action;
mod audit;
mod capsule;
mod certificate;
mod contradictions;
mod correct;
mod demo;
mod export;
mod forget;
mod guard;
mod guardbench;
mod history;
mod hook;
mod import;
mod maintain;
mod namespaces;
mod observe;
mod recall;
mod redact;
mod remember;
mod run;
mod status;

use std::future::Future;

use crate::args::{Cli, Command};
use crate::exit::{Exit, Failure};
use crate::output::Output;
use correct::Correct;

/// What every command returns.
type Ended = Result<Exit, Failure>;

/// Runs the command.
pub fn dispatch(cli: Cli) -> Ended {
    let Cli { global, command } = cli;
    let output = Output { json: global.json };
    match command {
        Command::Remember(args) => remember::run(&global, output, args),
        Command::Recall(args) => recall::run(&global, output, &args),
        Command::Observe(args) => observe::run(&global, output, args),
        Command::Guard(args) => guard::run(&global, output, args),
        Command::Run(args) => run::run(&global, output, &args),
        Command::Hook(args) => Ok(hook::run(&global, &args)),
        Command::Capsule(args) => capsule::run(&global, output, &args),
        Command::Redact(args) => redact::run(output, &args),
        Command::Import(args) => import::run(&global, output, &args),
        Command::Export => export::run(&global),
        Command::History(args) => history::run(&global, output, &args),
        Command::Retire(args) => correct::run(&global, output, &Correct::Retire(args.id)),
        Command::Restore(args) => correct::run(&global, output, &Correct::Restore(args.id)),
        Command::Quarantine(args) => correct::run(&global, output, &Correct::Quarantine(args.id)),
        Command::Promote(args) => correct::run(&global, output, &Correct::Promote(args.id)),
        Command::Revert(args) => correct::run(&global, output, &Correct::Revert(args)),
        Command::Dispute(args) => correct::run(&global, output, &Correct::Dispute(args)),
        Command::Resolve(args) => correct::run(&global, output, &Correct::Resolve(args)),
        Command::Contradictions(args) => contradictions::run(&global, output, &args),
        Command::Namespaces => namespaces::run(&global, output),
        Command::Forget(args) => forget::run(&global, output, &args),
        Command::Certificate(args) => certificate::run(&global, output, args.command),
        Command::Audit(args) => audit::run(&global, output, &args.command),
        Command::Maintain(args) => maintain::run(&global, output, args.command),
        Command::Status => status::run(&global, output),
        Command::Guardbench(_) => guardbench::run(),
        Command::Demo => demo::run(),
    }
}

/// Waits for a future on this thread; the embedded store needs no runtime.
fn wait<T>(future: impl Future<Output = T>) -> T {
    futures_executor::block_on(future)
}
