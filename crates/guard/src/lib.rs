//! Rules on an agent's next action: allow, warn or block, with evidence.
//!
//! * What an action is: [`shell`] parses, [`identity`] brings to canonical form.
//! * What a rule is: [`rule`] compiles sentences, [`pattern`] matches by structure.
//! * What is known: evidence is gathered from a store through the traits of `precedent-core`,
//!   [`decide`] turns it into a [`Verdict`].
//!
//! The guard reads the store and never writes to it: [`Guard::before`] and [`Guard::after`] return
//! what their caller is to record.
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

mod action;
mod after;
mod capsule;
mod decide;
mod evidence;
mod gather;
mod guard;
pub mod identity;
pub mod pattern;
mod policy;
mod read_only;
mod reflex;
mod remedy;
pub mod rule;
pub mod shell;
mod verdict;
mod workspace;

pub use action::{Action, Prepared, prepare};
pub use after::{After, Ending, Learned};
pub use capsule::{Capsule, Entry, LEAST_CHARS, Section, USUAL_CHARS};
pub use decide::decide;
pub use evidence::{
    Conflict, Degraded, Evidence, Near, Relevant, Repeat, RuleFinding, RuleStanding, Standing,
};
pub use guard::{Before, Guard};
pub use policy::Policy;
pub use read_only::{command_reads, is_probe, read_only};
pub use reflex::reflexes;
pub use verdict::{EvidenceClass, EvidenceRef, Reflex, ReflexKind, Verdict, Warning, Weight};
pub use workspace::{NoFiles, Workspace};
