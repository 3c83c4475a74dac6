//! Memories: what recall finds about the action, and which lanes could not answer.

use std::collections::BTreeSet;

use precedent_core::{Hit, Lane, RecallRequest, analyze, recall};

use super::Sources;
use crate::action::Prepared;
use crate::evidence::{Degraded, Evidence, Relevant};
use crate::rule::{Compiled, compile};

/// Tags under which a memory tells of a risk.
const RISK_TAGS: [&str; 6] = [
    "risk",
    "warning",
    "danger",
    "failure-prevention",
    "must-follow",
    "policy",
];
/// Words that a memory has to share with the action before it speaks about it.
const SHARED_WORDS: usize = 2;
/// How far above the embedding space's floor a cosine has to be, to count without shared words.
const COSINE_MARGIN: f64 = 0.15;

/// Recalls memories about the action; read-only actions are never warned about by similarity, and
/// a memory that was understood as a rule speaks through its rule alone.
pub(super) async fn gather(sources: &Sources<'_>, action: &Prepared, evidence: &mut Evidence) {
    if evidence.read_only {
        return;
    }
    let mut request = RecallRequest::new(sources.scope.clone(), action.text.clone());
    request.limit = sources.policy.recall_limit;
    request.filter.valid_at = Some(sources.now);
    let outcome = recall(sources.store, sources.embedder, &request).await;
    evidence
        .degraded
        .extend(outcome.errors.into_iter().map(Degraded::Lane));
    let cited: BTreeSet<_> = evidence
        .rules
        .iter()
        .map(|finding| finding.memory)
        .collect();
    let floor = sources
        .embedder
        .map_or(f64::INFINITY, |e| f64::from(e.space().floor));
    let ours = stems(&action.text);
    evidence.risks = outcome
        .hits
        .into_iter()
        .filter(|hit| warns(hit) && !cited.contains(&hit.memory.id))
        .filter(|hit| is_relevant(hit, &ours, floor))
        .filter(|hit| compile(&hit.memory.text, sources.redactor) == Compiled::Advice)
        .map(|hit| Relevant {
            memory: hit.memory.id,
            text: hit.memory.text,
            actor: hit.memory.actor,
        })
        .collect();
}

/// Only what the host vouches for may warn; everything else informs through the capsule.
fn warns(hit: &Hit) -> bool {
    hit.memory.may_control()
        && hit
            .memory
            .tags
            .iter()
            .any(|tag| RISK_TAGS.contains(&&**tag))
}

fn is_relevant(hit: &Hit, ours: &BTreeSet<String>, floor: f64) -> bool {
    let near = hit
        .lanes
        .iter()
        .any(|lane| lane.lane == Lane::Vector && lane.raw >= floor + COSINE_MARGIN);
    near || ours.intersection(&stems(&hit.memory.text)).count() >= SHARED_WORDS
}

/// Returns a text's words without their inflection.
fn stems(text: &str) -> BTreeSet<String> {
    analyze::query(text)
        .into_iter()
        .filter(|term| analyze::weight(term) == 1.0)
        .collect()
}
