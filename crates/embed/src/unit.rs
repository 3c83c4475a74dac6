//! Scaling to unit length.

use precedent_core::vector::dot;

/// Scales the sum to unit length (L2); a sum without direction has none.
pub(crate) fn unit(sum: &[f32]) -> Option<Vec<f32>> {
    let norm = dot(sum, sum).sqrt();
    norm.is_normal()
        .then(|| sum.iter().map(|value| value / norm).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_or_refuses() {
        assert_eq!(unit(&[3.0, 0.0, 4.0]), Some(vec![0.6, 0.0, 0.8]));
        assert_eq!(unit(&[0.0, 0.0]), None);
        assert_eq!(unit(&[f32::NAN, 1.0]), None);
        assert_eq!(unit(&[f32::MAX, f32::MAX]), None);
    }
}
