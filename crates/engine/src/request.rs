//! What a caller asks to be remembered, as it was said: nothing of it is redacted yet.

use std::collections::BTreeMap;
use std::fmt;

use precedent_core::{
    ActionPattern, Classification, CleanText, Control, Grant, Kind, MemoryId, Principal, Salience,
    Severity, Source, State, Timestamp, Trust,
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

/// What an item states, as the caller said it.
#[derive(Clone, PartialEq, Eq)]
pub struct ClaimDraft {
    /// What it is about; the actor by default.
    pub subject: Option<String>,
    /// Which property of it.
    pub key: String,
    /// What holds; none where the text alone says it.
    pub value: Option<String>,
}

impl fmt::Debug for ClaimDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClaimDraft(..)")
    }
}

/// What an exported memory keeps when it is brought in again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its id.
    pub id: MemoryId,
    /// Where it stood.
    pub state: State,
    /// The memory that replaced it.
    pub superseded_by: Option<MemoryId>,
}

/// How a request may be worked on. All but the normal lane have to be granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WriteLane {
    /// With all that is configured.
    #[default]
    Normal,
    /// Without a language model: the caller's own words are stored as they are.
    Verbatim,
    /// Without a language model telling names apart: an unknown name is a new entity.
    DeterministicEntities,
    /// Without anything leaving the process, and without changes to the registry of entities.
    LocalOnly,
}

impl WriteLane {
    /// Returns the lane's one spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Verbatim => "verbatim",
            Self::DeterministicEntities => "deterministic-entities",
            Self::LocalOnly => "local-only",
        }
    }

    /// Returns what has to be granted for it.
    pub const fn grant(self) -> Option<Grant> {
        match self {
            Self::Normal => None,
            Self::Verbatim => Some(Grant::Verbatim),
            Self::DeterministicEntities => Some(Grant::DeterministicEntities),
            Self::LocalOnly => Some(Grant::LocalOnly),
        }
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
    /// The version of the replaced memory that this was thought of; any if none. Who reads, thinks
    /// and writes back loses nothing that was changed meanwhile.
    pub supersedes_version: Option<u64>,
    /// Its control part; kept only if the memory may control.
    pub rules: Vec<RuleDraft>,
    /// Memories whose rules cannot be followed together with its own.
    pub contradicts: Vec<MemoryId>,
    /// What it states; read from the text where that is plain.
    pub claim: Option<ClaimDraft>,
    /// The names of what it is about, beside those that the text shows.
    pub entities: Vec<String>,
    /// The access list of its source; empty means all that the namespace admits.
    pub readers: Vec<String>,
    /// How widely it may travel, at most.
    pub classification: Classification,
    /// The memories that it was made of; it inherits their being held back.
    pub derived_from: Vec<MemoryId>,
    /// What it keeps of an earlier life in a store. It is put back as it stood, beside what is there,
    /// unless its id is known or was erased.
    pub record: Option<Record>,
    /// Whether its origin is not trusted: it is held back until somebody vouches for it.
    pub untrusted: bool,
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
            supersedes_version: None,
            rules: Vec::new(),
            contradicts: Vec::new(),
            claim: None,
            entities: Vec::new(),
            readers: Vec::new(),
            classification: Classification::Internal,
            derived_from: Vec::new(),
            record: None,
            untrusted: false,
        }
    }

    /// States `value` under `key` of `subject`, or of the actor.
    #[must_use]
    pub fn stating(mut self, subject: Option<&str>, key: &str, value: Option<&str>) -> Self {
        self.claim = Some(ClaimDraft {
            subject: subject.map(str::to_owned),
            key: key.to_owned(),
            value: value.map(str::to_owned),
        });
        self
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
    /// How it may be worked on.
    pub lane: WriteLane,
    /// Whether the items are content that is taken apart into facts; otherwise each is stored as
    /// one memory.
    pub extract: bool,
    /// The most facts that are stored of the request; those beyond are rejected.
    pub max_facts: Option<usize>,
    /// Whether memories that say almost the same are looked for, to be reported.
    pub compare_meaning: bool,
}

impl Remember {
    /// Asks for items to be remembered as they are, in the normal lane.
    pub const fn new(by: Principal, items: Vec<RememberItem>) -> Self {
        Self {
            by,
            items,
            idempotency_key: None,
            lane: WriteLane::Normal,
            extract: false,
            max_facts: None,
            compare_meaning: true,
        }
    }

    /// Writes everything that the request says, for its keyed digest only.
    pub(crate) fn whole(&self) -> String {
        let items: Vec<String> = self.items.iter().map(RememberItem::whole).collect();
        json!([items, self.lane.as_str(), self.extract, self.max_facts]).to_string()
    }
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
    fn whole(&self) -> String {
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
            (self.supersedes, self.supersedes_version),
            rules,
            self.claim
                .as_ref()
                .map(|it| (&it.subject, &it.key, &it.value)),
            self.entities,
            self.readers,
            self.classification,
            self.derived_from,
            self.untrusted,
            self.record.map(|it| (it.id, it.state, it.superseded_by)),
        ])
        .to_string()
    }
}

impl<T: Into<String>> From<T> for RememberItem {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}
