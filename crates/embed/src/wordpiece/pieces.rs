//! Cuts a word into the longest pieces the vocabulary knows, from the left.

use crate::{table::MAX_WORD_CHARS, vocabulary};

/// The pieces of a word, at most one a character.
pub(super) struct Pieces {
    ids: [u16; MAX_WORD_CHARS],
    count: usize,
}

impl Pieces {
    /// Returns the ids in order.
    pub(super) fn ids(&self) -> &[u16] {
        &self.ids[..self.count]
    }
}

/// Cuts a word into pieces; a word that leaves a rest is unknown as a whole.
pub(super) fn cut(word: &str) -> Option<Pieces> {
    let mut pieces = Pieces {
        ids: [0; MAX_WORD_CHARS],
        count: 0,
    };
    let mut rest = word;
    while !rest.is_empty() {
        let (id, length) = vocabulary::longest_prefix(rest, pieces.count > 0)?;
        *pieces.ids.get_mut(pieces.count)? = id;
        pieces.count += 1;
        rest = rest.get(length..)?;
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(word: &str) -> Option<Vec<u16>> {
        cut(word).map(|pieces| pieces.ids().to_vec())
    }

    #[test]
    fn cuts_from_the_left_and_refuses_a_rest() {
        // Ids of the golden texts: "deploy", "npm" as "np" and "##m", "pods" as "pod" and "##s".
        assert_eq!(ids("deploy"), Some(vec![21_296]));
        assert_eq!(ids("npm"), Some(vec![27_937, 2_213]));
        assert_eq!(ids("deploy\u{1f680}"), None);
        assert_eq!(ids(""), Some(vec![]));
    }
}
