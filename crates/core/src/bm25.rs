//! BM25 as every backend scores it: k1 = 1.2, b = 0.75, the idf of Lucene's `BM25Similarity`
//! (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).

/// Saturation of the term frequency.
pub const K1: f64 = 1.2;
/// Weight of the document length.
pub const B: f64 = 0.75;

/// Counts of the documents that a reader sees; chunks count as documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// How many there are.
    pub documents: u64,
    /// The sum of their lengths, in terms.
    pub length: u64,
}

impl Collection {
    /// Adds another partition's counts.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            documents: self.documents + other.documents,
            length: self.length + other.length,
        }
    }

    /// Returns the weight of a term that occurs in `document_frequency` documents:
    /// ln(1 + (N - n + 0.5) / (n + 0.5)).
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    pub fn idf(&self, document_frequency: u64) -> f64 {
        let n = document_frequency as f64;
        let all = self.documents.max(document_frequency) as f64;
        (1.0 + (all - n + 0.5) / (n + 0.5)).ln()
    }

    /// Returns what a term adds to the score of a document of `length` terms in which it occurs
    /// `frequency` times.
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    pub fn score(&self, idf: f64, frequency: u32, length: u32) -> f64 {
        let average = self.length as f64 / self.documents.max(1) as f64;
        let tf = f64::from(frequency);
        let norm = K1 * (1.0 - B + B * f64::from(length) / average.max(1.0));
        idf * tf * (K1 + 1.0) / (tf + norm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_by_hand() {
        // Ten documents of 5 terms on average; the term occurs in two of them:
        // idf = ln(1 + 8.5 / 2.5) = ln 4.4; tf = 2, length = 10: norm = 1.2 * (0.25 + 1.5) = 2.1;
        // score = ln 4.4 * 2 * 2.2 / 4.1 = 1.481604540924... * 1.073170731707...
        let collection = Collection {
            documents: 10,
            length: 50,
        };
        let idf = collection.idf(2);
        assert!((idf - 1.481_604_540_924_215_4).abs() < 1e-12);
        assert!((collection.score(idf, 2, 10) - 1.590_014_629_284_523_7).abs() < 1e-9);
    }

    #[test]
    fn weights_stay_positive_when_every_document_has_the_term() {
        let collection = Collection {
            documents: 3,
            length: 9,
        };
        assert!(collection.idf(3) > 0.0);
        assert!(Collection::default().score(1.0, 1, 1).is_finite());
    }
}
