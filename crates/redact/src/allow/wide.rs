//! The test for patterns that would let real secrets pass.

use regex_automata::meta::Regex;
use regex_syntax::hir::Properties;

/// Lengths of the probes in bytes, beside those that the pattern itself asks for.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=160;
/// Longest probe that is made for a pattern's own lengths, in bytes.
const MAX_PROBE: usize = 4096;

/// Texts that have nothing in common but their look of a secret. Each is repeated to a length;
/// every four bytes of the first two hold both cases, a digit and a mark.
const PROBES: [&[u8]; 3] = [
    b"k7#Qw.3Mx-9Tb/5H",
    b"R 2e~V8j:N0u,D6y",
    b"k7Qw3Mx9Tb5HcV8j",
];

/// Tells whether a pattern for whole values matches unrelated values: random ones of some length,
/// or empty text.
pub(super) fn is_wide(whole: &Regex, properties: &Properties) -> bool {
    let own = [properties.minimum_len(), properties.maximum_len()];
    let own = own
        .into_iter()
        .flatten()
        .filter(|length| (4..=MAX_PROBE).contains(length));
    whole.is_match("")
        || LENGTHS.chain(own).any(|length| {
            PROBES.iter().any(|probe| {
                let text: Vec<u8> = probe.iter().copied().cycle().take(length).collect();
                whole.is_match(&text)
            })
        })
}
