//! What a verification found.

use precedent_core::audit::Head;

use crate::canonical::CanonicalFault;

/// How many findings a report keeps; further ones are counted.
pub const MAX_FINDINGS: usize = 1_000;

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Report {
    /// The head that the entries' own bytes give; absent for an empty log, and when the last
    /// entry is damaged.
    pub computed: Option<Head>,
    /// How many entries were read.
    pub entries: u64,
    /// How many entries at the end no anchor covers: a consistent rewrite of these, or their
    /// removal together with the head row, would go unseen.
    pub unanchored: u64,
    /// What is wrong, in the order met; at most [`MAX_FINDINGS`].
    pub findings: Vec<Finding>,
    /// How many findings did not fit.
    pub omitted: u64,
}

impl Report {
    /// Tells whether nothing is wrong.
    pub fn is_ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// Appends findings that another check made, such as a comparison of projected columns.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            self.push(finding.seq, finding.kind);
        }
    }

    pub(super) fn push(&mut self, seq: Option<u64>, kind: FindingKind) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(Finding { seq, kind });
        } else {
            self.omitted += 1;
        }
    }
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Finding {
    /// The sequence number of the row concerned; absent when the log as a whole is.
    pub seq: Option<u64>,
    /// What is wrong.
    pub kind: FindingKind,
}

/// The kinds of damage that a verification tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindingKind {
    /// The stored hash is not the hash of the stored bytes.
    #[error("stored hash differs from the entry's: the entry or its hash was changed")]
    EntryHash,
    /// The row has no stored hash.
    #[error("row has no hash: it was inserted past the log")]
    MissingHash,
    /// `prev` is not the hash of the entry before.
    #[error("prev differs from the entry before: an entry was changed, removed or inserted")]
    PrevLink,
    /// Rows are missing in front of this one.
    #[error("sequence gap: expected {expected}")]
    SequenceGap {
        /// The sequence number that should stand here.
        expected: u64,
    },
    /// The sequence number was seen before, or rows are out of order.
    #[error("sequence number repeats or goes back: expected {expected}")]
    SequenceRepeat {
        /// The sequence number that should stand here.
        expected: u64,
    },
    /// A projected column differs from the entry.
    #[error("column {0:?} differs from the entry: the column was changed")]
    ColumnMismatch(Column),
    /// The stored bytes are not the canonical form of an entry.
    #[error("entry is not canonical: {0}")]
    NotCanonical(CanonicalFault),
    /// Entry 0 is absent or is no genesis entry.
    #[error("log does not start with a genesis entry: its beginning was removed or replaced")]
    MissingGenesis,
    /// A genesis entry stands behind entry 0, or has a predecessor.
    #[error("genesis entry is not at the beginning: another log was spliced in")]
    MisplacedGenesis,
    /// `ts` lies before the entry in front.
    #[error("time goes back: the log's times never decrease")]
    TimeReversed,
    /// There are entries and no head row.
    #[error("head row is missing: restore the store from a backup and verify again")]
    HeadMissing,
    /// There is more than one head row.
    #[error("{0} head rows: a log has one")]
    HeadRepeated(usize),
    /// The head row's size is not the number of entries.
    #[error("head row counts {stored} entries, the log has {found}: entries were removed or added")]
    HeadSize {
        /// The size in the head row.
        stored: u64,
        /// The size that the entries give.
        found: u64,
    },
    /// The head row's hash is not the last entry's.
    #[error("head row's hash differs from the last entry's: the end of the log was changed")]
    HeadHash,
    /// The head row's time is not the last entry's.
    #[error("head row's time differs from the last entry's: the head row was changed")]
    HeadTime,
    /// An erasure's certificate is missing, is not signed by the store's key, or is not the one
    /// that the entry names.
    #[error("certificate of this erasure is missing or is not the one that the entry names")]
    Certificate,
    /// The log is shorter than an anchor kept elsewhere.
    #[error("log is shorter than the anchor at {size}: it was cut or an older copy restored")]
    ShorterThanAnchor {
        /// The anchor's size.
        size: u64,
    },
    /// The log's entry at an anchor's size has another hash: this is another history.
    #[error("log differs from the anchor at {size}: its history was rewritten")]
    AnchorMismatch {
        /// The anchor's size.
        size: u64,
    },
}

/// The columns that a store may keep beside an entry's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Column {
    /// The sequence number.
    Seq,
    /// The operation.
    Op,
    /// The result.
    Result,
    /// The memory acted on.
    MemoryId,
    /// The namespace.
    Namespace,
    /// The actor.
    Actor,
    /// The time.
    Ts,
}
