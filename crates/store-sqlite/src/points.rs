//! Fail points: places between two steps of a commit where a test can let the store crash.
//!
//! As in [FreeBSD's `fail(9)`](https://man.freebsd.org/cgi/man.cgi?query=fail), a point costs
//! nothing unless it is compiled in, here by the feature `testkit`; where nobody armed the store it
//! then costs the load of one number.

/// Passes a fail point of a store's [`Shared`](crate::store::Shared) part: returns an error from
/// the function around it where the store is to crash here.
#[cfg(feature = "testkit")]
macro_rules! fail_point {
    ($shared:expr) => {
        $shared.points.pass()?
    };
}

/// Nothing: without the feature `testkit` no store crashes.
#[cfg(not(feature = "testkit"))]
macro_rules! fail_point {
    ($shared:expr) => {
        let _: &crate::store::Shared = $shared;
    };
}

pub(crate) use fail_point;

#[cfg(feature = "testkit")]
pub(crate) use counted::Points;

#[cfg(feature = "testkit")]
mod counted {
    use std::sync::atomic::{AtomicU64, Ordering};

    use precedent_core::{StoreError, StoreErrorKind};

    use crate::error::Fallible;

    /// The points that a store has passed, and the one where it crashes.
    #[derive(Default)]
    pub(crate) struct Points {
        /// The point to crash at, from 1; [`NOWHERE`] only counts, 0 does not count either.
        at: AtomicU64,
        passed: AtomicU64,
    }

    const NOWHERE: u64 = u64::MAX;

    impl Points {
        /// Counts from 0 again, and crashes at point `at`, from 1, or at none.
        pub(crate) fn arm(&self, at: Option<u64>) {
            self.passed.store(0, Ordering::SeqCst);
            self.at.store(at.unwrap_or(NOWHERE), Ordering::SeqCst);
        }

        /// Returns how many points were passed since.
        pub(crate) fn passed(&self) -> u64 {
            self.passed.load(Ordering::SeqCst)
        }

        /// Tells whether the point to crash at was reached.
        pub(crate) fn crashed(&self) -> bool {
            let at = self.at.load(Ordering::SeqCst);
            at != 0 && self.passed() >= at
        }

        /// Passes a point; an error at the one to crash at, and at all points after it.
        pub(crate) fn pass(&self) -> Fallible<()> {
            let at = self.at.load(Ordering::Relaxed);
            if at == 0 || self.passed.fetch_add(1, Ordering::SeqCst) + 1 < at {
                return Ok(());
            }
            self.check()
        }

        /// Refuses where the store crashed.
        pub(crate) fn check(&self) -> Fallible<()> {
            if !self.crashed() {
                return Ok(());
            }
            let error = StoreError::new(StoreErrorKind::Io, "going on after a crash");
            Err(error
                .advise("drop the store, and open what it left behind")
                .into())
        }
    }
}
