//! `certificate`: shows certificates and verifies them offline.

use std::path::Path;

use precedent::crates::audit::certificate::verify_certificate;
use precedent::crates::audit::key::{PublicKey, TrustedKeys};
use precedent::{CertificateId, CertificateQuery};
use serde_json::json;

use super::remember::read_stdin;
use super::{Ended, wait};
use crate::args::{CertificateCommand, Global};
use crate::exit::{Exit, Failure};
use crate::output::{Line, Output, Sealed, note};
use crate::settings;

pub(super) fn run(global: &Global, output: Output, command: CertificateCommand) -> Ended {
    match command {
        CertificateCommand::Verify { file, trusted_key } => verify(output, &file, &trusted_key),
        CertificateCommand::Show { id } => show(global, output, id),
        CertificateCommand::Key => {
            let memory = settings::open(global)?;
            let pem = memory.certificate_key_pem();
            let result = json!({ "public_key_pem": pem });
            output.emit_sealed("certificate.key", &result, &Sealed(pem))?;
            Ok(Exit::Success)
        }
    }
}

fn verify(output: Output, file: &Path, trusted_key: &Path) -> Ended {
    let envelope = if file == Path::new("-") {
        read_stdin()?.into_bytes()
    } else {
        std::fs::read(file).map_err(|error| Failure::Io("reading the certificate", error))?
    };
    let pem = std::fs::read_to_string(trusted_key)
        .map_err(|error| Failure::Io("reading the trusted key", error))?;
    let key = PublicKey::from_pem(&pem).map_err(|error| Failure::Usage(error.to_string()))?;
    match verify_certificate(&envelope, &TrustedKeys::new([key])) {
        Ok(verified) => {
            let stage = verified.certificate.stage;
            let id = &verified.certificate.certificate_id;
            let result = json!({ "valid": true, "certificate": verified.certificate });
            output.emit("certificate.verify", &result, || {
                format!(
                    "valid: {id}, {}",
                    serde_json::to_value(stage)
                        .unwrap_or_default()
                        .as_str()
                        .unwrap_or_default()
                )
            })?;
            Ok(Exit::Success)
        }
        Err(fault) => {
            let result = json!({ "valid": false, "fault": fault.to_string() });
            if output.json {
                output.emit("certificate.verify", &result, String::new)?;
            } else {
                note(&Line::words(&format!("not valid: {fault}")));
            }
            Ok(Exit::Failure)
        }
    }
}

fn show(global: &Global, output: Output, id: CertificateId) -> Ended {
    let memory = settings::open(global)?;
    let found = wait(memory.certificates(&CertificateQuery::Id(id)))?;
    let certificate = found.first().ok_or_else(|| {
        Failure::Usage("there is no such certificate here; check its id".to_owned())
    })?;
    let envelope = String::from_utf8_lossy(&certificate.envelope).into_owned();
    let value: serde_json::Value = serde_json::from_str(&envelope).unwrap_or_default();
    let result = json!({ "certificate": value });
    output.emit_sealed("certificate.show", &result, &Sealed(envelope))?;
    Ok(Exit::Success)
}
