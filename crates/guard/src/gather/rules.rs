//! Rules: found through the index, matched by structure, checked against what has succeeded.

use std::collections::{BTreeMap, BTreeSet};

use precedent_core::{
    ActionPattern, CleanText, Control, EventId, EventKey, EventQuery, MemoryId, Outcome, Rule,
    RuleQuery, StoreError, ToolEvent,
};

use super::{Sources, recorded, same_project};
use crate::action::Prepared;
use crate::evidence::{Conflict, Degraded, Evidence, RuleFinding, RuleStanding};
use crate::pattern::{concerns, matches, pattern_keys, vouches};
use crate::rule::{conflicts as contradict, describe};

/// Most rules that one action is checked against.
const RULES: usize = 256;
/// Most successes that are looked at for one prerequisite.
const SUCCESSES: usize = 256;

pub(super) async fn gather(sources: &Sources<'_>, action: &Prepared, evidence: &mut Evidence) {
    if let Err(_error) = collect(sources, action, evidence).await {
        evidence.degraded.push(Degraded::Store("rules"));
    }
}

async fn collect(
    sources: &Sources<'_>,
    action: &Prepared,
    evidence: &mut Evidence,
) -> Result<(), StoreError> {
    let query = RuleQuery {
        scope: sources.scope.clone(),
        keys: Some(action.lookup.clone()),
        limit: RULES,
    };
    let mut rules = sources.store.rules(&query).await?;
    rules.retain(|rule| {
        same_project(rule.project.as_deref(), action.project.as_deref())
            && matches(rule.control.trigger(), &action.canonical)
    });
    let texts = in_force(sources, &rules).await?;
    rules.retain(|rule| texts.contains_key(&rule.memory));
    // A rule that the action follows can still contradict one that it breaks.
    evidence.conflicts = conflicts(&rules);
    rules.retain(|rule| concerns(&rule.control, &action.canonical));
    for rule in &rules {
        evidence.rules.push(RuleFinding {
            rule: rule.id,
            memory: rule.memory,
            text: texts.get(&rule.memory).cloned().unwrap_or_default(),
            standing: standing(sources, action, rule).await?,
        });
    }
    Ok(())
}

/// Returns the texts of those memories behind the rules that hold now.
async fn in_force(
    sources: &Sources<'_>,
    rules: &[Rule],
) -> Result<BTreeMap<MemoryId, CleanText>, StoreError> {
    let ids: BTreeSet<MemoryId> = rules.iter().map(|rule| rule.memory).collect();
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ids: Vec<MemoryId> = ids.into_iter().collect();
    let memories = sources.store.memories(sources.scope, &ids).await?;
    let holding = memories
        .into_iter()
        .filter(|memory| memory.holds_at(sources.now));
    Ok(holding.map(|memory| (memory.id, memory.text)).collect())
}

fn conflicts(rules: &[Rule]) -> Vec<Conflict> {
    let mut found = Vec::new();
    for (at, one) in rules.iter().enumerate() {
        for other in &rules[at + 1..] {
            if one.memory != other.memory && contradict(&one.control, &other.control) {
                found.push(Conflict {
                    one: one.memory,
                    other: other.memory,
                });
            }
        }
    }
    found
}

async fn standing(
    sources: &Sources<'_>,
    action: &Prepared,
    rule: &Rule,
) -> Result<RuleStanding, StoreError> {
    match &rule.control {
        Control::Prohibits { .. } => Ok(RuleStanding::Forbidden),
        Control::Prefers { prefer, .. } => Ok(RuleStanding::Discouraged(words(sources, prefer))),
        Control::Requires { prerequisites, .. } => {
            let (mut missing, mut met) = (Vec::new(), Vec::new());
            for prerequisite in prerequisites {
                match success(sources, action, rule, prerequisite).await? {
                    Some(event) => met.push(event),
                    None => missing.push(words(sources, prerequisite)),
                }
            }
            Ok(if missing.is_empty() {
                RuleStanding::Satisfied(met)
            } else {
                RuleStanding::Missing(missing)
            })
        }
    }
}

/// Finds the latest attempt at the prerequisite in the same project after the rule was given, and
/// returns it if it succeeded: a later failure revokes an earlier success.
async fn success(
    sources: &Sources<'_>,
    action: &Prepared,
    rule: &Rule,
    prerequisite: &ActionPattern,
) -> Result<Option<EventId>, StoreError> {
    let after_rule = |event: &ToolEvent| {
        (event.at, event.id.as_bytes()) > (rule.recorded_at, rule.id.as_bytes())
    };
    for key in pattern_keys(prerequisite) {
        let query = EventQuery {
            scope: sources.scope.clone(),
            key: EventKey::Lookup(sources.redactor.clean(&key)),
            outcomes: vec![Outcome::Succeeded, Outcome::Failed],
            since: Some(rule.recorded_at),
            limit: SUCCESSES,
        };
        let events = sources.store.events(&query).await?;
        let found = events.iter().find(|event| {
            after_rule(event)
                && same_project(event.project.as_deref(), action.project.as_deref())
                && tells(prerequisite, event)
        });
        if let Some(event) = found {
            return Ok((event.outcome == Outcome::Succeeded).then_some(event.id));
        }
    }
    Ok(None)
}

/// Tells whether an event says how an attempt at the prerequisite ended: a line may succeed
/// whatever one of its commands did.
fn tells(prerequisite: &ActionPattern, event: &ToolEvent) -> bool {
    let action = recorded(event);
    match event.outcome {
        Outcome::Succeeded => vouches(prerequisite, &action),
        _ => matches(prerequisite, &action),
    }
}

fn words(sources: &Sources<'_>, pattern: &ActionPattern) -> CleanText {
    sources.redactor.clean(&describe(pattern))
}
