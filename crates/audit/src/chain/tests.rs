//! Every kind of tampering: those that a chain with its head row shows, and those that only an
//! anchor kept elsewhere does.

use precedent_core::audit::{FactResult, Head, Op, SealedEntry};
use precedent_core::{Digest, Timestamp};

use super::FindingKind as F;
use super::scan::links;
use super::*;
use crate::canonical::{CanonicalFault, Entry};
use crate::hash;
use crate::json::JsonFault;
use crate::time::parse_timestamp;

/// A row that a test may tamper with.
#[derive(Clone)]
struct Row {
    seq: u64,
    entry: Vec<u8>,
    hash: Option<Digest>,
}

impl Row {
    fn rehash(&mut self) {
        self.hash = Some(hash::leaf(&self.entry));
    }

    fn edit(&mut self, change: impl FnOnce(&mut Entry)) {
        let mut entry = Entry::parse(&self.entry).unwrap();
        change(&mut entry);
        self.entry = entry.canonical().unwrap();
    }

    fn replace(&mut self, from: &str, to: &str) {
        let text = String::from_utf8(self.entry.clone()).unwrap();
        assert!(text.contains(from), "{from} is not in the entry");
        self.entry = text.replace(from, to).into_bytes();
    }
}

fn log() -> Vec<Row> {
    let lines = include_str!("../../tests/vectors/entries.jsonl").lines();
    let leaves = include_str!("../../tests/vectors/leaf_hashes.txt").lines();
    (0..)
        .zip(lines.zip(leaves))
        .map(|(seq, (line, leaf))| Row {
            seq,
            entry: line.as_bytes().to_vec(),
            hash: leaf.parse().ok(),
        })
        .collect()
}

/// The head row that belongs to rows; none for an empty log.
fn head_of(rows: &[Row]) -> Vec<Head> {
    let head = rows.last().map(|row| Head {
        size: u64::try_from(rows.len()).unwrap(),
        hash: hash::leaf(&row.entry),
        at: links(&row.entry)
            .and_then(|links| parse_timestamp(links.ts))
            .unwrap_or(Timestamp::EPOCH),
    });
    head.into_iter().collect()
}

/// Rewrites links, keys and hashes from a row on, as an attacker with the store would.
fn rechain(rows: &mut [Row]) {
    let mut prev = None;
    for (seq, row) in (0..).zip(rows.iter_mut()) {
        row.seq = seq;
        row.edit(|entry| {
            entry.seq = seq;
            entry.prev = prev;
        });
        row.rehash();
        prev = row.hash;
    }
}

fn run(rows: &[Row], heads: &[Head], mode: Mode) -> Report {
    run_anchored(rows, heads, &[], mode)
}

fn run_anchored(rows: &[Row], heads: &[Head], anchors: &[Head], mode: Mode) -> Report {
    let mut verifier = Verifier::new(mode, anchors);
    for row in rows {
        verifier.push(&StoredEntry {
            seq: row.seq,
            entry: &row.entry,
            hash: row.hash,
        });
    }
    verifier.finish(heads)
}

/// Checks that both modes report exactly these findings.
#[track_caller]
fn check(rows: &[Row], heads: &[Head], expected: &[(Option<u64>, FindingKind)]) {
    for mode in [Mode::Fast, Mode::Full] {
        check_mode(rows, heads, mode, expected);
    }
}

#[track_caller]
fn check_mode(rows: &[Row], heads: &[Head], mode: Mode, expected: &[(Option<u64>, FindingKind)]) {
    let found: Vec<_> = run(rows, heads, mode)
        .findings
        .into_iter()
        .map(|found| (found.seq, found.kind))
        .collect();
    assert_eq!(found, expected, "{mode:?}");
}

#[test]
fn the_vectors_verify() {
    let rows = log();
    let head = head_of(&rows);
    assert_eq!(
        head[0].hash.to_string(),
        "1e1bac447d6e0633344af61c13366b4024a60f31db1c28d8f5887d258e51527f"
    );
    for mode in [Mode::Fast, Mode::Full] {
        let report = run(&rows, &head, mode);
        assert!(report.is_ok(), "{report:?}");
        assert_eq!(
            (report.computed, report.entries, report.unanchored),
            (Some(head[0]), 9, 9)
        );
    }
}

