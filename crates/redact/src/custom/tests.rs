//! Tests of whole rule sets.

use proptest::prelude::*;

use super::*;

const OWN: &str = r#"
[[rules]]
id = "acme-token"
regex = '\bacme_([a-z0-9]{12})\b'
keywords = ["acme_"]
min_entropy = 2.0
hit = ["token: acme_0a1b2c3d4e5f;"]
miss = ["acme_corporation", "acme_aaaaaaaaaaaa"]

[[rules]]
id = "site-pin"
class = "pin"
regex = 'pin (?:is|was) (?P<pin>[0-9]{6})'
group = "pin"
always = true
hit = ["the pin is 123456"]
miss = ["the pin is set"]
"#;

/// A configuration in the other format that uses each of its parts.
const FOREIGN: &str = r#"
title = "sample"
minVersion = "v8.25.0"
owner = "nobody"

[extend]
useDefault = true
disabledRules = ["some-rule"]

[allowlist]
paths = ['''\.lock$''']
regexes = ['''^\${\w+}$''']

[[allowlists]]
targetRules = ["zeta-key", "not-here"]
stopwords = ["sample"]

[[rules]]
id = "zeta-key"
description = "made up"
regex = '''(?i)zeta[\w-.]{0,8}\s?[=:]\s?(["'{]?)([a-z0-9${}]{10,20})'''
secretGroup = 2
entropy = 2
keywords = ["Zeta"]
path = '''\.conf$'''
tags = ["x"]

[[rules.allowlists]]
condition = "AND"
regexTarget = "line"
regexes = ['''fixture''']
stopwords = ["00000"]

[[rules.allowlists]]
condition = "AND"
paths = ['''x''']
regexes = ['''y''']

[[rules.allowlists]]
commits = ["0a1b2c3"]

[[rules]]
id = "Only.Path"
path = '''\.p12$'''

[[rules]]
id = "changed-elsewhere"
entropy = 4

[[rules]]
id = "Everywhere.Key"
regex = '''ev_[0-9]{6}'''
[[rules.required]]
id = "zeta-key"

[[rules]]
id = "part"
regex = '''part'''
skipReport = true
"#;

fn found(set: &RuleSet, text: &str) -> Vec<(String, String)> {
    let mut findings = Vec::new();
    set.find(text, &mut findings);
    let named = |finding: CustomFinding| {
        let id = set.id(finding.rule).unwrap().to_owned();
        (id, text[finding.range].to_owned())
    };
    findings.into_iter().map(named).collect()
}

fn values(set: &RuleSet, text: &str) -> Vec<String> {
    found(set, text)
        .into_iter()
        .map(|(_, value)| value)
        .collect()
}

#[test]
fn own_rules_find_their_secrets() {
    let set = RuleSet::from_toml(OWN).unwrap();
    let text = "ACME_0a1b2c3d4e5f 密acme_z9y8x7w6v5u4密 the pin was 654321";
    let expected = [("acme-token", "z9y8x7w6v5u4"), ("site-pin", "654321")];
    assert_eq!(
        found(&set, text),
        expected.map(|(id, value)| (id.to_owned(), value.to_owned()))
    );
    assert_eq!(set.classes(), ["acme_token", "pin"]);
    assert_eq!((set.len(), set.is_empty(), set.id(2)), (2, false, None));
    let mut findings = Vec::new();
    set.find("pin is 123456", &mut findings);
    assert_eq!(
        (&*findings[0].class, findings[0].range.clone()),
        ("pin", 7..13)
    );
}

#[test]
fn a_pattern_runs_only_near_its_keywords() {
    let rule = |max_len: usize| {
        let text = format!(
            "[[rules]]\nid='far'\nclass='far'\nregex='[0-9]{{8}}'\nkeywords=['near']\n\
             max_len={max_len}\nhit=['near 12345678']\nmiss=['12345678']"
        );
        RuleSet::from_toml(&text).unwrap()
    };
    let text = format!("near{}12345678", " ".repeat(600));
    assert_eq!(values(&rule(8), &text), Vec::<String>::new());
    assert_eq!(values(&rule(512), &text), ["12345678"]);
}

#[test]
fn sets_join_unless_an_id_is_taken() {
    let own = || RuleSet::from_toml(OWN).unwrap();
    let (foreign, _) = RuleSet::from_gitleaks_toml(FOREIGN).unwrap();
    let joined = own().join(foreign).unwrap();
    assert_eq!(joined.len(), 4);
    let text = "ev_123456 acme_0a1b2c3d4e5f";
    assert_eq!(values(&joined, text), ["0a1b2c3d4e5f", "ev_123456"]);
    let error = own().join(own()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rule `acme-token`, field `id`: given twice; rename one of the rules"
    );
}

#[test]
fn imports_carry_rules_groups_entropy_and_allowlists() {
    let (set, _) = RuleSet::from_gitleaks_toml(FOREIGN).unwrap();
    for (text, expected) in [
        ("ZETA-key = 'q1w2e3r4t5y6", "q1w2e3r4t5y6"),
        ("zeta:{q1w2e3r4t5y6", "q1w2e3r4t5y6"),
        ("zeta=aaaaaaaaaaaa", ""),
        ("zeta=${q1w2e3r4t5y6}", ""),
        ("zeta=q1w2e3samplet5y6", ""),
        ("zeta=q1w2e300000t5y6 # fixture", ""),
        ("zeta=q1w2e300000t5y6", "q1w2e300000t5y6"),
        ("zeta=q1w2e3r4t5y6 # fixture", "q1w2e3r4t5y6"),
        ("part ev_123456", "ev_123456"),
    ] {
        assert_eq!(values(&set, text).concat(), expected, "{text}");
    }
    assert_eq!(set.classes(), ["everywhere_key", "zeta_key"]);
}

