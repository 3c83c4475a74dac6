//! Leaves a provider alone that fails again and again (Michael Nygard, "Release It!", 2007:
//! "Circuit Breaker").
//!
//! Closed, every request goes out. After a number of failures in a row it opens: for a pause, none
//! does. Then a single one goes out, and whether it fails decides between the two.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use precedent_core::{Clock, Timestamp};

use super::settings::BreakerSettings;

pub(crate) struct Breaker {
    settings: BreakerSettings,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Closed { failures: u32 },
    Open { since: Timestamp },
    Probing,
}

/// A request that may go out. Dropped without a word it was given up and says nothing of the
/// provider; after a probe that was given up the next request is one.
#[must_use = "a request that goes out has an outcome"]
pub(crate) struct Permit<'a> {
    breaker: &'a Breaker,
    probe: bool,
    told: bool,
}

impl Breaker {
    pub(crate) fn new(settings: BreakerSettings, clock: Arc<dyn Clock>) -> Self {
        Self {
            settings,
            clock,
            state: Mutex::new(State::Closed { failures: 0 }),
        }
    }

    /// Admits a request, or returns how long none is admitted; zero while a probe is out.
    pub(crate) fn admit(&self) -> Result<Permit<'_>, Duration> {
        let now = self.clock.now();
        let mut state = self.lock();
        let probe = match *state {
            State::Closed { .. } => false,
            State::Probing => return Err(Duration::ZERO),
            State::Open { since } => {
                // A clock that was set back does not lengthen the pause by more than itself.
                let since = since.min(now);
                let gone = now.as_millis().saturating_sub(since.as_millis());
                let gone = Duration::from_millis(u64::try_from(gone).unwrap_or(0));
                if gone < self.settings.pause {
                    *state = State::Open { since };
                    return Err(self.settings.pause - gone);
                }
                *state = State::Probing;
                true
            }
        };
        Ok(Permit {
            breaker: self,
            probe,
            told: false,
        })
    }

    /// True unless requests are held back.
    pub(crate) fn is_closed(&self) -> bool {
        matches!(*self.lock(), State::Closed { .. })
    }

    fn settle(&self, probe: bool, healthy: bool) {
        let now = self.clock.now();
        let mut state = self.lock();
        *state = match (*state, healthy) {
            (State::Probing, _) if !probe => State::Probing,
            // What was sent before the breaker opened decides nothing any more.
            (open @ State::Open { .. }, _) => open,
            (_, true) => State::Closed { failures: 0 },
            (State::Probing, false) => State::Open { since: now },
            (State::Closed { failures }, false) => {
                let failures = failures.saturating_add(1);
                if failures >= self.settings.failures {
                    State::Open { since: now }
                } else {
                    State::Closed { failures }
                }
            }
        };
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is one word, whole at every instant.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit<'_> {
    /// Says whether the provider did its part.
    pub(crate) fn settle(mut self, healthy: bool) {
        self.told = true;
        self.breaker.settle(self.probe, healthy);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if self.probe && !self.told {
            // Since ever: the pause is over.
            let since = Timestamp::EPOCH;
            *self.breaker.lock() = State::Open { since };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicI64, Ordering};

    struct Hand(AtomicI64);

    impl Clock for Hand {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(self.0.load(Ordering::SeqCst)).expect("a time")
        }
    }

    fn breaker() -> (Breaker, Arc<Hand>) {
        let clock = Arc::new(Hand(AtomicI64::new(1_000_000)));
        let settings = BreakerSettings {
            failures: 3,
            pause: Duration::from_millis(100),
        };
        (Breaker::new(settings, Arc::clone(&clock) as _), clock)
    }

    fn send(breaker: &Breaker, healthy: bool) {
        breaker.admit().expect("admitted").settle(healthy);
    }

    fn refusal(breaker: &Breaker) -> Option<u128> {
        breaker.admit().err().map(|pause| pause.as_millis())
    }

    #[test]
    fn it_opens_after_failures_in_a_row_only() {
        let (breaker, _) = breaker();
        for healthy in [false, false, true, false, false] {
            send(&breaker, healthy);
        }
        assert!(breaker.admit().is_ok_and(|permit| {
            permit.settle(false);
            true
        }));
        assert_eq!(refusal(&breaker), Some(100));
    }

    #[test]
    fn after_the_pause_one_request_decides() {
        let (breaker, clock) = breaker();
        (0..3).for_each(|_| send(&breaker, false));
        clock.0.fetch_add(99, Ordering::SeqCst);
        assert_eq!(refusal(&breaker), Some(1));
        clock.0.fetch_add(1, Ordering::SeqCst);
        let probe = breaker.admit().expect("a probe");
        assert_eq!(refusal(&breaker), Some(0), "one probe at a time");
        probe.settle(false);
        assert_eq!(refusal(&breaker), Some(100), "a failed probe opens again");
        clock.0.fetch_add(100, Ordering::SeqCst);
        send(&breaker, true);
        // Closed, and the count starts anew.
        send(&breaker, false);
        send(&breaker, false);
        assert_eq!(refusal(&breaker), None);
    }

    #[test]
    fn late_answers_and_lost_probes_do_not_confuse_it() {
        let (breaker, clock) = breaker();
        let late = breaker.admit().expect("closed");
        let later = breaker.admit().expect("closed");
        (0..3).for_each(|_| send(&breaker, false));
        late.settle(true);
        assert_eq!(
            refusal(&breaker),
            Some(100),
            "a late success closes nothing"
        );
        clock.0.fetch_add(100, Ordering::SeqCst);
        let probe = breaker.admit().expect("a probe");
        later.settle(true);
        assert_eq!(refusal(&breaker), Some(0), "only the probe decides");
        drop(probe);
        send(&breaker, false);
        assert_eq!(
            refusal(&breaker),
            Some(100),
            "the next request was the probe"
        );
        clock.0.fetch_add(100, Ordering::SeqCst);
        send(&breaker, true);
        // What is given up while it is closed does not count.
        (0..9).for_each(|_| drop(breaker.admit()));
        assert_eq!(refusal(&breaker), None);
    }

    #[test]
    fn a_clock_set_back_does_not_keep_it_open() {
        let (breaker, clock) = breaker();
        (0..3).for_each(|_| send(&breaker, false));
        clock.0.fetch_sub(500_000, Ordering::SeqCst);
        assert_eq!(refusal(&breaker), Some(100));
        clock.0.fetch_add(100, Ordering::SeqCst);
        send(&breaker, true);
    }
}
