//! Preferences: `use A instead of B`, `use A, not B`, `never B, use A`.

use super::clause::patterns;
use super::draft::{Draft, find, has};
use super::markers::Mark;
use super::reference::{Item, Reference};

/// `use A instead of B`, `A rather than B`, `instead of B use A`.
pub(super) fn instead(items: &[Item]) -> Option<Vec<Draft>> {
    let (at, post) = match (find(items, Mark::InsteadOf), find(items, Mark::InsteadPost)) {
        (Some(at), _) => (at, false),
        (None, Some(at)) => (at, true),
        (None, None) => return None,
    };
    let left = patterns(&items[..at]);
    let right = patterns(&items[at + 1..]);
    let (avoid, prefer) = match (left.last(), right.as_slice()) {
        (Some(left), [right, ..]) if post => (left.clone(), right.clone()),
        (Some(left), [right, ..]) => (right.clone(), left.clone()),
        (None, [avoid, prefer, ..]) => (avoid.clone(), prefer.clone()),
        _ => return None,
    };
    Some(vec![Draft::Prefers { avoid, prefer }])
}

/// `use A, not B`, `never B, use A`, `never B; run A instead`.
pub(super) fn prefer(items: &[Item]) -> Option<Vec<Draft>> {
    let not = find(items, Mark::Not)?;
    let swaps = has(items, Mark::Use) || has(items, Mark::Instead);
    let commands: Vec<usize> = (0..items.len())
        .filter(|at| matches!(items[*at], Item::Ref(Reference::Command(_))))
        .collect();
    let [first, .., last] = commands.as_slice() else {
        return None;
    };
    if !swaps || first == last {
        return None;
    }
    let (head, tail) = (patterns(&items[..*last]), patterns(&items[*last..]));
    let (mut head, mut tail) = (head.first()?.clone(), tail.first()?.clone());
    if let Some(word) = purpose(items) {
        let avoid = if not > *first { &mut tail } else { &mut head };
        if avoid.words.is_empty() {
            avoid.words.push(word);
        }
    }
    if not > *first && not < *last {
        return Some(vec![Draft::Prefers {
            avoid: tail,
            prefer: head,
        }]);
    }
    let turns = items[*first..*last]
        .iter()
        .any(|i| matches!(i, Item::Mark(Mark::Use | Mark::Run)))
        || has(items, Mark::Instead);
    (not < *first && turns).then(|| {
        vec![Draft::Prefers {
            avoid: head,
            prefer: tail,
        }]
    })
}

const TASKS: [&str; 8] = [
    "install", "publish", "build", "test", "update", "upgrade", "remove", "run",
];

fn task(word: &str) -> Option<String> {
    let root = crate::pattern::stem(word);
    let verb = TASKS
        .iter()
        .find(|verb| crate::pattern::stem(verb) == root)?;
    Some((*verb).to_owned())
}

/// Finds what is done by means of a program: `install packages with npm`.
pub(super) fn by_means(items: &[Item]) -> Option<String> {
    let means = items.windows(2).position(|pair| match pair {
        [Item::Word(lead), Item::Ref(Reference::Command(sketch))] => {
            matches!(lead.as_str(), "with" | "using" | "via" | "through") && sketch.words.is_empty()
        }
        _ => false,
    })?;
    items[..means].iter().rev().find_map(|item| match item {
        Item::Word(word) => task(word),
        _ => None,
    })
}

/// Finds what for, as the sub-command that does it: `to install packages`.
fn purpose(items: &[Item]) -> Option<String> {
    items.windows(2).find_map(|pair| match pair {
        [Item::Word(lead), Item::Word(word)] if matches!(lead.as_str(), "to" | "for") => task(word),
        _ => None,
    })
}
