//! Connections: how each is set up, and the few that reads share.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::config::SqliteConfig;
use crate::error::{Failure, Fallible};

/// Statements that a connection keeps compiled.
const STATEMENTS: usize = 96;
/// Page cache of a reading connection in KiB, negative by SQLite's convention.
const READ_CACHE_KIB: i32 = -4_096;
/// How much of the file a reading connection maps: a scan of the codes then copies from memory,
/// where a system call for each page took half of its time. Touching a part that was cut off ends
/// the process (<https://www.sqlite.org/mmap.html>); SQLite cuts a file only in a checkpoint that
/// no reader holds back, and reads no page beyond the end of its snapshot.
const READ_MAP_BYTES: i64 = 256 << 20;

/// Page cache of the writing connection: a batch that does not fit writes its pages twice.
const WRITE_CACHE_KIB: i32 = -32_768;
/// The log that a process may leave to the next, which has to read it: half a millisecond's work.
const LOG_BYTES: u64 = 2 << 20;
/// How often to ask again for the write-ahead log while another process creates the store.
const WAL_ATTEMPTS: u32 = 200;
const WAL_PAUSE: Duration = Duration::from_millis(5);

/// Opens a connection that may write.
pub(crate) fn open_writing(config: &SqliteConfig) -> Fallible<Connection> {
    let connection = open(config)?;
    // Commits that must survive a power cut are the rule; the writer relaxes this for the others.
    connection.execute_batch(config.synchronous(false))?;
    connection.pragma_update(None, "cache_size", WRITE_CACHE_KIB)?;
    Ok(connection)
}

/// Opens a connection that refuses to write.
pub(crate) fn open_reading(config: &SqliteConfig) -> Fallible<Connection> {
    let connection = open(config)?;
    connection.execute_batch("PRAGMA query_only=ON;")?;
    connection.pragma_update(None, "cache_size", READ_CACHE_KIB)?;
    connection.pragma_update(None, "mmap_size", READ_MAP_BYTES)?;
    Ok(connection)
}

/// What holds for every connection: nothing erased stays on a page, nothing is spilled to a
/// temporary file, and closing costs no checkpoint.
fn open(config: &SqliteConfig) -> Fallible<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&config.path, flags)?;
    connection.busy_timeout(Duration::from_millis(u64::from(config.busy_timeout_ms)))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.execute_batch("PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY;")?;
    Ok(connection)
}

/// Switches the file to a write-ahead log, which it then keeps.
///
/// SQLite does not wait for others here, see <https://www.sqlite.org/wal.html>, so this does.
pub(crate) fn enter_wal(connection: &Connection) -> Fallible<()> {
    let mut left = WAL_ATTEMPTS;
    loop {
        let switched = connection
            .query_row("PRAGMA journal_mode=WAL", [], |_| Ok(()))
            .map_err(Failure::from);
        match switched {
            Err(failure) if failure.is_busy() && left > 0 => left -= 1,
            done => return done,
        }
        std::thread::sleep(WAL_PAUSE);
    }
}

/// Empties the write-ahead log if it has grown, unless somebody is reading.
///
/// A process that finds no other has to read the whole log and cannot tell what of it is in the
/// database already; so without this, short-lived processes would never begin the log anew, and
/// each would carry all of it over again.
pub(crate) fn trim_log(connection: &Connection, config: &SqliteConfig) {
    let grown = std::fs::metadata(log_path(config)).is_ok_and(|log| log.len() > LOG_BYTES);
    if grown && connection.busy_timeout(Duration::ZERO).is_ok() {
        // Whoever comes next tries again where this fails; nothing is lost by it.
        drop(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
    }
}

/// Returns where the write-ahead log is.
pub(crate) fn log_path(config: &SqliteConfig) -> PathBuf {
    let mut path = config.path.clone().into_os_string();
    path.push("-wal");
    path.into()
}

/// Idle read connections. A call takes one or opens one, and runs on the caller's thread: it
/// blocks for as long as its query does, which is milliseconds.
#[derive(Default)]
pub(crate) struct Readers {
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// Runs `query` in one read transaction, hence on one snapshot.
    pub(crate) fn snapshot<T>(
        &self,
        config: &SqliteConfig,
        query: impl FnOnce(&Connection) -> Fallible<T>,
    ) -> Fallible<T> {
        let idle = self.idle().pop();
        let connection = idle.map_or_else(|| open_reading(config), Ok)?;
        // Rolled back when it is dropped; there is nothing to commit.
        let section = Transaction::new_unchecked(&connection, TransactionBehavior::Deferred)?;
        let answer = query(&section);
        drop(section);
        self.keep(connection, config);
        answer
    }

    /// Keeps a connection for the next call.
    pub(crate) fn keep(&self, connection: Connection, config: &SqliteConfig) {
        let mut idle = self.idle();
        if idle.len() < config.readers {
            idle.push(connection);
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        // A panic while the lock was held cannot have left a broken list of connections.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
