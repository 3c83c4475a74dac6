//! Reflexes: warnings as habits that an agent can carry in its context.

use precedent_core::Redactor;

use crate::verdict::{EvidenceClass, Reflex, ReflexKind, Warning, Weight};

/// Turns warnings into reflexes, in the same order.
pub fn reflexes(warnings: &[Warning], redactor: &Redactor) -> Vec<Reflex> {
    warnings
        .iter()
        .map(|warning| reflex(warning, redactor))
        .collect()
}

fn reflex(warning: &Warning, redactor: &Redactor) -> Reflex {
    let trigger = match warning.class {
        EvidenceClass::PriorFailure => "before running this action again",
        EvidenceClass::NearFailure => "before running another variant of this action",
        EvidenceClass::MustFollow | EvidenceClass::Preference => {
            "before an action that this rule is about"
        }
        EvidenceClass::Conflict => "before following either of these rules",
        EvidenceClass::Risk => "before an action that touches this risk",
        EvidenceClass::RecallDegraded => "before relying on recall",
        EvidenceClass::Success => "when the earlier failure comes to mind",
    };
    let kind = match warning.weight {
        Weight::Info => ReflexKind::Guide,
        Weight::Medium => ReflexKind::Warn,
        Weight::High => ReflexKind::Block,
    };
    Reflex {
        trigger: redactor.clean(trigger),
        kind,
        response: warning
            .recommendation
            .clone()
            .unwrap_or_else(|| warning.message.clone()),
        evidence: warning.evidence.clone(),
    }
}
