//! Compiles rules written as sentences, the same way every time.
//!
//! A sentence is split into references (commands, paths, flags, places) and
//! marks (never, before, without, …) in six languages, and a handful of forms
//! over these become controls. What no form fits is advice: it is shown, and
//! controls nothing.

mod clause;
mod conflict;
mod draft;
mod explain;
mod grammar;
mod markers;
mod place;
mod prefer;
mod prohibit;
mod qualify;
mod reference;
mod sketch;
mod speech;
mod sql;
mod token;

pub use conflict::conflicts;
pub use explain::{describe, explain};

use precedent_core::Control;
use precedent_redact::Redactor;

use draft::Draft;
use sketch::Sketch;

/// Longest rule text that is compiled, in bytes.
pub const MAX_RULE_BYTES: usize = 8 * 1024;

/// What was understood of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compiled {
    /// It controls actions in these ways; never empty.
    Controls(Vec<Control>),
    /// It was not understood and stays advice.
    Advice,
}

impl Compiled {
    /// Returns the controls, of which advice has none.
    #[must_use]
    pub fn controls(&self) -> &[Control] {
        match self {
            Self::Controls(controls) => controls,
            Self::Advice => &[],
        }
    }
}

/// Compiles the text of a rule.
///
/// `redactor` cleans every text that enters a control.
#[must_use]
pub fn compile(text: &str, redactor: &Redactor) -> Compiled {
    let mut drafts: Vec<Draft> = Vec::new();
    if text.len() <= MAX_RULE_BYTES && !speech::retracted(text) {
        let text = crate::identity::fold(text);
        for sentence in token::sentences(&text) {
            for draft in demands(&speech::calm(&sentence)) {
                if !drafts.contains(&draft) {
                    drafts.push(draft);
                }
            }
        }
    }
    if drafts.is_empty() {
        return Compiled::Advice;
    }
    Compiled::Controls(
        drafts
            .iter()
            .map(|draft| control(draft, redactor))
            .collect(),
    )
}

/// Reads one sentence.
fn demands(sentence: &str) -> Vec<Draft> {
    let items = reference::items(&token::tokens(sentence));
    grammar::read(&items).unwrap_or_else(|| {
        let named = phrases(sentence);
        if grammar::is_limited(&items) || qualify::narrowed(&items, &named) {
            Vec::new()
        } else {
            named
        }
    })
}

/// Reads prohibitions of version-control habits that have names of their own.
fn phrases(sentence: &str) -> Vec<Draft> {
    const NAMED: &[(&str, &str)] = &[
        ("force push", "git push --force"),
        ("force-push", "git push --force"),
        ("amend", "git commit --amend"),
        ("rewrite history", "git push --force"),
        ("skip hooks", "git commit --no-verify"),
        ("bypass hooks", "git commit --no-verify"),
        ("drop tables", "DROP TABLE"),
        ("drop the database", "DROP DATABASE"),
    ];
    let lower = sentence.to_lowercase();
    let forbids = [
        "never", "don't", "do not", "no ", "must not", "avoid", "nicht", "nie",
    ];
    if !forbids.iter().any(|word| lower.contains(word)) {
        return Vec::new();
    }
    let named = NAMED.iter().filter(|(phrase, _)| lower.contains(phrase));
    named
        .filter_map(|(_, command)| {
            let trigger = match command.strip_prefix("DROP ") {
                Some(object) => Sketch {
                    words: vec!["DROP".to_owned(), object.to_owned()],
                    ..Sketch::default()
                },
                None => Sketch::command(command)?,
            };
            Some(Draft::Prohibits {
                trigger,
                unless: Vec::new(),
            })
        })
        .collect()
}

fn control(draft: &Draft, redactor: &Redactor) -> Control {
    let all = |sketches: &[Sketch]| sketches.iter().map(|s| s.pattern(redactor)).collect();
    match draft {
        Draft::Requires {
            trigger,
            prerequisites,
        } => Control::Requires {
            trigger: trigger.pattern(redactor),
            prerequisites: all(prerequisites),
        },
        Draft::Prohibits { trigger, unless } => Control::Prohibits {
            trigger: trigger.pattern(redactor),
            unless: all(unless),
        },
        Draft::Prefers { avoid, prefer } => Control::Prefers {
            avoid: avoid.pattern(redactor),
            prefer: prefer.pattern(redactor),
        },
    }
}

#[cfg(test)]
mod tests;
