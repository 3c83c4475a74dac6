//! How long to wait before a repetition.

use std::time::Duration;

use jiff::fmt::rfc2822;
use precedent_core::Timestamp;

use super::settings::Retries;

/// Returns the pause after the `failed`-th failure of a question, counted from 1.
pub(crate) fn pause(retries: &Retries, failed: u32, random: u32) -> Duration {
    let doublings = failed.saturating_sub(1).min(31);
    let whole = retries
        .first_pause
        .saturating_mul(1 << doublings)
        .min(retries.max_pause);
    let half = whole / 2;
    half + half.mul_f64(f64::from(random) / f64::from(u32::MAX))
}

/// Returns the pause that a provider asks for: seconds or a date (`Retry-After`, RFC 9110, 10.2.3),
/// or milliseconds (`retry-after-ms`, which OpenAI's and Azure's clients read first).
pub(crate) fn asked_for(
    seconds: Option<&str>,
    millis: Option<&str>,
    now: Timestamp,
) -> Option<Duration> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    if let Some(millis) = millis.and_then(number) {
        return Some(Duration::from_millis(millis));
    }
    let text = seconds?;
    if let Some(seconds) = number(text) {
        return Some(Duration::from_secs(seconds));
    }
    // A date that is over asks for no pause.
    let date = rfc2822::parse(text.trim()).ok()?.timestamp();
    let wait = date.as_millisecond().saturating_sub(now.as_millis());
    Some(Duration::from_millis(u64::try_from(wait).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRIES: Retries = Retries {
        max_attempts: 9,
        first_pause: Duration::from_millis(100),
        max_pause: Duration::from_millis(1_000),
        max_retry_after: Duration::from_secs(1),
    };

    #[test]
    fn pauses_double_up_to_the_longest() {
        let millis = |failed, random| pause(&RETRIES, failed, random).as_millis();
        let shortest: Vec<u128> = (1..=6).map(|failed| millis(failed, 0)).collect();
        assert_eq!(shortest, [50, 100, 200, 400, 500, 500]);
        let longest: Vec<u128> = (1..=6).map(|failed| millis(failed, u32::MAX)).collect();
        assert_eq!(longest, [100, 200, 400, 800, 1_000, 1_000]);
        assert_eq!(millis(u32::MAX, u32::MAX), 1_000);
        assert_eq!(millis(1, u32::MAX / 2), 75);
    }

    #[test]
    fn a_provider_asks_in_seconds_milliseconds_or_by_date() {
        let now: Timestamp = "1994-11-06T08:49:30Z".parse().expect("a time");
        let asked = |seconds, millis| asked_for(seconds, millis, now).map(|wait| wait.as_millis());
        assert_eq!(asked(None, None), None);
        assert_eq!(asked(Some("2"), None), Some(2_000));
        assert_eq!(asked(Some(" 0 "), None), Some(0));
        assert_eq!(asked(Some("2"), Some("1500")), Some(1_500));
        assert_eq!(asked(Some("2"), Some("soon")), Some(2_000));
        // The date of RFC 9110, 5.6.7.
        let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(asked(date, None), Some(7_000));
        let past = Some("Sun, 06 Nov 1994 08:49:00 GMT");
        assert_eq!(asked(past, None), Some(0));
        for odd in ["-1", "1e9", "soon", "", "99999999999999999999999"] {
            assert_eq!(asked(Some(odd), None), None, "{odd}");
        }
        assert!(asked(Some("18446744073709551615"), None).is_some());
    }
}
