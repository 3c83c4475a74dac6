//! Plain prohibitions: `never X`, `keep out of PATH`, `X is forbidden`.

use super::clause::{is_touch, patterns};
use super::draft::{Draft, find, first_ref, has};
use super::markers::Mark;
use super::prefer::by_means;
use super::reference::{Item, Reference};
use super::sketch::Sketch;

fn has_ref(items: &[Item]) -> bool {
    first_ref(items).is_some()
}

/// Tells whether the sentence opens with a condition, whose subject is not
/// what it forbids.
pub(super) fn conditional(items: &[Item]) -> bool {
    let opens = [
        "if", "when", "while", "wenn", "falls", "si", "cuando", "quand", "as",
    ];
    matches!(items.first(), Some(Item::Word(word)) if opens.contains(&word.as_str()))
}

/// Tells whether an item may end a sentence whose subject is forbidden, as in
/// `X must never be run by hand`.
fn closes(item: &Item) -> bool {
    match item {
        Item::Word(word) => {
            (is_touch(item) && !matches!(word.as_str(), "commit" | "deploy" | "use"))
                || matches!(
                    word.as_str(),
                    "be" | "been"
                        | "ran"
                        | "run"
                        | "executed"
                        | "called"
                        | "allowed"
                        | "by"
                        | "hand"
                        | "it"
                        | "them"
                        | "this"
                        | "here"
                        | "directly"
                        | "manually"
                        | "ever"
                        | "under"
                        | "any"
                        | "circumstances"
                        | "werden"
                        | "wird"
                        | "ausgeführt"
                        | "an"
                        | "aus"
                        | "in"
                        | "files"
                        | "there"
                        | "être"
                        | "exécuté"
                        | "se"
                        | "ser"
                        | "for"
                        | "now"
                )
        }
        Item::Mark(_) => true,
        Item::Ref(_) => false,
    }
}

/// `never X`, `keep out of PATH`, `X is forbidden`.
pub(super) fn prohibit(items: &[Item]) -> Option<Vec<Draft>> {
    let not = find(items, Mark::Not)?;
    // What a clause that was not understood names is not what is forbidden.
    let ends = [
        Mark::Before,
        Mark::Without,
        Mark::After,
        Mark::InsteadOf,
        Mark::Only,
    ];
    let end = ends
        .iter()
        .filter_map(|mark| find(&items[not..], *mark))
        .min();
    if end.is_some() || conditional(items) {
        return Some(Vec::new());
    }
    let after = patterns(&items[not..]);
    let before = patterns(&items[..not]);
    let only_places = items[not..]
        .iter()
        .all(|i| !matches!(i, Item::Ref(r) if !matches!(r, Reference::Place(_))));
    let commanded = before.iter().any(|s| s.program.is_some());
    let found = if only_places && commanded && has_ref(&items[not..]) {
        // `commits go to develop, never to main`: only the last place counts.
        let place = |i: &&Item| matches!(i, Item::Ref(Reference::Place(_)));
        let subject = items[..not].iter().filter(|i| !place(i)).cloned();
        patterns(
            &subject
                .chain(items[not..].iter().cloned())
                .collect::<Vec<_>>(),
        )
    } else if !after.is_empty() {
        after
    } else if items[not..].iter().all(closes) {
        before
    } else {
        return None;
    };
    let reads = has(&items[not..], Mark::Read);
    let touched = items.iter().any(is_touch);
    let only_paths = |s: &Sketch| {
        s.program.is_none() && s.words.is_empty() && s.flags.is_empty() && !s.paths.is_empty()
    };
    // `no console.log in src/` speaks of contents, which are not judged here.
    let found = found.into_iter().filter(|s| touched || !only_paths(s));
    let task = by_means(&items[not..]);
    let drafts = found.map(|mut trigger| {
        if trigger.program.is_some() && trigger.words.is_empty() {
            trigger.words.extend(task.clone());
        }
        let only_paths = only_paths(&trigger);
        if reads && only_paths {
            trigger.tool = Some(crate::pattern::READ.to_owned());
        }
        Draft::Prohibits {
            trigger,
            unless: Vec::new(),
        }
    });
    let drafts: Vec<Draft> = drafts.collect();
    (!drafts.is_empty()).then_some(drafts)
}
