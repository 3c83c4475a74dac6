//! A commit that crashes on its way is there or it is not, wherever it crashes.

use precedent_core::{Change, Commit, Memory};

use crate::case::stories;
use crate::data::{
    HOME, add_alias, at, axis, claim, contradict, decide, entity, erase, event, memory, memory_id,
    mention, name_entity, observe, put, put_with, receipt, receipt_id, resolve, restore, retire,
    rule, rule_change, supersede,
};
use crate::store::TestStore;
use crate::{Case, Harness, Need, sweep};

pub(super) const CASES: &[Case] = stories!("crash":
    a_first_commit_is_whole_or_absent needs Need::FailPoints,
    a_write_is_whole_or_absent needs Need::FailPoints,
    a_correction_is_whole_or_absent needs Need::FailPoints,
    an_erasure_is_whole_or_absent needs Need::FailPoints,
);

/// One of each record, all of which have to do with each other.
fn written() -> Vec<Change> {
    let about = |n, text| Memory {
        claim: Some(claim("user", "name", text)),
        mentions: vec![mention(1, "Ann")],
        ..memory(n, text)
    };
    let made = Memory {
        derived_from: vec![memory_id(1), memory_id(2)],
        ..memory(3, "red owl")
    };
    let mut closing = event(1, at(1000));
    closing.receipt = Some(receipt_id(1));
    vec![
        name_entity(entity(1, &["Ann"])),
        put_with(about(1, "red fox"), Some(axis(0))),
        put_with(about(2, "red cat"), Some(axis(1))),
        put(made),
        contradict(1, 1, 2),
        rule_change(rule(1, memory_id(1))),
        decide(receipt(1)),
        observe(closing),
    ]
}

/// Makes requests to sweep over, which no store has seen; the last one is the work.
async fn assert_whole(harness: &dyn Harness, bodies: Vec<Vec<Change>>) {
    // Only the numbers of a test store's requests are wanted here.
    let requests = TestStore::open(harness).await;
    let mut commits: Vec<Commit> = bodies
        .into_iter()
        .map(|changes| requests.request(Vec::new(), changes))
        .collect();
    let work = commits.pop().expect("there is work");
    let points = harness.fail_points().expect("the case needs them");
    let count = sweep(harness, points, &commits, &work).await;
    assert!(count > 0, "a commit passes no fail point");
}

/// The commit that begins the log.
async fn a_first_commit_is_whole_or_absent(harness: &dyn Harness) {
    assert_whole(harness, vec![written()]).await;
}

/// Rows, both indexes, entities, rules, receipts.
async fn a_write_is_whole_or_absent(harness: &dyn Harness) {
    let other = vec![put_with(memory(9, "red hen"), Some(axis(2)))];
    assert_whole(harness, vec![other, written()]).await;
}

/// Changes of standing, links, contradictions and names.
async fn a_correction_is_whole_or_absent(harness: &dyn Harness) {
    let new = Memory {
        supersedes: Some(memory_id(1)),
        ..memory(4, "red hen")
    };
    let correction = vec![
        put_with(new, Some(axis(3))),
        supersede(memory_id(1), memory_id(4)),
        resolve(1, Some(2)),
        retire(memory_id(3)),
        restore(memory_id(3)),
        add_alias(1, "Annie", true),
    ];
    assert_whole(harness, vec![written(), correction]).await;
}

/// What goes with the erased goes at once: postings, vectors, rules, names, contradictions, links.
async fn an_erasure_is_whole_or_absent(harness: &dyn Harness) {
    let correction = vec![
        put(memory(4, "red hen")),
        supersede(memory_id(1), memory_id(4)),
    ];
    let erasure = vec![
        erase(1, HOME, &[memory_id(1), memory_id(2)]),
        put(memory(5, "red emu")),
    ];
    assert_whole(harness, vec![written(), correction, erasure]).await;
}
