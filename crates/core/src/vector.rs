//! Vector arithmetic that gives the same bits on every backend.

use crate::EmbedError;

/// How far a unit vector's length may be from one.
const UNIT_TOLERANCE: f32 = 1e-3;
/// Independent sums, so that the compiler may use vector registers without changing the order of
/// additions.
const SUMS: usize = 16;

/// Returns the dot product; of unit vectors, their cosine. Components beyond the shorter vector
/// are ignored.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; SUMS];
    let (a_blocks, a_rest) = a.as_chunks::<SUMS>();
    let (b_blocks, b_rest) = b.as_chunks::<SUMS>();
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..SUMS {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f32>() + rest
}

/// Checks that `vector` is a finite unit vector of `dimension` components.
///
/// # Errors
/// [`EmbedError::Malformed`] otherwise.
pub fn check_unit(vector: &[f32], dimension: usize) -> Result<(), EmbedError> {
    let length = dot(vector, vector).sqrt();
    if vector.len() == dimension && (length - 1.0).abs() <= UNIT_TOLERANCE {
        Ok(())
    } else {
        Err(EmbedError::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_products_by_hand() {
        let a: Vec<f32> = (1..=17u8).map(f32::from).collect();
        let ones = vec![1.0; 17];
        assert_eq!(dot(&a, &ones), 153.0);
        assert_eq!(dot(&[], &[]), 0.0);
    }

    #[test]
    fn only_finite_unit_vectors_of_the_right_length_pass() {
        assert_eq!(check_unit(&[0.6, 0.8], 2), Ok(()));
        for bad in [
            &[0.0, 0.0][..],
            &[f32::NAN, 1.0],
            &[1.0],
            &[f32::INFINITY, 0.0],
            &[0.6, 0.9],
        ] {
            assert_eq!(check_unit(bad, 2), Err(EmbedError::Malformed), "{bad:?}");
        }
    }
}
