//! Long runs of the reference model, as `cargo xtask soak` asks for them.

use std::cell::Cell;
use std::io::Write as _;

/// Names the environment variable that says how many histories a long run drives.
pub const SOAK_CASES: &str = "PRECEDENT_SOAK_CASES";
/// Names the environment variable that says where a long run's histories start from; the same
/// number gives the same histories.
pub const SOAK_SEED: &str = "PRECEDENT_SOAK_SEED";

/// After how many histories a long run says how far it is.
const EVERY: u32 = 500;

/// A long run.
pub(crate) struct Soak {
    /// How many histories.
    pub(crate) cases: u32,
    /// Where they start from.
    pub(crate) seed: u64,
    done: Cell<u32>,
}

impl Soak {
    /// Returns the run that the environment asks for, if it asks for one.
    pub(crate) fn asked() -> Option<Self> {
        let number = |name: &str| variable(name)?.parse().ok();
        let cases = u32::try_from(number(SOAK_CASES)?).ok()?;
        Some(Self {
            cases,
            seed: number(SOAK_SEED).unwrap_or(crate::law::SEED),
            done: Cell::new(0),
        })
    }

    /// Says how far the run is, now and then; shrinking a failure counts on beyond the end.
    pub(crate) fn tell(&self, backend: &str) {
        self.done.set(self.done.get().saturating_add(1));
        let done = self.done.get();
        if done.is_multiple_of(EVERY) || done == self.cases {
            let line = format!("{backend}: {done} of {} histories\n", self.cases);
            // Progress that cannot be shown is no reason to stop.
            let _ = std::io::stderr().write_all(line.as_bytes());
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test binary without arguments of its own is configured by its environment"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
