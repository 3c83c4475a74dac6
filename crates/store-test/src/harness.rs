//! What the suite asks of a backend under test.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use precedent_core::{Backend, EmbeddingSpace, Kind, Lane};

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

    /// Runs a case to its end; a backend that needs a runtime enters it here.
    fn block_on(&self, case: CaseFuture<'_>) {
        futures_executor::block_on(case);
    }
}