#[test]
fn an_empty_log_verifies() {
    check(&[], &[], &[]);
    assert_eq!(run(&[], &[], Mode::Full).computed, None);
}

#[test]
fn a_genesis_alone_verifies() {
    let rows = &log()[..1];
    check(rows, &head_of(rows), &[]);
}

#[test]
fn any_changed_byte_breaks_the_entry_hash() {
    let rows = log();
    let head = head_of(&rows);
    for at in 0..rows[4].entry.len() {
        let mut changed = rows.clone();
        changed[4].entry[at] ^= 0x01;
        for mode in [Mode::Fast, Mode::Full] {
            let report = run(&changed, &head, mode);
            let first = report.findings[0];
            assert_eq!(
                (first.seq, first.kind),
                (Some(4), F::EntryHash),
                "byte {at}"
            );
            // Its successor no longer links to it either.
            assert!(report.findings.contains(&Finding {
                seq: Some(5),
                kind: F::PrevLink
            }));
        }
    }
}

#[test]
fn an_edit_with_its_hash_breaks_the_next_link() {
    let mut rows = log();
    let head = head_of(&rows);
    rows[4].edit(|entry| entry.actor = "user:mallory".to_owned());
    rows[4].rehash();
    check(&rows, &head, &[(Some(5), F::PrevLink)]);
}

#[test]
fn an_edit_of_the_last_entry_with_its_hash_breaks_the_head() {
    let mut rows = log();
    let head = head_of(&rows);
    rows[8].edit(|entry| entry.actor = "user:mallory".to_owned());
    rows[8].rehash();
    check(&rows, &head, &[(None, F::HeadHash)]);
}

fn sealed(row: &Row) -> SealedEntry {
    let entry = Entry::parse(&row.entry).unwrap();
    SealedEntry {
        seq: entry.seq,
        bytes: row.entry.clone(),
        leaf: row.hash.unwrap(),
        op: entry.op.parse().unwrap(),
        result: entry.result.parse().unwrap(),
        memory: entry.memory_id.map(|id| id.parse().unwrap()),
        namespace: entry.namespace,
        actor: entry.actor,
        at: entry.ts,
    }
}

#[test]
fn an_edited_column_differs_from_the_entry() {
    // The vectors behind entry 4 record recalls, which have no operation of ours.
    let rows: Vec<SealedEntry> = log()[..5].iter().map(sealed).collect();
    let head = head_of(&log()[..5])[0];
    assert!(verify(&rows, Some(&head), Mode::Full).is_ok());
    type Change = fn(&mut SealedEntry);
    let changes: [(Column, Change); 7] = [
        (Column::Seq, |row| row.seq = 7),
        (Column::Op, |row| row.op = Op::Forget),
        (Column::Result, |row| row.result = FactResult::Denied),
        (Column::MemoryId, |row| row.memory = None),
        (Column::Namespace, |row| row.namespace.truncate(8)),
        (Column::Actor, |row| row.actor = "user:bob".to_owned()),
        (Column::Ts, |row| row.at = row.at.minus_millis(1)),
    ];
    for (column, change) in changes {
        let mut row = rows[1].clone();
        change(&mut row);
        let expected = Finding {
            seq: Some(row.seq),
            kind: F::ColumnMismatch(column),
        };
        let entry = Entry::parse(&row.bytes).unwrap();
        assert_eq!(compare_columns(&entry, &row), [expected]);
        let mut log = rows.clone();
        log[1] = row;
        assert!(
            verify(&log, Some(&head), Mode::Full)
                .findings
                .contains(&expected)
        );
    }
}

#[test]
fn an_edited_time_of_the_head_row_is_reported() {
    let rows = log();
    let mut head = head_of(&rows);
    head[0].at = head[0].at.minus_millis(1);
    check(&rows, &head, &[(None, F::HeadTime)]);
}

#[test]
fn a_changed_key_is_a_column_mismatch() {
    let mut rows = log();
    let head = head_of(&rows);
    rows[8].seq = 9;
    check(
        &rows,
        &head,
        &[
            (Some(9), F::SequenceGap { expected: 8 }),
            (Some(9), F::ColumnMismatch(Column::Seq)),
            (
                None,
                F::HeadSize {
                    stored: 9,
                    found: 10,
                },
            ),
        ],
    );
}

