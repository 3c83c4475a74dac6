//! Files of rules, the project's own and those of gitleaks: any text gives rules or a typed error,
//! within the time and memory that the fuzzer allows.

#![no_main]

use libfuzzer_sys::fuzz_target;
use precedent_redact::{AllowList, Redactor, RuleSet};

/// A text that ordinary rules find something in.
const TEXT: &str = "acme_0a1b2c3d4e5f token: é key=value \"x\": [1]\npassword = granite42\n";

fuzz_target!(|data: &[u8]| {
    let Ok(file) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(rules) = RuleSet::from_toml(file) {
        search(rules, file);
    }
    if let Ok((rules, _)) = RuleSet::from_gitleaks_toml(file) {
        search(rules, file);
    }
    if let Ok(allowed) = AllowList::from_toml(file, &[7; 32]) {
        let written = allowed.to_toml();
        assert!(
            AllowList::from_toml(&written, &[7; 32]).is_ok(),
            "an allow list is not read back"
        );
    }
});

/// Runs the rules on a fixed text and on their own file.
fn search(rules: RuleSet, file: &str) {
    for text in [TEXT, file] {
        let mut found = Vec::new();
        rules.find(text, &mut found);
        for finding in &found {
            assert!(
                text.get(finding.range.clone())
                    .is_some_and(|secret| !secret.is_empty()),
                "a finding is empty or divides a character"
            );
            assert!(rules.id(finding.rule).is_some(), "a finding has no rule");
        }
    }
    let redactor = Redactor::new().with_rules(rules);
    let once = redactor.redact(TEXT).text.into_owned();
    assert!(
        once.len() <= TEXT.len() * 64,
        "the output grew without bound"
    );
}
