//! Tests of the store as a whole.

mod contract;
#[cfg(feature = "testkit")]
mod correction;
#[cfg(feature = "testkit")]
mod crash;
mod dice;
mod equality;
pub(crate) mod fixture;
#[cfg(feature = "testkit")]
mod lanes;
mod migration;
mod opening;
mod plans;
mod purging;
#[cfg(feature = "testkit")]
mod staging;
