//! What a language model is asked on the write path; the engine knows no provider.

use async_trait::async_trait;
use precedent_core::CleanText;

use crate::Extracted;

/// A model that could not be asked, or whose answer makes no sense; it says nothing of content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReasonError {
    /// It cannot be reached, refuses, or took too long.
    #[error("the language model is unavailable; try again, or write in the verbatim lane")]
    Unavailable,
    /// Its answer is not what was asked for.
    #[error("the language model answered with something else than was asked for; check the model")]
    Malformed,
}

/// Answers the questions of the write path. All texts are redacted, since they may leave the
/// machine.
#[async_trait]
pub trait Reasoner: Send + Sync {
    /// Takes content apart into facts, `max_facts` at most.
    ///
    /// # Errors
    /// [`ReasonError`]; the caller stores nothing then.
    async fn extract(
        &self,
        content: &CleanText,
        max_facts: usize,
    ) -> Result<Vec<Extracted>, ReasonError>;

    /// Tells of each fact whether the content says so, in one call; what it does not answer is
    /// none.
    ///
    /// # Errors
    /// [`ReasonError`]; the caller stores nothing then.
    async fn verify(
        &self,
        content: &CleanText,
        facts: &[&CleanText],
    ) -> Result<Vec<Option<bool>>, ReasonError>;

    /// Tells which of the known names a mention in a text means, if any.
    ///
    /// # Errors
    /// [`ReasonError`]; the candidate alone is rejected then.
    async fn same_entity(
        &self,
        mention: &CleanText,
        text: &CleanText,
        known: &[CleanText],
    ) -> Result<Option<usize>, ReasonError>;
}
