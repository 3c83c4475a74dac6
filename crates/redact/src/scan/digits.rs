//! Runs of digits, which card numbers and identity numbers come from.

use std::ops::Range;

/// Longest run of digits and single separators that is considered.
pub(super) const MAX_RUN: usize = 48;

/// Finds maximal runs of digits joined by single blanks or hyphens, of at least nine bytes.
pub(super) fn runs(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            if !bytes[at].is_ascii_digit() {
                at += 1;
                continue;
            }
            let start = at;
            at = run_end(bytes, start);
            if (9..=MAX_RUN).contains(&(at - start)) {
                return Some(start..at);
            }
        }
        None
    })
}

/// Returns the end of the run of digits and single separators that starts here.
pub(super) fn run_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() {
        let joins =
            matches!(bytes[at], b' ' | b'-') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !bytes[at].is_ascii_digit() && !joins {
            break;
        }
        at += 1;
    }
    at
}
