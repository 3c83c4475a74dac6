//! What was masked, told without any of it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::class::Class;

/// Tells what a redaction did. It holds no raw value, no raw length and no hash of one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Version of the catalogue that did the work.
    pub ruleset: &'static str,
    /// Length of the input in bytes.
    pub bytes_in: usize,
    /// Length of the output in bytes.
    pub bytes_out: usize,
    /// Number of findings of each class.
    pub counts: BTreeMap<Class, u64>,
    /// Where the new markers are in the output; empty for values, whose output is not one text.
    pub spans: Vec<ReportSpan>,
    /// How often a run was masked because it was too long to judge.
    pub forced_cuts: u64,
    /// Whether the output was cut to a budget.
    pub truncated: bool,
}

/// Locates one new marker in the output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportSpan {
    /// Byte offset of the marker in the output.
    pub out_offset: usize,
    /// Length of the marker in bytes.
    pub len: usize,
    /// Class of what the marker replaces.
    pub class: Class,
}

/// Name of the present catalogue; it changes whenever a rule does.
pub(crate) const RULESET: &str = "precedent-redact/1";

impl Report {
    /// Tells whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.counts.is_empty()
    }

    pub(crate) fn new() -> Self {
        Self {
            ruleset: RULESET,
            ..Self::default()
        }
    }

    pub(crate) fn count(&mut self, class: Class) {
        *self.counts.entry(class).or_default() += 1;
    }

    /// Adds the counts and lengths of another report; its offsets have no meaning here.
    pub(crate) fn absorb(&mut self, other: &Self) {
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
        for (class, count) in &other.counts {
            *self.counts.entry(*class).or_default() += count;
        }
    }
}
