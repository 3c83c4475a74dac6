//! What a backend says of itself is what it does, and what it lacks it refuses plainly.

use std::sync::Arc;

use precedent_core::audit::{Op, Stage};
use precedent_core::{
    CertificateQuery, DurabilityLevel, ErasureScope, Maintain, MaintainTask, MemoryId, Retry,
    StoreErrorKind, vector,
};

use crate::case::stories;
use crate::data::{
    DIMENSION, HOME, axis, certificate_id, erase, home, memory, memory_id, put, put_with,
};
use crate::store::{TestStore, assert_refused, ids};
use crate::view::Viewer;
use crate::{Case, Harness, Need};

pub(super) const CASES: &[Case] = stories!("capability":
    durability_is_what_the_harness_shows,
    commits_are_as_large_as_promised,
    vectors_are_as_exact_as_promised,
    purging_reaches_as_far_as_promised,
);

/// A store that forgets on closing says so, and one that says otherwise can be reopened.
async fn durability_is_what_the_harness_shows(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let durability = store.backend.capabilities().durability;
    let forgets = harness.lacks(Need::Reopen).is_some();
    assert_eq!(
        durability == DurabilityLevel::Memory,
        forgets,
        "{durability:?}"
    );
}

/// Without a limit a commit of a thousand changes is one commit; with one, a commit beyond it is
/// refused whole and for good, and one at the limit is not.
async fn commits_are_as_large_as_promised(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let puts = |range: std::ops::Range<u64>| range.map(|n| put(memory(n, "red"))).collect();
    let limit = match store.backend.capabilities().max_changes_per_commit {
        None => 1000,
        Some(limit) => {
            let beyond = puts(0..u64::from(limit) + 1);
            let refused = store.try_commit(Vec::new(), beyond).await;
            let advice = refused.map_err(|error| error.retry).err();
            assert_eq!(advice, Some(Retry::Never));
            assert_eq!(store.memories(&home()).await, []);
            u64::from(limit)
        }
    };
    let done = store.commit(puts(0..limit)).await;
    assert_eq!(done.facts.len() as u64, limit);
    assert_eq!(store.memories(&home()).await.len() as u64, limit);
}

/// Unit vectors in all directions, alike on every run: components from the multiplicative
/// generator of Lehmer with the constants of Park and Miller ("minimal standard", CACM 1988).
fn directions(count: usize) -> Vec<Vec<f32>> {
    let mut state: u32 = 1;
    let mut next = || {
        let product = u64::from(state) * 48_271 % 2_147_483_647;
        state = u32::try_from(product).expect("the modulus is below 2^31");
        f64::from(state) / 2_147_483_647.0 - 0.5
    };
    let mut direction = || {
        let raw: Vec<f64> = (0..DIMENSION).map(|_| next()).collect();
        let length = raw.iter().map(|x| x * x).sum::<f64>().sqrt();
        raw.iter().map(|x| narrow(x / length)).collect()
    };
    (0..count).map(|_| direction()).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a component of a unit vector is at most 1"
)]
fn narrow(component: f64) -> f32 {
    component as f32
}

/// Where vectors are exact, the lane returns the nearest of several hundred in order; cosines are
/// exact either way.
async fn vectors_are_as_exact_as_promised(harness: &dyn Harness) {
    let store = TestStore::open(harness).await;
    let vectors = directions(600);
    let numbered: Vec<(MemoryId, &Vec<f32>)> = (1..).map(memory_id).zip(&vectors).collect();
    let changes = (1..)
        .zip(&vectors)
        .map(|(n, vector)| put_with(memory(n, "red"), Some(vector.clone())));
    store.commit(changes.collect()).await;
    for asked in [axis(0), vectors[7].clone(), vectors[300].clone()] {
        let mut nearest: Vec<(MemoryId, f64)> = numbered
            .iter()
            .map(|(id, vector)| (*id, f64::from(vector::dot(vector, &asked))))
            .collect();
        nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let found = store.by_vector(&home(), asked).await;
        assert!(found.is_sorted_by(|a, b| a.1 > b.1 || (a.1 == b.1 && a.0 < b.0)));
        for hit in &found {
            assert!(nearest.contains(hit), "{hit:?} is no cosine of that memory");
        }
        if store.backend.capabilities().exact_vectors {
            nearest.truncate(found.len());
            assert_eq!((found.len(), ids(&found)), (50, ids(&nearest)));
        }
    }
}

async fn purge(
    store: &TestStore,
    certificate: u64,
) -> Result<precedent_core::MaintainReport, precedent_core::StoreError> {
    let request = Maintain {
        task: MaintainTask::Purge,
        header: store.header(),
        certificate: certificate_id(certificate),
    };
    let sink = Arc::clone(&store.sink);
    store.backend.maintain(request, sink).await
}

/// Where files can be cleaned, purging signs the second stage of each certificate once and
/// changes no answer; where not, it is refused and nothing happens.
async fn purging_reaches_as_far_as_promised(harness: &dyn Harness) {
    let viewer = Viewer {
        scopes: vec![home()],
        texts: vec!["red fox"],
        receipts: 0,
    };
    let store = TestStore::open(harness).await;
    let fox = |n| put_with(memory(n, "red fox"), Some(axis(0)));
    store.commit((1..=4).map(fox).collect()).await;
    store.commit(vec![erase(1, HOME, &[memory_id(1)])]).await;
    store.commit(vec![erase(2, HOME, &[memory_id(2)])]).await;
    let before = viewer.look(store.backend.as_ref()).await;
    if store.backend.capabilities().erasure == ErasureScope::Logical {
        assert_refused(purge(&store, 50).await, StoreErrorKind::Unsupported);
        assert_eq!(viewer.look(store.backend.as_ref()).await, before);
        return;
    }
    let report = purge(&store, 50).await.expect("files can be cleaned");
    assert!(
        !report.pending && report.steps.iter().all(|step| step.ok),
        "{report:?}"
    );
    assert_eq!(report.certificates, [50, 51].map(certificate_id));
    let after = viewer.look(store.backend.as_ref()).await;
    assert_eq!(
        (&after.scopes, &after.kinds),
        (&before.scopes, &before.kinds)
    );
    let told: Vec<Op> = after.log[before.log.len()..].iter().map(|e| e.op).collect();
    assert_eq!(told, [Op::ForgetSanitised; 2]);
    let of_memory = CertificateQuery::Memory(memory_id(1));
    let stages = store.backend.certificates(&of_memory).await;
    let stages: Vec<Stage> = stages
        .expect("certificates")
        .iter()
        .map(|c| c.stage)
        .collect();
    assert_eq!(stages, [Stage::Logical, Stage::Sanitised]);
    let status = store.backend.status().await.expect("the status");
    assert_eq!(status.pending_sanitisation, 0);
    let again = purge(&store, 60).await.expect("nothing is left to clean");
    assert_eq!(again.certificates, []);
}
