//! A test double: deterministic vectors from hashed character n-grams.

use async_trait::async_trait;
use precedent_core::{CleanText, Digest, EmbedError, EmbedKind, Embedder, EmbeddingSpace};

use crate::{hash::Fnv, unit::unit};

/// Begins the fingerprint; the dimension ends it. It is no digest, and looks like none.
const LABEL: &[u8; 24] = b"hashed trigrams, tests/1";

/// Cosine that two short texts reach when they share words, and seldom reach otherwise.
const FLOOR: f32 = 0.3;

/// Length of a gram, in characters.
const GRAM_CHARS: usize = 3;

/// Embeds text by hashing its character trigrams into buckets and counting (the hashing
/// trick of Weinberger et al., 2009, without its signs, so that no text cancels out).
///
/// Texts that share words come out near each other, which is all a test needs; beside a
/// lexical lane it adds nothing to recall.
#[derive(Clone, Debug)]
pub struct HashEmbedder {
    space: EmbeddingSpace,
}

impl HashEmbedder {
    /// Makes an embedder of the given dimension; zero is taken as one.
    pub fn new(dimension: usize) -> Self {
        let dimension = dimension.max(1);
        let mut fingerprint = [0; 32];
        let (label, size) = fingerprint.split_at_mut(LABEL.len());
        label.copy_from_slice(LABEL);
        size.copy_from_slice(&u64::try_from(dimension).unwrap_or(u64::MAX).to_be_bytes());
        let space = EmbeddingSpace {
            fingerprint: Digest::from_bytes(fingerprint),
            model: precedent_core::Redactor::new().clean("hashed trigrams (test double)"),
            dimension,
            floor: FLOOR,
        };
        Self { space }
    }

    /// Embeds one text into `dimension` values of unit length.
    ///
    /// # Errors
    ///
    /// [`EmbedError::NoKnownToken`] if the text has no letter or digit.
    pub fn embed_text(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut sum = vec![0.0; self.space.dimension];
        for word in text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
        {
            let framed: Vec<char> = format!("^{}$", word.to_lowercase()).chars().collect();
            for gram in framed.windows(GRAM_CHARS) {
                sum[self.bucket(gram)] += 1.0;
            }
        }
        unit(&sum).ok_or(EmbedError::NoKnownToken)
    }

    /// Picks a gram's bucket from its hash.
    fn bucket(&self, gram: &[char]) -> usize {
        let step = |hash: Fnv, c: &char| hash.feed(c.encode_utf8(&mut [0; 4]).as_bytes());
        let hash = gram.iter().fold(Fnv::default(), step).0;
        let hash = hash ^ (hash >> 32);
        let bucket = hash % u64::try_from(self.space.dimension).unwrap_or(u64::MAX);
        usize::try_from(bucket).unwrap_or(0)
    }
}

#[async_trait]
impl Embedder for HashEmbedder {
    fn space(&self) -> &EmbeddingSpace {
        &self.space
    }

    /// Embeds each text on its own; documents and queries alike. Never waits.
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
    use precedent_core::Redactor;

    use super::*;

    #[test]
    fn answers_each_text_of_a_batch_and_tells_dimensions_apart() {
        let redactor = Redactor::new();
        let texts = ["one", "", "two"].map(|text| redactor.clean(text));
        let embedder = HashEmbedder::new(16);
        let texts: Vec<_> = texts.iter().collect();
        let answers = block_on(embedder.embed(EmbedKind::Query, &texts));
        assert_eq!(answers[0], embedder.embed_text("one"));
        assert_eq!(answers[1], Err(EmbedError::NoKnownToken));
        assert_eq!(answers[2], embedder.embed_text("two"));
        assert_ne!(
            embedder.space().fingerprint,
            HashEmbedder::new(17).space().fingerprint
        );
    }

    fn cosine(a: &str, b: &str) -> f32 {
        let embedder = HashEmbedder::new(256);
        let (a, b) = (
            embedder.embed_text(a).unwrap(),
            embedder.embed_text(b).unwrap(),
        );
        a.iter().zip(&b).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn puts_shared_words_near_and_others_apart() {
        assert!((cosine("npm run deploy", "NPM run: deploy") - 1.0).abs() < 1e-5);
        assert!(cosine("npm run deploy", "npm run build") > cosine("npm run deploy", "eat food"));
        assert!(cosine("npm run deploy", "npm run build") > FLOOR);
        assert!(cosine("npm run deploy", "why do cats purr") < FLOOR);
    }

    #[test]
    fn has_the_dimension_asked_for_and_refuses_empty_text() {
        for dimension in [1, 7, 1024] {
            assert_eq!(
                HashEmbedder::new(dimension)
                    .embed_text("word")
                    .unwrap()
                    .len(),
                dimension
            );
        }
        assert_eq!(
            HashEmbedder::new(8).embed_text(" .. "),
            Err(EmbedError::NoKnownToken)
        );
    }
}
