//! Verifies stored rows against their own bytes, the head row and anchors kept elsewhere.

use super::report::{Column, Finding, FindingKind, Report};
use super::scan::links;
use super::{GENESIS_OP, Head};
use crate::canonical::{CanonicalFault, Entry};
use crate::hash::Hash;
use crate::json::JsonFault;

/// How much of each entry is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Hashes the stored bytes and checks the links.
    Fast,
    /// Also parses each entry, which proves that it has its one canonical spelling, and checks
    /// its genesis and time rules.
    Full,
}

/// One row as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredEntry<'a> {
    /// The key under which the row is stored.
    pub seq: u64,
    /// The canonical bytes.
    pub entry: &'a [u8],
    /// The stored hash; a row without one is reported, never skipped.
    pub hash: Option<Hash>,
}

/// The columns that a store projects from an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Projection<'a> {
    /// The column of `seq`.
    pub seq: u64,
    /// The column of `op`.
    pub op: &'a str,
    /// The column of `memory_id`.
    pub memory_id: Option<&'a str>,
    /// The column of `namespace`.
    pub namespace: &'a str,
    /// The column of `actor`.
    pub actor: &'a str,
    /// The column of `ts`, as the entry's text.
    pub ts: &'a str,
}

/// Verifies rows in the order of their keys; see [`Verifier`] for logs that do not fit in memory.
pub fn verify<'a>(
    rows: impl IntoIterator<Item = StoredEntry<'a>>,
    head_rows: &[Head],
    mode: Mode,
) -> Report {
    let mut verifier = Verifier::new(mode, &[]);
    for row in rows {
        verifier.push(&row);
    }
    verifier.finish(head_rows)
}

/// Compares projected columns with the entry whose bytes they stand beside.
pub fn compare_projection(entry: &Entry, columns: &Projection<'_>) -> Vec<Finding> {
    let pairs = [
        (Column::Seq, entry.seq == columns.seq),
        (Column::Op, entry.op == columns.op),
        (
            Column::MemoryId,
            entry.memory_id.as_deref() == columns.memory_id,
        ),
        (Column::Namespace, entry.namespace == columns.namespace),
        (Column::Actor, entry.actor == columns.actor),
        (Column::Ts, entry.ts == columns.ts),
    ];
    pairs
        .into_iter()
        .filter(|(_, equal)| !equal)
        .map(|(column, _)| Finding {
            seq: Some(entry.seq),
            kind: FindingKind::ColumnMismatch(column),
        })
        .collect()
}

/// Verifies a log row by row with constant memory.
pub struct Verifier {
    mode: Mode,
    anchors: Vec<Head>,
    report: Report,
    expected: u64,
    last_time: Option<String>,
}

impl Verifier {
    /// Starts at the beginning of a log. An anchor is a head of this log that was kept elsewhere.
    pub fn new(mode: Mode, anchors: &[Head]) -> Self {
        let report = Report {
            computed: Head::default(),
            entries: 0,
            unanchored: 0,
            findings: Vec::new(),
            omitted: 0,
        };
        Self {
            mode,
            anchors: anchors.to_vec(),
            report,
            expected: 0,
            last_time: None,
        }
    }

    /// Checks the next row in the order of the keys.
    pub fn push(&mut self, row: &StoredEntry<'_>) {
        let hash = Hash::leaf(row.entry);
        match row.hash {
            None => self.report.push(Some(row.seq), FindingKind::MissingHash),
            Some(stored) if stored != hash => {
                self.report.push(Some(row.seq), FindingKind::EntryHash);
            }
            Some(_) => {}
        }
        self.check_sequence(row.seq);
        match self.mode {
            Mode::Fast => self.check_fast(row),
            Mode::Full => self.check_full(row),
        }
        let size = row.seq.saturating_add(1);
        self.check_anchors(size, hash);
        self.report.computed = Head {
            size,
            hash: Some(hash),
        };
        self.report.entries += 1;
        self.expected = size;
    }

    /// Compares the end of the log with its head rows and its anchors.
    pub fn finish(mut self, head_rows: &[Head]) -> Report {
        self.check_head(head_rows);
        let size = self.report.computed.size;
        for anchor in &self.anchors {
            if anchor.size > size {
                let kind = FindingKind::ShorterThanAnchor { size: anchor.size };
                self.report.push(None, kind);
            }
        }
        let covered = self
            .anchors
            .iter()
            .map(|anchor| anchor.size)
            .filter(|at| *at <= size);
        self.report.unanchored = size - covered.max().unwrap_or(0);
        self.report
    }

    fn check_sequence(&mut self, seq: u64) {
        let expected = self.expected;
        if seq > expected {
            self.report
                .push(Some(seq), FindingKind::SequenceGap { expected });
        } else if seq < expected {
            self.report
                .push(Some(seq), FindingKind::SequenceRepeat { expected });
        }
        if self.report.entries == 0 && seq != 0 {
            self.report.push(Some(seq), FindingKind::MissingGenesis);
        }
    }

    fn check_fast(&mut self, row: &StoredEntry<'_>) {
        match links(row.entry) {
            Some(found) => self.check_links(row.seq, found.seq, found.prev),
            None => {
                let fault = Entry::parse(row.entry).err();
                let fault = fault.unwrap_or(CanonicalFault::Json(JsonFault::Truncated));
                self.report
                    .push(Some(row.seq), FindingKind::NotCanonical(fault));
            }
        }
    }

    fn check_full(&mut self, row: &StoredEntry<'_>) {
        let entry = match Entry::parse(row.entry) {
            Ok(entry) => entry,
            Err(fault) => {
                self.report
                    .push(Some(row.seq), FindingKind::NotCanonical(fault));
                return;
            }
        };
        self.check_links(row.seq, entry.seq, entry.prev);
        let genesis = entry.op == GENESIS_OP;
        if row.seq == 0 && self.report.entries == 0 && !genesis {
            self.report.push(Some(0), FindingKind::MissingGenesis);
        }
        if genesis && (row.seq != 0 || entry.prev.is_some()) {
            self.report
                .push(Some(row.seq), FindingKind::MisplacedGenesis);
        }
        // The one spelling of time sorts as text.
        if self
            .last_time
            .as_deref()
            .is_some_and(|last| *entry.ts < *last)
        {
            self.report.push(Some(row.seq), FindingKind::TimeReversed);
        }
        self.last_time = Some(entry.ts);
    }

    fn check_links(&mut self, key: u64, seq: u64, prev: Option<Hash>) {
        if seq != key {
            self.report
                .push(Some(key), FindingKind::ColumnMismatch(Column::Seq));
        }
        if prev != self.report.computed.hash {
            self.report.push(Some(key), FindingKind::PrevLink);
        }
    }

    fn check_anchors(&mut self, size: u64, hash: Hash) {
        for anchor in &self.anchors {
            if anchor.size == size && anchor.hash != Some(hash) {
                self.report
                    .push(Some(size - 1), FindingKind::AnchorMismatch { size });
            }
        }
    }

    fn check_head(&mut self, head_rows: &[Head]) {
        let computed = self.report.computed;
        let [stored] = head_rows else {
            if head_rows.len() > 1 {
                self.report
                    .push(None, FindingKind::HeadRepeated(head_rows.len()));
            } else if self.report.entries > 0 {
                self.report.push(None, FindingKind::HeadMissing);
            }
            return;
        };
        if stored.size != computed.size {
            let kind = FindingKind::HeadSize {
                stored: stored.size,
                found: computed.size,
            };
            self.report.push(None, kind);
        }
        if stored.hash != computed.hash {
            self.report.push(None, FindingKind::HeadHash);
        }
    }
}
