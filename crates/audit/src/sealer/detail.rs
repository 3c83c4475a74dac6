//! What an entry's `detail` says of each kind of fact: a closed set of members, without content.

use precedent_core::audit::Detail;
use serde_json::{Map, Value, json};

use super::erasure::Made;

/// Writes a fact's detail; `made` is the certificate of an erasure.
pub(super) fn members(detail: &Detail, made: Option<&Made>) -> Option<Map<String, Value>> {
    let value = match detail {
        Detail::None => return None,
        Detail::Written {
            kind,
            state,
            pending_vector,
        } => json!({
            "kind": kind.as_str(),
            "pending_vector": pending_vector,
            "state": state.as_str(),
        }),
        Detail::SupersededBy(new) => json!({"superseded_by": new.to_string()}),
        Detail::Moved { from, to } => json!({"from": from.as_str(), "to": to.as_str()}),
        Detail::Contradiction(id, verdict) => json!({
            "contradiction_id": id.to_string(),
            "verdict": verdict.map(|verdict| verdict.as_str()),
        }),
        Detail::Entity(id) => json!({"entity_id": id.to_string()}),
        Detail::Reason(reason, repeats) => {
            let repeats = repeats.map(|id| id.to_string());
            json!({"reason": reason.as_str(), "repeats": repeats})
        }
        Detail::Event {
            event,
            outcome,
            receipt,
        } => json!({
            "event_id": event.to_string(),
            "outcome": outcome.as_str(),
            "receipt_id": receipt.map(|id| id.to_string()),
        }),
        Detail::Rule(rule) => json!({"rule_id": rule.to_string()}),
        Detail::Guard {
            receipt,
            decision,
            risk_permille,
        } => json!({
            "decision": decision.as_str(),
            "receipt_id": receipt.to_string(),
            "risk_permille": risk_permille,
        }),
        Detail::Erased(_) | Detail::Sanitised(_) => return made.map(Made::detail),
        Detail::Reindexed(memories) => json!({"memories": memories}),
    };
    match value {
        Value::Object(members) => Some(members),
        _ => None,
    }
}
