//! The built-in embedder.

use crate::{EmbedError, table, unit::unit, wordpiece};

/// Values in a vector of the built-in table.
pub const DIMENSION: usize = table::DIMENSION;

/// Identity of the built-in table's space: SHA-256 of [`SPACE_STATEMENT`]. Vectors compare
/// only within one space.
pub const FINGERPRINT: [u8; 32] = table::SPACE_DIGEST;

/// [`FINGERPRINT`] in lower-case hexadecimal.
pub const FINGERPRINT_HEX: &str = table::SPACE_HEX;

/// What the fingerprint covers, one property a line: weights, tokenizer, pooling, prefixes,
/// token limit, dimension and version of the text canonicalisation.
pub const SPACE_STATEMENT: &str = table::SPACE_STATEMENT;

/// Embeds text with the compiled-in table: the mean of its tokens' rows, each by its weight,
/// scaled to unit length.
///
/// Opening it does nothing; it holds nothing. The layout and the pooling are those of static
/// embeddings in the Model2Vec format; where the table comes from is in the crate's model
/// folder.
///
/// The same text gives the same bits on every platform: additions happen in token order and
/// no operation is left to a library's rounding.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticEmbedder(());

impl StaticEmbedder {
    /// Opens the embedder.
    pub const fn new() -> Self {
        Self(())
    }

    /// Embeds one text into [`DIMENSION`] values of unit length.
    ///
    /// There is no token limit: every token of a text counts, in one pass whose time grows
    /// with the text's length and whose memory is that of a word and a run of combining
    /// marks. The longer a text, the more its vector is that of the language at large;
    /// callers cut long records.
    ///
    /// # Errors
    ///
    /// [`EmbedError::NoKnownToken`] if no token of the text has a row, as with an empty text.
    pub fn embed_text(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut sum = [0.0; DIMENSION];
        wordpiece::for_each_token(text, &mut |id| table::add_row(id, &mut sum));
        unit(&sum).ok_or(EmbedError::NoKnownToken)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sha2::{Digest as _, Sha256};

    use super::*;

    /// A reference text with its tokens and vector; a text without tokens has zeros.
    #[derive(serde::Deserialize)]
    struct Golden {
        text: String,
        vector: Vec<f32>,
    }

    #[test]
    fn gives_the_golden_vectors() {
        let golden: Vec<Golden> =
            serde_json::from_str(include_str!("../model/golden.json")).unwrap();
        assert_eq!(golden.len(), 20);
        for Golden { text, vector } in golden {
            match StaticEmbedder::new().embed_text(&text) {
                // The file keeps six decimals.
                Ok(ours) => {
                    assert_eq!(ours.len(), vector.len());
                    for (ours, theirs) in ours.iter().zip(&vector) {
                        assert!((ours - theirs).abs() < 1e-6, "{text:?}: {ours} {theirs}");
                    }
                }
                Err(error) => {
                    assert_eq!(error, EmbedError::NoKnownToken);
                    assert!(vector.iter().all(|&value| value == 0.0), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn refuses_a_text_without_known_token() {
        for text in [
            "",
            " \n",
            "\u{0}",
            "\u{1f680}",
            "[UNK]",
            "[PAD] [SEP]",
            &"a".repeat(101),
        ] {
            assert_eq!(
                StaticEmbedder::new().embed_text(text),
                Err(EmbedError::NoKnownToken)
            );
        }
    }

    #[test]
    fn weighs_every_token_of_a_long_text() {
        let text = |words: usize| "deploy the service ".repeat(words / 3);
        let embedder = StaticEmbedder::new();
        let short = embedder.embed_text(&text(3)).unwrap();
        let long = embedder.embed_text(&text(10_000)).unwrap();
        for (short, long) in short.iter().zip(&long) {
            assert!((short - long).abs() < 1e-4);
        }
        let ends_elsewhere = embedder.embed_text(&(text(10_000) + &"bread ".repeat(3_000)));
        assert!(cosine(&long, &ends_elsewhere.unwrap()) < 0.9);
    }

    #[test]
    fn fingerprints_the_space() {
        let sha256 = |bytes: &[u8]| {
            Sha256::digest(bytes)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        let weights = sha256(include_bytes!("../model/model.safetensors"));
        let tokenizer = sha256(include_bytes!("../model/tokenizer.json"));
        assert!(SPACE_STATEMENT.contains(&format!("\nweights sha256 {weights}\n")));
        assert!(SPACE_STATEMENT.contains(&format!("\ntokenizer sha256 {tokenizer}\n")));
        assert_eq!(sha256(SPACE_STATEMENT.as_bytes()), FINGERPRINT_HEX);
        assert_eq!(Sha256::digest(SPACE_STATEMENT)[..], FINGERPRINT);
        // Pinned: stored vectors carry it, so it moves only when the space does.
        assert_eq!(
            FINGERPRINT_HEX,
            "738f318c12f6f1d75e9ced31dced98efd1cb907132e4f0c941fb410eaf2e6519"
        );
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    proptest! {
        #[test]
        fn is_a_finite_unit_vector_or_a_refusal(text in any::<String>()) {
            if let Ok(vector) = StaticEmbedder::new().embed_text(&text) {
                prop_assert_eq!(vector.len(), DIMENSION);
                prop_assert!(vector.iter().all(|value| value.is_finite()));
                prop_assert!((cosine(&vector, &vector) - 1.0).abs() < 1e-5);
            }
        }

        #[test]
        fn depends_on_nothing_but_the_words(words in prop::collection::vec("[a-zA-Z]{1,12}", 1..9)) {
            let embedder = StaticEmbedder::new();
            let text = words.join(" ");
            let spaced = format!("\t{}\n", words.join("  ")).to_uppercase();
            prop_assert_eq!(embedder.embed_text(&text), embedder.embed_text(&spaced));
            let backwards: Vec<_> = words.into_iter().rev().collect();
            let forth = embedder.embed_text(&text);
            let back = embedder.embed_text(&backwards.join(" "));
            match (forth, back) {
                (Ok(forth), Ok(back)) => prop_assert!(cosine(&forth, &back) > 0.9999),
                (forth, back) => prop_assert_eq!(forth, back),
            }
        }
    }
}
