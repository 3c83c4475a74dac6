//! Lists of ids in a certificate's scope: in full while short, by count and tree head when long.

use serde::{Deserialize, Serialize};

use crate::merkle;

/// How many ids a list holds before its count and root stand for it.
pub const MAX_LISTED_IDS: usize = 1_000;

/// Ids in full, or their count and tree head when there are more than [`MAX_LISTED_IDS`].
///
/// The two forms differ in their JSON type, so reading cannot confuse them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum IdList {
    /// The ids.
    Ids(Vec<String>),
    /// Their count and root.
    Root(IdRoot),
}

/// What stands for a long list of ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdRoot {
    /// How many ids.
    pub count: u64,
    /// RFC 6962 tree head over the sorted ids, in hexadecimal.
    pub root: String,
}

impl IdList {
    /// Lists the ids in byte order, or their count and root when they are many.
    pub fn new(mut ids: Vec<String>) -> Self {
        if ids.len() > MAX_LISTED_IDS {
            return Self::Root(IdRoot::new(&ids));
        }
        ids.sort_unstable();
        Self::Ids(ids)
    }

    /// How many ids the list stands for.
    pub fn count(&self) -> u64 {
        match self {
            Self::Ids(ids) => ids.len() as u64,
            Self::Root(root) => root.count,
        }
    }
}

impl IdRoot {
    /// Counts the ids and computes their tree head.
    pub fn new(ids: &[String]) -> Self {
        Self {
            count: ids.len() as u64,
            root: merkle::root_of_ids(ids).to_string(),
        }
    }
}

/// Derived records: ids and replacements, or count and root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DerivedList {
    /// What happened to each.
    Ids(Vec<DerivedId>),
    /// Their count and root.
    Root(IdRoot),
}

/// What happened to one derived record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DerivedId {
    /// It was deleted.
    Deleted(String),
    /// It was made anew from its other sources.
    Regenerated(Regenerated),
}

/// A record and the one made in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regenerated {
    /// The record that went.
    pub old: String,
    /// The record in its place.
    pub new: String,
}

impl DerivedList {
    /// Lists deleted ids in byte order, or their count and root when they are many.
    pub fn deleted(mut ids: Vec<String>) -> Self {
        if ids.len() > MAX_LISTED_IDS {
            return Self::Root(IdRoot::new(&ids));
        }
        ids.sort_unstable();
        Self::Ids(ids.into_iter().map(DerivedId::Deleted).collect())
    }
}
