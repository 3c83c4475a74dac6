//! Which crate may depend on which: the layer table as data, and its check.
//!
//! The check reads what the manifests declare, optional dependencies
//! included, so that no combination of features can cross a layer.

use crate::workspace::{Dependency, Member};

/// What a crate is for, which decides who may depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Part of what users compile.
    Product,
    /// Serves tests only: a dev-dependency of anyone, a dependency of nobody.
    Test,
    /// Stands beside the layers and uses none of our crates.
    Tool,
}

/// One line of the table.
#[derive(Debug)]
struct Rule {
    name: &'static str,
    layer: u8,
    role: Role,
    may_use: MayUse,
}

/// Which of our crates a crate may use, below its own layer.
#[derive(Debug)]
enum MayUse {
    /// Everything of the product on a lower layer.
    Lower,
    /// These only.
    Only(&'static [&'static str]),
}

const fn rule(name: &'static str, layer: u8, role: Role, may_use: MayUse) -> Rule {
    Rule {
        name,
        layer,
        role,
        may_use,
    }
}

/// The layer table, bottom up.
const TABLE: &[Rule] = &[
    rule("precedent-redact", 0, Role::Product, MayUse::Lower),
    rule("precedent-core", 1, Role::Product, MayUse::Lower),
    rule("precedent-audit", 2, Role::Product, MayUse::Lower),
    rule("precedent-embed", 2, Role::Product, MayUse::Lower),
    rule("precedent-llm", 2, Role::Product, MayUse::Lower),
    rule("precedent-store-sqlite", 2, Role::Product, MayUse::Lower),
    rule("precedent-store-postgres", 2, Role::Product, MayUse::Lower),
    rule("precedent-store-lance", 2, Role::Product, MayUse::Lower),
    rule(
        "precedent-store-test",
        3,
        Role::Test,
        MayUse::Only(FOUNDATION),
    ),
    rule(
        "precedent-store-test-oracle",
        3,
        Role::Test,
        MayUse::Only(&["precedent-core", "precedent-store-sqlite"]),
    ),
    rule(
        "precedent-engine",
        3,
        Role::Product,
        MayUse::Only(FOUNDATION),
    ),
    rule(
        "precedent-guard",
        3,
        Role::Product,
        MayUse::Only(FOUNDATION),
    ),
    rule("precedent", 4, Role::Product, MayUse::Lower),
    rule(
        "precedent-cli",
        5,
        Role::Product,
        MayUse::Only(&["precedent"]),
    ),
    rule(
        "precedent-guardbench",
        5,
        Role::Product,
        MayUse::Only(&["precedent"]),
    ),
    rule("xtask", 0, Role::Tool, MayUse::Only(&[])),
];

/// What the use cases and the conformance suite stand on: no store, no driver.
const FOUNDATION: &[&str] = &["precedent-core", "precedent-redact", "precedent-audit"];

/// Each driver, by the start of its packages' names, and the one crate that
/// may name it; the oracle of the tests counts as one.
const DRIVERS: &[(&str, &str)] = &[
    ("rusqlite", "precedent-store-sqlite"),
    ("libsqlite3-sys", "precedent-store-sqlite"),
    ("sqlx", "precedent-store-postgres"),
    ("pgvector", "precedent-store-postgres"),
    ("lancedb", "precedent-store-lance"),
    ("lance", "precedent-store-lance"),
    ("tantivy", "precedent-store-test-oracle"),
];

/// What core must do without (by the start of the name): runtimes,
/// cryptography, clocks, randomness and the environment.
const FORBIDDEN_IN_CORE: &[&str] = &[
    "tokio",
    "async-std",
    "smol",
    "async-global-executor",
    "sha1",
    "sha2",
    "sha3",
    "blake2",
    "blake3",
    "hmac",
    "hkdf",
    "ring",
    "aws-lc-rs",
    "openssl",
    "rustls",
    "ed25519-dalek",
    "curve25519-dalek",
    "getrandom",
    "rand",
    "fastrand",
    "chrono",
    "time",
    "quanta",
    "web-time",
    "directories",
    "dirs",
    "etcetera",
    "dotenvy",
];

