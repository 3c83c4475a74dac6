//! The store: what its parts share, and the contract's methods.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::sync::Arc;

use async_trait::async_trait;
use precedent_core::audit::{BackendBlock, SealedCertificate};
use precedent_core::{
    AuditPage, AuditSink, Candidates, Capabilities, CertificateQuery, Commit, Committed,
    Contradiction, ContradictionQuery, DurabilityLevel, Entity, EntityQuery, ErasureScope,
    EventQuery, Maintain, MaintainReport, Memory, MemoryId, MemoryQuery, Namespace, NamespaceCount,
    Recall, RecallQuery, Receipt, ReceiptQuery, Redactor, Revision, Rule, RuleQuery, Scope, Store,
    StoreError, StoreErrorKind, StoreId, StoreStatus, ToolEvent,
};
use rusqlite::Connection;

use crate::config::SqliteConfig;
use crate::error::{Failure, Fallible, file_error};
#[cfg(feature = "testkit")]
use crate::points::Points;
use crate::readers::{self, Readers};
use crate::schema::{self, Condition};
use crate::writer::WriterHandle;
use crate::{lanes, maintain, read, status};

/// The first SQLite without the bug that could corrupt a write-ahead log when two connections
/// wrote and checkpointed at once: 3.51.3, see <https://www.sqlite.org/wal.html>.
const LEAST_ENGINE: i32 = 3_051_003;
const OPENING: &str = "opening the store";
/// How every database that SQLite has written begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// What all parts of a store share.
pub(crate) struct Shared {
    /// How it was opened.
    pub(crate) config: SqliteConfig,
    /// Its id.
    pub(crate) store_id: StoreId,
    /// Idle read connections.
    pub(crate) readers: Readers,
    /// Where its commits can be made to crash.
    #[cfg(feature = "testkit")]
    pub(crate) points: Points,
}

impl Shared {
    /// Says of what store a certificate speaks.
    pub(crate) fn backend_block(&self) -> BackendBlock {
        BackendBlock {
            kind: "sqlite",
            engine_version: self.config.redactor.clean(rusqlite::version()),
            store_id: Some(self.store_id),
            schema_version: schema::VERSION,
        }
    }

    /// Runs `query` on one snapshot.
    fn snapshot<T>(&self, query: impl FnOnce(&Connection) -> Fallible<T>) -> Fallible<T> {
        #[cfg(feature = "testkit")]
        self.points.check()?;
        self.readers.snapshot(&self.config, query)
    }

    /// Tells whether a test made the store crash, after which it writes nothing more.
    #[cfg(feature = "testkit")]
    pub(crate) fn has_crashed(&self) -> bool {
        self.points.crashed()
    }

    /// Tells that no test made the store crash.
    #[cfg(not(feature = "testkit"))]
    pub(crate) const fn has_crashed(&self) -> bool {
        false
    }

    /// Reads a stored namespace.
    pub(crate) fn namespace(&self, text: &str) -> Fallible<Namespace> {
        Namespace::parse(self.config.redactor.clean(text)).map_err(|_| Failure::Unreadable)
    }
}

struct Inner {
    shared: Arc<Shared>,
    writer: WriterHandle,
}

/// A store in one SQLite file, which several processes may share.
///
/// Clones share the connections. Reads run on the caller's thread and block it for as long as the
/// query takes, which is milliseconds; writes run on a thread of the store's own, which starts
/// with the first of them. No runtime is needed.
#[derive(Clone)]
pub struct SqliteStore {
    inner: Arc<Inner>,
}

impl SqliteStore {
    /// Opens the store, or creates it.
    ///
    /// # Errors
    /// [`StoreError`]: `newer-schema` for a store of a newer version, `corrupt` for a file that is
    /// no store of ours, which is left as it is, `not-found` where there is none and none is to be
    /// created, and what the system refuses.
    pub fn open(config: SqliteConfig) -> Result<Self, StoreError> {
        open(config).map_err(|failure| match failure {
            Failure::Engine(_) => {
                let error = failure.into_error(OPENING);
                match error.kind {
                    StoreErrorKind::Corrupt => schema::not_a_store().caused_by(&error),
                    _ => error,
                }
            }
            other => other.into_error(OPENING),
        })
    }

