//! Receipts: what the guard decided, and on what evidence.

use precedent_redact::CleanText;
use serde::Serialize;

use crate::text_enum::text_enum;
use crate::{ActionKeys, EventId, Name, Namespace, ReceiptId, Timestamp};

text_enum! {
    /// What the guard says of an action.
    pub enum Decision as "decision" {
        /// Nothing is known against it.
        Allow = "allow",
        /// Something is worth knowing first.
        Warn = "warn",
        /// It should not run as it stands.
        Block = "block",
    }
}

/// A guard decision, kept so that the action's outcome can close it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The id.
    pub id: ReceiptId,
    /// Where it was decided.
    pub namespace: Namespace,
    /// The agent that asked.
    pub agent: Name,
    /// The session, as the host names it.
    pub session: Option<CleanText>,
    /// The host's own id of the tool use, to pair the outcome with the decision.
    pub tool_use: Option<CleanText>,
    /// The tool.
    pub tool: CleanText,
    /// The identities of the action.
    pub keys: ActionKeys,
    /// The verdict.
    pub decision: Decision,
    /// Risk in thousandths.
    pub risk_permille: u16,
    /// Ids of the evidence, as the verdict cites them.
    pub evidence: Vec<CleanText>,
    /// When it was decided.
    pub at: Timestamp,
    /// The event that closed it; the store sets this.
    pub closed_by: Option<EventId>,
}
