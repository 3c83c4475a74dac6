//! Laws over generated inputs, with a bounded number of cases and the smallest counter-example.

use proptest::prelude::Strategy;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// Where the inputs of a usual run start from: the same inputs in every run.
pub(crate) const SEED: u64 = 0x5EED;

/// Runs `cases` inputs, the same in every run, and keeps no file of failures.
pub(crate) fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 500,
        rng_seed: RngSeed::Fixed(SEED),
        ..Config::default()
    }
}

/// Asserts that `law` panics for no input of `strategy`.
///
/// # Panics
/// With the smallest input found for which it does.
#[track_caller]
pub(crate) fn assert_law<S: Strategy>(config: &Config, strategy: &S, law: impl Fn(S::Value)) {
    let held = TestRunner::new(config.clone()).run(strategy, |input| {
        law(input);
        Ok(())
    });
    let broken = held.err().map(|error| error.to_string());
    assert!(broken.is_none(), "{}", broken.unwrap_or_default());
}
