//! What was masked, told without any of it.

use std::collections::BTreeMap;

use std::fmt;
use std::sync::OnceLock;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::class::Class;
use crate::context::Context;
use crate::custom::RuleSet;
use crate::scan;

/// Tells what a redaction did. It holds no raw value, no raw length and no hash of one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Whether anything was masked.
    pub state: State,
    /// Identity of the rules that did the work.
    pub ruleset_id: RulesetId,
    /// Length of the input in bytes.
    pub bytes_in: usize,
    /// Length of the output in bytes.
    pub bytes_out: usize,
    /// Number of findings of each class.
    pub counts: BTreeMap<Class, u64>,
    /// Where the new markers are in the output; empty for values, whose output is not one text.
    pub spans: Vec<ReportSpan>,
    /// Most encodings that had to be undone to see a secret.
    pub decoded_depth: u8,
    /// How many findings an allow list let pass.
    pub suppressed_by_allow: u64,
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
    /// Name of the rule that found it.
    pub rule: &'static str,
    /// How sure the rule is.
    pub confidence: Confidence,
}

/// Tells whether anything was masked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing was found.
    #[default]
    Clean,
    /// Something was masked.
    Redacted,
}

/// How sure a rule is of what it finds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// The value only looks random.
    Low,
    /// A key or a surrounding speaks for it.
    Medium,
    /// Its own form gives it away, or a check digit confirms it.
    High,
}

/// Identifies a set of rules: the first eight bytes of SHA-256 (FIPS 180-4) over the names of
/// all rules, in hexadecimal outside.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct RulesetId(pub(crate) Option<[u8; 8]>);

impl RulesetId {
    /// The catalogue with rules of a user's own.
    pub(crate) fn with(rules: &RuleSet) -> Self {
        let own = (0..rules.len()).filter_map(|at| rules.id(at));
        Self(Some(digest(own)))
    }

    fn bytes(self) -> [u8; 8] {
        static BUILT_IN: OnceLock<[u8; 8]> = OnceLock::new();
        self.0
            .unwrap_or_else(|| *BUILT_IN.get_or_init(|| digest(std::iter::empty())))
    }
}

fn digest<'a>(own: impl Iterator<Item = &'a str>) -> [u8; 8] {
    let mut hash = Sha256::new();
    hash.update(CATALOGUE);
    for rule in scan::rules() {
        hash.update(rule.id);
        hash.update([0]);
    }
    for id in own {
        hash.update(id);
        hash.update([1]);
    }
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.finalize()[..8]);
    bytes
}

impl fmt::Display for RulesetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes();
        bytes.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for RulesetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for RulesetId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Version of the catalogue; it changes when a rule does without its name.
const CATALOGUE: &str = env!("CARGO_PKG_VERSION");

impl Report {
    /// Tells whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.counts.is_empty()
    }

    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Notes what one call of a redactor did beyond its findings.
    pub(crate) fn settle(&mut self, context: &Context<'_>) {
        self.ruleset_id = context.settings().ruleset;
        self.suppressed_by_allow += context.suppressed();
        self.forced_cuts += context.forced();
    }

    pub(crate) fn count(&mut self, class: Class) {
        self.state = State::Redacted;
        *self.counts.entry(class).or_default() += 1;
    }

    /// Adds the counts and lengths of another report; its offsets have no meaning here.
    pub(crate) fn absorb(&mut self, other: &Self) {
        if other.state == State::Redacted {
            self.state = State::Redacted;
        }
        self.decoded_depth = self.decoded_depth.max(other.decoded_depth);
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
        for (class, count) in &other.counts {
            *self.counts.entry(*class).or_default() += count;
        }
    }
}
