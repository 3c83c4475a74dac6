//! Why a text has no vector.

/// Why an embedder returned no vector. No variant carries the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The text is empty or holds only tokens the table has no row for.
    #[error("no token of the text is in the table; keep it for lexical recall only")]
    NoKnownToken,
}
