//! How a store is opened.

use std::path::PathBuf;

use precedent_core::{EmbeddingSpace, Redactor, StoreId};

/// Settings of a [`SqliteStore`](crate::SqliteStore).
#[derive(Clone, Debug)]
pub struct SqliteConfig {
    /// The database file; its folder has to exist.
    pub path: PathBuf,
    /// The embedding space of the vectors that will be written and asked for; none leaves the
    /// vector lane out. A store keeps the first space that it is opened with.
    pub space: Option<EmbeddingSpace>,
    /// Cleans every text that is read back.
    pub redactor: Redactor,
    /// Idle read connections to keep; more readers than that open connections of their own.
    pub readers: usize,
    /// How long to wait for other processes, in milliseconds.
    pub busy_timeout_ms: u32,
    /// Whether to create the store where there is none.
    pub create: bool,
    /// The id that a created store takes.
    pub store_id: StoreId,
    /// Whether a store that is created may be broken on purpose, for as long as it lives.
    #[cfg(feature = "testkit")]
    pub testkit: bool,
    /// How many memories of a kind may be staged, [`Self::STAGED`] by default.
    #[cfg(feature = "testkit")]
    pub staged: usize,
    /// Whether commits survive the process alone, not a power cut, which saves their syncs; such
    /// a setting opens only a store that may be broken on purpose.
    #[cfg(feature = "testkit")]
    pub unsynced: bool,
}

impl SqliteConfig {
    /// Idle read connections by default.
    pub const READERS: usize = 2;
    /// Wait for other processes by default, in milliseconds.
    pub const BUSY_TIMEOUT_MS: u32 = 5_000;
    /// Memories of a kind whose postings may wait to be folded into the lexical index: a recall
    /// reads them all, a tenth of a millisecond for three kinds, and the commit that reaches the
    /// number folds them, a few milliseconds.
    pub const STAGED: usize = 128;

    /// Opens the file at `path`, or creates it with the id `store_id`.
    pub fn new(path: impl Into<PathBuf>, store_id: StoreId) -> Self {
        Self {
            path: path.into(),
            space: None,
            redactor: Redactor::new(),
            readers: Self::READERS,
            busy_timeout_ms: Self::BUSY_TIMEOUT_MS,
            create: true,
            store_id,
            #[cfg(feature = "testkit")]
            testkit: false,
            #[cfg(feature = "testkit")]
            staged: Self::STAGED,
            #[cfg(feature = "testkit")]
            unsynced: false,
        }
    }

    /// Returns how many memories of a kind may be staged.
    pub(crate) const fn staged(&self) -> usize {
        #[cfg(feature = "testkit")]
        return self.staged;
        #[cfg(not(feature = "testkit"))]
        Self::STAGED
    }

    /// Returns the statement that says what a commit waits for: the disk, or, if it is `deferred`,
    /// the system. See <https://www.sqlite.org/pragma.html#pragma_synchronous>.
    pub(crate) const fn synchronous(&self, deferred: bool) -> &'static str {
        #[cfg(feature = "testkit")]
        if self.unsynced {
            return "PRAGMA synchronous=OFF";
        }
        if deferred {
            "PRAGMA synchronous=NORMAL"
        } else {
            "PRAGMA synchronous=FULL"
        }
    }
}
