//! The audit log's formats: canonical entries, their hash chain, and signed deletion certificates.
//!
//! * [`canonical`]: an entry and its one spelling, which is what is hashed and stored.
//! * [`chain`]: the verifier of a stored log, which says what is wrong and where.
//! * [`certificate`]: what an erasure hands to third parties, and how they verify it.
//! * [`key`]: the keys of a store; the only part with files and randomness.
//! * [`sealer`]: [`Sealer`](sealer::Sealer), the `AuditSink` that a store calls inside its atomic
//!   section.
//!
//! Verification needs no runtime, no database and no secret, so that third parties can embed it:
//!
//! ```
//! use precedent_audit::certificate::{CertificateFault, verify_certificate};
//! use precedent_audit::key::{PublicKey, TrustedKeys};
//!
//! # let pem = "-----BEGIN PUBLIC KEY-----\n\
//! #     MCowBQYDK2VwAyEAKay64UG8yvCyLhqU000LxzYeUm0L/hLIl5S8kyKWbdc=\n\
//! #     -----END PUBLIC KEY-----\n";
//! let trusted = TrustedKeys::new([PublicKey::from_pem(pem)?]);
//! let answer = verify_certificate(b"{}", &trusted);
//! assert_eq!(answer, Err(CertificateFault::Envelope));
//! # Ok::<(), precedent_audit::key::PublicKeyError>(())
//! ```
#![forbid(unsafe_code)]

pub mod canonical;
pub mod certificate;
pub mod chain;
pub mod hash;
pub mod json;
pub mod key;
pub mod merkle;
pub mod sealer;
pub mod time;
