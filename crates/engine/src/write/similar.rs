//! Telling of stored memories that say almost the same as others.

use precedent_core::audit::{Op, Reason};
use precedent_core::fusion::Fusion;
use precedent_core::{Filter, Floor, Lane, Principal, QueryVector, RecallQuery};

use super::Candidate;
use super::draft::Draft;
use crate::Engine;

/// The cosine from which two texts say almost the same: that at which systems that consolidate
/// memories merge them.
const ALMOST_THE_SAME: f64 = 0.92;

impl Engine {
    /// Tells the log of the memory that says almost the same as the one just added, if there is
    /// one; what has a key is compared by that.
    pub(super) async fn report_similar(
        &self,
        draft: &mut Draft,
        candidate: &Candidate<'_>,
        by: &Principal,
    ) {
        let (Some(embedder), Some(values)) = (&self.embedder, &candidate.vector) else {
            return;
        };
        let added = draft.written(candidate.memory.id);
        let plain =
            added.filter(|it| it.claim.is_none() && it.supersedes.is_none() && !candidate.recorded);
        let Some(added) = plain else {
            return;
        };
        let (id, namespace) = (added.id, added.namespace.clone());
        let query = RecallQuery {
            scope: by.scope(),
            kinds: vec![added.kind],
            terms: Vec::new(),
            vector: Some(QueryVector {
                space: embedder.space().fingerprint,
                values: values.clone(),
            }),
            filter: Filter::default(),
            depth: 1,
            // The id and the score are enough.
            limit: 0,
            fusion: Fusion::MEASURED,
            floor: Floor::NONE,
        };
        let found = self.store.candidates(&query).await;
        let nearest = found
            .answers
            .iter()
            .filter(|answer| answer.lane == Lane::Vector)
            .filter_map(|answer| answer.result.as_ref().ok()?.first())
            .find(|nearest| nearest.raw >= ALMOST_THE_SAME);
        if let Some(nearest) = nearest {
            let of = [Some(id), Some(nearest.id)];
            draft.note(Op::NearDuplicate, Reason::NearDuplicate, &namespace, of);
        }
    }
}
