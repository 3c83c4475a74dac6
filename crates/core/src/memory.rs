//! A memory: what was observed, told or learned, and how far it may be trusted.

use std::collections::BTreeMap;
use std::str::FromStr;

use precedent_redact::CleanText;
use serde::{Serialize, Serializer};

use crate::text_enum::text_enum;
use crate::{Audience, Claim, MemoryId, Mention, Name, Namespace, Standing, Timestamp};

text_enum! {
    /// What a memory is about; each kind has indexes of its own, so that one broken index degrades
    /// one lane.
    pub enum Kind as "kind" {
        /// What happened.
        Episodic = "episodic",
        /// What holds.
        Semantic = "semantic",
        /// How to act.
        Procedural = "procedural",
    }
}

text_enum! {
    /// Where a memory comes from.
    pub enum Source as "source" {
        /// The host saw it happen.
        DirectObservation = "direct-observation",
        /// A person said it.
        ToldByUser = "told-by-user",
        /// A tool printed it.
        ToolResult = "tool-result",
        /// It was concluded from other memories.
        Inference = "inference",
        /// A model wrote it.
        ModelGenerated = "model-generated",
    }
}

text_enum! {
    /// What the host granted a memory; text cannot grant it to itself.
    pub enum Trust as "trust" {
        /// Nothing was granted: the memory informs, it does not control.
        Unverified = "unverified",
        /// The host or its user vouches for it.
        User = "user",
    }
}

text_enum! {
    /// How widely a content may travel.
    pub enum Classification as "classification" {
        /// Anywhere.
        Public = "public",
        /// Within the organisation and to its providers.
        Internal = "internal",
        /// To destinations that are cleared for it.
        Confidential = "confidential",
        /// Nowhere but into the store.
        Restricted = "restricted",
    }
}

text_enum! {
    /// The life of a memory.
    pub enum State as "state" {
        /// In force.
        Active = "active",
        /// Contradicted by another memory that is in force.
        Disputed = "disputed",
        /// Replaced by a newer memory.
        Superseded = "superseded",
        /// True under conditions only.
        ContextDependent = "context-dependent",
        /// Faded, kept for reference.
        Dormant = "dormant",
        /// Held back until somebody vouches for it.
        Quarantined = "quarantined",
        /// Undone together with the run that made it.
        RolledBack = "rolled-back",
    }
}

/// How much a memory matters, in thousandths; an integer, so that every backend stores it alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Salience(u16);

impl Salience {
    /// Half.
    pub const DEFAULT: Self = Self(500);

    /// Converts a share in [0, 1], clamping what lies outside; NaN becomes the default.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the value is clamped to 0..=1000 first"
    )]
    pub fn from_share(share: f64) -> Self {
        if share.is_nan() {
            Self::DEFAULT
        } else {
            Self((share.clamp(0.0, 1.0) * 1000.0).round() as u16)
        }
    }

    /// Wraps thousandths, clamping to 1000.
    pub const fn from_permille(permille: u16) -> Self {
        Self(if permille > 1000 { 1000 } else { permille })
    }

    /// Returns thousandths.
    pub const fn permille(self) -> u16 {
        self.0
    }

    /// Returns the share in [0, 1].
    pub fn share(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl Serialize for Salience {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.share())
    }
}

/// A memory as it is written and as it is read.
///
/// Text enters it through a redactor and in no other way:
///
/// ```
/// fn tell(memory: &mut precedent_core::Memory) {
///     memory.text = precedent_core::Redactor::new().clean("raw");
/// }
/// ```
///
/// ```compile_fail
/// fn tell(memory: &mut precedent_core::Memory) {
///     memory.text = String::from("raw");
/// }
/// ```
///
/// ```compile_fail
/// fn tag(memory: &mut precedent_core::Memory) {
///     memory.tags.push(String::from("raw"));
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// The id, random in its last ten bytes, never derived from content.
    pub id: MemoryId,
    /// What it is about.
    pub kind: Kind,
    /// Where it was written.
    pub namespace: Namespace,
    /// The agent that wrote it.
    pub agent: Name,
    /// The person or service on whose behalf it was written.
    pub actor: Name,
    /// Whether only `agent` may see it.
    pub private: bool,
    /// The access list of its source: who may see it, sorted; empty means all that the namespace
    /// admits.
    pub readers: Vec<Name>,
    /// How widely it may travel.
    pub classification: Classification,
    /// The content.
    pub text: CleanText,
    /// What it states, where that is known.
    pub claim: Option<Claim>,
    /// The entities that it mentions, sorted.
    pub mentions: Vec<Mention>,
    /// The memories that it was made of, sorted.
    pub derived_from: Vec<MemoryId>,
    /// Labels.
    pub tags: Vec<CleanText>,
    /// Where it comes from.
    pub source: Source,
    /// What the host granted it.
    pub trust: Trust,
    /// Further facts by name.
    pub context: BTreeMap<CleanText, CleanText>,
    /// How much it matters.
    pub salience: Salience,
    /// When it began to hold.
    pub valid_from: Option<Timestamp>,
    /// When it ceased to hold.
    pub valid_to: Option<Timestamp>,
    /// When the store recorded it; the store sets this.
    pub recorded_at: Timestamp,
    /// When the store retired it.
    pub retired_at: Option<Timestamp>,
    /// Where it stands in its life.
    pub state: State,
    /// The memory that this one replaces.
    pub supersedes: Option<MemoryId>,
    /// The memory that replaces this one.
    pub superseded_by: Option<MemoryId>,
    /// How often the record changed, from 1; the store sets this.
    pub version: u64,
}

