//! Purging: what was erased is in no file, and the certificate comes only then.

use futures_executor::block_on;
use precedent_core::audit::Stage;
use precedent_core::{
    CertificateId, CertificateQuery, Change, Maintain, MaintainReport, MaintainTask, MemoryId,
    Store,
};

use super::fixture::*;
use crate::SqliteStore;
use crate::lanes::chunks::Coded;

const MARKER: &str = "xyzzyplugh";

fn purge(store: &SqliteStore, n: u64) -> MaintainReport {
    let request = Maintain {
        task: MaintainTask::Purge,
        header: header(n),
        certificate: CertificateId::from_bytes(bytes(n)),
    };
    block_on(store.maintain(request, sink())).unwrap()
}

fn unit(n: u64) -> Vec<f32> {
    let mut vector: Vec<f32> = (0..DIMENSION as u64)
        .map(|at| ((at * 31 + n * 17) % 211) as f32 - 105.25)
        .collect();
    let length = precedent_core::vector::dot(&vector, &vector).sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

fn change(n: u64, text: &str) -> Change {
    match put(memory(n, text)) {
        Change::Put(mut put) => {
            put.vector = Some(unit(n));
            Change::Put(put)
        }
        other => other,
    }
}

/// Counts how often bytes occur in the store's files.
fn occurrences(folder: &Folder, needle: &[u8]) -> usize {
    std::fs::read_dir(folder.folder.path())
        .unwrap()
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .map(|bytes| {
            bytes
                .windows(needle.len())
                .filter(|window| *window == needle)
                .count()
        })
        .sum()
}

fn needles() -> [Vec<u8>; 3] {
    let vector = unit(7);
    let floats = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
    let codes = Coded::new(&vector).codes;
    [MARKER.as_bytes().to_vec(), floats, codes]
}

fn fill(store: &SqliteStore) {
    for n in 0..60 {
        let text = if n == 7 {
            format!("the {MARKER} is under the mat")
        } else {
            format!(
                "note {n} {}",
                "and so on ".repeat(usize::try_from(n).unwrap() * 3)
            )
        };
        block_on(store.commit(commit(n, vec![change(n, &text)]), sink())).unwrap();
    }
}

#[test]
fn nothing_of_the_erased_stays_in_any_file() {
    let folder = Folder::new();
    let store = folder.open();
    fill(&store);
    for needle in needles() {
        assert!(
            occurrences(&folder, &needle) > 0,
            "the search finds what is there"
        );
    }
    let statistics = rusqlite::Connection::open(folder.config().path).unwrap();
    statistics.execute_batch("ANALYZE").unwrap();
    block_on(store.commit(commit(100, vec![erase(1, &[7])]), sink())).unwrap();
    assert_eq!(block_on(store.status()).unwrap().pending_sanitisation, 1);
    let report = purge(&store, 200);
    let steps: Vec<_> = report
        .steps
        .iter()
        .map(|step| (step.name, step.ok))
        .collect();
    assert_eq!(
        steps,
        [
            ("stat_tables", true),
            ("vacuum", true),
            ("wal_checkpoint_truncate", true)
        ]
    );
    for needle in needles() {
        assert_eq!(occurrences(&folder, &needle), 0);
    }
    let sanitised = CertificateId::from_bytes(bytes(200));
    assert_eq!(
        (report.certificates, report.pending),
        (vec![sanitised], false)
    );
    let query = CertificateQuery::Memory(MemoryId::from_bytes(bytes(7)));
    let stages: Vec<Stage> = block_on(store.certificates(&query))
        .unwrap()
        .iter()
        .map(|certificate| certificate.stage)
        .collect();
    assert_eq!(stages, [Stage::Logical, Stage::Sanitised]);
    let status = block_on(store.status()).unwrap();
    assert_eq!((status.pending_sanitisation, status.faults.len()), (0, 0));
    // Nothing is due any more, so nothing is sealed.
    let again = purge(&store, 300);
    assert_eq!((again.certificates.len(), again.head), (0, report.head));
}

#[test]
fn a_reader_in_the_way_keeps_the_certificate_back() {
    let folder = Folder::new();
    let mut config = folder.config();
    config.busy_timeout_ms = 50;
    let store = SqliteStore::open(config).unwrap();
    fill(&store);
    let reader = rusqlite::Connection::open(folder.config().path).unwrap();
    reader.execute_batch("BEGIN; SELECT * FROM memory").unwrap();
    block_on(store.commit(commit(100, vec![erase(1, &[7]), erase(2, &[8, 9])]), sink())).unwrap();
    let report = purge(&store, 200);
    assert!(report.pending && report.certificates.is_empty());
    assert!(report.steps.iter().any(|step| !step.ok));
    reader.execute_batch("COMMIT").unwrap();
    let report = purge(&store, 300);
    assert!(!report.pending);
    let expected: Vec<_> = [300, 301]
        .map(|n| CertificateId::from_bytes(bytes(n)))
        .to_vec();
    assert_eq!(report.certificates, expected);
    assert_eq!(occurrences(&folder, MARKER.as_bytes()), 0);
}
