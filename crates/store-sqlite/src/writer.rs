//! The one thread that writes, and how it groups commits.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures_channel::oneshot;
use precedent_core::{AuditSink, Commit, Committed, Durability, StoreError, StoreErrorKind};
use rusqlite::Connection;

use crate::commit::{self, OPERATION};
use crate::error::{Failure, Fallible};
use crate::points::fail_point;
use crate::readers;
use crate::store::Shared;

/// Most commits of one transaction.
const BATCH: usize = 64;
/// How often to begin again when another process is in the way at once.
const ATTEMPTS: u32 = 4;

type Answer = Result<Committed, StoreError>;

/// A commit that waits for its turn.
struct Job {
    commit: Commit,
    sink: Arc<dyn AuditSink>,
    reply: oneshot::Sender<Answer>,
}

/// Work that wants the connection to itself.
type Task = Box<dyn FnOnce(&mut Writer) + Send>;

enum Request {
    Commit(Box<Job>),
    Task(Task),
}

/// The handle to the writing thread, which starts with the first request.
#[derive(Default)]
pub(crate) struct WriterHandle {
    running: Mutex<Option<Running>>,
}

struct Running {
    requests: Sender<Request>,
    thread: JoinHandle<()>,
}

fn closed(operation: &'static str) -> StoreError {
    StoreError::new(StoreErrorKind::Closed, operation)
}

impl WriterHandle {
    /// Has a commit applied and waits until it is as durable as it asks to be.
    pub(crate) async fn commit(
        &self,
        shared: &Arc<Shared>,
        commit: Commit,
        sink: Arc<dyn AuditSink>,
    ) -> Answer {
        let (reply, answer) = oneshot::channel();
        let job = Job {
            commit,
            sink,
            reply,
        };
        self.send(shared, Request::Commit(Box::new(job)), OPERATION)?;
        answer.await.map_err(|_| closed(OPERATION))?
    }

    /// Runs `task` on the writing thread, outside any transaction.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        shared: &Arc<Shared>,
        operation: &'static str,
        task: impl FnOnce(&mut Connection, &Shared) -> Fallible<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let task: Task = Box::new(move |writer| {
            let done = writer.with_connection(|database, shared| {
                database.execute_batch(shared.config.synchronous(false))?;
                task(database, shared)
            });
            // Whoever asked may have gone; the task is done all the same.
            drop(reply.send(done.map_err(|failure| failure.into_error(operation))));
        });
        self.send(shared, Request::Task(task), operation)?;
        answer.await.map_err(|_| closed(operation))?
    }

    fn send(
        &self,
        shared: &Arc<Shared>,
        request: Request,
        operation: &'static str,
    ) -> Result<(), StoreError> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_none() {
            *running = Some(start(shared, operation)?);
        }
        let requests = running.as_ref().map(|running| &running.requests);
        let sent = requests.is_some_and(|requests| requests.send(request).is_ok());
        if sent { Ok(()) } else { Err(closed(operation)) }
    }
}

impl Drop for WriterHandle {
    fn drop(&mut self) {
        let running = self
            .running
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(Running { requests, thread }) = running.take() {
            drop(requests);
            // A writer that panicked has nothing left to finish.
            drop(thread.join());
        }
    }
}

fn start(shared: &Arc<Shared>, operation: &'static str) -> Result<Running, StoreError> {
    let (requests, inbox) = channel();
    let mut writer = Writer {
        shared: Arc::clone(shared),
        connection: None,
    };
    let thread = std::thread::Builder::new()
        .name("precedent-sqlite-writer".to_owned())
        .spawn(move || writer.serve(&inbox))
        .map_err(|error| StoreError::new(StoreErrorKind::Io, operation).caused_by(&error))?;
    Ok(Running { requests, thread })
}

/// What the writing thread owns.
struct Writer {
    shared: Arc<Shared>,
    connection: Option<Connection>,
}

impl Writer {
    fn serve(&mut self, inbox: &Receiver<Request>) {
        while let Ok(request) = inbox.recv() {
            let mut jobs = Vec::new();
            let task = match request {
                Request::Commit(job) => {
                    jobs.push(*job);
                    drain(inbox, &mut jobs)
                }
                Request::Task(task) => Some(task),
            };
            if !jobs.is_empty() {
                self.write(jobs);
            }
            if let Some(task) = task {
                task(self);
            }
        }
        let connection = self.connection.take();
        if let Some(connection) = connection.filter(|_| !self.shared.has_crashed()) {
            readers::trim_log(&connection, &self.shared.config);
        }
    }

