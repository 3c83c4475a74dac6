//! The licence of every package, against an allow-list.
//!
//! Expressions are those of the SPDX specification 2.3, Annex D, and the
//! older `MIT/Apache-2.0` form that cargo's manifest reference mentions.

use spdx::{Expression, ParseMode};

use crate::workspace::Licensed;

/// Permissive licences, by SPDX identifier.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Exceptions that only add permissions to an allowed licence.
const ALLOWED_EXCEPTIONS: &[&str] = &["LLVM-exception"];

/// Checks every package; one complaint for each that is not allowed.
pub(crate) fn check(packages: &[Licensed]) -> Vec<String> {
    let mut complaints: Vec<String> = packages
        .iter()
        .filter_map(|Licensed { package, licence }| {
            let problem = match licence {
                Some(text) => problem(text)?,
                None => "names no licence".to_owned(),
            };
            Some(format!(
                "{package} {problem}; mend its manifest or choose another package"
            ))
        })
        .collect();
    complaints.sort();
    complaints
}

/// What is wrong with an expression, if anything.
fn problem(text: &str) -> Option<String> {
    let mode = ParseMode {
        allow_slash_as_or_operator: true,
        ..ParseMode::STRICT
    };
    let Ok(expression) = Expression::parse_mode(text, mode) else {
        return Some(format!(
            "has a licence that is not an SPDX expression: {text}"
        ));
    };
    let allowed = expression.evaluate(|requirement| {
        let licence = requirement
            .license
            .id()
            .is_some_and(|id| ALLOWED.contains(&id.name));
        let addition = requirement.addition.as_ref().is_none_or(|addition| {
            addition
                .id()
                .is_some_and(|id| ALLOWED_EXCEPTIONS.contains(&id.name))
        });
        licence && addition
    });
    (!allowed).then(|| format!("is under {text}, which is not on the allow-list"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowed_expressions_pass() {
        for text in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "Unlicense/MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
            "Apache-2.0 WITH LLVM-exception",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
            "BSD-3-Clause AND ISC",
            "0BSD OR MIT OR Apache-2.0",
            "Zlib",
            "BSL-1.0",
            "CC0-1.0 OR GPL-3.0-only",
        ] {
            assert_eq!(problem(text), None, "{text}");
        }
    }

    #[test]
    fn other_licences_are_named() {
        for text in [
            "GPL-3.0-only",
            "AGPL-3.0-or-later",
            "LGPL-2.1-or-later",
            "MPL-2.0",
            "MIT AND GPL-2.0-only",
            "(MIT OR Apache-2.0) AND MPL-2.0",
            "GPL-2.0-only WITH Classpath-exception-2.0",
            "CDLA-Permissive-2.0",
            "LicenseRef-custom",
        ] {
            let found = problem(text).unwrap_or_default();
            assert!(found.contains("not on the allow-list"), "{text}: {found}");
        }
    }

    #[test]
    fn nonsense_and_silence_are_refused() {
        let package = |name: &str, licence: Option<&str>| Licensed {
            package: name.to_owned(),
            licence: licence.map(str::to_owned),
        };
        let complaints = check(&[
            package("c 1.0.0", None),
            package("a 1.0.0", Some("MIT")),
            package("b 1.0.0", Some("do what you like")),
        ]);
        assert_eq!(
            complaints,
            [
                "b 1.0.0 has a licence that is not an SPDX expression: do what you like; \
                 mend its manifest or choose another package",
                "c 1.0.0 names no licence; mend its manifest or choose another package",
            ]
        );
    }
}
