//! What the host decides for all writers: how widely content may travel, and who asks a model.

use std::collections::BTreeMap;

use precedent_core::{Classification, UnknownName};

/// A place that content may go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Destination {
    /// A language model that extracts, verifies or decides.
    LlmExtraction,
    /// An embedder that is not part of this process.
    EmbeddingProvider,
    /// The store.
    CanonicalStore,
    /// A file of exported memories.
    Export,
    /// The context of an agent's host.
    HookOutput,
}

impl Destination {
    /// Every destination.
    pub const ALL: [Self; 5] = [
        Self::LlmExtraction,
        Self::EmbeddingProvider,
        Self::CanonicalStore,
        Self::Export,
        Self::HookOutput,
    ];

    /// Returns the destination's one spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LlmExtraction => "llm-extraction",
            Self::EmbeddingProvider => "embedding-provider",
            Self::CanonicalStore => "canonical-store",
            Self::Export => "export",
            Self::HookOutput => "hook-output",
        }
    }
}

impl std::fmt::Display for Destination {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for Destination {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.into_iter().find(|it| it.as_str() == text);
        found.ok_or(UnknownName {
            what: "destination",
            expected: "llm-extraction, embedding-provider, canonical-store, export, hook-output",
        })
    }
}

/// What a destination is cleared for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clearance {
    /// The most confidential content that it may see.
    pub up_to: Classification,
    /// Where it is, such as `eu`; none where that is of no concern.
    pub region: Option<String>,
}

/// What the host decides for all writers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WritePolicy {
    /// Whether candidates that a model extracted need its confirmation.
    pub verify: bool,
    /// The region that content has to stay in; none where that is of no concern.
    pub region: Option<String>,
    /// What each destination is cleared for; one that is not listed is cleared for nothing.
    pub clearances: BTreeMap<Destination, Clearance>,
    /// How content in which the redactor masked something is classified at least.
    pub after_redaction: Classification,
}

impl Default for WritePolicy {
    /// The store takes everything, an export what its owner may read, a host what is not
    /// restricted, and providers what is internal.
    fn default() -> Self {
        let up_to = |up_to| Clearance {
            up_to,
            region: None,
        };
        Self {
            verify: true,
            region: None,
            clearances: BTreeMap::from([
                (Destination::LlmExtraction, up_to(Classification::Internal)),
                (
                    Destination::EmbeddingProvider,
                    up_to(Classification::Internal),
                ),
                (
                    Destination::CanonicalStore,
                    up_to(Classification::Restricted),
                ),
                (Destination::Export, up_to(Classification::Restricted)),
                (Destination::HookOutput, up_to(Classification::Confidential)),
            ]),
            after_redaction: Classification::Confidential,
        }
    }
}

/// Content that may not go where the request would send it; nothing of it went there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "content classified {class} may not go to {destination}; choose a lane that does not need it, \
     or clear the destination"
)]
pub struct Egress {
    /// Where it would have gone.
    pub destination: Destination,
    /// How it is classified.
    pub class: Classification,
}

impl WritePolicy {
    /// Checks that content of a class may go to a destination.
    ///
    /// # Errors
    /// [`Egress`] when the destination is not cleared for it, or is in another region.
    pub fn check(&self, destination: Destination, class: Classification) -> Result<(), Egress> {
        let cleared = self.clearances.get(&destination).is_some_and(|clearance| {
            let here = self.region.is_none()
                || clearance.region.is_none()
                || self.region == clearance.region;
            class <= clearance.up_to && here
        });
        if cleared {
            Ok(())
        } else {
            Err(Egress { destination, class })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_see_what_they_are_cleared_for() {
        let policy = WritePolicy::default();
        let ok = |destination, class| policy.check(destination, class).is_ok();
        assert!(ok(Destination::LlmExtraction, Classification::Internal));
        assert!(!ok(
            Destination::LlmExtraction,
            Classification::Confidential
        ));
        assert!(ok(Destination::CanonicalStore, Classification::Restricted));
        assert!(!ok(Destination::HookOutput, Classification::Restricted));
    }

    #[test]
    fn another_region_and_an_unlisted_destination_see_nothing() {
        let mut policy = WritePolicy {
            region: Some("eu".to_owned()),
            ..WritePolicy::default()
        };
        let embed = Destination::EmbeddingProvider;
        if let Some(clearance) = policy.clearances.get_mut(&embed) {
            clearance.region = Some("us".to_owned());
        }
        assert!(policy.check(embed, Classification::Public).is_err());
        policy.clearances.remove(&Destination::Export);
        let refused = policy.check(Destination::Export, Classification::Public);
        assert_eq!(
            refused.map_err(|egress| egress.destination),
            Err(Destination::Export)
        );
    }
}
