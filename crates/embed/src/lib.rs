//! Text embedders for Precedent.
//!
//! [`StaticEmbedder`] is the default: a table of 30,522 WordPiece tokens by 128 dimensions,
//! compiled into the crate. It needs no download, no runtime and no start-up work: vocabulary,
//! weights and rows are read where the loader mapped them.
//!
//! ```
//! use precedent_embed::StaticEmbedder;
//!
//! let embedder = StaticEmbedder::new();
//! let deploy = embedder.embed_text("npm run deploy")?;
//! let release = embedder.embed_text("deploying with npm")?;
//! let food = embedder.embed_text("a man is eating bread")?;
//! let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
//! assert!(cosine(&deploy, &release) > cosine(&deploy, &food));
//! # Ok::<(), precedent_core::EmbedError>(())
//! ```
//!
//! The table knows English. A text of which it knows nothing has no vector, and the answer is
//! [`EmbedError::NoKnownToken`](precedent_core::EmbedError::NoKnownToken) rather than zeros.
//! The crate's embedders implement [`Embedder`](precedent_core::Embedder).
//!
//! Under the feature `testkit` there is `HashEmbedder`, a deterministic test double that
//! adds nothing to recall.

mod hash;
#[cfg(feature = "testkit")]
mod hash_embedder;
mod static_embedder;
mod table;
mod unit;
mod vocabulary;
mod wordpiece;

#[cfg(feature = "testkit")]
pub use hash_embedder::HashEmbedder;
pub use static_embedder::{DIMENSION, FINGERPRINT, FLOOR, SPACE_STATEMENT, StaticEmbedder};
