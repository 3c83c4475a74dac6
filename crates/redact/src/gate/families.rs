//! The groups of rules that a place in a text can concern.

use std::ops::{BitOr, BitOrAssign};

/// A set of groups of rules.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Families(u16);

impl Families {
    pub(crate) const NONE: Self = Self(0);
    #[cfg(test)]
    pub(crate) const ALL: Self = Self(u16::MAX);
    pub(crate) const KEY: Self = Self(1);
    pub(crate) const VENDOR: Self = Self(1 << 1);
    pub(crate) const URL: Self = Self(1 << 2);
    pub(crate) const HTTP: Self = Self(1 << 3);
    pub(crate) const CLI: Self = Self(1 << 4);
    pub(crate) const LINES: Self = Self(1 << 5);
    pub(crate) const RECOVERY: Self = Self(1 << 6);
    pub(crate) const NUMBER: Self = Self(1 << 7);
    pub(crate) const RUN: Self = Self(1 << 8);
    pub(crate) const ARMOUR: Self = Self(1 << 9);
    /// A line that may open a JSON document.
    pub(crate) const JSON: Self = Self(1 << 10);
    pub(crate) const PHRASE: Self = Self(1 << 11);
    /// Text that reads otherwise once its escapes are decoded.
    pub(crate) const VIEW: Self = Self(1 << 12);

    /// Joins two sets.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Tells whether any of these groups is in the set.
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Tells whether all of these groups are in the set.
    pub(crate) fn has_all(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Families {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

impl BitOrAssign for Families {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
