//! Finds branches, clusters, hosts and stages that a sentence names.

use super::markers::Mark;
use super::reference::{Item, Reference};
use super::sketch::wildcards;
use crate::identity::clusters;

pub(super) fn plain_place(word: &str, lower: &[String], before: &[Item]) -> Option<String> {
    let next = lower.get(1).map_or("", String::as_str);
    let last = match before.last() {
        Some(Item::Word(w)) => w.as_str(),
        Some(Item::Mark(Mark::Use | Mark::Not)) => "use",
        _ => "",
    };
    if is_place_noun(next)
        && word.is_ascii()
        && !is_filler(&lower[0])
        && !matches!(next, "database" | "databases" | "server" | "host" | "environment" if !is_stage(word) || word == "dev")
    {
        return Some(place_of(next, word));
    }
    let listed = matches!(before, [.., Item::Ref(Reference::Place(_)), Item::Word(w)]
        if matches!(w.as_str(), "or" | "and" | "nor" | "oder" | "und" | "ou" | "y"));
    // `never stage files` speaks of an operation.
    if lower[0] == "stage" && last == "use" {
        return None;
    }
    let led = is_preposition(last)
        || listed
        || matches!(last, "touch" | "the" | "use" | "our" | "deploy" | "target");
    if led && is_branch(word) && !word.contains('/') {
        return Some(branch(word));
    }
    // `the dev server` is a program of the developer's, no stage to act on.
    let own = matches!(next, "server" | "dependencies" | "dependency");
    (led && is_stage(word) && !own).then(|| lower[0].clone())
}

/// Reads `the data directory`: a path for what works on files, a place for
/// other commands.
///
/// Names that say where without naming it, such as `root`, stay words.
pub(super) fn folder(name: &str, noun: &str, before: &[Item]) -> Option<Reference> {
    const NOUNS: [&str; 9] = [
        "directory",
        "folder",
        "dir",
        "directories",
        "folders",
        "ordner",
        "verzeichnis",
        "dossier",
        "carpeta",
    ];
    const UNNAMED: [&str; 20] = [
        "root",
        "home",
        "current",
        "working",
        "same",
        "parent",
        "base",
        "top-level",
        "project",
        "main",
        "source",
        "output",
        "wrong",
        "temp",
        "temporary",
        "whole",
        "other",
        "target",
        "empty",
        "hidden",
    ];
    let lower = name.to_lowercase();
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
    if !NOUNS.contains(&noun) || !plain || is_filler(&lower) || UNNAMED.contains(&&*lower) {
        return None;
    }
    let path = || Reference::Path(format!("{}/", name.trim_end_matches('/')));
    let command = before.iter().rev().find_map(|item| match item {
        Item::Ref(Reference::Command(sketch)) => sketch.program.as_deref(),
        _ => None,
    });
    Some(match command {
        Some(program) if !clusters(program) => {
            Reference::Place(format!("directory:{}", name.trim_end_matches('/')))
        }
        _ => path(),
    })
}

fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "a"
            | "an"
            | "this"
            | "that"
            | "any"
            | "each"
            | "every"
            | "name"
            | "your"
            | "our"
            | "same"
            | "new"
            | "right"
            | "wrong"
            | "current"
            | "other"
            | "another"
            | "on"
            | "in"
            | "feature"
            | "git"
            | "kubectl"
            | "kubernetes"
            | "whole"
            | "per"
            | "no"
            | "to"
    )
}

pub(super) fn is_place_noun(word: &str) -> bool {
    matches!(
        word,
        "branch"
            | "branche"
            | "rama"
            | "zweig"
            | "context"
            | "kontext"
            | "contexte"
            | "contexto"
            | "cluster"
            | "namespace"
            | "environment"
            | "profile"
            | "workspace"
            | "server"
            | "host"
            | "database"
    )
}

pub(super) fn place_of(noun: &str, name: &str) -> String {
    match noun {
        "branch" | "branche" | "rama" | "zweig" => branch(name),
        "context" | "kontext" | "contexte" | "contexto" => format!("context:{name}"),
        "namespace" => format!("namespace:{name}"),
        _ => name.to_owned(),
    }
}

/// Names a branch; a prefix ending in a slash stands for all below it.
pub(super) fn branch(name: &str) -> String {
    let name = wildcards(name);
    format!(
        "branch:{name}{}",
        if name.ends_with('/') { "*" } else { "" }
    )
}

pub(super) fn is_branch(word: &str) -> bool {
    matches!(word, "main" | "master" | "develop" | "trunk")
        || word.starts_with("release/")
        || word.starts_with("feature/")
        || word.starts_with("hotfix/")
}

pub(super) fn is_stage(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "prod"
            | "production"
            | "live"
            | "staging"
            | "stage"
            | "dev"
            | "development"
            | "qa"
            | "uat"
            | "preprod"
            | "sandbox"
    )
}

pub(super) fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "to" | "on"
            | "onto"
            | "against"
            | "in"
            | "into"
            | "from"
            | "at"
            | "auf"
            | "nach"
            | "gegen"
            | "sur"
            | "vers"
            | "contre"
            | "en"
            | "a"
            | "contra"
            | "sobre"
            | "for"
            | "outside"
            | "off"
            | "with"
    )
}
