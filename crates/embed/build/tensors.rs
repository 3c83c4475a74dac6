//! Finds the two tensors in the safetensors file.
//!
//! Layout after the safetensors format description: a little-endian u64 header length, a JSON
//! header that gives each tensor's type, shape and byte range, then the data the ranges count
//! from.

use serde_json::Value;

use crate::{Failure, constant};

/// Where the weights and rows lie in the file, in bytes from its start.
pub(crate) struct Layout {
    /// Number of tokens.
    pub(crate) rows: usize,
    /// Values in a row.
    pub(crate) dimension: usize,
    weights: (usize, usize),
    embeddings: (usize, usize),
}

/// Reads the header and checks that the tensors are the ones the crate can add up.
pub(crate) fn layout(file: &[u8]) -> Result<Layout, Failure> {
    let (length, rest) = file
        .split_first_chunk::<8>()
        .ok_or("the weights file has no header")?;
    let length = usize::try_from(u64::from_le_bytes(*length))?;
    let header = rest
        .get(..length)
        .ok_or("the weights file ends inside its header")?;
    let header: Value = serde_json::from_slice(header)?;
    let start = 8 + length;
    let (weight_shape, weights) = tensor(&header, "weights", "F32", start)?;
    let (row_shape, embeddings) = tensor(&header, "embeddings", "I8", start)?;
    let &[rows, dimension] = row_shape.as_slice() else {
        return Err("the embeddings must be a matrix".into());
    };
    let fits = weight_shape == [rows]
        && weights.1 - weights.0 == rows * 4
        && embeddings.1 - embeddings.0 == rows * dimension
        && weights.1.max(embeddings.1) == file.len();
    if !fits {
        return Err("the weights file's shapes and byte ranges disagree".into());
    }
    Ok(Layout {
        rows,
        dimension,
        weights,
        embeddings,
    })
}

/// Reads one tensor's shape and its byte range in the file.
fn tensor(
    header: &Value,
    name: &str,
    kind: &str,
    start: usize,
) -> Result<(Vec<usize>, (usize, usize)), Failure> {
    let entry = &header[name];
    if entry["dtype"] != kind {
        return Err(format!("tensor {name} must be {kind}").into());
    }
    let shape: Vec<usize> = serde_json::from_value(entry["shape"].clone())?;
    let (from, to): (usize, usize) = serde_json::from_value(entry["data_offsets"].clone())?;
    if from > to {
        return Err(format!("tensor {name} ends before it begins").into());
    }
    Ok((shape, (start + from, start + to)))
}

impl Layout {
    /// Writes the constants the crate slices the file with.
    pub(crate) fn render(&self, to: &mut String) -> Result<(), Failure> {
        let range = |(from, end): (usize, usize)| format!("({from}, {end})");
        constant(
            to,
            "Values in a row.",
            "DIMENSION",
            "usize",
            &self.dimension.to_string(),
        )?;
        let pair = "(usize, usize)";
        constant(
            to,
            "Byte range of the weights.",
            "WEIGHT_BYTES",
            pair,
            &range(self.weights),
        )?;
        constant(
            to,
            "Byte range of the rows.",
            "ROW_BYTES",
            pair,
            &range(self.embeddings),
        )
    }
}
