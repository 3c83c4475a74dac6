//! Tests of the store as a whole.

mod contract;
mod equality;
mod fixture;
#[cfg(feature = "testkit")]
mod lanes;
mod opening;
mod plans;
mod purging;
