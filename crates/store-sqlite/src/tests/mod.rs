//! Tests of the store as a whole.

mod equality;
mod fixture;
