//! Verifies stored rows against their own bytes, the head row and anchors kept elsewhere.

use precedent_core::audit::{Head, Op, SealedEntry};
use precedent_core::{Digest, Timestamp};

use super::report::{Column, Finding, FindingKind, Report};
use super::scan::links;
use crate::canonical::{CanonicalFault, Entry};
use crate::hash;
use crate::json::JsonFault;
use crate::time::parse_timestamp;

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
    pub hash: Option<Digest>,
}

/// Verifies a log that is in memory; see [`Verifier`] for longer ones and for anchors.
pub fn verify<'a>(
    entries: impl IntoIterator<Item = &'a SealedEntry>,
    head: Option<&Head>,
    mode: Mode,
) -> Report {
    let mut verifier = Verifier::new(mode, &[]);
    for entry in entries {
        verifier.push_sealed(entry);
    }
    verifier.finish(head.map_or(&[], std::slice::from_ref))
}

/// Compares the columns that a store keeps beside an entry with the entry itself.
pub fn compare_columns(entry: &Entry, row: &SealedEntry) -> Vec<Finding> {
    let memory = row.memory.map(|id| id.to_string());
    let pairs = [
        (Column::Seq, entry.seq == row.seq),
        (Column::Op, entry.op == row.op.as_str()),
        (Column::Result, entry.result == row.result.as_str()),
        (Column::MemoryId, entry.memory_id == memory),
        (Column::Namespace, entry.namespace == row.namespace),
        (Column::Actor, entry.actor == row.actor),
        (Column::Ts, entry.ts == row.at),
    ];
    pairs
        .into_iter()
        .filter(|(_, equal)| !equal)
        .map(|(column, _)| Finding {
            seq: Some(row.seq),
            kind: FindingKind::ColumnMismatch(column),
        })
        .collect()
}

/// Verifies a log row by row with constant memory.
pub struct Verifier {
    mode: Mode,
    anchors: Vec<Head>,
    report: Report,
    size: u64,
    hash: Option<Digest>,
    /// The last row's time; absent when the row is damaged.
    at: Option<Timestamp>,
    /// The time that no later row may go behind; kept in full mode.
    floor: Option<Timestamp>,
}

impl Verifier {
    /// Starts at the beginning of a log. An anchor is a head of this log that was kept elsewhere.
    pub fn new(mode: Mode, anchors: &[Head]) -> Self {
        let report = Report {
            computed: None,
            entries: 0,
            unanchored: 0,
            findings: Vec::new(),
            omitted: 0,
        };
        let anchors = anchors.to_vec();
        Self {
            mode,
            anchors,
            report,
            size: 0,
            hash: None,
            at: None,
            floor: None,
        }
    }

    /// Checks the next row in the order of the keys.
    pub fn push(&mut self, row: &StoredEntry<'_>) {
        self.push_row(row);
    }

    /// Checks the next row as a store returns it, in full mode with its columns.
    pub fn push_sealed(&mut self, row: &SealedEntry) {
        let stored = StoredEntry {
            seq: row.seq,
            entry: &row.bytes,
            hash: Some(row.leaf),
        };
        if let Some(entry) = self.push_row(&stored) {
            let columns = compare_columns(&entry, row);
            // The links' check has reported a wrong key already.
            let seq = FindingKind::ColumnMismatch(Column::Seq);
            self.report
                .extend(columns.into_iter().filter(|found| found.kind != seq));
        }
    }

    /// Compares the end of the log with its head rows and its anchors.
    pub fn finish(mut self, head_rows: &[Head]) -> Report {
        self.report.computed = match (self.hash, self.at) {
            (Some(hash), Some(at)) => Some(Head {
                size: self.size,
                hash,
                at,
            }),
            _ => None,
        };
        self.check_head(head_rows);
        let size = self.size;
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

    /// Checks a row; in full mode returns its entry, where it has one.
    fn push_row(&mut self, row: &StoredEntry<'_>) -> Option<Entry> {
        let hash = hash::leaf(row.entry);
        match row.hash {
            None => self.report.push(Some(row.seq), FindingKind::MissingHash),
            Some(stored) if stored != hash => {
                self.report.push(Some(row.seq), FindingKind::EntryHash);
            }
            Some(_) => {}
        }
        self.check_sequence(row.seq);
        self.at = None;
        let entry = match self.mode {
            Mode::Fast => {
                self.check_fast(row);
                None
            }
            Mode::Full => self.check_full(row),
        };
        self.size = row.seq.saturating_add(1);
        self.hash = Some(hash);
        self.report.entries += 1;
        self.check_anchors(hash);
        entry
    }

    fn check_sequence(&mut self, seq: u64) {
        let expected = self.size;
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
            Some(found) => {
                self.check_links(row.seq, found.seq, found.prev);
                self.at = parse_timestamp(found.ts);
            }
            None => {
                let fault = Entry::parse(row.entry).err();
                let fault = fault.unwrap_or(CanonicalFault::Json(JsonFault::Truncated));
                self.report
                    .push(Some(row.seq), FindingKind::NotCanonical(fault));
            }
        }
    }

    fn check_full(&mut self, row: &StoredEntry<'_>) -> Option<Entry> {
        let entry = match Entry::parse(row.entry) {
            Ok(entry) => entry,
            Err(fault) => {
                self.report
                    .push(Some(row.seq), FindingKind::NotCanonical(fault));
                return None;
            }
        };
        self.check_links(row.seq, entry.seq, entry.prev);
        let genesis = entry.op == Op::Genesis.as_str();
        if row.seq == 0 && self.report.entries == 0 && !genesis {
            self.report.push(Some(0), FindingKind::MissingGenesis);
        }
        if genesis && (row.seq != 0 || entry.prev.is_some()) {
            self.report
                .push(Some(row.seq), FindingKind::MisplacedGenesis);
        }
        if self.floor.is_some_and(|floor| entry.ts < floor) {
            self.report.push(Some(row.seq), FindingKind::TimeReversed);
        }
        self.at = Some(entry.ts);
        self.floor = self.at;
        Some(entry)
    }

    fn check_links(&mut self, key: u64, seq: u64, prev: Option<Digest>) {
        if seq != key {
            self.report
                .push(Some(key), FindingKind::ColumnMismatch(Column::Seq));
        }
        if prev != self.hash {
            self.report.push(Some(key), FindingKind::PrevLink);
        }
    }

    fn check_anchors(&mut self, hash: Digest) {
        let size = self.size;
        for anchor in &self.anchors {
            if anchor.size == size && anchor.hash != hash {
                self.report
                    .push(Some(size - 1), FindingKind::AnchorMismatch { size });
            }
        }
    }

    fn check_head(&mut self, head_rows: &[Head]) {
        let [stored] = head_rows else {
            if head_rows.len() > 1 {
                self.report
                    .push(None, FindingKind::HeadRepeated(head_rows.len()));
            } else if self.report.entries > 0 {
                self.report.push(None, FindingKind::HeadMissing);
            }
            return;
        };
        if stored.size != self.size {
            let kind = FindingKind::HeadSize {
                stored: stored.size,
                found: self.size,
            };
            self.report.push(None, kind);
        }
        if Some(stored.hash) != self.hash {
            self.report.push(None, FindingKind::HeadHash);
        } else if self.at.is_some_and(|at| stored.at != at) {
            self.report.push(None, FindingKind::HeadTime);
        }
    }
}
