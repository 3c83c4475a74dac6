//! Any history leads the backend and the reference store to the same place.

use std::cell::RefCell;
use std::sync::Arc;

use precedent_core::{Commit, Committed, MemStore, StoreError, StoreErrorKind};

use crate::case::laws;
use crate::data::{AGENT, scope, space};
use crate::history::{Step, histories, request};
use crate::law::{assert_law, config};
use crate::store::TestStore;
use crate::view::Viewer;
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = laws!("differential":
    same_commits_give_the_same_head_hash,
);

fn viewer() -> Viewer {
    Viewer {
        scopes: vec![
            scope("team", AGENT),
            scope("team/app", AGENT),
            scope("team/app/sub", "a2"),
            scope("team/app2", AGENT),
        ],
        texts: vec!["red fox", "cat owl", "deploying"],
        receipts: 6,
    }
}

fn outcome(answer: Result<Committed, StoreError>) -> Result<Committed, StoreErrorKind> {
    answer.map_err(|error| error.kind)
}

async fn compare(harness: &dyn Harness, history: &[Step]) {
    let store = TestStore::open(harness).await;
    let model = TestStore::over(Arc::new(MemStore::new(Some(space()))));
    let last: RefCell<Option<Commit>> = RefCell::new(None);
    for (place, step) in (1..).zip(history) {
        let commit = request(place, step, last.borrow().as_ref());
        let expected = outcome(model.send(commit.clone()).await);
        let answer = outcome(store.send(commit.clone()).await);
        assert_eq!(answer, expected, "step {place}, {step:?} (left: actual)");
        last.replace(Some(commit));
    }
    let expected = viewer().look(model.backend.as_ref()).await;
    let seen = viewer().look(store.backend.as_ref()).await;
    assert_eq!(seen.head, expected.head, "the head (left: actual)");
    assert_eq!(seen, expected, "what can be seen (left: actual)");
}

/// The same commits give the same answers and refusals, the same log to the byte, and the same
/// answers to every question, as the reference store gives.
fn same_commits_give_the_same_head_hash(harness: &dyn Harness) {
    assert_law(&config(48), &histories(), |history| {
        harness.block_on(Box::pin(compare(harness, &history)));
    });
}
