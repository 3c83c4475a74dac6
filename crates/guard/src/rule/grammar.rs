//! Reads a sentence's items into controls; a handful of forms, tried in order.

use super::clause::{clause, is_activity, patterns};
use super::draft::{Draft, find, first_ref, has};
use super::markers::Mark;
use super::prefer::{instead, prefer};
use super::prohibit::{conditional, prohibit};
use super::qualify::{narrowed, unreasoned};
use super::reference::{Item, Reference};
use super::sketch::Sketch;

/// Returns what a sentence demands: nothing when it is about something else
/// or more narrow than can be said, `None` when no form fits it.
pub(super) fn read(items: &[Item]) -> Option<Vec<Draft>> {
    if has(items, Mark::Neutral) || tells(items) {
        return Some(Vec::new());
    }
    let items = unreasoned(items);
    let forms = [
        first_last,
        always_with,
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
    let drafts = forms.iter().find_map(|form| form(items))?;
    let exception = find(items, Mark::Before)
        .zip(find(items, Mark::Without))
        .is_some_and(|(before, without)| before < without && !asks(&items[without..]));
    let lost = exception || narrowed(items, &drafts);
    Some(if lost { Vec::new() } else { drafts })
}

/// Tells whether a negation tells what somebody does, and forbids nothing:
/// `I never run X myself`, `we never had problems with X`, `X never fails`.
fn tells(items: &[Item]) -> bool {
    let Some(not) = find(items, Mark::Not) else {
        return false;
    };
    let word = |at: Option<usize>| match at.and_then(|at| items.get(at)) {
        Some(Item::Word(word)) => word.as_str(),
        _ => "",
    };
    let before = word(not.checked_sub(1));
    let next = word(Some(not + 1));
    let happened = matches!(
        next,
        "had"
            | "have"
            | "saw"
            | "see"
            | "ran"
            | "got"
            | "needed"
            | "experienced"
            | "encountered"
            | "noticed"
            | "did"
    );
    let person = matches!(before, "i" | "they" | "he" | "she" | "ich" | "yo" | "je");
    let acts = not > 0
        && matches!(items[not - 1], Item::Ref(Reference::Command(_)))
        && next.len() > 3
        && next.ends_with('s')
        && next != "files";
    person && next != "want" || matches!(before, "we" | "wir" | "nous") && happened || acts
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
    let not = items[..at]
        .iter()
        .rposition(|i| *i == Item::Mark(Mark::Not));
    let forbids = not.is_some_and(|not| at - not <= 2 || has(items, Mark::Named));
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

/// Tells whether a sentence says that something comes first.
fn says_first(items: &[Item]) -> bool {
    let first = ["first", "zuerst", "erst", "d'abord", "primero"];
    items
        .iter()
        .any(|item| matches!(item, Item::Word(word) if first.contains(&word.as_str())))
}

/// `whenever X, run Y first`.
fn first_last(items: &[Item]) -> Option<Vec<Draft>> {
    let comma = find(items, Mark::Comma)?;
    let ends = matches!(items.last(), Some(Item::Word(word)) if word == "first");
    let opens = matches!(items.first(), Some(Item::Word(word))
        if matches!(word.as_str(), "when" | "whenever" | "if" | "to"));
    let (when, then) = (clause(&items[..comma]), patterns(&items[comma..]));
    if opens && ends && !has(items, Mark::Not) {
        requires(when, &then)
    } else {
        None
    }
}

/// `X must always be run with --flag`.
fn always_with(items: &[Item]) -> Option<Vec<Draft>> {
    if [Mark::Not, Mark::Before, Mark::InsteadOf, Mark::Only]
        .iter()
        .any(|m| has(items, *m))
    {
        return None;
    }
    let must = find(items, Mark::Run)?;
    let flag = items
        .iter()
        .position(|i| matches!(i, Item::Ref(Reference::Flag(_))))?;
    let led = match items.get(flag.checked_sub(1)?)? {
        Item::Mark(mark) => *mark == Mark::Use,
        Item::Word(word) => word == "with" || word == "have",
        Item::Ref(_) => false,
    };
    let commands = patterns(&items[..flag]);
    let flags = patterns(&items[flag..]);
    if !led || must > flag || flags.len() != 1 || commands.iter().any(|c| c.program.is_none()) {
        return None;
    }
    let drafts = commands.into_iter().map(|trigger| Draft::Prohibits {
        unless: vec![merged(&trigger, &flags[0])],
        trigger,
    });
    let drafts: Vec<Draft> = drafts.collect();
    (!drafts.is_empty()).then_some(drafts)
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
        return requires(clause(&items[..at]), &clause(&items[at + 1..]));
    }
    let later = find(items, Mark::Later).filter(|_| says_first(items) && !conditional(items));
    if let Some(at) = find(items, Mark::Then)
        .or(later)
        .filter(|_| !has(items, Mark::Before))
    {
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
        return steps(&items[..end], &items[end + 1..]);
    };
    let from = first + 1;
    let verb = items[from..]
        .iter()
        .position(|i| matches!(i, Item::Mark(Mark::Run | Mark::Use)))
        .filter(|at| first_ref(&items[from + at..]).is_some());
    let comma = find(&items[from..], Mark::Comma);
    let end = from + verb.or(comma).unwrap_or(0);
    let next = first_ref(&items[from..])?;
    if has(&items[from..from + next], Mark::Not) {
        return Some(Vec::new());
    }
    steps(&items[..end], &items[end..])
}

/// Reads a trigger and the steps that come first; steps that are forbidden
/// before it are no control that can be said.
fn steps(trigger: &[Item], items: &[Item]) -> Option<Vec<Draft>> {
    let not = find(items, Mark::Not);
    if not.is_some_and(|not| first_ref(items).is_none_or(|r| not < r)) {
        return Some(Vec::new());
    }
    requires(clause(trigger), &clause(affirmed(items)))
}

/// Cuts a list of steps where it goes on to say what is not one: `run A, not B`.
fn affirmed(items: &[Item]) -> &[Item] {
    let named = first_ref(items).unwrap_or(items.len());
    let not = find(&items[named..], Mark::Not);
    &items[..not.map_or(items.len(), |at| named + at)]
}

/// `never X without Y`, `X must not run unless Y`, `do not X until Y`.
fn without(items: &[Item]) -> Option<Vec<Draft>> {
    if let Some(at) = find(items, Mark::WithoutPost) {
        return requires(patterns(&items[at + 1..]), &patterns(&items[..at]));
    }
    let at = find(items, Mark::Without)?;
    let not = find(items, Mark::Not)?;
    let left = clause(&items[..at]);
    let right = clause(&items[at + 1..]);
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
    if right.is_empty() && !asks(&items[at + 1..]) {
        return Some(Vec::new());
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

/// Tells whether an exception is the user's word, which the user can give by
/// lifting the hold.
fn asks(items: &[Item]) -> bool {
    const CONSENT: &str = "ask asking permission approval confirm confirmation confirming consent explicit explicitly \
        told say instructed request requested asked fragen rückfrage erlaubnis zustimmung demander permiso preguntar";
    items
        .iter()
        .any(|i| matches!(i, Item::Word(w) if CONSENT.split_whitespace().any(|c| c == w)))
}

/// Tells whether a pattern is a form of another action and none by itself.
fn is_form(sketch: &Sketch) -> bool {
    sketch.program.is_none() && sketch.words.first().is_none_or(|w| w == "WHERE")
}

/// Narrows an action to a form of it. Of several paths or places one is
/// enough to match, so the form's stand in the place of the action's.
fn merged(trigger: &Sketch, form: &Sketch) -> Sketch {
    let mut out = trigger.clone();
    out.words.extend(form.words.iter().cloned());
    out.flags.extend(form.flags.iter().cloned());
    if !form.environment.is_empty() {
        out.environment.clone_from(&form.environment);
    }
    if !form.paths.is_empty() {
        out.paths.clone_from(&form.paths);
    }
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
    let more = [Mark::After, Mark::Before, Mark::Without];
    if more.iter().any(|mark| has(items, *mark)) {
        return Some(Vec::new());
    }
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

/// Tells whether a sentence limits what it says in a way that no form took.
pub(super) fn is_limited(items: &[Item]) -> bool {
    let limits = [Mark::Before, Mark::Without, Mark::After, Mark::Only];
    limits.iter().any(|mark| has(items, *mark)) || conditional(items)
}
