//! Reads a sentence's items into controls; a handful of forms, tried in order.

use super::markers::Mark;
use super::reference::{Item, Reference};
use super::sketch::Sketch;
use crate::pattern::stem;

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

/// Returns what a sentence demands; nothing when no form fits it.
pub(super) fn read(items: &[Item]) -> Vec<Draft> {
    let forms = [
        branch_names,
        instead,
        order,
        without,
        needs,
        after,
        only,
        prefer,
        prohibit,
    ];
    forms
        .iter()
        .find_map(|form| form(items))
        .unwrap_or_default()
}

fn find(items: &[Item], mark: Mark) -> Option<usize> {
    items.iter().position(|item| *item == Item::Mark(mark))
}

fn has(items: &[Item], mark: Mark) -> bool {
    find(items, mark).is_some()
}

fn first_ref(items: &[Item]) -> Option<usize> {
    items.iter().position(|item| matches!(item, Item::Ref(_)))
}

/// Gathers the references of a part into patterns: flags and places narrow
/// the commands beside them, paths stand together.
fn patterns(items: &[Item]) -> Vec<Sketch> {
    let mut commands: Vec<Sketch> = Vec::new();
    let mut rest = Sketch::default();
    for item in items {
        match item {
            Item::Ref(Reference::Command(sketch)) => commands.push(sketch.clone()),
            Item::Ref(Reference::Path(path)) => rest.paths.push(path.clone()),
            Item::Ref(Reference::Flag(flag)) => rest.flags.push(flag.clone()),
            Item::Ref(Reference::Place(place)) => rest.environment.push(place.clone()),
            _ => {}
        }
    }
    if commands.is_empty() {
        if rest == Sketch::default() {
            return Vec::new();
        }
        if let Some(verb) = verb(items, &rest) {
            return verb;
        }
        // A place by itself is controlled only where working on it is spoken of.
        let bare_place = rest.paths.is_empty() && rest.flags.is_empty();
        if bare_place && !items.iter().any(is_touch) {
            return Vec::new();
        }
        return vec![rest];
    }
    for command in &mut commands {
        command.paths.extend(rest.paths.iter().cloned());
        command.flags.extend(rest.flags.iter().cloned());
        command.environment.extend(rest.environment.iter().cloned());
    }
    commands
}

/// Narrows paths and places by a verb of version control or deployment that
/// stands in plain text: `never push to main`, `never commit .env`.
fn verb(items: &[Item], rest: &Sketch) -> Option<Vec<Sketch>> {
    let git = |sub: &str| Sketch {
        program: Some("git".to_owned()),
        words: vec![sub.to_owned()],
        ..rest.clone()
    };
    let forced = items
        .iter()
        .any(|i| matches!(i, Item::Word(w) if w.starts_with("force")));
    items.iter().find_map(|item| {
        let Item::Word(word) = item else { return None };
        let paths = !rest.paths.is_empty();
        Some(match stem(word.trim_start_matches("force-")).as_str() {
            "commit" if paths => vec![git("add"), git("commit")],
            "push" if forced => {
                vec![Sketch {
                    flags: vec!["--force".to_owned()],
                    ..git("push")
                }]
            }
            root @ ("commit" | "push") => vec![git(root)],
            "merg" => vec![git("merge")],
            "rebas" => vec![git("rebase")],
            _ if !paths && is_activity(std::slice::from_ref(word)) => {
                vec![Sketch {
                    words: vec![word.clone()],
                    ..rest.clone()
                }]
            }
            _ => return None,
        })
    })
}

/// Tells whether an item speaks of working on or changing something.
fn is_touch(item: &Item) -> bool {
    const VERBS: [&str; 39] = [
        "touch",
        "edit",
        "modify",
        "change",
        "write",
        "delete",
        "remove",
        "rename",
        "move",
        "create",
        "add",
        "alter",
        "update",
        "format",
        "reformat",
        "overwrite",
        "replace",
        "refactor",
        "patch",
        "generate",
        "regenerate",
        "target",
        "connect",
        "access",
        "use",
        "work",
        "operate",
        "hit",
        "query",
        "anything",
        "deploy",
        "run",
        "break",
        "clean",
        "mess",
        "tamper",
        "fix",
        "rewrite",
        "commit",
    ];
    match item {
        Item::Word(word) => {
            let root = stem(word);
            VERBS.iter().any(|verb| stem(verb) == root) || root == "modifi"
        }
        Item::Mark(mark) => matches!(mark, Mark::KeepOut | Mark::Read | Mark::Use | Mark::Run),
        Item::Ref(_) => false,
    }
}

