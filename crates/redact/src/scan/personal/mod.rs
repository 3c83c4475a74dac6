//! Personal data that is no secret: addresses of mail, telephones, networks and homes, and dates of
//! birth. These classes are asked for; otherwise they stay.

mod address;
mod birth;
mod email;
mod ip;
mod phone;

use crate::class::Class;
use crate::rule::Rule;
use crate::span::{Span, Stage};

/// Names what to look for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct PersonalData(u8);

impl PersonalData {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const EMAIL: Self = Self(1);
    pub(crate) const PHONE: Self = Self(1 << 1);
    pub(crate) const IP_ADDRESS: Self = Self(1 << 2);
    pub(crate) const DATE_OF_BIRTH: Self = Self(1 << 3);
    pub(crate) const POSTAL_ADDRESS: Self = Self(1 << 4);
    pub(crate) const ALL: Self = Self(0b1_1111);

    /// Joins two sets.
    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

type Find = fn(&str, &mut Vec<Span>);

/// Each kind with its scanner.
const KINDS: &[(PersonalData, Find)] = &[
    (PersonalData::EMAIL, email::find),
    (PersonalData::PHONE, phone::find),
    (PersonalData::IP_ADDRESS, ip::find),
    (PersonalData::DATE_OF_BIRTH, birth::find),
    (PersonalData::POSTAL_ADDRESS, address::find),
];

/// Lists the rules.
pub(crate) const RULES: [&[Rule]; 5] = [
    email::RULES,
    phone::RULES,
    ip::RULES,
    birth::RULES,
    address::RULES,
];

/// Finds personal data of the kinds asked for.
pub(crate) fn find(text: &str, kinds: PersonalData, spans: &mut Vec<Span>) {
    for (kind, find) in KINDS {
        if kinds.has(*kind) {
            find(text, spans);
        }
    }
}

fn span(range: std::ops::Range<usize>, class: Class, rule: &'static str) -> Span {
    Span::new(range, class, Stage::Payment).by(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_rules_of_its_own() {
        let rules = || RULES.iter().copied().flatten();
        assert!(rules().all(|rule| !rule.source.is_empty()));
        let mut ids: Vec<_> = rules().map(|rule| rule.id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert_eq!(RULES.len(), KINDS.len());
    }

    #[test]
    fn only_what_is_asked_for_is_found() {
        let text = "ann@example.com from 203.0.113.7";
        let count = |kinds| {
            let mut spans = Vec::new();
            find(text, kinds, &mut spans);
            spans.len()
        };
        assert_eq!(count(PersonalData::NONE), 0);
        assert_eq!(count(PersonalData::EMAIL), 1);
        assert_eq!(count(PersonalData::EMAIL.with(PersonalData::IP_ADDRESS)), 2);
        assert_eq!(count(PersonalData::ALL), 2);
    }
}
