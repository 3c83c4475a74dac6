//! Who acts: the name in the log, the agent that does it, where it stands, what for, and what the
//! host granted.

use std::collections::BTreeSet;

use crate::text_enum::text_enum;
use crate::{CommitId, Header, Name, Namespace, Scope, Timestamp};

text_enum! {
    /// One thing that a principal may do. What is not granted looks like what does not exist.
    pub enum Grant as "grant" {
        /// Recall and read memories, events, rules and what hangs on them.
        Read = "read",
        /// Remember, and record what happened.
        Write = "write",
        /// Vouch for a memory, so that it controls; release it from quarantine.
        Vouch = "vouch",
        /// Store content as it was said, without a language model.
        Verbatim = "verbatim",
        /// Store content without a language model telling names apart.
        DeterministicEntities = "deterministic-entities",
        /// Store content without anything leaving the process.
        LocalOnly = "local-only",
        /// Retire, restore, revert, dispute and resolve.
        Correct = "correct",
        /// Erase.
        Forget = "forget",
        /// Read the audit log and its certificates.
        Audit = "audit",
        /// Take memories out of the store in bulk, and bring them in.
        Transfer = "transfer",
        /// Run maintenance, and ask for the store's status and its namespaces.
        Maintain = "maintain",
        /// Act for somebody else, or in a namespace that is not below one's own.
        Delegate = "delegate",
    }
}

/// What the host granted a principal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grants {
    /// What it may do.
    pub may: BTreeSet<Grant>,
    /// The groups that access lists know it by, beside its actor.
    pub groups: Vec<Name>,
}

impl Grants {
    /// Grants everything: to the owner of a store.
    pub fn all() -> Self {
        Self::of(Grant::ALL)
    }

    /// Grants this and nothing else.
    pub fn of(grants: &[Grant]) -> Self {
        Self {
            may: grants.iter().copied().collect(),
            groups: Vec::new(),
        }
    }

    /// Tells whether this is granted.
    pub fn has(&self, grant: Grant) -> bool {
        self.may.contains(&grant)
    }
}

/// Somebody who reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// On whose behalf.
    pub actor: Name,
    /// By which agent.
    pub agent: Name,
    /// Where; writes go here, reads see this and its ancestors.
    pub namespace: Namespace,
    /// What for, such as `assist`.
    pub purpose: Name,
    /// What the host granted.
    pub grants: Grants,
}

impl Principal {
    /// Returns what the principal may see.
    pub fn scope(&self) -> Scope {
        let mut names = vec![self.actor.clone()];
        names.extend(self.grants.groups.iter().cloned());
        Scope {
            namespace: self.namespace.clone(),
            agent: self.agent.clone(),
            names,
        }
    }

    /// Returns the header of a commit by this principal.
    pub fn header(&self, id: CommitId, at: Timestamp) -> Header {
        Header {
            id,
            at,
            actor: self.actor.clone(),
            agent: self.agent.clone(),
            namespace: self.namespace.clone(),
            purpose: self.purpose.clone(),
        }
    }
}
