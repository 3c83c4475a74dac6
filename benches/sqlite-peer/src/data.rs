//! Generated data: clustered unit vectors, and texts whose words are as unevenly frequent as those
//! of a language.

use precedent_core::vector::dot;

use crate::random::Random;

/// Distinct words.
const VOCABULARY: f64 = 50_000.0;
/// Memories of a cluster on average.
const CLUSTER: usize = 200;
const SEED: u64 = 20_250_801;

/// A question, in words and as a vector.
pub struct Question {
    /// The words, a space between two.
    pub text: String,
    /// A unit vector.
    pub vector: Vec<f32>,
}

/// Memories and questions.
pub struct Data {
    /// Components of a vector.
    pub dimension: usize,
    /// One text a memory, of 10 to 30 words.
    pub texts: Vec<String>,
    /// One unit vector a memory.
    pub vectors: Vec<Vec<f32>>,
    /// What is asked.
    pub questions: Vec<Question>,
}

impl Data {
    /// Makes `memories` memories and `questions` questions of 2 to 6 words.
    pub fn new(memories: usize, dimension: usize, questions: usize) -> Self {
        let mut random = Random::new(SEED);
        let centres: Vec<_> = (0..memories.div_ceil(CLUSTER))
            .map(|_| near(&[], dimension, &mut random))
            .collect();
        let texts = (0..memories).map(|_| text(10, 30, &mut random)).collect();
        let mut vector = || {
            let centre = &centres[random.below(centres.len())];
            near(centre, dimension, &mut random)
        };
        let vectors = (0..memories).map(|_| vector()).collect();
        let asked: Vec<_> = (0..questions).map(|_| vector()).collect();
        let question = |vector| Question {
            text: text(2, 6, &mut random),
            vector,
        };
        let questions = asked.into_iter().map(question).collect();
        Self {
            dimension,
            texts,
            vectors,
            questions,
        }
    }

    /// Returns the numbers of the `count` memories with the greatest cosine, by comparing all.
    pub fn nearest(&self, question: &Question, count: usize) -> Vec<usize> {
        let mut scored: Vec<(f32, usize)> = self
            .vectors
            .iter()
            .enumerate()
            .map(|(number, vector)| (dot(vector, &question.vector), number))
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.into_iter().take(count).map(|(_, n)| n).collect()
    }
}

/// Makes a unit vector whose cosine with `centre` is about 0.7; one anywhere without a centre.
#[expect(
    clippy::cast_possible_truncation,
    reason = "vectors are single precision"
)]
fn near(centre: &[f32], dimension: usize, random: &mut Random) -> Vec<f32> {
    // Each component of the noise has variance 1/dimension, so that the noise is as long as the
    // centre: the sum of twelve uniform numbers less six is close to normal.
    let scale = (dimension as f64).sqrt().recip();
    let mut vector: Vec<f32> = (0..dimension)
        .map(|_| ((0..12).map(|_| random.share()).sum::<f64>() - 6.0) * scale)
        .map(|noise| noise as f32)
        .collect();
    for (component, centre) in vector.iter_mut().zip(centre) {
        *component += centre;
    }
    let length = dot(&vector, &vector).sqrt();
    vector.iter_mut().for_each(|component| *component /= length);
    vector
}

fn text(least: usize, most: usize, random: &mut Random) -> String {
    let count = least + random.below(most - least + 1);
    let words: Vec<String> = (0..count).map(|_| word(random)).collect();
    words.join(" ")
}

/// Draws a word; the logarithm of its rank is uniform, which is close to Zipf's law.
fn word(random: &mut Random) -> String {
    const CONSONANTS: &[u8; 14] = b"bdfgklmnprstvz";
    const VOWELS: &[u8; 5] = b"aeiou";
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the rank lies in 1..=50,000"
    )]
    let rank = VOCABULARY.powf(random.share()) as usize;
    // A prime factor spreads neighbouring ranks over the 70^3 words of three syllables.
    let mut rest = rank * 48_271 % 343_000;
    let mut word = String::new();
    for _ in 0..3 {
        let syllable = rest % 70;
        word.push(char::from(CONSONANTS[syllable / 5]));
        word.push(char::from(VOWELS[syllable % 5]));
        rest /= 70;
    }
    word
}
