//! The gate before the rules: keywords select the windows in which a pattern runs.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::error::RuleError;
use super::rule::Rule;

/// The automaton over the keywords of all rules, without regard to ASCII case.
pub(super) struct Gate {
    words: Option<AhoCorasick>,
    /// For each keyword the rules that it opens.
    opened: Vec<Vec<usize>>,
    /// For each rule how far its windows reach from a keyword, in bytes.
    reaches: Vec<usize>,
    /// Rules that need no keyword.
    always: Vec<usize>,
}

/// A part of a text that a rule must search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) rule: usize,
    pub(super) range: Range<usize>,
}

impl Gate {
    pub(super) fn new(rules: &[Rule]) -> Result<Self, RuleError> {
        let mut opened: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, rule) in rules.iter().enumerate() {
            for keyword in &rule.keywords {
                let rules = opened.entry(keyword).or_default();
                if rules.last() != Some(&index) {
                    rules.push(index);
                }
            }
        }
        let words = (!opened.is_empty())
            .then(|| {
                AhoCorasick::builder()
                    .ascii_case_insensitive(true)
                    .build(opened.keys())
            })
            .transpose()
            .map_err(|_| RuleError::of_file("too many keywords; split the rules in two files"))?;
        Ok(Self {
            words,
            opened: opened.into_values().collect(),
            reaches: rules.iter().map(Rule::reach).collect(),
            always: (0..rules.len())
                .filter(|index| rules[*index].keywords.is_empty())
                .collect(),
        })
    }

    /// Returns the windows to search, by rule and then by place; a rule's windows are disjoint.
    pub(super) fn windows(&self, text: &str) -> Vec<Window> {
        let whole = |rule: &usize| Window {
            rule: *rule,
            range: 0..text.len(),
        };
        let mut windows: Vec<Window> = self.always.iter().map(whole).collect();
        let Some(words) = &self.words else {
            return windows;
        };
        // For each rule the number of its latest window plus one; empty until a keyword is met.
        let mut latest: Vec<usize> = Vec::new();
        for hit in words.find_overlapping_iter(text) {
            latest.resize(self.reaches.len(), 0);
            for rule in &self.opened[hit.pattern().as_usize()] {
                let reach = self.reaches[*rule];
                let range = hit.start().saturating_sub(reach)..(hit.end() + reach).min(text.len());
                match latest[*rule].checked_sub(1) {
                    Some(last) if range.start <= windows[last].range.end => {
                        let known = &mut windows[last].range;
                        *known = known.start.min(range.start)..known.end.max(range.end);
                    }
                    _ => {
                        windows.push(Window { rule: *rule, range });
                        latest[*rule] = windows.len();
                    }
                }
            }
        }
        windows.sort_by_key(|window| (window.rule, window.range.start));
        windows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::custom::pattern;
    use crate::custom::rule::Secret;

    fn rule(max_len: usize, keywords: &[&str]) -> Rule {
        Rule {
            id: "a".into(),
            class: "aa".into(),
            regex: pattern::compile(&pattern::parse("a").unwrap()).unwrap(),
            secret: Secret::FirstGroup,
            min_entropy: 0.0,
            max_len,
            keywords: keywords.iter().map(|word| (*word).to_owned()).collect(),
            allowances: Vec::new(),
        }
    }

    #[test]
    fn windows_surround_keywords_and_merge() {
        let rules = [
            rule(10, &["abc", "bc"]),
            rule(10, &[]),
            rule(20, &["bc"]),
            rule(10, &["none"]),
        ];
        let reach = rules[0].reach();
        let text = format!(
            "{}ABC{}abcabc{}",
            "-".repeat(200),
            "-".repeat(400),
            "-".repeat(50)
        );
        let window = |rule, range| Window { rule, range };
        assert_eq!(
            Gate::new(&rules).unwrap().windows(&text),
            [
                window(0, 200 - reach..203 + reach),
                window(0, 603 - reach..text.len()),
                window(1, 0..text.len()),
                window(2, 201 - reach - 10..203 + reach + 10),
                window(2, 604 - reach - 10..text.len()),
            ]
        );
    }

    #[test]
    fn without_keywords_only_rules_for_all_text_run() {
        let gate = Gate::new(&[rule(10, &[])]).unwrap();
        assert_eq!(gate.windows("abc").len(), 1);
        assert_eq!(Gate::new(&[]).unwrap().windows("abc"), []);
    }
}