/// `Name branches feature/<id>`, `branch names …: never feature/`.
fn branch_names(items: &[Item]) -> Option<Vec<Draft>> {
    let acts = |i: &Item| matches!(i, Item::Word(w) if matches!(w.as_str(), "push" | "commit" | "merge" | "pushing"));
    if items.iter().any(acts)
        || !has(items, Mark::Branch)
        || has(items, Mark::Before)
        || has(items, Mark::Only)
    {
        return None;
    }
    let places: Vec<String> = items
        .iter()
        .filter_map(|item| match item {
            Item::Ref(Reference::Place(place)) if place.starts_with("branch:") => {
                Some(place.clone())
            }
            _ => None,
        })
        .collect();
    let commands = items
        .iter()
        .any(|i| matches!(i, Item::Ref(Reference::Command(_))));
    if places.is_empty() || commands {
        return None;
    }
    let git = |environment: Vec<String>| Sketch {
        program: Some("git".to_owned()),
        environment,
        ..Sketch::default()
    };
    let at = first_ref(items)?;
    let forbids = items[..at]
        .iter()
        .rev()
        .take(2)
        .any(|i| *i == Item::Mark(Mark::Not));
    if forbids {
        return Some(vec![Draft::Prohibits {
            trigger: git(places),
            unless: Vec::new(),
        }]);
    }
    (has(items, Mark::Named) && !has(items, Mark::Not)).then(|| {
        vec![Draft::Prefers {
            avoid: git(vec!["branch:*".to_owned()]),
            prefer: git(places),
        }]
    })
}

