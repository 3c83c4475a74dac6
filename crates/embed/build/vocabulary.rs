//! Reads the tokenizer file and writes the vocabulary's hash index.

use std::{fs, path::Path};

use serde_json::Value;

use crate::{
    Failure, constant,
    hash::{self, Fnv},
};

/// What the crate needs of the tokenizer file.
pub(crate) struct Vocabulary {
    /// Token strings; the position is the id.
    pub(crate) tokens: Vec<String>,
    specials: Vec<(String, u64)>,
    max_word_chars: u64,
}

/// Reads the tokenizer file; refuses settings the crate's tokenizer does not implement, since
/// a quietly different tokenizer would give quietly different vectors.
pub(crate) fn parse(file: &[u8]) -> Result<Vocabulary, Failure> {
    let file: Value = serde_json::from_slice(file)?;
    for (pointer, expected) in [
        ("/normalizer/type", Value::from("BertNormalizer")),
        ("/normalizer/clean_text", Value::from(true)),
        ("/normalizer/handle_chinese_chars", Value::from(true)),
        ("/normalizer/strip_accents", Value::Null),
        ("/normalizer/lowercase", Value::from(true)),
        ("/pre_tokenizer/type", Value::from("BertPreTokenizer")),
        ("/model/type", Value::from("WordPiece")),
        ("/model/unk_token", Value::from("[UNK]")),
        ("/model/continuing_subword_prefix", Value::from("##")),
    ] {
        if file.pointer(pointer) != Some(&expected) {
            return Err(format!("tokenizer setting {pointer} must be {expected}").into());
        }
    }
    let max_word_chars = file["model"]["max_input_chars_per_word"].as_u64();
    Ok(Vocabulary {
        tokens: tokens(&file["model"]["vocab"])?,
        specials: specials(&file["added_tokens"])?,
        max_word_chars: max_word_chars.ok_or("the tokenizer names no longest word")?,
    })
}

/// Orders the token strings by id; every id below the count must be there.
fn tokens(vocab: &Value) -> Result<Vec<String>, Failure> {
    let vocab = vocab.as_object().ok_or("the tokenizer has no vocabulary")?;
    let mut tokens = vec![None; vocab.len()];
    for (token, id) in vocab {
        let id = usize::try_from(id.as_u64().ok_or("a token's id is no number")?)?;
        *tokens.get_mut(id).ok_or("the token ids have gaps")? = Some(token.clone());
    }
    let tokens: Option<Vec<String>> = tokens.into_iter().collect();
    let tokens = tokens.ok_or("two tokens share an id")?;
    if tokens.len() > usize::from(hash::EMPTY_ID) {
        return Err("the vocabulary does not fit 16-bit ids".into());
    }
    Ok(tokens)
}

/// Reads the tokens that are matched in the raw text before it is normalised.
fn specials(added: &Value) -> Result<Vec<(String, u64)>, Failure> {
    let added = added
        .as_array()
        .ok_or("the tokenizer has no added tokens")?;
    let mut specials = Vec::new();
    for token in added {
        let plain = ["single_word", "lstrip", "rstrip", "normalized"];
        if plain
            .iter()
            .any(|flag| token[flag].as_bool() != Some(false))
        {
            return Err("an added token asks for more than a plain match".into());
        }
        let content = token["content"]
            .as_str()
            .filter(|content| content.starts_with('['));
        let content = content.ok_or("an added token does not begin with a bracket")?;
        let id = token["id"].as_u64().ok_or("an added token has no id")?;
        specials.push((content.to_owned(), id));
    }
    Ok(specials)
}

/// Writes the open-addressing table, the end of each string and the strings.
///
/// A slot is a little-endian u32: sixteen bits of the hash above the token's id.
pub(crate) fn write_index(tokens: &[String], out: &Path) -> Result<(), Failure> {
    let mut slots = vec![u32::from(hash::EMPTY_ID); hash::SLOTS];
    let mut ends = Vec::new();
    let mut text = Vec::new();
    for (id, token) in tokens.iter().enumerate() {
        let place = Fnv::default().feed(token.as_bytes()).place();
        let mut slot = place.slot;
        while slots[slot] != u32::from(hash::EMPTY_ID) {
            slot = hash::next_slot(slot);
        }
        slots[slot] = u32::from(place.tag) << 16 | u32::try_from(id)?;
        text.extend_from_slice(token.as_bytes());
        ends.extend(u32::try_from(text.len())?.to_le_bytes());
    }
    let slots: Vec<u8> = slots.into_iter().flat_map(u32::to_le_bytes).collect();
    fs::write(out.join("slots.bin"), slots)?;
    fs::write(out.join("ends.bin"), ends)?;
    fs::write(out.join("text.bin"), text)?;
    Ok(())
}

impl Vocabulary {
    /// Writes the tokenizer's constants.
    pub(crate) fn render(&self, to: &mut String) -> Result<(), Failure> {
        let longest = self
            .tokens
            .iter()
            .map(|token| token.strip_prefix("##").unwrap_or(token).len());
        let longest = longest.max().ok_or("the vocabulary is empty")?.to_string();
        let unknown = self.tokens.iter().position(|token| token == "[UNK]");
        let unknown = unknown
            .ok_or("the vocabulary has no unknown token")?
            .to_string();
        let chars = self.max_word_chars.to_string();
        let specials = format!("&{:?}", self.specials);
        constant(
            to,
            "Longest piece, in bytes.",
            "MAX_PIECE_BYTES",
            "usize",
            &longest,
        )?;
        constant(
            to,
            "Longest word, in characters.",
            "MAX_WORD_CHARS",
            "usize",
            &chars,
        )?;
        constant(to, "Id of the unknown token.", "UNKNOWN", "u16", &unknown)?;
        let kind = "&[(&str, u16)]";
        constant(
            to,
            "Tokens matched in the raw text.",
            "SPECIALS",
            kind,
            &specials,
        )
    }
}
