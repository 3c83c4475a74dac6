//! What the forms of a sentence make, and how they find their way in its items.

use super::markers::Mark;
use super::reference::Item;
use super::sketch::Sketch;

/// A control over sketches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Draft {
    Requires {
        trigger: Sketch,
        prerequisites: Vec<Sketch>,
    },
    Prohibits {
        trigger: Sketch,
        unless: Vec<Sketch>,
    },
    Prefers {
        avoid: Sketch,
        prefer: Sketch,
    },
}

pub(super) fn find(items: &[Item], mark: Mark) -> Option<usize> {
    items.iter().position(|item| *item == Item::Mark(mark))
}

pub(super) fn has(items: &[Item], mark: Mark) -> bool {
    find(items, mark).is_some()
}

pub(super) fn first_ref(items: &[Item]) -> Option<usize> {
    items.iter().position(|item| matches!(item, Item::Ref(_)))
}