/// `use A instead of B`, `A rather than B`, `instead of B use A`.
fn instead(items: &[Item]) -> Option<Vec<Draft>> {
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

fn requires(triggers: Vec<Sketch>, prerequisites: &[Sketch]) -> Option<Vec<Draft>> {
    let empty = triggers.is_empty() || prerequisites.is_empty();
    let drafts = triggers.into_iter().map(|trigger| Draft::Requires {
        trigger,
        prerequisites: prerequisites.to_vec(),
    });
    (!empty).then(|| drafts.collect())
}

/// `before X run Y`, `Y must run before X`, `X 之前先运行 Y`.
fn order(items: &[Item]) -> Option<Vec<Draft>> {
    if let Some(at) = find(items, Mark::BeforePost) {
        let after = patterns(&items[at + 1..]);
        return requires(patterns(&items[..at]), &after);
    }
    if let Some(at) = find(items, Mark::Then).filter(|_| !has(items, Mark::Before)) {
        return requires(patterns(&items[at + 1..]), &patterns(&items[..at]));
    }
    let at = find(items, Mark::Before)?;
    let (left, right) = (&items[..at], &items[at + 1..]);
    let done = clause(left);
    if done.is_empty() {
        return leading_before(right);
    }
    let forbids = find(left, Mark::Not).is_some_and(|not| first_ref(left).is_none_or(|r| not < r));
    let end = find(right, Mark::Comma).filter(|comma| first_ref(right).is_some_and(|r| r < *comma));
    let named = clause(&right[..end.unwrap_or(right.len())]);
    if forbids {
        requires(done, &named)
    } else {
        requires(named, &done)
    }
}

/// Reads what follows a `before` that opens the sentence.
fn leading_before(items: &[Item]) -> Option<Vec<Draft>> {
    let reference = first_ref(items);
    let comma = find(items, Mark::Comma);
    // An activity in words ends at the comma or the verb of the main clause.
    let Some(first) = reference.filter(|r| comma.is_none_or(|c| *r < c)) else {
        let end = comma.or_else(|| find(items, Mark::Run))?;
        return requires(clause(&items[..end]), &clause(&items[end + 1..]));
    };
    let from = first + 1;
    let verb = items[from..]
        .iter()
        .position(|i| matches!(i, Item::Mark(Mark::Run | Mark::Use)))
        .filter(|at| first_ref(&items[from + at..]).is_some());
    let comma = find(&items[from..], Mark::Comma);
    let end = from + verb.or(comma).unwrap_or(0);
    requires(clause(&items[..end]), &clause(&items[end..]))
}

/// The patterns of a clause, or its words as an activity when there are none.
fn clause(items: &[Item]) -> Vec<Sketch> {
    let found = patterns(items);
    if !found.is_empty() {
        return found;
    }
    let words: Vec<String> = items
        .iter()
        .filter_map(|item| match item {
            Item::Word(word) if is_content(word) => Some(word.clone()),
            _ => None,
        })
        .collect();
    // Longer clauses are prose; their words would match by chance.
    if words.is_empty() || words.len() > 4 || !is_activity(&words) {
        return Vec::new();
    }
    vec![Sketch {
        words,
        ..Sketch::default()
    }]
}

fn is_content(word: &str) -> bool {
    !matches!(
        word,
        "a" | "an"
            | "the"
            | "any"
            | "all"
            | "every"
            | "each"
            | "to"
            | "of"
            | "on"
            | "in"
            | "from"
            | "for"
            | "and"
            | "or"
            | "we"
            | "you"
            | "your"
            | "our"
            | "it"
            | "is"
            | "are"
            | "be"
            | "have"
            | "has"
            | "been"
            | "that"
            | "this"
            | "with"
            | "at"
            | "by"
            | "first"
            | "again"
            | "also"
            | "should"
            | "will"
            | "can"
            | "then"
            | "running"
            | "run"
            | "rule"
            | "must-follow"
    ) && word.is_ascii()
}

/// Tells whether words begin with an operation that commands perform.
fn is_activity(words: &[String]) -> bool {
    const VERBS: [&str; 26] = [
        "deploy", "publish", "release", "delete", "remove", "drop", "migrate", "export", "import",
        "backup", "restore", "rollback", "push", "merge", "commit", "build", "test", "lint",
        "format", "purge", "seed", "upload", "reset", "rotate", "snapshot", "generate",
    ];
    let first = words.first().map(|w| stem(w));
    VERBS.iter().any(|verb| Some(stem(verb)) == first)
}

/// `never X without Y`, `X must not run unless Y`, `do not X until Y`.
fn without(items: &[Item]) -> Option<Vec<Draft>> {
    if let Some(at) = find(items, Mark::WithoutPost) {
        return requires(patterns(&items[at + 1..]), &patterns(&items[..at]));
    }
    let at = find(items, Mark::Without)?;
    let not = find(items, Mark::Not)?;
    let left = patterns(&items[..at]);
    let right = patterns(&items[at + 1..]);
    if left.is_empty() {
        // `Without Y never X`: the negation parts the two.
        if not < at {
            return None;
        }
        return requires(patterns(&items[not..]), &patterns(&items[at..not]));
    }
    let forms: Vec<&Sketch> = right.iter().filter(|s| is_form(s)).collect();
    if forms.is_empty() && !right.is_empty() {
        return requires(left, &right);
    }
    let lift = |trigger: &Sketch| forms.iter().map(|form| merged(trigger, form)).collect();
    Some(
        left.iter()
            .map(|t| Draft::Prohibits {
                trigger: t.clone(),
                unless: lift(t),
            })
            .collect(),
    )
}

/// Tells whether a pattern is a form of another action and none by itself.
fn is_form(sketch: &Sketch) -> bool {
    sketch.program.is_none() && sketch.words.first().is_none_or(|w| w == "WHERE")
}

fn merged(trigger: &Sketch, form: &Sketch) -> Sketch {
    let mut out = trigger.clone();
    out.words.extend(form.words.iter().cloned());
    out.flags.extend(form.flags.iter().cloned());
    out.environment.extend(form.environment.iter().cloned());
    out.paths.extend(form.paths.iter().cloned());
    out
}

/// `X requires Y`.
fn needs(items: &[Item]) -> Option<Vec<Draft>> {
    let at = find(items, Mark::Requires)?;
    let left = patterns(&items[..at]);
    let right = patterns(&items[at + 1..]);
    if right.is_empty() && left.len() > 1 {
        return requires(left[..1].to_vec(), &left[1..]);
    }
    requires(left, &right)
}

/// `X only after Y`.
fn after(items: &[Item]) -> Option<Vec<Draft>> {
    let at = find(items, Mark::After)?;
    find(items, Mark::Only).filter(|only| *only < at)?;
    requires(patterns(&items[..at]), &patterns(&items[at + 1..]))
}

/// `only X from Y`, `run X only on branch Y`.
fn only(items: &[Item]) -> Option<Vec<Draft>> {
    find(items, Mark::Only)?;
    let mut triggers = Vec::new();
    let mut places = Vec::new();
    for item in items {
        match item {
            Item::Ref(Reference::Command(sketch)) => triggers.push(sketch.clone()),
            Item::Ref(Reference::Place(place)) => places.push(place.clone()),
            Item::Ref(Reference::Path(path)) => {
                places.push(format!("directory:{}", path.trim_end_matches('/')));
            }
            _ => {}
        }
    }
    if triggers.is_empty() {
        let words = items.iter().filter_map(|item| match item {
            Item::Word(word) if is_activity(std::slice::from_ref(word)) => Some(word.clone()),
            _ => None,
        });
        triggers.extend(words.take(1).map(|w| Sketch {
            words: vec![w],
            ..Sketch::default()
        }));
    }
    if triggers.is_empty() || places.is_empty() {
        return None;
    }
    let lifted = |t: &Sketch| Sketch {
        environment: places.clone(),
        ..t.clone()
    };
    Some(
        triggers
            .iter()
            .map(|t| Draft::Prohibits {
                trigger: t.clone(),
                unless: vec![lifted(t)],
            })
            .collect(),
    )
}

/// `use A, not B`, `never B, use A`, `never B; run A instead`.
fn prefer(items: &[Item]) -> Option<Vec<Draft>> {
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
    let (head, tail) = (head.first()?.clone(), tail.first()?.clone());
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

/// Tells whether an item may end a sentence whose subject is forbidden, as in
/// `X must never be run by hand`.
fn closes(item: &Item) -> bool {
    match item {
        Item::Word(word) => {
            is_touch(item)
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
fn prohibit(items: &[Item]) -> Option<Vec<Draft>> {
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
    let items = &items[..end.map_or(items.len(), |at| not + at)];
    let after = patterns(&items[not..]);
    let found = if !after.is_empty() {
        after
    } else if items[not..].iter().all(closes) {
        patterns(&items[..not])
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
    let drafts = found.map(|mut trigger| {
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
