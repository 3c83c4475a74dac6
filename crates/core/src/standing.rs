//! Where a memory stands, and how it came there: the part of a record that changes.

use serde::Serialize;

use crate::audit::Op;
use crate::{MemoryId, State, Timestamp};

/// What can change of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Where it stands in its life.
    pub state: State,
    /// When it ceases to hold.
    pub valid_to: Option<Timestamp>,
    /// The memory that replaces it.
    pub superseded_by: Option<MemoryId>,
}

/// One stretch of a memory's life; it ends where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Revision {
    /// The record's version, from 1.
    pub version: u64,
    /// When the store recorded it.
    pub since: Timestamp,
    /// Where the memory stood.
    pub standing: Standing,
}

/// A change of standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Whose.
    pub memory: MemoryId,
    /// As what the log records it.
    pub op: Op,
    /// Where it stands from now on.
    pub to: Standing,
}

impl Transition {
    /// Tells whether a memory that stands like this may change so; the one table of legal moves,
    /// which every store asks.
    ///
    /// * Dispute and resolve move between states in force, or to superseded.
    /// * Retire hides what is in force, restore brings it back; so does quarantine, and promote.
    /// * Revert puts back to where a memory stood, or rolls back what was not there: anything but
    ///   what is held back, which is for promote alone.
    pub fn is_legal_from(&self, from: &Standing) -> bool {
        use State::{Active, ContextDependent, Disputed, Dormant, Quarantined, Superseded};
        let legal = match self.op {
            Op::Dispute => from.state.is_in_force() && self.to.state == Disputed,
            Op::Resolve => {
                let resolved = matches!(self.to.state, Active | ContextDependent | Superseded);
                from.state.is_in_force() && resolved
            }
            Op::Retire => from.state.is_in_force() && self.to.state == Dormant,
            // What was disputed with a memory that is gone stays disputed until it is restored.
            Op::Restore => matches!(from.state, Dormant | Disputed) && self.to.state.is_in_force(),
            Op::Quarantine => from.state.is_in_force() && self.to.state == Quarantined,
            Op::Promote => from.state == Quarantined && self.to.state == Active,
            Op::Revert => from.state != Quarantined && self.to.state != Quarantined,
            // Closes the validity of what another memory replaces from then on.
            Op::Supersede => {
                from.state == self.to.state
                    && (from.state.is_in_force() || from.state == Superseded)
            }
            _ => false,
        };
        legal && (self.to.state == Superseded) == self.to.superseded_by.is_some()
    }
}

impl State {
    /// Tells whether a memory in this state counts for repeats, replacements and recall.
    pub const fn is_in_force(self) -> bool {
        matches!(self, Self::Active | Self::Disputed | Self::ContextDependent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal(op: Op, from: State, to: State) -> bool {
        let id = MemoryId::from_bytes([1; 16]);
        let standing = |state| Standing {
            state,
            valid_to: None,
            superseded_by: (state == State::Superseded).then_some(id),
        };
        let transition = Transition {
            memory: MemoryId::from_bytes([2; 16]),
            op,
            to: standing(to),
        };
        transition.is_legal_from(&standing(from))
    }

    #[test]
    fn only_lawful_moves_are_legal() {
        use State::{Active, Disputed, Dormant, Quarantined, RolledBack, Superseded};
        for (op, from, to) in [
            (Op::Dispute, Active, Disputed),
            (Op::Resolve, Disputed, Active),
            (Op::Resolve, Disputed, Superseded),
            (Op::Retire, Active, Dormant),
            (Op::Restore, Dormant, Active),
            (Op::Restore, Disputed, Active),
            (Op::Quarantine, Active, Quarantined),
            (Op::Promote, Quarantined, Active),
            (Op::Revert, Active, RolledBack),
            (Op::Revert, Superseded, Active),
            (Op::Revert, RolledBack, Active),
            (Op::Revert, Superseded, RolledBack),
            (Op::Revert, Active, Superseded),
            (Op::Revert, Superseded, Superseded),
            (Op::Supersede, Active, Active),
        ] {
            assert!(legal(op, from, to), "{op}: {from} to {to}");
        }
        for (op, from, to) in [
            (Op::Restore, Quarantined, Active),
            (Op::Restore, Superseded, Active),
            (Op::Promote, Dormant, Active),
            (Op::Retire, Quarantined, Dormant),
            (Op::Dispute, Superseded, Disputed),
            (Op::Revert, Quarantined, Active),
            (Op::Revert, Active, Quarantined),
            (Op::Supersede, Active, Superseded),
            (Op::Write, Active, Active),
            (Op::Forget, Active, Dormant),
        ] {
            assert!(!legal(op, from, to), "{op}: {from} to {to}");
        }
    }

    #[test]
    fn what_is_superseded_names_its_successor_and_nothing_else_does() {
        let mut transition = Transition {
            memory: MemoryId::from_bytes([2; 16]),
            op: Op::Resolve,
            to: Standing {
                state: State::Superseded,
                valid_to: None,
                superseded_by: None,
            },
        };
        let disputed = Standing {
            state: State::Disputed,
            ..transition.to
        };
        assert!(!transition.is_legal_from(&disputed));
        transition.to.state = State::Active;
        assert!(transition.is_legal_from(&disputed));
        transition.to.superseded_by = Some(MemoryId::from_bytes([3; 16]));
        assert!(!transition.is_legal_from(&disputed));
    }
}
