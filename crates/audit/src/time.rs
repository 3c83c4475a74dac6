//! The one spelling of time that the log admits: `YYYY-MM-DDThh:mm:ss.mmmZ`.

use precedent_core::Timestamp;

/// Parses an RFC 3339 UTC time with exactly three fractional digits and `Z`.
///
/// Every other spelling of an instant is refused, leap seconds included: writing the instant again
/// must give the text back.
pub fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let at: Timestamp = text.parse().ok()?;
    (at.to_string() == text).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_three_digits_and_z_only() {
        for text in ["2026-11-30T16:00:00.000Z", "2024-02-29T23:59:59.999Z"] {
            assert!(parse_timestamp(text).is_some(), "{text}");
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
            assert!(parse_timestamp(text).is_none(), "{text}");
        }
    }
}
