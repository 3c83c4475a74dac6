//! `cargo xtask soak`: long runs of every store beside the reference model.

use std::hash::{BuildHasher as _, RandomState};

use crate::Failure;
use crate::cargo::{Cargo, environment};
use crate::report::Report;
use crate::target_dir;
use crate::workspace::Workspace;

/// The packages whose stores pass the conformance suite, with the test binary that runs it.
const SUITES: &[(&str, &str)] = &[
    ("precedent-store-test", "mem"),
    ("precedent-store-sqlite", "conformance"),
];
/// The area of the suite that holds the reference model.
const AREA: &str = "model::";
/// Names the variable that says how many histories there are; read by the suite.
const CASES: &str = "PRECEDENT_SOAK_CASES";
/// Names the variable that says where they start from; read by the suite.
const SEED: &str = "PRECEDENT_SOAK_SEED";
/// How many histories there are when nobody says.
const USUAL_CASES: u32 = 10_000;

/// Runs the stores of all packages, or of one; true when each did what the model says.
pub(crate) fn soak(
    cargo: &Cargo,
    package: Option<&str>,
    report: &mut Report,
) -> Result<bool, Failure> {
    let suites = choose(package)?;
    let cases: u32 = number(CASES)?.unwrap_or(USUAL_CASES);
    let seed: u64 = number(SEED)?.unwrap_or_else(|| RandomState::new().hash_one(CASES));
    let workspace = Workspace::load(cargo)?;
    let claim = target_dir::claim(cargo, &workspace, report)?;
    report.line(&format!("{cases} histories; {SEED}={seed} repeats them"));
    for (package, test) in suites {
        let words = words(package, test);
        report.step(&format!("soak {package}"), || {
            let variables = [(CASES, cases.to_string()), (SEED, seed.to_string())];
            let variables = variables
                .each_ref()
                .map(|(name, value)| (*name, value.as_str()));
            cargo.run_with(&words, &variables)
        });
    }
    drop(claim);
    Ok(report.summary("soak"))
}

fn words(package: &str, test: &str) -> Vec<String> {
    [
        "test",
        "--release",
        "--package",
        package,
        "--test",
        test,
        "--",
        AREA,
    ]
    .map(str::to_owned)
    .to_vec()
}

fn choose(package: Option<&str>) -> Result<Vec<(&'static str, &'static str)>, Failure> {
    let chosen: Vec<_> = SUITES
        .iter()
        .filter(|(name, _)| package.is_none_or(|package| package == *name))
        .copied()
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = SUITES.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        return Err(Failure::new(format!(
            "no such store; choose one of {names}"
        )));
    }
    Ok(chosen)
}

fn number<T: std::str::FromStr>(name: &str) -> Result<Option<T>, Failure> {
    environment(name)
        .map(|text| text.parse())
        .transpose()
        .map_err(|_| Failure::new(format!("{name} is not a number; set one or unset it")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_chooses_its_store() {
        assert_eq!(
            choose(None).ok().map(|suites| suites.len()),
            Some(SUITES.len())
        );
        let one = choose(Some("precedent-store-test")).ok();
        assert_eq!(one, Some(vec![("precedent-store-test", "mem")]));
        assert!(choose(Some("precedent")).is_err());
    }

    #[test]
    fn the_suite_runs_in_release_and_in_its_area_alone() {
        assert_eq!(
            words("p", "t").join(" "),
            "test --release --package p --test t -- model::"
        );
    }
}
