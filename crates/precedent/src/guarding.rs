//! The guard's side of the handle: before an action, after it, and the capsule.

use precedent_core::{Change, Durability, EventId, Grant, ReceiptId, ReceiptQuery, Source};
use precedent_engine::RememberItem;
use precedent_guard::{Action, Capsule, Ending, Verdict};

use crate::error::Error;
use crate::memory::Memory;

/// What became of an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// The recorded event.
    pub event: EventId,
    /// The memory that was learned from it, or that said so already.
    pub learned: Option<precedent_core::MemoryId>,
}

impl Memory {
    /// Rules on an action before it runs, and records the decision.
    ///
    /// There is no error: what could not be looked at, or recorded, is part of the verdict.
    pub async fn before(&self, action: &Action) -> Verdict {
        let engine = &self.parts.engine;
        let now = engine.now();
        let receipt = ReceiptId::from_bytes(engine.fresh_id(now));
        let before = self
            .parts
            .guard
            .before(&self.by, action, receipt, now)
            .await;
        let durability = if before.is_plain_allow() {
            Durability::Deferred
        } else {
            Durability::Full
        };
        let mut verdict = before.verdict;
        let changes = vec![Change::Receipt(Box::new(before.receipt))];
        match engine.record(&self.by, changes, durability).await {
            Ok(_) => verdict.receipt = Some(receipt),
            Err(_) => verdict
                .recall_errors
                .push(self.clean("receipt:store-unavailable")),
        }
        verdict
    }

    /// Records how an action ended and closes its receipt, if it had one.
    ///
    /// # Errors
    /// [`Error`] of kind conflict when the receipt is closed already or is not this agent's.
    pub async fn after(
        &self,
        action: &Action,
        ending: &Ending,
        receipt: Option<ReceiptId>,
    ) -> Result<Observed, Error> {
        self.require(Grant::Write, "recording an event")?;
        let engine = &self.parts.engine;
        let now = engine.now();
        let event = EventId::from_bytes(engine.fresh_id(now));
        let after = self
            .parts
            .guard
            .after(&self.by, action, ending, receipt, event, now);
        let changes = vec![Change::Event(Box::new(after.event))];
        engine.record(&self.by, changes, Durability::Full).await?;
        let learned = match after.learned {
            Some(learned) => {
                let mut item = RememberItem::new(learned.text.as_str());
                item.source = Source::ToolResult;
                item.tags = learned.tags.iter().map(ToString::to_string).collect();
                item.private = ending.private;
                let written = self.remember(item).await?;
                written
                    .stored
                    .first()
                    .map(|stored| stored.id)
                    .or(written.deduplicated.first().copied())
            }
            None => None,
        };
        Ok(Observed { event, learned })
    }

    /// Finds the open receipt of a host's tool use.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn open_receipt(&self, tool_use: &str) -> Result<Option<ReceiptId>, Error> {
        if !self.may(Grant::Read) {
            return Ok(None);
        }
        let query = ReceiptQuery::ToolUse(self.by.scope(), self.clean(tool_use));
        let found = self.parts.engine.store().receipts(&query).await?;
        Ok(found
            .iter()
            .find(|receipt| receipt.closed_by.is_none())
            .map(|receipt| receipt.id))
    }

    /// Collects what an agent should have in mind for a task, within a budget of characters.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read.
    pub async fn capsule(&self, task: &str, budget_chars: usize) -> Result<Capsule, Error> {
        self.require(Grant::Read, "collecting a capsule")?;
        let now = self.parts.engine.now();
        Ok(self
            .parts
            .guard
            .capsule(&self.by, self.clean(task), budget_chars, now)
            .await?)
    }
}
