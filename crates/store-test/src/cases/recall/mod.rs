//! Both lanes find, score and order as the contract says.

pub(super) mod lanes;
pub(super) mod score;
