//! Entities: what memories are about, under all the names that they are known by.

use precedent_redact::CleanText;
use serde::Serialize;

use crate::{Audience, EntityId, Name, Namespace, Scope, Timestamp, normalise};

/// A name of an entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alias {
    /// The name.
    pub name: CleanText,
    /// Whether the host registered it; otherwise it goes with the last memory that mentions it.
    pub registered: bool,
}

/// Something that memories of one audience mention.
///
/// A name, in [normal form](normalise), is unique within an audience. An entity exists as long as
/// it has a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entity {
    /// The id.
    pub id: EntityId,
    /// Where it is known.
    pub namespace: Namespace,
    /// The agent that named it first.
    pub agent: Name,
    /// Whether only `agent` knows it.
    pub private: bool,
    /// Who may know it; empty means all that the namespace admits.
    pub readers: Vec<Name>,
    /// Its names, the first one the canonical one.
    pub names: Vec<Alias>,
    /// When it was recorded; the store sets this.
    pub recorded_at: Timestamp,
}

impl Entity {
    /// Returns whom it is for.
    pub fn audience(&self) -> Audience<'_> {
        Audience {
            namespace: &self.namespace,
            owner: self.private.then_some(&self.agent),
            readers: &self.readers,
        }
    }

    /// Tells whether one of its names is this one, in normal form.
    pub fn is_named(&self, normal: &str) -> bool {
        self.names
            .iter()
            .any(|alias| normalise(&alias.name) == normal)
    }
}

/// A mention of an entity in a memory, under the name that the memory uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Mention {
    /// The entity.
    pub entity: EntityId,
    /// The name.
    pub name: CleanText,
}

/// By what entities are looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityKey {
    /// By names in normal form.
    Names(Vec<String>),
    /// By ids.
    Ids(Vec<EntityId>),
    /// By nothing: all, by id.
    Any,
}

/// Asks for entities, by id.
#[derive(Clone, Debug)]
pub struct EntityQuery {
    /// Who asks.
    pub scope: Scope,
    /// By what.
    pub key: EntityKey,
    /// Only ids above this one, for paging.
    pub after: Option<EntityId>,
    /// How many at most.
    pub limit: usize,
}
