//! The rules on a payload that its types do not carry.

use super::ids::{DerivedList, IdList, IdRoot, MAX_LISTED_IDS};
use super::payload::{
    CERTIFICATE_TYPE, Certificate, Claim, ClaimKind, ClaimStatus, ResidueCheck, Sanitisation,
    Scope, Stage,
};
use crate::json::{self, JsonFault};
use crate::time::parse_timestamp;
use precedent_core::Digest;

/// The member `algorithm` of every payload.
pub(super) const ALGORITHM: &str = "ed25519";

/// Says which rule a payload breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadFault {
    /// The payload is not canonical JSON of the admitted subset.
    #[error(transparent)]
    Json(#[from] JsonFault),
    /// Members are missing, unknown or of another type.
    #[error("payload members do not match the certificate format: check its version")]
    Members,
    /// `type` is another document's.
    #[error("payload is not a deletion certificate: give one")]
    Type,
    /// `algorithm` is not Ed25519.
    #[error("algorithm is not ed25519: no other is known")]
    Algorithm,
    /// A time is not RFC 3339 UTC with milliseconds.
    #[error("{0} is not an rfc 3339 utc time with milliseconds and z: reformat it")]
    Timestamp(&'static str),
    /// A claim is missing or occurs twice.
    #[error("claim {0:?} does not occur exactly once: take a stand on all four claims")]
    Claims(ClaimKind),
    /// A claim that is not pending has a date.
    #[error("claim {0:?} has a date without being pending: drop the date")]
    ClaimDate(ClaimKind),
    /// A claim is called verified and no evidence supports it.
    #[error("claim {0:?} is called verified without evidence: claim less")]
    ClaimWithoutEvidence(ClaimKind),
    /// The stage and the members that belong to stages disagree.
    #[error("stage {0:?} and its sanitisation or previous certificate disagree: fix the stage")]
    Stage(Stage),
    /// A hash is not 64 lowercase hexadecimal digits.
    #[error("{0} is not 64 lowercase hexadecimal digits: give a sha-256")]
    Hash(&'static str),
    /// A list of ids has the form that its length forbids.
    #[error("{0} has the wrong form for its length: list up to 1000 ids, else count and root")]
    IdList(&'static str),
}

impl Certificate {
    /// Writes the canonical payload after checking every rule.
    ///
    /// # Errors
    /// Names the first rule that the payload breaks.
    pub fn canonical(&self) -> Result<Vec<u8>, PayloadFault> {
        check(self)?;
        let value = serde_json::to_value(self).map_err(|_| PayloadFault::Members)?;
        Ok(json::canonical(&value)?)
    }

    /// Parses a payload that must already be canonical.
    ///
    /// # Errors
    /// Names the first rule that the payload breaks.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadFault> {
        let value = json::parse(bytes)?;
        let certificate: Self = serde_json::from_value(value).map_err(|_| PayloadFault::Members)?;
        // Optional members that are absent instead of null, and empty ones that are present,
        // read as the same value: only writing it again tells them apart.
        if certificate.canonical()? != bytes {
            return Err(PayloadFault::Members);
        }
        Ok(certificate)
    }
}

fn check(certificate: &Certificate) -> Result<(), PayloadFault> {
    if certificate.kind != CERTIFICATE_TYPE {
        return Err(PayloadFault::Type);
    }
    if certificate.algorithm != ALGORITHM {
        return Err(PayloadFault::Algorithm);
    }
    check_time("requested_at", &certificate.requested_at)?;
    check_time("erased_at", &certificate.erased_at)?;
    check_stage(certificate)?;
    check_scope(&certificate.scope)?;
    check_claims(certificate)
}

fn check_time(name: &'static str, text: &str) -> Result<(), PayloadFault> {
    parse_timestamp(text)
        .map(drop)
        .ok_or(PayloadFault::Timestamp(name))
}

fn check_hash(name: &'static str, text: &str) -> Result<(), PayloadFault> {
    text.parse::<Digest>()
        .map(drop)
        .map_err(|_| PayloadFault::Hash(name))
}

fn check_stage(certificate: &Certificate) -> Result<(), PayloadFault> {
    let previous = certificate.previous_certificate_sha256.as_deref();
    let fits = match certificate.stage {
        Stage::Logical => previous.is_none() && certificate.sanitisation.is_none(),
        Stage::Sanitised => previous.is_some() && certificate.sanitisation.is_some(),
        Stage::BackupsExpired => previous.is_some(),
    };
    if !fits {
        return Err(PayloadFault::Stage(certificate.stage));
    }
    previous.map_or(Ok(()), |hash| {
        check_hash("previous_certificate_sha256", hash)
    })?;
    certificate
        .sanitisation
        .as_ref()
        .map_or(Ok(()), check_sanitisation)
}

fn check_sanitisation(sanitisation: &Sanitisation) -> Result<(), PayloadFault> {
    check_time("started_at", &sanitisation.started_at)?;
    check_time("finished_at", &sanitisation.finished_at)
}

fn check_scope(scope: &Scope) -> Result<(), PayloadFault> {
    for (name, list) in [
        ("memory_ids", &scope.memory_ids),
        ("usage_event_ids", &scope.usage_event_ids),
        ("query_trace_ids", &scope.query_trace_ids),
    ] {
        match list {
            IdList::Ids(ids) => check_length(name, ids.len())?,
            IdList::Root(root) => check_root(name, root)?,
        }
    }
    match &scope.derived_ids {
        DerivedList::Ids(ids) => check_length("derived_ids", ids.len()),
        DerivedList::Root(root) => check_root("derived_ids", root),
    }
}

fn check_length(name: &'static str, length: usize) -> Result<(), PayloadFault> {
    if length > MAX_LISTED_IDS {
        Err(PayloadFault::IdList(name))
    } else {
        Ok(())
    }
}

fn check_root(name: &'static str, root: &IdRoot) -> Result<(), PayloadFault> {
    if root.count <= MAX_LISTED_IDS as u64 {
        return Err(PayloadFault::IdList(name));
    }
    check_hash(name, &root.root)
}

fn check_claims(certificate: &Certificate) -> Result<(), PayloadFault> {
    for kind in ClaimKind::ALL {
        let mut same = certificate
            .claims
            .iter()
            .filter(|claim| claim.claim == kind);
        let (Some(claim), None) = (same.next(), same.next()) else {
            return Err(PayloadFault::Claims(kind));
        };
        check_claim(claim, certificate)?;
    }
    Ok(())
}

fn check_claim(claim: &Claim, certificate: &Certificate) -> Result<(), PayloadFault> {
    let kind = claim.claim;
    if let Some(date) = &claim.not_after {
        if claim.status != ClaimStatus::Pending {
            return Err(PayloadFault::ClaimDate(kind));
        }
        check_time("not_after", date)?;
    }
    if claim.status == ClaimStatus::Verified && !has_evidence(kind, certificate) {
        return Err(PayloadFault::ClaimWithoutEvidence(kind));
    }
    Ok(())
}

/// Tells whether a certificate can carry evidence for a claim, and does.
///
/// A store checks within its own transaction that no interface returns what it erased, and its
/// files by a residue check. It cannot look at backups or at the device.
fn has_evidence(kind: ClaimKind, certificate: &Certificate) -> bool {
    match kind {
        ClaimKind::NotReturnedByAnyApi => true,
        ClaimKind::AbsentFromDatabaseFiles => certificate
            .sanitisation
            .as_ref()
            .and_then(|sanitisation| sanitisation.residue_check.as_ref())
            .is_some_and(ResidueCheck::proves_absence),
        ClaimKind::AbsentFromBackups | ClaimKind::AbsentFromStorageDevice => false,
    }
}

impl ResidueCheck {
    /// Tells whether the check shows that nothing was left.
    ///
    /// A search for needles needs its positive control. A look at the structure has no needles:
    /// it must have found no byte in which anything could hide.
    pub fn proves_absence(&self) -> bool {
        let looked = if self.needles > 0 {
            self.positive_control
        } else {
            self.freelist_bytes == 0 && self.wal_bytes == 0
        };
        self.hits == 0 && self.files_scanned > 0 && looked
    }
}
