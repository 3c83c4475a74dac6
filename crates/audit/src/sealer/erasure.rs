//! Makes the certificate of an erasure's stage.

use precedent_core::audit::{
    self, BackendBlock, Detail, Erased, Fact, Residue, Sanitised, SealError, SealRequest,
    SealedCertificate,
};
use precedent_core::{CertificateId, Timestamp};
use serde_json::{Map, Value};

use super::Sealer;
use crate::certificate::{
    Authority, Certificate, Claim, ClaimKind, ClaimStatus, Counts, DerivedList, IdList, IdRoot,
    PayloadFault, ResidueCheck, Sanitisation, SanitisationStep, Scope, SignedCertificate, Stage,
    Target, TargetKind, sign, verify_certificate,
};
use crate::key::TrustedKeys;

/// Kind of the store that has no files, and so makes no claim about them.
const FILELESS: &str = "mem";

/// A certificate that waits for its entry's sequence number.
pub(super) struct Made {
    id: CertificateId,
    stage: audit::Stage,
    signed: SignedCertificate,
}

impl Made {
    /// What the entry says of it.
    pub(super) fn detail(&self) -> Map<String, Value> {
        let certificate = &self.signed.certificate;
        let mut members = Map::new();
        members.insert("certificate_id".into(), self.id.to_string().into());
        members.insert(
            "certificate_sha256".into(),
            self.signed.payload_sha256.to_string().into(),
        );
        members.insert("count".into(), certificate.scope.memory_ids.count().into());
        members.insert("stage".into(), self.stage.as_str().into());
        members
    }

    pub(super) fn sealed(self, seq: u64) -> SealedCertificate {
        SealedCertificate {
            id: self.id,
            stage: self.stage,
            payload_sha256: self.signed.payload_sha256,
            envelope: self.signed.envelope.into_bytes(),
            seq,
        }
    }
}

impl Sealer {
    /// Makes the certificate of a fact; `None` for facts that erase nothing.
    pub(super) fn certificate(
        &self,
        fact: &Fact,
        request: &SealRequest<'_>,
        at: Timestamp,
        requester: &str,
    ) -> Result<Option<Made>, SealError> {
        let (id, stage, certificate) = match &fact.detail {
            Detail::Erased(erased) => {
                let certificate = self.first_stage(fact, erased, request, at, requester);
                (erased.certificate, audit::Stage::Logical, certificate)
            }
            Detail::Sanitised(sanitised) => {
                let certificate = self.second_stage(sanitised, request.backend)?;
                (sanitised.certificate, audit::Stage::Sanitised, certificate)
            }
            _ => return Ok(None),
        };
        let signed = sign(certificate, &self.keys.certificate).map_err(refusal)?;
        Ok(Some(Made { id, stage, signed }))
    }

    fn first_stage(
        &self,
        fact: &Fact,
        erased: &Erased,
        request: &SealRequest<'_>,
        at: Timestamp,
        requester: &str,
    ) -> Certificate {
        Certificate {
            kind: String::new(),
            certificate_id: erased.certificate.to_string(),
            stage: Stage::Logical,
            previous_certificate_sha256: None,
            log_origin: self.origin.as_str().to_owned(),
            requested_at: request.header.at.to_string(),
            erased_at: at.to_string(),
            requester: requester.to_owned(),
            authority: erased.reason.as_ref().map(|reason| Authority {
                basis: reason.to_string(),
                request_ref: None,
                exceptions: Vec::new(),
            }),
            target: target(fact, erased),
            scope: scope(erased),
            fence: None,
            backend: self.backend(request.backend),
            sanitisation: None,
            claims: self.first_claims(request.backend, at),
            algorithm: String::new(),
            public_key: String::new(),
        }
    }

    /// What the first stage claims: the store removed rows and index entries in the same atomic
    /// section, which nobody has checked from outside yet.
    fn first_claims(&self, backend: &BackendBlock, at: Timestamp) -> Vec<Claim> {
        let files = if self.names_backend && backend.kind == FILELESS {
            ClaimStatus::NotClaimed
        } else {
            ClaimStatus::Pending
        };
        let expiry = self
            .backup_retention_ms
            .and_then(|ms| Timestamp::from_millis(at.as_millis() + ms).ok())
            .map(|expiry| expiry.to_string());
        let backups = if expiry.is_some() {
            ClaimStatus::Pending
        } else {
            ClaimStatus::NotClaimed
        };
        let claim = |claim, status, not_after| Claim {
            claim,
            status,
            not_after,
        };
        vec![
            claim(ClaimKind::NotReturnedByAnyApi, ClaimStatus::Asserted, None),
            claim(ClaimKind::AbsentFromDatabaseFiles, files, None),
            claim(ClaimKind::AbsentFromBackups, backups, expiry),
            claim(
                ClaimKind::AbsentFromStorageDevice,
                ClaimStatus::NotClaimed,
                None,
            ),
        ]
    }

