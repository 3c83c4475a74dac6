//! Look-up of token strings in an index made when the crate was built.

use crate::{
    hash::{self, Fnv},
    table::MAX_PIECE_BYTES,
};

/// Open-addressing table; a slot is sixteen bits of hash above an id.
static SLOTS: &[[u8; 4]] = include_bytes!(concat!(env!("OUT_DIR"), "/slots.bin"))
    .as_chunks()
    .0;

/// Where each token's string ends in [`TEXT`].
static ENDS: &[[u8; 4]] = include_bytes!(concat!(env!("OUT_DIR"), "/ends.bin"))
    .as_chunks()
    .0;

/// The token strings, one after the other.
static TEXT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/text.bin"));

/// Marks a piece that continues a word, as in the vocabulary's own spelling.
const CONTINUATION: &[u8] = b"##";

/// Finds the longest token that begins the text, as a word's start or as its continuation,
/// and how many bytes of the text it takes.
pub(crate) fn longest_prefix(text: &str, continues: bool) -> Option<(u16, usize)> {
    let marker = if continues { CONTINUATION } else { b"" };
    let bytes = text.as_bytes();
    let mut hash = Fnv::default().feed(marker);
    let mut prefixes = [(0, hash); MAX_PIECE_BYTES];
    let mut count = 0;
    let mut from = 0;
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    for (slot, end) in prefixes
        .iter_mut()
        .zip(ends.take_while(|&end| end <= MAX_PIECE_BYTES))
    {
        hash = hash.feed(&bytes[from..end]);
        *slot = (end, hash);
        from = end;
        count += 1;
    }
    prefixes[..count]
        .iter()
        .rev()
        .find_map(|&(end, hash)| find(hash, marker, &bytes[..end]).map(|id| (id, end)))
}

/// Finds the token spelt marker and rest, whose hash is given.
fn find(hash: Fnv, marker: &[u8], rest: &[u8]) -> Option<u16> {
    let place = hash.place();
    let mut slot = place.slot;
    loop {
        let [id_low, id_high, tag_low, tag_high] = *SLOTS.get(slot)?;
        let id = u16::from_le_bytes([id_low, id_high]);
        if id == hash::EMPTY_ID {
            return None;
        }
        if u16::from_le_bytes([tag_low, tag_high]) == place.tag
            && spelling(id).and_then(|token| token.strip_prefix(marker)) == Some(rest)
        {
            return Some(id);
        }
        slot = hash::next_slot(slot);
    }
}

/// Returns a token's string.
fn spelling(id: u16) -> Option<&'static [u8]> {
    let id = usize::from(id);
    let from = if id == 0 { 0 } else { end(id - 1)? };
    TEXT.get(from..end(id)?)
}

/// Returns where a token's string ends.
fn end(id: usize) -> Option<usize> {
    ENDS.get(id)
        .and_then(|end| usize::try_from(u32::from_le_bytes(*end)).ok())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn vocabulary() -> HashMap<String, u16> {
        let file: serde_json::Value =
            serde_json::from_str(include_str!("../model/tokenizer.json")).unwrap();
        serde_json::from_value(file["model"]["vocab"].clone()).unwrap()
    }

    #[test]
    fn finds_every_token_of_the_tokenizer_file() {
        let vocabulary = vocabulary();
        assert_eq!(vocabulary.len(), 30_522);
        for (token, id) in vocabulary {
            assert_eq!(spelling(id), Some(token.as_bytes()));
            let (rest, continues) = token
                .strip_prefix("##")
                .map_or((token.as_str(), false), |rest| (rest, true));
            assert_eq!(
                longest_prefix(rest, continues),
                Some((id, rest.len())),
                "{token}"
            );
        }
    }

    #[test]
    fn takes_the_longest_token_on_a_character_boundary() {
        let ids = vocabulary();
        assert_eq!(
            longest_prefix("generated", false),
            Some((ids["generated"], 9))
        );
        assert_eq!(longest_prefix("deploys", false), Some((ids["deploy"], 6)));
        assert_eq!(longest_prefix("ингx", true), Some((ids["##и"], 2)));
        assert_eq!(longest_prefix("", false), None);
        assert_eq!(longest_prefix("🚀", false), None);
    }

    #[test]
    fn keeps_probes_short() {
        let taken = |slot: usize| SLOTS[slot][..2] != hash::EMPTY_ID.to_le_bytes();
        let mut longest = 0;
        let mut run = 0;
        for slot in 0..SLOTS.len() {
            run = if taken(slot) { run + 1 } else { 0 };
            longest = longest.max(run);
        }
        assert!(longest < 64, "a run of {longest} taken slots");
    }
}