#[test]
fn a_removed_entry_leaves_a_gap() {
    let mut rows = log();
    let head = head_of(&rows);
    rows.remove(4);
    check(
        &rows,
        &head,
        &[
            (Some(5), F::SequenceGap { expected: 4 }),
            (Some(5), F::PrevLink),
        ],
    );
}

#[test]
fn swapped_entries_break_their_links() {
    let mut rows = log();
    let head = head_of(&rows);
    rows.swap(3, 4);
    let report = run(&rows, &head, Mode::Full);
    assert!(report.findings.contains(&Finding {
        seq: Some(4),
        kind: F::SequenceGap { expected: 3 }
    }));
    assert!(report.findings.contains(&Finding {
        seq: Some(3),
        kind: F::SequenceRepeat { expected: 5 }
    }));
    // Swapped under each other's keys, the authenticated numbers give them away.
    rows[3].seq = 3;
    rows[4].seq = 4;
    let report = run(&rows, &head, Mode::Fast);
    for seq in [3, 4] {
        let kind = F::ColumnMismatch(Column::Seq);
        assert!(report.findings.contains(&Finding {
            seq: Some(seq),
            kind
        }));
    }
}

#[test]
fn a_repeated_entry_repeats_its_number() {
    let mut rows = log();
    let head = head_of(&rows);
    rows.insert(5, rows[4].clone());
    check(
        &rows,
        &head,
        &[
            (Some(4), F::SequenceRepeat { expected: 5 }),
            (Some(4), F::PrevLink),
        ],
    );
}

#[test]
fn a_row_without_a_hash_is_reported() {
    let mut rows = log();
    let head = head_of(&rows);
    rows[3].hash = None;
    check(&rows, &head, &[(Some(3), F::MissingHash)]);
}

