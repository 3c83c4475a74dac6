//! The clock: time on this thread's processor, of tasks that take turns.

use std::error::Error;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use crate::measure::Samples;

/// Returns the processor time of this thread.
pub fn thread_time() -> Result<Duration, Box<dyn Error>> {
    Ok(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?.into())
}

/// Times one call.
pub fn timed(task: impl FnOnce()) -> Result<Duration, Box<dyn Error>> {
    let begun = thread_time()?;
    task();
    Ok(thread_time()?.saturating_sub(begun))
}

/// Runs every task once a round, so that what else the machine does hits all alike, and returns
/// the samples of each; the first round only warms up.
pub fn in_turns(
    rounds: usize,
    tasks: &mut [&mut dyn FnMut()],
) -> Result<Vec<Samples>, Box<dyn Error>> {
    let mut samples = vec![Samples::default(); tasks.len()];
    for round in 0..=rounds {
        for (task, samples) in tasks.iter_mut().zip(&mut samples) {
            let took = timed(task)?;
            if round > 0 {
                samples.push(took);
            }
        }
    }
    Ok(samples)
}

/// Converts bytes in some milliseconds to megabytes a second.
#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
pub fn rate(bytes: usize, milliseconds: f64) -> f64 {
    bytes as f64 / 1e3 / milliseconds
}
