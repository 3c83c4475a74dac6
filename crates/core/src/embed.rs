//! Embedders: text in, unit vectors out, in a space that has an identity.

use async_trait::async_trait;
use precedent_redact::CleanText;
use serde::Serialize;

use crate::Digest;

/// The identity of an embedding space; vectors of different spaces are never compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EmbeddingSpace {
    /// SHA-256 over weights, tokenizer, pooling, prefixes, dimension and text canonicalisation.
    pub fingerprint: Digest,
    /// The model's name, for people; an address that serves it may carry a credential.
    pub model: CleanText,
    /// Components of a vector.
    pub dimension: usize,
    /// The cosine below which two texts of this space have nothing to do with each other.
    pub floor: f32,
}

/// Which side of a search a text is on; some models treat the two differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbedKind {
    /// What is searched.
    Document,
    /// What is searched for.
    Query,
}

/// Why a text has no vector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// No part of the text is known to the model; the text stays lexically recallable.
    #[error("the model knows no part of this text; it stays findable by its words")]
    NoKnownToken,
    /// The embedder cannot be reached or refuses.
    #[error("the embedder is unavailable; check its configuration and try again")]
    Unavailable,
    /// The embedder answered with something that is no unit vector of its space.
    #[error("the embedder returned a malformed vector; check the model that it serves")]
    Malformed,
}

/// Turns texts into vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Returns the space of the vectors.
    fn space(&self) -> &EmbeddingSpace;

    /// Tells whether texts leave this process to be embedded; then only what may travel is given to
    /// it.
    fn leaves_the_process(&self) -> bool {
        false
    }

    /// Embeds each text on its own: one answer for each, in order, each a finite unit vector of
    /// the space's dimension or the reason why there is none. Takes redacted text only, since it
    /// may leave the machine.
    async fn embed(
        &self,
        kind: EmbedKind,
        texts: &[&CleanText],
    ) -> Vec<Result<Vec<f32>, EmbedError>>;
}
