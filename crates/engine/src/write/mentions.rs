//! What a text mentions, without a model: known names wherever they stand, new ones only where
//! they are plain.

use std::collections::BTreeSet;

use precedent_core::analyze::is_cjk;
use precedent_core::normalise;

/// Most words of a name.
const NAME_WORDS: usize = 4;
/// Most characters of a name in a script that is written without blanks.
const NAME_CHARS: usize = 8;
/// Most names that are looked up for one text.
const MOST_NAMES: usize = 2048;

/// Returns every part of a text that could be a known name, in normal form.
pub(super) fn possible(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let words: Vec<&str> = words(text).map(|(_, word)| word).collect();
    // Words are brought into normal form one by one: no form reaches across a blank.
    let normal: Vec<String> = words.iter().map(|word| normalise(word)).collect();
    for (start, word) in words.iter().enumerate() {
        for length in 1..=NAME_WORDS.min(words.len() - start) {
            names.insert(normal[start..start + length].join(" "));
        }
        if word.chars().any(is_cjk) {
            names.extend(parts(word).take(MOST_NAMES).map(normalise));
        }
        if names.len() > MOST_NAMES {
            break;
        }
    }
    names
}

/// Returns the parts of a word without blanks that could be a name.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.char_indices().flat_map(move |(start, _)| {
        let rest = &word[start..];
        let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8());
        ends.take(NAME_CHARS).skip(1).map(move |end| &rest[..end])
    })
}

/// Returns the new names that a text shows plainly: two or more capitalised words in a row, a
/// capitalised word with a sign of a company, and what Chinese or Japanese quotes enclose.
pub(super) fn shown(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    let mut end = 0;
    for (at, word) in words(text) {
        let joined = text.get(end..at).is_some_and(|gap| gap == " ");
        if !joined || !is_name_word(word) {
            names.extend(name_of(&run));
            run.clear();
        }
        if is_name_word(word) {
            run.push(word);
        }
        end = at + word.len();
    }
    names.extend(name_of(&run));
    names.extend(quoted(text));
    names
}

fn name_of(run: &[&str]) -> Option<String> {
    // The first word of a sentence has a capital without being a name.
    let run = match run {
        [first, rest @ ..] if is_common(first) => rest,
        run => run,
    };
    (2..=NAME_WORDS).contains(&run.len()).then(|| run.join(" "))
}

/// Words that open a sentence more often than a name.
fn is_common(word: &str) -> bool {
    const COMMON: [&str; 28] = [
        "The", "A", "An", "This", "That", "These", "If", "When", "We", "I", "You", "He", "She",
        "It", "They", "Our", "My", "In", "On", "At", "For", "From", "To", "And", "But", "Use",
        "Do", "Not",
    ];
    COMMON.contains(&word)
}

fn is_name_word(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_uppercase)
        && characters.clone().any(char::is_lowercase)
        && characters.all(|c| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’'))
}

fn quoted(text: &str) -> impl Iterator<Item = String> + '_ {
    let pairs = [('「', '」'), ('『', '』'), ('《', '》')];
    pairs.into_iter().flat_map(move |(open, close)| {
        text.split(open).skip(1).filter_map(move |rest| {
            let name = rest.split_once(close)?.0;
            let fits = (2..=NAME_CHARS * 2).contains(&name.chars().count());
            fits.then(|| name.to_owned())
        })
    })
}

/// Returns the words of a text with where they begin; possessive endings are left off.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let inner =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | '/' | '\'' | '’');
    let mut next = 0;
    text.split_inclusive(move |c: char| !inner(c))
        .filter_map(move |piece| {
            let at = next;
            next += piece.len();
            let word = piece.trim_start_matches(|c: char| !c.is_alphanumeric());
            let at = at + piece.len() - word.len();
            let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"));
            let bare = bare.unwrap_or(word);
            (!bare.is_empty()).then_some((at, bare))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_possible_wherever_they_stand() {
        let possible = possible("Ask Ann Smith's team (acme-corp) about db_users, 田中さんに聞く");
        for name in [
            "ann smith",
            "ann",
            "acme-corp",
            "db_users",
            "田中",
            "田中さん",
        ] {
            assert!(possible.contains(name), "{name}");
        }
        assert!(!possible.contains("smith's"));
    }

    #[test]
    fn parts_of_a_word_without_blanks_are_two_to_eight_characters() {
        let parts: Vec<&str> = parts("田中さん").collect();
        assert_eq!(
            parts,
            ["田中", "田中さ", "田中さん", "中さ", "中さん", "さん"]
        );
    }

    #[test]
    fn new_names_are_shown_plainly() {
        assert_eq!(
            shown("The Acme Corp deal was closed by Ann Smith. We like Berlin"),
            ["Acme Corp", "Ann Smith"]
        );
        assert_eq!(shown("昨日「青い鳥」を読んだ"), ["青い鳥"]);
        assert_eq!(
            shown("Deploy On Friday. RUN THE TESTS"),
            ["Deploy On Friday"]
        );
        assert_eq!(shown("never push to main"), Vec::<String>::new());
    }
}
