//! The uncased BERT tokenizer: normalise, split into words, cut words into pieces.
//!
//! After "BERT: Pre-training of Deep Bidirectional Transformers" (Devlin et al., 2018) as the
//! Hugging Face `tokenizers` library implements it (`BertNormalizer`, `BertPreTokenizer`,
//! `WordPiece`), without its truncation and padding. Memory stays bounded by a word, so a
//! long text costs time in proportion to its length and nothing else.

mod classes;
mod pieces;
mod words;

use crate::table::{SPECIALS, UNKNOWN};

/// Calls the visitor with each known token's id, in order; unknown tokens are skipped.
pub(crate) fn for_each_token(text: &str, visit: &mut dyn FnMut(u16)) {
    let mut rest = text;
    while let Some((before, id, after)) = next_special(rest) {
        ordinary(before, visit);
        if id != UNKNOWN {
            visit(id);
        }
        rest = after;
    }
    ordinary(rest, visit);
}

/// Tokenises text that holds no special token.
fn ordinary(text: &str, visit: &mut dyn FnMut(u16)) {
    words::for_each_word(text, &mut |word| {
        if let Some(pieces) = pieces::cut(word) {
            pieces.ids().iter().for_each(|&id| visit(id));
        }
    });
}

/// Splits at the first special token spelt out in the raw text.
///
/// They are matched before normalisation and with their case, as the reference does: `[SEP]`
/// is one token anywhere, `[sep]` is three.
fn next_special(text: &str) -> Option<(&str, u16, &str)> {
    text.match_indices('[').find_map(|(at, _)| {
        let (before, from) = text.split_at(at);
        SPECIALS
            .iter()
            .find_map(|&(token, id)| Some((before, id, from.strip_prefix(token)?)))
    })
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;

    /// A text and the ids the reference tokenizer gives it, unknown tokens left out.
    #[derive(serde::Deserialize)]
    struct Expected {
        text: String,
        #[serde(alias = "token_ids")]
        ids: Vec<u16>,
    }

    fn ids(text: &str) -> Vec<u16> {
        let mut ids = Vec::new();
        for_each_token(text, &mut |id| ids.push(id));
        ids
    }

    fn check(expected: &[Expected]) {
        for Expected { text, ids: theirs } in expected {
            assert_eq!(&ids(text), theirs, "{text:?}");
        }
    }

    #[test]
    fn gives_the_golden_ids() {
        let golden: Vec<Expected> =
            serde_json::from_str(include_str!("../../model/golden.json")).unwrap();
        assert_eq!(golden.len(), 20);
        check(&golden);
    }

    #[test]
    fn gives_the_reference_tokenizers_ids() {
        let lines = include_str!("../../tests/data/tokens.jsonl").lines();
        let expected: Vec<Expected> = lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(expected.len(), 472);
        check(&expected);
    }

    #[test]
    fn gives_the_reference_tokenizers_ids_round_every_character() {
        let mut digest = Sha256::new();
        for c in '\0'..=char::MAX {
            let ids: Vec<String> = ids(&format!("e{c}e {c}"))
                .iter()
                .map(u16::to_string)
                .collect();
            digest.update(ids.join(",") + "\n");
        }
        let digest: String = digest
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        // Of the reference tokenizer's ids for the same texts, one line a character.
        assert_eq!(
            digest,
            "a357907f4738c3ba460d1b6199aa4dc4eb88be2a35b21386cf875c94aafd8066"
        );
    }

    #[test]
    fn matches_special_tokens_in_the_raw_text_only() {
        assert_eq!(ids("a[MASK]b"), [1037, 103, 1038]);
        assert_eq!(ids("[cls]"), [1031, 18_856, 2015, 1033]);
        assert_eq!(ids("[UNK]"), [0; 0]);
    }
}
