//! Deletion certificates: a canonical JSON payload in a signed DSSE envelope.
//!
//! A certificate is never edited: each later stage is a new document that names the SHA-256 of the
//! one before. It holds no fence value and no content hash, because it goes to third parties.

mod check;
mod envelope;
mod ids;
mod payload;
mod verify;

pub use check::PayloadFault;
pub use envelope::{PAYLOAD_TYPE, SignedCertificate, sign};
pub use ids::{DerivedId, DerivedList, IdList, IdRoot, MAX_LISTED_IDS, Regenerated};
pub use payload::{
    Authority, Backend, CERTIFICATE_TYPE, Certificate, Claim, ClaimKind, ClaimStatus, Counts,
    Fence, ResidueCheck, Sanitisation, SanitisationStep, Scope, Stage, Target, TargetKind,
};
pub use verify::{CertificateFault, MAX_ENVELOPE_BYTES, Verified, verify_certificate};

#[cfg(test)]
mod tests;
