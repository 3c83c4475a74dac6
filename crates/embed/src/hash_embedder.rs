//! A test double: deterministic vectors from hashed character n-grams.

use crate::{EmbedError, hash::Fnv, unit::unit};

/// Length of a gram, in characters.
const GRAM_CHARS: usize = 3;

/// Embeds text by hashing its character trigrams into buckets and counting (the hashing
/// trick of Weinberger et al., 2009, without its signs, so that no text cancels out).
///
/// Texts that share words come out near each other, which is all a test needs; beside a
/// lexical lane it adds nothing to recall.
#[derive(Clone, Copy, Debug)]
pub struct HashEmbedder {
    dimension: usize,
}

impl HashEmbedder {
    /// Makes an embedder of the given dimension; zero is taken as one.
    pub fn new(dimension: usize) -> Self {
        Self {
            dimension: dimension.max(1),
        }
    }

    /// Embeds one text into `dimension` values of unit length.
    ///
    /// # Errors
    ///
    /// [`EmbedError::NoKnownToken`] if the text has no letter or digit.
    pub fn embed_text(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut sum = vec![0.0; self.dimension];
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
        let bucket = hash % u64::try_from(self.dimension).unwrap_or(u64::MAX);
        usize::try_from(bucket).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
