//! Counts known secrets in an artifact: the check that nothing leaked.

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;
use memchr::memmem;

use crate::forms;

/// Shortest part of a secret that counts as a leak, and shortest secret that is sought in
/// encoded forms, in bytes.
const FRAGMENT: usize = 8;

/// Counts the seeds that an artifact holds: verbatim, or as base64 at any alignment, percent,
/// JSON-escaped (once or twice) or hexadecimal text.
///
/// The artifact may be any bytes: an output, a log, a database file. A seed below 8 bytes is
/// sought verbatim only, since its encodings are short enough to occur by chance; empty seeds do
/// not count. Equal seeds count each. All seeds share one automaton, so the work is linear.
pub fn sweep(artifact: &[u8], seeds: &[&str]) -> usize {
    count(artifact, seeds, |seed| vec![seed])
}

/// Counts the seeds of which an artifact holds any part of 8 bytes, in the forms of [`sweep`].
///
/// This is the stricter check, for random seeds: a seed with ordinary words has ordinary parts,
/// which artifacts hold for other reasons. A seed below 8 bytes counts as a whole.
pub fn sweep_fragments(artifact: &[u8], seeds: &[&str]) -> usize {
    count(artifact, seeds, fragments)
}

/// Returns the shortest parts of at least 8 bytes from each character on.
fn fragments(seed: &str) -> Vec<&str> {
    if seed.len() < FRAGMENT {
        return vec![seed];
    }
    let starts = seed.char_indices().map(|(start, _)| start);
    starts
        .take_while(|start| start + FRAGMENT <= seed.len())
        .map(|start| &seed[start..seed.ceil_char_boundary(start + FRAGMENT)])
        .collect()
}

fn count<'s>(artifact: &[u8], seeds: &[&'s str], parts: impl Fn(&'s str) -> Vec<&'s str>) -> usize {
    let mut owners: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, seed) in seeds.iter().enumerate() {
        for part in parts(seed).into_iter().filter(|part| !part.is_empty()) {
            let mut own = |form: String| {
                let indices = owners.entry(form).or_default();
                if indices.last() != Some(&index) {
                    indices.push(index);
                }
            };
            own(part.to_owned());
            if part.len() >= FRAGMENT {
                forms::escaped(part).into_iter().for_each(&mut own);
                forms::base64(part).into_iter().for_each(&mut own);
            }
        }
    }
    let mut leaked = vec![false; seeds.len()];
    let mut mark = |indices: &Vec<usize>| indices.iter().for_each(|index| leaked[*index] = true);
    match AhoCorasick::new(owners.keys()) {
        Ok(automaton) => {
            let indices: Vec<&Vec<usize>> = owners.values().collect();
            for hit in automaton.find_overlapping_iter(artifact) {
                mark(indices[hit.pattern().as_usize()]);
            }
        }
        // More forms than an automaton takes: slower, and as sure.
        Err(_) => owners
            .iter()
            .filter(|(form, _)| memmem::find(artifact, form.as_bytes()).is_some())
            .for_each(|(_, indices)| mark(indices)),
    }
    leaked.into_iter().filter(|leaked| *leaked).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SEED: &str = "gr4nite/b1shop \"7\"";

    #[test]
    fn every_form_counts() {
        for artifact in [
            "x gr4nite/b1shop \"7\" y",
            "gr4nite%2Fb1shop%20%227%22",
            "gr4nite%2fb1shop+%227%22",
            r#"{"a":"gr4nite\/b1shop \"7\""}"#,
            r#"{"a":"{\"b\":\"gr4nite/b1shop \\\"7\\\"\"}"}"#,
            "6772346e6974652f623173686f7020223722",
            "6772346E6974652F623173686F7020223722",
            // Python's base64 of the seed after zero, one and two other bytes.
            "Z3I0bml0ZS9iMXNob3AgIjci",
            "eGdyNG5pdGUvYjFzaG9wICI3Ig==",
            "eHhncjRuaXRlL2Ixc2hvcCAiNyI=",
        ] {
            assert_eq!(sweep(artifact.as_bytes(), &[SEED]), 1, "{artifact}");
        }
        assert_eq!(sweep(b"gr4nite/b1shop [REDACTED:jwt]", &[SEED]), 0);
    }

    #[test]
    fn each_seed_counts_once() {
        let artifact = b"\xff\0abc abc 0123456789 0123456789";
        assert_eq!(sweep(artifact, &["abc", "0123456789", "absent", ""]), 2);
        assert_eq!(sweep(artifact, &["abc", "abc"]), 2);
        assert_eq!(sweep(artifact, &[]), 0);
        assert_eq!(sweep(b"", &["abc"]), 0);
    }

    #[test]
    fn short_seeds_are_sought_verbatim_only() {
        assert_eq!(sweep(b"616263", &["abc"]), 0);
        assert_eq!(sweep_fragments(b"abc", &["abc"]), 1);
    }

    #[test]
    fn parts_of_eight_bytes_count_and_shorter_do_not() {
        let seed = "0a1b2c3d4e5fé6g7h";
        assert_eq!(sweep_fragments(b"..1b2c3d4e..", &[seed]), 1);
        assert_eq!(sweep_fragments(b"..1b2c3d4..", &[seed]), 0);
        assert_eq!(sweep_fragments("5fé6g7h".as_bytes(), &[seed]), 1);
        assert_eq!(sweep(b"..1b2c3d4e..", &[seed]), 0);
    }

    proptest! {
        #[test]
        fn any_part_is_found_anywhere(
            before in "[a-f]{0,9}", seed in "[g-zG-Z0-9]{8,30}", after in "[a-f]{0,9}", at in 0_usize..23
        ) {
            let at = at.min(seed.len() - FRAGMENT);
            let artifact = format!("{before}{}{after}", &seed[at..at + FRAGMENT]);
            prop_assert_eq!(sweep_fragments(artifact.as_bytes(), &[&seed]), 1);
        }
    }
}