/// Checks every member; one complaint for each dependency that crosses.
pub(crate) fn check(members: &[Member]) -> Vec<String> {
    let mut complaints = Vec::new();
    for member in members {
        // Benchmarks compare us with peers: they may use anything.
        if member.is_bench() {
            continue;
        }
        let Some(rule) = find(&member.name) else {
            complaints.push(format!(
                "{} is in no layer; add it to the table in xtask/src/layers.rs",
                member.name
            ));
            continue;
        };
        let found = member.dependencies.iter().filter_map(|edge| {
            let problem = ours(rule, edge, members)
                .or_else(|| driver(rule, edge))
                .or_else(|| core_purity(rule, edge))?;
            Some(format!(
                "{} must not depend on {}: {problem}",
                rule.name, edge.name
            ))
        });
        complaints.extend(found);
    }
    complaints
}

fn find(name: &str) -> Option<&'static Rule> {
    TABLE.iter().find(|rule| rule.name == name)
}

/// Checks an edge between two crates of ours.
fn ours(rule: &Rule, edge: &Dependency, members: &[Member]) -> Option<String> {
    let Some(used) = find(&edge.name) else {
        let member = members.iter().find(|member| member.name == edge.name)?;
        return Some(if member.is_bench() {
            "nothing depends on a benchmark".to_owned()
        } else {
            "it is in no layer".to_owned()
        });
    };
    let itself = used.name == rule.name;
    if edge.dev && (itself || used.role == Role::Test) {
        return None;
    }
    match used.role {
        Role::Test => return Some("it serves tests; make it a dev-dependency".to_owned()),
        Role::Tool => return Some("it is a development tool".to_owned()),
        Role::Product => {}
    }
    if used.layer >= rule.layer {
        return Some(format!(
            "layer {} is not below layer {}",
            used.layer, rule.layer
        ));
    }
    match rule.may_use {
        MayUse::Only(names) if !names.contains(&used.name) => Some(if names.is_empty() {
            "it uses none of our crates".to_owned()
        } else {
            format!("of ours it may use only {}", names.join(", "))
        }),
        _ => None,
    }
}

fn driver(rule: &Rule, edge: &Dependency) -> Option<String> {
    let (_, owner) = DRIVERS
        .iter()
        .find(|(driver, _)| is_of_family(&edge.name, driver))?;
    (*owner != rule.name).then(|| format!("only {owner} names that driver"))
}

fn core_purity(rule: &Rule, edge: &Dependency) -> Option<String> {
    if rule.name != "precedent-core" || edge.dev {
        return None;
    }
    FORBIDDEN_IN_CORE
        .iter()
        .any(|family| is_of_family(&edge.name, family))
        .then(|| "core has no runtime, crypto, clock, randomness or environment".to_owned())
}

