//! Notices what a sentence says beyond its drafts: a restriction of place,
//! time, target or number, a condition, an exception.
//!
//! A rule that lost such a qualifier would hold more actions back than its
//! author asked for, so it stays advice. Reasons and clauses about a state
//! (`because …`, `while the server runs`) may be lost.

use super::draft::Draft;
use super::markers::Mark;
use super::reference::{Item, Reference};
use super::sketch::Sketch;
use crate::pattern::stem;

/// Words after which a place, time, target or purpose is named.
const LEADS: &str = "in on at to into onto from inside within under during against for with via through \
    throughout between across among near like im am beim auf bei unter während gegen für mit zum zur dans sur \
    pendant chez sous pour avec en sobre durante para con";

/// Words between such a word and what is named.
const FILLERS: &str = "the a an any all every each our your my its der die das dem den des einem einer einen le la \
    les un une des el los las una cualquier straight directly this these that those whole entire";

/// What may be named without a restriction: here, always, for a good reason.
const EVERYWHERE: &str = "repo repository project codebase workspace shell terminal console case circumstances \
    circumstance reason reasons time times all hand own session moment future past now ever safety security \
    example instance reference general projekt fall fällen repositorium projet cas proyecto caso you me us it \
    them anything everything everyone anyone yourself agent agents company team conversation task sure run be costs cost point machine computer checkout clone worktree";

/// Words that restrict by themselves.
const RESTRICTING: &str = "when if wenn falls cuando quand whenever where wherever globally locally twice unattended \
    concurrently simultaneously overnight remotely today tomorrow tonight more multiple several both together \
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays \
    sundays weekend weekends weekday weekdays freitag freitags montags vendredi viernes lundi lunes pipe piped";

/// Words that begin a reason or an aside; what follows them restricts nothing.
const REASONS: &str = "otherwise sonst da car it that this they which";

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|name| name == word)
}

/// Tells whether the sentence narrows its drafts by something they lost.
pub(super) fn narrowed(items: &[Item], drafts: &[Draft]) -> bool {
    let items = &items[..reason_at(items).unwrap_or(items.len())];
    let sketches: Vec<&Sketch> = drafts.iter().flat_map(sketches).collect();
    let kept = |word: &str| sketches.iter().any(|s| keeps(s, word));
    let orders = matches!(drafts.first(), Some(Draft::Requires { .. }));
    items.iter().enumerate().any(|(at, item)| match item {
        Item::Word(word) if listed(LEADS, word) => leads(items, at, &kept),
        Item::Word(word) if word == "but" => has_reference(&items[..at]),
        Item::Word(word) if listed(RESTRICTING, word) => {
            // `whenever X, run Y first` is one of the forms.
            !(kept(word) || orders && at == 0)
        }
        _ => false,
    })
}

/// Cuts a sentence where it begins to say why, or while what.
pub(super) fn unreasoned(items: &[Item]) -> &[Item] {
    let ends = |at: &usize| {
        let Item::Word(word) = &items[*at] else {
            return false;
        };
        let why = matches!(
            word.as_str(),
            "because" | "since" | "weil" | "denn" | "parce" | "porque" | "puisque"
        );
        // `while on battery` names a place; `while the server runs` a state.
        let state = matches!(word.as_str(), "while" | "whilst" | "solange")
            && !matches!(items.get(at + 1), Some(Item::Word(next)) if listed(LEADS, next));
        why || state
    };
    let first = items.iter().position(|i| matches!(i, Item::Ref(_)));
    let end = (first.unwrap_or(items.len())..items.len()).find(ends);
    &items[..end.unwrap_or(items.len())]
}

/// Finds a reason that follows what is demanded.
fn reason_at(items: &[Item]) -> Option<usize> {
    let starts = |at: &usize| {
        let Item::Word(word) = &items[*at] else {
            return false;
        };
        let aside = matches!(word.as_str(), "it" | "this" | "they" | "that" | "which");
        let after_break = matches!(items[*at - 1], Item::Mark(Mark::Comma));
        listed(REASONS, word) && (!aside || after_break)
    };
    let first = items.iter().position(|i| matches!(i, Item::Ref(_)))?;
    let found = (first + 1..items.len()).find(starts)?;
    // A sentence that goes on with another reference is no mere reason.
    (!has_reference(&items[found..])).then_some(found)
}

fn has_reference(items: &[Item]) -> bool {
    items.iter().any(|item| matches!(item, Item::Ref(_)))
}

/// Tells whether the word at `at` leads to something that no draft keeps.
fn leads(items: &[Item], at: usize, kept: &dyn Fn(&str) -> bool) -> bool {
    let named = items[at + 1..]
        .iter()
        .find(|item| !matches!(item, Item::Word(word) if listed(FILLERS, word)));
    match named {
        Some(Item::Word(word)) => !listed(EVERYWHERE, word) && !kept(word),
        Some(Item::Ref(Reference::Command(sketch))) => {
            // `curl into sh` and `A with B` speak of both at once.
            let joins = matches!(&items[at], Item::Word(w) if
                matches!(w.as_str(), "into" | "with" | "via" | "through" | "on" | "in" | "onto"));
            let statement = sketch.program.is_none();
            let before = items[..at]
                .iter()
                .any(|i| matches!(i, Item::Ref(Reference::Command(_))));
            joins && before && !statement
        }
        Some(Item::Mark(Mark::Branch)) => !kept("branch"),
        _ => false,
    }
}

fn sketches(draft: &Draft) -> Vec<&Sketch> {
    match draft {
        Draft::Requires {
            trigger,
            prerequisites,
        } => std::iter::once(trigger).chain(prerequisites).collect(),
        Draft::Prohibits { trigger, unless } => std::iter::once(trigger).chain(unless).collect(),
        Draft::Prefers { avoid, prefer } => vec![avoid, prefer],
    }
}

/// Tells whether a pattern holds a word, in one form or another.
fn keeps(sketch: &Sketch, word: &str) -> bool {
    let root = stem(word);
    let same = |text: &String| {
        stem(text) == root
            || text
                .split(|c: char| !c.is_alphanumeric())
                .any(|part| stem(part) == root)
    };
    let branch = word == "branch" && sketch.environment.iter().any(|e| e.starts_with("branch:"));
    branch
        || sketch.program.iter().any(same)
        || sketch.words.iter().any(same)
        || sketch.paths.iter().any(same)
        || sketch.environment.iter().any(same)
}
