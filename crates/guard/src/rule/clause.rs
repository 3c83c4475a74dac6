//! What a part of a sentence names: commands, paths, places or activities.

use super::markers::Mark;
use super::reference::{Item, Reference};
use super::sketch::Sketch;
use crate::pattern::stem;

/// Gathers the references of a part into patterns: flags and places narrow
/// the commands beside them, paths stand together.
pub(super) fn patterns(items: &[Item]) -> Vec<Sketch> {
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
        let works = |i: &Item| is_touch(i) && !matches!(i, Item::Mark(Mark::Read));
        if bare_place && !items.iter().any(works) {
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
            // Commits also reach a branch by being pushed to it.
            "commit" => vec![git("commit"), git("push")],
            root @ "push" => vec![git(root)],
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
pub(super) fn is_touch(item: &Item) -> bool {
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

/// The patterns of a clause, or its words as an activity when there are none.
pub(super) fn clause(items: &[Item]) -> Vec<Sketch> {
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
    vec![versioned(&words).unwrap_or(Sketch {
        words,
        ..Sketch::default()
    })]
}

/// Reads `pushing`, `commit anything`: what version control does to the work
/// as a whole.
fn versioned(words: &[String]) -> Option<Sketch> {
    const WHOLE: [&str; 12] = [
        "anything",
        "everything",
        "code",
        "change",
        "changes",
        "work",
        "origin",
        "upstream",
        "directly",
        "them",
        "remote",
        "commits",
    ];
    let (first, rest) = words.split_first()?;
    let sub = match stem(first).as_str() {
        "commit" => "commit",
        "push" => "push",
        "merg" => "merge",
        "rebas" => "rebase",
        _ => return None,
    };
    rest.iter()
        .all(|w| WHOLE.contains(&w.as_str()))
        .then(|| Sketch {
            program: Some("git".to_owned()),
            words: vec![sub.to_owned()],
            ..Sketch::default()
        })
}

fn is_content(word: &str) -> bool {
    const EMPTY: &str = "when whenever if a an the any all every each to of on in from for and or we you your our it is are \
        be have has been that this with at by first again also should will can then running run rule \
        must-follow pass passes passed passing green succeed succeeds succeeded done finished complete \
        completed suite successfully ok full";
    word.is_ascii() && !EMPTY.split_whitespace().any(|empty| empty == word)
}

/// Tells whether words begin with an operation that commands perform.
pub(super) fn is_activity(words: &[String]) -> bool {
    const VERBS: [&str; 26] = [
        "deploy", "publish", "release", "delete", "remove", "drop", "migrate", "export", "import",
        "backup", "restore", "rollback", "push", "merge", "commit", "build", "test", "lint",
        "format", "purge", "seed", "upload", "reset", "rotate", "snapshot", "generate",
    ];
    let first = words.first().map(|w| stem(w));
    VERBS.iter().any(|verb| Some(stem(verb)) == first)
}
