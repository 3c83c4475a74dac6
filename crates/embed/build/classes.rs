//! Turns the character class file into sorted range tables.

use crate::{Failure, constant};

/// Writes one table a class.
pub(crate) fn render(to: &mut String, file: &str) -> Result<(), Failure> {
    for (class, name) in [
        ("control", "CONTROL"),
        ("mark", "MARK"),
        ("punctuation", "PUNCTUATION"),
    ] {
        let ranges = format!("&{:?}", ranges(file, class)?);
        constant(
            to,
            "Inclusive ranges, ascending.",
            name,
            "&[(u32, u32)]",
            &ranges,
        )?;
    }
    Ok(())
}

/// Reads the ranges of one class and checks that a binary search can rely on them.
fn ranges(file: &str, class: &str) -> Result<Vec<(u32, u32)>, Failure> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(' ');
        if fields.next() != Some(class) {
            continue;
        }
        let (Some(from), Some(to), None) = (fields.next(), fields.next(), fields.next()) else {
            return Err(format!("not a character range: {line}").into());
        };
        let range = (u32::from_str_radix(from, 16)?, u32::from_str_radix(to, 16)?);
        if range.0 > range.1 || ranges.last().is_some_and(|last| last.1 >= range.0) {
            return Err(format!("character ranges must ascend: {line}").into());
        }
        ranges.push(range);
    }
    if ranges.is_empty() {
        return Err(format!("no character ranges for {class}").into());
    }
    Ok(ranges)
}
