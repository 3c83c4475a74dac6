//! Measures of how random a string looks.

/// Counts what a string is made of.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Makeup {
    pub(crate) lower: usize,
    pub(crate) upper: usize,
    pub(crate) digits: usize,
    pub(crate) symbols: usize,
}

impl Makeup {
    pub(crate) fn of(text: &str) -> Self {
        let mut makeup = Self::default();
        for b in text.bytes() {
            match b {
                b'a'..=b'z' => makeup.lower += 1,
                b'A'..=b'Z' => makeup.upper += 1,
                b'0'..=b'9' => makeup.digits += 1,
                _ => makeup.symbols += 1,
            }
        }
        makeup
    }

    pub(crate) fn letters(&self) -> usize {
        self.lower + self.upper
    }
}

/// Returns the Shannon entropy of the bytes in bits per byte (Shannon 1948, section 6).
pub(crate) fn shannon(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    for b in text.bytes() {
        counts[usize::from(b)] += 1;
    }
    let total = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum()
}

/// Tells whether the text is hexadecimal digits only.
pub(crate) fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Tells whether the text is a UUID in its 8-4-4-4-12 form (RFC 9562, section 4).
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

/// Counts the changes between letters, digits and case inside the text: random text has many,
/// an identifier few.
pub(crate) fn transitions(text: &str) -> usize {
    let kind = |b: u8| match b {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    text.as_bytes()
        .windows(2)
        .filter(|pair| kind(pair[0]) != kind(pair[1]))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shannon_matches_known_values() {
        assert!((shannon("aaaa") - 0.0).abs() < 1e-12);
        assert!((shannon("abcd") - 2.0).abs() < 1e-12);
        assert!((shannon("aabb") - 1.0).abs() < 1e-12);
    }

    #[test]
    fn uuid_form_is_exact() {
        assert!(is_uuid("b52c34e1-d76c-4d01-9776-06b54bc3feb5"));
        assert!(!is_uuid("b52c34e1-d76c-4d01-9776-06b54bc3feb"));
        assert!(!is_uuid("b52c34e1d76c-4d01-9776-06b54bc3feb5a"));
    }
}
