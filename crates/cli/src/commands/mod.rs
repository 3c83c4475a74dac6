//! One file a command.

mod action;
mod audit;
mod capsule;
mod certificate;
mod demo;
mod forget;
mod guard;
mod guardbench;
mod hook;
mod maintain;
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
