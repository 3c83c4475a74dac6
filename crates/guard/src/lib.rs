//! The guard's judgement: what an action is, and which rules concern it.
//!
//! Everything here is pure: no store, no clock, no file system. A host's tool
//! call becomes a [`CanonicalAction`](identity::CanonicalAction), the same for
//! every way to write it, with keys under which its history is found. Rules
//! written as sentences become controls ([`rule::compile`]), which are found
//! by key and matched by structure ([`pattern`]).
//!
//! ```
//! use precedent_guard::{identity, pattern, rule};
//! use precedent_redact::Redactor;
//!
//! let compiled = rule::compile("Before `fly deploy` run `./ci/smoke.sh`.", &Redactor::new());
//! let control = &compiled.controls()[0];
//! assert_eq!(
//!     rule::explain(control),
//!     "when the command `fly deploy`, then first require success of the command `./ci/smoke.sh`"
//! );
//!
//! let deploy = identity::canonicalise_command("cd app && nice fly deploy 2>&1 | tail");
//! assert!(pattern::concerns(control, &deploy));
//! let message = identity::canonicalise_command("git commit -m 'fly deploy'");
//! assert!(!pattern::concerns(control, &message));
//! ```

#![forbid(unsafe_code)]

pub mod identity;
pub mod pattern;
mod read_only;
pub mod rule;
pub mod shell;

pub use read_only::{command_reads, is_probe, read_only};
