//! `forget`: erases a memory and prints the certificate.

use serde_json::{Value, json};

use super::{Ended, wait};
use crate::args::{ForgetArgs, Global};
use crate::exit::Exit;
use crate::output::{Output, Sealed};
use crate::settings;

pub(super) fn run(global: &Global, output: Output, args: &ForgetArgs) -> Ended {
    let memory = settings::open(global)?;
    let forgotten = wait(memory.forget(args.id, args.reason.as_deref()))?;
    let envelope = String::from_utf8_lossy(&forgotten.certificate.envelope).into_owned();
    let certificate: Value = serde_json::from_str(&envelope).unwrap_or(Value::Null);
    let result = json!({
        "memory": args.id,
        "certificate_id": forgotten.certificate.id,
        "stage": forgotten.certificate.stage,
        "seq": forgotten.certificate.seq,
        "certificate": certificate,
    });
    output.emit_sealed("forget", &result, &Sealed(envelope))?;
    Ok(Exit::Success)
}
