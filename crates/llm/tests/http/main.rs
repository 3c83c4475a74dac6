//! Both clients against a server on this machine that misbehaves in every way that it was told.

mod answers;
mod environment;
mod failures;
mod fixtures;
mod giving_up;
mod secrets;
mod server;
mod tls;
