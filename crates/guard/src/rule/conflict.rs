//! Finds rules that cannot both be followed.

use precedent_core::{ActionPattern, Control};
use precedent_redact::CleanText;

use crate::identity::{glob_matches, same_environment, wildcard};

/// Tells whether two controls contradict each other.
///
/// They do when one demands or prefers what the other forbids or avoids, or
/// when both demand, for overlapping triggers, the same step by different
/// programs. Different steps of one trigger add up and do not conflict.
#[must_use]
pub fn conflicts(a: &Control, b: &Control) -> bool {
    one_sided(a, b) || one_sided(b, a) || rival_steps(a, b)
}

fn one_sided(a: &Control, b: &Control) -> bool {
    match (a, b) {
        (Control::Requires { prerequisites, .. }, Control::Prohibits { trigger, unless }) => {
            unless.is_empty() && prerequisites.iter().any(|p| within(p, trigger))
        }
        (Control::Requires { prerequisites, .. }, Control::Prefers { avoid, .. }) => {
            prerequisites.iter().any(|p| within(p, avoid))
        }
        (Control::Prefers { prefer, .. }, Control::Prohibits { trigger, unless }) => {
            unless.is_empty() && within(prefer, trigger)
        }
        // The one form that is left open is the one that is forbidden.
        (
            Control::Prohibits {
                trigger: held,
                unless: open,
            },
            Control::Prohibits { trigger, unless },
        ) => {
            unless.is_empty()
                && !open.is_empty()
                && overlap(held, trigger)
                && open.iter().all(|form| within(form, trigger))
        }
        (
            Control::Prefers { avoid, prefer },
            Control::Prefers {
                avoid: other,
                prefer: rival,
            },
        ) => {
            within(prefer, other) && !within(rival, other) && !within(prefer, rival)
                || overlap(avoid, other) && rivals(prefer, rival)
        }
        _ => false,
    }
}

/// Two controls that want the same step done by different programs.
fn rival_steps(a: &Control, b: &Control) -> bool {
    let (
        Control::Requires {
            trigger,
            prerequisites,
        },
        Control::Requires {
            trigger: other,
            prerequisites: rivals_of,
        },
    ) = (a, b)
    else {
        return false;
    };
    overlap(trigger, other)
        && prerequisites
            .iter()
            .any(|p| rivals_of.iter().any(|r| rivals(p, r)) && !rivals_of.iter().any(|r| r == p))
}

/// The same words by different programs, or different names of one place.
fn rivals(a: &ActionPattern, b: &ActionPattern) -> bool {
    let programs = a.program.is_some() && b.program.is_some() && a.program != b.program;
    let places = a.program == b.program
        && !a.environment.is_empty()
        && !b.environment.is_empty()
        && a.environment != b.environment;
    (programs || places) && task(a) == task(b)
}

/// Returns the words of a step without the runner's own: `npm run x` and
/// `yarn x` run the same script.
fn task(pattern: &ActionPattern) -> &[CleanText] {
    let runs = matches!(
        pattern.program.as_deref(),
        Some("npm" | "pnpm" | "yarn" | "bun" | "deno" | "make" | "just" | "task")
    );
    match pattern.words.split_first() {
        Some((first, rest)) if runs && !rest.is_empty() && matches!(&**first, "run" | "task") => {
            rest
        }
        _ => &pattern.words,
    }
}

/// Tells whether every action of `inner` is one of `outer`, as far as the
/// patterns tell.
fn within(inner: &ActionPattern, outer: &ActionPattern) -> bool {
    let fields =
        |outer: &Option<CleanText>, inner: &Option<CleanText>| outer.is_none() || outer == inner;
    fields(&outer.program, &inner.program)
        && fields(&outer.tool, &inner.tool)
        && starts(&inner.words, &outer.words)
        && outer.flags.iter().all(|f| inner.flags.contains(f))
        && (outer.paths.is_empty() || shares(&inner.paths, &outer.paths, paths_meet))
        && (outer.environment.is_empty()
            || shares(&inner.environment, &outer.environment, places_meet))
}

/// Tells whether some action may be described by both patterns.
fn overlap(a: &ActionPattern, b: &ActionPattern) -> bool {
    let fields = |a: &Option<CleanText>, b: &Option<CleanText>| {
        a.is_none() == b.is_none() && (a.is_none() || a == b)
    };
    let lists = |a: &[CleanText], b: &[CleanText], meet: fn(&str, &str) -> bool| {
        a.is_empty() || b.is_empty() || shares(a, b, meet)
    };
    fields(&a.program, &b.program)
        && fields(&a.tool, &b.tool)
        && (starts(&a.words, &b.words) || starts(&b.words, &a.words))
        && lists(&a.paths, &b.paths, paths_meet)
        && lists(&a.environment, &b.environment, places_meet)
}

fn starts(words: &[CleanText], with: &[CleanText]) -> bool {
    words.len() >= with.len() && words.iter().zip(with).all(|(a, b)| a == b)
}

fn shares(a: &[CleanText], b: &[CleanText], meet: fn(&str, &str) -> bool) -> bool {
    a.iter().any(|x| b.iter().any(|y| meet(x, y)))
}

fn paths_meet(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim_end_matches('/'), b.trim_end_matches('/'));
    glob_matches(a, b) || glob_matches(b, a)
}

fn places_meet(a: &str, b: &str) -> bool {
    a == b || wildcard(a, b) || wildcard(b, a) || !a.contains(':') && same_environment(a, b)
}
