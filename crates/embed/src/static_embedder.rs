//! The built-in embedder.

use async_trait::async_trait;
use precedent_core::{CleanText, Digest, EmbedError, EmbedKind, Embedder, EmbeddingSpace};

use crate::{table, unit::unit, wordpiece};

/// Values in a vector of the built-in table.
pub const DIMENSION: usize = table::DIMENSION;

/// Identity of the built-in table's space: SHA-256 of [`SPACE_STATEMENT`]. Vectors compare
/// only within one space.
pub const FINGERPRINT: Digest = Digest::from_bytes(table::SPACE_DIGEST);

/// What the fingerprint covers, one property a line: weights, tokenizer, pooling, prefixes,
/// token limit, dimension and version of the text canonicalisation.
pub const SPACE_STATEMENT: &str = table::SPACE_STATEMENT;

/// The model's name, for people.
const MODEL: &str = "static-128 (distilled from all-MiniLM-L6-v2)";

/// Cosine below which two texts have nothing to do with each other.
///
/// Measured on NL2Bash (Lin et al., 2018), 11,000 texts: of the relevant texts the table ranks
/// among the first ten, 0.3% of commands and no paraphrase lie below. A question from another
/// subject finds something above it among 100 texts 1 to 5 times in 100, among 1,000 texts 6 to
/// 15 times; a few random words, at most 2 times. Random letters break into pieces that
/// resemble commands, and pass more often.
pub const FLOOR: f32 = 0.4;

/// Embeds text with the compiled-in table: the mean of its tokens' rows, each by its weight,
/// scaled to unit length.
///
/// Opening it reads nothing. The layout and the pooling are those of static embeddings in the
/// Model2Vec format; where the table comes from is in the crate's model folder.
///
/// The same text gives the same bits on every platform: additions happen in token order and
/// no operation is left to a library's rounding.
#[derive(Clone, Debug)]
pub struct StaticEmbedder {
    space: EmbeddingSpace,
}

impl Default for StaticEmbedder {
    fn default() -> Self {
        Self::new()
    }
}

impl StaticEmbedder {
    /// Opens the embedder.
    pub fn new() -> Self {
        let space = EmbeddingSpace {
            fingerprint: FINGERPRINT,
            model: precedent_core::Redactor::new().clean(MODEL),
            dimension: DIMENSION,
            floor: FLOOR,
        };
        Self { space }
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

#[async_trait]
impl Embedder for StaticEmbedder {
    fn space(&self) -> &EmbeddingSpace {
        &self.space
    }

    /// Embeds each text on its own; documents and queries alike, since the table knows no
    /// prefixes. Never waits.
    async fn embed(
        &self,
        _kind: EmbedKind,
        texts: &[&CleanText],
    ) -> Vec<Result<Vec<f32>, EmbedError>> {
        texts
            .iter()
            .map(|text| self.embed_text(text.as_str()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;
    use precedent_core::{Redactor, vector::check_unit};
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
        assert_eq!(sha256(SPACE_STATEMENT.as_bytes()), FINGERPRINT.to_string());
        // Pinned: stored vectors carry it, so it moves only when the space does.
        assert_eq!(
            FINGERPRINT.to_string(),
            "738f318c12f6f1d75e9ced31dced98efd1cb907132e4f0c941fb410eaf2e6519"
        );
    }

    #[test]
    fn sets_the_floor_between_near_and_unrelated_texts() {
        let embedder = StaticEmbedder::new();
        let compare = |a, b| {
            cosine(
                &embedder.embed_text(a).unwrap(),
                &embedder.embed_text(b).unwrap(),
            )
        };
        assert!(compare("npm run deploy", "deploying with npm") > FLOOR);
        assert!(compare("force push is forbidden", "never git push --force to main") > FLOOR);
        assert!(compare("npm run deploy", "why do cats purr") < FLOOR);
        assert!(compare("purple monkey dishwasher", "the release is on Friday") < FLOOR);
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    proptest! {
        #[test]
        fn is_a_finite_unit_vector_or_a_refusal(text in any::<String>()) {
            if let Ok(vector) = StaticEmbedder::new().embed_text(&text) {
                prop_assert_eq!(check_unit(&vector, DIMENSION), Ok(()));
                prop_assert!(vector.iter().all(|value| value.is_finite()));
                prop_assert!((cosine(&vector, &vector) - 1.0).abs() < 1e-5);
            }
        }

        #[test]
        fn embeds_a_batch_as_one_by_one_in_any_order(
            texts in prop::collection::vec(any::<String>(), 0..6),
        ) {
            let embedder = StaticEmbedder::new();
            let redactor = Redactor::new();
            let clean: Vec<CleanText> = texts.iter().map(|text| redactor.clean(text)).collect();
            let alone: Vec<_> = clean.iter().map(|text| embedder.embed_text(text)).collect();
            let forth: Vec<_> = clean.iter().collect();
            let back: Vec<_> = clean.iter().rev().collect();
            prop_assert_eq!(&block_on(embedder.embed(EmbedKind::Document, &forth)), &alone);
            let mut backwards = block_on(embedder.embed(EmbedKind::Query, &back));
            backwards.reverse();
            prop_assert_eq!(&backwards, &alone);
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
