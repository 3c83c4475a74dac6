//! Verifying what the store holds against its audit log.

use std::collections::BTreeMap;

use precedent_audit::canonical::Entry;
use precedent_audit::certificate::verify_certificate;
use precedent_audit::chain::{Finding, FindingKind, Mode, Report, Verifier};
use precedent_audit::key::TrustedKeys;
use precedent_core::CertificateQuery;
use precedent_core::audit::{Op, SealedCertificate, SealedEntry};

use crate::error::Error;
use crate::memory::Memory;

/// How many audit entries are verified at a time.
const PAGE: usize = 4096;

impl Memory {
    /// Verifies the whole audit chain against the stored head, and every certificate against the
    /// entry that names it.
    ///
    /// # Errors
    /// [`Error`] when the store cannot be read; what is wrong with the log is in the report.
    pub async fn verify_audit(&self, mode: Mode) -> Result<Report, Error> {
        let mut verifier = Verifier::new(mode, &[]);
        let mut erasures = Vec::new();
        let mut from = 0;
        let head = loop {
            let page = self.audit_log(from, PAGE).await?;
            page.entries
                .iter()
                .for_each(|entry| verifier.push_sealed(entry));
            from += page.entries.len() as u64;
            let last = page.entries.len() < PAGE;
            erasures.extend(page.entries.into_iter().filter(is_erasure));
            if last {
                break page.head;
            }
        };
        let heads: Vec<_> = head.into_iter().collect();
        let mut report = verifier.finish(&heads);
        report.extend(self.certificate_findings(&erasures).await?);
        if report.entries == 0 && self.holds_records().await? {
            report.extend([Finding {
                seq: None,
                kind: FindingKind::MissingGenesis,
            }]);
        }
        Ok(report)
    }

    /// Compares certificates with the entries that name them.
    async fn certificate_findings(&self, erasures: &[SealedEntry]) -> Result<Vec<Finding>, Error> {
        let stored = self.certificates(&CertificateQuery::All).await?;
        let mut by_seq: BTreeMap<u64, SealedCertificate> = stored
            .into_iter()
            .map(|certificate| (certificate.seq, certificate))
            .collect();
        let trusted = TrustedKeys::new([self.parts.keys.certificate.public()]);
        let mut wrong: Vec<u64> = Vec::new();
        for entry in erasures {
            let certificate = by_seq.remove(&entry.seq);
            let named = certificate.is_some_and(|certificate| {
                let verified = verify_certificate(&certificate.envelope, &trusted);
                let parsed = Entry::parse(&entry.bytes);
                matches!((verified, parsed), (Ok(verified), Ok(entry)) if verified.is_recorded_by(&entry))
            });
            if !named {
                wrong.push(entry.seq);
            }
        }
        // A certificate that no entry names is none.
        wrong.extend(by_seq.into_keys());
        let finding = |seq| Finding {
            seq: Some(seq),
            kind: FindingKind::Certificate,
        };
        Ok(wrong.into_iter().map(finding).collect())
    }

    /// Tells whether the store holds anything that only a commit can have written.
    async fn holds_records(&self) -> Result<bool, Error> {
        let status = self.status().await?;
        let memories: u64 = status.kinds.iter().map(|counts| counts.memories).sum();
        Ok(memories + status.events + status.rules + status.tombstones > 0)
    }
}

fn is_erasure(entry: &SealedEntry) -> bool {
    matches!(entry.op, Op::Forget | Op::ForgetSanitised)
}
