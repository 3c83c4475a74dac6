//! Findings and the resolution of their overlaps.

use std::ops::Range;

use crate::class::Class;
use crate::report::Confidence;

/// Locates one secret in the original text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// Byte range in the original text, on character boundaries.
    pub range: Range<usize>,
    /// What was found.
    pub class: Class,
    /// Name of the rule that found it.
    pub rule: &'static str,
    /// In how many encodings it is wrapped.
    pub(crate) depth: u8,
    /// How it is shown.
    pub(crate) show: Show,
    /// Rank among overlapping findings: the smallest gives the class.
    pub(crate) stage: Stage,
}

/// What stands in the output for a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Show {
    /// Its marker.
    Marker,
    /// Its marker in quotes, because it replaces a number in JSON.
    Quoted,
    /// Nothing, because it goes on with a finding that has a marker.
    Nothing,
}

/// The order of priority between the groups of rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    Registered,
    Structure,
    Vendor,
    Url,
    Http,
    Cli,
    KeyValue,
    Payment,
    Encoded,
    Fallback,
}

impl Span {
    pub(crate) fn new(range: Range<usize>, class: Class, stage: Stage) -> Self {
        Self {
            range,
            class,
            rule: class.as_str(),
            depth: 0,
            show: Show::Marker,
            stage,
        }
    }

    /// Tells how sure the rule is.
    pub(crate) fn confidence(&self) -> Confidence {
        match self.stage {
            Stage::Fallback => Confidence::Low,
            Stage::KeyValue | Stage::Encoded | Stage::Cli => Confidence::Medium,
            _ => Confidence::High,
        }
    }

    /// Shows the finding in another way than by its marker.
    pub(crate) fn shown(self, show: Show) -> Self {
        Self { show, ..self }
    }

    /// Tells in how many encodings the finding is wrapped.
    pub(crate) fn at_depth(self, depth: u8) -> Self {
        Self { depth, ..self }
    }

    /// Moves the finding towards the end.
    pub(crate) fn moved(mut self, by: usize) -> Self {
        self.range = self.range.start + by..self.range.end + by;
        self
    }

    /// Moves the finding towards the beginning, which it does not reach beyond.
    pub(crate) fn moved_back(mut self, by: usize) -> Self {
        self.range = self.range.start.saturating_sub(by)..self.range.end.saturating_sub(by);
        self
    }

    /// Names the rule more exactly than its class does.
    pub(crate) fn by(self, rule: &'static str) -> Self {
        Self { rule, ..self }
    }
}

/// Joins overlapping findings into their union; the earliest stage names it.
///
/// Findings that only touch stay apart. The result is sorted and disjoint.
pub(crate) fn resolve(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.range.is_empty());
    spans.sort_by_key(|span| (span.range.start, span.stage));
    let mut resolved: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match resolved.last_mut() {
            Some(last) if span.range.start < last.range.end => {
                last.range.end = last.range.end.max(span.range.end);
                if span.stage < last.stage {
                    last.stage = span.stage;
                    last.class = span.class;
                    last.rule = span.rule;
                }
            }
            _ => resolved.push(span),
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::{ENTROPY, PASSWORD};

    #[test]
    fn union_takes_the_class_of_the_earliest_stage() {
        let late = Span::new(0..10, ENTROPY, Stage::Fallback);
        let early = Span::new(8..14, PASSWORD, Stage::KeyValue);
        let resolved = resolve(vec![late, early]);
        assert_eq!(resolved.len(), 1);
        assert_eq!(resolved[0].range, 0..14);
        assert_eq!(resolved[0].class, PASSWORD);
    }

    #[test]
    fn touching_findings_stay_apart() {
        let spans = vec![
            Span::new(4..8, PASSWORD, Stage::KeyValue),
            Span::new(0..4, PASSWORD, Stage::KeyValue),
        ];
        assert_eq!(resolve(spans).len(), 2);
    }
}
