//! What a caller asks to be remembered, as it was said: nothing of it is redacted yet.

use std::collections::BTreeMap;
use std::fmt;

use precedent_core::{
    ActionPattern, CleanText, Control, Kind, MemoryId, Principal, Salience, Severity, Source,
    Timestamp, Trust,
};
use serde_json::json;

/// The control part of a memory, compiled by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDraft {
    /// What it demands.
    pub control: Control,
    /// Keys under which an action finds it.
    pub keys: Vec<CleanText>,
    /// How strongly it speaks.
    pub severity: Severity,
    /// The project that it is confined to, if any.
    pub project: Option<CleanText>,
}

impl RuleDraft {
    /// Returns the pattern of the actions that the rule is about.
    pub fn trigger(&self) -> &ActionPattern {
        self.control.trigger()
    }
}

/// One thing to remember, as the caller said it; `Debug` prints none of its texts, since nothing of
/// it is redacted yet.
#[derive(Clone)]
pub struct RememberItem {
    /// The content, not yet redacted.
    pub text: String,
    /// What it is about.
    pub kind: Kind,
    /// Where it comes from.
    pub source: Source,
    /// What the host grants it.
    pub trust: Trust,
    /// Labels.
    pub tags: Vec<String>,
    /// Further facts by name.
    pub context: BTreeMap<String, String>,
    /// How much it matters.
    pub salience: Salience,
    /// Whether only the writing agent may see it.
    pub private: bool,
    /// When it began to hold; the present by default.
    pub valid_from: Option<Timestamp>,
    /// When it ceases to hold.
    pub valid_to: Option<Timestamp>,
    /// The memory that it replaces.
    pub supersedes: Option<MemoryId>,
    /// Its control part; kept only if the memory may control.
    pub rules: Vec<RuleDraft>,
}

impl fmt::Debug for RememberItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RememberItem")
            .field("kind", &self.kind)
            .field("source", &self.source)
            .field("trust", &self.trust)
            .field("private", &self.private)
            .field("supersedes", &self.supersedes)
            .finish_non_exhaustive()
    }
}

impl RememberItem {
    /// Makes an episodic memory that a user told, without any trust beyond that.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind: Kind::Episodic,
            source: Source::ToldByUser,
            trust: Trust::Unverified,
            tags: Vec::new(),
            context: BTreeMap::new(),
            salience: Salience::DEFAULT,
            private: false,
            valid_from: None,
            valid_to: None,
            supersedes: None,
            rules: Vec::new(),
        }
    }
}

/// A write request; `Debug` does not print the idempotency key, of which only a keyed digest is kept.
#[derive(Clone)]
pub struct Remember {
    /// Who writes; the memories go to this principal's namespace.
    pub by: Principal,
    /// What to remember, all of it or nothing.
    pub items: Vec<RememberItem>,
    /// The same key means the same request, however often it is sent.
    pub idempotency_key: Option<String>,
}

impl fmt::Debug for Remember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remember")
            .field("by", &self.by)
            .field("items", &self.items)
            .finish_non_exhaustive()
    }
}

impl RememberItem {
    /// Writes everything that an item says, for its keyed digest only.
    pub(crate) fn whole(&self) -> String {
        let rules: Vec<_> = self
            .rules
            .iter()
            .map(|rule| json!([rule.control, rule.keys, rule.severity, rule.project]))
            .collect();
        json!([
            self.text,
            self.kind,
            self.source,
            self.trust,
            self.tags,
            self.context,
            self.salience,
            self.private,
            self.valid_from,
            self.valid_to,
            self.supersedes,
            rules,
        ])
        .to_string()
    }
}

impl<T: Into<String>> From<T> for RememberItem {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}
