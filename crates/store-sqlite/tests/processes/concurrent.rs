//! Many processes, one file: nothing is lost, nobody gets an error, there is one chain.

use std::collections::BTreeSet;
use std::fs::File;
use std::process::Output;

use futures_executor::block_on;
use precedent_core::audit::Op;
use precedent_core::{MaintainTask, Store};
use precedent_store_test::data::{erase, memory_id};

use crate::support::{assert_sound, commit, maintain, open, put_number, sink};
use crate::worker::{Task, spawn, stop_file, told};

const WRITERS: u64 = 8;
const COMMITS: u64 = 200;
const READERS: usize = 2;
/// The distance between the first numbers of two writers.
const STRIDE: u64 = 1_000_000;

#[track_caller]
fn assert_done(output: &Output) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}\n{stderr}");
}

/// The file does not exist before: the writers race to create it, too.
#[test]
fn eight_writers_and_two_readers_share_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let first = writer * STRIDE;
            let count = COMMITS;
            spawn(&path, &Task::Write { first, count })
        })
        .collect();
    let readers: Vec<_> = (0..READERS).map(|_| spawn(&path, &Task::Recall)).collect();
    let mut acknowledged = BTreeSet::new();
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert_done(&output);
        acknowledged.extend(told(&output.stdout[..], "put"));
    }
    File::create(stop_file(&path)).unwrap();
    for reader in readers {
        let output = reader.wait_with_output().unwrap();
        assert_done(&output);
        let rounds = told(&output.stdout[..], "rounds");
        assert!(rounds[..] > [10][..], "it read all the while: {rounds:?}");
    }
    assert_eq!(acknowledged.len() as u64, WRITERS * COMMITS);
    let (log, ids) = assert_sound(&open(&path));
    assert!(ids.into_iter().eq(acknowledged.into_iter().map(memory_id)));
    let mut ops = log.iter().map(|entry| entry.op);
    assert_eq!(ops.next(), Some(Op::Genesis));
    assert!(ops.all(|op| op == Op::Write), "one entry for each commit");
}

/// Purging and reindexing, again and again, beside two writers and a reader: everybody waits for
/// their turn and nobody fails; a purge that others are in the way of says so and seals nothing.
#[test]
fn maintenance_disturbs_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = open(&path);
    let mut writers: Vec<_> = (1..=2)
        .map(|writer| {
            let first = writer * STRIDE;
            spawn(&path, &Task::Write { first, count: 40 })
        })
        .collect();
    let reader = spawn(&path, &Task::Recall);
    let mut due = 0;
    let mut sealed = 0;
    let mut n = 0;
    let mut idle = false;
    // Once more after the writers are done.
    while !idle {
        idle = writers
            .iter_mut()
            .all(|writer| writer.try_wait().unwrap().is_some());
        let change = put_number(n);
        block_on(store.commit(commit(n, vec![change]), sink())).unwrap();
        let change = erase(n + 1, "team/app", &[memory_id(n)]);
        block_on(store.commit(commit(n + 1, vec![change]), sink())).unwrap();
        due += 1;
        let report = maintain(&store, n + 10_000, MaintainTask::Purge);
        assert!(report.certificates.is_empty() || !report.pending);
        sealed += report.certificates.len();
        if n % 6 == 0 {
            maintain(&store, n + 10_001, MaintainTask::Reindex);
        }
        n += 2;
    }
    for writer in writers {
        assert_done(&writer.wait_with_output().unwrap());
    }
    File::create(stop_file(&path)).unwrap();
    assert_done(&reader.wait_with_output().unwrap());
    sealed += maintain(&store, n + 10_000, MaintainTask::Purge)
        .certificates
        .len();
    assert_eq!(sealed, due, "each erasure has one second stage");
    let (_, ids) = assert_sound(&store);
    assert_eq!(ids.len(), 80);
}
