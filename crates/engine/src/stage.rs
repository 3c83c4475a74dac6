//! The stages of a write, for those who want to follow it.

/// A stage of a write, in the order in which they are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// How widely may it travel?
    Classify,
    /// What does it say?
    Extraction,
    /// Does it really say so?
    Verification,
    /// What does it mean?
    Embedding,
    /// What is it about?
    Entities,
    /// What is known of it already?
    Compare,
    /// Store it.
    Commit,
}

impl Stage {
    /// Returns the stage's one spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Classify => "classify",
            Self::Extraction => "extraction",
            Self::Verification => "verification",
            Self::Entities => "entities",
            Self::Embedding => "embedding",
            Self::Compare => "compare",
            Self::Commit => "commit",
        }
    }
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Follows writes: called before each stage begins, and before each time that one is repeated.
pub trait StageHook: Send + Sync {
    /// A stage begins for so many candidates.
    fn on_stage(&self, stage: Stage, candidates: usize);
}
