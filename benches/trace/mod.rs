//! Generated agent traces: what tools print and agents write, in the proportions of real sessions.
//!
//! A trace is a sequence of passages: source code, diffs, logs, shell sessions, JSON events, stack
//! traces, test runs and prose. They hold what redactors confuse with secrets (hashes, UUIDs,
//! lock files, token counts, environment references), and secrets only where one is asked for.

mod passage;
mod secret;
mod words;

use crate::random::Random;

pub use secret::{FORMS, formed, secret};

/// Distance between secrets in bytes.
pub const SECRET_EVERY: usize = 50_000;

/// Writes passages until there are `bytes` bytes, and cuts the last at a character boundary.
pub fn clean(bytes: usize, random: &mut Random) -> String {
    let mut text = String::with_capacity(bytes + 4096);
    while text.len() < bytes {
        passage::write(&mut text, random);
    }
    cut(text, bytes)
}

/// Writes a text of `bytes` bytes with a secret in every [`SECRET_EVERY`] of them, at a place of
/// chance, and returns the number of secrets too.
pub fn mixed(bytes: usize, random: &mut Random) -> (String, usize) {
    let mut text = String::with_capacity(bytes + 4096);
    let mut planted = 0;
    let mut next = random.below(SECRET_EVERY);
    while text.len() < bytes {
        if text.len() >= next {
            text.push_str(&secret(random));
            text.push('\n');
            planted += 1;
            next = planted * SECRET_EVERY + random.below(SECRET_EVERY);
        }
        passage::write(&mut text, random);
    }
    (cut(text, bytes), planted)
}

/// Writes one JSON document of about `bytes` bytes: a list of events.
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

fn cut(mut text: String, bytes: usize) -> String {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}
