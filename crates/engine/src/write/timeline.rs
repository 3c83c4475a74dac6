//! Where a claim belongs among those that were made under the same subject and key.
//!
//! A pure rule: whatever the order of arrival, at each instant at most one of them holds.

use precedent_core::{Memory, Source, State, Timestamp, Trust, normalise};

/// What a new claim meets among the claims that hold or held.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Meeting<'a> {
    /// The claim that says the same already, for as long and with as much weight.
    pub(super) same: Option<&'a Memory>,
    /// The claims that hold when the new one begins, and end there; the latest first.
    pub(super) before: Vec<&'a Memory>,
    /// The claim that begins next, where the new one ends.
    pub(super) after: Option<&'a Memory>,
    /// The claims that hold at some time together with it, neither of which may end the other.
    pub(super) rivals: Vec<&'a Memory>,
}

/// Finds what a claim meets.
///
/// A claim ends those that hold when it begins, and is ended by the next that begins later. Where
/// the earlier one counts for more than what would end it, the two contradict each other. Of those
/// that begin together the later written one holds, the others never do.
pub(super) fn meet<'a>(timeline: &'a [Memory], new: &Memory) -> Meeting<'a> {
    let from = starts(new);
    let mut line: Vec<&Memory> = timeline.iter().filter(|it| ever_holds(it)).collect();
    line.sort_by_key(|memory| (starts(memory), memory.recorded_at, memory.id));
    let mut meeting = Meeting::default();
    let later = line.partition_point(|memory| starts(memory) <= from);
    let (earlier, later) = line.split_at(later);
    for next in later {
        if new.valid_to.is_some_and(|end| end <= starts(next)) {
            break;
        }
        if may_overrule(next, new) {
            meeting.after = Some(next);
            break;
        }
        if !agree(next, new) {
            meeting.rivals.push(next);
        }
    }
    let next = meeting.after.map(starts);
    let end = [new.valid_to, next].into_iter().flatten().min();
    let covers = |old: &Memory| {
        old.valid_to
            .is_none_or(|to| end.is_some_and(|end| end <= to))
    };
    for old in earlier.iter().rev().filter(|old| holds_at(old, from)) {
        let agrees = agree(old, new);
        if meeting.same.is_none() && agrees && may_overrule(old, new) && covers(old) {
            meeting.same = Some(old);
        }
        if may_overrule(new, old) {
            meeting.before.push(old);
        } else if !agrees {
            meeting.rivals.push(old);
        }
    }
    meeting
}

fn starts(memory: &Memory) -> Timestamp {
    memory.valid_from.unwrap_or(Timestamp::EPOCH)
}

fn holds_at(memory: &Memory, at: Timestamp) -> bool {
    starts(memory) <= at && memory.valid_to.is_none_or(|end| end > at)
}

fn ever_holds(memory: &Memory) -> bool {
    holds_at(memory, starts(memory))
}

/// Tells whether two claims under one topic say the same; where there is no value, or none that can
/// be told from another since it was masked, by their words.
fn agree(a: &Memory, b: &Memory) -> bool {
    let value = |memory: &Memory| memory.claim.as_ref()?.value.as_deref().map(normalise);
    let (one, other) = (value(a), value(b));
    let tells = one.as_ref().is_some_and(|value| !value.contains('['));
    one == other && (tells || normalise(&a.text) == normalise(&b.text))
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
    use precedent_core::{Claim, MemoryId, Name, Namespace, Redactor};

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
                clean(&n.to_string()),
            )
        }
    }

    fn found(timeline: &[Memory], from: i64) -> (Vec<u8>, Option<u8>, Vec<u8>) {
        let new = claim(99, from, None);
        let meeting = meet(timeline, &new);
        let number = |memory: &Memory| memory.id.as_bytes()[0];
        let numbers = |list: &[&Memory]| list.iter().map(|it| number(it)).collect();
        let after = meeting.after.map(number);
        (numbers(&meeting.before), after, numbers(&meeting.rivals))
    }

    #[test]
    fn a_claim_goes_between_its_neighbours() {
        let timeline = [
            claim(1, 10, Some(20)),
            claim(2, 20, Some(30)),
            claim(3, 30, None),
        ];
        for (from, before, after) in [
            (5, vec![], Some(1)),
            (10, vec![1], Some(2)),
            (15, vec![1], Some(2)),
            (25, vec![2], Some(3)),
            (30, vec![3], None),
            (99, vec![3], None),
        ] {
            assert_eq!(found(&timeline, from), (before, after, vec![]), "{from}");
        }
    }

    #[test]
    fn what_never_held_is_no_neighbour() {
        let timeline = [
            claim(1, 10, Some(10)),
            claim(2, 10, None),
            claim(3, 8, Some(7)),
        ];
        assert_eq!(found(&timeline, 5), (vec![], Some(2), vec![]));
        assert_eq!(found(&timeline, 10), (vec![2], None, vec![]));
    }

    #[test]
    fn what_counts_for_more_is_contradicted_wherever_both_hold() {
        let mut vouched = claim(1, 10, None);
        vouched.trust = Trust::User;
        let timeline = [vouched, claim(2, 20, None)];
        assert_eq!(found(&timeline, 15), (vec![], Some(2), vec![1]));
        assert_eq!(found(&timeline, 25), (vec![2], None, vec![1]));
        assert_eq!(found(&timeline, 5), (vec![], Some(1), vec![]));
        let mut new = claim(9, 5, None);
        new.trust = Trust::User;
        let unvouched = [claim(2, 20, None)];
        assert_eq!(meet(&unvouched, &new).rivals, [&unvouched[0]]);
    }

    #[test]
    fn the_same_is_said_only_by_what_holds_as_long_and_counts_as_much() {
        let mut new = claim(9, 15, None);
        let stated = |memory: &mut Memory| {
            let clean = |text: &str| Redactor::new().clean(text);
            let (subject, key, value) = (clean("s"), clean("k"), Some(clean("v")));
            memory.claim = Some(Claim {
                subject,
                key,
                value,
            });
        };
        stated(&mut new);
        let mut old = claim(1, 10, None);
        stated(&mut old);
        let said = |old: &Memory, new: &Memory| meet(std::slice::from_ref(old), new).same.is_some();
        assert!(said(&old, &new));
        old.valid_to = Timestamp::from_millis(20).ok();
        assert!(!said(&old, &new), "the old one ends");
        new.valid_to = Timestamp::from_millis(18).ok();
        assert!(said(&old, &new));
        new.trust = Trust::User;
        assert!(!said(&old, &new), "the new one is vouched for");
    }
}
