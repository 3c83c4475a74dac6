//! The default clock and id source: the system's time and randomness.

use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use precedent_core::{Clock, IdSource, Timestamp};

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the one clock that reads the system's"
        )]
        let elapsed = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let millis = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
        Timestamp::from_millis(millis).unwrap_or(Timestamp::EPOCH)
    }
}

/// Makes ULIDs (github.com/ulid/spec): 48 bits of time, 80 bits of randomness, monotonic within
/// the source.
#[derive(Debug, Default)]
pub struct UlidSource {
    last: Mutex<Option<u128>>,
}

/// Bits of a ULID that are random.
const RANDOM_BITS: u32 = 80;

impl IdSource for UlidSource {
    fn next(&self, now: Timestamp) -> [u8; 16] {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let millis = u128::from(now.as_millis().max(0).unsigned_abs());
        let fresh = (millis << RANDOM_BITS) | random_80();
        // Ids of one source never go back, even when the clock does.
        let next = match *last {
            Some(last) if last >> RANDOM_BITS >= millis => last + 1,
            _ => fresh,
        };
        *last = Some(next);
        next.to_be_bytes()
    }
}

fn random_80() -> u128 {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes[6..]).expect("the system has a source of randomness");
    u128::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_carry_the_time_and_never_go_back() {
        let source = UlidSource::default();
        let at = |ms| Timestamp::from_millis(ms).unwrap();
        let first = source.next(at(1_700_000_000_000));
        let same_instant = source.next(at(1_700_000_000_000));
        let clock_back = source.next(at(1_600_000_000_000));
        let later = source.next(at(1_700_000_000_001));
        assert!(first < same_instant && same_instant < clock_back && clock_back < later);
        assert_eq!(first[..6], 1_700_000_000_000u64.to_be_bytes()[2..]);
    }
}
