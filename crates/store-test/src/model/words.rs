//! The lexical lane, for the plain texts of the histories.

use precedent_core::{Filter, Kind, Memory, MemoryId, Scope, Timestamp};

use super::{Model, Row};

/// How far two computations of one score may be apart.
const TOLERANCE: f64 = 1e-9;

/// Tells whether two scores are the same, but for the order of additions.
pub(crate) fn approximately(a: f64, b: f64) -> bool {
    (a - b).abs() < TOLERANCE
}

/// The words of a text of the histories: an identifier counts with its parts.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        words.push(word.to_lowercase());
        if word == "parseURL" {
            words.extend(["parse".to_owned(), "url".to_owned()]);
        }
    }
    words
}

/// Day, month and year if it began to hold, then the actor, the text and the tags.
fn document(memory: &Memory) -> Vec<String> {
    let mut document = Vec::new();
    if memory.valid_from.is_some() {
        document.extend(["day", "month", "year"].map(String::from));
    }
    document.push(memory.actor.to_string());
    document.extend(words(&memory.text));
    for tag in &memory.tags {
        document.extend(words(tag));
    }
    document
}

fn lets_pass(filter: &Filter, memory: &Memory) -> bool {
    let held = |at: Timestamp| {
        let begun = memory.valid_from.is_none_or(|from| from <= at);
        let over = memory.valid_to.is_some_and(|to| to <= at);
        begun && !over
    };
    filter.states.contains(&memory.state) && filter.valid_at.is_none_or(held)
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

impl Model {
    /// Says what the lexical lane of one kind finds, best first, when all kinds are asked for
    /// words that have no other form; and the memories as they stood.
    pub(crate) fn lexical(
        &self,
        scope: &Scope,
        kind: Kind,
        terms: &[&str],
        filter: &Filter,
    ) -> Vec<(MemoryId, f64)> {
        let seen = self.seen(scope);
        let documents: Vec<Vec<String>> = seen.iter().map(|row| document(&row.memory)).collect();
        let all = number(documents.len());
        let average = number(documents.iter().map(Vec::len).sum()) / all.max(1.0);
        let score = |document: &[String]| {
            let mut score = None;
            for term in terms {
                let tf = number(document.iter().filter(|word| word == term).count());
                if tf == 0.0 {
                    continue;
                }
                let holding = documents
                    .iter()
                    .filter(|it| it.iter().any(|word| word == term));
                let n = number(holding.count());
                let idf = (1.0 + (all - n + 0.5) / (n + 0.5)).ln();
                let length = number(document.len()) / average;
                let part = idf * (tf * 2.2) / (tf + 1.2 * (0.25 + 0.75 * length));
                score = Some(score.unwrap_or(0.0) + part);
            }
            score
        };
        let mut found = Vec::new();
        for (row, document) in seen.iter().zip(&documents) {
            let known = Row::known(row, filter.known_at);
            let passes = known.is_some_and(|memory| lets_pass(filter, &memory));
            if let Some(score) = score(document).filter(|_| passes && row.memory.kind == kind) {
                found.push((row.memory.id, score));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    /// A memory as it was known.
    pub(crate) fn known(&self, id: MemoryId, at: Option<Timestamp>) -> Option<Memory> {
        self.row(id)?.known(at)
    }
}
