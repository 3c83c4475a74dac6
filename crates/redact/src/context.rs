//! What a redactor was told beyond the catalogue, and the account of one call.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use crate::allow::AllowList;
use crate::class::{Class, LITERAL};
use crate::custom::RuleSet;
use crate::detail::MarkerDetail;
use crate::gate::{self, Families, Line};
use crate::literals::Literals;
use crate::marker;
use crate::report::RulesetId;
use crate::scan::personal::{self, PersonalData};
use crate::span::{Span, Stage};

/// What a redactor was told beyond the catalogue.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    rules: Option<Arc<RuleSet>>,
    literals: Option<Arc<Literals>>,
    allowed: Option<AllowList>,
    pub(crate) detail: MarkerDetail,
    pub(crate) personal: PersonalData,
    pub(crate) ruleset: RulesetId,
}

impl Settings {
    /// The catalogue alone.
    #[cfg(test)]
    pub(crate) const PLAIN: Self = Self {
        rules: None,
        literals: None,
        allowed: None,
        detail: MarkerDetail::None,
        personal: PersonalData::NONE,
        ruleset: RulesetId(None),
    };

    pub(crate) fn set_rules(&mut self, rules: RuleSet) {
        // A marker is recognised by its class, from the first call on.
        for class in rules.classes() {
            Class::intern(class);
        }
        self.ruleset = RulesetId::with(&rules);
        self.rules = Some(Arc::new(rules));
    }

    pub(crate) fn set_literals(&mut self, literals: Literals) {
        self.literals = Some(Arc::new(literals));
    }

    pub(crate) fn set_allowed(&mut self, allowed: AllowList) {
        self.allowed = Some(allowed);
    }

    /// Finds registered literals, personal data if asked for, and what the user's rules find.
    fn find(&self, text: &str, spans: &mut Vec<Span>) {
        if let Some(literals) = &self.literals {
            let mut found = Vec::new();
            literals.find(text, &mut found);
            let literals = found.into_iter();
            spans.extend(literals.map(|range| {
                Span::new(range, LITERAL, Stage::Registered).by("registered-literal")
            }));
        }
        personal::find(text, self.personal, spans);
        let Some(rules) = &self.rules else {
            return;
        };
        let mut found = Vec::new();
        rules.find(text, &mut found);
        spans.extend(found.into_iter().map(|finding| {
            let class = Class::intern(&finding.class);
            Span::new(finding.range, class, Stage::Vendor).by(class.as_str())
        }));
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("rules", &self.rules.as_ref().map(|rules| rules.len()))
            .field(
                "literals",
                &self.literals.as_ref().map(|literals| literals.len()),
            )
            .field("allow_list", &self.allowed.is_some())
            .field("detail", &self.detail)
            .field("personal", &self.personal)
            .finish_non_exhaustive()
    }
}

/// One call of a redactor.
pub(crate) struct Context<'a> {
    settings: &'a Settings,
    /// Findings that the allow list let pass.
    suppressed: Cell<u64>,
    /// Runs that were masked because they were too long to judge.
    forced: Cell<u64>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(settings: &'a Settings) -> Self {
        Self {
            settings,
            suppressed: Cell::new(0),
            forced: Cell::new(0),
        }
    }

    pub(crate) fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// Returns how many findings the allow list let pass.
    pub(crate) fn suppressed(&self) -> u64 {
        self.suppressed.get()
    }

    /// Counts a run that was too long to judge.
    pub(crate) fn count_forced(&self) {
        self.forced.set(self.forced.get() + 1);
    }

    /// Returns how many runs were too long to judge.
    pub(crate) fn forced(&self) -> u64 {
        self.forced.get()
    }

    /// Finds the first line that could concern a rule; `from` starts a line.
    ///
    /// A user's rules and literals can concern any line.
    pub(crate) fn first(&self, text: &str, from: usize) -> Option<Line> {
        if self.asks_all() {
            Some(gate::line(text, from))
        } else {
            gate::first(text, from)
        }
    }

    /// Tells whether a piece of text can be passed by.
    pub(crate) fn passes(&self, families: Families) -> bool {
        families == Families::NONE && !self.asks_all()
    }

    fn asks_all(&self) -> bool {
        let settings = self.settings;
        settings.rules.is_some()
            || settings.literals.is_some()
            || settings.personal != PersonalData::NONE
    }

    /// Adds what the user's rules and literals find.
    pub(crate) fn find(&self, text: &str, spans: &mut Vec<Span>) {
        if self.asks_all() {
            self.settings.find(text, spans);
        }
    }

    /// Drops the findings that the allow list lets pass; the first round counts them.
    pub(crate) fn filter(&self, text: &str, spans: &mut Vec<Span>, first_round: bool) {
        let Some(allowed) = &self.settings.allowed else {
            return;
        };
        let before = spans.len();
        spans.retain(|span| {
            let value = &text[span.range.clone()];
            !allowed.allows(
                value,
                key_before(text, span.range.start),
                span.class.as_str(),
            )
        });
        if first_round {
            let passed = before - spans.len();
            self.suppressed
                .set(self.suppressed.get() + u64::try_from(passed).unwrap_or(u64::MAX));
        }
    }

    /// Tells whether the allow list lets a value under this key pass, and counts it.
    pub(crate) fn allows(&self, value: &str, key: &str, class: Class) -> bool {
        let allowed = self.settings.allowed.as_ref();
        let passes = allowed.is_some_and(|list| list.allows(value, Some(key), class.as_str()));
        self.suppressed
            .set(self.suppressed.get() + u64::from(passes));
        passes
    }
}

/// Returns the key that a value directly follows.
fn key_before(text: &str, at: usize) -> Option<&str> {
    let floor = text.ceil_char_boundary(at.saturating_sub(96));
    let head = text[floor..at].trim_end_matches(['"', '\'', '`', ' ', '\t', ':', '=', '>', '\\']);
    let of_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let start = head.trim_end_matches(of_key).len();
    (start < head.len() && !marker::ends(head)).then_some(&head[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_value_is_found_across_its_signs() {
        for (head, key) in [
            ("DB_PASSWORD=", Some("DB_PASSWORD")),
            ("{\"api-key\": \"", Some("api-key")),
            ("export a.b = '", Some("a.b")),
            ("(", None),
            ("", None),
        ] {
            let text = format!("{head}x");
            assert_eq!(key_before(&text, head.len()), key, "{head}");
        }
    }
}
