//! The one spelling of time that the log admits: `YYYY-MM-DDThh:mm:ss.mmmZ`.

/// Tells whether `text` is an RFC 3339 UTC time with exactly three fractional digits and `Z`.
///
/// Leap seconds are refused: Unix milliseconds cannot carry them. Two such texts compare as
/// strings the way their instants compare.
pub fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    const SHAPE: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
    let shaped = bytes.len() == SHAPE.len()
        && bytes.iter().zip(SHAPE).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            _ => byte == shape,
        });
    if !shaped {
        return false;
    }
    let number = |from: usize, to: usize| {
        bytes[from..to]
            .iter()
            .fold(0_u32, |sum, digit| sum * 10 + u32::from(digit - b'0'))
    };
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    (1..=days_in_month(year, month)).contains(&day)
        && number(11, 13) < 24
        && number(14, 16) < 60
        && number(17, 19) < 60
}

/// Days of a month in the Gregorian calendar; 0 for a month that does not exist.
fn days_in_month(year: u32, month: u32) -> u32 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_three_digits_and_z_only() {
        for text in ["2026-11-30T16:00:00.000Z", "2024-02-29T23:59:59.999Z"] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "2026-11-30T16:00:00Z",
            "2026-11-30T16:00:00.00Z",
            "2026-11-30T16:00:00.000000Z",
            "2026-11-30T16:00:00.000+00:00",
            "2026-11-30T16:00:00.000",
            "2026-11-30t16:00:00.000Z",
            "2026-11-30 16:00:00.000Z",
            "2016-12-31T23:59:60.000Z",
            "2023-02-29T00:00:00.000Z",
            "1900-02-29T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "2026-00-01T00:00:00.000Z",
            "2026-01-00T00:00:00.000Z",
            "2026-01-01T24:00:00.000Z",
            "2026-01-01T00:60:00.000Z",
            "2026-01-01T00:00:00.00٠Z",
            "",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
