//! `cargo xtask bench`: finds the benchmarks and runs them in release.
//!
//! A benchmark is a `[[bench]]` target of any member, or a program of a
//! package under `benches/`.

use crate::Failure;
use crate::cargo::Cargo;
use crate::report::Report;
use crate::target_dir;
use crate::workspace::{Kind, Member, Workspace};

/// One benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Benchmark {
    package: String,
    target: String,
    kind: Kind,
}

impl Benchmark {
    /// The name that is listed: package and target.
    fn path(&self) -> String {
        format!("{}/{}", self.package, self.target)
    }

    fn matches(&self, name: &str) -> bool {
        name == self.target || name == self.package || name == self.path()
    }

    /// The cargo words that run it.
    fn words(&self, rest: &[String]) -> Vec<String> {
        let head: &[&str] = match self.kind {
            Kind::Bench => &[
                "bench",
                "--package",
                &self.package,
                "--bench",
                &self.target,
                "--",
            ],
            Kind::Program | Kind::Library => &[
                "run",
                "--release",
                "--package",
                &self.package,
                "--bin",
                &self.target,
                "--",
            ],
        };
        head.iter()
            .map(|word| (*word).to_owned())
            .chain(rest.iter().cloned())
            .collect()
    }
}

/// Lists the benchmarks, or runs those that `name` matches (all when absent);
/// true when every one succeeded.
///
/// Errors: no benchmark has that name.
pub(crate) fn bench(
    cargo: &Cargo,
    list: bool,
    name: Option<&str>,
    rest: &[String],
    report: &mut Report,
) -> Result<bool, Failure> {
    let workspace = Workspace::load(cargo)?;
    let all = discover(&workspace.members);
    if list {
        for benchmark in &all {
            report.line(&benchmark.path());
        }
        return Ok(true);
    }
    let chosen: Vec<&Benchmark> = all
        .iter()
        .filter(|benchmark| name.is_none_or(|name| benchmark.matches(name)))
        .collect();
    if chosen.is_empty() {
        return Err(Failure::new(match name {
            Some(name) => format!("no benchmark is called {name}; see `cargo xtask bench --list`"),
            None => "the workspace has no benchmark yet".to_owned(),
        }));
    }
    let claim = target_dir::claim(cargo, &workspace, report)?;
    for benchmark in chosen {
        let words = benchmark.words(rest);
        report.step(&benchmark.path(), || cargo.run(&words));
    }
    drop(claim);
    Ok(report.summary("bench"))
}

fn discover(members: &[Member]) -> Vec<Benchmark> {
    let mut found = Vec::new();
    for member in members {
        let wanted = member.targets.iter().filter(|target| match target.kind {
            Kind::Bench => true,
            Kind::Program => member.is_bench(),
            Kind::Library => false,
        });
        found.extend(wanted.map(|target| Benchmark {
            package: member.name.clone(),
            target: target.name.clone(),
            kind: target.kind,
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Target;

    fn members() -> Vec<Member> {
        let target = |name: &str, kind| Target {
            name: name.to_owned(),
            kind,
        };
        vec![
            Member {
                name: "precedent-core".to_owned(),
                folder: "crates/core".to_owned(),
                targets: vec![
                    target("precedent_core", Kind::Library),
                    target("bm25", Kind::Bench),
                ],
                ..Member::default()
            },
            Member {
                name: "precedent-cli".to_owned(),
                folder: "crates/cli".to_owned(),
                targets: vec![target("precedent", Kind::Program)],
                ..Member::default()
            },
            Member {
                name: "bench-peers".to_owned(),
                folder: "benches/peers".to_owned(),
                targets: vec![target("recall", Kind::Program)],
                ..Member::default()
            },
        ]
    }

    #[test]
    fn bench_targets_and_bench_programs_are_found() {
        let paths: Vec<String> = discover(&members()).iter().map(Benchmark::path).collect();
        assert_eq!(paths, ["precedent-core/bm25", "bench-peers/recall"]);
    }

    #[test]
    fn both_kinds_run_in_release() {
        let found = discover(&members());
        let rest = ["--quick".to_owned()];
        let lines: Vec<String> = found.iter().map(|b| b.words(&rest).join(" ")).collect();
        assert_eq!(
            lines,
            [
                "bench --package precedent-core --bench bm25 -- --quick",
                "run --release --package bench-peers --bin recall -- --quick",
            ]
        );
    }

    #[test]
    fn a_benchmark_answers_to_three_names() {
        let found = discover(&members());
        for name in ["bm25", "precedent-core", "precedent-core/bm25"] {
            assert!(found[0].matches(name), "{name}");
        }
        assert!(!found[0].matches("bm"));
    }
}
