//! What a child process does: this test binary, run again with a task in its environment.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use futures_executor::block_on;
use precedent_core::{Kind, Recall, Store};
use precedent_store_sqlite::SqliteStore;
use precedent_store_test::data::{axis, erase, home, memory_id};
use precedent_store_test::store::{both_query, errors};

use crate::support::{commit, open, put_number, sink};

/// The variable that holds a child's task.
const TASK: &str = "PRECEDENT_TEST_TASK";
/// How many threads of a looping child commit at once, so that commits are grouped.
const THREADS: u64 = 4;
/// A looping thread erases with every commit of this number.
const ERASE_EVERY: u64 = 8;

/// What a child is to do with a store.
#[derive(Clone, Debug)]
pub enum Task {
    /// Write the memories `first..first + count`, one a commit.
    Write { first: u64, count: u64 },
    /// Write and erase from `first` on, on several threads, until killed.
    Loop { first: u64 },
    /// Recall and read the status until the file `stop` beside the store is there.
    Recall,
}

/// The file whose presence ends recalling children.
pub fn stop_file(store: &Path) -> PathBuf {
    store.with_extension("stop")
}

/// Starts a child with its task; what it says comes through its stdout.
pub fn spawn(store: &Path, task: &Task) -> Child {
    let (word, first, count) = match *task {
        Task::Write { first, count } => ("write", first, count),
        Task::Loop { first } => ("loop", first, 0),
        Task::Recall => ("recall", 0, 0),
    };
    let program = std::env::current_exe().expect("this test has a path");
    Command::new(program)
        .args(["worker::does_its_task", "--exact", "--nocapture"])
        .env(TASK, format!("{word}|{first}|{count}|{}", store.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this test can be run again")
}

/// Returns the numbers that a child has told with a word, in order.
pub fn told(stdout: impl std::io::Read, word: &str) -> Vec<u64> {
    BufReader::new(stdout)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| number(&line, word))
        .collect()
}

/// Reads a line such as `put 17`; the first one may stand behind the harness's own words.
pub fn number(line: &str, word: &str) -> Option<u64> {
    let (_, rest) = line.split_once(&format!("\u{1}{word} "))?;
    rest.trim_end().parse().ok()
}

/// Tells the parent in one write; a line that a kill cuts short does not parse, for want of its end.
fn tell(word: &str, n: u64) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\u{1}{word} {n} \n").as_bytes())
        .and_then(|()| out.flush())
        .expect("the parent listens");
}

/// Does nothing in an ordinary run of the tests; see [`spawn`].
#[test]
fn does_its_task() {
    #[expect(
        clippy::disallowed_methods,
        reason = "the parent leaves the task there"
    )]
    let Ok(task) = std::env::var(TASK) else {
        return;
    };
    let parts: Vec<&str> = task.splitn(4, '|').collect();
    let [word, first, count, path] = parts[..] else {
        panic!("malformed task {task}");
    };
    let (first, count): (u64, u64) = (first.parse().unwrap(), count.parse().unwrap());
    let store = open(Path::new(path));
    match word {
        "write" => (first..first + count).for_each(|n| write(&store, n)),
        "loop" => write_and_erase(&store, first),
        "recall" => recall(&store, &stop_file(Path::new(path))),
        _ => panic!("unknown task {word}"),
    }
}

fn write(store: &SqliteStore, n: u64) {
    let done = block_on(store.commit(commit(n, vec![put_number(n)]), sink()));
    assert!(!done.expect("a lawful commit is accepted").replayed);
    tell("put", n);
}

fn write_and_erase(store: &SqliteStore, first: u64) {
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for n in (first..).filter(|n| n % THREADS == thread) {
                    if n % (THREADS * ERASE_EVERY) == thread {
                        erase_number(store, n, n.saturating_sub(THREADS));
                    } else {
                        write(store, n);
                    }
                }
            });
        }
    });
}

/// Erases memory `target` in commit number `n`; the first of a range has nothing before it.
fn erase_number(store: &SqliteStore, n: u64, target: u64) {
    tell("try", target);
    let change = erase(n, "team/app", &[memory_id(target)]);
    if block_on(store.commit(commit(n, vec![change]), sink())).is_ok() {
        tell("erased", target);
    }
}

fn recall(store: &SqliteStore, stop: &Path) {
    let mut rounds = 0;
    let mut seen = 0;
    while !stop.exists() {
        let query = both_query(&home(), &[Kind::Episodic], "red number1", axis(1));
        let answer = block_on(store.candidates(&query));
        assert_eq!(errors(&answer), [], "no lane fails while others write");
        if rounds % 16 == 0 {
            let status = block_on(store.status()).expect("the status can be read");
            assert_eq!(status.faults, [], "every snapshot is whole");
            let size = status.head.map_or(0, |head| head.size);
            assert!(size >= seen, "the log only grows");
            seen = size;
        }
        rounds += 1;
    }
    tell("rounds", rounds);
}
