//! The crash sweep: a commit that fails at each of its points in turn is there or it is not.

use std::sync::Arc;

use precedent_audit::chain::{Mode, verify};
use precedent_core::{AuditSink, Backend, Commit, Committed, StoreError};

use crate::data::{home, scope, space};
use crate::sink::{fixed_keys, sealer};
use crate::view::{StoreView, Viewer};
use crate::{FailPoints, Harness};

/// Lets `work` crash at each fail point that it passes, on a fresh store that holds `before`, and
/// opens what is left. Returns how many points there were.
///
/// What is left shows all of the commit or nothing of it, and all of it where the commit was
/// answered; its log is one chain. The same request then succeeds, and leaves what an undisturbed
/// store holds.
///
/// # Panics
/// Where the store does otherwise, with the number of the point; and where `before` or `work` is
/// refused by an undisturbed store.
pub async fn sweep(
    harness: &dyn Harness,
    points: &dyn FailPoints,
    before: &[Commit],
    work: &Commit,
) -> u64 {
    let sink: Arc<dyn AuditSink> = Arc::new(sealer(fixed_keys()));
    let send = async |store: &Arc<dyn Backend>, commit: &Commit| {
        store.commit(commit.clone(), Arc::clone(&sink)).await
    };
    let prepared = async || {
        let store = harness.open(&space()).await;
        for commit in before {
            send(&store, commit)
                .await
                .expect("what is before is lawful");
        }
        store
    };
    let twin = prepared().await;
    let nothing = look(&twin).await;
    points.arm(&twin, None);
    send(&twin, work).await.expect("the work is lawful");
    let count = points.passed(&twin);
    let whole = look(&twin).await;
    assert_ne!(nothing, whole, "the work can be seen");
    for point in 1..=count {
        let store = prepared().await;
        points.arm(&store, Some(point));
        let answer = send(&store, work).await;
        let store = points.recover(store, &space()).await;
        let left = look(&store).await;
        let done = left == whole;
        assert!(done || left == nothing, "point {point} of {count}: a part");
        assert!(done || answer.is_err(), "point {point}: answered and lost");
        assert_chained(&left, point);
        let again = send(&store, work).await;
        assert_eq!(replayed(again), Some(done), "point {point}: sent again");
        assert!(look(&store).await == whole, "point {point}: in the end");
    }
    count
}

fn replayed(answer: Result<Committed, StoreError>) -> Option<bool> {
    answer.ok().map(|done| done.replayed)
}

async fn look(store: &Arc<dyn Backend>) -> StoreView {
    let viewer = Viewer {
        scopes: vec![home(), scope("team", "a1"), scope("team/app/sub", "a2")],
        texts: vec!["red", "fox"],
        receipts: 9,
    };
    viewer.look(store.as_ref()).await
}

/// Whoever has the log alone finds it whole.
fn assert_chained(left: &StoreView, point: u64) {
    let report = verify(&left.log, left.head.as_ref(), Mode::Full);
    assert!(report.is_ok(), "point {point}: {:?}", report.findings);
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use async_trait::async_trait;
    use futures_executor::block_on;
    use precedent_core::{EmbeddingSpace, Kind, Lane, StoreErrorKind};

    use super::*;
    use crate::data::{commit_id, memory, put};
    use crate::store::TestStore;
    use crate::{Call, Fault, FaultStore, LaneBreak, MemHarness, Need, Opened, Plan, cases};

    /// A store in memory with two points, before a commit and after it; on request one that is
    /// found torn after a crash.
    #[derive(Default)]
    struct Crashing {
        mem: MemHarness,
        opened: Opened<Arc<FaultStore>>,
        tears: bool,
    }

    #[async_trait]
    impl Harness for Crashing {
        fn backend(&self) -> &'static str {
            "crashing"
        }

        fn lacks(&self, _need: Need) -> Option<&'static str> {
            None
        }

        async fn open(&self, space: &EmbeddingSpace) -> Arc<dyn Backend> {
            let store = FaultStore::over(self.mem.open(space).await, Plan::none());
            let store = Arc::new(store);
            let backend: Arc<dyn Backend> = Arc::clone(&store) as Arc<dyn Backend>;
            self.opened.keep(&backend, store);
            backend
        }

        async fn reopen(&self, store: Arc<dyn Backend>, _: &EmbeddingSpace) -> Arc<dyn Backend> {
            store
        }

        async fn break_lane(&self, _: &Arc<dyn Backend>, _: Kind, _: Lane, _: LaneBreak) {}

        fn fail_points(&self) -> Option<&dyn FailPoints> {
            Some(self)
        }
    }

    #[async_trait]
    impl FailPoints for Crashing {
        fn arm(&self, store: &Arc<dyn Backend>, at: Option<u64>) {
            let plan = match at {
                None => Plan::none(),
                Some(1) => Plan::nth(Call::Commit, 1, Fault::Before(StoreErrorKind::Io)),
                Some(_) => Plan::nth(Call::Commit, 1, Fault::AnswerLost),
            };
            self.opened.find(store).expect("opened here").follow(plan);
        }

        fn passed(&self, store: &Arc<dyn Backend>) -> u64 {
            2 * self
                .opened
                .find(store)
                .expect("opened here")
                .calls(Call::Commit)
        }

        async fn recover(
            &self,
            store: Arc<dyn Backend>,
            _space: &EmbeddingSpace,
        ) -> Arc<dyn Backend> {
            self.arm(&store, None);
            if self.tears {
                let sink = Arc::new(sealer(fixed_keys()));
                let part = store.commit(part(), sink).await;
                part.expect("nothing stands in its way");
            }
            store
        }
    }

    #[test]
    fn cases_of_crashes_hold_for_a_store_that_is_whole() {
        let crashing: Vec<_> = cases().filter(|it| it.need == Need::FailPoints).collect();
        assert!(!crashing.is_empty());
        for case in crashing {
            case.run(&Crashing::default());
        }
    }

    /// What no request of a sweep wrote.
    fn part() -> Commit {
        let requests = TestStore::over(Arc::new(precedent_core::MemStore::new(None)));
        let mut part = requests.request(Vec::new(), vec![put(memory(77, "a part"))]);
        part.header.id = commit_id(77);
        part
    }

    #[test]
    fn a_torn_store_is_found() {
        let torn = Crashing {
            tears: true,
            ..Crashing::default()
        };
        let requests = TestStore::over(block_on(torn.open(&space())));
        let work = requests.request(Vec::new(), vec![put(memory(1, "red fox"))]);
        let run = || block_on(sweep(&torn, &torn, &[], &work));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
