//! Compiling what a user vouches for into rules.

use precedent_core::{Redactor, Severity, Source, Trust};
use precedent_engine::{RememberItem, RuleDraft};
use precedent_guard::compile;

/// Adds the rules that an item's text states, if its trust was granted and its source can control.
pub(crate) fn compile_into(item: &mut RememberItem, redactor: &Redactor) {
    let may_control = item.trust == Trust::User
        && matches!(item.source, Source::DirectObservation | Source::ToldByUser);
    if !may_control || !item.rules.is_empty() {
        return;
    }
    for rule in compile(&redactor.clean(&item.text), redactor) {
        item.rules.push(RuleDraft {
            keys: rule.keys,
            control: rule.control,
            severity: Severity::Block,
            project: None,
        });
    }
}