#[test]
fn imports_tell_every_loss() {
    let (_, notes) = RuleSet::from_gitleaks_toml(FOREIGN).unwrap();
    let expected = "\
field `owner` ignored
extends another file; import that one too and join the sets
turns rules of another file off; leave them out of that file
allowlist paths left out
rule `zeta-key`: path filter left out, the rule applies to all text
rule `zeta-key`: allowlist left out, it needs a path or commit to apply
rule `zeta-key`: allowlist commits left out
rule `Only.Path`: left out, it looks at file names only
rule `changed-elsewhere`: left out, it only changes a rule of the extended file
rule `Everywhere.Key`: applies without the other rules that it requires
rule `Everywhere.Key`: its class differs from its id
rule `part`: left out, it only serves other rules
rule `not-here`: allowlist left out, this file has no such rule
";
    let mut told: Vec<String> = notes.to_string().lines().map(str::to_owned).collect();
    let mut expected: Vec<String> = expected.lines().map(str::to_owned).collect();
    told.sort();
    expected.sort();
    assert_eq!(told, expected);
    assert_eq!(notes.as_slice()[0].rule, None);
    let (_, none) = RuleSet::from_gitleaks_toml("").unwrap();
    assert!(none.is_empty());
}

#[test]
fn import_errors_name_rule_field_and_remedy() {
    for (rule, expected) in [
        (
            "regex = 'x'",
            "rule `number 1`, field `id`: give an id of at most 128 printable ASCII bytes",
        ),
        ("id = 'a'", "rule `a`, field `regex`: give a pattern"),
        (
            "id = 'a'\nregex = '(?=x)'",
            "rule `a`, field `regex`: a group that Go does not know before character 3; correct it there",
        ),
        (
            "id = 'a'\nregex = 'x'\nsecretGroup = 1",
            "rule `a`, field `secretGroup`: give the number of a group in the pattern",
        ),
        (
            "id = 'a'\nregex = 'x'\n[rules.allowlist]\n",
            "rule `a`, field `allowlists`: give regexes, stopwords, paths or commits",
        ),
        (
            "id = 'a'\nregex = 'x'\n[rules.allowlist]\nstopwords = ['']",
            "rule `a`, field `stopwords`: leave out the empty word, it allows everything",
        ),
        (
            "id = 'a'\nregex = 'x'\n[rules.allowlist]\ncondition = 'XOR'\n",
            "rule `a`, field `condition`: give AND or OR",
        ),
    ] {
        let error = RuleSet::from_gitleaks_toml(&format!("[[rules]]\n{rule}")).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn sizes_are_bounded() {
    let rule = "[[rules]]\nid = 'a'\nregex = 'x'\n";
    let error = RuleSet::from_gitleaks_toml(&rule.repeat(2_001)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field `rules`: more than 2000; use fewer"
    );
    let large = |at: usize| format!("[[rules]]\nid = 'a{at}'\nregex = '(?:[a-z][0-9]?){{900}}'\n");
    let all: String = (0..800).map(large).collect();
    let error = RuleSet::from_gitleaks_toml(&all).unwrap_err();
    assert!(
        error.to_string().starts_with("larger than 64 MiB"),
        "{error}"
    );
}

#[test]
fn nesting_is_refused_before_it_exhausts_the_stack() {
    let deep = 100_000;
    for text in [
        format!("rules = {}", "[".repeat(deep)),
        format!("{}b = 1", "a.".repeat(deep)),
        format!("[{}b]", "a.".repeat(deep)),
        format!("rules = {}", "{a=".repeat(deep)),
        format!("[[rules]]\nid = 'ab'\nregex = '{}'", "(".repeat(deep)),
        format!("[[rules]]\nid = 'ab'\nregex = 'a{}'", "{2}".repeat(deep)),
    ] {
        assert!(RuleSet::from_toml(&text).is_err());
        assert!(RuleSet::from_gitleaks_toml(&text).is_err());
    }
}

#[test]
fn debug_shows_no_rule() {
    let set = RuleSet::from_toml(OWN).unwrap();
    assert_eq!(format!("{set:?}"), "RuleSet { rules: 2, .. }");
}

proptest! {
    #[test]
    fn findings_are_inside_the_text_and_not_empty(text in "(acme_|[a-z0-9]{1,13}|é| |\n|pin is |zeta=|ev_)*") {
        let own = RuleSet::from_toml(OWN).unwrap();
        let (foreign, _) = RuleSet::from_gitleaks_toml(FOREIGN).unwrap();
        let mut findings = Vec::new();
        own.find(&text, &mut findings);
        foreign.find(&text, &mut findings);
        for finding in findings {
            prop_assert!(text.get(finding.range).is_some_and(|value| !value.is_empty()));
        }
    }

    #[test]
    fn a_secret_is_found_wherever_it_stands(before in "[a-z é]{0,700}", after in "( [a-z é]{0,700})?") {
        let set = RuleSet::from_toml(OWN).unwrap();
        let text = format!("{before}.acme_0a1b2c3d4e5f{after}");
        prop_assert!(values(&set, &text).contains(&"0a1b2c3d4e5f".to_owned()));
    }

    #[test]
    fn any_file_is_read_or_refused(text in "(\\[\\[rules\\]\\]|id = 'ab'|regex = |'a\\('|hit|=|\\[|\\]|\n| )*") {
        drop(RuleSet::from_toml(&text));
        drop(RuleSet::from_gitleaks_toml(&text));
    }
}
