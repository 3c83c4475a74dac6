//! `cargo xtask fuzz`: runs the fuzz targets with cargo-fuzz (libFuzzer).
//!
//! Instrumentation comes from the compiler's stable `-C` options; only the sanitizers need a
//! nightly compiler. They are left out: our crates have no unsafe code for them to look at.

use crate::Failure;
use crate::cargo::Cargo;
use crate::report::Report;
use crate::steps;

/// The targets, each with its dictionary.
const TARGETS: &[(&str, &str)] = &[
    ("redact", "redact"),
    ("rules", "rules"),
    ("canonical", "canonical"),
    ("certificate", "canonical"),
];

/// Longest input in bytes: libFuzzer explores short ones far better.
const MAX_LENGTH: u32 = 4096;

/// Seconds after which one input counts as a failure.
const TIMEOUT: u32 = 10;

/// Runs the named target, or all in turn; true when no input broke a law.
///
/// Corpora are kept in `fuzz/corpus` from run to run; inputs that failed are in
/// `fuzz/artifacts`.
///
/// Errors: no target has that name, or cargo-fuzz can neither be found nor installed.
pub(crate) fn fuzz(
    cargo: &Cargo,
    name: Option<&str>,
    minutes: u32,
    report: &mut Report,
) -> Result<bool, Failure> {
    let chosen = choose(name)?;
    steps::install(cargo, "fuzz")?;
    // The folder is not shared between checkouts: they would be handed each other's code.
    let folder = cargo.root().join("fuzz");
    let target = folder.join("target").to_string_lossy().into_owned();
    let variables = [("CARGO_TARGET_DIR", target.as_str())];
    let folder = folder.to_string_lossy();
    report.step("seeds", || cargo.run_with(&seed_words(&folder), &variables));
    for (target, dictionary) in chosen {
        let words = run_words(&folder, target, dictionary, minutes);
        report.step(target, || cargo.run_with(&words, &variables));
    }
    Ok(report.summary("fuzz"))
}

fn choose(name: Option<&str>) -> Result<Vec<(&'static str, &'static str)>, Failure> {
    let named = |target: &str| name.is_none_or(|name| name == target);
    let targets = TARGETS.iter().copied();
    let chosen: Vec<_> = targets.filter(|(target, _)| named(target)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
        return Err(Failure::new(format!(
            "no such fuzz target; choose one of {}",
            names.join(", ")
        )));
    }
    Ok(chosen)
}

/// The cargo words that write the seeds.
fn seed_words(folder: &str) -> Vec<String> {
    let manifest = format!("{folder}/Cargo.toml");
    let corpus = format!("{folder}/corpus");
    let words = [
        "run",
        "--quiet",
        "--manifest-path",
        &manifest,
        "--example",
        "seeds",
        "--",
        &corpus,
    ];
    words.map(str::to_owned).to_vec()
}

/// The cargo words that run a target.
fn run_words(folder: &str, target: &str, dictionary: &str, minutes: u32) -> Vec<String> {
    let mut words = ["fuzz", "run", "--sanitizer", "none", target, "--"]
        .map(str::to_owned)
        .to_vec();
    words.extend([
        format!("-dict={folder}/dictionaries/{dictionary}.dict"),
        format!("-max_total_time={}", minutes * 60),
        format!("-max_len={MAX_LENGTH}"),
        format!("-timeout={TIMEOUT}"),
    ]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_listed_with_its_dictionary() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
        let files = std::fs::read_dir(folder.join("fuzz_targets")).unwrap();
        let mut found: Vec<String> = files
            .map(|file| file.unwrap().path())
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let mut listed: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
        found.sort();
        listed.sort_unstable();
        assert_eq!(found, listed);
        for (_, dictionary) in TARGETS {
            let dictionary = folder.join(format!("dictionaries/{dictionary}.dict"));
            assert!(dictionary.is_file(), "{}", dictionary.display());
        }
    }

    #[test]
    fn a_target_runs_for_its_minutes_without_a_sanitizer() {
        assert_eq!(
            run_words("/f", "redact", "redact", 2).join(" "),
            "fuzz run --sanitizer none redact -- -dict=/f/dictionaries/redact.dict \
             -max_total_time=120 -max_len=4096 -timeout=10"
        );
    }

    #[test]
    fn all_targets_run_unless_one_is_named() {
        assert_eq!(choose(None).unwrap(), TARGETS);
        assert_eq!(choose(Some("rules")).unwrap(), [("rules", "rules")]);
        assert!(choose(Some("rule")).is_err());
    }
}
