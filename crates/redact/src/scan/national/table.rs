//! What describes the identity number of a country: form, check digit, labels, and who issues it.

use super::check::Check;
use super::{europe, world};
use crate::class::{Class, NATIONAL_ID};

/// Describes the number of one country.
pub(super) struct Scheme {
    pub(super) id: &'static str,
    pub(super) class: Class,
    /// Its characters without separators: `9` a digit, `A` a letter, `X` either. Any other
    /// character stands for itself.
    pub(super) forms: &'static [&'static str],
    pub(super) check: Check,
    /// Words that announce the number. A blank stands for a blank, `_`, `-` or nothing.
    pub(super) labels: &'static [&'static str],
    /// Whether a labelled number must pass the check, since the labels have other meanings.
    pub(super) strict: bool,
    /// The spelling that needs no label, since nothing else is written so and passes the check.
    pub(super) bare: &'static [&'static str],
    pub(super) source: &'static str,
}

pub(super) const fn scheme(
    id: &'static str,
    forms: &'static [&'static str],
    check: Check,
    labels: &'static [&'static str],
    source: &'static str,
) -> Scheme {
    Scheme {
        id,
        class: NATIONAL_ID,
        forms,
        check,
        labels,
        strict: false,
        bare: &[],
        source,
    }
}

impl Scheme {
    pub(super) const fn strict(self) -> Self {
        Self {
            strict: true,
            ..self
        }
    }

    pub(super) const fn bare(self, bare: &'static [&'static str]) -> Self {
        Self { bare, ..self }
    }

    pub(super) const fn of(self, class: Class) -> Self {
        Self { class, ..self }
    }
}

/// Lists every scheme.
pub(super) fn schemes() -> impl Iterator<Item = &'static Scheme> {
    europe::SCHEMES.iter().chain(world::SCHEMES)
}
