//! Whose certificates a client trusts.

use std::fmt;
use std::fs;

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use super::settings::SettingsError;

/// Where systems keep the certificates that they trust, in one file: Debian, Fedora and Red Hat,
/// openSUSE, Red Hat since 7, Alpine with macOS and the BSDs. The list is that of Go's
/// `crypto/x509`. It is looked up here since the usual crates let the environment replace it.
const BUNDLES: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Whose certificates are trusted.
#[derive(Clone, Default)]
pub enum Roots {
    /// Those that the system trusts, where it keeps them in one file, as Unix systems do.
    #[default]
    System,
    /// These, in PEM form; for other systems, and for services with their own authority.
    Pem(Vec<u8>),
}

impl fmt::Debug for Roots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System => f.write_str("System"),
            Self::Pem(pem) => write!(f, "Pem({} bytes)", pem.len()),
        }
    }
}

impl Roots {
    /// Reads the certificates.
    pub(crate) fn load(&self) -> Result<RootCertStore, SettingsError> {
        match self {
            Self::Pem(pem) => given(pem).ok_or(SettingsError::BadRoots),
            Self::System => BUNDLES
                .iter()
                .filter_map(|path| fs::read(path).ok())
                .find_map(|pem| found(&pem))
                .ok_or(SettingsError::NoRoots),
        }
    }
}

/// Trusts every certificate that the caller gave; one that is broken is a mistake of theirs.
fn given(pem: &[u8]) -> Option<RootCertStore> {
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        store.add(certificate.ok()?).ok()?;
    }
    (!store.is_empty()).then_some(store)
}

/// Trusts the certificates of a system; a few of them are often of a kind that nobody reads.
fn found(pem: &[u8]) -> Option<RootCertStore> {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(CertificateDer::pem_slice_iter(pem).flatten());
    (!store.is_empty()).then_some(store)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_has_its_certificates_in_one_file_or_says_so() {
        let there = BUNDLES.iter().any(|path| fs::metadata(path).is_ok());
        let expected = (!there).then_some(SettingsError::NoRoots);
        assert_eq!(Roots::System.load().err(), expected);
    }

    const CERTIFICATE: &str = include_str!("../../tests/http/data/server.pem");

    #[test]
    fn what_is_no_certificate_is_refused() {
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        for pem in ["", "text", "-----BEGIN CERTIFICATE-----\nAAAA\n", broken] {
            let roots = Roots::Pem(pem.into());
            assert_eq!(roots.load().err(), Some(SettingsError::BadRoots), "{pem}");
        }
        let both = format!("{CERTIFICATE}{broken}");
        assert!(given(both.as_bytes()).is_none());
        let store = found(both.as_bytes()).expect("one that is read");
        assert_eq!(store.len(), 1);
    }
}
