//! The compiled-in model: constants of the build, and the rows where the loader mapped them.

include!(concat!(env!("OUT_DIR"), "/generated.rs"));

/// The weights file as it is in the model folder.
static FILE: &[u8] = include_bytes!("../model/model.safetensors");

/// One little-endian f32 a token.
static WEIGHTS: &[[u8; 4]] = part(FILE, WEIGHT_BYTES).as_chunks().0;

/// One row of signed bytes a token.
static ROWS: &[[u8; DIMENSION]] = part(FILE, ROW_BYTES).as_chunks().0;

/// Cuts a byte range out of the file, when the crate is compiled.
const fn part(file: &'static [u8], (from, to): (usize, usize)) -> &'static [u8] {
    file.split_at(to).0.split_at(from).1
}

/// Adds a token's weighted row to the sum; an id without a row adds nothing.
pub(crate) fn add_row(id: u16, sum: &mut [f32; DIMENSION]) {
    let id = usize::from(id);
    let (Some(weight), Some(row)) = (WEIGHTS.get(id), ROWS.get(id)) else {
        return;
    };
    let weight = f32::from_le_bytes(*weight);
    for (total, value) in sum.iter_mut().zip(row) {
        *total += weight * f32::from(value.cast_signed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_a_row_and_a_finite_positive_weight_for_each_token() {
        assert_eq!(
            (WEIGHTS.len(), ROWS.len(), DIMENSION),
            (30_522, 30_522, 128)
        );
        let weights = WEIGHTS.iter().map(|weight| f32::from_le_bytes(*weight));
        assert!(
            weights
                .into_iter()
                .all(|weight| weight > 0.0 && weight <= 1.0)
        );
    }

    #[test]
    fn leaves_only_reserved_tokens_without_a_direction() {
        let blank = ROWS
            .iter()
            .filter(|row| row.iter().all(|&value| value == 0))
            .count();
        // The five special tokens and the 994 the vocabulary calls unused.
        assert_eq!(blank, 999);
        for (_, id) in SPECIALS {
            let mut sum = [0.0; DIMENSION];
            add_row(*id, &mut sum);
            assert_eq!(sum, [0.0; DIMENSION]);
        }
    }

    #[test]
    fn ignores_an_id_beyond_the_table() {
        let mut sum = [0.0; DIMENSION];
        add_row(u16::MAX, &mut sum);
        assert_eq!(sum, [0.0; DIMENSION]);
    }
}