    fn with_connection<T>(
        &mut self,
        work: impl FnOnce(&mut Connection, &Shared) -> Fallible<T>,
    ) -> Fallible<T> {
        #[cfg(feature = "testkit")]
        self.shared.points.check()?;
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => readers::open_writing(&self.shared.config)?,
        };
        let done = work(&mut connection, &self.shared);
        // A connection that could not end its transaction is not used again.
        if connection.is_autocommit() {
            self.connection = Some(connection);
        }
        done
    }

    /// Applies all jobs in one transaction and answers once it is written.
    fn write(&mut self, jobs: Vec<Job>) {
        let relaxed = jobs
            .iter()
            .all(|job| job.commit.durability == Durability::Deferred);
        let (requests, replies): (Vec<_>, Vec<_>) = jobs
            .into_iter()
            .map(|job| ((job.commit, job.sink), job.reply))
            .unzip();
        let count = replies.len();
        let answers = self
            .with_connection(|database, shared| write_batch(database, shared, requests, relaxed))
            .unwrap_or_else(|failure| fail_all(failure, count));
        for (reply, answer) in replies.into_iter().zip(answers) {
            // Whoever asked may have gone; the commit stands all the same.
            drop(reply.send(answer));
        }
    }
}

/// Takes what is queued, without waiting for more; stops at a task and returns it.
fn drain(inbox: &Receiver<Request>, jobs: &mut Vec<Job>) -> Option<Task> {
    while jobs.len() < BATCH {
        match inbox.try_recv() {
            Ok(Request::Commit(job)) => jobs.push(*job),
            Ok(Request::Task(task)) => return Some(task),
            Err(_) => return None,
        }
    }
    None
}

fn fail_all(failure: Failure, count: usize) -> Vec<Answer> {
    let first = failure.into_error(OPERATION);
    let mut answers: Vec<Answer> = (1..count)
        .map(|_| Err(StoreError::new(first.kind, OPERATION).advise(first.next_step)))
        .collect();
    answers.push(Err(first));
    answers
}

fn write_batch(
    database: &Connection,
    shared: &Shared,
    requests: Vec<(Commit, Arc<dyn AuditSink>)>,
    relaxed: bool,
) -> Fallible<Vec<Answer>> {
    // Set for every batch, so that no failure in between can leave the wrong one behind.
    database.execute_batch(shared.config.synchronous(relaxed))?;
    // A lone commit has the transaction to itself. A savepoint would copy every page that it
    // changes, and SQLite would walk all of the copies whenever an inner savepoint ends.
    let alone = requests.len() == 1;
    in_transaction(database, shared, || {
        requests
            .into_iter()
            .map(|(commit, sink)| match alone {
                true => commit::commit(database, shared, commit, sink.as_ref()).map(Ok),
                false => in_savepoint(database, shared, commit, sink.as_ref()),
            })
            .collect()
    })
}

/// Runs `work` between BEGIN IMMEDIATE and COMMIT; nothing stays of it when either fails.
pub(crate) fn in_transaction<T>(
    database: &Connection,
    shared: &Shared,
    work: impl FnOnce() -> Fallible<T>,
) -> Fallible<T> {
    fail_point!(shared);
    begin(database)?;
    let done = work_and_commit(database, shared, work);
    // After a crash nobody rolls back: the connection is thrown away as it is.
    if done.is_err() && !database.is_autocommit() && !shared.has_crashed() {
        // Should this fail too, the connection is thrown away, which rolls back.
        drop(database.execute_batch("ROLLBACK"));
    }
    done
}

/// Runs `work` and commits.
fn work_and_commit<T>(
    database: &Connection,
    shared: &Shared,
    work: impl FnOnce() -> Fallible<T>,
) -> Fallible<T> {
    fail_point!(shared);
    let answer = work()?;
    fail_point!(shared);
    database.prepare_cached("COMMIT")?.execute([])?;
    fail_point!(shared);
    Ok(answer)
}

/// Begins to write; the busy timeout covers other writers, this loop what is refused at once.
fn begin(database: &Connection) -> Fallible<()> {
    let mut attempt = 1;
    loop {
        match database.prepare_cached("BEGIN IMMEDIATE")?.execute([]) {
            Ok(_) => return Ok(()),
            Err(error) => {
                let failure = Failure::from(error);
                if attempt == ATTEMPTS || !failure.is_busy() {
                    return Err(failure);
                }
            }
        }
        std::thread::sleep(pause(attempt));
        attempt += 1;
    }
}

/// Returns a few milliseconds, more with each attempt, that differ from process to process.
fn pause(attempt: u32) -> Duration {
    let jitter = Instant::now().elapsed().subsec_nanos() ^ std::process::id();
    Duration::from_millis(u64::from(attempt * 2 + jitter % 5))
}

fn in_savepoint(
    database: &Connection,
    shared: &Shared,
    commit: Commit,
    sink: &dyn AuditSink,
) -> Fallible<Answer> {
    let run = |sql: &str| -> Fallible<()> {
        database.prepare_cached(sql)?.execute([])?;
        Ok(())
    };
    run("SAVEPOINT request")?;
    fail_point!(shared);
    match commit::commit(database, shared, commit, sink) {
        Ok(answer) => {
            fail_point!(shared);
            run("RELEASE request")?;
            fail_point!(shared);
            Ok(Ok(answer))
        }
        // A full disk or a failed write may have ended the transaction on its own.
        Err(failure) if database.is_autocommit() || shared.has_crashed() => Err(failure),
        Err(failure) => {
            run("ROLLBACK TO request")?;
            fail_point!(shared);
            run("RELEASE request")?;
            Ok(Err(failure.into_error(OPERATION)))
        }
    }
}
