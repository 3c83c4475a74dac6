//! Command-line words to commands.

/// What `cargo xtask help` prints.
pub(crate) const HELP: &str = "\
usage: cargo xtask <command>

  test [--quick]            the gates (fmt, tidy, layers, licences), then every
                            test with cargo-nextest (installed when missing),
                            then the doctests; --quick leaves the doctests out
  ci                        all of that, plus clippy and each feature of the
                            facade alone, documentation, and each package alone
  layers                    check which crate depends on which
  tidy                      check the tracked files against the house rules
  licences                  check the licence of every dependency
  bench [NAME] [-- ARGS]    run all benchmarks, or those named, in release
  bench --list              list the benchmarks
  fuzz [TARGET] [--minutes N]
                            fuzz every parser of foreign input, or the one named,
                            for a minute or N each with cargo-fuzz (installed
                            when missing; needs a C++ compiler, no nightly)
  soak [PACKAGE]            drive every store, or that of the package, through
                            10,000 generated histories beside the reference
                            model, in release; PRECEDENT_SOAK_CASES sets another
                            number, PRECEDENT_SOAK_SEED repeats a run

Builds go to CARGO_TARGET_DIR, or when that is not set to precedent/target in
the user's cache folder, so that fresh checkouts reuse built dependencies.
(xtask itself is built where plain cargo builds; .ci/run sets the folder for
both.) Checkouts that share a folder take turns.";

/// Longest run of a fuzz target: a week.
const MOST_MINUTES: u32 = 7 * 24 * 60;

/// A parsed command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Prints [`HELP`].
    Help,
    /// Runs the gates and the tests.
    Test {
        /// Leaves the doctests out.
        quick: bool,
    },
    /// Runs everything.
    Ci,
    /// Checks the layer table.
    Layers,
    /// Checks the tracked files.
    Tidy,
    /// Checks the licences.
    Licences,
    /// Lists or runs benchmarks.
    Bench {
        /// Lists instead of running.
        list: bool,
        /// The benchmark or package to run; all when absent.
        name: Option<String>,
        /// Words after `--`, handed to each benchmark.
        rest: Vec<String>,
    },
    /// Runs fuzz targets.
    Fuzz {
        /// The target to run; all when absent.
        target: Option<String>,
        /// How long each runs.
        minutes: u32,
    },
    /// Runs the stores beside the reference model for long.
    Soak {
        /// The package whose store to run; all when absent.
        package: Option<String>,
    },
}

/// Parses the words after the program's name.
///
/// Errors: a message that names the word that does not belong.
pub(crate) fn parse(words: &[String]) -> Result<Command, String> {
    let Some((command, rest)) = words.split_first() else {
        return Ok(Command::Help);
    };
    match command.as_str() {
        "help" | "--help" | "-h" => Ok(Command::Help),
        "test" => match rest {
            [] => Ok(Command::Test { quick: false }),
            [flag] if flag == "--quick" => Ok(Command::Test { quick: true }),
            other => Err(format!("test takes only --quick, not {}", other.join(" "))),
        },
        "ci" => alone(command, rest, Command::Ci),
        "layers" => alone(command, rest, Command::Layers),
        "tidy" => alone(command, rest, Command::Tidy),
        "licences" => alone(command, rest, Command::Licences),
        "bench" => parse_bench(rest),
        "fuzz" => parse_fuzz(rest),
        "soak" => match rest {
            [] => Ok(Command::Soak { package: None }),
            [name] if !name.starts_with('-') => Ok(Command::Soak {
                package: Some(name.clone()),
            }),
            other => Err(format!("soak takes one package, not {}", other.join(" "))),
        },
        other => Err(format!(
            "unknown command {other}; choose one of the list below"
        )),
    }
}

fn alone(name: &str, rest: &[String], command: Command) -> Result<Command, String> {
    match rest {
        [] => Ok(command),
        other => Err(format!(
            "{name} takes no arguments, not {}",
            other.join(" ")
        )),
    }
}

fn parse_bench(words: &[String]) -> Result<Command, String> {
    let split = words
        .iter()
        .position(|word| word == "--")
        .unwrap_or(words.len());
    let (own, after) = words.split_at(split);
    let rest = after.iter().skip(1).cloned().collect();
    match own {
        [] => Ok(Command::Bench {
            list: false,
            name: None,
            rest,
        }),
        [flag] if flag == "--list" => Ok(Command::Bench {
            list: true,
            name: None,
            rest,
        }),
        [name] if !name.starts_with('-') => Ok(Command::Bench {
            list: false,
            name: Some(name.clone()),
            rest,
        }),
        other => Err(format!(
            "bench takes --list or one name, not {}",
            other.join(" ")
        )),
    }
}

fn parse_fuzz(words: &[String]) -> Result<Command, String> {
    let (mut target, mut minutes) = (None, 1);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--minutes" => {
                let number = words.next().and_then(|number| number.parse().ok());
                minutes = number
                    .filter(|number| (1..=MOST_MINUTES).contains(number))
                    .ok_or_else(|| format!("--minutes takes a number from 1 to {MOST_MINUTES}"))?;
            }
            name if target.is_none() && !name.starts_with('-') => target = Some(name.to_owned()),
            other => {
                return Err(format!(
                    "fuzz takes one target and --minutes N, not {other}"
                ));
            }
        }
    }
    Ok(Command::Fuzz { target, minutes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&words)
    }

    #[test]
    fn commands_parse() {
        assert_eq!(parsed(""), Ok(Command::Help));
        assert_eq!(parsed("test"), Ok(Command::Test { quick: false }));
        assert_eq!(parsed("test --quick"), Ok(Command::Test { quick: true }));
        assert_eq!(parsed("tidy"), Ok(Command::Tidy));
        assert_eq!(
            parsed("bench recall -- --quick x"),
            Ok(Command::Bench {
                list: false,
                name: Some("recall".into()),
                rest: vec!["--quick".into(), "x".into()],
            })
        );
        assert_eq!(
            parsed("bench --list"),
            Ok(Command::Bench {
                list: true,
                name: None,
                rest: vec![]
            })
        );
    }

    #[test]
    fn fuzz_takes_a_target_and_minutes_in_any_order() {
        let fuzz = |target: Option<&str>, minutes| {
            Ok(Command::Fuzz {
                target: target.map(str::to_owned),
                minutes,
            })
        };
        assert_eq!(parsed("fuzz"), fuzz(None, 1));
        assert_eq!(parsed("fuzz redact --minutes 10"), fuzz(Some("redact"), 10));
        assert_eq!(parsed("fuzz --minutes 2 rules"), fuzz(Some("rules"), 2));
    }

    #[test]
    fn soak_takes_a_package() {
        let soak = |package: Option<&str>| {
            Ok(Command::Soak {
                package: package.map(str::to_owned),
            })
        };
        assert_eq!(parsed("soak"), soak(None));
        assert_eq!(parsed("soak store"), soak(Some("store")));
    }

    #[test]
    fn stray_words_are_refused() {
        for line in [
            "tests",
            "test --fast",
            "ci now",
            "tidy x",
            "bench a b",
            "bench --all",
            "fuzz a b",
            "fuzz --all",
            "fuzz --minutes",
            "fuzz --minutes 0",
            "fuzz --minutes x",
            "soak a b",
            "soak --all",
        ] {
            assert!(parsed(line).is_err(), "{line} should be refused");
        }
    }
}
