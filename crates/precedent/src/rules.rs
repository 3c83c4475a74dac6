//! Compiling what a user vouches for into rules.

use precedent_core::{CleanText, MemoryId, Redactor, Rule, Severity, Source, Trust};
use precedent_engine::{RememberItem, RuleDraft};
use precedent_guard::pattern::pattern_keys;
use precedent_guard::rule::{compile, conflicts, explain};

/// Adds the rules that an item's text states, if its trust was granted and its source can control.
pub(crate) fn compile_into(item: &mut RememberItem, redactor: &Redactor) {
    let may_control = item.trust == Trust::User
        && matches!(item.source, Source::DirectObservation | Source::ToldByUser);
    if !may_control || !item.rules.is_empty() {
        return;
    }
    for control in compile(&redactor.clean(&item.text), redactor).controls() {
        item.rules.push(RuleDraft {
            keys: pattern_keys(control.trigger())
                .iter()
                .map(|key| redactor.clean(key))
                .collect(),
            control: control.clone(),
            severity: Severity::Block,
            project: None,
        });
    }
}

/// Returns the memories whose rules cannot be followed together with an item's own; what the item
/// replaces is none of them.
pub(crate) fn contradicted(item: &RememberItem, known: &[Rule]) -> Vec<MemoryId> {
    let clashes = |rule: &&Rule| {
        let mut ours = item.rules.iter();
        ours.any(|draft| conflicts(&draft.control, &rule.control))
    };
    let mut found: Vec<MemoryId> = known
        .iter()
        .filter(clashes)
        .map(|rule| rule.memory)
        .collect();
    found.retain(|id| item.supersedes != Some(*id));
    found.sort();
    found.dedup();
    found
}

/// Says what is understood of a text as a rule, one sentence a control; nothing where it is advice.
pub(crate) fn understood(text: &str, redactor: &Redactor) -> Vec<CleanText> {
    compile(&redactor.clean(text), redactor)
        .controls()
        .iter()
        .map(|control| redactor.clean(&explain(control)))
        .collect()
}