impl Memory {
    /// Makes an active, shared, episodic memory that a user told, without any trust beyond that.
    pub fn new(
        id: MemoryId,
        namespace: Namespace,
        agent: Name,
        actor: Name,
        text: CleanText,
    ) -> Self {
        Self {
            id,
            kind: Kind::Episodic,
            namespace,
            agent,
            actor,
            private: false,
            readers: Vec::new(),
            classification: Classification::Internal,
            text,
            claim: None,
            mentions: Vec::new(),
            derived_from: Vec::new(),
            tags: Vec::new(),
            source: Source::ToldByUser,
            trust: Trust::Unverified,
            context: BTreeMap::new(),
            salience: Salience::DEFAULT,
            valid_from: None,
            valid_to: None,
            recorded_at: Timestamp::EPOCH,
            retired_at: None,
            state: State::Active,
            supersedes: None,
            superseded_by: None,
            version: 1,
        }
    }

    /// Returns the agent whose alone it is, if it is private.
    pub fn owner(&self) -> Option<&Name> {
        self.private.then_some(&self.agent)
    }

    /// Returns whom it is for.
    pub fn audience(&self) -> Audience<'_> {
        Audience {
            namespace: &self.namespace,
            owner: self.owner(),
            readers: &self.readers,
        }
    }

    /// Returns where it stands.
    pub fn standing(&self) -> Standing {
        Standing {
            state: self.state,
            valid_to: self.valid_to,
            superseded_by: self.superseded_by,
        }
    }

    /// Puts it where it stands from `at` on, or stood; a memory that is not in force is retired.
    pub fn stand(&mut self, standing: Standing, at: Timestamp) {
        self.state = standing.state;
        self.valid_to = standing.valid_to;
        self.superseded_by = standing.superseded_by;
        self.retired_at = (!standing.state.is_in_force()).then_some(at);
    }

    /// Tells whether it may take the place of `old`: both are for the same audience and, where
    /// both state something under a key, under the same one.
    pub fn may_replace(&self, old: &Self) -> bool {
        let topic = |memory: &Self| memory.claim.as_ref().map(Claim::topic);
        let topics = topic(self).zip(topic(old));
        self.id != old.id
            && self.audience() == old.audience()
            && topics.is_none_or(|(ours, theirs)| ours == theirs)
    }

    /// Tells whether the memory holds at an instant, by its validity interval.
    pub fn holds_at(&self, at: Timestamp) -> bool {
        self.valid_from.is_none_or(|from| from <= at) && self.valid_to.is_none_or(|to| at < to)
    }

    /// Tells whether the memory may control an action: trust granted by the host, and a source
    /// that was seen or told, not concluded.
    pub fn may_control(&self) -> bool {
        self.trust == Trust::User
            && matches!(self.source, Source::DirectObservation | Source::ToldByUser)
            && matches!(self.state, State::Active | State::Disputed)
    }
}

/// Returns the text that the lexical lane indexes: date, actor, content, tags.
///
/// Date and actor in the indexed text are worth two points of recall@10 on conversations; the
/// vector is of the bare content.
pub fn lexical_text(memory: &Memory) -> String {
    let mut text = String::with_capacity(memory.text.len() + 64);
    if let Some(at) = memory.valid_from {
        let (day, month, year) = at.day_month_year();
        text.push_str(&format!("[{day} {month} {year}] "));
    }
    text.push_str(memory.actor.as_str());
    text.push_str(": ");
    text.push_str(&memory.text);
    for tag in &memory.tags {
        text.push('\n');
        text.push_str(tag);
    }
    text
}

/// Parses a share in [0, 1].
impl FromStr for Salience {
    type Err = crate::UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Self::from_share(share)),
            _ => Err(crate::UnknownName {
                what: "salience",
                expected: "a number from 0 to 1",
            }),
        }
    }
}
