//! `kill -9` at any moment: what was acknowledged is there, what was not is there whole or not at
//! all.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use futures_executor::block_on;
use precedent_core::{Store, StoreErrorKind, StoreId};
use precedent_store_sqlite::{SqliteConfig, SqliteStore};
use precedent_store_test::data::memory_id;

use crate::support::{assert_sound, commit, open, put_number, sink};
use crate::worker::{Task, number, spawn};

const ROUNDS: u64 = 25;
/// The distance between the first numbers of two rounds.
const STRIDE: u64 = 1_000_000;
/// Rounds end early on a machine that is too busy for all of them.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a child said before it was killed.
#[derive(Default)]
struct Said {
    put: BTreeSet<u64>,
    tried: BTreeSet<u64>,
    erased: BTreeSet<u64>,
}

impl Said {
    fn listen(&mut self, line: &str) {
        self.put.extend(number(line, "put"));
        self.tried.extend(number(line, "try"));
        self.erased.extend(number(line, "erased"));
    }
}

/// Lets a child work for `work_ms` after its first acknowledged commit, and kills it.
fn kill_in_the_middle(path: &Path, first: u64, work_ms: u64, said: &mut Said) {
    let mut child = spawn(path, &Task::Loop { first });
    let stdout = child.stdout.take().unwrap();
    let (started, begins) = std::sync::mpsc::channel();
    let listener = std::thread::spawn(move || {
        let mut said = Said::default();
        let mut lines = std::io::BufReader::new(stdout);
        let mut line = String::new();
        while std::io::BufRead::read_line(&mut lines, &mut line).is_ok_and(|bytes| bytes > 0) {
            // A line without its end was cut by the kill.
            if line.ends_with('\n') {
                said.listen(&line);
            }
            if !said.put.is_empty() {
                // The parent stops listening after the first.
                let _ = started.send(());
            }
            line.clear();
        }
        said
    });
    begins.recv().expect("the child commits before it ends");
    std::thread::sleep(Duration::from_millis(work_ms));
    child.kill().unwrap();
    assert!(
        !child.wait().unwrap().success(),
        "it ran until it was killed"
    );
    let heard = listener.join().unwrap();
    said.put.extend(heard.put);
    said.tried.extend(heard.tried);
    said.erased.extend(heard.erased);
}

#[test]
fn acknowledged_commits_survive_kills() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let began = Instant::now();
    let mut said = Said::default();
    let mut rounds = 0;
    for round in 0..ROUNDS {
        // Spread over two orders of magnitude, from within the first commits to between checkpoints.
        let work_ms = [1, 250, 7, 60, 20][usize::try_from(round % 5).unwrap()] + round * 11 % 17;
        kill_in_the_middle(&path, round * STRIDE, work_ms, &mut said);
        let (_, ids) = assert_sound(&open(&path));
        let ids: BTreeSet<_> = ids.into_iter().collect();
        for n in &said.put {
            let there = ids.contains(&memory_id(*n));
            if said.erased.contains(n) {
                assert!(!there, "{n} was erased in round {round} or before");
            } else if !said.tried.contains(n) {
                assert!(there, "{n} was acknowledged in round {round} or before");
            }
        }
        rounds = round + 1;
        if began.elapsed() > PATIENCE {
            break;
        }
    }
    println!(
        "{rounds} kills, {} acknowledged writes, {} erasures",
        said.put.len(),
        said.erased.len()
    );
    assert!(rounds >= 5, "the machine is too slow to say anything");
    assert!(!said.erased.is_empty(), "erasures were among the commits");
}

/// A process that dies while it creates the store leaves a file that the next one makes whole.
#[test]
fn a_store_can_be_opened_after_a_kill_while_it_was_created() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..12 {
        let path = folder.path().join(format!("{round}.db"));
        let (first, count) = (0, 1);
        let mut child = spawn(&path, &Task::Write { first, count });
        let file = Instant::now();
        while !path.exists() && file.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(300 * round));
        // It may have been done already.
        let _ = child.kill();
        child.wait().unwrap();
        let store = open(&path);
        block_on(store.commit(commit(1, vec![put_number(1)]), sink())).unwrap();
        let (_, ids) = assert_sound(&store);
        assert!(ids.contains(&memory_id(1)));
    }
}

/// A crash of the file system can leave zeros where a store was. SQLite takes them for an empty
/// database, and a store would have begun anew over what may still be recovered.
#[test]
fn zeros_are_not_taken_for_a_new_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    for length in [1, 512, 8192, 100_000] {
        std::fs::write(&path, vec![0; length]).unwrap();
        let config = SqliteConfig::new(&path, StoreId::from_bytes([7; 16]));
        let refused = SqliteStore::open(config).unwrap_err();
        assert_eq!(refused.kind, StoreErrorKind::Corrupt);
        assert_eq!(std::fs::read(&path).unwrap(), vec![0; length]);
    }
    std::fs::write(&path, b"").unwrap();
    open(&path);
}
