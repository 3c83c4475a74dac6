//! Computes the identity of the embedding space.
//!
//! Two vectors may be compared only if everything that shaped them is equal, so the identity
//! is a digest over all of it: weights, tokenizer, pooling, prefixes, dimension and the
//! version of the text canonicalisation.

use sha2::{Digest, Sha256};

use crate::{Failure, constant};

/// Version of what happens to a text before the vocabulary sees it. Raise it with any change
/// to the normaliser or the character classes that moves a token.
const CANONICALISATION: &str = "bert-uncased/1";

/// Writes the digest and what it was computed from.
pub(crate) fn render(
    to: &mut String,
    weights: &[u8],
    tokenizer: &[u8],
    dimension: usize,
) -> Result<(), Failure> {
    let statement = [
        "precedent embedding space 1".to_owned(),
        format!("weights sha256 {}", hex(&Sha256::digest(weights))),
        format!("tokenizer sha256 {}", hex(&Sha256::digest(tokenizer))),
        "pooling weighted-mean l2".to_owned(),
        "query-prefix ".to_owned(),
        "document-prefix ".to_owned(),
        "max-tokens unlimited".to_owned(),
        format!("dimension {dimension}"),
        format!("canonicalisation {CANONICALISATION}"),
    ];
    let statement = statement.map(|line| line + "\n").concat();
    let digest = Sha256::digest(statement.as_bytes());
    let bytes = format!("{:?}", digest.as_slice());
    constant(
        to,
        "The space's digest.",
        "SPACE_DIGEST",
        "[u8; 32]",
        &bytes,
    )?;
    constant(
        to,
        "What the digest covers.",
        "SPACE_STATEMENT",
        "&str",
        &format!("{statement:?}"),
    )
}

/// Renders bytes as lower-case hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
