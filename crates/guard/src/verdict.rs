//! What the guard answers: a decision with its evidence, in words for people and ids for programs.

use precedent_core::{CleanText, Decision, ReceiptId};
use serde::Serialize;

/// What a warning rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceClass {
    /// A failure of the very same action.
    PriorFailure,
    /// A failure of a similar action.
    NearFailure,
    /// A rule that must be followed.
    MustFollow,
    /// A preference.
    Preference,
    /// Rules that contradict each other.
    Conflict,
    /// A memory of a risk.
    Risk,
    /// Something that could not be looked at.
    RecallDegraded,
    /// A success that clears an earlier failure.
    Success,
}

/// One piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvidenceRef {
    /// The id of a memory or an event, or the name of a lane that failed.
    pub id: CleanText,
    /// What kind of evidence it is.
    pub class: EvidenceClass,
    /// Why it applies.
    pub reason: CleanText,
}

/// How much a warning weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Good to know; changes nothing.
    Info,
    /// Worth a look before acting.
    Medium,
    /// Reason enough not to act.
    High,
}

/// One thing that preflight found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// What it rests on.
    pub class: EvidenceClass,
    /// How much it weighs.
    pub weight: Weight,
    /// What it says.
    pub message: CleanText,
    /// What to do about it.
    pub recommendation: Option<CleanText>,
    /// Ids of its evidence.
    pub evidence: Vec<CleanText>,
}

/// How a reflex answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReflexKind {
    /// It tells.
    Guide,
    /// It warns.
    Warn,
    /// It holds back.
    Block,
}

/// A warning in the form of a habit: before this, do that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reflex {
    /// When it applies.
    pub trigger: CleanText,
    /// How it answers.
    pub kind: ReflexKind,
    /// What to do.
    pub response: CleanText,
    /// Ids of its evidence.
    pub evidence: Vec<CleanText>,
}

/// The guard's answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Allow, warn or block.
    pub decision: Decision,
    /// Risk in [0, 1].
    pub risk_score: f64,
    /// One sentence.
    pub summary: CleanText,
    /// Why, warning by warning.
    pub rationale: Vec<CleanText>,
    /// What it rests on.
    pub evidence: Vec<EvidenceRef>,
    /// What preflight found, heaviest first.
    pub warnings: Vec<Warning>,
    /// What to do.
    pub recommendations: Vec<CleanText>,
    /// The warnings as habits.
    pub reflexes: Vec<Reflex>,
    /// Lanes and records that could not be looked at.
    pub recall_errors: Vec<CleanText>,
    /// The receipt that the outcome closes; none when it could not be recorded.
    pub receipt: Option<ReceiptId>,
    /// How long the guard took, in microseconds.
    pub latency_us: u64,
}

impl Verdict {
    /// Returns the ids of the evidence, in order.
    pub fn evidence_ids(&self) -> impl Iterator<Item = &CleanText> {
        self.evidence.iter().map(|evidence| &evidence.id)
    }
}
