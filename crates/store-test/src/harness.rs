//! What the suite asks of a backend under test.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use precedent_core::{Backend, EmbeddingSpace, Kind, Lane};

/// Where a backend's commits can be made to crash.
///
/// A fail point is a place between two steps of a commit, such as before a row is written, before
/// the log is, before the file is synced and after it. Passing one costs a store that is not armed
/// nothing. See [`sweep`](crate::sweep).
#[async_trait]
pub trait FailPoints: Send + Sync {
    /// Counts the points that `store` passes from 0 again, and lets it crash at point `at`, from
    /// 1, or at none.
    ///
    /// A store that crashed answers this call and all further ones with an error, and writes
    /// nothing more: neither on being dropped nor from another thread.
    fn arm(&self, store: &Arc<dyn Backend>, at: Option<u64>);

    /// Returns how many points `store` passed since it was armed.
    fn passed(&self, store: &Arc<dyn Backend>) -> u64;

    /// Opens what `store`, of which this is the last handle, left behind when it crashed; it is
    /// not closed first.
    async fn recover(&self, store: Arc<dyn Backend>, space: &EmbeddingSpace) -> Arc<dyn Backend>;
}

/// A future of one case; it stays on its thread.
pub type CaseFuture<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// How a test damages the index of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneBreak {
    /// The index is removed.
    Missing,
    /// The index is there and holds nothing.
    Emptied,
}

/// What a case needs beyond the contract's minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing more.
    Nothing,
    /// Commits outlive the store's handles: [`Harness::reopen`] works.
    Reopen,
    /// [`Harness::break_lane`] can do this kind of damage.
    Break(LaneBreak),
    /// Commits can be made to crash: [`Harness::fail_points`] returns where.
    FailPoints,
}

/// Makes stores of one backend for the suite.
///
/// Every [`open`](Self::open) gives a store of its own: cases open two and compare them, and run
/// side by side in threads and processes.
#[async_trait]
pub trait Harness: Send + Sync {
    /// Returns the backend's name, such as `sqlite`; failures show it.
    fn backend(&self) -> &'static str;

    /// Returns why cases with this need cannot run here, or nothing if they can; such cases show
    /// as ignored, with the reason.
    fn lacks(&self, need: Need) -> Option<&'static str>;

    /// Opens a fresh, empty store for vectors of `space`.
    async fn open(&self, space: &EmbeddingSpace) -> Arc<dyn Backend>;

    /// Opens a fresh, empty store that need not outlive a power cut, for long runs of what is not
    /// about that; the same as [`open`](Self::open) where there is no such store.
    async fn open_relaxed(&self, space: &EmbeddingSpace) -> Arc<dyn Backend> {
        self.open(space).await
    }

    /// Closes `store`, of which this is the last handle, and opens what it left behind.
    ///
    /// Called only where the backend does not lack [`Need::Reopen`].
    async fn reopen(&self, store: Arc<dyn Backend>, space: &EmbeddingSpace) -> Arc<dyn Backend>;

    /// Damages the index of one lane and kind, in a way that the store does not take part in.
    ///
    /// Called only where the backend does not lack [`Need::Break`] of `how`.
    async fn break_lane(&self, store: &Arc<dyn Backend>, kind: Kind, lane: Lane, how: LaneBreak);

    /// Returns where commits can be made to crash; a backend that cannot say shows the cases of
    /// crashes as ignored.
    fn fail_points(&self) -> Option<&dyn FailPoints> {
        None
    }

    /// Runs a case to its end; a backend that needs a runtime enters it here.
    fn block_on(&self, case: CaseFuture<'_>) {
        futures_executor::block_on(case);
    }
}
