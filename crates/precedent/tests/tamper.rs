//! Editing a store behind its back: what `verify_audit` finds.
#![cfg(feature = "sqlite")]
#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene fails")]

use futures_executor::block_on;
use precedent::Memory;
use precedent::crates::audit::chain::{FindingKind, Mode, Report};

/// Drops what guards the log against honest mistakes.
const UNGUARD: &str = "DROP TRIGGER audit_log_keeps_entries; DROP TRIGGER audit_log_keeps_rows;";

fn verify(memory: &Memory) -> Report {
    block_on(memory.verify_audit(Mode::Full)).unwrap()
}

/// Writes three memories, erases one, runs the SQL, and expects a finding.
fn check(sql: &str, expected: fn(&FindingKind) -> bool) {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("store").display().to_string();
    let memory = Memory::builder(&address).testkit().open().unwrap();
    let ids: Vec<_> = ["one", "two", "three"]
        .iter()
        .map(|text| block_on(memory.remember(*text)).unwrap().stored[0].id)
        .collect();
    block_on(memory.forget(ids[1], None)).unwrap();
    assert!(verify(&memory).is_ok());
    memory.tamper(&format!("{UNGUARD}{sql}")).unwrap();
    let report = verify(&memory);
    assert!(
        report
            .findings
            .iter()
            .any(|finding| expected(&finding.kind)),
        "{sql}: {report:?}"
    );
}

#[test]
fn what_is_edited_behind_the_back_is_found() {
    check("DELETE FROM certificate", |kind| {
        matches!(kind, FindingKind::Certificate)
    });
    check(
        "UPDATE certificate SET envelope = CAST(replace(CAST(envelope AS TEXT), 'a', 'b') AS BLOB)",
        |kind| matches!(kind, FindingKind::Certificate),
    );
    check("DELETE FROM audit_log; DELETE FROM audit_head", |kind| {
        matches!(kind, FindingKind::MissingGenesis)
    });
    check("DELETE FROM audit_log WHERE seq = 2", |kind| {
        matches!(kind, FindingKind::SequenceGap { .. })
    });
    check("DELETE FROM audit_head", |kind| {
        matches!(kind, FindingKind::HeadMissing)
    });
    check("UPDATE audit_log SET op = 'reject' WHERE seq = 1", |kind| {
        matches!(kind, FindingKind::ColumnMismatch(_))
    });
}
