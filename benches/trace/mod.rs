//! Generated agent traces: what tools print and agents write, in the proportions of real sessions.
//!
//! A trace is a sequence of passages: source code, diffs, logs, shell sessions, JSON events, stack
//! traces, test runs and prose. They hold what redactors confuse with secrets (hashes, UUIDs,
//! lock files, token counts, environment references), and secrets only where one is asked for.

mod passage;
mod secret;
mod words;

use crate::random::Random;

pub use secret::{FORMS, formed};

/// Distance between secrets in bytes.
pub const SECRET_EVERY: usize = 50_000;

/// Writes passages until there are `bytes` bytes, and cuts the last at a character boundary.
pub fn clean(bytes: usize, random: &mut Random) -> String {
    cut(passages(String::new(), bytes, random), bytes)
}

/// Writes traces of `bytes` bytes each, among them one with a secret for every [`SECRET_EVERY`]
/// bytes; the second of a pair tells that it has one.
pub fn traces(bytes: usize, count: usize, random: &mut Random) -> Vec<(String, bool)> {
    let mut traces = Vec::with_capacity(count);
    for number in 0..count {
        let has_secret = number * bytes / SECRET_EVERY != (number + 1) * bytes / SECRET_EVERY;
        let mut text = String::with_capacity(bytes * 2);
        if has_secret {
            text = passages(text, random.below(bytes / 2), random);
            text.push_str(&formed(random.below(FORMS), random));
            text.push('\n');
        }
        traces.push((cut(passages(text, bytes, random), bytes), has_secret));
    }
    traces
}

/// Writes one JSON document of at least `bytes` bytes: a list of events.
pub fn document(bytes: usize, random: &mut Random) -> String {
    let mut text = String::from("[");
    while text.len() < bytes {
        if text.len() > 1 {
            text.push(',');
        }
        passage::event(&mut text, random);
    }
    text.push(']');
    text
}

fn passages(mut text: String, bytes: usize, random: &mut Random) -> String {
    while text.len() < bytes {
        passage::write(&mut text, random);
    }
    text
}

fn cut(mut text: String, bytes: usize) -> String {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}
