//! Where a memory stands, and stood: changes of standing, their history and its two clocks.

pub(super) mod clocks;
pub(super) mod holding;
pub(super) mod life;

use precedent_core::{MemoryId, Revision};

use crate::data::home;
use crate::store::TestStore;

/// Returns the life of a memory.
async fn life_of(store: &TestStore, id: MemoryId) -> Vec<Revision> {
    let life = store.backend.revisions(&home(), id).await;
    life.expect("a life can be read")
}
