//! `status`: what the store holds and how it is.

use precedent::StoreStatus;
use serde_json::{Value, json};

use super::{Ended, wait};
use crate::args::Global;
use crate::exit::Exit;
use crate::output::Output;
use crate::settings;

pub(super) fn run(global: &Global, output: Output) -> Ended {
    let memory = settings::open(global)?;
    let status = wait(memory.status())?;
    output.emit("status", &as_json(&status), || describe(&status))?;
    Ok(if status.faults.is_empty() {
        Exit::Success
    } else {
        Exit::Failure
    })
}

fn as_json(status: &StoreStatus) -> Value {
    json!({
        "backend": {
            "kind": status.backend.kind,
            "engine_version": status.backend.engine_version,
            "store_id": status.backend.store_id,
            "schema_version": status.backend.schema_version,
        },
        "kinds": status.kinds,
        "events": status.events,
        "rules": status.rules,
        "tombstones": status.tombstones,
        "pending_sanitisation": status.pending_sanitisation,
        "head": status.head,
        "embedding_space": status.space,
        "faults": status.faults,
    })
}

fn describe(status: &StoreStatus) -> String {
    let backend = &status.backend;
    let mut lines = vec![format!(
        "{} {} schema {}",
        backend.kind, backend.engine_version, backend.schema_version
    )];
    lines.extend(status.kinds.iter().map(|counts| {
        format!(
            "{:<11} {:>8} memories, {:>8} vectors",
            counts.kind.as_str(),
            counts.memories,
            counts.vectors
        )
    }));
    lines.push(format!(
        "{} events, {} rules, {} tombstones, {} erasures to purge",
        status.events, status.rules, status.tombstones, status.pending_sanitisation
    ));
    if let Some(head) = &status.head {
        lines.push(format!(
            "audit head {} after {} entries",
            head.hash, head.size
        ));
    }
    lines.extend(
        status
            .faults
            .iter()
            .map(|fault| format!("degraded: {fault}; {}", fault.repair)),
    );
    lines.join("\n")
}
