//! Compiling what a user vouches for into rules.

use precedent_core::{CleanText, Redactor, Severity, Source, Trust};
use precedent_engine::{RememberItem, RuleDraft};
use precedent_guard::pattern::pattern_keys;
use precedent_guard::rule::{compile, explain};

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

/// Says what is understood of a text as a rule, one sentence a control; nothing where it is advice.
pub(crate) fn understood(text: &str, redactor: &Redactor) -> Vec<CleanText> {
    compile(&redactor.clean(text), redactor)
        .controls()
        .iter()
        .map(|control| redactor.clean(&explain(control)))
        .collect()
}
