//! Follows variables and aliases that the line itself defines.
//!
//! `f=--force; git push $f` says what it runs as plainly as the words would;
//! a variable that the line does not set stays unknown.

use crate::shell::Word;

/// Longest text after expansion, in bytes; a line may not blow itself up.
const MAX_EXPANDED: usize = 16 * 1024;

/// Returns the line with its own variables and aliases put in, if it uses any.
pub(super) fn expanded(
    words: &[Word],
    variables: &[(String, String)],
    aliases: &[(String, String)],
) -> Option<String> {
    let last = |list: &[(String, String)], name: &str| {
        let found = list.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    };
    let mut changed = false;
    let mut parts: Vec<String> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let alias = last(aliases, &word.text).filter(|_| at == 0);
        let value = variable(&word.text)
            .filter(|_| word.dynamic)
            .and_then(|name| last(variables, name));
        let found = alias.or(value);
        changed |= found.is_some();
        parts.push(match found {
            Some(text) => text,
            None if word.quoted => format!("'{}'", word.text.replace('\'', r"'\''")),
            None => word.text.clone(),
        });
    }
    let length: usize = parts.iter().map(String::len).sum();
    (changed && length <= MAX_EXPANDED).then(|| parts.join(" "))
}

/// Reads `$name` or `${name}` as the name.
fn variable(text: &str) -> Option<&str> {
    let name = text.strip_prefix('$')?;
    let name = name
        .strip_prefix('{')
        .and_then(|n| n.strip_suffix('}'))
        .unwrap_or(name);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    (!name.is_empty() && name.bytes().all(plain)).then_some(name)
}
