//! The binary `precedent`: memory for agents at a terminal, in hooks, and in the benchmark.
#![forbid(unsafe_code)]

mod args;
mod child;
mod commands;
mod exit;
mod output;
mod panics;
mod settings;
mod shell_words;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    panics::silence();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let json = cli.global.json;
    match panics::contain(|| commands::dispatch(cli)) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::report(&failure, json);
            ending(failure.exit()).into()
        }
    }
}

/// Prints help to stdout, misuse to stderr; misuse ends with 64.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Nothing can be said if the stream is gone.
        let _ = error.print();
        return Exit::Success.into();
    }
    let told = error.to_string();
    let told = told.strip_prefix("error: ").unwrap_or(&told).trim_end();
    let failure = Failure::Usage(told.to_owned());
    if asks_for_json() || *failure.told() != *told {
        output::report(&failure, asks_for_json());
    } else {
        // With colours, on a terminal.
        let _ = error.print();
    }
    ending(failure.exit()).into()
}

/// Returns how a failure ends: as given, except in a hook, of which hosts understand 0 and 2 only.
fn ending(usual: Exit) -> Exit {
    let given = |word: &str| std::env::args_os().skip(1).any(|argument| argument == word);
    match (given("hook"), given("--strict")) {
        (false, _) => usual,
        (true, true) => Exit::Block,
        (true, false) => Exit::Success,
    }
}

/// Looks for `--json` where the command line could not be parsed.
fn asks_for_json() -> bool {
    std::env::args_os()
        .skip(1)
        .take_while(|argument| argument != "--")
        .any(|argument| argument == "--json")
}
