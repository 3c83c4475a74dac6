//! The controller: before an action a verdict, after it a record.

use std::sync::Arc;
use std::time::Instant;

use precedent_audit::key::HmacKey;
use precedent_core::{
    Backend, Decision, Embedder, Principal, Receipt, ReceiptId, Redactor, Timestamp,
};

use crate::action::{Action, Prepared, prepare};
use crate::decide::decide;
use crate::gather::{Sources, gather};
use crate::policy::Policy;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Rules on actions over one store; it reads the store and never writes to it.
#[derive(Clone)]
pub struct Guard {
    pub(crate) store: Arc<dyn Backend>,
    pub(crate) embedder: Option<Arc<dyn Embedder>>,
    pub(crate) key: Arc<HmacKey>,
    pub(crate) redactor: Redactor,
    pub(crate) workspace: Arc<dyn Workspace>,
    pub(crate) policy: Policy,
}

/// A verdict, with the receipt that is to be recorded.
#[derive(Clone, Debug)]
pub struct Before {
    /// The verdict; its receipt is to be filled in once it is recorded.
    pub verdict: Verdict,
    /// The receipt to record.
    pub receipt: Receipt,
}

impl Guard {
    /// Puts a guard together; `key` makes the digests of credentials and file contents.
    pub fn new(
        store: Arc<dyn Backend>,
        embedder: Option<Arc<dyn Embedder>>,
        key: Arc<HmacKey>,
        redactor: Redactor,
        workspace: Arc<dyn Workspace>,
        policy: Policy,
    ) -> Self {
        Self {
            store,
            embedder,
            key,
            redactor,
            workspace,
            policy,
        }
    }

    /// Rules on an action. There is no error: what cannot be looked at is part of the verdict.
    pub async fn before(
        &self,
        by: &Principal,
        action: &Action,
        receipt: ReceiptId,
        now: Timestamp,
    ) -> Before {
        let started = Instant::now();
        let prepared = self.prepare(action);
        let scope = by.scope();
        let sources = Sources {
            store: self.store.as_ref(),
            embedder: self.embedder.as_deref(),
            redactor: &self.redactor,
            key: &self.key,
            workspace: self.workspace.as_ref(),
            policy: &self.policy,
            scope: &scope,
            now,
        };
        let evidence = gather(&sources, &prepared).await;
        let mut verdict = decide(&evidence, &self.policy, &self.redactor);
        verdict.latency_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let receipt = self.receipt(by, action, &prepared, &verdict, receipt, now);
        Before { verdict, receipt }
    }

    pub(crate) fn prepare(&self, action: &Action) -> Prepared {
        prepare(action, &self.redactor, &self.key, self.workspace.as_ref())
    }

    fn receipt(
        &self,
        by: &Principal,
        action: &Action,
        prepared: &Prepared,
        verdict: &Verdict,
        id: ReceiptId,
        at: Timestamp,
    ) -> Receipt {
        let clean = |text: &Option<String>| text.as_deref().map(|text| self.redactor.clean(text));
        Receipt {
            id,
            namespace: by.namespace.clone(),
            agent: by.agent.clone(),
            session: clean(&action.session),
            tool_use: clean(&action.tool_use),
            tool: prepared.tool.clone(),
            keys: prepared.keys,
            decision: verdict.decision,
            risk_permille: permille(verdict.risk_score),
            evidence: verdict.evidence_ids().cloned().collect(),
            at,
            closed_by: None,
        }
    }
}

impl Before {
    /// Tells whether the receipt may be recorded without waiting for the disk: a plain allow.
    pub fn is_plain_allow(&self) -> bool {
        self.verdict.decision == Decision::Allow
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the share is clamped to [0, 1] first"
)]
fn permille(share: f64) -> u16 {
    (share.clamp(0.0, 1.0) * 1000.0).round() as u16
}
