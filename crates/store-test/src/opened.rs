//! What a harness knows of the stores that it opened, beyond what the contract shows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use precedent_core::Backend;

/// Keeps something for each open store, such as its path or its own type, so that
/// [`Harness::reopen`](crate::Harness::reopen) and
/// [`Harness::break_lane`](crate::Harness::break_lane) can find it.
#[derive(Debug)]
pub struct Opened<T> {
    kept: Mutex<HashMap<usize, T>>,
}

impl<T> Default for Opened<T> {
    fn default() -> Self {
        Self {
            kept: Mutex::default(),
        }
    }
}

impl<T: Clone> Opened<T> {
    /// Keeps `value` for a store, in place of what an earlier store at its address left.
    pub fn keep(&self, store: &Arc<dyn Backend>, value: T) {
        self.with(|kept| kept.insert(address(store), value));
    }

    /// Returns what was kept for a store.
    pub fn find(&self, store: &Arc<dyn Backend>) -> Option<T> {
        self.with(|kept| kept.get(&address(store)).cloned())
    }

    /// Returns what was kept for a store and keeps it no longer.
    pub fn take(&self, store: &Arc<dyn Backend>) -> Option<T> {
        self.with(|kept| kept.remove(&address(store)))
    }

    fn with<R>(&self, act: impl FnOnce(&mut HashMap<usize, T>) -> R) -> R {
        act(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn address(store: &Arc<dyn Backend>) -> usize {
    Arc::as_ptr(store).cast::<()>().addr()
}
