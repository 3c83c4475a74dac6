//! What a rule of the catalogue says about itself.

use crate::class::Class;

/// Describes one rule: its name, what it finds, and where its form is documented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Unique name, lower case with hyphens.
    pub id: &'static str,
    /// The class that its findings are marked with.
    pub class: Class,
    /// The vendor's documentation or the format description that the rule follows.
    pub source: &'static str,
}
