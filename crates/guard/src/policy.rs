//! The guard's constants, each of which a host may set.

/// What the guard counts, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How long an exact failure blocks, in milliseconds; older ones warn.
    pub failure_decay_ms: i64,
    /// How many failed variants of one shape turn a warning into a block.
    pub retry_limit: usize,
    /// How many events of one key are looked at.
    pub history_limit: usize,
    /// How many memories are recalled.
    pub recall_limit: usize,
}

/// A day in milliseconds.
const DAY_MS: i64 = 86_400_000;

impl Default for Policy {
    /// Seven days, as the reference has it; five variants, after which another one is amplification.
    fn default() -> Self {
        Self {
            failure_decay_ms: 7 * DAY_MS,
            retry_limit: 5,
            history_limit: 32,
            recall_limit: 8,
        }
    }
}
