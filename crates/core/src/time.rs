//! Instants: Unix milliseconds inside, RFC 3339 with milliseconds and `Z` in text.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// An instant in Unix milliseconds, UTC.
///
/// ```
/// use precedent_core::Timestamp;
/// let at: Timestamp = "2026-11-30T17:00:01+01:00".parse()?;
/// assert_eq!(at.to_string(), "2026-11-30T16:00:01.000Z");
/// assert!("2026-11-30T16:00:01".parse::<Timestamp>().is_err(), "a naive time is refused");
/// # Ok::<(), precedent_core::TimeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// Text or a number that is not an instant of the years 1 to 9999.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time with an offset; write it as 2026-11-30T16:00:01.000Z")]
pub struct TimeError;

/// 0001-01-01T00:00:00Z in Unix milliseconds.
const FIRST_MS: i64 = -62_135_596_800_000;
/// 9999-12-30T22:00:00.999Z in Unix milliseconds, the last instant every offset can show.
const LAST_MS: i64 = 253_402_207_200_999;

impl Timestamp {
    /// The Unix epoch.
    pub const EPOCH: Self = Self(0);

    /// Wraps Unix milliseconds.
    ///
    /// # Errors
    /// [`TimeError`] outside the years 1 to 9999.
    pub const fn from_millis(unix_ms: i64) -> Result<Self, TimeError> {
        if unix_ms < FIRST_MS || unix_ms > LAST_MS {
            Err(TimeError)
        } else {
            Ok(Self(unix_ms))
        }
    }

    /// Returns Unix milliseconds.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the instant `ms` milliseconds earlier, or the earliest there is.
    #[must_use]
    pub const fn minus_millis(self, ms: i64) -> Self {
        let shifted = self.0.saturating_sub(ms);
        Self(if shifted < FIRST_MS {
            FIRST_MS
        } else {
            shifted
        })
    }

    /// Returns the day, the English month name and the year, in UTC.
    pub fn day_month_year(self) -> (i8, &'static str, i16) {
        const MONTHS: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let date = self.zoned().date();
        let month = usize::from(date.month().unsigned_abs()).saturating_sub(1) % 12;
        (date.day(), MONTHS[month], date.year())
    }

    fn zoned(self) -> jiff::civil::DateTime {
        let instant = jiff::Timestamp::from_millisecond(self.0)
            .expect("the constructor admits only instants that jiff can hold");
        jiff::tz::Offset::UTC.to_datetime(instant)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.zoned();
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            at.year(),
            at.month(),
            at.day(),
            at.hour(),
            at.minute(),
            at.second(),
            at.millisecond()
        )
    }
}

impl FromStr for Timestamp {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let instant: jiff::Timestamp = text.parse().map_err(|_| TimeError)?;
        Self::from_millis(instant.as_millisecond())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_utc_with_milliseconds() {
        // 1764518401 s is 2025-11-30T16:00:01Z by `date -u -d @1764518401`.
        let at = Timestamp::from_millis(1_764_518_401_007).unwrap();
        assert_eq!(at.to_string(), "2025-11-30T16:00:01.007Z");
        assert_eq!(at.day_month_year(), (30, "November", 2025));
    }

    #[test]
    fn naive_and_impossible_times_are_refused() {
        for text in [
            "2026-11-30T16:00:01",
            "2026-11-30",
            "",
            "yesterday",
            "2026-13-01T00:00:00Z",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(TimeError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn text_round_trips(ms in FIRST_MS..=LAST_MS) {
            let at = Timestamp::from_millis(ms).unwrap();
            prop_assert_eq!(at.to_string().parse(), Ok(at));
        }
    }
}