    /// Returns the store's id, which it keeps for life.
    pub fn store_id(&self) -> StoreId {
        self.inner.shared.store_id
    }

    /// Returns the ids of the keys that the store is bound to; none before its first commit.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    pub fn key_ids(&self) -> Result<Option<Vec<String>>, StoreError> {
        self.snapshot("reading the ids of the keys", |database, _| {
            let stored = schema::meta(database, schema::KEY_IDS)?;
            let ids = stored.map(|ids| serde_json::from_str(&ids)).transpose();
            ids.map_err(|_| Failure::Unreadable)
        })
    }

    /// Returns the fail points of its commits.
    #[cfg(feature = "testkit")]
    pub(crate) fn points(&self) -> &Points {
        &self.inner.shared.points
    }

    /// Runs `task` on the writing connection.
    #[cfg(feature = "testkit")]
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        operation: &'static str,
        task: impl FnOnce(&mut Connection) -> Fallible<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Inner { shared, writer } = self.inner.as_ref();
        writer
            .run(shared, operation, |database, _| task(database))
            .await
    }

    pub(crate) fn snapshot<T>(
        &self,
        operation: &'static str,
        query: impl FnOnce(&Connection, &Redactor) -> Fallible<T>,
    ) -> Result<T, StoreError> {
        let shared = &self.inner.shared;
        shared
            .snapshot(|database| query(database, &shared.config.redactor))
            .map_err(|failure| failure.into_error(operation))
    }
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SqliteStore({})", self.inner.shared.store_id)
    }
}

fn open(config: SqliteConfig) -> Fallible<SqliteStore> {
    if rusqlite::version_number() < LEAST_ENGINE {
        let error = StoreError::new(StoreErrorKind::Unsupported, OPENING);
        return Err(error.advise("link SQLite 3.51.3 or newer").into());
    }
    make_file(&config)?;
    let mut connection = readers::open_reading(&config)?;
    let condition = schema::present_condition(&connection)?;
    if condition == Condition::Blank && !is_untouched(&config)? {
        return Err(schema::not_a_store().into());
    }
    #[cfg(feature = "testkit")]
    crate::testkit::check_unsynced(&connection, &config, condition)?;
    if condition != Condition::Current {
        prepare(&config)?;
        connection = readers::open_reading(&config)?;
    }
    let store_id = schema::store_id(&connection)?;
    let readers = Readers::default();
    readers.keep(connection, &config);
    let shared = Arc::new(Shared {
        config,
        store_id,
        readers,
        #[cfg(feature = "testkit")]
        points: Points::default(),
    });
    let writer = WriterHandle::default();
    Ok(SqliteStore {
        inner: Arc::new(Inner { shared, writer }),
    })
}

/// Makes an empty file that only its owner reads, unless there is one.
fn make_file(config: &SqliteConfig) -> Fallible<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    if config.path.exists() {
        return Ok(());
    }
    if !config.create {
        let error = StoreError::new(StoreErrorKind::NotFound, OPENING);
        return Err(error
            .advise("check the path, or create the store first")
            .into());
    }
    match options.open(&config.path) {
        Ok(_) => Ok(()),
        // Another process was faster.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(file_error(error, OPENING).into()),
    }
}

/// Tells a file that nobody has written to from one whose beginning was lost: SQLite takes a file
/// of zeros, as a crash of the file system leaves it, for an empty database. See
/// <https://www.sqlite.org/fileformat.html>, 1.3.
fn is_untouched(config: &SqliteConfig) -> Fallible<bool> {
    let mut start = Vec::new();
    File::open(&config.path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start))
        .map_err(|error| file_error(error, OPENING))?;
    Ok(start.is_empty() || start == MAGIC)
}

