//! The SQLite backend: one file, several processes, indexes of its own.
//!
//! * Writes go through one thread that applies what is queued in one transaction; every commit is
//!   sealed at the true head of the audit log inside it.
//! * The lexical index is postings in blocks, scored by core's BM25, the newest memories' staged in
//!   a row each until a few hundred are folded into the blocks together; the vector index is 8-bit
//!   codes in rows that are scanned whole, rescored with the vectors as they were given. Both are
//!   kept in the transaction that writes the record, both can be rebuilt from the records.
//! * Erasure overwrites what it removes; `purge` removes what pages and logs still hold.
//! * A durable write costs one sync. The SQLite that is compiled in calls `fsync` unless the build
//!   says that there is `fdatasync`, which is as safe and does not write a file's times as well: set
//!   the environment variable `LIBSQLITE3_FLAGS=-DHAVE_FDATASYNC=1` where you build for Linux or a
//!   BSD, as this repository's `.cargo/config.toml` does. Apple's and Windows' code does not look at
//!   it.
//!
//! ```
//! use precedent_core::{Store, StoreId};
//! use precedent_store_sqlite::{SqliteConfig, SqliteStore};
//!
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("store.db");
//! let store = SqliteStore::open(SqliteConfig::new(path, StoreId::from_bytes([7; 16])))?;
//! assert!(store.capabilities().multi_process);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod codec;
mod commit;
mod config;
mod error;
mod lanes;
mod maintain;
mod points;
mod read;
mod readers;
mod schema;
mod simd;
mod status;
mod store;
#[cfg(feature = "testkit")]
mod testkit;
#[cfg(test)]
mod tests;
mod writer;

pub use config::SqliteConfig;
pub use store::SqliteStore;
#[cfg(feature = "testkit")]
pub use testkit::LaneBreak;