#[test]
fn another_spelling_with_its_hash_is_not_canonical() {
    let spellings = [
        (r#""op":"write""#, r#""op": "write""#),
        ("user:alice", r"user\u003aalice"),
        (r#""op":"write""#, r#""op":"write","op":"write""#),
        (r#""detail":null"#, r#""detail":{"a":1,"a":2}"#),
        (r#""detail":null"#, r#""detail":{"score":0.5}"#),
        (r#""detail":null"#, r#""detail":{"size":9007199254740993}"#),
        (r#""detail":null"#, r#""detail":{"text":"\ud800"}"#),
    ];
    for (from, to) in spellings {
        let mut rows = log()[..2].to_vec();
        rows[1].replace(from, to);
        rows[1].rehash();
        let report = run(&rows, &head_of(&rows), Mode::Full);
        assert!(
            matches!(
                report.findings[..],
                [Finding {
                    seq: Some(1),
                    kind: F::NotCanonical(_)
                }]
            ),
            "{to}: {report:?}"
        );
    }
}

#[test]
fn bytes_that_are_no_entry_are_not_canonical_in_either_mode() {
    let mut rows = log()[..2].to_vec();
    rows[1].entry = b"{}".to_vec();
    rows[1].rehash();
    let kind = F::NotCanonical(CanonicalFault::MissingMember("actor"));
    check(&rows, &head_of(&rows), &[(Some(1), kind)]);
    rows[1].entry = b"\xff".to_vec();
    rows[1].rehash();
    let kind = F::NotCanonical(CanonicalFault::Json(JsonFault::NotUtf8));
    check(&rows, &head_of(&rows), &[(Some(1), kind)]);
}

#[test]
fn a_removed_beginning_is_a_missing_genesis() {
    let rows = log();
    let head = head_of(&rows);
    check(
        &rows[1..],
        &head,
        &[
            (Some(1), F::SequenceGap { expected: 0 }),
            (Some(1), F::MissingGenesis),
            (Some(1), F::PrevLink),
        ],
    );
    let mut rows = rows[1..].to_vec();
    rechain(&mut rows);
    check_mode(
        &rows,
        &head_of(&rows),
        Mode::Full,
        &[(Some(0), F::MissingGenesis)],
    );
}

#[test]
fn a_spliced_log_breaks_the_link() {
    // The other log has the same length and another origin.
    let rows = log();
    let mut other = log();
    other[0].replace(
        "memory.example/audit/prod-1\"}",
        "memory.example/audit/prod-2\"}",
    );
    rechain(&mut other);
    let spliced: Vec<Row> = rows[..5].iter().chain(&other[5..]).cloned().collect();
    check(&spliced, &head_of(&spliced), &[(Some(5), F::PrevLink)]);
}

#[test]
fn a_second_genesis_is_misplaced() {
    let mut rows = log();
    let genesis = rows[0].clone();
    rows.insert(4, genesis);
    rechain(&mut rows);
    let mut expected = vec![(Some(4), F::MisplacedGenesis)];
    expected.push((Some(4), F::TimeReversed));
    check_mode(&rows, &head_of(&rows), Mode::Full, &expected);
}

#[test]
fn time_that_goes_back_is_reported() {
    let mut rows = log();
    rows[5].edit(|entry| entry.ts = "2026-11-30T15:00:00.000Z".parse().unwrap());
    rechain(&mut rows);
    check_mode(
        &rows,
        &head_of(&rows),
        Mode::Full,
        &[(Some(5), F::TimeReversed)],
    );
}

#[test]
fn a_cut_tail_differs_from_the_head_row() {
    let rows = log();
    let head = head_of(&rows);
    check(
        &rows[..7],
        &head,
        &[
            (
                None,
                F::HeadSize {
                    stored: 9,
                    found: 7,
                },
            ),
            (None, F::HeadHash),
        ],
    );
    check(
        &[],
        &head,
        &[
            (
                None,
                F::HeadSize {
                    stored: 9,
                    found: 0,
                },
            ),
            (None, F::HeadHash),
        ],
    );
}

#[test]
fn the_head_row_is_one_row() {
    let rows = log();
    let head = head_of(&rows);
    check(&rows, &[], &[(None, F::HeadMissing)]);
    check(&rows, &[head[0], head[0]], &[(None, F::HeadRepeated(2))]);
    check(&[], &[head[0], head[0]], &[(None, F::HeadRepeated(2))]);
}

/// Logs that were tampered with consistently, head row included.
fn consistent_forgeries() -> Vec<(&'static str, Vec<Row>)> {
    let mut rewritten = log();
    rewritten[4].edit(|entry| entry.actor = "user:mallory".to_owned());
    rechain(&mut rewritten);
    let mut removed = log();
    removed.remove(4);
    rechain(&mut removed);
    vec![
        ("a suffix rewritten", rewritten),
        ("an entry removed from the middle", removed),
        ("the tail cut", log()[..7].to_vec()),
        ("an older copy restored", log()[..3].to_vec()),
        ("the log emptied", Vec::new()),
    ]
}

#[test]
fn a_consistent_forgery_is_not_shown_by_the_chain_alone() {
    for (name, rows) in consistent_forgeries() {
        for mode in [Mode::Fast, Mode::Full] {
            let report = run(&rows, &head_of(&rows), mode);
            assert!(report.is_ok(), "{name}: {report:?}");
            // The report says how much rests on the chain alone.
            assert_eq!(report.unanchored, report.entries, "{name}");
        }
    }
}

#[test]
fn a_consistent_forgery_is_shown_by_a_head_kept_elsewhere() {
    let anchor = head_of(&log());
    for (name, rows) in consistent_forgeries() {
        let report = run_anchored(&rows, &head_of(&rows), &anchor, Mode::Fast);
        assert!(
            report.findings.iter().any(|found| matches!(
                found.kind,
                F::ShorterThanAnchor { size: 9 } | F::AnchorMismatch { size: 9 }
            )),
            "{name}: {report:?}"
        );
    }
}

#[test]
fn a_cut_behind_the_last_anchor_is_counted_as_unanchored() {
    let rows = log();
    let anchor = head_of(&rows[..5]);
    let report = run_anchored(&rows[..7], &head_of(&rows[..7]), &anchor, Mode::Full);
    assert!(report.is_ok());
    assert_eq!(report.unanchored, 2);
}

#[test]
fn findings_are_bounded() {
    let rows: Vec<Row> = (0..1_100)
        .map(|seq| Row {
            seq,
            entry: b"{}".to_vec(),
            hash: Some(hash::leaf(b"{}")),
        })
        .collect();
    let report = run(&rows, &head_of(&rows), Mode::Full);
    assert_eq!((report.findings.len(), report.omitted), (MAX_FINDINGS, 100));
}
