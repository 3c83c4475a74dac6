//! The catalogue's examples: what each rule finds and what it leaves alone, kept apart from the
//! rules, so that a rule which is lost, weakened or widened fails here.
//!
//! The files of `tests/catalogue/` hold sections:
//!
//! ```text
//! # a comment
//! [rule-id]
//! + text with a «secret»
//! - text in which this rule finds nothing
//! ```
//!
//! In a `+` line every `«…»` is exactly one finding, by this rule, and nothing else is found.
//! Random bodies are templates, `{kind:length}`, so that no value that looks like a live
//! credential is written down: `digit`, `hex` (small letters), `lower` and `upper` (with digits),
//! `alnum`, `url` and `base64` (RFC 4648), and `x` and `X` for the filler of placeholders. Every
//! fourth character of a random body is a digit and the rest is drawn from a fixed seed, so every
//! draw shows what a random body nearly always shows. A `\` is itself: `\n` is an escape of the
//! text, not of this format.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use precedent_redact::Redactor;

/// Seeds with which each example is drawn.
const SEEDS: Range<u64> = 0..4;

/// The examples of one rule.
#[derive(Default)]
struct Examples {
    hits: Vec<String>,
    misses: Vec<String>,
}

fn examples() -> BTreeMap<String, Examples> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/catalogue");
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the folder of examples is beside this file") {
        let path = entry.expect("a folder lists its files").path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = std::fs::read_to_string(&path).expect("examples are UTF-8");
            read(&text, &path.display().to_string(), &mut all);
        }
    }
    all
}

fn read(text: &str, file: &str, all: &mut BTreeMap<String, Examples>) {
    let mut rule = String::new();
    for (number, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", number + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(id) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            id.clone_into(&mut rule);
            let known = all.insert(rule.clone(), Examples::default());
            assert!(known.is_none(), "{place}: a second section of {id}");
            continue;
        }
        let section = all.get_mut(&rule).expect("examples follow a rule's name");
        if let Some(hit) = line.strip_prefix("+ ") {
            assert!(hit.contains('«'), "{place}: nothing is marked");
            section.hits.push(hit.to_owned());
        } else {
            let miss = line.strip_prefix("- ");
            assert!(miss.is_some(), "{place}: neither an example nor a rule");
            section.misses.extend(miss.map(str::to_owned));
        }
    }
}

/// Draws numbers (splitmix64, Steele, Lea and Flood 2014).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn one_of(&mut self, alphabet: &str) -> char {
        let count = alphabet.len() as u64;
        let at = usize::try_from(self.next() % count).expect("an alphabet is short");
        char::from(alphabet.as_bytes()[at])
    }
}

/// Replaces the templates of an example.
fn expand(example: &str, seed: u64) -> String {
    let mut draws = Draws(seed);
    let mut text = String::new();
    let mut rest = example;
    while let Some(open) = rest.find('{') {
        text.push_str(&rest[..open]);
        rest = &rest[open..];
        let template = rest.find('}').and_then(|close| template(&rest[1..close]));
        if let Some((alphabet, length)) = template {
            for at in 0..length {
                let digit = at % 4 == 1 && alphabet.contains('0');
                text.push(draws.one_of(if digit { "0123456789" } else { alphabet }));
            }
            rest = &rest[rest.find('}').expect("found above") + 1..];
        } else {
            text.push('{');
            rest = &rest[1..];
        }
    }
    text + rest
}

fn template(inner: &str) -> Option<(&'static str, usize)> {
    let (kind, length) = inner.split_once(':')?;
    let alphabet = match kind {
        "digit" => "0123456789",
        "hex" => "0123456789abcdef",
        "lower" => "abcdefghijklmnopqrstuvwxyz0123456789",
        "upper" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "alnum" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "url" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        "base64" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "x" => "x",
        "X" => "X",
        _ => return None,
    };
    Some((alphabet, length.parse().ok()?))
}

/// Takes the marks out of a text and returns where they were.
fn unmark(marked: &str) -> (String, Vec<Range<usize>>) {
    let mut text = String::new();
    let mut ranges = Vec::new();
    let mut start = 0;
    for c in marked.chars() {
        match c {
            '«' => start = text.len(),
            '»' => ranges.push(start..text.len()),
            other => text.push(other),
        }
    }
    (text, ranges)
}

#[test]
fn every_rule_finds_its_examples_whole() {
    let redactor = Redactor::new();
    let mut failures = Vec::new();
    for (rule, examples) in examples() {
        for (hit, seed) in examples
            .hits
            .iter()
            .flat_map(|hit| SEEDS.map(move |s| (hit, s)))
        {
            let (text, expected) = unmark(&expand(hit, seed));
            let spans = redactor.scan(&text);
            let found: Vec<_> = spans.iter().map(|s| (s.range.clone(), s.rule)).collect();
            let wanted: Vec<_> = expected.into_iter().map(|r| (r, rule.as_str())).collect();
            if found != wanted {
                failures.push(format!(
                    "{rule}: {text}\n  wanted {wanted:?}\n  found {found:?}"
                ));
                break;
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn no_rule_finds_what_it_must_leave() {
    let redactor = Redactor::new();
    let mut failures = Vec::new();
    for (rule, examples) in examples() {
        for (miss, seed) in examples
            .misses
            .iter()
            .flat_map(|miss| SEEDS.map(move |s| (miss, s)))
        {
            let text = expand(miss, seed);
            if let Some(span) = redactor.scan(&text).iter().find(|span| span.rule == rule) {
                failures.push(format!(
                    "{rule}: {text}\n  found {:?}",
                    &text[span.range.clone()]
                ));
                break;
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn every_rule_has_examples_and_every_example_a_rule() {
    let rules: BTreeSet<_> = Redactor::new()
        .rules()
        .iter()
        .map(|r| r.id.to_owned())
        .collect();
    let examples = examples();
    let described: BTreeSet<_> = examples.keys().cloned().collect();
    let bare: Vec<_> = rules.difference(&described).collect();
    assert!(bare.is_empty(), "rules without examples: {bare:?}");
    let lost: Vec<_> = described.difference(&rules).collect();
    assert!(lost.is_empty(), "examples without a rule: {lost:?}");
    for (rule, examples) in &examples {
        assert!(examples.hits.len() >= 2, "{rule} has fewer than two hits");
        assert!(
            examples.misses.len() >= 2,
            "{rule} has fewer than two misses"
        );
    }
}

#[test]
fn templates_expand_by_the_seed() {
    assert_eq!(
        expand("a{x:3}b{'c': 1}{other:2}", 1),
        "axxxb{'c': 1}{other:2}"
    );
    let first = expand("{alnum:30}", 1);
    assert_eq!(first.len(), 30);
    assert_eq!(first, expand("{alnum:30}", 1));
    assert_ne!(first, expand("{alnum:30}", 2));
    let (text, ranges) = unmark("a «bc» d");
    assert_eq!((text.as_str(), &text[ranges[0].clone()]), ("a bc d", "bc"));
}
