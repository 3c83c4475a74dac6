//! What the benchmarks share: samples with their percentiles, and the machine's description.

use std::time::Duration;

/// Durations in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Adds a duration.
    pub fn push(&mut self, duration: Duration) {
        self.0.push(duration.as_secs_f64() * 1e3);
    }

    /// Returns the sample that the share `p` in [0, 1] of all samples does not exceed, by nearest
    /// rank; NaN without samples.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a count of samples lies within the count"
    )]
    pub fn percentile(&self, p: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (p * sorted.len() as f64).ceil() as usize;
        let sample = sorted.get(rank.saturating_sub(1)).or(sorted.last());
        sample.copied().unwrap_or(f64::NAN)
    }

    /// Returns the median.
    pub fn median(&self) -> f64 {
        self.percentile(0.5)
    }
}

/// Describes the machine: logical processors, their model where Linux tells it, system.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or(std::env::consts::ARCH, |(_, model)| model);
    format!("{cores} x {model}, {}", std::env::consts::OS)
}
