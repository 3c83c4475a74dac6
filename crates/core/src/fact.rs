//! The facts of a commit, said once for every backend, and the check of what a sink made of them.

use crate::audit::{Detail, Erased, Fact, FactResult, Op, Sanitised, Sealed, SealedEntry};
use crate::{
    CommittedFact, Contradiction, Decision, EntityId, Memory, MemoryId, Namespace, Receipt, Rule,
    State, ToolEvent, Transition, Verdict,
};

impl Fact {
    fn done(op: Op, namespace: &Namespace, memory: Option<MemoryId>, detail: Detail) -> Self {
        Self {
            op,
            result: FactResult::Ok,
            namespace: namespace.clone(),
            memory,
            detail,
        }
    }

    /// A memory was written; `pending_vector` if it has no vector yet.
    pub fn written(memory: &Memory, pending_vector: bool) -> Self {
        let detail = Detail::Written {
            kind: memory.kind,
            state: memory.state,
            pending_vector,
        };
        Self::done(Op::Write, &memory.namespace, Some(memory.id), detail)
    }

    /// The memory `old` of `namespace` was replaced by `new`.
    pub fn superseded(namespace: &Namespace, old: MemoryId, new: MemoryId) -> Self {
        Self::done(
            Op::Supersede,
            namespace,
            Some(old),
            Detail::SupersededBy(new),
        )
    }

    /// A memory of `namespace` changed its standing.
    pub fn moved(namespace: &Namespace, by: &Transition, from: State) -> Self {
        let detail = Detail::Moved {
            from,
            to: by.to.state,
        };
        Self::done(by.op, namespace, Some(by.memory), detail)
    }

    /// The younger of two memories, of `namespace`, was found to contradict the other.
    pub fn disputed(namespace: &Namespace, contradiction: &Contradiction) -> Self {
        let detail = Detail::Contradiction(contradiction.id, None);
        Self::done(
            Op::Dispute,
            namespace,
            Some(contradiction.between[1]),
            detail,
        )
    }

    /// A contradiction of a memory of `namespace` was resolved.
    pub fn resolved(
        namespace: &Namespace,
        contradiction: &Contradiction,
        verdict: Verdict,
    ) -> Self {
        let detail = Detail::Contradiction(contradiction.id, Some(verdict));
        Self::done(
            Op::Resolve,
            namespace,
            Some(contradiction.between[1]),
            detail,
        )
    }

    /// An entity of `namespace`, or a name of it, was recorded.
    pub fn named(namespace: &Namespace, entity: EntityId) -> Self {
        Self::done(Op::Entity, namespace, None, Detail::Entity(entity))
    }

    /// A tool event was recorded.
    pub fn observed(event: &ToolEvent) -> Self {
        let detail = Detail::Event {
            event: event.id,
            outcome: event.outcome,
            receipt: event.receipt,
        };
        Self::done(Op::Observe, &event.namespace, None, detail)
    }

    /// A rule was recorded.
    pub fn ruled(rule: &Rule) -> Self {
        Self::done(
            Op::Rule,
            &rule.namespace,
            Some(rule.memory),
            Detail::Rule(rule.id),
        )
    }

    /// The guard decided.
    pub fn decided(receipt: &Receipt) -> Self {
        let op = match receipt.decision {
            Decision::Allow => Op::GuardAllow,
            Decision::Warn => Op::GuardWarn,
            Decision::Block => Op::GuardBlock,
        };
        let detail = Detail::Guard {
            receipt: receipt.id,
            decision: receipt.decision,
            risk_permille: receipt.risk_permille,
        };
        Self::done(op, &receipt.namespace, None, detail)
    }

    /// Memories within a namespace were erased.
    pub fn erased(within: &Namespace, erased: Erased) -> Self {
        let memory = Some(erased.memories.as_slice())
            .filter(|ids| ids.len() == 1)
            .map(|ids| ids[0]);
        Self::done(Op::Forget, within, memory, Detail::Erased(Box::new(erased)))
    }

    /// An erasure within a namespace has reached the files.
    pub fn sanitised(within: &Namespace, memory: Option<MemoryId>, sanitised: Sanitised) -> Self {
        Self::done(
            Op::ForgetSanitised,
            within,
            memory,
            Detail::Sanitised(Box::new(sanitised)),
        )
    }

    /// Indexes over so many memories were rebuilt.
    pub fn reindexed(namespace: &Namespace, memories: u64) -> Self {
        Self::done(Op::Reindex, namespace, None, Detail::Reindexed(memories))
    }
}

impl CommittedFact {
    /// Answers an entry; `erased` tells whether its memory has been erased since.
    pub fn of(entry: &SealedEntry, erased: bool) -> Self {
        Self {
            seq: entry.seq,
            op: entry.op,
            result: entry.result,
            memory: entry.memory,
            erased,
        }
    }
}

impl Sealed {
    /// Tells whether the sink sealed one entry a fact after the `before` entries that were there,
    /// with `log.genesis` ahead of them in an empty log, and without a gap in the sequence.
    pub fn follows(&self, before: u64, facts: usize) -> bool {
        let genesis = usize::from(before == 0);
        self.entries.len() == facts + genesis
            && self
                .entries
                .iter()
                .zip(before..)
                .all(|(entry, seq)| entry.seq == seq)
            && self.head.size == before + self.entries.len() as u64
            && self
                .entries
                .last()
                .is_some_and(|entry| entry.leaf == self.head.hash)
    }
}