/// Creates or updates the tables.
fn prepare(config: &SqliteConfig) -> Fallible<()> {
    let mut connection = readers::open_writing(config)?;
    // Only an empty file takes its page size from this.
    connection.pragma_update(None, "page_size", schema::PAGE_BYTES)?;
    readers::enter_wal(&connection)?;
    #[cfg(feature = "testkit")]
    let breakable = config.testkit;
    #[cfg(not(feature = "testkit"))]
    let breakable = false;
    schema::migrate(
        &mut connection,
        config.store_id,
        config.space.as_ref(),
        breakable,
    )
}

#[async_trait]
impl Store for SqliteStore {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            durability: DurabilityLevel::PowerLoss,
            erasure: ErasureScope::Files,
            multi_process: true,
            exact_vectors: false,
            max_changes_per_commit: None,
        }
    }

    async fn commit(
        &self,
        commit: Commit,
        sink: Arc<dyn AuditSink>,
    ) -> Result<Committed, StoreError> {
        let Inner { shared, writer } = self.inner.as_ref();
        writer.commit(shared, commit, sink).await
    }

    async fn maintain(
        &self,
        request: Maintain,
        sink: Arc<dyn AuditSink>,
    ) -> Result<MaintainReport, StoreError> {
        let Inner { shared, writer } = self.inner.as_ref();
        let operation = maintain::operation(request.task);
        writer
            .run(shared, operation, move |database, shared| {
                maintain::run(database, shared, &request, sink.as_ref())
            })
            .await
    }

    async fn memories(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        self.snapshot("reading memories", |database, redactor| {
            read::memories(database, redactor, scope, ids, None)
        })
    }

    async fn find_memories(&self, query: &MemoryQuery) -> Result<Vec<Memory>, StoreError> {
        self.snapshot("finding memories", |database, redactor| {
            read::find_memories(database, redactor, query)
        })
    }

    async fn revisions(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Revision>, StoreError> {
        self.snapshot("reading a memory's life", |database, redactor| {
            read::revisions(database, redactor, scope, id)
        })
    }

    async fn entities(&self, query: &EntityQuery) -> Result<Vec<Entity>, StoreError> {
        self.snapshot("finding entities", |database, redactor| {
            read::names::entities(database, redactor, query)
        })
    }

    async fn contradictions(
        &self,
        query: &ContradictionQuery,
    ) -> Result<Vec<Contradiction>, StoreError> {
        self.snapshot("finding contradictions", |database, redactor| {
            read::contradictions(database, redactor, query)
        })
    }

    async fn namespaces(&self, within: &Namespace) -> Result<Vec<NamespaceCount>, StoreError> {
        self.snapshot("counting namespaces", |database, redactor| {
            read::namespaces(database, redactor, within)
        })
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<ToolEvent>, StoreError> {
        self.snapshot("finding events", |database, redactor| {
            read::events(database, redactor, query)
        })
    }

    async fn rules(&self, query: &RuleQuery) -> Result<Vec<Rule>, StoreError> {
        self.snapshot("finding rules", |database, redactor| {
            read::rules(database, redactor, query)
        })
    }

    async fn receipts(&self, query: &ReceiptQuery) -> Result<Vec<Receipt>, StoreError> {
        self.snapshot("finding receipts", |database, redactor| {
            read::receipts(database, redactor, query)
        })
    }

    async fn certificates(
        &self,
        query: &CertificateQuery,
    ) -> Result<Vec<SealedCertificate>, StoreError> {
        self.snapshot("finding certificates", |database, redactor| {
            read::certificates(database, redactor, query)
        })
    }

    async fn audit_log(&self, from: u64, limit: usize) -> Result<AuditPage, StoreError> {
        self.snapshot("reading the audit log", |database, redactor| {
            read::audit_log(database, redactor, from, limit)
        })
    }

    async fn status(&self) -> Result<StoreStatus, StoreError> {
        let shared = &self.inner.shared;
        self.snapshot("reading the status", |database, _| {
            status::status(database, shared)
        })
    }
}

#[async_trait]
impl Recall for SqliteStore {
    async fn candidates(&self, query: &RecallQuery) -> Candidates {
        let shared = &self.inner.shared;
        shared
            .snapshot(|database| lanes::candidates(database, shared, query))
            .unwrap_or_else(|failure| Candidates::failed(query, failure.into_code()))
    }
}
