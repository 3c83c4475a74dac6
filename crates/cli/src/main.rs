//! The binary `precedent`: memory for agents at a terminal, in hooks, and in the benchmark.
#![forbid(unsafe_code)]

mod args;
mod child;
mod commands;
mod exit;
mod output;
mod settings;
mod shell_words;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::exit::Exit;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let json = cli.global.json;
    match commands::dispatch(cli) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::report(&failure, json);
            failure.exit().into()
        }
    }
}

/// Prints help to stdout, misuse to stderr; misuse ends with 64.
fn usage(error: &clap::Error) -> ExitCode {
    let misuse = error.use_stderr();
    // Nothing can be said if the stream is gone.
    let _ = error.print();
    if misuse {
        Exit::Usage.into()
    } else {
        Exit::Success.into()
    }
}