    fn second_stage(
        &self,
        sanitised: &Sanitised,
        backend: &BackendBlock,
    ) -> Result<Certificate, SealError> {
        let own = TrustedKeys::new([self.keys.certificate.public()]);
        let previous = verify_certificate(&sanitised.previous, &own)
            .ok()
            .filter(|previous| previous.certificate.stage == Stage::Logical)
            .ok_or(SealError::NotCanonical {
                what: "the certificate of the stage before",
            })?;
        let succeeded = sanitised.steps.iter().all(|(_, ok)| *ok);
        if !succeeded || sanitised.residue.hits > 0 {
            // A stage that was not reached gets no certificate.
            return Err(SealError::NotCanonical {
                what: "a clean-up that left something behind",
            });
        }
        let check = residue_check(&sanitised.residue);
        let mut certificate = previous.certificate;
        certificate.certificate_id = sanitised.certificate.to_string();
        certificate.stage = Stage::Sanitised;
        certificate.previous_certificate_sha256 = Some(previous.payload_sha256.to_string());
        certificate.backend = self.backend(backend);
        if check.proves_absence() {
            for claim in &mut certificate.claims {
                if claim.claim == ClaimKind::AbsentFromDatabaseFiles {
                    (claim.status, claim.not_after) = (ClaimStatus::Verified, None);
                }
            }
        }
        certificate.sanitisation = Some(sanitisation(sanitised, check));
        Ok(certificate)
    }
}

/// What was asked for: one memory by its id, several by the tree head over their ids.
fn target(fact: &Fact, erased: &Erased) -> Target {
    let ids = texts(&erased.memories);
    let value = match &ids[..] {
        [id] => id.clone(),
        _ => IdRoot::new(&ids).root,
    };
    Target {
        kind: TargetKind::Memory,
        value,
        namespace: fact.namespace.as_str().to_owned(),
    }
}

fn scope(erased: &Erased) -> Scope {
    Scope {
        memory_ids: IdList::new(texts(&erased.memories)),
        derived_ids: DerivedList::deleted(texts(&erased.derived)),
        usage_event_ids: IdList::new(Vec::new()),
        query_trace_ids: IdList::new(Vec::new()),
        counts: Counts {
            memories: erased.memories.len() as u64,
            vectors: erased.vectors,
            fts_rows: erased.postings,
            derived: erased.derived.len() as u64,
            ..Counts::default()
        },
    }
}

fn texts<T: ToString>(ids: &[T]) -> Vec<String> {
    ids.iter().map(T::to_string).collect()
}

fn sanitisation(sanitised: &Sanitised, check: ResidueCheck) -> Sanitisation {
    let steps = sanitised.steps.iter().map(|(step, ok)| SanitisationStep {
        step: (*step).to_owned(),
        ok: Some(*ok),
        result: None,
    });
    Sanitisation {
        procedure: sanitised.procedure.to_owned(),
        steps: steps.collect(),
        started_at: sanitised.started_at.to_string(),
        finished_at: sanitised.finished_at.to_string(),
        residue_check: Some(check),
        // The clean-up speaks of this erasure only.
        legacy_residue_cleared: false,
    }
}

fn residue_check(residue: &Residue) -> ResidueCheck {
    ResidueCheck {
        method: residue.method.to_owned(),
        // The store looks at the files' structure and searches for no needle.
        positive_control: false,
        needles: 0,
        windows: 0,
        files_scanned: residue.files_scanned,
        hits: residue.hits,
        freelist_bytes: residue.freelist_bytes,
        wal_bytes: residue.wal_bytes,
    }
}

fn refusal(fault: PayloadFault) -> SealError {
    let what = match fault {
        PayloadFault::Json(_) => "a number of the certificate",
        PayloadFault::Stage(_) => "the certificate's stage",
        _ => "the certificate",
    };
    SealError::NotCanonical { what }
}
