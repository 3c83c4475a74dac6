//! Where a claim belongs among those that were made under the same subject and key.
//!
//! A pure rule: whatever the order of arrival, at each instant at most one of them holds.

use precedent_core::{Memory, Source, State, Timestamp, Trust};

/// Where a new claim belongs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Position<'a> {
    /// The claim that holds when the new one begins, and ends there.
    pub(super) before: Option<&'a Memory>,
    /// The claim that begins next, where the new one ends.
    pub(super) after: Option<&'a Memory>,
}

/// Finds the place of a claim that begins at `from` among the claims that hold or held.
pub(super) fn position(timeline: &[Memory], from: Timestamp) -> Position<'_> {
    let starts = |memory: &Memory| memory.valid_from.unwrap_or(Timestamp::EPOCH);
    // Of those that begin together, the later written one holds; the others hold never.
    let order = |memory: &&Memory| (starts(memory), memory.recorded_at, memory.id);
    let before = timeline
        .iter()
        .filter(|memory| starts(memory) <= from && memory.valid_to.is_none_or(|end| end > from))
        .max_by_key(order);
    let after = timeline
        .iter()
        .filter(|memory| starts(memory) > from && memory.valid_to != Some(starts(memory)))
        .min_by_key(order);
    Position { before, after }
}

/// Tells whether what a memory says may be replaced by another's word.
pub(crate) fn may_overrule(new: &Memory, old: &Memory) -> bool {
    standing(new) >= standing(old)
}

/// How much a memory's word counts against another's.
fn standing(memory: &Memory) -> u8 {
    match (memory.trust, memory.source) {
        (Trust::User, _) => 4,
        (_, Source::DirectObservation | Source::ToldByUser) => 3,
        (_, Source::ToolResult) => 2,
        (_, Source::Inference) => 1,
        (_, Source::ModelGenerated) => 0,
    }
}

/// Tells whether a claim takes part in the timeline: what is hidden, held back or rolled back
/// does not.
pub(super) fn takes_part(memory: &Memory) -> bool {
    memory.state.is_in_force() || memory.state == State::Superseded
}

#[cfg(test)]
mod tests {
    use super::*;
    use precedent_core::{MemoryId, Name, Namespace, Redactor};

    fn claim(n: u8, from: i64, to: Option<i64>) -> Memory {
        let clean = |text: &str| Redactor::new().clean(text);
        let name = || Name::parse(clean("ada")).expect("a plain name");
        let namespace = Namespace::parse(clean("a")).expect("a plain namespace");
        let at = |ms| Timestamp::from_millis(ms).expect("an instant of today");
        Memory {
            valid_from: Some(at(from)),
            valid_to: to.map(at),
            ..Memory::new(
                MemoryId::from_bytes([n; 16]),
                namespace,
                name(),
                name(),
                clean("x"),
            )
        }
    }

    fn found(timeline: &[Memory], from: i64) -> (Option<u8>, Option<u8>) {
        let from = Timestamp::from_millis(from).expect("an instant of today");
        let position = position(timeline, from);
        let number = |memory: &Memory| memory.id.as_bytes()[0];
        (position.before.map(number), position.after.map(number))
    }

    #[test]
    fn a_claim_goes_between_its_neighbours() {
        let timeline = [
            claim(1, 10, Some(20)),
            claim(2, 20, Some(30)),
            claim(3, 30, None),
        ];
        for (from, expected) in [
            (5, (None, Some(1))),
            (10, (Some(1), Some(2))),
            (15, (Some(1), Some(2))),
            (25, (Some(2), Some(3))),
            (30, (Some(3), None)),
            (99, (Some(3), None)),
        ] {
            assert_eq!(found(&timeline, from), expected, "{from}");
        }
    }

    #[test]
    fn what_never_held_is_no_neighbour() {
        let timeline = [claim(1, 10, Some(10)), claim(2, 10, None)];
        assert_eq!(found(&timeline, 5), (None, Some(2)));
        assert_eq!(found(&timeline, 10), (Some(2), None));
    }
}
