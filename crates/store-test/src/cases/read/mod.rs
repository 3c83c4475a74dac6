//! Reads answer in the promised order, within the scope, up to the limit.

pub(super) mod events;
pub(super) mod guard;
pub(super) mod log;
pub(super) mod memories;
