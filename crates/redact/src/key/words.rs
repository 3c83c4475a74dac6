//! Splits a key into its words.

/// Splits on case, punctuation and blanks; digits belong to the word before them.
pub(super) fn words(key: &str) -> impl Iterator<Item = &str> {
    let mut rest = key;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !is_of_word(c));
        let end = word_end(rest)?;
        let (word, tail) = rest.split_at(end);
        rest = tail;
        Some(word)
    })
}

/// Tells whether a character is part of a word; in the scripts of India and Thailand vowels and
/// tones are marks.
pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{900}'..='\u{e7f}')
}

/// Returns where the first word ends: before punctuation, before a capital that follows a small
/// letter or digit, and before the last capital of an acronym that a word follows.
fn word_end(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    let mut previous_low = false;
    let mut length = 0;
    while let Some((at, c)) = chars.next() {
        if !is_of_word(c) {
            return Some(at);
        }
        if c.is_ascii_uppercase() {
            let ends_acronym =
                length > 1 && chars.peek().is_some_and(|(_, c)| c.is_ascii_lowercase());
            if previous_low || ends_acronym {
                return Some(at);
            }
        }
        previous_low = c.is_ascii_lowercase() || c.is_ascii_digit();
        length += 1;
    }
    (length > 0).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(key: &str) -> Vec<&str> {
        words(key).collect()
    }

    #[test]
    fn words_split_on_case_and_punctuation() {
        assert_eq!(
            split("AWS_SECRET_ACCESS_KEY"),
            ["AWS", "SECRET", "ACCESS", "KEY"]
        );
        assert_eq!(split("cloudflareApiKey"), ["cloudflare", "Api", "Key"]);
        assert_eq!(split("X-APIKey"), ["X", "API", "Key"]);
        assert_eq!(split("--db.password2 "), ["db", "password2"]);
        assert_eq!(split("пароль"), ["пароль"]);
        assert_eq!(split("--"), Vec::<&str>::new());
    }
}