/// True for `family` itself and for `family-…` and `family_…`.
fn is_of_family(name: &str, family: &str) -> bool {
    name.strip_prefix(family)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, dependencies: &[&str], dev: &[&str]) -> Member {
        let edge = |name: &&str, dev| Dependency {
            name: (*name).to_owned(),
            dev,
        };
        Member {
            name: name.to_owned(),
            folder: format!("crates/{name}"),
            dependencies: dependencies
                .iter()
                .map(|name| edge(name, false))
                .chain(dev.iter().map(|name| edge(name, true)))
                .collect(),
            ..Member::default()
        }
    }

    fn complaints(name: &str, dependencies: &[&str], dev: &[&str]) -> Vec<String> {
        check(&[member(name, dependencies, dev)])
    }

    #[test]
    fn the_intended_graph_passes() {
        let graph = [
            member("precedent-redact", &["regex", "hmac"], &["proptest"]),
            member(
                "precedent-core",
                &["precedent-redact", "serde", "futures-util"],
                &["tokio"],
            ),
            member("precedent-audit", &["precedent-core", "sha2"], &[]),
            member("precedent-embed", &["precedent-core"], &[]),
            member(
                "precedent-store-sqlite",
                &["precedent-core", "precedent-redact", "rusqlite"],
                &["precedent-store-test"],
            ),
            member(
                "precedent-store-test",
                &["precedent-core", "precedent-audit", "tokio"],
                &[],
            ),
            member(
                "precedent-store-test-oracle",
                &[],
                &[
                    "precedent-core",
                    "precedent-store-sqlite",
                    "precedent-store-test",
                    "tantivy",
                ],
            ),
            member(
                "precedent-engine",
                &["precedent-core", "precedent-audit"],
                &["precedent-store-test"],
            ),
            member(
                "precedent-guard",
                &["precedent-core", "precedent-redact"],
                &[],
            ),
            member(
                "precedent",
                &[
                    "precedent-engine",
                    "precedent-guard",
                    "precedent-store-sqlite",
                ],
                &["precedent", "precedent-store-test"],
            ),
            member("precedent-cli", &["precedent", "clap"], &[]),
            member("xtask", &["cargo_metadata"], &[]),
        ];
        assert_eq!(check(&graph), Vec::<String>::new());
    }

    #[test]
    fn upward_and_sideways_edges_are_refused() {
        assert_eq!(
            complaints("precedent-core", &["precedent-audit"], &[]),
            ["precedent-core must not depend on precedent-audit: layer 2 is not below layer 1"]
        );
        assert_eq!(
            complaints("precedent-engine", &["precedent-guard"], &[]),
            ["precedent-engine must not depend on precedent-guard: layer 3 is not below layer 3"]
        );
        assert_eq!(
            complaints("precedent-guard", &[], &["precedent-engine"]).len(),
            1
        );
        assert_eq!(
            complaints("precedent-redact", &["precedent-core"], &[]).len(),
            1
        );
    }

    #[test]
    fn use_cases_never_name_a_store_or_an_embedder() {
        for used in ["precedent-store-sqlite", "precedent-embed", "precedent-llm"] {
            assert_eq!(
                complaints("precedent-engine", &[used], &[]).len(),
                1,
                "{used}"
            );
            assert_eq!(
                complaints("precedent-guard", &[], &[used]).len(),
                1,
                "{used}"
            );
        }
    }

    #[test]
    fn drivers_belong_to_one_crate() {
        assert_eq!(
            complaints("precedent-engine", &["rusqlite"], &[]),
            [
                "precedent-engine must not depend on rusqlite: only precedent-store-sqlite names \
              that driver"
            ]
        );
        assert_eq!(
            complaints("precedent-store-sqlite", &["sqlx-postgres"], &[]).len(),
            1
        );
        assert_eq!(
            complaints("precedent-store-lance", &["lance-index", "lancedb"], &[]).len(),
            0
        );
        assert_eq!(complaints("precedent", &[], &["libsqlite3-sys"]).len(), 1);
        assert_eq!(complaints("precedent-core", &[], &["tantivy"]).len(), 1);
    }

    #[test]
    fn core_stays_pure() {
        for used in [
            "tokio",
            "tokio-util",
            "sha2",
            "rand",
            "rand_core",
            "chrono",
            "getrandom",
        ] {
            assert_eq!(
                complaints("precedent-core", &[used], &[]).len(),
                1,
                "{used}"
            );
        }
        // Names that only look alike, and crates of the tests.
        assert_eq!(
            complaints("precedent-core", &["timer", "randomize"], &["tokio"]).len(),
            0
        );
        assert_eq!(complaints("precedent-audit", &["sha2"], &[]).len(), 0);
    }

    #[test]
    fn the_suite_is_a_dev_dependency_only() {
        assert_eq!(
            complaints("precedent", &["precedent-store-test"], &[]).len(),
            1
        );
        assert_eq!(
            complaints("precedent", &[], &["precedent-store-test"]).len(),
            0
        );
    }

    #[test]
    fn unknown_crates_are_an_error() {
        assert_eq!(
            complaints("precedent-misc", &[], &[]),
            ["precedent-misc is in no layer; add it to the table in xtask/src/layers.rs"]
        );
    }

    #[test]
    fn benchmarks_may_use_anything_but_nobody_uses_them() {
        let bench = Member {
            folder: "benches/peers".into(),
            ..member("bench-peers", &["rusqlite", "precedent"], &[])
        };
        assert_eq!(check(std::slice::from_ref(&bench)), Vec::<String>::new());
        let user = member("precedent-core", &["bench-peers"], &[]);
        assert_eq!(check(&[bench, user]).len(), 1);
    }
}
