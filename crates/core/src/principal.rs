//! Who acts: the name in the log, the agent that does it, where it stands and what for.

use crate::{CommitId, Header, Name, Namespace, Scope, Timestamp};

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
}

impl Principal {
    /// Returns what the principal may see.
    pub fn scope(&self) -> Scope {
        Scope {
            namespace: self.namespace.clone(),
            agent: self.agent.clone(),
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
