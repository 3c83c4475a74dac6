//! Any history leads the backend and the reference store to the same place.

use std::sync::Arc;

use precedent_audit::certificate::verify_certificate;
use precedent_audit::chain::{Mode, verify};
use precedent_audit::key::TrustedKeys;
use precedent_core::{AuditSink, Committed, MemStore, StoreError, StoreErrorKind};

use crate::case::laws;
use crate::data::{AGENT, listed, scope, space};
use crate::history::{IDS, Step, histories, requests};
use crate::law::{assert_law, config};
use crate::sink::{ChainSink, fixed_keys, sealer};
use crate::store::{KEY, TestStore};
use crate::view::{StoreView, Viewer};
use crate::{Case, Harness};

pub(super) const CASES: &[Case] = laws!("differential":
    same_commits_give_the_same_head_hash,
    the_log_and_its_certificates_verify,
);

fn viewer() -> Viewer {
    Viewer {
        scopes: vec![
            scope("team", AGENT),
            scope("team/app", AGENT),
            scope("team/app/sub", "a2"),
            scope("team/app2", AGENT),
            listed(&["u1", "u2", "g1"]),
        ],
        texts: vec!["red fox", "cat owl", "deploying"],
        receipts: IDS,
    }
}

fn outcome(answer: Result<Committed, StoreError>) -> Result<Committed, StoreErrorKind> {
    answer.map_err(|error| error.kind)
}

/// Drives both stores, compares answer by answer and then all that can be seen, and returns it.
async fn compare(harness: &dyn Harness, history: &[Step], sink: Arc<dyn AuditSink>) -> StoreView {
    let store = TestStore::open(harness).await.with_sink(Arc::clone(&sink));
    let model = MemStore::new(Some(space()));
    let model = TestStore::over(Arc::new(model)).with_sink(sink);
    for (step, commit) in history.iter().zip(requests(history)) {
        let place = commit.header.id;
        let expected = outcome(model.send(commit.clone()).await);
        let answer = outcome(store.send(commit).await);
        assert_eq!(answer, expected, "{place}, {step:?} (left: actual)");
    }
    let expected = viewer().look(model.backend.as_ref()).await;
    let seen = viewer().look(store.backend.as_ref()).await;
    assert_eq!(seen.head, expected.head, "the head (left: actual)");
    assert_eq!(seen, expected, "what can be seen (left: actual)");
    seen
}

/// The same commits give the same answers and refusals, the same log to the byte, and the same
/// answers to every question, as the reference store gives.
fn same_commits_give_the_same_head_hash(harness: &dyn Harness) {
    assert_law(&config(48), &histories(), |history| {
        harness.block_on(Box::pin(async {
            compare(harness, &history, Arc::new(ChainSink::new(KEY))).await;
        }));
    });
}

/// Under the real sealer the logs are equal as well, and an auditor who has only the public key
/// finds the chain whole and every certificate signed.
fn the_log_and_its_certificates_verify(harness: &dyn Harness) {
    let trusted = TrustedKeys::new([fixed_keys().certificate.public()]);
    assert_law(&config(16), &histories(), |history| {
        harness.block_on(Box::pin(async {
            let sink = Arc::new(sealer(fixed_keys()));
            let seen = compare(harness, &history, sink).await;
            let report = verify(&seen.log, seen.head.as_ref(), Mode::Full);
            assert!(report.is_ok(), "{:?}", report.findings);
            for certificate in &seen.certificates {
                let verified = verify_certificate(&certificate.envelope, &trusted);
                assert!(verified.is_ok(), "{:?}", verified.err());
            }
        }));
    });
}
